"""Is an exclusion noted in the audit, and is it only its path that is noted?"""

from __future__ import annotations

from reduction_lint.flow.views.model import ANY, Drop, Event, State, V
from reduction_lint.knowledge.phases import Words

_RENDERS = frozenset(
    ["fstring", "str", "repr", "dumps", "dict", "list", "tuple", "deepcopy", "copy", "format", "join", "Add", "slice",
     "enumerate", "sorted", "reversed", "encode"]
)  # fmt: skip


def is_noted(state: State, drop: Drop) -> bool:
    """Did this path note the exclusion?"""
    if drop.noted:
        return True
    return any(covers(state, arg, drop) for event in state.log if event.kind == "audit" for arg in event.args)


def covers(state: State, value: V, drop: Drop, depth: int = 0) -> bool:
    """Does what was put into the audit name what is left out?"""
    if depth > 6:
        return False
    names = [key for key in drop.part.path if key != ANY]
    if drop.how == "allow" or not names:
        return value.kind != "lit" or isinstance(value.data, str)
    if value.kind == "lit":
        return isinstance(value.data, str) and _names(value.data, names)
    if value.kind == "oneof" and isinstance(value.data, tuple):
        return any(isinstance(text, str) and _names(text, names) for text in value.data)
    if value.kind == "der" and value.name in ("fstring", "Add", "join", "format"):
        return any(op.kind in ("key", "param", "glob") or covers(state, op, drop, depth + 1) for op in value.ops)
    made = state.obj(value)
    if made is not None:
        return any(covers(state, v, drop, depth + 1) for v in (*(e for _, e in made.entries), *made.extra, *made.bases))
    return not (value.kind == "der" and value.name == "position")


def _names(text: str, names: list[str]) -> bool:
    lowered = text.lower()
    if not any(char.isalnum() for char in lowered):
        return "*" in lowered
    return any(name.lower().strip("*") in lowered for name in names)


def copied_contents(state: State, event: Event, words: Words) -> V | None:
    """The part of a canonical context whose contents an entry of the audit copies, if it does."""
    for arg in event.args:
        found = _contents(state, arg, words)
        if found is not None:
            return found
    return None


def _contents(state: State, value: V, words: Words, depth: int = 0) -> V | None:
    if depth > 8:
        return None
    if value.kind == "sub" and value.is_part:
        return None if words.ids.match(value.field) else value
    made = state.obj(value)
    if made is not None:
        inside = (*(entry for _, entry in made.entries), *made.extra, *made.bases)
        return next((f for v in inside if (f := _contents(state, v, words, depth + 1)) is not None), None)
    if value.kind == "root":
        return value
    if value.kind in ("pairs", "vals") or (value.kind == "der" and value.name in _RENDERS):
        return next((f for op in value.ops if (f := _contents(state, op, words, depth + 1)) is not None), None)
    return None
