"""``reduction-lint baseline``."""

from __future__ import annotations

import argparse
import json
import sys

from reduction_lint.baseline import BaselineError
from reduction_lint.cli.common import FAILED, OK, UsageError, note, output, session_from
from reduction_lint.cli.known import against, baseline_for, entry_in, shrink
from reduction_lint.cli.progress import ProgressBar


def run(args: argparse.Namespace) -> int:
    """Take all present findings into the baseline, or with ``--prune`` only drop those that are gone."""
    session = session_from(args)
    with ProgressBar() as progress:
        report = session.check(args.paths, progress=progress.update)
    baseline = baseline_for(session, args, must_exist=args.prune)
    if baseline is None:
        raise UsageError("there is no baseline to prune; `reduction-lint baseline` writes one")
    found = against(baseline, report, session, args)
    if args.prune:
        shrink(baseline, found.gone)
        kept = len(baseline.entries) - len(found.gone)
    else:
        left = list(baseline.entries)
        for entry in found.gone:
            left.remove(entry)
        for finding in found.known:
            entry = entry_in(baseline, finding, session)
            if entry in left:
                left.remove(entry)
        entries = [*left, *(entry_in(baseline, finding, session) for finding in (*found.known, *found.new))]
        kept = len(entries)
        try:
            baseline.with_entries(entries).save()
        except BaselineError as error:
            raise UsageError(str(error)) from None
    _say(args, session.shown(str(baseline.file)), kept, len(found.gone), 0 if args.prune else len(found.new))
    for problem in report.errors:
        note(f"error: {problem.path}: {problem.message}")
    return FAILED if report.errors else OK


def _say(args: argparse.Namespace, file: str, kept: int, gone: int, new: int) -> None:
    with output() as stream:
        if args.output_format == "json":
            json.dump({"baseline": file, "findings": kept, "new": new, "gone": gone}, stream)
            stream.write("\n")
        else:
            findings = f"{kept} finding{'' if kept == 1 else 's'}"
            print(f"{file}: {findings} ({new} new, {gone} gone)", file=sys.stdout)
