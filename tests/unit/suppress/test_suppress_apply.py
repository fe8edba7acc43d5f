"""Silencing findings, and the findings about suppressions."""

from __future__ import annotations

from collections.abc import Callable

from reduction_lint.findings import Finding, Range
from reduction_lint.suppress import apply, parse_directives

RAN = frozenset({"RL001", "RL002", "RL003", "RL004", "RL101", "RL201"})


def at(line: int, code: str = "RL101") -> Finding:
    return Finding(code, "lost", "a.py", Range.of(line, 5, line, 9))


def check(
    *lines: str,
    findings: list[Finding],
    statement: tuple[int, int] | None = None,
    ran: frozenset[str] = RAN - {"RL003"},
    is_unsuppressable: Callable[[str], bool] | None = None,
) -> list[tuple[str, int, str | None]]:
    """Code, line and reason of what is left."""
    result = apply(
        findings,
        parse_directives("\n".join(lines)),
        path="a.py",
        ran=ran,
        statement_lines=None if statement is None else lambda finding: statement,
        is_unsuppressable=is_unsuppressable,
    )
    return [(finding.code, finding.range.start.line, finding.suppressed) for finding in result]


IGNORE = "# reduction-lint: ignore[RL101] -- demo"


def test_same_line() -> None:
    """A comment on the line silences, and its reason is kept."""
    assert check(f"x = y[:3]  {IGNORE}", findings=[at(1)]) == [("RL101", 1, "demo")]


def test_line_above() -> None:
    """A comment alone on the line above silences."""
    assert check(IGNORE, "x = y[:3]", findings=[at(2)]) == [("RL101", 2, "demo")]


def test_trailing_comment_above_does_not_count() -> None:
    """A comment behind code is about that code, not about the next line."""
    expected = [("RL002", 1, None), ("RL101", 2, None)]
    assert expected == check(f"a = 1  {IGNORE}", "x = y[:3]", findings=[at(2)])


def test_first_and_last_line_of_the_statement() -> None:
    """Both ends of the statement count, its middle does not."""
    texts = ["x = [", "    y[:3],", "    z,", "]"]
    silenced = []
    for line in range(4):
        lines = [f"{text}  {IGNORE}" if number == line else text for number, text in enumerate(texts)]
        silenced.append(("RL101", 2, "demo") in check(*lines, findings=[at(2)], statement=(1, 4)))
    assert silenced == [True, False, False, True]


def test_other_code_is_not_silenced() -> None:
    """Only the listed code is silenced; a listed code without a finding is unused."""
    expected = [("RL101", 1, None), ("RL002", 1, None)]
    assert expected == check("x = y[:3]  # reduction-lint: ignore[RL201] -- demo", findings=[at(1)])


def test_one_unused_for_each_code() -> None:
    """Each listed code that silences nothing is reported by itself."""
    found = check("x = 1  # reduction-lint: ignore[RL101, RL201] -- demo", findings=[])
    assert found == [("RL002", 1, None)] * 2


def test_codes_that_did_not_run_are_not_unused() -> None:
    """Nothing is said about a suppression of a code that was not looked for."""
    assert check("x = 1  # reduction-lint: ignore[RL301] -- demo", findings=[]) == []


def test_whole_file() -> None:
    """``ignore-file`` silences its code everywhere."""
    lines = ["# reduction-lint: ignore-file[RL101] -- playground", "x = y[:3]", "x = y[:3]"]
    expected = [("RL101", 2, "playground"), ("RL101", 3, "playground"), ("RL201", 3, None)]
    assert expected == check(*lines, findings=[at(2), at(3), at(3, "RL201")])


def test_nearest_comment_is_the_one_used() -> None:
    """A file-wide suppression that only repeats one at the line is unused."""
    lines = ["# reduction-lint: ignore-file[RL101] -- all", f"x = y[:3]  {IGNORE}"]
    assert check(*lines, findings=[at(2)]) == [("RL002", 1, None), ("RL101", 2, "demo")]


def test_block() -> None:
    """A block silences from ``disable`` up to ``enable``."""
    lines = [
        "x = y[:3]",
        "# reduction-lint: disable[RL101] -- block",
        "x = y[:3]",
        "# reduction-lint: enable[RL101]",
        "x = y[:3]",
    ]
    expected = [("RL101", 1, None), ("RL101", 3, "block"), ("RL101", 5, None)]
    assert expected == check(*lines, findings=[at(1), at(3), at(5)])


