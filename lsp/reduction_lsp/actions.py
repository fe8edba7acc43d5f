"""``textDocument/codeAction`` and its resolving."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types
from reduction_lint.findings import Finding
from reduction_lint.live import LiveSession, Stop
from reduction_lint.settings import SettingsError

from reduction_lsp.backend import Backend, Target
from reduction_lsp.diagnostics import Builder, shown
from reduction_lsp.edits import FileEdit
from reduction_lsp.offers import FIX_ALL, QUICK, Offer, Offers
from reduction_lsp.positions import overlap, to_client

OPTIONS = types.CodeActionOptions(code_action_kinds=[QUICK, FIX_ALL], resolve_provider=True)


@dataclass(frozen=True)
class Actions:
    """Answers what can be done at a place, and makes the edits when one is chosen."""

    backend: Backend

    async def at(self, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        """The actions for the findings in a range."""
        client = self.backend.client
        only = params.context.only
        target = self.backend.target(params.text_document.uri)
        if not client.literal_actions or not target.folder.settings.enable:
            return None

        def work(live: LiveSession, stop: Stop) -> list[types.CodeAction]:
            offers = self._offers(live, target, params.text_document.uri, stop)
            if offers is None:
                return []
            builder = self.backend.builder(target.folder)
            found: list[types.CodeAction] = []
            if _wanted(QUICK, only):
                for finding in shown(offers.result, target.folder.settings):
                    if finding.cell == target.cell:
                        found += self._about(finding, offers, builder, params)
            if _wanted(FIX_ALL, only):
                found += self._fix_all(offers)
            return found

        return await self.backend.ask(target.folder, work)

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """The action with its edit, made from the text as it is now; without one where its finding is gone."""
        data: Any = action.data
        if not isinstance(data, dict) or action.edit is not None or not isinstance(data.get("uri"), str):
            return action
        target = self.backend.target(data["uri"])

        def work(live: LiveSession, stop: Stop) -> list[FileEdit]:
            offers = self._offers(live, target, data["uri"], stop)
            if offers is None:
                return []
            if data.get("key") == "all":
                return offers.fix_all()
            for finding in offers.result.findings:
                if finding.fingerprint == data.get("fingerprint"):
                    chosen = next((o for o in offers.about(finding) if o.key == data.get("key")), None)
                    return chosen.make() if chosen is not None and chosen.make is not None else []
            return []

        made = await self.backend.ask(target.folder, work)
        if made:
            action.edit = self.workspace_edit(made)
        return action

    async def fix_all(self, uri: str) -> types.WorkspaceEdit | None:
        """All safe fixes of a document in one edit; None when there are none."""
        target = self.backend.target(uri)

        def work(live: LiveSession, stop: Stop) -> list[FileEdit]:
            offers = self._offers(live, target, uri, stop)
            return [] if offers is None else offers.fix_all()

        made = await self.backend.ask(target.folder, work)
        return self.workspace_edit(made) if made else None

    def _offers(self, live: LiveSession, target: Target, uri: str, stop: Stop) -> Offers | None:
        try:
            if not live.covers(target.path):
                return None
            result = live.result(target.path, stop)
        except SettingsError:
            return None
        builder = self.backend.builder(target.folder)
        return Offers(live, target.path, result, builder.texts.lines, uri)

    def _about(
        self, finding: Finding, offers: Offers, builder: Builder, params: types.CodeActionParams
    ) -> Iterable[types.CodeAction]:
        diagnostic = builder.diagnostic(offers.path, finding)
        if not overlap(diagnostic.range, params.range):
            return []
        data = {"uri": params.text_document.uri, "fingerprint": finding.fingerprint}
        return [self._action(offer, diagnostic, {**data, "key": offer.key}) for offer in offers.about(finding)]

    def _action(self, offer: Offer, diagnostic: types.Diagnostic, data: dict[str, str]) -> types.CodeAction:
        client = self.backend.client
        action = types.CodeAction(offer.title, kind=QUICK, diagnostics=[diagnostic], command=offer.command)
        if client.preferred_actions and offer.preferred:
            action.is_preferred = True
        if offer.make is not None and client.resolves_edits:
            action.data = data
        elif offer.make is not None:
            action.edit = self.workspace_edit(offer.make())
        return action

    def _fix_all(self, offers: Offers) -> list[types.CodeAction]:
        made = offers.fix_all()
        if not made:
            return []
        action = types.CodeAction("Fix all that reduction-lint can fix safely", kind=FIX_ALL)
        if self.backend.client.resolves_edits:
            action.data = {"uri": offers.uri, "key": "all"}
        else:
            action.edit = self.workspace_edit(made)
        return [action]

    def workspace_edit(self, made: Sequence[FileEdit]) -> types.WorkspaceEdit:
        """Edits in the client's terms, with the versions of the documents they are meant for."""
        client = self.backend.client
        by_uri: dict[str, list[types.TextEdit]] = {}
        created: list[str] = []
        for edit in made:
            uri = self.backend.uri_of(edit.path, edit.cell)
            lines, end = self._lines(edit.path, edit.cell, uri)
            where = to_client(edit.range, lines, client.encoding)
            by_uri.setdefault(uri, []).append(types.TextEdit(where, edit.content.replace("\n", end)))
            if edit.creates and client.creates_files:
                created.append(uri)
        if not client.document_changes:
            return types.WorkspaceEdit(changes=by_uri)
        options = types.CreateFileOptions(ignore_if_exists=True)
        changes: list[Any] = [types.CreateFile(uri, options=options) for uri in created]
        for uri, text_edits in by_uri.items():
            document = self.backend.document(uri)
            version = document.version if document is not None else None
            named = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
            changes.append(types.TextDocumentEdit(named, text_edits))
        return types.WorkspaceEdit(document_changes=changes)

    def _lines(self, path: Path, cell: int | None, uri: str) -> tuple[Sequence[str], str]:
        """The lines that an edit's columns count in, and the document's line end."""
        document = self.backend.document(uri)
        if document is not None:
            return document.lines, "\r\n" if "\r\n" in document.source else "\n"
        try:
            text = path.read_bytes().decode("utf-8", "replace")
        except OSError:
            return (), "\n"
        return text.replace("\r\n", "\n").split("\n"), "\r\n" if "\r\n" in text else "\n"


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a client that asks for these kinds asks for this one, too."""
    return not only or any(kind == asked or kind.startswith(f"{asked}.") or asked == "" for asked in only)
