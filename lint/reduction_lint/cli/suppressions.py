"""``reduction-lint suppressions``, and ``--add-suppressions`` of ``check``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from reduction_lint.cli.common import FAILED, OK, UsageError, note, output, session_from, wants_color
from reduction_lint.findings import Finding, Report
from reduction_lint.report.base import clean, one_line
from reduction_lint.report.json_format import range_data
from reduction_lint.session import Session
from reduction_lint.silencing import Silencer, comments_for, suppressions, with_comments
from reduction_lint.workspace.edits import EditError, write_atomically
from reduction_lint.workspace.sources import SourceError, SourceTooLarge, load_source

_USED = {True: "used", False: "unused", None: "not looked for"}


def run(args: argparse.Namespace) -> int:
    """List every suppression with its code, its reason and whether it is used."""
    session = session_from(args)
    groups, errors = session.discovered(args.paths)
    found: list[Silencer] = []
    for files in groups.values():
        part, report = suppressions(session.analysis_for(files[0]), files)
        found += part
        errors += report.errors
    with output() as stream:
        if args.output_format == "json":
            json.dump({"suppressions": [_data(silencer) for silencer in found]}, stream, indent=1)
            stream.write("\n")
        else:
            from reduction_lint.report.full import Printer, console

            _print(found, Printer(console(stream, wants_color(args.color, sys.stdout))))
    for error in errors:
        note(f"error: {error.path}: {error.message}")
    return FAILED if errors else OK


def _print(found: list[Silencer], printer: Any) -> None:
    for silencer in found:
        cell = "" if silencer.cell is None else f"cell {silencer.cell}:"
        start = silencer.range.start
        reason = f" -- {one_line(silencer.reason)}" if silencer.reason else " (no reason)"
        where = f"{clean(silencer.path)}:{cell}{start.line}:{start.column}"
        style = "yellow" if silencer.used is False else ""
        printer.line(f"{where}: {silencer.kind}[{silencer.code}] {_USED[silencer.used]}{reason}", style)
    unused = sum(silencer.used is False for silencer in found)
    count = f"{len(found)} suppression{'' if len(found) == 1 else 's'}"
    printer.line(f"{count}, {unused} unused.", "bold")


def _data(silencer: Silencer) -> dict[str, Any]:
    return {
        "path": silencer.path,
        "cell": silencer.cell,
        "range": range_data(silencer.range),
        "kind": silencer.kind,
        "code": silencer.code,
        "reason": silencer.reason,
        "used": silencer.used,
    }


def add(report: Report, session: Session, args: argparse.Namespace) -> None:
    """Silence all findings of the report by comments, so that only new ones are reported from now on."""
    if args.reason is not None and ("\n" in args.reason or "#" in args.reason or not args.reason.strip()):
        raise UsageError("--reason: one line without #, for it becomes part of a comment")
    barred = [f for f in report.findings if session.settings_for(session.cwd / f.path).is_unsuppressable(f.code)]
    wanted = [f for f in report.findings if f.suppressed is None and f not in barred]
    by_path: dict[str, list[Finding]] = {}
    for finding in wanted:
        by_path.setdefault(finding.path, []).append(finding)
    added = 0
    for path, findings in by_path.items():
        file = session.cwd / path
        try:
            source = load_source(file, path)
            edits = comments_for(findings, {path: source.text}, (args.reason or "").strip())
            if edits:
                write_atomically(file, with_comments(source.raw, source.text, edits), expected=source.raw)
            added += len(edits)
        except (SourceError, SourceTooLarge, EditError) as error:
            note(f"error: {path}: no suppression added: {error}")
    note(f"added {added} suppression{'' if added == 1 else 's'}")
    for finding in barred:
        note(f"note: {finding.path}:{finding.range.start.line}: {finding.code} cannot be suppressed (settings)")
