"""Where string literals end."""

from __future__ import annotations

import pytest
from reduction_lint.syntax.strings import is_formatted, string_end


def end_of(literal: str, rest: str = " + more") -> int:
    """The end that is found for ``literal`` when ``rest`` follows it."""
    start = min(i for i, char in enumerate(literal) if char in "\"'")
    quote = literal[start : start + 3] if literal[start : start + 3] in ('"""', "'''") else literal[start]
    return string_end(literal + rest, start, quote)


@pytest.mark.parametrize(
    "literal",
    [
        '"a"',
        "'it\\'s'",
        '"a \\\n b"',
        'rb"\\""',
        '"""a "quoted" word"""',
        "'''it's\n'''",
        '"""ends with \\""""',
        "f'{x}'",
        'f"{x!r:>{width}}"',
        'f"{{not a field}}"',
        "f\"{', '.join(x)}\"",
        'f"{d["key"]}"',
        'f"{f"{f"{1}"}"}"',
        'f"{x:{"a"}}"',
        'f"\\N{DASH}"',
        'rf"\\{x}"',
        'f"""{"""inner"""}"""',
        "f'''{x:%Y-%m\n}'''",
        'f"{x # comment }\n}"',
        't"{name["first"]}"',
        'f"{(lambda: {1: [2]})()}"',
    ],
)
def test_end_is_behind_the_closing_quote(literal: str) -> None:
    """Every kind of literal ends at its own closing quote, also where it nests others."""
    assert end_of(literal) == len(literal)


@pytest.mark.parametrize("literal", ['"a', "'a\n", '"""a"', "f'{x", '"a\\"'])
def test_open_string_has_no_end(literal: str) -> None:
    """A string that is not closed is reported as such."""
    assert end_of(literal, "") == -1


def test_broken_field_falls_back_to_plain_reading() -> None:
    """An f-string with an unclosed field ends at the next quote, as it did before PEP 701."""
    assert end_of('f"{x"', "\ny = 1\n") == len('f"{x"')


@pytest.mark.parametrize(
    ("before", "expected"), [("f", True), ("Rf", True), ("if", False), ("not", False), ("b", False)]
)
def test_keyword_is_no_prefix(before: str, expected: bool) -> None:
    """A keyword that ends in a prefix letter does not make a string formatted."""
    assert is_formatted(f'{before}"x"', len(before)) is expected


def test_deep_nesting_is_given_up_quickly() -> None:
    """Thousands of open f-strings cost no more than a moment."""
    text = 'f"{' * 5000
    assert string_end(text, 1, '"') != 0
