"""Value numbers: equal descriptions are one value, and the questions asked of them."""

from __future__ import annotations

from reduction_lint.flow.values import Arena, Kind, Value, holds, is_empty, parts, path_text, reductions_of, root

ARENA = Arena()
SELF = ARENA.get(Kind.PARAM, name="self")
MESSAGES = ARENA.get(Kind.ATTR, (SELF,), name="messages")
NONE = ARENA.const(None)


def sliced(value: Value, lower: int | None, upper: int | None) -> Value:
    """``value[lower:upper]``."""
    return ARENA.get(Kind.REDUCED, (value, ARENA.const(lower), ARENA.const(upper), NONE), name="slice")


def test_equal_descriptions_are_one_value() -> None:
    """Two loads of the same attribute share their number."""
    assert ARENA.get(Kind.ATTR, (SELF,), name="messages") is MESSAGES


def test_true_and_one_are_two_values() -> None:
    """Literals of different types do not fall together."""
    assert ARENA.const(True) is not ARENA.const(1)


def test_containers_and_renderings_hold_what_they_were_made_of() -> None:
    """A dict with a JSON text of the list still holds all of it."""
    text = ARENA.get(Kind.RENDERING, (MESSAGES,), name="deep")
    record = ARENA.get(Kind.BUILD, (text,), name="dict")
    assert holds(record, MESSAGES)
    assert MESSAGES in list(parts(record))


def test_a_slice_does_not_hold_its_list() -> None:
    """A part is a reduction of the whole, not a holder of it."""
    part = sliced(MESSAGES, -10, None)
    assert not holds(part, MESSAGES)
    assert reductions_of(part, MESSAGES) == [part]


def test_a_summary_is_found_through_the_path_to_its_text() -> None:
    """``reply.choices[0].message.content`` of a call that was given the list."""
    reply = ARENA.get(Kind.SUMMARY, (MESSAGES,), qual="model")
    text = ARENA.get(Kind.ATTR, (reply,), name="content")
    assert reductions_of(ARENA.get(Kind.BUILD, (text,), name="list"), MESSAGES) == [reply]


def test_roots_and_paths() -> None:
    """The object that an access path starts from, and its readable form."""
    content = ARENA.get(Kind.ITEM, (ARENA.get(Kind.ITEM, (MESSAGES, ARENA.const(0))), ARENA.const("content")))
    assert root(content) is SELF
    assert path_text(content) == "self.messages[0]['content']"


def test_emptiness() -> None:
    """Empty displays, empty text and None are empty; a display with members is not."""
    assert is_empty(ARENA.get(Kind.BUILD, name="list"))
    assert is_empty(ARENA.const(""))
    assert not is_empty(ARENA.get(Kind.BUILD, (MESSAGES,), name="list"))
