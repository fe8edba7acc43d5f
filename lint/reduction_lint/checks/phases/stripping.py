"""RL607: keys are stripped by name at every depth, and such names are data in the rows below."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reduction_lint.checks.draft import Draft
from reduction_lint.findings import Confidence
from reduction_lint.flow import ir
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.conditions import keys_in
from reduction_lint.flow.views.machine import Machine
from reduction_lint.flow.views.model import State, V, reach
from reduction_lint.knowledge.phases import Words
from reduction_lint.syntax.chunks import Chunk

_TESTS = frozenset({"==", "!=", "in", "not in"})


def check_stripping(project: Project, module: Module, chunk: Chunk, words: Words) -> list[Draft]:
    """The finding for one function that calls itself on what lies below and leaves out keys by their names."""
    if not _names_values(module.source.text, words) or not (_calls_itself(chunk) or _names_values(chunk.text, words)):
        return []
    unit = project.unit_of(module, chunk)
    if unit is None:
        return []
    for keys in ({}, *_given_keys(project, module, unit, words)):
        found = _stripped(project, unit, keys, words)
        if found:
            place, names = found
            shown = ", ".join(f"`{name}`" for name in sorted(names))
            message = f"{shown} is stripped at every depth, also inside raw data, where such a key is a value"
            return [Draft("RL607", place, message, unit.function.name, Confidence.MEDIUM, None, "selection")]
    return []


def _calls_itself(chunk: Chunk) -> bool:
    return len(re.findall(rf"\b{re.escape(chunk.name)}\b", chunk.text)) > 1


def _names_values(text: str, words: Words) -> bool:
    return any(f'"{name}"' in text or f"'{name}'" in text for name in words.values.patterns)


def _stripped(project: Project, unit: Unit, keys: dict[str, V], words: Words) -> tuple[Place, set[str]] | None:
    """Where keys are stripped, and those of them that name values."""
    machine = Machine(project, words)
    params = {
        param.name: keys.get(param.name) or V("root" if number == bool(unit.self_name) else "param", param.name)
        for number, param in enumerate(unit.function.params)
    }
    ends = machine.called(unit, params, State()) or []
    if unit.key not in machine.recursed:
        return None
    gone: set[str] = set()
    places: list[Place] = []
    for state, result in ends:
        for value in reach(state, result):
            made = state.obj(value)
            for drop in made.drops if made is not None else ():
                if drop.how == "key" and words.values.match(drop.part.name):
                    gone.add(drop.part.name)
                    places.append(drop.place)
        for event in state.log:
            removed = keys_in(event.args[0]) if event.kind == "mutate" and event.args else None
            matching = {name for name in removed or () if words.values.match(name)}
            if matching:
                gone |= matching
                places.append(event.place)
    if not gone or _spares_raw_data(unit, gone, words):
        return None
    return _test_of(unit, gone) or places[0], gone


def _registers(unit: Unit) -> dict[int, ir.Instr]:
    """What made each register."""
    found: dict[int, ir.Instr] = {}
    for block in unit.function.blocks:
        for instr in block.instrs:
            dst = getattr(instr, "dst", None)
            if isinstance(dst, int):
                found[dst] = instr
    return found


def _comparisons(unit: Unit) -> Iterator[tuple[ir.Compare, list[ir.Instr | None]]]:
    registers = _registers(unit)
    for block in unit.function.blocks:
        for instr in block.instrs:
            if isinstance(instr, ir.Compare) and instr.op in _TESTS and instr.right is not None:
                sides = [registers.get(instr.left), registers.get(instr.right)]
                inner = [registers.get(item) for side in sides if isinstance(side, ir.Build) for item in side.items]
                yield instr, [*sides, *inner]


def _spares_raw_data(unit: Unit, gone: set[str], words: Words) -> bool:
    """Does a test keep raw data, or tell places apart by something that is handed down?"""
    params = {param.name for param in unit.function.params[1 + bool(unit.self_name) :]}
    for compare, operands in _comparisons(unit):
        texts = {o.value for o in operands if isinstance(o, ir.Const) and isinstance(o.value, str)}
        if any(words.raw.match(text) for text in texts - gone):
            return True
        left = operands[0]
        if isinstance(left, ir.Name) and left.name in params and compare.op in _TESTS:
            return True
    return False


def _test_of(unit: Unit, gone: set[str]) -> Place | None:
    """The test of the key, where it is against literals."""
    for compare, operands in _comparisons(unit):
        if any(isinstance(o, ir.Const) and o.value in gone for o in operands):
            return Place(unit, compare.site)
    return None


def _given_keys(project: Project, module: Module, unit: Unit, words: Words) -> Iterator[dict[str, V]]:
    """The literal keys that callers in the module hand to a parameter."""
    names = [param.name for param in unit.function.params]
    machine = Machine(project, words)
    for chunk in module.chunks:
        if chunk.kind not in ("function", "method", "statement") or f"{unit.function.name}(" not in chunk.text:
            continue
        caller = project.unit_of(module, chunk)
        if caller is None or caller is unit:
            continue
        registers = _registers(caller)
        for block in caller.function.blocks:
            for instr in block.instrs:
                if isinstance(instr, ir.Call) and _called(instr, registers) == unit.function.name:
                    yield from _keys_of(machine, caller, instr, registers, names)


def _called(call: ir.Call, registers: dict[int, ir.Instr]) -> str:
    func = registers.get(call.func) if call.func is not None else None
    return call.method or (func.name if isinstance(func, ir.Name) else "")


def _keys_of(
    machine: Machine, caller: Unit, call: ir.Call, registers: dict[int, ir.Instr], names: list[str]
) -> Iterator[dict[str, V]]:
    given = dict(zip(names, (reg for reg, _ in call.args), strict=False))
    given.update({key: reg for key, reg in call.kwargs if key is not None})
    for name, reg in given.items():
        made = registers.get(reg)
        if isinstance(made, ir.Name):
            known = machine.global_value(caller, made.name)
            if known.kind == "oneof":
                yield {name: known}
        elif isinstance(made, ir.Build):
            items = [registers.get(item) for item in made.items]
            texts = tuple(i.value for i in items if isinstance(i, ir.Const) and isinstance(i.value, str))
            if texts:
                yield {name: V("oneof", data=texts)}
