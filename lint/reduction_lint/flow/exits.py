"""Few exits stand for many: what callers see of a function with more ways out than they can follow."""

from __future__ import annotations

from collections.abc import Sequence

from reduction_lint.flow.state import choice_of
from reduction_lint.flow.unit import Exit
from reduction_lint.flow.values import Arena

MAX_EXITS = 4


def merged_exits(exits: Sequence[Exit], arena: Arena) -> tuple[Exit, ...]:
    """At most :data:`MAX_EXITS` exits. Those that capture and write alike are merged first; of the rest, what all of them
    capture and write stays, so that no capture is claimed for a path that has none."""
    if len(exits) <= MAX_EXITS:
        return tuple(exits)
    groups: dict[tuple[object, ...], list[Exit]] = {}
    for exit_ in exits:
        captured = frozenset((value.id, c.by_reference, c.awaiting) for value, c in exit_.captured)
        writes = frozenset((field, value.id) for _, field, value in exit_.writes)
        groups.setdefault((captured, writes, exit_.stops_read), []).append(exit_)
    merged = [_merge(group, arena) for group in groups.values()]
    if len(merged) > MAX_EXITS:
        merged[MAX_EXITS - 1 :] = [_merge(merged[MAX_EXITS - 1 :], arena)]
    return tuple(merged)


def _merge(exits: Sequence[Exit], arena: Arena) -> Exit:
    if len(exits) == 1:
        return exits[0]
    first, *rest = exits
    others = [{value.id: capture for value, capture in exit_.captured} for exit_ in rest]
    captured = tuple((value, c) for value, c in first.captured if all(value.id in other for other in others))
    written = [{field: value for _, field, value in exit_.writes} for exit_ in rest]
    writes = tuple(
        (owner, field, choice_of(arena, [value, *(other[field] for other in written)]))
        for owner, field, value in first.writes
        if all(field in other for other in written)
    )
    return Exit(
        captured,
        writes,
        choice_of(arena, [exit_.result for exit_ in exits]),
        first.before_yield.intersection(*(exit_.before_yield for exit_ in rest)),
        first.stops_read.intersection(*(exit_.stops_read for exit_ in rest)),
    )
