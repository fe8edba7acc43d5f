"""The shelf: what is kept is what would be made anew, on the lines where it stands now."""

from __future__ import annotations

from reduction_lint.findings import Range
from reduction_lint.shelf import Recent, Shelf
from reduction_lint.syntax.parser import parse

TEXT = "import os\n\n\nclass C(object):  # a class\n    def f(self):\n        return self.x[:3]\n\n\ndef g():\n    return 1\n"


def places(shelf: Shelf, text: str) -> list[Range]:
    """Where the statements of all chunks are."""
    parsed = [shelf.parse(chunk) for chunk in shelf.split(text)]
    return [tree.range_of(statement) for tree in parsed for statement in tree.statements]


def test_kept_trees_move_with_their_text() -> None:
    """A text pushed down by two lines is not parsed again, and its places are right."""
    shelf = Shelf()
    places(shelf, TEXT)
    moved = "\n\n" + TEXT
    fresh = [parse(chunk) for chunk in shelf.split(moved)]
    expected = [tree.range_of(statement) for tree in fresh for statement in tree.statements]
    assert places(shelf, moved) == expected
    kept = [shelf.parse(chunk).module for chunk in shelf.split(moved)]
    assert all(
        mine is theirs for mine, theirs in zip(kept, (shelf.parse(c).module for c in shelf.split(TEXT)), strict=True)
    )


def test_soundness_is_asked_chunk_by_chunk() -> None:
    """A broken chunk makes the text unsound; class headers with comments are no mistake."""
    shelf = Shelf()
    assert shelf.is_sound(TEXT)
    assert not shelf.is_sound(TEXT + "\n\ndef h(:\n    pass\n")
    assert not shelf.is_sound(TEXT.replace("(object):", "(object:"))


def test_least_recently_used_go_first() -> None:
    """What is asked for stays."""
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)
