"""The server's state, and the one way from a document to its findings."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument
from reduction_lint.live import LiveSession, Result, Stop
from reduction_lint.settings import SettingsError

from reduction_lsp.capabilities import Client
from reduction_lsp.diagnostics import Builder
from reduction_lsp.documents import Document, Documents
from reduction_lsp.folders import Folder, Folders
from reduction_lsp.notebooks import as_file, cell_number, cell_uri
from reduction_lsp.protocol import Protocol
from reduction_lsp.worker import Priority, Worker

log = logging.getLogger(__name__)
T = TypeVar("T")
_SUFFIXES = (".py", ".pyi", ".ipynb")


@dataclass(frozen=True)
class OpenFile:
    """A file that the client has open; a notebook counts as one file."""

    path: Path
    uri: str
    version: int | None


@dataclass(frozen=True)
class Outcome:
    """What was found in a file.

    ``version`` is that of the text that was analysed, None for a file on disk. ``result`` is None for a file that is
    not checked, and where the settings are wrong.
    """

    path: Path
    version: int | None = None
    diagnostics: dict[str, list[types.Diagnostic]] = field(default_factory=dict)
    result: Result | None = None
    wrong_settings: SettingsError | None = None


@dataclass(frozen=True)
class Target:
    """A document as requests name it: the file and, in a notebook, the 1-based cell."""

    path: Path
    cell: int | None
    folder: Folder


class Backend:
    """Everything that handlers share. All methods are for the event loop's thread."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.client = Client()
        self.folders = Folders()
        self.worker = Worker()
        self.open: dict[Path, OpenFile] = {}
        self._analysed: dict[Path, int | None] = {}

    @property
    def documents(self) -> Documents:
        """The open documents."""
        documents = self.server.workspace
        assert isinstance(documents, Documents)
        return documents

    @property
    def protocol(self) -> Protocol:
        """For requests to the client."""
        protocol = self.server.protocol
        assert isinstance(protocol, Protocol)
        return protocol

    # -- documents --------------------------------------------------------------------------------------------------

    def target(self, uri: str) -> Target:
        """The file and cell that a URI means."""
        notebook = self.documents.notebook_of(uri)
        if notebook is None:
            path = self.folders.path_of(uri)
            return Target(path, None, self.folders.of(path))
        path = self.folders.path_of(notebook.uri)
        return Target(path, cell_number(notebook, uri), self.folders.of(path))

    def uri_of(self, path: Path, cell: int | None = None) -> str:
        """The URI of a file, or of a cell of an open notebook."""
        uri = self.folders.uri_of(path)
        notebook = self.documents.get_notebook_document(notebook_uri=uri) if cell is not None else None
        return uri if notebook is None else cell_uri(notebook, cell)

    def is_python(self, document: TextDocument) -> bool:
        """Whether a document is analysed, going by its language and name."""
        return document.language_id == "python" or self.folders.path_of(document.uri).suffix in _SUFFIXES

    def text_changed(self, uri: str) -> Path | None:
        """Hand the text of an open document, or of the notebook it belongs to, to the analysis.

        The answer is the file, or None if it is none that is analysed.
        """
        notebook = self.documents.notebook_of(uri)
        if notebook is not None:
            return self._set_text(notebook.uri, notebook.version, as_file(self.documents, notebook))
        document = self.documents.opened(uri)
        if document is None or not self.is_python(document):
            return None
        return self._set_text(uri, document.version, document.source)

    def closed(self, uri: str) -> Path | None:
        """Go back to what is on disk."""
        path = self.folders.path_of(uri)
        if self.open.pop(path, None) is None:
            return None
        live = self.folders.of(path).live

        def close() -> None:
            self._analysed.pop(path, None)
            live.close(path)

        self.worker.post(close)
        return path

    def _set_text(self, uri: str, version: int | None, text: str) -> Path:
        path = self.folders.path_of(uri)
        self.folders.note(path, uri)
        self.open[path] = OpenFile(path, uri, version)
        live = self.folders.of(path).live

        def set_text() -> None:
            self._analysed[path] = version
            live.set_text(path, text)

        self.worker.post(set_text)
        return path

    def document(self, uri: str) -> Document | None:
        """An open document."""
        return self.documents.opened(uri)

    # -- findings ---------------------------------------------------------------------------------------------------

    async def outcome(self, path: Path, priority: Priority = Priority.REQUEST) -> Outcome:
        """What is found in a file as it is now."""
        folder = self.folders.of(path)

        def work(stop: Stop) -> Outcome:
            return self._outcome(folder, path, stop)

        return await self.worker.run(work, priority)

    async def ask(self, folder: Folder, work: Callable[[LiveSession, Stop], T]) -> T:
        """Let the analysis' thread look something up."""
        return await self.worker.run(lambda stop: work(folder.live, stop), Priority.REQUEST)

    def builder(self, folder: Folder) -> Builder:
        """Makes diagnostics and places of a folder's files; for the analysis' thread."""
        return Builder(folder.live, self.client, folder.settings, self.uri_of)

    def _outcome(self, folder: Folder, path: Path, stop: Stop) -> Outcome:
        version = self._analysed.get(path)
        try:
            if not folder.live.covers(path):
                return Outcome(path, version)
            result = folder.live.result(path, stop)
        except SettingsError as error:
            return Outcome(path, version, wrong_settings=error)
        for problem in result.report.errors:
            log.warning("%s: %s", problem.path, problem.message)
        return Outcome(path, version, self.builder(folder).build(path, result), result)
