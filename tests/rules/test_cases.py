"""Annotated sources against what the analysis says of them.

A mark is a comment on the line where the range of a finding starts:

``# expect: RL101, RL201``  each of these codes is reported here
``# expect: RL105|RL110``   exactly one of these codes is reported here: the rules overlap
``# or: RL102``             a second place where the nearest expected RL102 may be reported instead
``# MISSING: RL101``        a known gap: should be reported here and is not
``# SPURIOUS: RL101``       a known false alarm: is reported here and should not be

Everything else at warning or above is a failure, and so is a gap or a false alarm that has healed: its mark
has to go. Findings at info are compared only in the files named after their code (``rl203_*.py``). The
sources are never executed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from reduction_lint import check_source
from reduction_lint.findings import Severity
from reduction_lint.settings import Settings

HERE = Path(__file__).parent
MARK = re.compile(r"#\s*(expect|or|MISSING|SPURIOUS):\s*(RL\d{3}(?:\s*[|,]\s*RL\d{3})*)")
FOLDERS = {"cases": Settings(), "cases_strict": Settings(profile="strict"), "cases_preview": Settings(preview=True)}
SOURCES = [(folder, path) for folder in FOLDERS for path in sorted((HERE / folder).glob("*.py"))]

Place = tuple[int, str]
"""A line and a code."""


@dataclass
class Demand:
    """One of ``codes`` on one of ``lines``; the first line is where the mark stands."""

    codes: tuple[str, ...]
    lines: list[int]

    def taken_from(self, found: Counter[Place]) -> bool:
        """Take the finding that meets the demand out of ``found``; False when there is none."""
        for place in ((line, code) for line in self.lines for code in self.codes):
            if found[place]:
                found[place] -= 1
                return True
        return False

    def __str__(self) -> str:
        return f"line {self.lines[0]}: {'|'.join(self.codes)}"


@dataclass
class Marks:
    """All marks of one source by their word."""

    expect: list[Demand] = field(default_factory=list)
    missing: list[Demand] = field(default_factory=list)
    spurious: list[Demand] = field(default_factory=list)


def read_marks(text: str) -> Marks:
    """The marks of a source; an ``or`` without an expectation of its code raises ValueError."""
    marks = Marks()
    lists = {"expect": marks.expect, "MISSING": marks.missing, "SPURIOUS": marks.spurious}
    others: list[Demand] = []
    for number, line in enumerate(text.split("\n"), 1):
        for word, codes in MARK.findall(line):
            for group in codes.split(","):
                demand = Demand(tuple(code.strip() for code in group.split("|")), [number])
                lists.get(word, others).append(demand)
    for other in others:
        fitting = [demand for demand in marks.expect if set(demand.codes) & set(other.codes)]
        if not fitting:
            raise ValueError(f"{other}: an `or` without an `expect` of its code")
        nearest = min(fitting, key=lambda demand: abs(demand.lines[0] - other.lines[0]))
        nearest.lines += other.lines
    return marks


def compare(marks: Marks, found: Counter[Place]) -> list[str]:
    """What is wrong, one line each; empty when marks and findings agree."""
    left = Counter(found)
    wrong = [f"{demand} not reported" for demand in marks.expect if not demand.taken_from(left)]
    wrong += [
        f"{demand} is no longer reported: remove the mark SPURIOUS"
        for demand in marks.spurious
        if not demand.taken_from(left)
    ]
    wrong += [
        f"{demand} is reported now: turn the mark MISSING into expect"
        for demand in marks.missing
        if demand.taken_from(left)
    ]
    return wrong + [f"line {line}: {code} is a false alarm" for line, code in sorted(left.elements())]


def findings_of(folder: str, path: Path) -> Counter[Place]:
    """The findings of a source that its marks have to account for."""
    own_code = path.name.split("_")[0].upper()
    report = check_source(path.read_text(encoding="utf-8"), path.name, settings=FOLDERS[folder])
    return Counter(
        (finding.range.start.line, finding.code)
        for finding in report.findings
        if finding.severity is not Severity.INFO or finding.code == own_code
    )


@pytest.mark.parametrize(("folder", "path"), SOURCES, ids=[f"{folder}/{path.stem}" for folder, path in SOURCES])
def test_findings_are_exactly_the_marked_ones(folder: str, path: Path) -> None:
    """A source is reported where it is marked, and nowhere else."""
    marks = read_marks(path.read_text(encoding="utf-8"))
    assert compare(marks, findings_of(folder, path)) == []


def test_unmarked_finding_is_a_false_alarm() -> None:
    """A finding that no mark accounts for is named with its line."""
    assert compare(Marks(), Counter({(3, "RL101"): 1})) == ["line 3: RL101 is a false alarm"]


def test_second_finding_on_a_line_is_a_false_alarm() -> None:
    """One mark accounts for one finding."""
    marks = read_marks("x  # expect: RL101")
    assert compare(marks, Counter({(1, "RL101"): 2})) == ["line 1: RL101 is a false alarm"]


def test_expected_finding_may_stand_at_its_other_place() -> None:
    """An ``or`` mark opens a second line for the nearest expectation."""
    marks = read_marks("call()  # or: RL102\nstore()  # expect: RL102")
    assert compare(marks, Counter({(1, "RL102"): 1})) == []


def test_group_is_met_by_one_of_its_codes() -> None:
    """A group demands one of its codes and no second one."""
    marks = read_marks("x  # expect: RL105|RL110")
    assert compare(marks, Counter({(1, "RL110"): 1})) == []
    assert compare(marks, Counter({(1, "RL105"): 1, (1, "RL110"): 1})) == ["line 1: RL110 is a false alarm"]


def test_gap_that_is_reported_now_is_a_failure() -> None:
    """A MISSING mark whose finding appears has to become an expectation."""
    marks = read_marks("x  # MISSING: RL101")
    assert compare(marks, Counter()) == []
    assert compare(marks, Counter({(1, "RL101"): 1})) == [
        "line 1: RL101 is reported now: turn the mark MISSING into expect"
    ]


def test_false_alarm_that_is_gone_is_a_failure() -> None:
    """A SPURIOUS mark whose finding disappears has to be removed."""
    marks = read_marks("x  # SPURIOUS: RL101")
    assert compare(marks, Counter({(1, "RL101"): 1})) == []
    assert compare(marks, Counter()) == ["line 1: RL101 is no longer reported: remove the mark SPURIOUS"]
