"""A finding before places become ranges and settings have their say."""

from __future__ import annotations

from dataclasses import dataclass

from reduction_lint.findings import Confidence, Severity
from reduction_lint.flow.events import Step
from reduction_lint.flow.state import Place


@dataclass(frozen=True, slots=True)
class Draft:
    """What a check says. ``severity`` is None where the catalogue's holds."""

    code: str
    place: Place
    message: str
    value: str = ""
    confidence: Confidence = Confidence.HIGH
    severity: Severity | None = None
    technique: str = ""
    steps: tuple[Step, ...] = ()
    status: str = "violation"
    covered_by: Place | None = None
