"""GitLab code quality (the CodeClimate format)."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TextIO

from reduction_lint.findings import Finding, Report, Severity
from reduction_lint.report.base import Context, one_line

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write a list of issues; what could not be checked is an issue as well."""
    issues = [_issue(finding) for finding in report.findings if finding.suppressed is None]
    issues += [_problem("error", error.path, error.message, "blocker") for error in report.errors]
    issues += [_problem("limit", limit.path or ".", limit.message, "info") for limit in report.limits]
    json.dump(issues, stream, indent=1)
    stream.write("\n")


def _issue(finding: Finding) -> dict[str, Any]:
    cell = "" if finding.cell is None else f" (cell {finding.cell})"
    lines = {"begin": finding.range.start.line, "end": finding.range.end.line}
    return {
        "type": "issue",
        "check_name": finding.code,
        "description": f"{finding.code}: {one_line(finding.message)}{cell}",
        "content": {"body": f"{finding.help_uri}"},
        "categories": ["Bug Risk"],
        "location": {"path": finding.path, "lines": lines if finding.cell is None else {"begin": 1, "end": 1}},
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": finding.fingerprint,
    }


def _problem(kind: str, path: str, message: str, severity: str) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": f"reduction-lint-{kind}",
        "description": one_line(message),
        "categories": ["Bug Risk"],
        "location": {"path": path, "lines": {"begin": 1, "end": 1}},
        "severity": severity,
        "fingerprint": hashlib.sha256(f"{kind}\0{path}\0{message}".encode()).hexdigest()[:16],
    }
