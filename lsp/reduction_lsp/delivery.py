"""Diagnostics find their way: pushed after edits, or the client is told to pull again.

One loop serves all documents: what was edited goes first, then the other open files that the edit may concern, then (if
asked for) the rest of the workspace. A new edit begins a new round.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from reduction_lint.settings import SettingsError

from reduction_lsp.backend import Backend, Outcome
from reduction_lsp.diagnostics import SOURCE, result_id
from reduction_lsp.folders import Folder
from reduction_lsp.worker import Priority

log = logging.getLogger(__name__)
_SHORT, _LONG = 0.01, 0.25
"""Seconds that edits are gathered for: the short time where analysis is quick, up to the long one where it is not."""


class Delivery:
    """The loop, and what was told to the client so far."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.edited: dict[Path, None] = {}
        self.changed = asyncio.Event()
        """Set when anything may have changed; for requests that wait for that."""
        self.unsaved: set[Path] = set()
        """Files of folders that are checked on save, edited since."""
        self._dirty = asyncio.Event()
        self._pushed: dict[str, tuple[int | None, list[types.Diagnostic]]] = {}
        self._of_file: dict[Path, set[str]] = {}
        self._pulled: dict[str, str] = {}
        self._warned: set[str] = set()
        self._wrong: dict[Path, str] = {}
        self._pause = _SHORT

    # -- occasions --------------------------------------------------------------------------------------------------

    def wake(self, path: Path | None = None) -> None:
        """Something changed: this file, or anything."""
        if path is not None:
            self.edited.pop(path, None)
            self.edited[path] = None
        self._dirty.set()
        self.changed.set()

    def typed(self, path: Path) -> None:
        """A document was edited: it is checked now, or when it is saved."""
        if self.backend.folders.of(path).settings.run == "onSave":
            self.unsaved.add(path)
        else:
            self.wake(path)

    def saved(self, path: Path) -> None:
        """A document was saved."""
        self.unsaved.discard(path)
        if path in self.backend.open:
            self.wake(path)

    def closed(self, path: Path) -> None:
        """A file was closed: what is on disk counts, and only for a client that wants the whole workspace."""
        self.edited.pop(path, None)
        self.unsaved.discard(path)
        for uri in self._of_file.pop(path, set()):
            self._pulled.pop(uri, None)
            self._push(path, uri, [], None)
        self.wake()

    def answered(self, uri: str, report_id: str) -> None:
        """A client pulled this report."""
        self._pulled[uri] = report_id

    async def start_over(self) -> None:
        """Settings changed: all that was said may be wrong."""
        self.unsaved.clear()
        self.wake()
        if self.backend.client.refreshes_diagnostics:
            await self._refresh()

    # -- the loop ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Deliver until cancelled; a failure is told and the loop goes on."""
        while True:
            await self._dirty.wait()
            await asyncio.sleep(self._pause)
            self._dirty.clear()
            started = time.perf_counter()
            try:
                await self._round()
            except Exception as error:
                self.backend.server._report_server_error(error, type(error))  # type: ignore[arg-type]
            self._pause = min(max(_SHORT, (time.perf_counter() - started) / 4), _LONG)

    async def _round(self) -> None:
        opened = self.backend.open.keys() - self.unsaved
        edited = [path for path in reversed(self.edited) if path in opened]
        others = [path for path in self.backend.open if path in opened and path not in self.edited]
        again = False
        for path in (*edited, *others):
            outcome = await self.backend.outcome(path, Priority.OPEN)
            again = self._deliver(outcome, edited=path in self.edited) or again
            self.edited.pop(path, None)
            if self._dirty.is_set():
                break
        else:
            await self._rest_of_workspace()
        if again and self.backend.client.refreshes_diagnostics:
            await self._refresh()

    def _deliver(self, outcome: Outcome, *, edited: bool) -> bool:
        """Push; in a client that pulls, say whether it should pull again."""
        self._settings_of(outcome)
        current = self.backend.open.get(outcome.path)
        if current is None or current.version != outcome.version:
            self.wake(outcome.path)  # the text went on meanwhile
            return False
        uris = {*outcome.diagnostics, *self._of_file.get(outcome.path, ()), *self._own_uris(outcome.path)}
        again = False
        for uri in sorted(uris):
            diagnostics = outcome.diagnostics.get(uri, [])
            if self.pulls(uri):
                again = again or (not edited and self._pulled.get(uri, "") not in ("", result_id(diagnostics)))
            else:
                self._push(outcome.path, uri, diagnostics, self._version(uri), always=edited)
        return again

    def pulls(self, uri: str) -> bool:
        """Whether the client asks for the diagnostics of this document. Those of cells are always pushed."""
        return self.backend.client.pulls_diagnostics and self.backend.documents.notebook_of(uri) is None

    async def _rest_of_workspace(self) -> None:
        for folder in self.backend.folders.workspace:
            wanted = folder.settings.diagnostic_mode == "workspace" and folder.settings.enable
            if self.backend.client.pulls_diagnostics:
                continue
            for path in await self._closed_files(folder) if wanted else ():
                outcome = await self.backend.outcome(path, Priority.BACKGROUND)
                for uri in {*outcome.diagnostics, *self._of_file.get(path, ())}:
                    self._push(path, uri, outcome.diagnostics.get(uri, []), None)
                if self._dirty.is_set():
                    return

    async def _closed_files(self, folder: Folder) -> Iterable[Path]:
        try:
            files = await self.backend.ask(folder, lambda live, stop: live.files())
        except SettingsError:
            return []
        return [path for path in files if path not in self.backend.open and path.suffix != ".ipynb"]

    def _own_uris(self, path: Path) -> list[str]:
        """The document, or the cells, of an open file: they are told even when nothing is found."""
        uri = self.backend.open[path].uri
        notebook = self.backend.documents.get_notebook_document(notebook_uri=uri)
        return [uri] if notebook is None else [cell.document for cell in notebook.cells]

    def _version(self, uri: str) -> int | None:
        document = self.backend.document(uri)
        return document.version if document is not None else None

    def _push(
        self,
        path: Path,
        uri: str,
        diagnostics: list[types.Diagnostic],
        version: int | None,
        *,
        always: bool = False,
    ) -> None:
        known = self._pushed.get(uri)
        if not always and known == (version, diagnostics):
            return
        if not diagnostics and known is None and path not in self.backend.open:
            return
        if diagnostics or path in self.backend.open:
            self._pushed[uri] = version, diagnostics
            self._of_file.setdefault(path, set()).add(uri)
        else:
            self._pushed.pop(uri, None)
        self.backend.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        )

    async def _refresh(self) -> None:
        try:
            await self.backend.protocol.ask(types.WORKSPACE_DIAGNOSTIC_REFRESH, None)
        except Exception as error:
            log.warning("the client did not refresh its diagnostics: %s", error)

    # -- wrong settings ---------------------------------------------------------------------------------------------

    def _settings_of(self, outcome: Outcome) -> None:
        """A mistake in a settings file: a diagnostic there, one message, the details in the log."""
        folder = self.backend.folders.of(outcome.path).path
        error = outcome.wrong_settings
        uri = "" if error is None or error.file is None else self.backend.folders.uri_of(error.file)
        old = self._wrong.pop(folder, "")
        if error is None:
            if old:
                self._warned.clear()
        else:
            self._warn(str(error))
        if uri:
            self._wrong[folder] = uri
        if old and old != uri:
            self._publish_settings(old, [])
        if error is not None and uri and uri != old:
            self._publish_settings(uri, [_settings_diagnostic(error)])

    def _warn(self, text: str) -> None:
        if text not in self._warned:
            self._warned.add(text)
            log.error("%s", text)
            message = f"reduction-lint: {text}"
            self.backend.server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def _publish_settings(self, uri: str, diagnostics: list[types.Diagnostic]) -> None:
        self.backend.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
        )


def _settings_diagnostic(error: SettingsError) -> types.Diagnostic:
    line = (error.line or 1) - 1
    where = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
    message = f"{error.key}: {error.message}" if error.key else error.message
    return types.Diagnostic(where, message, severity=types.DiagnosticSeverity.Error, source=SOURCE)
