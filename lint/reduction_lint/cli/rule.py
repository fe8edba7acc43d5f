"""``reduction-lint rule``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any, TextIO

from reduction_lint.cli.common import OK, UsageError, output, wants_color
from reduction_lint.knowledge import catalogue
from reduction_lint.settings import nearest_code

if TYPE_CHECKING:
    from reduction_lint.knowledge.catalogue import Rule
    from reduction_lint.report.full import Printer

NOT_CHECKED = "Not checked yet: this version knows the rule and does not look for it."


def run(args: argparse.Namespace) -> int:
    """Explain one rule or all of them, or list them."""
    if args.code is not None and args.all:
        raise UsageError("give a CODE or --all, not both")
    rules = list(catalogue.rules().values())
    if args.code is not None:
        rules = [_find(args.code)]
    with output() as stream:
        if args.output_format == "json":
            data = [rule_data(rule) for rule in rules]
            json.dump(data[0] if args.code is not None else data, stream, indent=1)
            stream.write("\n")
        else:
            _print(rules, stream, args.color, explain=args.code is not None or args.all)
    return OK


def rule_data(rule: Rule) -> dict[str, Any]:
    """One rule in plain values."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "summary": rule.summary,
        "why": rule.why,
        "remedy": rule.remedy,
        "rows": list(rule.rows),
        "technique": rule.technique,
        "preview": rule.preview,
        "strict_only": rule.strict_only,
        "checked": rule.checked,
        "fix": rule.fix,
        "bad": rule.bad,
        "good": rule.good,
        "help_uri": catalogue.HELP_BASE + rule.code,
    }


def _find(text: str) -> Rule:
    """The rule with this code, in any case, or this name."""
    rules = catalogue.rules()
    if text.upper() in rules:
        return rules[text.upper()]
    close = nearest_code(text)
    if close is not None and rules[close].name == text.lower():
        return rules[close]
    hint = f"; did you mean {close}?" if close else ""
    raise UsageError(f'unknown code "{text}"{hint} (`reduction-lint rule` lists all)')


def _print(rules: list[Rule], stream: TextIO, color: str, *, explain: bool) -> None:
    from reduction_lint.report.full import Printer, console

    colored = wants_color(color, sys.stdout)
    printer = Printer(console(stream, colored))
    if not explain:
        _list(rules, printer)
        return
    for rule in rules:
        _explain(rule, printer, colored)


def _list(rules: list[Rule], printer: Printer) -> None:
    from rich.text import Text

    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        line = Text().append(rule.code, "cyan").append(f"  {rule.name:<{width}}  {rule.severity.value:<7}")
        printer.line(line.append(f"  {marks}", "dim") if (marks := _marks(rule)) else line)
    printer.line()
    printer.line("`reduction-lint rule CODE` explains one of them.", "dim")


def _explain(rule: Rule, printer: Printer, color: bool) -> None:
    from reduction_lint.report.full import SEVERITY_STYLES

    printer.line(f"{rule.code} {rule.name} [{rule.severity.value}]", SEVERITY_STYLES[rule.severity])
    printer.line()
    printer.paragraph(rule.summary, style="bold" if color else "")
    if not rule.checked:
        printer.paragraph(NOT_CHECKED, style="yellow")
    if rule.preview:
        printer.paragraph("Preview: reported only with --preview.", style="yellow")
    if rule.strict_only:
        printer.paragraph("Strict: reported only with --profile strict.", style="yellow")
    for title, text in (("Why", rule.why), ("How to make it right", rule.remedy)):
        printer.heading(title)
        printer.paragraph(text)
    for title, code in (("Reported", rule.bad), ("Right", rule.good)):
        if code:
            printer.heading(title)
            printer.code(code, color)
    printer.line()
    if rule.rows:
        printer.entry("rows", ", ".join(rule.rows))
    if rule.fix:
        printer.entry("fix", rule.fix)
    printer.entry("more", catalogue.HELP_BASE + rule.code)
    printer.line()


def _marks(rule: Rule) -> str:
    marks = (("not checked yet", not rule.checked), ("preview", rule.preview), ("strict", rule.strict_only))
    return ", ".join(word for word, holds in marks if holds)
