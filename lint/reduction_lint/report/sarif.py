"""SARIF 2.1.0, for code scanning: rules with help, paths as code flows, fixes, fingerprints, suppressions, taxonomies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath, PureWindowsPath
from typing import Any, TextIO
from urllib.parse import quote

from reduction_lint.findings import Finding, Fix, Range, Report, Severity, TraceStep
from reduction_lint.knowledge import catalogue, exclude
from reduction_lint.report.base import Context
from reduction_lint.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
TAXONOMY = "EXCLUDE"
FINGERPRINT = "reductionLint/v1"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_PRECISION = {"high": "very-high", "medium": "high", "low": "medium"}
_BASE = "%SRCROOT%"
_HOME = catalogue.HELP_BASE.removesuffix("rules/")


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write one log with one run."""
    codes = sorted({finding.code for finding in report.findings})
    run = {
        "tool": {"driver": _driver(codes)},
        "taxonomies": [_taxonomy()],
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [_result(finding, codes) for finding in report.findings],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, stream, indent=1)
    stream.write("\n")


def _driver(codes: Sequence[str]) -> dict[str, Any]:
    return {
        "name": "reduction-lint",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": _HOME,
        "rules": [_rule(catalogue.rules()[code]) for code in codes],
        "supportedTaxonomies": [{"name": TAXONOMY, "index": 0}],
    }


def _rule(rule: catalogue.Rule) -> dict[str, Any]:
    text = f"{rule.why}\n\n{rule.remedy}"
    markdown = (
        f"{rule.why}\n\n**Remedy.** {rule.remedy}\n\n```python\n{rule.bad}```\n\nRight:\n\n```python\n{rule.good}```\n"
    )
    data: dict[str, Any] = {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.name.replace("-", " ")},
        "fullDescription": {"text": rule.summary},
        "help": {"text": text, "markdown": markdown},
        "helpUri": catalogue.HELP_BASE + rule.code,
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": ["llm", "context", rule.technique], "problem.severity": _problem(rule.severity)},
    }
    taxa = [{"target": _taxon(name), "kinds": ["relevant"]} for name in _taxa(rule.rows)]
    return {**data, "relationships": taxa} if taxa else data


def _problem(severity: Severity) -> str:
    return "recommendation" if severity is Severity.INFO else severity.value


def _taxonomy() -> dict[str, Any]:
    """The EXCLUDE table: every row is a taxon by its number."""
    return {
        "name": TAXONOMY,
        "version": __version__,
        "shortDescription": {"text": "Techniques that reduce context, with their verdicts"},
        "informationUri": _HOME,
        "isComprehensive": True,
        "taxa": [
            {
                "id": row.numbers,
                "shortDescription": {"text": row.technique},
                "fullDescription": {"text": f"{row.verdict}. {row.reason}"},
            }
            for row in exclude.rows()
        ],
    }


def _taxa(names: Sequence[str]) -> list[str]:
    return [row.numbers for row in exclude.rows_named(names)]


def _taxon(name: str) -> dict[str, Any]:
    return {"id": name, "toolComponent": {"name": TAXONOMY, "index": 0}}


def _invocation(report: Report) -> dict[str, Any]:
    notes = [_notification("error", error.path, error.message) for error in report.errors]
    notes += [_notification("warning", limit.path, limit.message) for limit in report.limits]
    return {"executionSuccessful": not report.errors, "toolExecutionNotifications": notes}


def _notification(level: str, path: str | None, message: str) -> dict[str, Any]:
    note: dict[str, Any] = {"level": level, "message": {"text": message}}
    if path:
        note["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(path)}}]
    return note


def _result(finding: Finding, codes: Sequence[str]) -> dict[str, Any]:
    location = _location(finding.path, finding.range, finding.cell)
    location["logicalLocations"] = [{"fullyQualifiedName": finding.symbol}]
    data: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {
            "technique": finding.technique,
            "confidence": finding.confidence.value,
            "precision": _PRECISION[finding.confidence.value],
            "value": finding.value,
        },
    }
    if finding.cell is not None:
        data["properties"]["cell"] = finding.cell
    if taxa := [_taxon(name) for name in _taxa(finding.rows)]:
        data["taxa"] = taxa
    if len(finding.trace) > 1:
        data["codeFlows"] = [{"threadFlows": [{"locations": [_step(step) for step in finding.trace]}]}]
    if finding.fixes and finding.cell is None:
        data["fixes"] = [_fix(fix) for fix in finding.fixes]
    if finding.suppressed is not None:
        suppression = {"kind": "inSource", "status": "accepted"}
        data["suppressions"] = [
            {**suppression, "justification": finding.suppressed} if finding.suppressed else suppression
        ]
    return data


def _step(step: TraceStep) -> dict[str, Any]:
    return {"location": {**_location(step.path, step.range, step.cell), "message": {"text": step.message}}}


def _fix(fix: Fix) -> dict[str, Any]:
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        replacement: dict[str, Any] = {"deletedRegion": _region(edit.range)}
        if edit.content:
            replacement["insertedContent"] = {"text": edit.content}
        changes.setdefault(edit.path, []).append(replacement)
    return {
        "description": {"text": f"{fix.title} ({fix.applicability})"},
        "artifactChanges": [
            {"artifactLocation": _artifact(path), "replacements": replacements}
            for path, replacements in changes.items()
        ],
    }


def _location(path: str, span: Range, cell: int | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(path)}
    # Lines of a notebook count within a cell; a region would point into its JSON.
    physical["region"] = _region(span) if cell is None else {"startLine": 1}
    return {"physicalLocation": physical}


def _region(span: Range) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _artifact(path: str) -> dict[str, str]:
    """Relative to the root of the sources; files that lie elsewhere by their full address."""
    for kind in (PurePath, PureWindowsPath):
        if kind(path).is_absolute():
            return {"uri": kind(path).as_uri()}
    return {"uri": quote(path, safe="/"), "uriBaseId": _BASE}
