"""What a message is made of: its role, its text, and whether it says of itself that it is no conversation."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from reduction_lint.flow.state import State
from reduction_lint.flow.values import Kind, Value, is_constructor

_CONTENT = ("content", "text", "parts", "message")
_MOST = 24


@dataclass(frozen=True, slots=True)
class Said:
    """One text on its way into a transcript. ``marks`` are the other literal fields of its message."""

    text: Value
    role: str = ""
    marks: tuple[tuple[str, object], ...] = ()


def texts_of(value: Value, s: State, depth: int = 0) -> Iterator[Said]:
    """The texts in a message, in a list of messages, or in a plain text."""
    if depth > 5:
        return
    if value.kind is Kind.BUILD and value.name == "dict":
        yield from _of_fields(dict(_items(value, s)), s, depth)
    elif value.kind is Kind.BUILD and value.name in ("list", "tuple"):
        for op in value.ops[:_MOST]:
            yield from texts_of(op, s, depth + 1)
    elif value.kind is Kind.CHOICE:
        for op in value.ops:
            yield from texts_of(op, s, depth + 1)
    elif is_constructor(value):
        yield from _of_constructor(value, s, depth)
    elif value.kind is Kind.RENDERING and value.name != "deep":
        yield from texts_of(value.ops[0], s, depth + 1)
    else:
        yield Said(value)


def dict_keys(value: Value) -> tuple[object, ...]:
    """The keys of a dict display: literals, None for what is spread, something else for computed keys."""
    return _read_keys(value.data) if value.kind is Kind.BUILD and isinstance(value.data, str) else ()


@lru_cache(maxsize=4096)
def _read_keys(written: str) -> tuple[object, ...]:
    try:
        keys = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        return ()
    return keys if isinstance(keys, tuple) else ()


def _items(value: Value, s: State) -> Iterator[tuple[str, Value]]:
    for key, item in zip(dict_keys(value), value.ops, strict=False):
        if isinstance(key, str):
            yield key, item
    for (owner, kind, key), item in s.heap.items():
        if owner == value.id and kind == "item" and isinstance(key, str):
            yield key, item


def of_arguments(keywords: dict[str, Value], others: tuple[Value, ...], s: State) -> Iterator[Said]:
    """The texts in the arguments of a call that adds a message."""
    if any(name in keywords for name in _CONTENT):
        yield from _of_fields(keywords, s, 1)
        return
    literal = next(
        (o.data for o in others if o.kind is Kind.CONST and isinstance(o.data, str) and " " not in o.data), ""
    )
    for other in (*others, *keywords.values()):
        for said in texts_of(other, s):
            if said.text.kind is not Kind.CONST or said.text.data != literal:
                yield Said(said.text, said.role or str(literal), said.marks)


def _of_fields(fields: dict[str, Value], s: State, depth: int) -> Iterator[Said]:
    role = fields["role"].data if "role" in fields else ""
    marks = tuple((key, value.data) for key, value in fields.items() if key not in _CONTENT and key != "role")
    for key in _CONTENT:
        if key in fields:
            for said in texts_of(fields[key], s, depth + 1):
                yield Said(said.text, role if isinstance(role, str) else "", (*marks, *said.marks))


def _of_constructor(value: Value, s: State, depth: int) -> Iterator[Said]:
    """``HumanMessage(content=text)``, ``Message("user", text)``."""
    names: tuple[object, ...] = ()
    first = len(value.ops)
    if isinstance(value.data, tuple) and value.data:
        first, *rest = value.data
        names = tuple(rest)
    named = {str(name): op for name, op in zip(names, value.ops[first:], strict=False)}
    yield from (
        (Said(said.text, said.role or value.name, said.marks) for said in of_arguments(named, value.ops[:first], s))
        if depth < 4
        else ()
    )


def literal_text(value: Value) -> tuple[str, list[Value]]:
    """The literal words of a text and the values between them."""
    words: list[str] = []
    others: list[Value] = []
    stack, seen = [value], 0
    while stack and seen < 80:
        part = stack.pop()
        seen += 1
        if part.kind is Kind.CONST:
            words.append(str(part.data) if isinstance(part.data, str) else "")
        elif (
            part.kind in (Kind.CONCAT, Kind.RENDERING, Kind.BUILD) and part.name != "dict"
        ) or part.kind is Kind.CHOICE:
            stack.extend(reversed(part.ops))
        else:
            others.append(part)
    return " ".join(words), others
