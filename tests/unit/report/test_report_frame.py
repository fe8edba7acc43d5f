"""Code frames: which lines, and carets in the right columns."""

from __future__ import annotations

from reduction_lint.findings import Range
from reduction_lint.report.frame import frame


def test_two_lines_before() -> None:
    """Two lines of context before the range, blank ones left out."""
    lines = ["a", "b", "", "d"]
    assert [line.number for line in frame(lines, Range.of(4, 1, 4, 2))] == [2, 4]


def test_carets_cover_the_range() -> None:
    """The carets stand below the range and nowhere else."""
    (line,) = frame(["x = y[:3]"], Range.of(1, 5, 1, 10))
    assert line.carets == (4, 5)


def test_carets_behind_wide_characters() -> None:
    """Characters that take two columns move the carets by two."""
    (line,) = frame(["名 = y[:3]"], Range.of(1, 5, 1, 10))
    assert line.carets == (5, 5)


def test_carets_behind_tabs() -> None:
    """A tab is shown as four spaces."""
    (line,) = frame(["\tx = y"], Range.of(1, 2, 1, 3))
    assert (line.text, line.carets) == ("    x = y", (4, 1))


def test_range_over_several_lines() -> None:
    """Every line of the range is marked, without its indentation."""
    lines = ["x = f(", "    a,", ")"]
    assert [line.carets for line in frame(lines, Range.of(1, 5, 3, 2))] == [(4, 2), (4, 2), (0, 1)]


def test_long_range() -> None:
    """The middle of a long range is left out."""
    lines = [f"line {number}" for number in range(1, 31)]
    numbers = [line.number for line in frame(lines, Range.of(1, 1, 30, 5))]
    assert numbers == [1, 2, 3, 4, 5, 6, None, 30]


def test_long_line() -> None:
    """Of a very long line the part around the range is shown."""
    text = "x" * 5000 + "HERE" + "y" * 5000
    (line,) = frame([text], Range.of(1, 5001, 1, 5005))
    assert line.carets is not None
    before, wide = line.carets
    assert line.text[before : before + wide] == "HERE"
    assert len(line.text) < 200


def test_control_characters() -> None:
    """An escape sequence in the source is spelt out, and the carets follow."""
    (line,) = frame(["\x1b[0m = y"], Range.of(1, 8, 1, 9))
    assert line.text[line.carets[0]] == "y" if line.carets else ""


def test_empty_range() -> None:
    """A range of no width still has a caret."""
    (line,) = frame(["x"], Range.of(1, 2, 1, 2))
    assert line.carets == (1, 1)


def test_range_outside_the_text() -> None:
    """A range that the text does not have gives no frame."""
    assert frame(["x"], Range.of(7, 1, 7, 2)) == []
