"""Finding the line of a key in a TOML text."""

from __future__ import annotations

import pytest
from reduction_lint.settings.places import find_line

TEXT = """\
# settings
select = [
    "RL1",
    "RL4",
]

[max-tokens]
floor = 10
kinds = { title = 0 }

[[captures]]
call = "a"

[[captures]]   # the second
call = "b"
value = 0

[per-file-ignores]
"tests/*.py" = ["RL101"]

[phases.triage]
recall = true
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (["select"], 2),
        (["max-tokens", "floor"], 8),
        (["max-tokens", "kinds", "title"], 9),
        (["captures", 1, "call"], 12),
        (["captures", 2, "call"], 15),
        (["captures", 2], 14),
        (["captures", 2, "missing"], 14),
        (["per-file-ignores", "tests/*.py"], 19),
        (["phases", "triage", "recall"], 22),
        (["nothing"], None),
    ],
)
def test_line_of_a_key(path: list[str | int], line: int | None) -> None:
    """Keys, entries of arrays, quoted and nested keys; an absent key is at its table."""
    assert line == find_line(TEXT, path)


def test_line_of_an_element() -> None:
    """One element of a list that runs over several lines."""
    assert find_line(TEXT, ["select"], "RL4") == 4


def test_nested_tables_of_an_array() -> None:
    """A table below an entry of an array belongs to that entry."""
    text = "[[calls]]\ncall = 'a'\n[calls.when]\nargument = 1\n[[calls]]\n[calls.when]\nargument = 2\n"
    assert find_line(text, ["calls", 2, "when", "argument"]) == 7


def test_dotted_keys() -> None:
    """A dotted key is found under its section."""
    assert find_line("[tool]\nreduction-lint.preview = 1\n", ["tool", "reduction-lint", "preview"]) == 2
