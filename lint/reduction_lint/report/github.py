"""Workflow commands that GitHub Actions turns into annotations on a pull request."""

from __future__ import annotations

from typing import TextIO

from reduction_lint.findings import Finding, Report, Severity
from reduction_lint.report.base import Context, one_line, place

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write one command for each finding, each path that could not be checked and each limit."""
    for finding in report.findings:
        if finding.suppressed is None:
            stream.write(_command(_COMMANDS[finding.severity], _properties(finding), _text(finding)))
    for error in report.errors:
        stream.write(_command("error", {"file": error.path, "title": "reduction-lint"}, error.message))
    for limit in report.limits:
        where = {"file": limit.path} if limit.path else {}
        stream.write(_command("warning", {**where, "title": "reduction-lint (limit)"}, limit.message))


def _properties(finding: Finding) -> dict[str, str]:
    properties = {
        "title": f"reduction-lint ({finding.code} {finding.name})".replace(" )", ")"),
        "file": finding.path,
    }
    if finding.cell is not None:
        # Lines count within a cell, and an annotation can only point at lines of the file.
        return {**properties, "line": "1"}
    start, end = finding.range.start, finding.range.end
    properties["line"] = str(start.line)
    properties["endLine"] = str(end.line)
    if start.line == end.line:
        # Columns of a range over several lines are refused.
        properties["col"] = str(start.column)
        properties["endColumn"] = str(end.column)
    return properties


def _text(finding: Finding) -> str:
    return f"{place(finding)}: {finding.code} {one_line(finding.message)}"


def _command(name: str, properties: dict[str, str], text: str) -> str:
    fields = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{name} {fields}::{_escape(text)}\n"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
