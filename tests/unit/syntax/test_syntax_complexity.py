"""Bounds on what is given to the parser."""

from __future__ import annotations

import pytest
from reduction_lint.syntax.chunks import SyntaxProblem, split


def problem_of(text: str) -> SyntaxProblem | None:
    """The problem of the first chunk that has one."""
    return next((chunk.problem for chunk in split(text) if chunk.problem), None)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "not " * 5000 + "1\n",
        "x = " + "-" * 1500 + "1\n",
        "x = a" + ".b" * 5000 + "\n",
        "x = a" + "()" * 5000 + "\n",
        "x = " + "1 if a else " * 5000 + "1\n",
        "x = " + "'a' " * 5000 + "\n",
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 600,
        "x = [" + "[1, " * 100 + "-" * 1500 + "1" + "]" * 101 + "\n",
    ],
    ids=["not", "minus", "attributes", "calls", "conditional", "strings", "elif", "nested"],
)
def test_long_chain_is_a_limit(text: str) -> None:
    """Chains that would overflow a parser's stack are refused as a limit, not as wrong Python."""
    problem = problem_of(text)
    assert problem is not None
    assert problem.limit


@pytest.mark.parametrize(
    "text",
    [
        'x = f"{' + "(" * 1500 + "1" + ")" * 1500 + '}"\n',
        "".join(" " * i + "if a:\n" for i in range(120)) + " " * 120 + "pass\n",
    ],
    ids=["f-string", "indentation"],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    """What Python itself refuses is an error."""
    problem = problem_of(text)
    assert problem is not None
    assert not problem.limit


@pytest.mark.parametrize(
    "text",
    [
        "x = [" + "-1.5, " * 5000 + "]\n",
        "x = {" + "'a': b.c(d) + 1, " * 3000 + "}\n",
        'x = """' + "a.b.c (d) - not e\n" * 3000 + '"""\n',
        "a = 1; " * 3000 + "\n",
        "x = (" + "a +  # more\n" * 300 + "b)\n",
    ],
    ids=["numbers", "dict", "text", "statements", "sum"],
)
def test_large_data_is_fine(text: str) -> None:
    """Size alone is no reason to refuse anything."""
    assert problem_of(text) is None
