"""One line for each finding: ``path:line:column: CODE [severity] message``."""

from __future__ import annotations

from typing import TextIO

from reduction_lint.findings import Report
from reduction_lint.report.base import Context, one_line, place
from reduction_lint.report.summary import statistics_lines


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write one line for each finding."""
    for finding in report.findings:
        line = f"{place(finding)}: {finding.code} [{finding.severity.value}] {one_line(finding.message)}"
        if finding.suppressed is not None:
            line += f" (suppressed{': ' + one_line(finding.suppressed) if finding.suppressed else ''})"
        stream.write(line + "\n")
    if context.statistics:
        stream.writelines(line + "\n" for line in statistics_lines(report))
