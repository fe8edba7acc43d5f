"""Reading directives out of comments."""

from __future__ import annotations

import pytest
from reduction_lint.findings import Range
from reduction_lint.suppress import Directives, parse_directives


def parse(*lines: str) -> Directives:
    return parse_directives("\n".join(lines))


def codes(directives: Directives) -> list[list[str]]:
    return [[entry.code for entry in suppression.codes] for suppression in directives.suppressions]


def messages(directives: Directives) -> list[str]:
    return [problem.message for problem in directives.problems]


def test_ignore_with_codes_and_reason() -> None:
    """The codes, the reason and the line of an ``ignore`` are read."""
    directives = parse("x = y[:3]  # reduction-lint: ignore[RL101, RL201] -- only a demo")
    (suppression,) = directives.suppressions
    assert [(entry.code, entry.place.start.line) for entry in suppression.codes] == [
        ("RL101", 1),
        ("RL201", 1),
    ]
    assert (suppression.kind, suppression.reason, suppression.target) == ("ignore", "only a demo", 1)


def test_place_of_a_code() -> None:
    """A listed code knows its own place within the comment."""
    directives = parse("x = 1  # reduction-lint: ignore[RL101, RL201]")
    assert Range.of(1, 40, 1, 45) == directives.suppressions[0].codes[1].place


@pytest.mark.parametrize("comment", ["#reduction-lint:ignore[RL101]", "#   reduction-lint :  ignore [ RL101 ]"])
def test_spaces_do_not_matter(comment: str) -> None:
    """Spaces around the parts of a directive may be there or not."""
    assert codes(parse(f"x = 1 {comment}")) == [["RL101"]]


def test_next_hash_ends_the_reason() -> None:
    """A further ``#`` starts another comment."""
    directives = parse("x = 1  # reduction-lint: ignore[RL101] -- demo  # expect: RL002")
    assert directives.suppressions[0].reason == "demo"


def test_directive_after_another_comment() -> None:
    """A directive may follow another comment on the same line."""
    assert codes(parse("x = 1  # type: ignore  # reduction-lint: ignore[RL101] -- demo")) == [["RL101"]]


def test_comment_alone_is_about_the_line_below() -> None:
    """A comment alone on its line targets the next line of code, past other comments."""
    directives = parse("# reduction-lint: ignore[RL101] -- demo", "# more words", "x = y[:3]")
    assert directives.suppressions[0].target == 3


def test_blank_line_cuts_the_comment_off() -> None:
    """A blank line between comment and code: the comment is about nothing."""
    assert parse("# reduction-lint: ignore[RL101]", "", "x = y[:3]").suppressions[0].target is None


@pytest.mark.parametrize("line", ['x = "# reduction-lint: ignore[RL101]"', "x = '''# noqa: RL101'''"])
def test_strings_are_no_comments(line: str) -> None:
    """What looks like a directive inside a string says nothing."""
    assert Directives() == parse(line)


def test_skip_file() -> None:
    """``skip-file`` is known with and without a reason."""
    assert [
        parse("# reduction-lint: skip-file").skip_file,
        parse("# reduction-lint: skip-file -- generated").skip_file,
    ] == ["", "generated"]


def test_block() -> None:
    """An ``enable`` ends the block of its code only."""
    directives = parse(
        "# reduction-lint: disable[RL101, RL201] -- playground",
        "x = 1",
        "# reduction-lint: enable[RL101]",
    )
    assert [entry.until for entry in directives.suppressions[0].codes] == [3, None]


def test_enable_without_disable() -> None:
    """An ``enable`` that ends nothing is a problem."""
    assert messages(parse("# reduction-lint: enable[RL101]")) == [
        "`enable[RL101]` without a `disable[RL101]` before it"
    ]


def test_noqa_reads_only_our_codes() -> None:
    """Codes of other tools in a ``noqa`` are left alone."""
    directives = parse("x = 1  # noqa: E501, RL101,RL201 -- long")
    assert (codes(directives), messages(directives)) == ([["RL101", "RL201"]], [])


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: E501", "# NoQA: F401 E501"])
def test_noqa_for_others(comment: str) -> None:
    """A ``noqa`` without one of our codes is none of our business."""
    assert Directives() == parse(f"x = 1  {comment}")


