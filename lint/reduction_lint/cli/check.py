"""``reduction-lint check``."""

from __future__ import annotations

import argparse
import sys

from reduction_lint.cli.common import (
    FAILED,
    FINDINGS,
    OK,
    UsageError,
    note,
    session_from,
)
from reduction_lint.cli.known import compared
from reduction_lint.cli.outputs import Lines, outputs_from, print_report
from reduction_lint.cli.progress import ProgressBar
from reduction_lint.findings import Limit, Report, ReportError, Severity
from reduction_lint.session import Session

STDIN = "-"
_STDIN_NAME = "<stdin>"


def run(args: argparse.Namespace) -> int:
    """Check what is asked for, print the report, and say by the status what was found."""
    if STDIN in args.paths and len(args.paths) > 1:
        raise UsageError("`-` (standard input) cannot be checked together with other paths")
    if args.stdin_filename is not None and args.paths != [STDIN]:
        raise UsageError("--stdin-filename goes with `-` as the only path")
    if args.unsafe_fixes and not (args.fix or args.diff):
        raise UsageError("--unsafe-fixes goes with --fix or --diff")
    if args.reason is not None and not args.add_suppressions:
        raise UsageError("--reason goes with --add-suppressions")
    if STDIN in args.paths and (args.add_suppressions or args.diff_base is not None):
        raise UsageError("standard input has no file for --add-suppressions and no history for --diff-base")
    outputs = outputs_from(args)
    session = session_from(args)
    texts: dict[str, str] = {}
    report, known = compared(_report(session, args, texts), session, args)
    if not args.quiet:
        _say_what_is_not_checked(session, args)
    if args.verbose:
        _say_settings(session)
    if args.add_suppressions:
        from reduction_lint.cli.suppressions import add

        add(report, session, args)
        report, known = compared(session.with_contents({}).check(args.paths), session, args)
    if not (args.diff or (args.fix and args.paths == [STDIN])):
        print_report(report, outputs, args, Lines(session.cwd, texts), known)
    return status(report, args.fail_level)


def status(report: Report, fail_level: str) -> int:
    """The exit status: 2 when something was not read, 1 for findings at or above the level, hidden or not."""
    if report.errors:
        return FAILED
    if fail_level == "never":
        return OK
    least = Severity(fail_level).rank
    failing = any(f.suppressed is None and f.severity.rank >= least for f in report.findings)
    return FINDINGS if failing else OK


def _report(session: Session, args: argparse.Namespace, texts: dict[str, str]) -> Report:
    """Check, and fix where asked for; ``texts`` receives the text of standard input."""
    if args.paths == [STDIN]:
        display = session.shown(args.stdin_filename or _STDIN_NAME)
        report = _check_stdin(session, display, texts)
        if not (args.fix or args.diff) or display not in texts:
            return report
        path = session.cwd / display
        stdin = {path: texts[display].encode("utf-8", "surrogatepass")}
        from reduction_lint.cli.fix import fixed

        return fixed(
            session,
            lambda state: session.with_contents({}).check_text(state[path].decode("utf-8", "surrogatepass"), display),
            args,
            stdin,
        )
    if args.fix or args.diff:
        from reduction_lint.cli.fix import fixed
        from reduction_lint.fixing import checker

        return fixed(session, checker(session, args.paths), args, {})
    with ProgressBar(enabled=not args.quiet) as progress:
        return session.check(args.paths, progress=progress.update, jobs=args.jobs)


def _check_stdin(session: Session, display: str, texts: dict[str, str]) -> Report:
    from reduction_lint.workspace.sources import MAX_BYTES, SourceError, SourceTooLarge, decode

    if display != _STDIN_NAME and session.is_excluded(display):
        return Report()
    raw = sys.stdin.buffer.read()
    if len(raw) > MAX_BYTES:
        return Report(limits=[Limit(display, SourceTooLarge(len(raw)).message)])
    try:
        texts[display] = decode(raw)
    except SourceError as error:
        return Report(errors=[ReportError(display, error.message)])
    return session.check_text(texts[display], display)


def _say_what_is_not_checked(session: Session, args: argparse.Namespace) -> None:
    """A code that was named and cannot be found is worth a word: silence would look like a clean result."""
    from reduction_lint.knowledge import catalogue

    strict = session.settings_for(session.cwd).strict
    for code in dict.fromkeys([*(args.select or ()), *(args.extend_select or ())]):
        rule = catalogue.rules().get(code)
        if rule is None:
            continue
        if not rule.checked:
            note(f"note: {code} is not checked yet by this version")
        elif rule.strict_only and not strict:
            note(f"note: {code} is reported only with --profile strict")


def _say_settings(session: Session) -> None:
    settings = session.settings_for(session.cwd)
    note(f"settings: {settings.file or 'built-in'}")
    note(f"project root: {session.root(settings)}")
    for key, origin in sorted(settings.origins.items()):
        note(f"  {key}: from {origin}")
