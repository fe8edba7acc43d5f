"""What can be done about a finding, made on the analysis' thread; the edits themselves only when one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lsprotocol import types
from reduction_lint.findings import Finding, Fix
from reduction_lint.live import LiveSession, Result, Site

from reduction_lsp import edits
from reduction_lsp.edits import FileEdit, Text

QUICK = types.CodeActionKind.QuickFix
FIX_ALL = "source.fixAll.reductionLint"
_TOOL = ("RL001", "RL002", "RL003", "RL004")
_ANSWERS = ("RL303", "RL401", "RL402", "RL403")
"""Codes that do not matter for output nobody relies on."""


@dataclass(frozen=True)
class Offer:
    """One possible action. ``key`` names it among those of its finding."""

    key: str
    title: str
    make: Callable[[], list[FileEdit]] | None = None
    preferred: bool = False
    command: types.Command | None = None


@dataclass(frozen=True)
class Offers:
    """Finds what can be done about the findings of one file."""

    live: LiveSession
    path: Path
    result: Result
    lines_of: Callable[[Path, int | None], Sequence[str]]
    uri: str

    def about(self, finding: Finding) -> list[Offer]:
        """All offers, the best first."""
        return [
            *self._fixes(finding),
            *self._declarations(finding),
            *self._captures(finding),
            *self._suppressions(finding),
            *self._commands(finding),
        ]

    def fix_all(self) -> list[FileEdit]:
        """The edits of all safe fixes; of two that overlap, the first."""
        found: list[FileEdit] = []
        for finding in self.result.findings:
            for fix in finding.fixes:
                mine = self._edits(fix, finding.cell)
                if fix.applicability == "safe" and not any(_overlap(new, old) for new in mine for old in found):
                    found += mine
                    break
        return found

    def _fixes(self, finding: Finding) -> Iterator[Offer]:
        safe = [fix for fix in finding.fixes if fix.applicability == "safe"]
        for number, fix in enumerate(finding.fixes):
            is_safe = fix.applicability == "safe"
            title = fix.title if is_safe else f"{fix.title} (unsafe: look at the result)"
            make = partial(self._edits, fix, finding.cell)
            yield Offer(f"fix{number}", title, make, is_safe and fix is safe[0])

    def _edits(self, fix: Fix, cell: int | None) -> list[FileEdit]:
        """The edits of a fix; in a notebook their places count within the finding's cell."""
        return [FileEdit(self.live.path_of(edit.path), edit.range, edit.content, cell) for edit in fix.edits]

    def _declarations(self, finding: Finding) -> Iterator[Offer]:
        first, last = self._statement(finding)
        text = self._text(finding)
        if finding.code in _ANSWERS:
            title = "Declare this output disposable"
            yield Offer("disposable", title, lambda: [edits.comment(text, first, last, "disposable")])
        if finding.code.startswith("RL1"):
            title = "Declare this a view (the original is kept elsewhere)"
            yield Offer("view", title, lambda: [edits.comment(text, first, last, "view")])

    def _captures(self, finding: Finding) -> Iterator[Offer]:
        if not finding.code.startswith("RL1") or finding.cell is not None:
            return
        text = self._text(finding)
        source = "\n".join(text.lines)
        for candidate in edits.capture_candidates(source, finding.range.start.line, finding.value):
            title = f"Declare `{candidate.callee}(…)` a capture"
            yield Offer(f"captures:{candidate.callee}", title, lambda c=candidate: [self._declare(text, c)])  # type: ignore[misc]

    def _declare(self, text: Text, candidate: edits.Candidate) -> FileEdit:
        here = edits.declare_in_source(text, candidate)
        if here is not None:
            return here
        file = self.live.settings_for(self.path).file or self.live.folder / "reduction-lint.toml"
        content = file.read_text(encoding="utf-8") if file.is_file() else None
        return edits.declare_in_settings(file, content, self._qualified(text, candidate.callee), candidate)

    def _qualified(self, text: Text, callee: str) -> str:
        """The dotted name under which the settings know a call: through the imports, else the method alone."""
        head, _, rest = callee.partition(".")
        target = self.live.imports_of(self.path).get(head)
        if target is None:
            return callee.rpartition(".")[2]
        return f"{target}.{rest}" if rest else target

    def _suppressions(self, finding: Finding) -> Iterator[Offer]:
        code = finding.code
        if code in _TOOL:
            return
        first, last = self._statement(finding)
        text = self._text(finding)
        yield Offer("ignore", f"Suppress {code} here, with a reason", lambda: [edits.suppress(text, code, first, last)])
        if finding.cell is None:
            title = f"Suppress {code} in this file, with a reason"
            yield Offer("ignore-file", title, lambda: [edits.suppress_in_file(text, code)])

    def _commands(self, finding: Finding) -> Iterator[Offer]:
        explain = types.Command(f"Explain {finding.code}", "reductionLint.explain", arguments=[finding.code])
        yield Offer("explain", f"Explain {finding.code} ({finding.name})", command=explain)
        if finding.trace:
            asked = {"uri": self.uri, "fingerprint": finding.fingerprint}
            trace = types.Command("Show the path", "reductionLint.showTrace", arguments=[asked])
            yield Offer("trace", f"Show the path of this {finding.code}", command=trace)

    def _statement(self, finding: Finding) -> tuple[int, int]:
        """First and last line of the statement that a finding lies in."""
        site = site_of(self.result.sites, finding)
        if site is not None:
            return site.first_line, site.last_line
        return finding.range.start.line, finding.range.end.line

    def _text(self, finding: Finding) -> Text:
        return Text(self.path, self.lines_of(self.path, finding.cell), finding.cell)


def site_of(sites: Iterable[Site], finding: Finding) -> Site | None:
    """The site that a finding is about."""
    wanted = (finding.code, finding.range, finding.cell)
    return next((s for s in sites if (s.finding.code, s.finding.range, s.finding.cell) == wanted), None)


def _overlap(first: FileEdit, second: FileEdit) -> bool:
    if (first.path, first.cell) != (second.path, second.cell):
        return False
    return first == second or (first.range.start < second.range.end and second.range.start < first.range.end)
