"""What all output formats share: the interface, what they are told, and the texts for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TextIO

from reduction_lint.findings import Finding, Report, TraceStep

LinesOf = Callable[[str, "int | None"], "Sequence[str] | None"]
"""The lines of a file (as shown in findings) or of one notebook cell; None when they cannot be had."""


def no_lines(path: str, cell: int | None) -> Sequence[str] | None:
    """A :data:`LinesOf` that has nothing: no code is shown."""
    return None


@dataclass(frozen=True, slots=True)
class Context:
    """How to show a report.

    ``hidden`` counts findings that are not in the report because they are below what is shown, ``suppressed`` those that
    a comment silences, ``known`` those that a baseline or an older revision holds already (None when nothing was
    compared) and ``gone`` those that it held and that are no more. ``width`` is the number of columns, None to ask the
    terminal.
    """

    lines_of: LinesOf = no_lines
    color: bool = False
    width: int | None = None
    show_suppressed: bool = False
    statistics: bool = False
    quiet: bool = False
    hidden: int = 0
    suppressed: int = 0
    known: int | None = None
    gone: int = 0


class Emitter(Protocol):
    """One output format."""

    def __call__(self, report: Report, context: Context, stream: TextIO) -> None:
        """Write the whole report to the stream."""


_MODULES = {
    "full": "full",
    "concise": "concise",
    "grouped": "grouped",
    "json": "json_format",
    "json-lines": "json_lines",
    "sarif": "sarif",
    "github": "github",
    "gitlab": "gitlab",
    "azure": "azure",
    "junit": "junit",
    "rdjson": "rdjson",
    "markdown": "markdown",
}
FORMATS = tuple(_MODULES)
"""The names of the output formats."""


def emitter(name: str) -> Emitter:
    """The emitter of a format; only its own module is imported."""
    emit: Emitter = import_module(f"reduction_lint.report.{_MODULES[name]}").emit
    return emit


def clean(text: str) -> str:
    """``text`` with control and direction characters spelt out, so that it cannot play with the terminal."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\t" else _escaped(char) for char in text)


def one_line(text: str) -> str:
    """``text`` on one line, cleaned."""
    return clean(" ".join(text.split()))


def place(item: Finding | TraceStep) -> str:
    """``path:line:column``, with the cell of a notebook in between."""
    start = item.range.start
    cell = getattr(item, "cell", None)
    inner = f"cell {cell}:" if cell is not None else ""
    return f"{clean(item.path)}:{inner}{start.line}:{start.column}"


def _escaped(char: str) -> str:
    # No-break and other wide spaces are harmless and common; only what hides or moves text is spelt out.
    if char.isspace() and char not in "\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029":
        return " "
    return char.encode("unicode_escape").decode("ascii")
