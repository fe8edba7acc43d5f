"""Markdown about rules, findings and sites: for hovers and for documents that are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reduction_lint.findings import Finding, TraceStep
from reduction_lint.knowledge import catalogue
from reduction_lint.knowledge.catalogue import Rule
from reduction_lint.live import Site

Link = Callable[[TraceStep], str]
"""The URI, with a line, of a step."""

_STATUS = {
    "captured": "captured: a capture of the full original covers every path",
    "view": "a view: the original stays where it is",
    "opt-in": "accepted by an explicit opt-in",
    "excused": "excused",
    "kept": "kept: the original lives on",
}


def rule_page(code: str) -> str | None:
    """A whole page about a rule; None for an unknown code."""
    rule = catalogue.rules().get(code)
    if rule is None:
        return None
    parts = [f"# {rule.code} {rule.name}", _facts(rule), rule.summary, "## Why", rule.why]
    parts += ["## How to make it right", rule.remedy, "## Reported", _code(rule.bad), "## Right", _code(rule.good)]
    parts.append(f"[{catalogue.HELP_BASE}{rule.code}]({catalogue.HELP_BASE}{rule.code})")
    return "\n\n".join(parts) + "\n"


def rule_summary(code: str) -> str | None:
    """A few lines about a rule, for a hover."""
    rule = catalogue.rules().get(code)
    if rule is None:
        return None
    more = f"[More about {code}]({catalogue.HELP_BASE}{code})"
    return "\n\n".join([f"**{rule.code} {rule.name}**", _facts(rule), rule.summary, rule.remedy, more])


def finding_page(finding: Finding, link: Link, title: str = "##") -> str:
    """What is wrong, on which path, and what would make it right."""
    rule = catalogue.rules()[finding.code]
    rows = f" · row {', '.join(finding.rows)}" if finding.rows else ""
    facts = f"{finding.severity.value}{rows} · confidence {finding.confidence.value} · in `{finding.symbol}`"
    parts = [f"{title} {finding.code} {finding.name or rule.name}".strip(), facts, sentence(finding.message)]
    if finding.suppressed is not None:
        parts.append(f"*Silenced by a comment: {finding.suppressed or 'no reason given'}.*")
    if finding.trace:
        parts += ["**The path**", steps(finding.trace, link)]
    parts += ["**What would make it right**", rule.remedy]
    if finding.help_uri:
        parts.append(f"[More about {finding.code}]({finding.help_uri})")
    return "\n\n".join(parts)


def site_page(site: Site, link: Link) -> str:
    """A place that reduces context and is not reported, with the reason."""
    finding = site.finding
    status = _STATUS.get(site.status, site.status)
    parts = [f"**{finding.technique}** of `{finding.value or 'context'}`: {status}", sentence(finding.message)]
    if finding.trace:
        parts.append(steps(finding.trace, link))
    return "\n\n".join(parts)


def steps(trace: Iterable[TraceStep], link: Link) -> str:
    """A trace as a numbered list with links."""
    lines = []
    for number, step in enumerate(trace, 1):
        place = f"{step.path}:{step.range.start.line}"
        if step.cell is not None:
            place = f"{step.path}, cell {step.cell}, line {step.range.start.line}"
        lines.append(f"{number}. [{place}]({link(step)}) {step.message}")
    return "\n".join(lines)


def inventory_page(title: str, sites: Sequence[tuple[Site, str]]) -> str:
    """Every site with its status; the text beside each is the link to it."""
    lines = [f"# {title}", ""]
    if not sites:
        return "\n".join([*lines, "Nothing here reduces context or caps a model's answer."]) + "\n"
    lines += ["| place | in | what | value | status |", "|---|---|---|---|---|"]
    for site, uri in sites:
        finding = site.finding
        place = f"[{finding.path}:{finding.range.start.line}]({uri})"
        status = f"**{finding.code}**" if site.status == "violation" else site.status
        value = f"`{finding.value}`" if finding.value else ""
        lines.append(f"| {place} | `{finding.symbol}` | {finding.technique} | {value} | {status} |")
    return "\n".join(lines) + "\n"


def sentence(text: str) -> str:
    """A message as a sentence."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def _facts(rule: Rule) -> str:
    rows = f" · row {', '.join(rule.rows)}" if rule.rows else ""
    words = [rule.severity.value, rule.technique]
    words += ["preview"] if rule.preview else []
    words += ["strict profile only"] if rule.strict_only else []
    words += [f"{rule.fix} fix"] if rule.fix else []
    return " · ".join(words) + rows


def _code(text: str) -> str:
    return f"```python\n{text.rstrip()}\n```"
