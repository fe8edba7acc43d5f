"""Facts about a flow graph that need no states: live registers, which tests can correlate, whether a reduction is possible.

Computed once per function before it is interpreted; they keep the number of distinct states small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.flow import ir
from reduction_lint.flow.loops import Loops, loops_of

_READS = ("src", "obj", "key", "lower", "upper", "step", "func", "recv", "left", "right", "elt", "cond")
_REMOVERS = frozenset({"pop", "popleft", "popitem", "clear", "remove"})


@dataclass(frozen=True, slots=True)
class Plan:
    """``crossing`` are the registers read in another block than the one that wrote them. ``correlated`` are the blocks
    whose test occurs more than once in the function, so that remembering its outcome can matter."""

    crossing: frozenset[int]
    correlated: frozenset[int]
    loops: Loops


def plan_of(function: ir.Function) -> Plan:
    """Compute the plan of a function."""
    crossing: set[int] = set()
    definitions: dict[int, ir.Instr] = {}
    for block in function.blocks:
        local: set[int] = set()
        for instr in block.instrs:
            crossing.update(r for r in reads(instr) if r not in local)
            dst = getattr(instr, "dst", None)
            if dst is not None:
                local.add(dst)
                definitions[dst] = instr
        if block.end is not None:
            crossing.update(r for r in reads(block.end) if r not in local)
        if isinstance(block.end, ir.ForNext):
            crossing.add(block.end.dst)
    tests: dict[int, str] = {}
    for number, block in enumerate(function.blocks):
        if isinstance(block.end, ir.Branch):
            tests[number] = _test_key(block.end.cond, definitions)
    counts = Counter(tests.values())
    correlated = frozenset(number for number, key in tests.items() if counts[key] > 1)
    return Plan(frozenset(crossing), correlated, loops_of(function))


def reads(instr: ir.Instr | ir.Terminator) -> Iterator[int]:
    """The registers that an instruction or terminator reads."""
    for name in _READS:
        value = getattr(instr, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            yield value
    if isinstance(instr, ir.Call):
        yield from (reg for reg, _ in instr.args)
        yield from (reg for _, reg in instr.kwargs)
    elif isinstance(instr, ir.Build):
        yield from instr.items
        yield from (key for key in instr.keys if key is not None)
    elif isinstance(instr, ir.Comp):
        yield from instr.conds


def _test_key(reg: int, definitions: dict[int, ir.Instr], depth: int = 0) -> str:
    """A text that is equal for tests of the same thing: negations and comparisons with None are peeled off."""
    instr = definitions.get(reg)
    if instr is None or depth > 10:
        return f"r{reg}"
    if isinstance(instr, ir.Name):
        return instr.name
    if isinstance(instr, ir.Attr):
        return f"{_test_key(instr.obj, definitions, depth + 1)}.{instr.name}"
    if isinstance(instr, ir.Const):
        return repr(instr.value)
    if isinstance(instr, ir.Compare):
        left = _test_key(instr.left, definitions, depth + 1)
        if instr.right is None:
            return left
        right = _test_key(instr.right, definitions, depth + 1)
        if right == "None":
            return left
        op = {"!=": "==", "<=": ">", ">=": "<", "not in": "in", "is not": "is"}.get(instr.op, instr.op)
        return f"{left} {op} {right}"
    if isinstance(instr, ir.Call):
        head = instr.method or (_test_key(instr.func, definitions, depth + 1) if instr.func is not None else "")
        args = ", ".join(_test_key(a, definitions, depth + 1) for a, _ in instr.args)
        return f"{head}({args})"
    if isinstance(instr, ir.Move):
        return f"r{reg}"
    return f"{type(instr).__name__}{reg}"


def may_reduce(function: ir.Function, interesting: frozenset[str]) -> bool:
    """Can the function hold a reduction, a library reduction or a capped call? Over-approximates.

    ``interesting`` are the last names of modelled reducers and the names of cap arguments.
    """
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, (ir.Slice, ir.DelSlice, ir.SetSlice, ir.DelItem)):
                return True
            if isinstance(instr, ir.Comp) and instr.filtered:
                return True
            if isinstance(instr, ir.Call) and _call_matters(instr, interesting):
                return True
            if isinstance(instr, ir.Name) and (instr.name in interesting or "summar" in instr.name.lower()):
                return True
            if isinstance(instr, (ir.SetAttr, ir.SetItem)):
                return True
            if isinstance(instr, ir.Func) and may_reduce(instr.function, interesting):
                return True
    if loops_of(function).skips:
        return True
    return any(may_reduce(nested, interesting) for nested in function.nested)


def _call_matters(call: ir.Call, interesting: frozenset[str]) -> bool:
    name = call.method
    if name in _REMOVERS or name in interesting or "summar" in name.lower() or "compact" in name.lower():
        return True
    return any(key in interesting or key == "maxlen" for key, _ in call.kwargs if key)
