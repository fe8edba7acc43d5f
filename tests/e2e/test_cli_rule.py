"""``reduction-lint rule`` and ``reduction-lint table``: the rules explain themselves offline."""

from __future__ import annotations

import pytest
from conftest import Cli
from reduction_lint.knowledge import catalogue, exclude


def words(text: str) -> str:
    return " ".join(text.split())


def test_explains_a_rule(cli: Cli) -> None:
    """What, why, remedy and both examples of one rule."""
    rule = catalogue.rules()["RL101"]
    result = cli("rule", "RL101")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("RL101 uncaptured-truncation [error]\n")
    for part in (rule.summary, rule.why, rule.remedy, rule.bad, rule.good):
        assert words(part) in words(result.out)


@pytest.mark.parametrize("name", ["rl101", "uncaptured-truncation"])
def test_finds_a_rule_by_other_names(cli: Cli, name: str) -> None:
    """Any case will do, and the rule's name."""
    assert cli("rule", "RL101").out == cli("rule", name).out


def test_says_what_is_not_checked(cli: Cli) -> None:
    """A rule that this version does not look for says so, one that it looks for does not."""
    checked = {rule.checked: rule.code for rule in catalogue.rules().values()}
    marks = {checked[known]: "Not checked yet" in cli("rule", checked[known]).out for known in checked}
    assert marks == {code: not known for known, code in checked.items()}


def test_lists_all_rules(cli: Cli) -> None:
    """Without a code every rule has one line."""
    lines = cli("rule").out.splitlines()
    assert list(catalogue.rules()) == [line.split()[0] for line in lines if line.startswith("RL")]


def test_explains_all_rules(cli: Cli) -> None:
    """``--all`` explains every rule."""
    starts = [line.split()[0] for line in cli("rule", "--all").out.splitlines() if line.startswith("RL")]
    assert list(catalogue.rules()) == starts


def test_rule_as_json(cli: Cli) -> None:
    """One rule is an object, all rules are a list."""
    one, many = (
        cli("rule", "RL101", "--output-format", "json").data,
        cli("rule", "--output-format", "json").data,
    )
    assert (one["code"], one["checked"], one["severity"]) == ("RL101", True, "error")
    assert one in many
    assert len(catalogue.rules()) == len(many)


def test_table(cli: Cli) -> None:
    """Every row of the table is printed with its codes."""
    out = cli("table").out
    for row in exclude.rows():
        assert row.codes[0] in out


def test_table_as_json(cli: Cli) -> None:
    """The table in JSON holds every row with verdict, reason and codes."""
    rows = cli("table", "--output-format", "json").data["rows"]
    assert len(exclude.rows()) == len(rows)
    assert all(row["numbers"] and row["verdict"] and row["reason"] and row["codes"] for row in rows)


def test_version(cli: Cli) -> None:
    """``--version`` prints the version of the distribution."""
    from importlib.metadata import version

    assert f"reduction-lint {version('reduction-lint')}\n" == cli("--version").out


@pytest.mark.parametrize("argv", [("--help",), ("check", "--help"), ("trace", "--help")])
def test_help(cli: Cli, argv: tuple[str, ...]) -> None:
    """Help goes to standard output with status 0."""
    result = cli(*argv)
    assert (result.status, result.err, result.out.startswith("usage: reduction-lint")) == (0, "", True)
