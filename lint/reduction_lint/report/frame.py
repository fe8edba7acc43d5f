"""A piece of source code with carets under a range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from reduction_lint.findings import Range
from reduction_lint.report.base import clean

TAB = "    "
_BEFORE = 2
_MOST_LINES = 8
_MOST_COLUMNS = 160
_LEAD = 60


@dataclass(frozen=True, slots=True)
class FrameLine:
    """One line of a frame.

    ``number`` is None for the mark of left-out lines. ``carets`` is (columns before, columns wide) under
    the line, None for a line of context.
    """

    number: int | None
    text: str
    carets: tuple[int, int] | None = None


def frame(lines: Sequence[str], span: Range) -> list[FrameLine]:
    """The lines around ``span``: two before it, the lines it covers (the middle of a long one left out)."""
    first, last = span.start.line, min(span.end.line, len(lines))
    if not 1 <= first <= len(lines):
        return []
    if last > first and span.end.column == 1:
        last -= 1
    shown = [number for number in range(max(1, first - _BEFORE), first) if lines[number - 1].strip()]
    if last - first < _MOST_LINES:
        covered: list[int | None] = list(range(first, last + 1))
    else:
        covered = [*range(first, first + _MOST_LINES - 2), None, last]
    result = [FrameLine(number, _cut(lines[number - 1], 0)[0]) for number in shown]
    result += [_marked(lines, number, span) for number in covered]
    return result


def _marked(lines: Sequence[str], number: int | None, span: Range) -> FrameLine:
    if number is None:
        return FrameLine(None, "")
    line = lines[number - 1]
    start = span.start.column - 1 if number == span.start.line else len(line) - len(line.lstrip())
    end = span.end.column - 1 if number == span.end.line else len(line.rstrip())
    text, dropped = _cut(line, start)
    before = cell_len(_visible(line[dropped:start])) + (dropped > 0)
    wide = cell_len(_visible(line[start:end])) if end > start else 1
    return FrameLine(number, text, (before, max(1, min(wide, cell_len(text) - before))))


def _cut(line: str, start: int) -> tuple[str, int]:
    """What is shown of a line, and how many characters are missing at its beginning."""
    if len(line) <= _MOST_COLUMNS:
        return _visible(line.rstrip()), 0
    dropped = start - _LEAD if start > _MOST_COLUMNS - _LEAD else 0
    part = _visible(line[dropped : dropped + _MOST_COLUMNS].rstrip())
    tail = "…" if len(line) > dropped + _MOST_COLUMNS else ""
    return ("…" if dropped else "") + part + tail, dropped


def _visible(text: str) -> str:
    return clean(text.replace("\t", TAB))
