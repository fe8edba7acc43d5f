"""Whose object is it? Follows copies level by level: a shallow copy is new, what it holds is not."""

from __future__ import annotations

from collections.abc import Iterable

from reduction_lint.flow.messages import dict_keys
from reduction_lint.flow.values import Kind, Value

_DEEP = 14
_LINKS = frozenset({Kind.ITEM, Kind.ELEMENT, Kind.ATTR, Kind.RENDERING, Kind.REDUCED})


def kept_root(value: Value, depth: int = 0) -> Value | None:
    """The parameter or module-level value that a change of this object is seen through; None for what was made here."""
    kind = value.kind
    if depth > _DEEP:
        return None
    if kind in (Kind.PARAM, Kind.GLOBAL):
        return value
    if not value.ops:
        return None
    if kind is Kind.ATTR:
        owner = value.ops[0]
        return kept_members(owner, depth + 1) if owner.kind is Kind.RENDERING else kept_root(owner, depth + 1)
    if kind in (Kind.ITEM, Kind.ELEMENT):
        return kept_members(value.ops[0], depth + 1)
    if kind is Kind.CHOICE:
        return _first(kept_root(op, depth + 1) for op in value.ops)
    same = (
        (kind is Kind.CONCAT and value.name in ("append", "extend"))
        or (kind is Kind.RENDERING and value.name == "none")
        or (kind is Kind.REDUCED and value.name == "removed")
    )
    return kept_root(value.ops[0], depth + 1) if same else None


def kept_members(container: Value, depth: int = 0) -> Value | None:
    """The same for what a container holds."""
    kind = container.kind
    if depth > _DEEP:
        return None
    if kind is Kind.RENDERING:
        return None if container.name == "deep" else kept_members(container.ops[0], depth + 1)
    if kind is Kind.REDUCED:
        return kept_members(container.ops[0], depth + 1)
    if kind is Kind.MAPPED:
        return kept_root(container.ops[1], depth + 1)
    if kind is Kind.CONCAT:
        return _first(kept_members(op, depth + 1) for op in container.ops)
    if kind is Kind.CHOICE:
        return _first(kept_members(op, depth + 1) for op in container.ops)
    if kind is Kind.BUILD:
        spread = container.data if isinstance(container.data, tuple) else ()
        found = (
            kept_members(op, depth + 1) if _is_spread(container, spread, n) else kept_root(op, depth + 1)
            for n, op in enumerate(container.ops)
        )
        return _first(found)
    if kind in (Kind.ITEM, Kind.ELEMENT):
        held = _elements(container.ops[0], depth + 1)
        if held:
            return _first(kept_members(op, depth + 1) for op in held)
    return kept_root(container, depth + 1)


def _elements(container: Value, depth: int) -> list[Value]:
    """What a container made here holds, one level down; [] when it holds what it did before."""
    if depth > _DEEP:
        return []
    if container.kind is Kind.MAPPED:
        return [container.ops[1]]
    if container.kind in (Kind.RENDERING, Kind.REDUCED) and container.name != "deep":
        return _elements(container.ops[0], depth + 1)
    return []


def made_here(value: Value) -> Value:
    """The copy or display that an object lies in (or is): what one has to hand out for the object to live on."""
    for _ in range(_DEEP):
        if value.kind not in (Kind.ITEM, Kind.ELEMENT, Kind.ATTR) or not value.ops:
            break
        value = value.ops[0]
    return value


def chain(value: Value) -> list[Value]:
    """The value and everything that it is reached through, outermost object last."""
    found = [value]
    while value.ops and len(found) < 20:
        grown = value.kind is Kind.CONCAT and value.name in ("append", "extend")
        if value.kind not in _LINKS and not grown:
            break
        value = value.ops[0]
        found.append(value)
    return found


def _is_spread(container: Value, spread: tuple[object, ...], index: int) -> bool:
    """Is this operand of a display starred, so that its members are the display's?"""
    if container.name == "dict":
        keys = dict_keys(container)
        return index < len(keys) and keys[index] is None
    return index < len(spread) and spread[index] is True


def _first(found: Iterable[Value | None]) -> Value | None:
    return next((root for root in found if root is not None), None)
