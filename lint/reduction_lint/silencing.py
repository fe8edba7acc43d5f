"""The suppressions of a project: listing them with their use, and adding some to what is reported today."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reduction_lint.findings import Edit, Finding, Range, Report
from reduction_lint.workspace.edits import edited

if TYPE_CHECKING:
    from reduction_lint.analysis import Analysis

_OWN = "RL0"
"""Codes about the tool itself: a comment cannot repair them."""


@dataclass(frozen=True, slots=True)
class Silencer:
    """One code in one suppression; ``used`` is None where nobody looked for the code in this run."""

    path: str
    cell: int | None
    range: Range
    kind: str
    code: str
    reason: str
    used: bool | None


def suppressions(analysis: Analysis, files: Sequence[Path]) -> tuple[list[Silencer], Report]:
    """Every suppression in the files, by place, and the report that tells whether it is used."""
    report = analysis.check(files)
    unused = {(f.path, f.cell, f.range.start) for f in report.findings if f.code == "RL002"}
    found = []
    for source in analysis.read(files, Report()):
        directives = analysis.directives(source)
        looked_for = analysis.settings.codes - analysis.settings.ignored_in(source.path)
        for suppression in directives.suppressions:
            for entry in suppression.codes:
                cell, where = source.locate(entry.place)
                is_used = None
                if entry.code in looked_for and "RL002" in looked_for:
                    is_used = (source.display, cell, where.start) not in unused
                kind = suppression.kind
                found.append(Silencer(source.display, cell, where, kind, entry.code, suppression.reason, is_used))
        if directives.skip_file is not None:
            whole = Range.of(1, 1, 1, 1)
            found.append(Silencer(source.display, None, whole, "skip-file", "all", directives.skip_file, None))
    return sorted(found, key=lambda s: (s.path, s.cell or 0, s.range.start)), report


def comments_for(findings: Iterable[Finding], lines_of: dict[str, str], reason: str) -> list[tuple[int | None, Edit]]:
    """A comment above the statement of each finding, one for all codes of a statement.

    ``lines_of`` maps the path of a file to its text; findings of other files and about comments get none.
    """
    places: dict[tuple[str, int | None, int], dict[str, None]] = {}
    for finding in findings:
        text = lines_of.get(finding.path)
        if text is None or finding.code.startswith(_OWN) or finding.suppressed is not None:
            continue
        line = statement_line(text, finding.range.start.line) if finding.cell is None else finding.range.start.line
        places.setdefault((finding.path, finding.cell, line), {})[finding.code] = None
    tail = f" -- {reason}" if reason else ""
    made = []
    for (path, cell, line), codes in places.items():
        where = Range.of(line, 1, line, 1)
        comment = f"# reduction-lint: ignore[{', '.join(sorted(codes))}]{tail}\n"
        made.append((cell, Edit(path, where, comment)))
    return made


def statement_line(text: str, line: int) -> int:
    """The first line (1-based) of the logical line that a line belongs to."""
    from reduction_lint.syntax.scanner import logical_lines

    found = logical_lines(text)
    first = line
    for begin, end in zip(found.begins, found.ends, strict=True):
        start = text.count("\n", 0, begin) + 1
        if start > line:
            break
        if line <= text.count("\n", 0, end) + 1:
            first = start
    return first


def with_comments(raw: bytes, text: str, edits: Sequence[tuple[int | None, Edit]]) -> bytes:
    """The bytes of a file with the comments, each indented like the line below it."""
    for cell in dict.fromkeys(cell for cell, _ in edits):
        mine = [edit for number, edit in edits if number == cell]
        lines = text.split("\n") if cell is None else cell_lines(raw, cell)
        raw = edited(raw, [replace(edit, content=_indent(lines, edit) + edit.content) for edit in mine], cell=cell)
    return raw


def cell_lines(raw: bytes, number: int) -> list[str]:
    """The lines of a notebook's cell."""
    import json

    from reduction_lint.workspace.notebooks import raw_cells

    cell = raw_cells(json.loads(raw.decode("utf-8-sig")))[number - 1]
    source = cell.get("source", cell.get("input", ""))
    return ("".join(source) if isinstance(source, list) else str(source)).split("\n")


def _indent(lines: Sequence[str], edit: Edit) -> str:
    line = lines[edit.range.start.line - 1]
    return line[: len(line) - len(line.lstrip())]
