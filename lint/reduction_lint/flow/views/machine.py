"""Runs a function symbolically, path by path, with calls of the project's own functions run in place.

Loops are run as one turn for any element; what the turns did is then joined: an object that gets the element on some paths of
the turn is a filtered copy of the source, and the tests on the other paths say what it leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.conditions import drops_for, restrictions
from reduction_lint.flow.views.effects import Effects
from reduction_lint.flow.views.model import (
    ANY,
    NOTHING,
    Drop,
    Event,
    State,
    V,
    der,
    key_of,
    mentions,
    sub,
)

if TYPE_CHECKING:
    from reduction_lint.flow.project import Project
    from reduction_lint.knowledge.phases import Policy, Words

MAX_STEPS = 3000
MAX_PATHS = 24
MAX_DEPTH = 4

Selects = Callable[[Unit], "Policy | None"]


@dataclass(slots=True)
class Frame:
    """One function being run."""

    unit: Unit
    outer: dict[str, V] = field(default_factory=dict)


Way = tuple[int | None, State, V]
"""Where a path got to: a block it was to stop at, or None with the value it returned."""


class Machine(Effects):
    """Runs functions; the log of each path that ends says what happened on it."""

    def __init__(self, project: Project, words: Words, selects: Selects | None = None) -> None:
        """``selects`` tells which callees are selectors; those are not run but give a view."""
        super().__init__(project, words)
        self.selects = selects
        self.steps = 0
        self.limit_hit = False
        self.recursed: set[str] = set()
        """Functions that were called while they were running."""
        self._running: list[str] = []

    def run(self, unit: Unit, params: dict[str, V], state: State | None = None) -> list[tuple[State, V]]:
        """Every way a function can return, with what it returned there."""
        outer = state or State()
        inner = outer.fork()
        inner.env, inner.regs = dict(params), {}
        frame = Frame(unit)
        ends = []
        for at, after, value in self.ways(frame, 0, inner, frozenset()):
            if at is None:
                after.env, after.regs = dict(outer.env), dict(outer.regs)
                ends.append((after, value))
        return ends[:MAX_PATHS]

    def called(self, unit: Unit, params: dict[str, V], state: State) -> list[tuple[State, V]] | None:
        """Run a callee in place; None when it is being run already or too deep."""
        if unit.key in self._running:
            self.recursed.add(unit.key)
        if unit.key in self._running or len(self._running) >= MAX_DEPTH:
            return None
        self._running.append(unit.key)
        try:
            return self.run(unit, params, state)
        finally:
            self._running.pop()

    # -- paths --------------------------------------------------------------------------------------------------------

    def ways(self, frame: Frame, start: int, state: State, stop: frozenset[int]) -> list[Way]:
        """Follow all paths from a block to the blocks in ``stop`` or to a return."""
        blocks = frame.unit.function.blocks
        found: list[Way] = []
        stack: list[tuple[int, State, dict[int, int]]] = [(start, state, {})]
        first = True
        while stack and len(found) < MAX_PATHS:
            number, current, visits = stack.pop()
            if number in stop and not first:
                found.append((number, current, NOTHING))
                continue
            first = False
            self.steps += 1
            turns = visits.get(number, 0) + 1
            if self.steps > MAX_STEPS or turns > 2:
                self.limit_hit = self.limit_hit or self.steps > MAX_STEPS
                continue
            visits = {**visits, number: turns}
            block = blocks[number]
            if block.exc is not None and block.may_raise:
                stack.append((block.exc, current.fork(), visits))
            for after in self._instructions(frame, block, current):
                for target, onward, value in self._leave(frame, number, block, after, stop):
                    if target is None:
                        found.append((None, onward, value))
                    else:
                        stack.append((target, onward, visits))
        return found

    def _instructions(self, frame: Frame, block: ir.Block, state: State) -> list[State]:
        states = [state]
        for instr in block.instrs:
            following: list[State] = []
            for current in states:
                following += self.step(frame.unit, instr, current)
            states = following[:MAX_PATHS]
        return states

    def _leave(self, frame: Frame, number: int, block: ir.Block, state: State, stop: frozenset[int]) -> list[Way]:
        end = block.end
        if isinstance(end, ir.Jump):
            return [(end.target, state, NOTHING)]
        if isinstance(end, ir.Branch):
            return self._branch(frame, end, state)
        if isinstance(end, ir.Fork):
            return [(target, state.fork(), NOTHING) for target in end.targets]
        if isinstance(end, ir.ForNext):
            return self._loop(frame, number, end, state, stop)
        if isinstance(end, ir.Return):
            value = state.regs.get(end.src, NOTHING) if end.src is not None else NOTHING
            return [(None, state, value)]
        return []

    def _branch(self, frame: Frame, end: ir.Branch, state: State) -> list[Way]:
        test = state.regs.get(end.cond, NOTHING)
        ways: list[Way] = []
        for truth, target in ((True, end.true), (False, end.false)):
            value, wanted = test, truth
            while value.kind == "der" and value.name == "not":
                value, wanted = value.ops[0], not wanted
            if state.atoms.get(value, wanted) != wanted or (value.kind == "lit" and bool(_plain(value)) != wanted):
                continue
            branch = state.fork()
            branch.atoms[value] = wanted
            branch.note(Event("test", Place(frame.unit, end.site), value, truth=wanted))
            ways.append((target, branch, NOTHING))
        return ways

    # -- loops --------------------------------------------------------------------------------------------------------

    def _loop(self, frame: Frame, head: int, end: ir.ForNext, state: State, stop: frozenset[int]) -> list[Way]:
        source = state.regs.get(end.src, NOTHING)
        turn = state.fork()
        turn.regs[end.dst] = self.element(turn, source)
        breaks = _after(frame.unit.function.blocks, end.done)
        ways = self.ways(frame, end.body, turn, frozenset({head, end.done, breaks}) | stop)
        returns = [way for way in ways if way[0] is None or (way[0] in stop and way[0] not in (head, breaks))]
        turns = [(at, after) for at, after, _ in ways if at in (head, end.done, breaks)]
        if not turns:
            return [*returns, (end.done, state, NOTHING)]
        return [*returns, (end.done, self._joined(state, source, turns, head, Place(frame.unit, end.site)), NOTHING)]

    def _joined(
        self, before: State, source: V, turns: Sequence[tuple[int | None, State]], head: int, place: Place
    ) -> State:
        """One state after any number of turns."""
        start = len(before.log)
        after = turns[-1][1].fork()
        after.log = before.log + tuple(e for e in _events(turns, start) if e.kind not in ("put", "test"))
        after.atoms = dict(before.atoms)
        for _, turn in turns:
            for number, made in turn.heap.items():
                known = after.heap.get(number)
                if known is None:
                    after.heap[number] = made
                elif known is not made:
                    entries = dict(made.entries) | dict(known.entries)
                    joined = replace(
                        known,
                        entries=tuple(entries.items()),
                        bases=tuple(dict.fromkeys((*known.bases, *made.bases))),
                        extra=tuple(dict.fromkeys((*known.extra, *made.extra))),
                    )
                    after.heap[number] = joined.dropping(*made.drops)
            for name, value in turn.env.items():
                after.env.setdefault(name, value)
        for number in self._filled(before, source, turns, start):
            drops = self._left_out(before, source, turns, start, number, head, place)
            after.heap[number] = after.heap[number].dropping(*drops)
        after.regs = dict(before.regs)
        return after

    def _filled(self, before: State, source: V, turns: Sequence[tuple[int | None, State]], start: int) -> list[int]:
        """The objects from before the loop that some turn puts the element, or something of it, into."""
        origin = origin_of(source)
        found = {
            event.value.number: None
            for _, turn in turns
            for event in turn.log[start:]
            if event.kind == "put" and event.value.number in before.heap and event.value.number not in before.audits
            if any(mentions(turn, arg, sub(origin, ANY)) or mentions(turn, arg, key_of(origin)) for arg in event.args)
        }
        return list(found)

    def _left_out(
        self,
        before: State,
        source: V,
        turns: Sequence[tuple[int | None, State]],
        start: int,
        number: int,
        head: int,
        place: Place,
    ) -> list[Drop]:
        """What the turns that add nothing say about what is left out, and what comes after a ``break``."""
        origin = origin_of(source)
        drops: list[Drop] = []
        if not origin.is_part:
            return drops
        for at, turn in turns:
            events = turn.log[start:]
            adds = any(e.kind == "put" and e.value.number == number for e in events)
            noted = any(e.kind == "audit" for e in events)
            tests = [e for e in events if e.kind == "test"]
            if at != head:
                where = tests[-1].place if tests else place
                drops.append(Drop(sub(origin, ANY), "top", where, noted=noted))
            elif not adds:
                about = [(e, restrictions(turn, e.value, e.truth, origin)) for e in tests]
                telling = next(((e, found) for e, found in reversed(about) if found), None)
                if telling is not None:
                    drops += drops_for(telling[1], origin, telling[0].place, noted, failing=True)
        return drops


def origin_of(source: V) -> V:
    """What a loop goes over: the dict of ``.items()``, the list of ``enumerate`` or ``sorted``."""
    while source.ops and (
        source.kind in ("pairs", "keys", "vals")
        or (source.kind == "der" and source.name in ("enumerate", "sorted", "reversed", "iter", "list", "tuple"))
    ):
        source = source.ops[0]
    return source


def _events(turns: Sequence[tuple[int | None, State]], start: int) -> list[Event]:
    found: dict[Event, None] = {}
    for _, turn in turns:
        found.update(dict.fromkeys(turn.log[start:]))
    return list(found)


def _after(blocks: list[ir.Block], done: int) -> int:
    """Where a ``break`` goes: what an empty block after the loop's end leads to."""
    block = blocks[done]
    if not block.instrs and isinstance(block.end, ir.Jump):
        return block.end.target
    return done


def _plain(value: V) -> object:
    data = value.data
    return data[1] if isinstance(data, tuple) and len(data) == 2 and data[0] in ("bool", "float") else data


__all__ = ["Machine", "der", "origin_of"]
