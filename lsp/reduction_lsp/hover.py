"""``textDocument/hover``: on findings and sites, known APIs, codes in comments, and keys of settings files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from reduction_lint.findings import Position, Range, TraceStep
from reduction_lint.knowledge.models import load_models
from reduction_lint.live import LiveSession, Stop
from reduction_lint.settings import SettingsError

from reduction_lsp.backend import Backend, Target
from reduction_lsp.diagnostics import Builder
from reduction_lsp.folders import SETTINGS_FILES
from reduction_lsp.known_apis import about_call, call_at, qualified
from reduction_lsp.pages import Link, finding_page, rule_summary, site_page
from reduction_lsp.positions import from_client, to_client
from reduction_lsp.settings_keys import KEYS, place_at

RULE_CODE = re.compile(r"\bRL[0-9]{3}\b")


@dataclass(frozen=True)
class Hovers:
    """Says what is known about the place under the cursor."""

    backend: Backend

    async def at(self, params: types.HoverParams) -> types.Hover | None:
        """What to show, if anything."""
        uri = params.text_document.uri
        document = self.backend.document(uri)
        if document is None:
            return None
        target = self.backend.target(uri)
        position = from_client(params.position, document.lines, self.backend.client.encoding)
        line = document.lines[position.line - 1].rstrip("\r\n") if position.line <= len(document.lines) else ""
        found = _code_at(line, position)
        if found is None and target.path.name in SETTINGS_FILES:
            found = _settings_key(target.path, [text.rstrip("\r\n") for text in document.lines], position)
        elif found is None and self.backend.is_python(document):
            found = await self.backend.ask(
                target.folder, lambda live, stop: self._python(live, target, position, line, stop)
            )
        if found is None:
            return None
        text, where = found
        return types.Hover(self._content(text), to_client(where, document.lines, self.backend.client.encoding))

    def _content(self, text: str) -> types.MarkupContent:
        if self.backend.client.markdown:
            return types.MarkupContent(types.MarkupKind.Markdown, text)
        return types.MarkupContent(types.MarkupKind.PlainText, re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", text))

    def _python(
        self, live: LiveSession, target: Target, position: Position, line: str, stop: Stop
    ) -> tuple[str, Range] | None:
        try:
            if not live.covers(target.path):
                return None
            result = live.result(target.path, stop)
        except SettingsError:
            return None
        link = link_of(self.backend.builder(target.folder))
        parts: list[str] = []
        where: Range | None = None
        for finding in result.report.findings:
            if finding.cell == target.cell and _holds(finding.range, position):
                parts.append(finding_page(finding, link, "###"))
                where = where or finding.range
        for site in result.sites:
            fine = site.status != "violation" and site.finding.cell == target.cell
            if fine and _holds(site.finding.range, position):
                parts.append(site_page(site, link))
                where = where or site.finding.range
        call = call_at(line, position.column)
        if call is not None:
            name, start, end = call
            source = live.source(target.path)
            lines = source.text.split("\n") if source is not None else []
            names = qualified(name, live.imports_of(target.path), lines)
            known = about_call(load_models(live.settings_for(target.path).models), names, name)
            if known:
                parts.append("\n".join([f"`{names[0]}`", "", *known]))
                where = where or Range.of(position.line, start, position.line, end)
        return ("\n\n---\n\n".join(parts), where) if where is not None else None


def link_of(builder: Builder) -> Link:
    """Links to the steps of a trace."""

    def link(step: TraceStep) -> str:
        return f"{builder.location(step).uri}#L{step.range.start.line}"

    return link


def _holds(where: Range, position: Position) -> bool:
    return where.start <= position <= where.end


def _code_at(line: str, position: Position) -> tuple[str, Range] | None:
    """The rule whose code stands under the cursor."""
    for match in RULE_CODE.finditer(line):
        text = rule_summary(match[0])
        if text is not None and match.start() < position.column <= match.end() + 1:
            return text, Range.of(position.line, match.start() + 1, position.line, match.end() + 1)
    return None


def _settings_key(path: Path, lines: list[str], position: Position) -> tuple[str, Range] | None:
    place = place_at(path.name, lines, position.line, position.column)
    if place is None:
        return None
    top = place.table.partition(".")[0] or place.key
    text = KEYS.get(place.key if not place.table else top)
    if text is None:
        return None
    line = lines[position.line - 1]
    name = place.key if not place.table else top
    return f"**{name}**\n\n{text}", Range.of(position.line, 1, position.line, len(line) + 1)
