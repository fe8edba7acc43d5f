"""``reduction-lint measure``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from reduction_lint.cli.common import FAILED, OK, UsageError, note, output, wants_color
from reduction_lint.measuring import Measured, Measurement, measure_archive
from reduction_lint.version import __version__
from reduction_lint.workspace.archive import ArchiveError

_SAID = "Characters of stored views; no tokens were counted and no price is claimed."


def run(args: argparse.Namespace) -> int:
    """Print what selection removed from each stored request; status 2 where a member could not be used."""
    try:
        result = measure_archive(Path(args.archive))
    except ArchiveError as error:
        raise UsageError(str(error)) from None
    for name, problem in result.problems:
        note(f"error: {name}: {problem}")
    if not result.requests and not result.problems:
        raise UsageError(f"{args.archive}: holds no requests (JSON members with views before and after selection)")
    with output() as stream:
        if args.output_format == "json":
            json.dump(_data(result), stream, indent=1, ensure_ascii=False)
            stream.write("\n")
        else:
            _print(result, stream, wants_color(args.color, sys.stdout))
    return FAILED if result.problems else OK


def _data(result: Measurement) -> dict[str, Any]:
    return {
        "tool": "reduction-lint",
        "version": __version__,
        "schema": 1,
        "requests": [
            {"request": r.name, "phase": r.phase, **_figures(r), "excluded": list(r.excluded)} for r in result.requests
        ],
        "total": _figures(result.total),
        "errors": [{"path": name, "message": problem} for name, problem in result.problems],
        "note": _SAID,
    }


def _figures(measured: Measured) -> dict[str, Any]:
    share = measured.share
    return {
        "before": measured.before,
        "after": measured.after,
        "removed": measured.before - measured.after,
        "share": None if share is None else round(share, 6),
    }


def _print(result: Measurement, stream: Any, color: bool) -> None:
    from rich import box
    from rich.table import Table

    from reduction_lint.report.full import console

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Request", overflow="fold")
    table.add_column("Phase")
    for title in ("Before", "After", "Removed"):
        table.add_column(title, justify="right")
    table.add_column("Excluded paths", overflow="fold")
    for request in result.requests:
        paths = "\n".join(request.excluded)
        table.add_row(request.name, request.phase, *_cells(request), paths)
    if len(result.requests) > 1:
        table.add_section()
        table.add_row("total", "", *_cells(result.total), "")
    printer = console(stream, color)
    printer.print(table, markup=False)
    printer.print(_SAID, markup=False)


def _cells(measured: Measured) -> tuple[str, str, str]:
    share = "–" if measured.share is None else f"{measured.share:.1%}"
    return f"{measured.before:,}", f"{measured.after:,}", share
