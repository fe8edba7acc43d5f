"""The Reviewdog Diagnostic Format, one document."""

from __future__ import annotations

import json
from typing import Any, TextIO

from reduction_lint.findings import Finding, Position, Range, Report, Severity, TraceStep
from reduction_lint.knowledge import catalogue
from reduction_lint.report.base import Context

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write all findings, and what could not be checked, as diagnostics."""
    diagnostics = [_diagnostic(finding, context) for finding in report.findings if finding.suppressed is None]
    diagnostics += [_problem(error.path, error.message, "ERROR") for error in report.errors]
    diagnostics += [_problem(limit.path or ".", limit.message, "WARNING") for limit in report.limits]
    source = {"name": "reduction-lint", "url": catalogue.HELP_BASE.removesuffix("rules/")}
    json.dump({"source": source, "diagnostics": diagnostics}, stream, indent=1)
    stream.write("\n")


def _diagnostic(finding: Finding, context: Context) -> dict[str, Any]:
    lines = context.lines_of(finding.path, finding.cell)
    data: dict[str, Any] = {
        "message": finding.message,
        "location": {"path": finding.path},
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": finding.code, "url": finding.help_uri},
    }
    if finding.cell is not None:
        data["message"] += f" (cell {finding.cell}, line {finding.range.start.line})"
        return data
    data["location"]["range"] = _range(finding.range, lines)
    steps = [step for step in finding.trace if step.range != finding.range and step.cell is None]
    if steps:
        data["relatedLocations"] = [_related(step, context.lines_of(step.path, None)) for step in steps]
    # A suggestion is one replacement; a fix of several edits is none.
    single = [fix.edits[0] for fix in finding.fixes if len(fix.edits) == 1 and fix.edits[0].path == finding.path]
    if single:
        data["suggestions"] = [{"range": _range(edit.range, lines), "text": edit.content} for edit in single]
    return data


def _related(step: TraceStep, lines: Any) -> dict[str, Any]:
    return {"message": step.message, "location": {"path": step.path, "range": _range(step.range, lines)}}


def _problem(path: str, message: str, severity: str) -> dict[str, Any]:
    return {"message": message, "location": {"path": path}, "severity": severity}


def _range(span: Range, lines: Any) -> dict[str, Any]:
    return {"start": _position(span.start, lines), "end": _position(span.end, lines)}


def _position(place: Position, lines: Any) -> dict[str, int]:
    """Columns count bytes of UTF-8 here; without the text a column is left out."""
    if lines is None or not 1 <= place.line <= len(lines):
        return {"line": place.line}
    before = lines[place.line - 1][: place.column - 1]
    return {"line": place.line, "column": len(before.encode("utf-8", "surrogatepass")) + 1}
