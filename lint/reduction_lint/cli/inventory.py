"""``reduction-lint inventory``."""

from __future__ import annotations

import argparse
import sys

from reduction_lint.cli.common import FAILED, OK, note, output, session_from, wants_color
from reduction_lint.cli.progress import ProgressBar
from reduction_lint.report import Context
from reduction_lint.report.inventory import inventory_emitter


def run(args: argparse.Namespace) -> int:
    """List every reduction with its status and what covers it; violations do not change the exit status."""
    session = session_from(args)
    with ProgressBar() as progress:
        found = session.inventory(args.paths, progress=progress.update)
    context = Context(color=wants_color(args.color, sys.stdout))
    with output() as stream:
        inventory_emitter(args.output_format)(found, context, stream)
    for error in found.errors:
        note(f"error: {error.path}: {error.message}")
    return FAILED if found.errors else OK
