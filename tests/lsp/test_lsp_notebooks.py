"""Notebooks: cells are one program, findings stand in their cells, comments and fixes land there."""

from __future__ import annotations

from lsp_editor import UNUSED, Editor, changed
from lsprotocol import types

CLASS = "class Chat:\n    def __init__(self) -> None:\n        self.messages = []\n"
TRIM = "class Agent(Chat):\n    def trim(self) -> None:\n        self.messages = self.messages[-20:]\n"


class Notebook:
    """A notebook in the editor."""

    def __init__(self, editor: Editor, name: str, *cells: str, prose: tuple[int, ...] = ()) -> None:
        self.editor = editor
        self.uri = editor.uri(name)
        self.version = 1
        self.cells = [f"notebook-cell:{editor.folder}/{name}#{number}" for number in range(len(cells))]
        code, markup = types.NotebookCellKind.Code, types.NotebookCellKind.Markup
        kinds = [markup if number in prose else code for number in range(len(cells))]
        notebook = types.NotebookDocument(
            self.uri,
            "jupyter-notebook",
            1,
            [types.NotebookCell(k, uri) for k, uri in zip(kinds, self.cells, strict=True)],
        )
        texts = [
            types.TextDocumentItem(uri, "python", 1, text)
            for number, (uri, text) in enumerate(zip(self.cells, cells, strict=True))
            if number not in prose
        ]
        editor.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, texts))

    def edit(self, number: int, text: str) -> None:
        """Replace the text of a cell."""
        self.version += 1
        cell = types.VersionedTextDocumentIdentifier(uri=self.cells[number], version=self.version)
        content = types.NotebookDocumentCellContentChanges(cell, [types.TextDocumentContentChangeWholeDocument(text)])
        self._change(types.NotebookDocumentCellChanges(text_content=[content]))

    def remove(self, number: int) -> None:
        """Delete a cell."""
        self.version += 1
        uri = self.cells.pop(number)
        array = types.NotebookCellArrayChange(start=number, delete_count=1)
        closed = [types.TextDocumentIdentifier(uri)]
        self._change(
            types.NotebookDocumentCellChanges(
                structure=types.NotebookDocumentCellChangeStructure(array, did_close=closed)
            )
        )

    def _change(self, cells: types.NotebookDocumentCellChanges) -> None:
        named = types.VersionedNotebookDocumentIdentifier(uri=self.uri, version=self.version)
        event = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(named, event))

    def close(self) -> None:
        """Close the notebook."""
        closed = [types.TextDocumentIdentifier(uri) for uri in self.cells]
        named = types.NotebookDocumentIdentifier(self.uri)
        self.editor.client.notebook_document_did_close(types.DidCloseNotebookDocumentParams(named, closed))


async def test_findings_stand_in_their_cells(editor: Editor) -> None:
    """A class in one cell, its leak in another, prose between them."""
    notebook = Notebook(editor, "n.ipynb", "%time\n" + CLASS, "prose", TRIM, prose=(1,))
    assert await editor.codes(notebook.cells[2], ["RL101"]) == ["RL101"]
    (found,) = await editor.diagnostics(notebook.cells[2], lambda p: bool(p.diagnostics))
    assert found.range.start == types.Position(2, 24)
    assert {step.location.uri for step in found.related_information or ()} == {notebook.cells[2]}
    assert await editor.codes(notebook.cells[0], []) == []
    notebook.close()


async def test_edits_of_cells_are_followed(editor: Editor) -> None:
    """Text and structure; an edit in one cell changes what is said in another."""
    keep = "import json, pathlib\ndef keep(messages):\n    pathlib.Path('x').write_text(json.dumps(messages))\n"
    notebook = Notebook(editor, "n.ipynb", keep, CLASS, TRIM.replace("None:\n", "None:\n        keep(self.messages)\n"))
    assert await editor.codes(notebook.cells[2], []) == []
    notebook.edit(0, "def keep(messages):\n    pass\n")
    assert await editor.codes(notebook.cells[2], ["RL101"]) == ["RL101"]
    notebook.edit(0, keep)
    assert await editor.codes(notebook.cells[2], []) == []
    last = notebook.cells[2]
    notebook.remove(0)
    assert await editor.codes(last, ["RL101"]) == ["RL101"]
    notebook.close()
    assert await editor.codes(last, []) == []


async def test_fixes_and_comments_land_in_the_cell(editor: Editor) -> None:
    """Edits are in the cell's own lines."""
    notebook = Notebook(editor, "n.ipynb", "x = 1\n", UNUSED)
    cell = notebook.cells[1]
    assert await editor.codes(cell, ["RL002"]) == ["RL002"]
    action = await editor.client.code_action_resolve_async((await editor.actions(cell, 5))[0])
    assert "reduction-lint" not in changed(action.edit, cell, UNUSED)
    notebook.edit(1, CLASS + TRIM)
    assert await editor.codes(cell, ["RL101"]) == ["RL101"]
    suppress = next(a for a in await editor.actions(cell, 5) if a.title.startswith("Suppress RL101 here"))
    action = await editor.client.code_action_resolve_async(suppress)
    notebook.edit(1, changed(action.edit, cell, CLASS + TRIM, version=2))
    assert await editor.codes(cell, []) == []
    hover = types.HoverParams(types.TextDocumentIdentifier(cell), types.Position(5, 30))
    shown = await editor.client.text_document_hover_async(hover)
    assert shown is not None
    assert "Silenced by a comment: say here why this is right" in str(shown.contents)
    notebook.close()


async def test_cells_are_pushed_to_clients_that_pull(puller: Editor) -> None:
    """Their diagnostics come one way only: a pull for a cell is answered empty."""
    notebook = Notebook(puller, "n.ipynb", CLASS, TRIM)
    assert await puller.codes(notebook.cells[1], ["RL101"]) == ["RL101"]
    assert (await puller.pull(notebook.cells[1])).items == ()
    notebook.close()


async def test_notebook_on_disk_is_part_of_the_project(editor: Editor) -> None:
    """What is saved counts again when the notebook is closed; closing clears its cells."""
    notebook = Notebook(editor, "n.ipynb", CLASS, TRIM)
    cell = notebook.cells[1]
    assert await editor.codes(cell, ["RL101"]) == ["RL101"]
    notebook.close()
    assert await editor.codes(cell, []) == []
