"""The rule catalogue and the EXCLUDE table are complete, consistent with each other, and checked when read."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import tomli
from reduction_lint.findings import Severity
from reduction_lint.knowledge import catalogue, exclude
from reduction_lint.knowledge.schema import KnowledgeError

RULES = catalogue.rules()
ROWS = exclude.rows()
CHECKED = {
    *("RL001", "RL002", "RL003", "RL004"),
    *("RL101", "RL102", "RL105", "RL106", "RL107", "RL108", "RL110", "RL112"),
    *("RL201", "RL203", "RL401", "RL402", "RL403"),
    *("RL501", "RL502", "RL503", "RL504"),
    *("RL601", "RL602", "RL603", "RL604", "RL605", "RL606", "RL607", "RL608"),
    *("RL103", "RL104", "RL301", "RL302", "RL303", "RL304"),
}


def test_every_code_is_there() -> None:
    """No family has a gap."""
    spans = {"RL0": 4, "RL1": 16, "RL2": 3, "RL3": 4, "RL4": 3, "RL5": 4, "RL6": 8}
    assert list(RULES) == [f"{family}{n:02}" for family, last in spans.items() for n in range(1, last + 1)]
    assert set(catalogue.families()) == set(spans)


def test_codes_are_expanded_from_prefixes() -> None:
    """A prefix stands for all codes that begin with it."""
    assert catalogue.expand("RL40") == ("RL401", "RL402", "RL403")
    assert catalogue.expand("RL101") == ("RL101",)
    assert catalogue.expand("RL9") == ()
    assert catalogue.expand("") == ()
    assert catalogue.is_known("RL101")
    assert not catalogue.is_known("RL1")


def test_names_are_unique() -> None:
    """A rule can be asked for by its name."""
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_what_is_checked_is_said() -> None:
    """Nothing pretends to be checked that is not."""
    assert {code for code, rule in RULES.items() if rule.checked} == CHECKED


def test_preview_and_strict_rules() -> None:
    """Some rules run on request only."""
    preview = {code for code, rule in RULES.items() if rule.preview}
    assert preview == {"RL109", "RL113", "RL114", "RL115", "RL116", "RL504"}
    assert {code for code, rule in RULES.items() if rule.strict_only} == {"RL003", "RL112"}
    assert RULES["RL203"].severity is Severity.INFO


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_rule_explains_itself(rule: catalogue.Rule) -> None:
    """Every text is there, and the examples are complete sources (but for the one about syntax)."""
    assert all(len(part) > 20 for part in (rule.summary, rule.why, rule.remedy))
    ast.parse(rule.good)
    if rule.code != "RL001":
        ast.parse(rule.bad)
    assert rule.bad != rule.good


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_rules_and_rows_point_at_each_other(rule: catalogue.Rule) -> None:
    """A row that names a code is named by it, and the other way round."""
    assert {row.numbers for row in ROWS if rule.code in row.codes} == {
        row.numbers for row in exclude.rows_named(rule.rows)
    }


def test_all_rows_and_corollaries_are_there() -> None:
    """The table is whole, and every row is watched over by a known code."""
    assert [name for row in ROWS for name in row.names] == [
        *("#16-20", "#12-15", "#3", "#22-28", "#38", "#40", "#36-37", "#55"),
        *("B3", "B4-AC3", "B7-AC2", "B9", "D6"),
    ]
    assert all(row.codes and set(row.codes) <= set(RULES) for row in ROWS)


def test_every_row_name_of_a_rule_exists() -> None:
    """Rules name no row that the table lacks."""
    names = {name for row in ROWS for name in row.names}
    assert all(set(rule.rows) <= names for rule in RULES.values())


def test_links_to_rules_come_from_the_projects_metadata() -> None:
    """The one constant equals the documentation address that the project is published with."""
    project = Path(__file__).parents[3] / "pyproject.toml"
    urls = tomli.loads(project.read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Documentation"].rstrip("/") + "/rules/" == catalogue.HELP_BASE


RULE = {
    "name": "a",
    "severity": "error",
    "summary": "s",
    "why": "w",
    "remedy": "r",
    "technique": "tool",
    "bad": "x",
    "good": "y",
}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({**RULE, "severty": "error"}, 'c.toml: RL101: severty: unknown key; did you mean "severity"?'),
        (
            {**RULE, "severity": "fatal"},
            "c.toml: RL101: severity: must be one of info, warning, error, not 'fatal'",
        ),
        ({**RULE, "checked": 1}, "c.toml: RL101: checked: must be true or false, not a number"),
        ({"name": "a"}, "c.toml: RL101: severity: is missing"),
        (3, "c.toml: RL101: must be a table ([RL101])"),
    ],
)
def test_mistakes_in_the_catalogue(table: Any, message: str) -> None:
    """A mistake names the file, the code and the key."""
    with pytest.raises(KnowledgeError) as caught:
        catalogue.read_catalogue({"families": {"RL1": "x"}, "RL101": table}, "c.toml")
    assert str(caught.value) == message


def test_a_code_of_no_family_is_a_mistake() -> None:
    """The family is told by the first three characters."""
    with pytest.raises(KnowledgeError, match="no code of a known family"):
        catalogue.read_catalogue({"families": {"RL1": "x"}, "RL901": RULE}, "c.toml")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"row": []}, "x.toml: row: unknown table; only [[rows]] is known"),
        ({"rows": {}}, "x.toml: rows: must be an array of tables ([[rows]])"),
        ({"rows": [{"numbers": "#1"}]}, "x.toml: rows[1]: technique: is missing"),
    ],
)
def test_mistakes_in_the_table(document: Any, message: str) -> None:
    """A mistake names the file, the row and the key."""
    with pytest.raises(KnowledgeError) as caught:
        exclude.read_rows(document, "x.toml")
    assert str(caught.value) == message
