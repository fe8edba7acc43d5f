"""``--baseline`` and ``--diff-base`` of ``reduction-lint check``: only what is new counts."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from reduction_lint.baseline import FILE_NAME, Baseline, BaselineError, Comparison, Entry, compare, entry_of, load
from reduction_lint.cli.common import UsageError, note
from reduction_lint.findings import Finding, Report
from reduction_lint.session import Session
from reduction_lint.settings import Settings


def compared(report: Report, session: Session, args: argparse.Namespace) -> tuple[Report, Comparison | None]:
    """The report with new findings only, and the comparison; both as they are when nothing is known."""
    comparison = None
    for look in (_with_revision, _with_baseline):
        found = look(report, session, args)
        if found is not None:
            new = {id(finding) for finding in found.new}
            kept = [f for f in report.findings if f.suppressed is not None or id(f) in new]
            report = replace(report, findings=kept)
            comparison = found if comparison is None else _both(comparison, found)
    return report, comparison


def _both(first: Comparison, second: Comparison) -> Comparison:
    return Comparison(second.new, [*first.known, *second.known], [*first.gone, *second.gone])


def _with_revision(report: Report, session: Session, args: argparse.Namespace) -> Comparison | None:
    if args.diff_base is None:
        return None
    from reduction_lint.revision import RevisionError, findings_at

    try:
        older = findings_at(args.diff_base, session, args.paths)
    except RevisionError as error:
        raise UsageError(str(error)) from None
    entries = [entry_of(f, older.path_now(f, session.cwd)) for f in older.report.findings if f.suppressed is None]
    return compare(report.findings, entries, lambda f: entry_of(f, f.path), lambda entry: True)


def _with_baseline(report: Report, session: Session, args: argparse.Namespace) -> Comparison | None:
    baseline = baseline_for(session, args)
    if baseline is None:
        return None
    found = against(baseline, report, session, args)
    if found.gone and args.diff_base is None and not os.environ.get("CI"):
        shrink(baseline, found.gone)
        if not args.quiet:
            note(f"baseline: {len(found.gone)} of its findings are gone and were taken out")
    return found


def baseline_for(session: Session, args: argparse.Namespace, *, must_exist: bool = True) -> Baseline | None:
    """The baseline that applies: the one named, that of the settings, or the one beside the settings if it exists."""
    settings = session.settings_for(session.cwd / (args.paths[0] if args.paths else "."))
    file, named = baseline_file(session, settings, args.baseline)
    if args.isolated and args.baseline is None:
        return None
    if not file.exists() and (not must_exist or not named):
        return Baseline(file) if not must_exist else None
    try:
        return load(file)
    except BaselineError as error:
        raise UsageError(str(error)) from None


def baseline_file(session: Session, settings: Settings, given: str | None) -> tuple[Path, bool]:
    """Where the baseline lies, and whether somebody named it."""
    if given is not None:
        return session.cwd / given, True
    folder = settings.folder or session.root(settings)
    if settings.baseline is not None:
        return folder / settings.baseline, True
    return folder / FILE_NAME, False


def against(baseline: Baseline, report: Report, session: Session, args: argparse.Namespace) -> Comparison:
    """Compare a report with a baseline."""
    groups, _ = session.discovered(args.paths)
    checked = {baseline.path_of(path) for files in groups.values() for path in files}
    codes = session.settings_for(session.cwd / args.paths[0]).codes

    def is_looked_for(entry: Entry) -> bool:
        is_there = entry.path in checked or not (baseline.file.parent / entry.path).exists()
        return entry.code in codes and is_there

    return compare(report.findings, baseline.entries, lambda f: entry_in(baseline, f, session), is_looked_for)


def entry_in(baseline: Baseline, finding: Finding, session: Session) -> Entry:
    """The entry for a finding in this baseline."""
    return entry_of(finding, baseline.path_of(session.cwd / finding.path))


def shrink(baseline: Baseline, gone: list[Entry]) -> None:
    """Take entries out and save."""
    left = list(baseline.entries)
    for entry in gone:
        left.remove(entry)
    try:
        baseline.with_entries(left).save()
    except BaselineError as error:
        raise UsageError(str(error)) from None
