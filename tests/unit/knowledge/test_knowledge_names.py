"""Names are matched by glob, without case and underscores, and by whole words where a pattern asks for it."""

from __future__ import annotations

import pytest
from reduction_lint.knowledge.names import NameGlobs, split_name, squash


@pytest.mark.parametrize("name", ["session_log", "SessionLog", "_session_log", "sessionLog", "sessionlog"])
def test_case_and_underscores_do_not_matter(name: str) -> None:
    """One pattern fits a name however it is written."""
    assert NameGlobs(["session_log"]).match(name)


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("*_log", "session_log", True),
        ("*_log", "RunLog", True),
        ("*_log", "log", False),
        ("*_log", "catalog", False),
        ("*_log", "dialog", False),
        ("*log", "catalog", True),
        ("sidecar_*", "sidecar_writer", True),
        ("sidecar_*", "sidecars", False),
        ("*_judge_*", "run_judge_pass", True),
        ("*_judge_*", "judge_pass", False),
        ("*imported_prefix*", "self_imported_prefix_len", True),
        ("raw?", "raw1", True),
        ("raw?", "raw", False),
    ],
)
def test_a_star_beside_an_underscore_asks_for_whole_words(pattern: str, name: str, expected: bool) -> None:
    """``*_x`` needs the word x with another word before it; ``*x`` needs the letters only."""
    assert NameGlobs([pattern]).match(name) is expected


def test_alternatives_are_split_at_bars() -> None:
    """One string may hold several patterns."""
    globs = NameGlobs(["history|*_history", "turns"])
    assert globs.patterns == ("history", "*_history", "turns")
    assert all(globs.match(name) for name in ("history", "chat_history", "turns"))


@pytest.mark.parametrize("name", ["", "_", "__"])
def test_a_name_without_letters_fits_nothing(name: str) -> None:
    """Not even a lone star fits a name that says nothing."""
    assert not NameGlobs(["*"]).match(name)


def test_no_patterns_fit_nothing() -> None:
    """An empty list is false and matches nothing."""
    assert not NameGlobs([])
    assert not NameGlobs([]).match("history")


def test_a_name_is_split_at_capitals_digits_and_underscores() -> None:
    """The offsets tell where words begin and where the name ends."""
    assert split_name("HTMLPage2_text") == ("htmlpage2text", frozenset({0, 4, 8, 9, 13}))
    assert squash("HTML_Page") == "htmlpage"
