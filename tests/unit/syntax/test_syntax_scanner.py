"""Logical lines and comments of any text."""

from __future__ import annotations

import pytest
from reduction_lint.syntax.scanner import class_header, comments, logical_lines


def lines_of(text: str) -> list[str]:
    """The source of each logical line, without its indentation."""
    found = logical_lines(text)
    return [text[first:end] for first, end in zip(found.firsts, found.ends, strict=True)]


def test_brackets_strings_and_backslashes_join_lines() -> None:
    """A logical line runs on over brackets, triple quotes and backslashes."""
    text = 'a = (1,\n  2)\nb = """x\ny"""\nc = 1 + \\\n  2\nd = 3'
    assert lines_of(text) == ["a = (1,\n  2)", 'b = """x\ny"""', "c = 1 + \\\n  2", "d = 3"]


def test_blank_and_comment_lines_are_no_logical_lines() -> None:
    """Only code makes a logical line."""
    assert lines_of("\n# a\n  # b\nx = 1  # c\n\n\n  # d\ny = 2\n# e") == ["x = 1  # c", "y = 2"]


def test_brackets_in_strings_and_comments_do_not_count() -> None:
    """Brackets are only brackets in code."""
    assert lines_of("a = '('\nb = 1  # (\nc = f'{x}('\n") == ["a = '('", "b = 1  # (", "c = f'{x}('"]


def test_open_bracket_ends_before_a_definition() -> None:
    """An unclosed bracket does not swallow the definition below it."""
    assert lines_of("x = foo(1,\n  2\ndef f():\n    pass\n")[1:] == ["def f():", "pass"]


def test_open_bracket_ends_before_the_decorators_of_a_definition() -> None:
    """Decorators, also long ones, stay with their definition when a bracket above is given up."""
    text = "x = foo(\n@dec(\n    1,\n)\n@other\ndef f():\n    pass\n"
    assert lines_of(text) == ["x = foo(", "@dec(\n    1,\n)", "@other", "def f():", "pass"]


def test_open_bracket_in_a_method_ends_before_the_next_method() -> None:
    """Recovery works at any indentation."""
    text = "class A:\n    def f(self):\n        foo(\n    def g(self):\n        pass\n"
    assert lines_of(text) == ["class A:", "def f(self):", "foo(", "def g(self):", "pass"]


def test_open_bracket_ends_before_an_import() -> None:
    """A statement keyword that cannot stand in an expression ends an open bracket."""
    assert lines_of("x = foo(1\nimport os\nfrom a import b\n") == ["x = foo(1", "import os", "from a import b"]


def test_keywords_of_expressions_do_not_end_a_bracket() -> None:
    """``for``, ``if`` and matrix products at the start of a line belong to the expression around them."""
    text = "x = [a\nfor a in b\nif a\n@ c\n]\n"
    assert lines_of(text) == [text.rstrip("\n")]


def test_endless_string_ends_before_a_definition() -> None:
    """A triple-quoted string without an end does not swallow the definitions below it."""
    assert lines_of('x = """a\n\ndef f():\n    pass\n') == ['x = """a\n', "def f():", "pass"]


def test_one_quote_too_many_costs_only_its_surroundings() -> None:
    """Quotes that are out of step from one place on are put in step again at a definition."""
    text = 'x = """\n\ndef f():\n    """Doc of f."""\n    return 1\n\ndef g():\n    """Doc of g."""\n    return 2\n'
    assert {"def f():", "def g():", "return 1", "return 2"} <= set(lines_of(text))


def test_definitions_in_sound_strings_are_text() -> None:
    """As long as all quotes are closed, code in a string stays in the string."""
    text = 'x = """\ndef f():\n    pass\n"""\n'
    assert lines_of(text) == [text.rstrip("\n")]


def test_open_single_quote_ends_with_its_line() -> None:
    """A forgotten quote costs one line."""
    assert lines_of("x = 'abc\ny = 2\n") == ["x = 'abc", "y = 2"]


def test_indentation_counts_tabs_and_form_feeds_as_python_does() -> None:
    """A tab leads to the next multiple of eight, a form feed to column zero."""
    text = "if x:\n\ty\n  \tz\n\fa\n"
    assert logical_lines(text).indents(text) == [0, 8, 8, 0]


def test_brackets_nested_too_deeply_are_noted() -> None:
    """The 201st open bracket is noted with its offset."""
    text = "x = " + "(" * 250 + ")" * 250 + "\n"
    assert logical_lines(text).deep[0] == 4 + 200


@pytest.mark.parametrize("text", ["", "\n", "# only\n", "   ", "\f", "\\", "x"])
def test_tiny_texts(text: str) -> None:
    """Text without code has no logical lines, and a missing line end is no trouble."""
    assert lines_of(text) == ([text] if text in ("x", "\\") else [])


def test_comments_have_places() -> None:
    """A comment knows its line, its column in code points and whether it stands alone."""
    found = comments("# a\nx = 'é'  # b\n    # c\n")
    assert [(c.line, c.column, c.text, c.own_line) for c in found] == [
        (1, 1, "# a", True),
        (2, 10, "# b", False),
        (3, 5, "# c", True),
    ]


def test_hashes_in_strings_are_no_comments() -> None:
    """Strings of all kinds, f-strings included, hide what looks like a comment."""
    text = "a = '# 1'\nb = \"\"\"\n# 2\n\"\"\"\nc = f'{x:#x} # 3'\nd = r'\\'  # 4'\n"
    assert [c.text for c in comments(text)] == []


def test_comments_behind_an_open_string_are_found() -> None:
    """A string that is not closed hides the rest of its line only."""
    assert [c.text for c in comments('a = \'x # 1\nb = 2  # 2\n"""\n# 3\n')] == ["# 2", "# 3"]


@pytest.mark.parametrize(
    ("header", "bases", "inline"),
    [
        ("class A:", (), False),
        ("class A: # c", (), False),
        ("class A(B, c.D):", ("B", "c.D"), False),
        ("class A(B[int, str], metaclass=M, **kw):", ("B[int, str]",), False),
        ("class A[T: (int, str)](Base[T]):", ("Base[T]",), False),
        ("class A(f('x:y'), key=lambda x: x): ...", ("f('x:y')",), True),
        ("class A(): x = 1", (), True),
        ("class A(\n    B,  # c, d\n    C,\n):", ("B", "C"), False),
    ],
)
def test_class_headers(header: str, bases: tuple[str, ...], inline: bool) -> None:
    """Positional bases are found as source text; a body on the header's line is seen."""
    assert class_header(header, 0, len(header)) == (bases, inline)
