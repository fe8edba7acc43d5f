"""The state of one path: bindings, heap, what has been captured, which tests were decided how."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from reduction_lint.flow.values import Arena, Kind, Value, parts

MAX_OPTIONS = 16
"""Values that a choice keeps apart."""

AtomKey = tuple[object, ...]
Field = tuple[int, str, object]
"""(object's value id, "attr" or "item", name or literal key)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A syntax node of a function: where something happened. ``function`` is the analysed unit, ``site`` its index."""

    function: object
    site: int


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture that this path has performed."""

    place: Place
    by_reference: bool = False
    awaiting: int | None = None
    """Value id of the coroutine or task that still has to be awaited; None when the capture is complete."""
    note: str = ""
    pointers: frozenset[int] = frozenset()
    """Ids of the values by which the record can be found again: what the call returned, its receiver, its other arguments."""
    in_thread: bool = False
    """It runs in a thread or executor, or its failure is swallowed: not joined means RL105, not RL108."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A reduced form took an original's place on this path; judged when the path ends."""

    event: object
    original: Value
    lost: tuple[Value, ...]
    replacement: Value | None
    status: str
    popped: Value | None = None
    capture: Captured | None = None
    conditions: tuple[tuple[Place, bool], ...] = ()
    """The tests decided before the loss, oldest first."""

    def __hash__(self) -> int:
        """States are compared often, and hashing all conditions of all losses would dominate that."""
        return hash((id(self.event), self.original.id, self.status, len(self.conditions)))


class State:
    """Everything known on one path. Copied when the path forks; never shared between two paths."""

    __slots__ = (
        "at_yield",
        "atoms",
        "captured",
        "conditions",
        "cut",
        "env",
        "heap",
        "lazy",
        "loops",
        "losses",
        "lossy",
        "moved",
        "parts",
        "regs",
        "seen_stops",
        "sent",
        "skips",
        "wired",
    )

    def __init__(self) -> None:
        self.regs: dict[int, Value] = {}
        self.env: dict[str, Value] = {}
        self.heap: dict[Field, Value] = {}
        self.captured: dict[int, Captured] = {}
        self.atoms: dict[AtomKey, bool] = {}
        self.conditions: tuple[tuple[Place, bool], ...] = ()
        """Tests decided on the way, newest last, for the trace."""
        self.losses: tuple[Loss, ...] = ()
        self.loops: dict[int, tuple[int, dict[AtomKey, bool]]] = {}
        self.seen_stops: frozenset[int] = frozenset()
        """Ids of capped model calls whose stop reason was looked at."""
        self.cut: frozenset[int] = frozenset()
        """Ids of model calls whose stop reason said on this path that the answer was cut, and nothing was done about it."""
        self.at_yield: frozenset[int] | None = None
        """Ids of what was captured when the generator yielded for the first time."""
        self.lossy: dict[int, Captured] = {}
        """Values recorded by calls that keep less than the original (extracted facts)."""
        self.lazy: dict[int, dict[int, Captured]] = {}
        """Captures inside generator expressions, by generator: they happen when somebody runs it."""
        self.parts: dict[int, Value] = {}
        """Slices that were captured or iterated on this path, to recognise an equal slice made elsewhere."""
        self.sent: frozenset[int] = frozenset()
        """Ids of values that were handed on whole to something that may keep them."""
        self.moved: frozenset[int] = frozenset()
        """Ids of collections whose entries were added to another one that outlives the call."""
        self.wired: frozenset[int] = frozenset()
        """Ids of copies made here onto which an annotation for the wire was written."""
        self.skips: dict[tuple[int, str], tuple[tuple[Place, Value, bool], ...]] = {}
        """For a loop head and the local that gathers there: (place, test, is about a budget) of what leaves elements out."""

    def fork(self) -> State:
        """An independent copy."""
        other = State()
        other.regs = dict(self.regs)
        other.env = dict(self.env)
        other.heap = dict(self.heap)
        other.captured = dict(self.captured)
        other.atoms = dict(self.atoms)
        other.conditions = self.conditions
        other.losses = self.losses
        other.loops = dict(self.loops)
        other.seen_stops = self.seen_stops
        other.cut = self.cut
        other.at_yield = self.at_yield
        other.lossy = dict(self.lossy)
        other.lazy = dict(self.lazy)
        other.parts = dict(self.parts)
        other.sent = self.sent
        other.skips = self.skips
        other.moved = self.moved
        other.wired = self.wired
        return other

    def signature(self) -> tuple[object, ...]:
        """Equal for states that behave alike."""
        return (
            frozenset((k, v.id) for k, v in self.env.items()),
            frozenset((k, v.id) for k, v in self.heap.items()),
            frozenset(self.captured.items()),
            frozenset(self.atoms.items()),
            frozenset((k, v[0]) for k, v in self.loops.items()),
            self.losses,
            self.seen_stops,
            self.cut,
            frozenset((k, v.id) for k, v in self.regs.items()),
        )

    def coarse(self) -> tuple[object, ...]:
        """Equal for states that may be merged without forgetting a capture or a loss."""
        captured = frozenset((k, c.by_reference, c.awaiting) for k, c in self.captured.items())
        loops = frozenset((k, v[0]) for k, v in self.loops.items())
        return (captured, self.losses, self.seen_stops, self.cut, loops)

    def rebind(self, old: Value, new: Value) -> None:
        """An in-place change turned ``old`` into ``new``: every alias sees it."""
        for name, value in self.env.items():
            if value is old:
                self.env[name] = new
        for key, value in self.heap.items():
            if value is old:
                self.heap[key] = new
        for reg, value in self.regs.items():
            if value is old:
                self.regs[reg] = new


def merge(states: list[State], arena: Arena) -> State:
    """Join paths into one: what they agree on stays, differing bindings become a choice, captures must be on all."""
    first = states[0].fork()
    rest = states[1:]
    for name in list(first.env):
        first.env[name] = choice_of(arena, [first.env[name], *(s.env.get(name, first.env[name]) for s in rest)])
    for key in {key: None for state in states for key in state.heap}:
        known = [state.heap[key] for state in states if key in state.heap]
        if len(known) == len(states) or arena.by_id(key[0]).kind is Kind.BUILD:
            first.heap[key] = choice_of(arena, known)  # what some paths put into a new display may be in it
        else:
            first.heap.pop(key, None)
    for reg in list(first.regs):
        options = [s.regs.get(reg) for s in rest]
        if any(o is not first.regs[reg] for o in options):
            known = [o for o in options if o is not None]
            first.regs[reg] = choice_of(arena, [first.regs[reg], *known])
    first.captured = {k: c for k, c in first.captured.items() if all(k in s.captured for s in rest)}
    first.atoms = {k: v for k, v in first.atoms.items() if all(s.atoms.get(k) == v for s in rest)}
    common = 0
    while all(len(s.conditions) > common for s in states) and len({s.conditions[common] for s in states}) == 1:
        common += 1
    first.conditions = first.conditions[:common]
    first.sent = first.sent.union(*(s.sent for s in rest))
    first.wired = first.wired.union(*(s.wired for s in rest))
    first.moved = first.moved.intersection(*(s.moved for s in rest))
    return first


def choice_of(arena: Arena, options: Iterable[Value]) -> Value:
    """One of several values."""
    flat: dict[int, Value] = {}
    for option in options:
        for value in option.ops if option.kind is Kind.CHOICE else (option,):
            flat[value.id] = value
    ordered = tuple(flat[i] for i in sorted(flat))
    return ordered[0] if len(ordered) == 1 else arena.get(Kind.CHOICE, ordered[:MAX_OPTIONS])


def mark_captured(state: State, value: Value, capture: Captured) -> None:
    """Record a capture of ``value`` and of all it holds; a copy inside it breaks the reference to what it copied."""
    stack: list[tuple[Value, bool]] = [(value, capture.by_reference)]
    seen: set[int] = set()
    while stack and len(seen) < 200:
        part, by_reference = stack.pop()
        if part.id in seen or part.kind is Kind.CONST:
            continue
        seen.add(part.id)
        known = state.captured.get(part.id)
        if known is None or (known.by_reference and not by_reference) or known.awaiting is not None:
            state.captured[part.id] = replace(capture, by_reference=by_reference)
        if part.kind is Kind.REDUCED:
            state.parts[part.id] = part
        if part.kind is Kind.RENDERING:
            stack.append((part.ops[0], by_reference and part.name == "none"))
        elif part.kind is Kind.MAPPED:
            for inner in parts(part.ops[1], 40):
                element = inner
                while element.kind is Kind.ITEM and element.ops[1].data in ("content", "text"):
                    element = element.ops[0]
                if element.kind is Kind.ELEMENT and element.ops[0] is part.ops[0]:
                    stack.append((part.ops[0], False))
                    break
        elif part.kind in (Kind.BUILD, Kind.CONCAT, Kind.CALL):
            stack.extend((op, by_reference) for op in part.ops)
        elif part.kind is Kind.CHOICE and len(part.ops) == 1:
            stack.append((part.ops[0], by_reference))


def coverage(state: State, value: Value) -> Captured | None:
    """The capture that holds ``value`` in full on this path, or None.

    A part of something captured is captured; a collection is when all its members are; an empty thing needs none.
    """
    return _coverage(state, value, 0, {})


def _coverage(state: State, value: Value, depth: int, seen: dict[int, Captured | None]) -> Captured | None:
    """``seen`` keeps the answers for values with several operands: shared operands would be asked for exponentially often."""
    known = state.captured.get(value.id)
    if known is not None:
        return known
    if depth > 12:
        return None
    if state.atoms.get(("empty", value.id)):
        return Captured(Place(None, -1), note="empty")
    kind = value.kind
    if kind is Kind.CONST:
        return Captured(Place(None, -1), note="literal")
    if kind is Kind.REDUCED:
        same = _same_part(state, value)
        return same or _coverage(state, value.ops[0], depth + 1, seen)
    if kind in (Kind.RENDERING, Kind.ITEM, Kind.ELEMENT, Kind.ATTR, Kind.MAPPED):
        return _coverage(state, value.ops[0], depth + 1, seen)
    if kind in (Kind.CONCAT, Kind.BUILD, Kind.CHOICE):
        if value.id not in seen:
            seen[value.id] = _coverage_of_all(state, value, depth, seen)
        return seen[value.id]
    return None


def _coverage_of_all(state: State, value: Value, depth: int, seen: dict[int, Captured | None]) -> Captured | None:
    """The weakest of the captures that hold the operands, or None when one of them is not held."""
    if value.kind is Kind.CONCAT and value.name in ("append", "extend"):
        base = _coverage(state, value.ops[0], depth + 1, seen)
        if base is not None and base.note != "empty":
            return base
    found = []
    for op in value.ops:
        if op.kind is not Kind.CONST:
            held = _coverage(state, op, depth + 1, seen)
            if held is None:
                return None
            found.append(held)
    return min(found, key=lambda c: (not c.by_reference, c.awaiting is None, c.note != "")) if found else None


def _same_part(state: State, value: Value) -> Captured | None:
    """A captured (or empty) slice with the same base and bounds."""
    for candidate in state.parts.values():
        if candidate is not value and candidate.name == value.name and candidate.ops == value.ops:
            known = state.captured.get(candidate.id)
            if known is not None:
                return known
            if state.atoms.get(("empty", candidate.id)):
                return Captured(Place(None, -1), note="empty")
    return None
