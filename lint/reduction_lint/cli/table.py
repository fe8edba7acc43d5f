"""``reduction-lint table``."""

from __future__ import annotations

import argparse
import json
import sys

from reduction_lint.cli.common import OK, output, wants_color
from reduction_lint.knowledge import exclude


def run(args: argparse.Namespace) -> int:
    """Print every row of the EXCLUDE table with its verdict, reason and codes."""
    rows = exclude.rows()
    with output() as stream:
        if args.output_format == "json":
            data = [
                {
                    "numbers": row.numbers,
                    "technique": row.technique,
                    "verdict": row.verdict,
                    "reason": row.reason,
                    "codes": list(row.codes),
                }
                for row in rows
            ]
            json.dump({"rows": data}, stream, indent=1)
            stream.write("\n")
            return OK
        from rich import box
        from rich.table import Table

        from reduction_lint.report.full import console

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title, style, ratio in (
            ("#", "bold", 2),
            ("Technique", "", 4),
            ("Verdict", "yellow", 4),
            ("Why", "", 7),
        ):
            table.add_column(title, style=style, ratio=ratio)
        table.add_column("Codes", style="cyan", min_width=5)
        for row in rows:
            table.add_row(row.numbers, row.technique, row.verdict, row.reason, "\n".join(row.codes))
        console(stream, wants_color(args.color, sys.stdout)).print(table)
    return OK
