"""``--fix`` and ``--diff`` of ``reduction-lint check``."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from pathlib import Path

from reduction_lint.cli.common import note, output
from reduction_lint.findings import Report
from reduction_lint.fixing import Check, Fixed, fix_all, write
from reduction_lint.session import Session
from reduction_lint.workspace.sources import SourceError, decode


def fixed(session: Session, check: Check, args: argparse.Namespace, stdin: Mapping[Path, bytes]) -> Report:
    """Fix what ``check`` reports: show the difference, or write the files, or print the text of standard input.

    The report is that of the new state, with ``--diff`` that of the old one.
    """
    before = check(stdin) if args.diff else None
    result = fix_all(check, session.cwd, unsafe=args.unsafe_fixes, old=stdin)
    if before is not None:
        with output() as stream:
            stream.write(_diff(result, session))
        return before
    if stdin:
        with output() as stream:
            stream.write("".join(_text(content) for content in result.new.values()))
        return result.report
    result.report.errors += write(result, session.cwd, session.shown)
    if result.applied and not args.quiet:
        note(_said(result))
    return result.report


def _said(result: Fixed) -> str:
    files = len(result.changed)
    fixes = len(result.applied)
    return f"fixed {fixes} finding{'' if fixes == 1 else 's'} in {files} file{'' if files == 1 else 's'}"


def _diff(result: Fixed, session: Session) -> str:
    parts = []
    for path in result.changed:
        name = session.shown(str(path))
        old, new = (_text(state[path]).splitlines(keepends=True) for state in (result.old, result.new))
        for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _text(content: bytes) -> str:
    try:
        return decode(content)
    except SourceError:
        return content.decode("utf-8", "replace")
