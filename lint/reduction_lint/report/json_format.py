"""The machine-readable report; ``schema/report.schema.json`` describes it."""

from __future__ import annotations

import json
from typing import Any, TextIO

from reduction_lint.findings import Finding, Fix, Range, Report, TraceStep
from reduction_lint.report.base import Context

SCHEMA_VERSION = 1


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write the report as one JSON document."""
    json.dump(report_data(report, show_suppressed=context.show_suppressed), stream, indent=1)
    stream.write("\n")


def report_data(report: Report, *, show_suppressed: bool = False) -> dict[str, Any]:
    """The report in plain values."""
    from reduction_lint.version import __version__

    done = report.statistics
    return {
        "tool": "reduction-lint",
        "version": __version__,
        "schema": SCHEMA_VERSION,
        "findings": [finding_data(finding, show_suppressed=show_suppressed) for finding in report.findings],
        "errors": [{"path": error.path, "message": error.message} for error in report.errors],
        "limits": [{"path": limit.path, "message": limit.message} for limit in report.limits],
        "statistics": {
            "files": done.files,
            "files_parsed": done.files_parsed,
            "functions": done.functions,
            "reductions": done.reductions,
            "captured": done.captured,
            "seconds": round(done.seconds, 3),
        },
    }


def finding_data(finding: Finding, *, show_suppressed: bool = False) -> dict[str, Any]:
    """One finding in plain values; ``suppressed`` is there only when it is and was asked for."""
    data: dict[str, Any] = {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "rows": list(finding.rows),
        "technique": finding.technique,
        "message": finding.message,
        "path": finding.path,
        "range": range_data(finding.range),
        "cell": finding.cell,
        "symbol": finding.symbol,
        "value": finding.value,
        "confidence": finding.confidence.value,
        "trace": [step_data(step) for step in finding.trace],
        "fixes": [_fix_data(fix) for fix in finding.fixes],
        "fingerprint": finding.fingerprint,
        "help_uri": finding.help_uri,
    }
    if show_suppressed and finding.suppressed is not None:
        data["suppressed"] = {"reason": finding.suppressed}
    return data


def step_data(step: TraceStep) -> dict[str, Any]:
    """One step of a trace in plain values."""
    return {"path": step.path, "range": range_data(step.range), "message": step.message}


def range_data(span: Range) -> dict[str, Any]:
    """A range in plain values."""
    return {
        "start": {"line": span.start.line, "column": span.start.column},
        "end": {"line": span.end.line, "column": span.end.column},
    }


def _fix_data(fix: Fix) -> dict[str, Any]:
    edits = [{"path": edit.path, "range": range_data(edit.range), "content": edit.content} for edit in fix.edits]
    return {"title": fix.title, "applicability": fix.applicability, "edits": edits}
