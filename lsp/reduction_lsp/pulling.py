"""Diagnostics that the client asks for: of one document, and of the whole workspace as a long poll.

VS Code asks for the workspace again shortly after every answer. So a request is held until something changed since the
client's result ids, streams what changed when the client takes partial results, and ends when a newer request comes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from lsprotocol import types
from reduction_lint.settings import SettingsError

from reduction_lsp.backend import Backend, Outcome
from reduction_lsp.delivery import Delivery
from reduction_lsp.diagnostics import result_id
from reduction_lsp.worker import Priority

DocumentReport = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport
WorkspaceReport = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
_BATCH = 20
"""Files that are looked at between two partial results, at most."""


class Pulling:
    """Answers ``textDocument/diagnostic`` and ``workspace/diagnostic``."""

    def __init__(self, backend: Backend, delivery: Delivery) -> None:
        self.backend = backend
        self.delivery = delivery
        self._frozen: dict[str, tuple[str, list[types.Diagnostic]]] = {}
        self._newer = asyncio.Event()

    # -- one document -----------------------------------------------------------------------------------------------

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._frozen.pop(uri, None)

    async def document(self, params: types.DocumentDiagnosticParams) -> DocumentReport:
        """The diagnostics of a document, or that they are those the client has."""
        uri = params.text_document.uri
        if not self.delivery.pulls(uri):  # a cell: its diagnostics are pushed
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        path = self.backend.target(uri).path
        if path in self.delivery.unsaved and uri in self._frozen:  # reports stay as they are until it is saved
            report_id, items = self._frozen[uri]
        else:
            outcome = await self.backend.outcome(path)
            self.delivery._settings_of(outcome)
            items = outcome.diagnostics.get(uri, [])
            report_id = result_id(items)
            self._frozen[uri] = report_id, items
        self.delivery.answered(uri, report_id)
        if params.previous_result_id == report_id:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=report_id)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=report_id)

    # -- the workspace ----------------------------------------------------------------------------------------------

    async def workspace(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """What changed in the workspace since the client's result ids, as soon as something did."""
        self._newer.set()
        newer = self._newer = asyncio.Event()
        known = {previous.uri: previous.value for previous in params.previous_result_ids}
        while True:
            self.delivery.changed.clear()
            changed = await self._changed(known, params.partial_result_token, newer)
            if changed or newer.is_set():
                streamed = params.partial_result_token is not None
                return types.WorkspaceDiagnosticReport(items=[] if streamed else changed)
            await _first(self.delivery.changed, newer)

    async def _changed(
        self, known: dict[str, str], token: types.ProgressToken | None, newer: asyncio.Event
    ) -> list[WorkspaceReport]:
        found: list[WorkspaceReport] = []
        batch: list[WorkspaceReport] = []
        seen: set[str] = set()
        number = 0
        async for outcome in self._outcomes():
            for uri in {*outcome.diagnostics, self.backend.uri_of(outcome.path)}:
                seen.add(uri)
                report = self._report(uri, outcome, known)
                if report is not None:
                    batch.append(report)
            number += 1
            if token is not None and batch and number % _BATCH == 0:
                self._stream(token, batch)
                found += batch
                batch = []
            if newer.is_set():
                break
        else:
            opened = {file.uri for file in self.backend.open.values()}  # told by their own requests
            for uri in known.keys() - seen - opened:  # deleted, excluded, or no longer wanted
                if known.pop(uri) != result_id([]):
                    batch.append(types.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=[], result_id=None))
        if token is not None and batch:
            self._stream(token, batch)
        return found + batch

    async def _outcomes(self) -> AsyncIterator[Outcome]:
        """The outcome of every file that the client wants to hear of."""
        for folder in self.backend.folders.workspace:
            if folder.settings.diagnostic_mode != "workspace" or not folder.settings.enable:
                continue
            try:
                files: list[Path] = await self.backend.ask(folder, lambda live, stop: live.files())
            except SettingsError:
                continue
            for path in files:
                if path.suffix != ".ipynb":
                    yield await self.backend.outcome(path, Priority.BACKGROUND)

    def _report(self, uri: str, outcome: Outcome, known: dict[str, str]) -> WorkspaceReport | None:
        """A full report where the client has another one; None where it has this one, or needs none."""
        items = outcome.diagnostics.get(uri, [])
        report_id = result_id(items)
        if known.get(uri, "" if items else report_id) == report_id:
            return None
        known[uri] = report_id
        return types.WorkspaceFullDocumentDiagnosticReport(
            uri=uri, items=items, version=outcome.version, result_id=report_id
        )

    def _stream(self, token: types.ProgressToken, items: list[WorkspaceReport]) -> None:
        value = types.WorkspaceDiagnosticReportPartialResult(items=items)
        self.backend.server.progress(types.ProgressParams(token, value))


async def _first(*events: asyncio.Event) -> None:
    """Wait for any of the events."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
