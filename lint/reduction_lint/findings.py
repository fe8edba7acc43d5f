"""What the analyzer says: findings, traces, fixes and the report of one run.

Plain frozen dataclasses. Nothing here knows how code is read or analysed, so every other module may import it.
Lines and columns start at 1, columns count Unicode code points and the end of a range is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Severity(str, Enum):
    """How much a finding weighs. Ordered through :attr:`rank`."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error."""
        return ("info", "warning", "error").index(self.value)


class Confidence(str, Enum):
    """How sure the analysis is: exact resolution, names and shapes, or a guess by unique name."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: 1-based line, 1-based column in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """A half-open span of a text; ``end`` is exclusive."""

    start: Position
    end: Position

    @classmethod
    def of(cls, start_line: int, start_column: int, end_line: int, end_column: int) -> Range:
        """Build a range from four 1-based numbers."""
        return cls(Position(start_line, start_column), Position(end_line, end_column))


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step of the reasoning behind a finding; ``cell`` is the 1-based notebook cell or None."""

    path: str
    range: Range
    message: str
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``range`` of ``path`` by ``content``."""

    path: str
    range: Range
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair; ``applicability`` is ``safe`` or ``unsafe``."""

    title: str
    applicability: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation at one place.

    ``path`` is what is shown: relative to the working directory, with ``/``. ``cell`` is the 1-based notebook cell
    or None. ``symbol`` is ``<module>`` or the dotted name without ``<locals>``. ``value`` is the source text of the
    value that is reduced. ``suppressed`` holds the reason of the comment that silences it ("" when none was given),
    or None when nothing does.
    """

    code: str
    message: str
    path: str
    range: Range
    symbol: str = "<module>"
    value: str = ""
    confidence: Confidence = Confidence.HIGH
    severity: Severity = Severity.ERROR
    name: str = ""
    rows: tuple[str, ...] = ()
    technique: str = "tool"
    trace: tuple[TraceStep, ...] = ()
    fixes: tuple[Fix, ...] = ()
    cell: int | None = None
    fingerprint: str = ""
    help_uri: str = ""
    suppressed: str | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, int, str]:
        """Path, cell, line, column, code: the order of all output."""
        start = self.range.start
        return (self.path, self.cell or 0, start.line, start.column, self.code)


SITE_STATUSES = ("violation", "captured", "view", "opt-in", "excused")
"""What an inventory says about a site, worst first."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place where context is reduced, or a model's answer capped: reported or not.

    ``status`` is violation, captured, view, excused and the like; ``finding`` describes the place even where nothing is
    wrong with it. ``first_line`` and ``last_line`` (1-based) are those of the statement. ``covered_by`` is the capture,
    or the comment, that makes the site fine.
    """

    status: str
    finding: Finding
    first_line: int
    last_line: int
    covered_by: TraceStep | None = None


@dataclass(slots=True)
class Inventory:
    """Every reduction of a project, sorted by place, and what could not be read."""

    sites: list[Site] = field(default_factory=list)
    errors: list[ReportError] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReportError:
    """Something that could not be read or decoded; makes the exit status 2."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound that was reached; said, never silent."""

    path: str | None
    message: str


@dataclass(slots=True)
class Statistics:
    """Counts of one run."""

    files: int = 0
    files_parsed: int = 0
    functions: int = 0
    reductions: int = 0
    captured: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Report:
    """The outcome of one run, findings sorted by :attr:`Finding.sort_key`."""

    findings: list[Finding] = field(default_factory=list)
    errors: list[ReportError] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)
