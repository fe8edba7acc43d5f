"""The inventory as comma-separated values, one line for each site."""

from __future__ import annotations

import csv
from typing import TextIO

from reduction_lint.findings import Inventory, Site
from reduction_lint.report.base import Context, one_line

_COLUMNS = (
    *("path", "cell", "line", "column", "symbol", "value", "technique", "status", "code", "severity", "confidence"),
    *("covered_by", "message"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def emit(inventory: Inventory, context: Context, stream: TextIO) -> None:
    """Write a heading and one line for each site."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for site in inventory.sites:
        writer.writerow([_plain(text) for text in _row(site)])


def _row(site: Site) -> list[str]:
    finding = site.finding
    start = finding.range.start
    by = site.covered_by
    return [
        finding.path, "" if finding.cell is None else str(finding.cell), str(start.line), str(start.column),
        finding.symbol, finding.value, finding.technique, site.status,
        finding.code if site.status == "violation" else "", finding.severity.value, finding.confidence.value,
        "" if by is None else f"{by.path}:{by.range.start.line}: {by.message}", finding.message,
    ]  # fmt: skip


def _plain(text: str) -> str:
    """One line that a spreadsheet does not take for a formula."""
    text = one_line(text)
    return f"'{text}" if text.startswith(_FORMULA) else text
