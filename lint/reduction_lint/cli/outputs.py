"""Where the report of a run goes: several formats at once, to files and to standard output."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from reduction_lint.baseline import Comparison
from reduction_lint.cli.common import UsageError, note, output, wants_color
from reduction_lint.findings import Finding, Report, Severity
from reduction_lint.report import FORMATS, Context, emitter

STDOUT = "-"
_FOR_PEOPLE = ("full", "concise", "grouped")
_WITH_SUPPRESSED = ("sarif",)
"""Formats that say of a finding that it is suppressed, so that readers can tell it from one that is gone."""
_SUMMARY = "GITHUB_STEP_SUMMARY"


@dataclass(frozen=True, slots=True)
class Output:
    """One format and the file it goes to, ``-`` for standard output."""

    format: str
    target: str


def outputs_from(args: argparse.Namespace) -> list[Output]:
    """What ``--output``, ``--output-format`` and ``--output-file`` ask for; raises :class:`UsageError`."""
    if not args.output:
        return [Output(args.output_format or "full", args.output_file or STDOUT)]
    if args.output_format is not None or args.output_file is not None:
        raise UsageError("--output goes alone: write --output FORMAT=FILE for each format")
    outputs = [_output(text) for text in args.output]
    if sum(wanted.target == STDOUT for wanted in outputs) > 1:
        raise UsageError("--output: only one format can go to standard output")
    targets = [Path(wanted.target).absolute() for wanted in outputs if wanted.target != STDOUT]
    if len(set(targets)) < len(targets):
        raise UsageError("--output: two formats go to the same file")
    return outputs


def _output(text: str) -> Output:
    name, equals, target = text.partition("=")
    if name not in FORMATS:
        raise UsageError(f'--output: unknown format "{name}"; known are {", ".join(FORMATS)}')
    if not equals or not target:
        raise UsageError(f"--output: write {name}=FILE, or {name}=- for standard output")
    return Output(name, target)


def print_report(
    report: Report, outputs: Sequence[Output], args: argparse.Namespace, lines: Lines, known: Comparison | None = None
) -> None:
    """Write every output; raises :class:`UsageError` for a file that cannot be written."""
    level = Severity(args.severity_level).rank
    weighty = replace(report, findings=[f for f in report.findings if f.severity.rank >= level])
    shown = replace(weighty, findings=[f for f in weighty.findings if args.show_suppressed or f.suppressed is None])
    context = Context(
        lines_of=lines,
        show_suppressed=args.show_suppressed,
        statistics=args.statistics,
        quiet=args.quiet,
        hidden=_unsuppressed(report.findings) - _unsuppressed(shown.findings),
        suppressed=len(report.findings) - _unsuppressed(report.findings),
        known=None if known is None else len(known.known),
        gone=0 if known is None else len(known.gone),
    )
    for wanted in outputs:
        _write(weighty if wanted.format in _WITH_SUPPRESSED else shown, wanted, context, args.color)
    if any(wanted.format == "github" for wanted in outputs):
        _job_summary(shown, context)
    names = [wanted.format for wanted in outputs if wanted.target == STDOUT]
    if not names or names[0] in _FOR_PEOPLE:
        for error in report.errors:
            note(f"error: {error.path}: {error.message}")
    if (not names or names[0] == "concise") and not args.quiet:
        from reduction_lint.report.summary import summary_lines

        for line in summary_lines(shown, context):
            note(line)


def _write(report: Report, wanted: Output, context: Context, color: str) -> None:
    if wanted.target == STDOUT:
        with output() as stream:
            emitter(wanted.format)(report, replace(context, color=wants_color(color, sys.stdout)), stream)
        return
    from reduction_lint.workspace.edits import EditError, write_atomically

    buffer = io.StringIO()
    emitter(wanted.format)(report, replace(context, color=color == "always"), buffer)
    target = Path(wanted.target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, buffer.getvalue().encode("utf-8", "backslashreplace"))
    except (EditError, OSError) as error:
        raise UsageError(f"{wanted.target}: {error}") from None


def _job_summary(report: Report, context: Context) -> None:
    """The table for the summary page of a GitHub job, where there is one."""
    path = os.environ.get(_SUMMARY)
    if not path:
        return
    buffer = io.StringIO()
    emitter("markdown")(report, context, buffer)
    with suppress(OSError), open(path, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(buffer.getvalue())


def _unsuppressed(findings: Sequence[Finding]) -> int:
    return sum(finding.suppressed is None for finding in findings)


class Lines:
    """Source lines for code frames, read once for each file."""

    def __init__(self, cwd: Path, texts: dict[str, str]) -> None:
        self._cwd = cwd
        self._texts = texts
        self._sources: dict[str, dict[int | None, Sequence[str]]] = {}

    def __call__(self, path: str, cell: int | None) -> Sequence[str] | None:
        if path not in self._sources:
            self._sources[path] = self._read(path)
        return self._sources[path].get(cell)

    def _read(self, path: str) -> dict[int | None, Sequence[str]]:
        from reduction_lint.workspace.sources import (
            SourceError,
            SourceTooLarge,
            load_source,
            source_from_text,
        )

        try:
            if path in self._texts:
                source = source_from_text(self._texts[path], path)
            else:
                source = load_source(self._cwd / path, path)
        except (SourceError, SourceTooLarge):
            return {}
        lines = source.text.split("\n")
        if source.cells is None:
            return {None: lines}
        return {cell.number: lines[cell.start_line - 1 :][: cell.line_count] for cell in source.cells}