def test_noqa_in_any_case() -> None:
    """``NOQA: rl101`` is understood as other tools do."""
    assert codes(parse("x = 1  # NOQA: rl101")) == [["RL101"]]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("ignore[RL999] -- why", 'unknown code "RL999"; it silences nothing'),
        ("ignore[rl101] -- why", 'unknown code "rl101"; did you mean "RL101"?'),
        ("ignore[RL1] -- why", 'unknown code "RL1"; it silences nothing'),
        ("ignore -- why", "`ignore` needs codes: write `ignore[RL101] -- reason`"),
        ("ignore[] -- why", "`ignore` needs codes: write `ignore[RL101] -- reason`"),
        ("ignore RL101", "malformed comment: write `ignore[RL101] -- reason`"),
        ("ignore[RL101] because", "malformed comment: write `ignore[RL101] -- reason`"),
        ("ignore-file", "`ignore-file` needs codes: write `ignore-file[RL101] -- reason`"),
        ("ignroe[RL101]", "unknown word `ignroe` in a comment; did you mean `ignore`?"),
        (
            "skip-file[RL101]",
            "malformed comment: write `skip-file`, with a reason after ` -- ` if there is one",
        ),
        ("captures", "malformed comment: write `captures(PARAMETER)`"),
        ("captures()", "malformed comment: write `captures(PARAMETER)`"),
        ("selector(triage)", "malformed comment: write `selector(phase=NAME)`"),
        ("view(x)", "malformed comment: write `view`, with a reason after ` -- ` if there is one"),
        ("", "malformed comment: write `ignore[RL101] -- reason`"),
    ],
)
def test_problems(comment: str, message: str) -> None:
    """What is not understood silences nothing and says how it is written."""
    directives = parse(f"x = 1  # reduction-lint: {comment}")
    assert ([message], ()) == (messages(directives), directives.suppressions)


def test_missing_colon() -> None:
    """A forgotten colon is a problem; a mere mention of the tool is not."""
    directives = parse("x = 1  # reduction-lint ignore[RL101]", "y = 2  # reduction-lint ignores this file")
    assert messages(directives) == ["a colon is missing: write `# reduction-lint: …`"]


def test_known_codes_beside_an_unknown_one() -> None:
    """An unknown code does not take the others with it."""
    directives = parse("x = 1  # reduction-lint: ignore[RL101, RL999] -- why")
    assert (codes(directives), len(directives.problems)) == ([["RL101"]], 1)


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("captures(history)", ("captures", ("history",), "")),
        ("captures(a, b) -- both", ("captures", ("a", "b"), "")),
        ("reduces(x)", ("reduces", ("x",), "")),
        ("selector(phase=triage)", ("selector", (), "triage")),
        ("view", ("view", (), "")),
        ("disposable -- a title", ("disposable", (), "")),
        ("probe", ("probe", (), "")),
        ("transcript", ("transcript", (), "")),
    ],
)
def test_declarations(comment: str, expected: tuple[str, tuple[str, ...], str]) -> None:
    """Each declaration is read with its names."""
    (found,) = parse(f"# reduction-lint: {comment}", "x = 1").declarations
    assert expected == (found.kind, found.names, found.phase)


def test_declared_by_line() -> None:
    """Declarations are found by the lines of the code they are about."""
    directives = parse(
        "# reduction-lint: captures(x)",
        "@wraps",
        "def f(",
        "    x,",
        "):  # reduction-lint: probe",
        "    pass",
    )
    assert [found.kind for found in directives.declared(2, 5)] == ["captures", "probe"]
    assert directives.declared(6) == []


def test_broken_code_keeps_its_comments() -> None:
    """Directives are read from a text that does not parse."""
    assert codes(parse("def f(:", "    x = y[:3]  # reduction-lint: ignore[RL101] -- demo")) == [["RL101"]]
