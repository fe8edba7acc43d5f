"""Logging commands that Azure Pipelines turns into issues of the build."""

from __future__ import annotations

from typing import TextIO

from reduction_lint.findings import Report, Severity
from reduction_lint.report.base import Context, one_line, place


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write one command for each finding, each path that could not be checked and each limit."""
    for finding in report.findings:
        if finding.suppressed is None:
            kind = "error" if finding.severity is Severity.ERROR else "warning"
            start = finding.range.start
            where = {"linenumber": str(start.line), "columnnumber": str(start.column)} if finding.cell is None else {}
            text = f"{place(finding)}: {finding.code} {one_line(finding.message)}"
            stream.write(_command({"type": kind, "sourcepath": finding.path, **where, "code": finding.code}, text))
    for error in report.errors:
        stream.write(_command({"type": "error", "sourcepath": error.path}, error.message))
    for limit in report.limits:
        path = {"sourcepath": limit.path} if limit.path else {}
        stream.write(_command({"type": "warning", **path}, limit.message))


def _command(properties: dict[str, str], text: str) -> str:
    fields = "".join(f"{key}={_escape(value, more=True)};" for key, value in properties.items())
    return f"##vso[task.logissue {fields}]{_escape(text)}\n"


def _escape(text: str, *, more: bool = False) -> str:
    text = text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(";", "%3B").replace("]", "%5D") if more else text
