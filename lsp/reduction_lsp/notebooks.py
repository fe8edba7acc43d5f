"""Notebooks: the open cells put together as the file that the analyzer reads, and the cells' URIs by number."""

from __future__ import annotations

import json

from lsprotocol import types

from reduction_lsp.documents import Documents

SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithCells(cells=[types.NotebookCellLanguage(language="python")]),
    ],
    save=True,
)


def as_file(documents: Documents, notebook: types.NotebookDocument) -> str:
    """The notebook's JSON as it would be saved, so far as the analysis reads it.

    Cells that the client does not sync keep their number and are empty.
    """
    cells = []
    for cell in notebook.cells:
        document = documents.opened(cell.document)
        code = cell.kind == types.NotebookCellKind.Code and document is not None
        language = document.language_id if document is not None else None
        cells.append(
            {
                "cell_type": "code" if code else "markdown",
                "metadata": {"vscode": {"languageId": language or "python"}},
                "source": document.source if document is not None else "",
            }
        )
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def cell_uri(notebook: types.NotebookDocument, number: int | None) -> str:
    """The URI of a cell by its 1-based number; that of the notebook when there is no such cell."""
    if number is not None and 1 <= number <= len(notebook.cells):
        return notebook.cells[number - 1].document
    return notebook.uri


def cell_number(notebook: types.NotebookDocument, uri: str) -> int | None:
    """The 1-based number of a cell."""
    return next((number for number, cell in enumerate(notebook.cells, 1) if cell.document == uri), None)
