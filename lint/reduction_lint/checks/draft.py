"""A finding before places become ranges and settings have their say."""

from __future__ import annotations

from dataclasses import dataclass

from reduction_lint.findings import Confidence, Range, Severity
from reduction_lint.flow.events import Step
from reduction_lint.flow.state import Place
from reduction_lint.workspace.sources import Source


@dataclass(frozen=True, slots=True)
class Spot:
    """A place given by its text, for checks that need no flow graph: an import, a literal, a line of a settings object.

    ``first_line`` and ``last_line`` (1-based) are those of the statement, where a suppression may stand.
    """

    source: Source
    range: Range
    first_line: int
    last_line: int
    symbol: str = "<module>"


@dataclass(frozen=True, slots=True)
class SpotStep:
    """A step of a trace at a spot."""

    place: Spot
    message: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What a check says. ``severity`` is None where the catalogue's holds."""

    code: str
    place: Place | Spot
    message: str
    value: str = ""
    confidence: Confidence = Confidence.HIGH
    severity: Severity | None = None
    technique: str = ""
    steps: tuple[Step | SpotStep, ...] = ()
    status: str = "violation"
    covered_by: Place | None = None
    at_fault: Place | None = None
    """The capture that was meant to cover it and does not."""
