"""``reduction-lint models check``."""

from __future__ import annotations

import argparse
import json

from reduction_lint.cli.common import FINDINGS, OK, note, output, session_from


def run(args: argparse.Namespace) -> int:
    """Count the places where each entry matches, and verify the entries' own examples.

    An own entry that matches nothing, and an example that does not hold, are warnings on standard error; either gives
    status 1.
    """
    report = session_from(args).models_report(args.paths)
    for warning in report.warnings:
        note(f"warning: {warning}")
    with output() as stream:
        if args.output_format == "json":
            entries = [
                {"origin": e.origin, "table": e.table, "number": e.number, "entry": e.what, "places": e.places}
                for e in report.entries
            ]
            json.dump({"entries": entries, "warnings": list(report.warnings)}, stream, indent=1)
            stream.write("\n")
        else:
            for entry in report.entries:
                if entry.places or entry.origin != "shipped" or args.all:
                    stream.write(f"{entry.places:7} {entry.origin:9} {entry.table}[{entry.number}]  {entry.what}\n")
            stream.write(f"{len(report.entries)} entries, {report.examples} examples verified.\n")
    return FINDINGS if report.warnings else OK
