"""A mistake in an entry is told with file, entry, key and the nearest valid key."""

from __future__ import annotations

from typing import Any

import pytest
from reduction_lint.knowledge.models import UNKNOWN, Condition, KnowledgeError, load_models
from reduction_lint.knowledge.schema import expand_braces


def error_of(extra: dict[str, Any]) -> KnowledgeError:
    """The error that reading ``extra`` raises."""
    with pytest.raises(KnowledgeError) as caught:
        load_models(extra, origin="team.toml")
    return caught.value


def test_an_unknown_key_names_place_and_nearest_key() -> None:
    """File, entry and key are there for a message and for tools."""
    error = error_of({"captures": [{"call": "a.b"}, {"call": "a.c", "valeu": 0}]})
    assert (error.file, error.entry, error.key) == ("team.toml", "captures[2]", "valeu")
    assert str(error) == 'team.toml: captures[2]: valeu: unknown key; did you mean "value"?'


def test_an_unknown_table_names_the_nearest_one() -> None:
    """Tables are checked as keys are."""
    assert str(error_of({"capture": []})) == 'team.toml: capture: unknown table; did you mean "captures"?'


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"captures": {}}, "captures: must be an array of tables ([[captures]])"),
        ({"notice": []}, "notice: must be a table ([notice])"),
        ({"captures": [{}]}, 'captures[1]: needs "call", or "method" with or without "receiver"'),
        ({"captures": [{"call": ""}]}, "captures[1]: call: must not be empty"),
        (
            {"captures": [{"call": "a", "receiver": "log"}]},
            'captures[1]: receiver: stands with "method" only',
        ),
        ({"captures": [{"call": 3}]}, "captures[1]: call: must be text or a list of texts, not a number"),
        ({"captures": [{"call": "a.{b"}]}, 'captures[1]: call: "a.{b" has a brace without its partner'),
        (
            {"captures": [{"call": "a", "durable": "no"}]},
            "captures[1]: durable: must be true or false, not text",
        ),
        (
            {"captures": [{"call": "a", "value": -1}]},
            "captures[1]: value: must be a position (from 0) or a name of an argument, or a list of them",
        ),
        (
            {"reducers": [{"call": "a", "result": "veiw"}]},
            "reducers[1]: result: must be one of view, in-place, replaces, config, marker, not 'veiw'; did you mean \"view\"?",
        ),
        ({"types": [{"call": "a"}]}, "types[1]: returns: is missing"),
        ({"sinks": [{"base": "a.Tool"}]}, 'sinks[1]: base: "base" and "tool-method" belong together'),
        (
            {"captures": [{"call": "a", "when": {"argument": 0}}]},
            'captures[1]: when: needs "argument" and one of starts, equals, differs, given',
        ),
        (
            {"captures": [{"call": "a", "when": {"argument": 0, "start": "INSERT"}}]},
            'captures[1]: when: "start" in it: unknown key; did you mean "starts"?',
        ),
        (
            {"max-tokens": {"floor": -1}},
            "max-tokens: floor: must be a whole number from 0, not a number",
        ),
        (
            {"max-tokens": {"expected": [{"call": "a"}]}},
            "max-tokens: expected: must be a list of { call = NAME, tokens = NUMBER }",
        ),
    ],
)
def test_a_wrong_value_says_what_is_wanted(extra: dict[str, Any], message: str) -> None:
    """Every kind of mistake has its own one-line message."""
    assert str(error_of(extra)) == f"team.toml: {message}"


def test_braces_multiply() -> None:
    """Several groups give every combination, in order."""
    assert expand_braces("a.{B,C}.{x,y}") == ["a.B.x", "a.B.y", "a.C.x", "a.C.y"]


@pytest.mark.parametrize(
    ("condition", "given", "literal", "expected"),
    [
        (Condition((0,), starts=("INSERT", "UPDATE")), True, "\n  insert into t values (?)", True),
        (Condition((0,), starts=("INSERT",)), True, "SELECT 1", False),
        (Condition((0,), starts=("INSERT",)), True, UNKNOWN, False),
        (Condition(("maxlen",), given=True), True, UNKNOWN, True),
        (Condition(("maxlen",), given=True), False, UNKNOWN, False),
        (Condition(("maxlen",), given=True), True, None, False),
        (Condition(("truncation",), equals=(True,)), True, True, True),
        (Condition(("truncation",), equals=(True,)), True, 1, False),
        (Condition(("truncation",), equals=("auto",)), True, UNKNOWN, False),
        (Condition(("truncation",), given=True, differs=(False,)), True, UNKNOWN, True),
        (Condition(("truncation",), given=True, differs=(False,)), True, False, False),
    ],
)
def test_conditions(condition: Condition, given: bool, literal: object, expected: bool) -> None:
    """Unknown values meet ``differs`` only, None counts as not given, and True is not 1."""
    assert condition.holds(given, literal) is expected
