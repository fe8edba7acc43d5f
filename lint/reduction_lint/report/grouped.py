"""Findings under the file they stand in."""

from __future__ import annotations

from itertools import groupby
from typing import TextIO

from reduction_lint.findings import Report
from reduction_lint.report.base import Context, clean, one_line
from reduction_lint.report.summary import statistics_lines, summary_lines


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write each file with its findings, then the summary."""
    for path, group in groupby(report.findings, key=lambda finding: finding.path):
        stream.write(f"{clean(path)}\n")
        for finding in group:
            cell = "" if finding.cell is None else f"cell {finding.cell}:"
            start = finding.range.start
            where = f"{cell}{start.line}:{start.column}"
            silent = "" if finding.suppressed is None else " (suppressed)"
            text = f"{finding.code} {finding.severity.value:<7} {one_line(finding.message)}{silent}"
            stream.write(f"  {where:>8}  {text}\n")
        stream.write("\n")
    if context.statistics:
        stream.writelines(f"{line}\n" for line in statistics_lines(report))
    if not context.quiet:
        stream.writelines(f"{line}\n" for line in summary_lines(report, context))
