"""Applying fixes: choose, edit in memory, check again, and only then write.

A fix stays only if the file still parses, its finding is gone and nothing new is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from reduction_lint.findings import Edit, Finding, Fix, Report, ReportError, Severity
from reduction_lint.workspace.edits import EditError, edited, write_atomically

if TYPE_CHECKING:
    from reduction_lint.session import Session

_ROUNDS = 20
"""A round applies all fixes that do not overlap; the rest wait for the next one."""

Check = Callable[[Mapping[Path, bytes]], Report]
"""Check the same paths with these bytes in the place of what is on disk."""


@dataclass(slots=True)
class Fixed:
    """The outcome: files with their old and new bytes, what was fixed, and the report on the new state."""

    report: Report
    old: dict[Path, bytes] = field(default_factory=dict)
    new: dict[Path, bytes] = field(default_factory=dict)
    applied: list[tuple[Finding, Fix]] = field(default_factory=list)

    @property
    def changed(self) -> list[Path]:
        """The files that are different now."""
        return [path for path in sorted(self.new) if self.new[path] != self.old[path]]


@dataclass(frozen=True, slots=True)
class _Chosen:
    finding: Finding
    fix: Fix

    @property
    def key(self) -> tuple[object, ...]:
        return (_key(self.finding), self.fix.title, self.finding.range.start)


def fix_all(check: Check, cwd: Path, *, unsafe: bool = False, old: Mapping[Path, bytes] | None = None) -> Fixed:
    """Fix what can be fixed, in memory. ``old`` holds texts that are not on disk (standard input)."""
    result = Fixed(check(old or {}), old=dict(old or {}), new=dict(old or {}))
    rejected: set[tuple[object, ...]] = set()
    for _ in range(_ROUNDS):
        chosen = [c for c in _choose(result.report, unsafe) if c.key not in rejected]
        if not chosen:
            break
        kept = _Trial(check, cwd, result).accept([], chosen)
        rejected.update(c.key for c in chosen if c not in kept)
        if not kept:
            continue
        result.new = _Trial(check, cwd, result).texts(kept)
        result.report = check(result.new)
        result.applied += [(c.finding, c.fix) for c in kept]
    return result


def write(fixed: Fixed, cwd: Path, shown: Callable[[str], str]) -> list[ReportError]:
    """Write every changed file atomically; files that cannot be written are errors and stay as they are."""
    errors = []
    for path in fixed.changed:
        try:
            write_atomically(path, fixed.new[path], expected=fixed.old[path])
        except EditError as error:
            errors.append(ReportError(shown(str(path)), f"not fixed: {error}"))
    return errors


def checker(session: Session, paths: Sequence[str]) -> Check:
    """A :data:`Check` of what is on disk."""

    def check(texts: Mapping[Path, bytes]) -> Report:
        return session.with_contents(texts).check(paths)

    return check


def _choose(report: Report, unsafe: bool) -> Iterator[_Chosen]:
    """One fix for each finding, the safest, in order; none that touches what an earlier one does."""
    taken: dict[tuple[str, int | None], list[Edit]] = {}
    for finding in report.findings:
        fixes = [fix for fix in finding.fixes if unsafe or fix.applicability == "safe"]
        if finding.suppressed is not None or not fixes:
            continue
        fix = min(fixes, key=lambda fix: fix.applicability)
        there = taken.setdefault((finding.path, finding.cell), [])
        if not any(_overlap(edit, other) for edit in fix.edits for other in there if edit != other):
            there.extend(fix.edits)
            yield _Chosen(finding, fix)


def _overlap(first: Edit, second: Edit) -> bool:
    """Do two edits touch the same text, or insert at the same place?"""
    if first.path != second.path:
        return False
    a, b = first.range, second.range
    if a.start == a.end or b.start == b.end:
        return a.start <= b.end and b.start <= a.end
    return a.start < b.end and b.start < a.end


@dataclass(slots=True)
class _Trial:
    """Tries sets of fixes on the state of one round."""

    check: Check
    cwd: Path
    base: Fixed

    def accept(self, kept: list[_Chosen], more: list[_Chosen]) -> list[_Chosen]:
        """The largest set found by halving that leaves the files better: ``kept`` with as many of ``more`` as hold."""
        if self._holds([*kept, *more]):
            return [*kept, *more]
        if len(more) == 1:
            return kept
        middle = len(more) // 2
        return self.accept(self.accept(kept, more[:middle]), more[middle:])

    def texts(self, chosen: Sequence[_Chosen]) -> dict[Path, bytes]:
        """All changed files with these fixes."""
        groups: dict[tuple[Path, int | None], dict[Edit, None]] = {}
        for item in chosen:
            for edit in item.fix.edits:
                groups.setdefault((self.cwd / edit.path, item.finding.cell), {})[edit] = None
        new = dict(self.base.new)
        for (path, cell), edits in groups.items():
            if path not in new:
                self.base.old.setdefault(path, path.read_bytes())
                new[path] = self.base.old[path]
            new[path] = edited(new[path], list(edits), cell=cell)
        return new

    def _holds(self, chosen: Sequence[_Chosen]) -> bool:
        try:
            after = self.check(self.texts(chosen))
        except (EditError, OSError, ValueError, LookupError):
            return False
        if len(after.errors) > len(self.base.report.errors):
            return False
        allowed = _counts(self.base.report)
        allowed.subtract(Counter(_key(item.finding) for item in chosen))
        return all(number <= allowed[key] for key, number in _counts(after, least=Severity.WARNING).items())


def _counts(report: Report, least: Severity = Severity.INFO) -> Counter[tuple[str, ...]]:
    return Counter(_key(f) for f in report.findings if f.suppressed is None and f.severity.rank >= least.rank)


def _key(finding: Finding) -> tuple[str, ...]:
    """What stays the same when other lines change."""
    return (finding.code, finding.path, finding.symbol, finding.value, str(finding.cell or ""))
