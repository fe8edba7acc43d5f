"""What a loop gathered: a part of what it visited, where a test left elements out."""

from __future__ import annotations

import re

from reduction_lint.flow.calls import CallEffects
from reduction_lint.flow.loops import Skip
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.values import Kind, Value, is_empty

_LIMIT = re.compile(
    r"max|limit|budget|(?:^|_)cap(?:$|_)|quota|window|allow|ceiling|remain|_left$|top_?[kn]$|^[kn]$", re.I
)
_SURPLUS = re.compile(r"to_(?:remove|drop|trim|evict|cut|delete|skip)|excess|surplus|overflow|over_by", re.I)
_NO_AMOUNT = re.compile(
    r"time|deadline|elapsed|attempt|retr|tries|turn|iter|depth|score|simil|dist|thresh|prob|rank|round|version|date"
    r"|step|index|level|error|fail",
    re.I,
)


class Gathering(CallEffects):
    """Follows loops that collect."""

    def may_skip(self, state: State, skip: Skip, test: Value, site: int) -> None:
        """A test on the way decides whether an element is gathered; remembered on both outcomes."""
        key = (skip.head, skip.name)
        known = state.skips.get(key, ())
        place = Place(self.unit, site)
        if len(known) < 4 and all(place != other for other, _, _ in known):
            budget = about_budget(test)
            if budget or not skip.stops:
                state.skips = {**state.skips, key: (*known, (place, test, budget))}

    def loop_left(self, state: State, head: int) -> None:
        """After the loop: what its locals gathered is a part of what it visited."""
        for (loop, name), tests in state.skips.items():
            value = state.env.get(name)
            if loop != head or value is None:
                continue
            gathered = self._gathered(value)
            if gathered is None:
                continue
            base, element = gathered
            part = self._part_of(element, tests)
            if part is None:
                continue
            part.hints.add(name)
            whole = part if is_empty(base) else self.arena.get(Kind.CONCAT, (base, part), name="extend", key=("loop",))
            self.rebind(state, value, whole)
            state.env[name] = whole

    def _gathered(self, value: Value) -> tuple[Value, Value] | None:
        """(what was there before, the element added in the loop) of a local that grew."""
        if value.kind is not Kind.CONCAT or not value.ops[1].ops:
            return None
        base, added = value.ops
        if base.kind is Kind.CONST and not isinstance(base.data, (str, bytes)):
            return None  # a number that is summed up
        if base.kind is Kind.CONCAT and not is_empty(base):
            deeper = self._gathered(base)
            if deeper is not None:
                return deeper
        return base, added.ops[0] if value.name == "append" else added

    def _part_of(self, element: Value, tests: tuple[tuple[Place, Value, bool], ...]) -> Value | None:
        """The part of the visited collection (or stream) that got through the tests."""
        visited = _visited(element)
        identity = visited is not None and element is not None and _same(element, visited)
        budget = [(place, test) for place, test, about in tests if about]
        source = visited.ops[0] if visited is not None else element
        if budget:
            for place, _ in budget:
                source = self.reduced(source, "limit", (), place.site)
        elif identity:
            source = self.reduced(source, "filter", tuple(test for _, test, _ in tests), tests[0][0].site)
        else:
            return None
        if visited is None or identity:
            return source
        return self.arena.get(Kind.MAPPED, (source, element), name="list", key=(self.unit.key, tests[0][0].site))


def _visited(element: Value) -> Value | None:
    """The ELEMENT that a gathered value was made from."""
    stack, seen = [element], 0
    while stack and seen < 40:
        value = stack.pop()
        seen += 1
        if value.kind is Kind.ELEMENT:
            return value
        stack.extend(value.ops)
    return None


def _same(element: Value, visited: Value) -> bool:
    while element.kind is Kind.RENDERING:
        element = element.ops[0]
    return element is visited


def about_budget(test: Value) -> bool:
    """Does a comparison hold an amount against a limit (``total + n > max_tokens``, ``len(kept) >= 20``)?"""
    while test.kind is Kind.DERIVED and test.name == "not":
        test = test.ops[0]
    if test.kind is not Kind.DERIVED or test.name not in ("<", ">", "<=", ">=") or len(test.ops) != 2:
        return False
    names = [_named(op) for op in test.ops]
    if any(_SURPLUS.search(word) for side in names for word in side):
        return True
    if any(_NO_AMOUNT.search(word) for side in names for word in side):
        return False
    return any(_is_limit(op, side) for op, side in zip(test.ops, names, strict=True)) and any(
        _is_amount(op) for op in test.ops
    )


def _is_limit(value: Value, names: list[str]) -> bool:
    if value.kind is Kind.CONST:
        return isinstance(value.data, (int, float)) and not isinstance(value.data, bool) and value.data >= 3
    return any(_LIMIT.search(word) for word in names)


def _is_amount(value: Value) -> bool:
    """A length, a sum, a count, or a number that grows in the loop."""
    stack, seen = [value], 0
    while stack and seen < 30:
        part = stack.pop()
        seen += 1
        if part.kind is Kind.DERIVED and part.name in ("len", "sum"):
            return True
        if part.kind is Kind.CONST and isinstance(part.data, (int, float)) and part is value:
            return True
        if part.kind is Kind.CONCAT or (part.kind is Kind.DERIVED and part.name in ("Add", "Subtract")):
            stack.extend(part.ops)
        if part.kind is Kind.CALL and re.search(r"count|token|len|size|estimat|measure", part.name or part.qual, re.I):
            return True
        if any(re.search(r"total|count|size|token|char|length|used|bytes|words", hint, re.I) for hint in part.hints):
            return True
    return False


def _named(value: Value) -> list[str]:
    """The names in an amount or a limit."""
    found: list[str] = []
    stack, seen = [value], 0
    while stack and seen < 30:
        part = stack.pop()
        seen += 1
        found.extend(part.hints)
        if part.kind in (Kind.PARAM, Kind.ATTR, Kind.CALL) and part.name:
            found.append(part.name)
        elif part.kind is Kind.GLOBAL:
            found.append(part.qual.rpartition(".")[2])
        elif part.kind is Kind.ITEM and isinstance(part.ops[1].data, str):
            found.append(part.ops[1].data)
        if part.kind in (Kind.DERIVED, Kind.CONCAT, Kind.CHOICE) and part.name != "len":
            stack.extend(part.ops)
    return found


__all__ = ["Gathering", "about_budget"]
