"""``reduction-lint trace``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reduction_lint.cli.common import OK, UsageError, output, session_from, wants_color
from reduction_lint.report.json_format import finding_data, step_data

if TYPE_CHECKING:
    from reduction_lint.analysis import TraceSection
    from reduction_lint.report.full import Printer

_STATUS_STYLES = {"reported": "bold red", "captured": "bold green", "view": "bold green"}


def run(args: argparse.Namespace) -> int:
    """Show every reduction on the line: the path, the captures seen and the models that matched."""
    path, line = _place(args.place)
    sections = session_from(args).trace(path, line)
    with output() as stream:
        if args.output_format == "json":
            json.dump({"sections": [_section_data(section) for section in sections]}, stream, indent=1)
            stream.write("\n")
            return OK
        from reduction_lint.report.full import Printer, console

        printer = Printer(console(stream, wants_color(args.color, sys.stdout)))
        if not sections:
            printer.line(f"{args.place}: nothing on this line reduces context or caps a model's answer.")
        _print(sections, printer)
    return OK


def _place(text: str) -> tuple[Path, int]:
    """The file and the line of ``FILE:LINE``; a column after it is allowed and ignored."""
    name, _, number = text.rpartition(":")
    if number.isdecimal() and not Path(name).is_file():
        before, _, line = name.rpartition(":")
        if line.isdecimal() and Path(before).is_file():
            name, number = before, line
    if not name or not number.isdecimal() or int(number) < 1:
        raise UsageError(f'"{text}" is not FILE:LINE, such as agent.py:12')
    path = Path(name)
    if not path.is_file():
        raise UsageError(f'there is no file "{name}"')
    return path.absolute(), int(number)


def _print(sections: Sequence[TraceSection], printer: Printer) -> None:
    for section in sections:
        status = section.status
        printer.line(f"{section.title} [{status}]", _STATUS_STYLES.get(status, "bold"))
        if section.finding is not None:
            printer.paragraph(f"{section.finding.code}: {section.finding.message}")
        if section.steps:
            printer.line()
            printer.steps(section.steps)
        if section.notes:
            printer.line()
            for text in section.notes:
                printer.entry("note", text, width=6)
        printer.line()


def _section_data(section: TraceSection) -> dict[str, Any]:
    return {
        "title": section.title,
        "status": section.status,
        "finding": None if section.finding is None else finding_data(section.finding),
        "steps": [step_data(step) for step in section.steps],
        "notes": list(section.notes),
    }