def test_skip_file() -> None:
    """``skip-file`` silences everything, a syntax error and malformed comments included."""
    lines = ["# reduction-lint: skip-file -- generated", "x = 1  # reduction-lint: ignroe"]
    assert check(*lines, findings=[at(2, "RL001")]) == [("RL001", 2, "generated")]


def test_missing_reason() -> None:
    """RL003 stands at the comment when it is looked for, and only then."""
    line = "x = y[:3]  # reduction-lint: ignore[RL101]"
    assert check(line, findings=[at(1)], ran=RAN) == [("RL101", 1, ""), ("RL003", 1, None)]
    assert check(line, findings=[at(1)]) == [("RL101", 1, "")]


def test_noqa_owes_a_reason_too() -> None:
    """Under the strict profile a ``noqa`` of our codes is no way round RL003."""
    assert ("RL003", 1, None) in check("x = y[:3]  # noqa: RL101", findings=[at(1)], ran=RAN)


def test_malformed_comment_is_reported() -> None:
    """RL004 stands at the comment, which silences nothing."""
    found = check("x = y[:3]  # reduction-lint: ignroe[RL101]", findings=[at(1)])
    assert found == [("RL101", 1, None), ("RL004", 1, None)]


def test_unsuppressable() -> None:
    """What the settings protect stays, and the comment is reported as of no use."""
    found = check(f"x = y[:3]  {IGNORE}", findings=[at(1)], is_unsuppressable=lambda code: code == "RL101")
    assert found == [("RL101", 1, None), ("RL002", 1, None)]


def test_silencing_the_report_of_an_unused_suppression() -> None:
    """RL002 can be silenced where it stands, and is then itself not unused."""
    found = check("x = 1  # reduction-lint: ignore[RL101, RL002] -- kept for later", findings=[])
    assert found == [("RL002", 1, "kept for later")]


def test_unused_suppression_of_rl002() -> None:
    """A suppression of RL002 that silences nothing is reported."""
    assert check("x = 1  # reduction-lint: ignore[RL002] -- old", findings=[]) == [("RL002", 1, None)]


def removed(*lines: str, number: int = 0) -> str:
    """The text after the fix of the RL002 with that number."""
    text = "\n".join(lines)
    found = apply([], parse_directives(text), path="a.py", ran={"RL002", "RL101", "RL201"})
    (fix,) = found[number].fixes
    (edit,) = fix.edits
    start, end = edit.range.start, edit.range.end
    rows = text.split("\n")
    before = [*rows[: start.line - 1], rows[start.line - 1][: start.column - 1]]
    after = [rows[end.line - 1][end.column - 1 :], *rows[end.line :]]
    return "\n".join(before) + edit.content + "\n".join(after)


def test_fix_takes_the_comment_away() -> None:
    """The only code takes the whole comment with it, and the space before."""
    assert removed(f"x = 1  {IGNORE}", "") == "x = 1\n"


def test_fix_takes_the_line_away() -> None:
    """A comment alone on its line goes with the line."""
    assert removed("a", f"    {IGNORE}", "x = 1", "") == "a\nx = 1\n"


def test_fix_keeps_other_comments() -> None:
    """Comments before and after the suppression stay."""
    line = f"x = 1  # type: ignore  {IGNORE}  # expect: RL002"
    assert removed(line) == "x = 1  # type: ignore  # expect: RL002"


def test_fix_keeps_other_codes() -> None:
    """With several codes only the unused one goes."""
    line = "x = 1  # reduction-lint: ignore[RL101, RL201] -- demo"
    assert removed(line) == "x = 1  # reduction-lint: ignore[RL201] -- demo"
    assert removed(line, number=1) == "x = 1  # reduction-lint: ignore[RL101] -- demo"


def test_fix_keeps_the_codes_of_others_in_a_noqa() -> None:
    """A code of another tool in a ``noqa`` stays."""
    assert removed("x = 1  # noqa: E501, RL101") == "x = 1  # noqa: E501"
    assert removed("x = 1  # noqa: RL101 E501") == "x = 1  # noqa: E501"
