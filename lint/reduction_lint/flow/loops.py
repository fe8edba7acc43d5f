"""Loops that gather: which local collects what a loop visits, and which tests leave elements out.

``for line in lines: if total > limit: continue; kept.append(line)`` reduces ``lines`` as surely as a slice does. The structure
is found once per function on its graph; whether a test is about a budget is for the interpreter, which knows the values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reduction_lint.flow import ir

_GATHERING = frozenset({"append", "appendleft", "add", "extend", "insert"})


@dataclass(frozen=True, slots=True)
class Skip:
    """A test inside a loop after which the element is left out: ``when`` is the outcome that does it."""

    head: int
    name: str
    """The local that gathers."""
    when: bool
    stops: bool
    """The rest of the elements is left out as well (``break``)."""


@dataclass(frozen=True, slots=True)
class Loops:
    """``skips`` by the block of the test; ``left`` gives the loop heads that an edge (block, target) leaves."""

    skips: dict[int, tuple[Skip, ...]]
    left: dict[tuple[int, int], tuple[int, ...]]


def loops_of(function: ir.Function) -> Loops:
    """Find the gathering loops of a function."""
    blocks = function.blocks
    heads = [number for number, block in enumerate(blocks) if block.loop_head]
    if not heads:
        return Loops({}, {})
    following = [_successors(block) for block in blocks]
    preceding: list[list[int]] = [[] for _ in blocks]
    for number, targets in enumerate(following):
        for target in targets:
            preceding[target].append(number)
    skips: dict[int, list[Skip]] = {}
    left: dict[tuple[int, int], list[int]] = {}
    for head in heads:
        body = _body(head, following, preceding)
        gathering = _gathering(function, body)
        if not gathering:
            continue
        for number in body:
            for target in following[number]:
                if target not in body:
                    left.setdefault((number, target), []).append(head)
        for name, places in gathering.items():
            for number, skip in _skips(blocks, body, head, name, places, following):
                skips.setdefault(number, []).append(skip)
    return Loops({k: tuple(v) for k, v in skips.items()}, {k: tuple(v) for k, v in left.items()})


def _successors(block: ir.Block) -> list[int]:
    end = block.end
    if isinstance(end, ir.Jump):
        return [end.target]
    if isinstance(end, ir.Branch):
        return [end.true, end.false]
    if isinstance(end, ir.Fork):
        return list(end.targets)
    return [end.body, end.done] if isinstance(end, ir.ForNext) else []


def _body(head: int, following: list[list[int]], preceding: list[list[int]]) -> frozenset[int]:
    """The natural loop of a head: what leads to the edges that come back to it from blocks that it dominates."""
    around = _reach([0], following, head) if head else set()
    latches = [number for number in preceding[head] if number not in around]
    return frozenset(_reach(latches, preceding, head) | {head})


def _reach(start: Iterable[int], edges: list[list[int]], stop: int) -> set[int]:
    seen: set[int] = set()
    stack = list(start)
    while stack:
        number = stack.pop()
        if number in seen or number == stop:
            continue
        seen.add(number)
        stack.extend(edges[number])
    return seen


def _gathering(function: ir.Function, body: frozenset[int]) -> dict[str, set[int]]:
    """Local name -> blocks of the body in which something is added to it."""
    found: dict[str, set[int]] = {}
    begun_anew: set[str] = set()
    for number in body:
        loaded: dict[int, str] = {}
        grown: dict[int, str] = {}
        for instr in function.blocks[number].instrs:
            if isinstance(instr, ir.Name):
                loaded[instr.dst] = instr.name
            elif isinstance(instr, ir.Call) and instr.method in _GATHERING and instr.recv in loaded:
                found.setdefault(loaded[instr.recv], set()).add(number)
            elif isinstance(instr, ir.Bin) and instr.op.startswith("Add") and instr.left in loaded:
                grown[instr.dst] = loaded[instr.left]
            elif isinstance(instr, ir.SetName) and grown.get(instr.src) == instr.name:
                found.setdefault(instr.name, set()).add(number)
            elif isinstance(instr, ir.SetName):
                begun_anew.add(instr.name)
    return {name: places for name, places in found.items() if name not in begun_anew}


def _skips(
    blocks: list[ir.Block],
    body: frozenset[int],
    head: int,
    name: str,
    places: set[int],
    following: list[list[int]],
) -> Iterable[tuple[int, Skip]]:
    """Tests with one outcome after which nothing more can be added in this turn, while the other still can, or goes on."""
    inside = [[target for target in targets if target in body] for targets in following]
    for number in body:
        end = blocks[number].end
        if not isinstance(end, ir.Branch) or number == head:
            continue
        adds, returns = [], []
        for target in (end.true, end.false):
            within = _reach([target], inside, head) & body if target in body else set()
            adds.append(bool(within & places))
            returns.append(target == head or any(head in following[n] for n in within))
        if adds[0] != adds[1]:
            skipping = 1 if adds[0] else 0
            yield number, Skip(head, name, skipping == 0, not returns[skipping])
        elif returns[0] != returns[1] and not adds[0]:
            skipping = 1 if returns[0] else 0
            yield number, Skip(head, name, skipping == 0, True)
