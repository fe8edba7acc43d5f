"""Nothing in the EXCLUDE table is a hole: every row, corollary and code has a check and an annotated case."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reduction_lint.knowledge import catalogue, exclude

TESTS = Path(__file__).parents[2]
RULES = catalogue.rules()
OPEN = {
    *("RL109", "RL111", "RL113", "RL114", "RL115", "RL116", "RL202"),
    *("RL501", "RL502", "RL503", "RL504"),
    *("RL601", "RL602", "RL603", "RL604", "RL605", "RL606", "RL607", "RL608"),
}
"""Codes that nothing checks yet. A code leaves this set for good once its rule says that it is checked."""


def codes_with_cases() -> set[str]:
    """Codes that an annotated source or a test of the command line expects."""
    found: set[str] = set()
    for path in TESTS.rglob("*.py"):
        for mark in re.findall(r"#\s*expect:\s*([RL\d,| ]+)", path.read_text(encoding="utf-8")):
            found.update(re.findall(r"RL\d{3}", mark))
    return found


CASES = codes_with_cases()


@pytest.mark.parametrize("code", [code for code in RULES if code not in OPEN or RULES[code].checked])
def test_every_code_has_a_check_and_a_case(code: str) -> None:
    """A rule that is not checked, or that no source shows, is a promise without cover."""
    assert RULES[code].checked
    assert code in CASES


@pytest.mark.parametrize("row", exclude.rows(), ids=lambda row: row.numbers)
def test_every_row_has_a_check_and_a_case(row: exclude.Row) -> None:
    """Each row and corollary is watched over by a code that is checked and shown."""
    watching = [code for code in row.codes if RULES[code].checked and code in CASES]
    assert watching or set(row.codes) <= OPEN


def test_open_codes_are_codes() -> None:
    """The list of what is missing names rules that exist."""
    assert set(RULES) >= OPEN
