"""The report for people: code, message, the way there, what the table of techniques says, and the remedy."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from reduction_lint.findings import Confidence, Finding, Report, Severity, TraceStep
from reduction_lint.report.base import Context, clean, one_line, place
from reduction_lint.report.frame import FrameLine, frame
from reduction_lint.report.summary import statistics_lines, summary_lines

SEVERITY_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold blue"}
_PIPE_WIDTH = 100
_MOST_WIDTH = 110


def console(stream: TextIO, color: bool, width: int | None = None) -> Console:
    """A console that prints exactly what it is given, in colour or plain."""
    if width is None and not color:
        width = _PIPE_WIDTH
    return Console(
        file=stream,
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color else None,
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
    )


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write every finding with its code frame and trace, then the summary."""
    out = Printer(console(stream, context.color, context.width))
    for finding in report.findings:
        out.finding(finding, context)
    if context.statistics:
        out.lines(statistics_lines(report))
        out.line()
    if not context.quiet:
        for number, line in enumerate(summary_lines(report, context)):
            out.line(line, "bold" if number == 0 else "yellow" if line.startswith("limit:") else "dim")


class Printer:
    """Prints on a console, wrapped to its width but never breaking a place or a line of code."""

    def __init__(self, out: Console) -> None:
        self._console = out
        self._width = max(40, min(out.width, _MOST_WIDTH))
        self._bar = "│" if _can_print(out, "│") else "|"

    def line(self, text: str | Text = "", style: str = "") -> None:
        """One line as it is."""
        self._console.print(Text(text, style) if isinstance(text, str) else text, soft_wrap=True)

    def lines(self, texts: Sequence[str]) -> None:
        """Several lines as they are."""
        for text in texts:
            self.line(text)

    def paragraph(self, text: str, indent: int = 2, style: str = "") -> None:
        """Text wrapped to the width."""
        pad = " " * indent
        for part in textwrap.wrap(one_line(text), self._width - indent, break_long_words=False):
            self.line(Text(pad).append(part, style))

    def entry(self, label: str, text: str, width: int = 8) -> None:
        """A label and, wrapped beside it, its text."""
        parts = textwrap.wrap(one_line(text), self._width - width - 2, break_long_words=False) or [""]
        for number, part in enumerate(parts):
            head = label if number == 0 else ""
            self.line(Text("  ").append(f"{head:<{width}}", "cyan").append(part))

    def heading(self, text: str) -> None:
        """A title with room above it."""
        self.line()
        self.line(text, "bold underline")

    def code(self, text: str, color: bool) -> None:
        """A piece of Python, indented."""
        texts = [clean(part) for part in text.strip("\n").split("\n")]
        for part in _coloured(texts) if color else map(Text, texts):
            self.line(Text("    ").append_text(part) if part.plain else "")

    def finding(self, finding: Finding, context: Context) -> None:
        """One finding with everything known about it."""
        self.line(_header(finding))
        lines = context.lines_of(finding.path, finding.cell)
        if lines is not None and (shown := frame(lines, finding.range)):
            self.line()
            self._frame(shown, SEVERITY_STYLES[finding.severity], context.color)
        self.line()
        self.paragraph(finding.message, style="bold" if context.color else "")
        # A single step that repeats the message leads nowhere.
        if len(finding.trace) > 1 or any(step.message != finding.message for step in finding.trace):
            self.line()
            self.steps(finding.trace)
        self.line()
        for label, text in _background(finding):
            self.entry(label, text)
        self.line()

    def steps(self, steps: Sequence[TraceStep]) -> None:
        """A numbered list of places with what happens there."""
        places = [place(step) for step in steps]
        # One far-away path must not push all texts to the right.
        column = min(max(map(len, places)), 40)
        digits = len(str(len(steps)))
        for number, (where, step) in enumerate(zip(places, steps, strict=True), 1):
            head = Text(f"  {number:>{digits}}. ").append(f"{where:<{column}}", "cyan").append("  ")
            indent = digits + column + 6
            rest = textwrap.wrap(one_line(step.message), max(30, self._width - indent), break_long_words=False)
            self.line(head.append(rest[0] if rest else ""))
            for part in rest[1:]:
                self.line(" " * indent + part)

    def _frame(self, lines: Sequence[FrameLine], style: str, color: bool) -> None:
        digits = max(len(str(line.number)) for line in lines if line.number is not None)
        codes = _coloured([line.text for line in lines]) if color else [Text(line.text) for line in lines]
        for line, code in zip(lines, codes, strict=True):
            if line.number is None:
                self.line(Text(f"  {'…' if self._bar == '│' else ':':>{digits}}", "dim"))
                continue
            shown = Text("  ").append(f"{line.number:>{digits}} {self._bar} ", "dim").append_text(code)
            shown.rstrip()
            self.line(shown)
            if line.carets is not None:
                before, wide = line.carets
                under = Text("  ").append(f"{'':>{digits}} {self._bar} ", "dim")
                self.line(under.append(" " * before).append("^" * wide, style))


def _header(finding: Finding) -> Text:
    header = Text(place(finding), "bold").append(" ").append(finding.code, SEVERITY_STYLES[finding.severity])
    header.append(f" {finding.name} " if finding.name else " ", "not bold")
    header.append(f"[{finding.severity.value}]", SEVERITY_STYLES[finding.severity])
    if finding.confidence is not Confidence.HIGH:
        header.append(f" (confidence {finding.confidence.value})", "dim not bold")
    if finding.suppressed is not None:
        reason = f": {one_line(finding.suppressed)}" if finding.suppressed else ""
        header.append(f" (suppressed{reason})", "dim not bold")
    return header


def _background(finding: Finding) -> list[tuple[str, str]]:
    """The row of the EXCLUDE table, the remedy and where to read more."""
    from reduction_lint.knowledge import catalogue, exclude

    entries = [
        ("row", f"{row.numbers} {row.technique}: {row.verdict}. {row.reason}")
        for row in exclude.rows_named(finding.rows)
    ]
    rule = catalogue.rules().get(finding.code)
    if rule is not None and rule.remedy:
        entries.append(("remedy", rule.remedy))
    entries += [("fix", f"{fix.title} ({fix.applicability})") for fix in finding.fixes]
    entries.append(("more", f"reduction-lint rule {finding.code}"))
    return entries


def _coloured(texts: Sequence[str]) -> list[Text]:
    """The code lines with the colours of Python."""
    from rich.syntax import Syntax

    code = Syntax("", "python", theme="ansi_dark").highlight("\n".join(texts))
    code.rstrip()
    parts = list(code.split("\n", allow_blank=True))
    # A highlighter that adds or swallows lines must not shift the carets.
    return parts if [part.plain for part in parts] == list(texts) else [Text(text) for text in texts]


def _can_print(out: Console, text: str) -> bool:
    try:
        text.encode(out.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
