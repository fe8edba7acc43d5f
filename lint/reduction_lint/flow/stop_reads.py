"""Which reads of a stop reason are no look at it: what is read is never used, goes only to a log, or into a table that calls
every unknown reason a natural end. A question of definitions and uses, so the paths do not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reduction_lint.flow import ir
from reduction_lint.flow.plan import reads

_THROUGH = (ir.Attr, ir.Item, ir.Move, ir.Build)
_MOST = 60


class StopReads:
    """Definitions and uses of one function."""

    def __init__(
        self, function: ir.Function, is_logger: Callable[[str], bool], is_lossy: Callable[[str, object], bool]
    ) -> None:
        """``is_lossy`` is asked with the name of a module-level table and the default that is given for what it lacks."""
        self._is_logger = is_logger
        self._is_lossy = is_lossy
        self._uses: dict[int, list[ir.Instr | ir.Terminator]] = {}
        self._loads: dict[str, list[int]] = {}
        self._made: dict[int, ir.Instr] = {}
        self._foreign = {name for nested in function.nested for name in _loaded(nested)} | function.globals
        for block in function.blocks:
            for instr in block.instrs:
                self._note(instr)
            if block.end is not None:
                self._note(block.end)

    def _note(self, instr: ir.Instr | ir.Terminator) -> None:
        for reg in reads(instr):
            self._uses.setdefault(reg, []).append(instr)
        if isinstance(instr, ir.Name):
            self._loads.setdefault(instr.name, []).append(instr.dst)
        dst = getattr(instr, "dst", None)
        if isinstance(dst, int) and not isinstance(instr, ir.ForNext):
            self._made[dst] = instr  # type: ignore[assignment]

    def is_idle(self, reg: int) -> bool:
        """Does nobody look at the value in a register?"""
        stack, seen = [reg], set[int]()
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            if len(seen) > _MOST:
                return False
            for use in self._uses.get(current, ()):
                following = self._through(use, current)
                if following is None:
                    return False
                stack.extend(following)
        return True

    def _through(self, use: ir.Instr | ir.Terminator, reg: int) -> list[int] | None:
        """Where a value goes on to without being looked at; None when this is a look."""
        if isinstance(use, ir.SetName):
            return None if use.name in self._foreign else self._loads.get(use.name, [])
        if isinstance(use, _THROUGH) and not (isinstance(use, ir.Item) and use.key == reg):
            return [use.dst]
        if isinstance(use, ir.Call):
            return self._through_call(use, reg)
        return None

    def _through_call(self, call: ir.Call, reg: int) -> list[int] | None:
        given = [r for r, _ in call.args]
        receiver = self._name(call.recv) if call.recv is not None else ""
        if call.recv == reg and call.method in ("lower", "upper", "strip"):
            return [call.dst]
        if self._is_logger(receiver) or (call.func is not None and self._name(call.func) in ("print", "str", "repr")):
            return [] if self._is_logger(receiver) or self._name(call.func) == "print" else [call.dst]
        if call.method == "get" and given[:1] == [reg] and len(given) == 2:
            default = self._made.get(given[1])
            if isinstance(default, ir.Const) and self._is_lossy(receiver, default.value):
                return []
        return None

    def _name(self, reg: int | None) -> str:
        made = self._made.get(reg) if reg is not None else None
        return made.name if isinstance(made, (ir.Name, ir.Attr)) else ""


def _loaded(function: ir.Function) -> Iterator[str]:
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, ir.Name):
                yield instr.name
    for nested in function.nested:
        yield from _loaded(nested)
