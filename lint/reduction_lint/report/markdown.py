"""Markdown for a comment on a pull request, or a job's summary."""

from __future__ import annotations

import re
from typing import TextIO

from reduction_lint.findings import Finding, Report, Severity
from reduction_lint.report.base import Context, one_line, place
from reduction_lint.report.summary import counts_text

_MARKS = {Severity.ERROR: "🔴 error", Severity.WARNING: "🟡 warning", Severity.INFO: "🔵 info"}
_MOST_ROWS = 200
"""Rows of the table; a comment of more is refused by most hosts."""


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write a title with the counts, the table of findings, and what could not be checked."""
    shown = [finding for finding in report.findings if finding.suppressed is None]
    out = ["### reduction-lint", "", _counts(shown, context), ""]
    if shown:
        out += ["| where | rule | what | |", "|---|---|---|---|", *map(_row, shown[:_MOST_ROWS])]
        if len(shown) > _MOST_ROWS:
            out += ["", f"… and {len(shown) - _MOST_ROWS} more."]
        out.append("")
    out += [f"- **not checked:** {_text(error.path)}: {_text(error.message)}" for error in report.errors]
    out += [f"- limit: {_text(limit.path or '')} {_text(limit.message)}" for limit in report.limits]
    stream.write("\n".join(out).rstrip("\n") + "\n")


def _counts(shown: list[Finding], context: Context) -> str:
    new = "new " if context.known is not None else ""
    text = f"Found {new}{counts_text(shown)}." if shown else f"No {new}findings."
    if context.known:
        text += f" {context.known} known from before."
    if context.gone:
        text += f" {context.gone} gone since then."
    return text


def _row(finding: Finding) -> str:
    where = f"`{place(finding)}`"
    rule = f"[{finding.code}]({finding.help_uri})" if finding.help_uri else finding.code
    return f"| {where} | {rule} {finding.name} | {_text(finding.message)} | {_MARKS[finding.severity]} |"


def _text(text: str) -> str:
    """Plain text in a table cell: pipes and tags mean nothing, code keeps its backquotes."""
    text = one_line(text).replace("|", "\\|")
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([<>*_\[\]@#])", r"\\\1", part) for part in parts)
