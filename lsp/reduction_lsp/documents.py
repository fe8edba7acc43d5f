"""Open documents: lines as the protocol defines them, and edits that cannot corrupt a text.

pygls splits lines at form feeds and other characters that end no line in the protocol, and its clamping of positions behind
the end of a line eats a character of the last line. Documents here split and clamp by themselves.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from urllib.parse import unquote

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from reduction_lsp.positions import code_points

log = logging.getLogger(__name__)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


class Document(TextDocument):
    """A document whose lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only."""

    _split: tuple[str, tuple[str, ...]] | None = None

    @property
    def lines(self) -> Sequence[str]:
        """All lines with their ends; the last one may be empty."""
        source = self.source
        if self._split is None or self._split[0] is not source:
            self._split = source, tuple(split_lines(source))
        return self._split[1]

    def offset(self, position: types.Position) -> int:
        """The offset in the text of a position in the client's units, clamped into the text."""
        lines = self.lines
        if position.line >= len(lines):
            return len(self.source)
        line = lines[position.line]
        before = sum(map(len, lines[: position.line]))
        return before + code_points(line.rstrip("\r\n"), position.character, self.position_codec.encoding)

    def _apply_incremental_change(self, change: types.TextDocumentContentChangePartial) -> None:
        start, end = sorted((self.offset(change.range.start), self.offset(change.range.end)))
        self._source = self.source[:start] + change.text + self.source[end:]


class Documents(Workspace):
    """The documents a client has open; edits of others are ignored."""

    def _create_text_document(
        self,
        doc_uri: str,
        source: str | None = None,
        version: int | None = None,
        language_id: str | None = None,
    ) -> Document:
        return Document(
            doc_uri,
            source=source,
            version=version,
            language_id=language_id,
            sync_kind=self._sync_kind,
            position_codec=self._position_codec,
        )

    def opened(self, uri: str) -> Document | None:
        """The open document with this URI."""
        found = self._text_documents.get(unquote(uri))
        return found if isinstance(found, Document) else None

    def notebook_of(self, uri: str) -> types.NotebookDocument | None:
        """The open notebook that has the cell, or is, ``uri``."""
        return self.get_notebook_document(cell_uri=uri) or self.get_notebook_document(notebook_uri=uri)

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply an edit."""
        if self.opened(text_doc.uri) is None:
            log.warning("edit of %s, which is not open", text_doc.uri)
            return
        super().update_text_document(text_doc, change)

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Apply an edit of a notebook."""
        if self.get_notebook_document(notebook_uri=params.notebook_document.uri) is None:
            log.warning("edit of %s, which is not open", params.notebook_document.uri)
            return
        super().update_notebook_document(params)

    def remove_folder(self, folder_uri: str) -> None:
        """Forget a folder, known or not."""
        self._folders.pop(unquote(folder_uri), None)


def split_lines(text: str) -> list[str]:
    """The lines of a text with their ends; one more, empty, after a final line end. At least one."""
    if "\r" not in text:
        lines = text.split("\n")
        return [line + "\n" for line in lines[:-1]] + lines[-1:]
    found = _LINE.findall(text)
    # At the end of the text the pattern matches once more, emptily: that is the last line unless one is open there.
    return found[:-1] if text and text[-1] not in "\r\n" else found
