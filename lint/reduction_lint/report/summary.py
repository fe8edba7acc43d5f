"""The last words of a run: counts, what was hidden, and every limit that was reached."""

from __future__ import annotations

from collections import Counter

from reduction_lint.findings import Finding, Report, Severity
from reduction_lint.report.base import Context, clean

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.INFO)
_WORDS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("info", "infos"),
}


def summary_lines(report: Report, context: Context) -> list[str]:
    """The summary of a run, one line for the counts and one for each further thing worth saying."""
    lines = [_found(report, context), _fixable(report.findings), _work(report)]
    if context.hidden:
        lines.append(f"{_count(context.hidden, 'finding')} below the shown level; --severity-level info shows all")
    if context.suppressed and not context.show_suppressed:
        lines.append(f"{_count(context.suppressed, 'finding')} suppressed by comments; --show-suppressed shows them")
    if context.known:
        lines.append(f"{_count(context.known, 'finding')} known from before and not shown")
    if report.errors:
        lines.append(f"{_count(len(report.errors), 'path')} could not be checked: see the errors")
    for limit in report.limits:
        lines.append(f"limit: {clean(limit.path) + ': ' if limit.path else ''}{clean(limit.message)}")
    return [line for line in lines if line]


def statistics_lines(report: Report) -> list[str]:
    """How often each code was found, most frequent first."""
    counts = Counter(finding.code for finding in report.findings if finding.suppressed is None)
    names = {finding.code: finding.name for finding in report.findings}
    width = len(str(max(counts.values(), default=0)))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [f"{number:>{width}}  {code}  {names[code]}".rstrip() for code, number in ordered]


def _found(report: Report, context: Context) -> str:
    shown = [finding for finding in report.findings if finding.suppressed is None]
    new = "new " if context.known is not None else ""
    if not shown:
        return f"No {new}findings." if report.statistics.files else "No Python files to check."
    return f"Found {new}{counts_text(shown)} in {_count(len({finding.path for finding in shown}), 'file')}."


def _fixable(findings: list[Finding]) -> str:
    """``3 fixable with --fix, 1 more with --fix --unsafe-fixes.``, or "" when there is nothing to fix."""
    shown = [finding for finding in findings if finding.suppressed is None and finding.fixes]
    safe = sum(any(fix.applicability == "safe" for fix in finding.fixes) for finding in shown)
    unsafe = len(shown) - safe
    if safe and unsafe:
        return f"{safe} fixable with --fix, {unsafe} more with --fix --unsafe-fixes."
    return f"{len(shown)} fixable with --fix{'' if safe else ' --unsafe-fixes'}." if shown else ""


def counts_text(findings: list[Finding]) -> str:
    """``2 errors and 1 warning``."""
    counts = Counter(finding.severity for finding in findings)
    parts = [f"{counts[level]} {_WORDS[level][counts[level] != 1]}" for level in _ORDER if counts[level]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _work(report: Report) -> str:
    done = report.statistics
    if not done.files:
        return ""
    covered = f", {done.captured} of them captured" if done.reductions else ""
    files = f"{_count(done.files, 'file')} ({done.files_parsed} parsed)"
    reductions = f"{_count(done.reductions, 'reduction')}{covered}"
    return f"Checked {files}, {_count(done.functions, 'function')}, {reductions}, in {done.seconds:.2f} s."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
