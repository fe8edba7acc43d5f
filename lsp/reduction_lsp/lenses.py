"""Counts for each function: as code lenses above it, or as hints behind its first line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lsprotocol import types
from reduction_lint.findings import Range
from reduction_lint.live import LiveSession, Result, Stop
from reduction_lint.settings import SettingsError
from reduction_lint.syntax.chunks import Chunk, split

from reduction_lsp.backend import Backend, Target
from reduction_lsp.diagnostics import shown
from reduction_lsp.positions import to_client


@dataclass
class Count:
    """What one function does to context."""

    line: int
    reductions: set[Range] = field(default_factory=set)
    captured: set[Range] = field(default_factory=set)
    violations: int = 0

    @property
    def text(self) -> str:
        """``2 reductions · 1 captured · 1 violation``, without what is none."""
        parts = [(len(self.reductions), "reduction"), (self.violations, "violation")]
        words = [f"{number} {word}{'s' if number > 1 else ''}" for number, word in parts if number]
        if self.captured:
            words.insert(min(1, len(words)), f"{len(self.captured)} captured")
        return " · ".join(words)


@dataclass(frozen=True)
class Lenses:
    """Answers ``textDocument/codeLens`` and ``textDocument/inlayHint``."""

    backend: Backend

    async def lenses(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        """A lens above each function that reduces context, if the client's settings want them."""
        target = self.backend.target(params.text_document.uri)
        if not target.folder.settings.code_lens:
            return None
        uri = params.text_document.uri
        found = []
        for count in await self._counts(target):
            where = types.Range(types.Position(count.line - 1, 0), types.Position(count.line - 1, 0))
            asked = {"uri": uri, "line": count.line - 1}
            found.append(types.CodeLens(where, types.Command(count.text, "reductionLint.inventory", arguments=[asked])))
        return found

    async def hints(self, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        """A hint behind the first line of each such function within the range asked for."""
        uri = params.text_document.uri
        target = self.backend.target(uri)
        document = self.backend.document(uri)
        if not target.folder.settings.inlay_hints or document is None:
            return None
        lines = document.lines
        found = []
        for count in await self._counts(target):
            if not params.range.start.line <= count.line - 1 <= params.range.end.line or count.line > len(lines):
                continue
            column = len(lines[count.line - 1].rstrip("\r\n")) + 1
            where = to_client(Range.of(count.line, column, count.line, column), lines, self.backend.client.encoding)
            found.append(types.InlayHint(where.start, count.text, padding_left=True))
        return found

    async def _counts(self, target: Target) -> list[Count]:
        def work(live: LiveSession, stop: Stop) -> list[Count]:
            try:
                if not live.covers(target.path) or target.cell is not None:
                    return []
                result = live.result(target.path, stop)
            except SettingsError:
                return []
            source = live.source(target.path)
            return list(counts(result, source.text, self._violations(result, target))) if source is not None else []

        return await self.backend.ask(target.folder, work)

    def _violations(self, result: Result, target: Target) -> dict[str, int]:
        found: dict[str, int] = {}
        for finding in shown(result, target.folder.settings):
            found[finding.symbol] = found.get(finding.symbol, 0) + 1
        return found


def counts(result: Result, text: str, violations: dict[str, int]) -> Iterator[Count]:
    """The counts of every function that has something to count, from top to bottom."""
    functions = {".".join((*chunk.class_path, chunk.name)): chunk for chunk in split(text) if _is_function(chunk)}
    found: dict[str, Count] = {}

    def count_of(symbol: str) -> Count | None:
        while symbol and symbol not in functions:
            symbol = symbol.rpartition(".")[0]  # a nested function counts for the one around it
        if not symbol:
            return None
        return found.setdefault(symbol, Count(_definition_line(functions[symbol])))

    for site in result.sites:
        count = count_of(site.finding.symbol)
        if count is not None and site.finding.code.startswith("RL1"):
            count.reductions.add(site.finding.range)
            if site.status == "captured":
                count.captured.add(site.finding.range)
    for symbol, number in violations.items():
        count = count_of(symbol)
        if count is not None:
            count.violations += number
    return (count for count in sorted(found.values(), key=lambda count: count.line) if count.text)


def _is_function(chunk: Chunk) -> bool:
    return chunk.kind in ("function", "method")


def _definition_line(chunk: Chunk) -> int:
    """The line of the ``def``, below decorators and comments."""
    for offset, line in enumerate(chunk.text.split("\n")):
        if line.lstrip().startswith(("def ", "async def ")):
            return chunk.start_line + offset
    return chunk.start_line
