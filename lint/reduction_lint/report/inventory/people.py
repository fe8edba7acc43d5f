"""The inventory for people: sites by file, with their status and what covers them."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TextIO

from rich.text import Text

from reduction_lint.findings import SITE_STATUSES, Inventory, Site
from reduction_lint.report.base import Context, clean, one_line
from reduction_lint.report.full import Printer, console

_STYLES = {"violation": "bold red", "captured": "green", "view": "blue", "opt-in": "yellow", "excused": "dim"}


def emit(inventory: Inventory, context: Context, stream: TextIO) -> None:
    """Write the sites of each file and the counts by status."""
    printer = Printer(console(stream, context.color, context.width))
    for path, sites in groupby(inventory.sites, key=lambda site: site.finding.path):
        printer.line(clean(path), "bold")
        for site in sites:
            printer.line(_line(site))
            by = site.covered_by
            if by is not None:
                printer.line(f"{'':>22}{clean(by.path)}:{by.range.start.line}: {one_line(by.message)}", "dim")
        printer.line()
    if not context.quiet:
        printer.line(counts_line(inventory), "bold")
        printer.lines(
            [f"limit: {limit.path + ': ' if limit.path else ''}{limit.message}" for limit in inventory.limits]
        )


def counts_line(inventory: Inventory) -> str:
    """``3 reductions: 1 violation, 2 captured``."""
    counts = Counter(site.status for site in inventory.sites)
    parts = [f"{counts[status]} {status}" for status in SITE_STATUSES if counts[status]]
    total = len(inventory.sites)
    return f"{total} reduction{'' if total == 1 else 's'}" + (": " + ", ".join(parts) if parts else ".")


def _line(site: Site) -> Text:
    finding = site.finding
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    start = finding.range.start
    line = Text(f"  {cell + f'{start.line}:{start.column}':>8}  ").append(f"{site.status:<10}", _STYLES[site.status])
    code = f" {finding.code}" if site.status == "violation" else ""
    return line.append(f"{finding.technique} of {one_line(finding.value) or 'context'}").append(f"{code}", "bold")
