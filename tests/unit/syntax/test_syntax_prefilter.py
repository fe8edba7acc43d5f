"""Words in raw text."""

from __future__ import annotations

from reduction_lint.syntax.prefilter import Prefilter


def test_bytes_are_matched() -> None:
    """A file matches if any word occurs, also inside a longer word."""
    words = Prefilter(["append", "résumé"])
    assert words.matches(b"log.append_turn(x)")
    assert words.matches("# résumé".encode())
    assert not words.matches(b"log.add(x)")


def test_overlapping_words_are_all_found() -> None:
    """A word that is part of another is found with it."""
    assert Prefilter(["append", "append_turn", "turn", "other"]).found("x.append_turn()") == {
        "append",
        "append_turn",
        "turn",
    }


def test_no_words_match_nothing() -> None:
    """Without words, or with empty ones, nothing matches."""
    words = Prefilter(["", ""])
    assert not words.matches(b"anything")
    assert words.found("anything") == set()
