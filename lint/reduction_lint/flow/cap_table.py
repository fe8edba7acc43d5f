"""What the functions of a project tell one another about output caps.

Values name the place that made them, so a model's answer is recognised wherever it turns up: in the function that made the
call, in a caller that got it back whole, behind an attribute. The table is shared by all interpreters of a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from reduction_lint.flow import ir
from reduction_lint.flow.events import CappedCall
from reduction_lint.flow.ir import Function
from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import ModelCall, Models

_NAME = re.compile(r"[A-Za-z_]\w*")
_DEPTH = 16
_MOST = 6

Names = tuple[str, ...]
"""A path on a response: attribute names and text keys, without positions."""
Holder = tuple[str, str]
"""(class, attribute) or ("", dotted name of a module-level variable)."""

METADATA = frozenset(
    [
        "usage",
        "usage_metadata",
        "id",
        "model",
        "created",
        "role",
        "type",
        "object",
        "system_fingerprint",
        "token_usage",
        "cost",
        "headers",
        "status_code",
        "ok",
        "_request_id",
        "request_id",
        "response_ms",
        "__class__",
        "additional_kwargs",
        "prompt_token_ids",
        "token_ids",
    ]
)
"""Parts of a response that are no part of its answer."""
_LITTLE = re.compile(
    r"count|token|length|size|cost|usage|hash|digest|embed|(?:^|_)log|^_?is_|^_?has_|^_?len|similarity|time|metric|valid"
)
"""Calls whose result does not stand for the text that they are given."""


@lru_cache(maxsize=512)
def paths(texts: tuple[str, ...]) -> tuple[Names, ...]:
    """The names on each of a model's result paths: ``choices[0].finish_reason`` gives (choices, finish_reason)."""
    return tuple(tuple(n for n in _NAME.findall(text) if n not in ("i", "j")) for text in texts)


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer inside a value: which call gave it, and which part of it this is."""

    call: CappedCall
    names: Names = ()
    piece: bool = False
    """One element of a stream."""

    @property
    def stops(self) -> tuple[Names, ...]:
        """Where the API tells why the answer ended."""
        entry = self.call.entry
        return paths(entry.stops) if isinstance(entry, ModelCall) else ()

    @property
    def whole(self) -> bool:
        """Does this part still lead to the stop reason (or is it the response itself)?"""
        names = self.names
        return not names or any(len(names) < len(stop) and stop[: len(names)] == names for stop in self.stops)

    @property
    def is_text(self) -> bool:
        """Is this the content of the answer, not its stop reason or its metadata?"""
        if self.whole or self.names in self.stops:
            return False
        start = 0
        while Answer(self.call, self.names[: start + 1]).whole:
            start += 1
        return self.names[start] not in METADATA

    def at(self, name: str) -> Answer:
        """The part behind an attribute or key."""
        return Answer(self.call, (*self.names, name), self.piece)


@dataclass(slots=True)
class CapTable:
    """Calls, objects and attributes that have to do with caps."""

    calls: dict[tuple[str, int], CappedCall] = field(default_factory=dict)
    """Model calls and objects that carry a cap, by unit and site."""
    holders: dict[Holder, list[CappedCall | Holder]] = field(default_factory=dict)
    """What attributes and module-level variables hold that carries a cap."""
    waiting: dict[Holder, list[CappedCall]] = field(default_factory=dict)
    """Calls that run on what an attribute or variable holds."""
    numbers: dict[Holder, float] = field(default_factory=dict)
    """The least number that is assigned to an attribute named like a cap."""
    passed: dict[str, list[tuple[str, Value, CappedCall]]] = field(default_factory=dict)
    """By unit: how a parameter bears on the cap of a call ("cap", "spread" or "receiver"), the parameter, the call."""
    assigned: dict[tuple[str, int], CappedCall] = field(default_factory=dict)
    """Assignments of a cap, and arguments that become one in a callee, by unit and site."""
    items: dict[tuple[tuple[str, int], str], CappedCall] = field(default_factory=dict)
    """Assignments of a cap to a key of a dict, by the dict and the key."""
    module_sets: dict[tuple[str, str], CappedCall] = field(default_factory=dict)
    """The last cap assigned at module level, by module and target."""
    keywords: dict[int, tuple[tuple[str, Value], ...]] = field(default_factory=dict)
    """Keyword arguments of calls, by result."""
    defaults: dict[int, Value] = field(default_factory=dict)
    """What a look-up such as ``options.get("max_tokens", 2048)`` gives when there is nothing, by result."""
    _answers: dict[int, tuple[Answer, ...]] = field(default_factory=dict)
    _reasons: frozenset[str] | None = None
    _looking: dict[int, bool] = field(default_factory=dict)
    _count: int = 0

    def new_number(self) -> int:
        """A number for the next call."""
        self._count += 1
        return self._count

    def pass_on(self, unit: str, how: str, param: Value, call: CappedCall) -> None:
        """A parameter of ``unit`` bears on the cap of ``call``."""
        known = self.passed.setdefault(unit, [])
        if (how, param, call) not in known and len(known) < 60:
            known.append((how, param, call))

    def wait(self, holder: Holder, call: CappedCall) -> None:
        """``call`` runs on what ``holder`` holds."""
        known = self.waiting.setdefault(holder, [])
        if call not in known:
            known.append(call)

    def reasons(self, models: Models) -> frozenset[str]:
        """Last names of all paths to a stop reason."""
        if self._reasons is None:
            self._reasons = frozenset(path[-1] for entry in models.calls.entries for path in paths(entry.stops))
        return self._reasons

    def may_look(self, function: Function, models: Models) -> bool:
        """Can a function that gets a response look at its reason, or hand it to somebody who does?"""
        known = self._looking.get(id(function))
        if known is None:
            known = self._looking[id(function)] = _may_look(function, self.reasons(models))
        return known

    def made_by(self, value: Value) -> CappedCall | None:
        """The model call or cap-carrying object that a value is the direct result of."""
        if value.unit is None or value.kind not in (Kind.SUMMARY, Kind.CALL):
            return None
        return self.calls.get((value.unit.key, value.site))

    # -- answers ----------------------------------------------------------------------------------------------------

    def answers(self, value: Value, depth: int = 0) -> tuple[Answer, ...]:
        """The answers inside a value, each once per part."""
        known = self._answers.get(value.id)
        if known is None:
            if depth > _DEPTH:
                return ()
            known = self._answers[value.id] = tuple(dict.fromkeys(self._inside(value, depth)))[:_MOST]
        return known

    def _inside(self, value: Value, depth: int) -> Iterable[Answer]:
        call = self.made_by(value)
        if call is not None and not _is_object(call):
            return [Answer(call)]
        if not value.ops or value.kind in (Kind.SUMMARY, Kind.DERIVED, Kind.PARAM):
            return ()
        if value.kind is Kind.ATTR:
            return [a.at(value.name) for a in self.answers(value.ops[0], depth + 1)]
        if value.kind is Kind.ITEM:
            key = value.ops[1].data
            inner = self.answers(value.ops[0], depth + 1)
            return [a.at(key) for a in inner] if isinstance(key, str) else inner
        if value.kind is Kind.ELEMENT:
            return [Answer(a.call, a.names, a.piece or a.whole) for a in self.answers(value.ops[0], depth + 1)]
        if value.kind is Kind.REDUCED:
            return self.answers(value.ops[0], depth + 1)
        inner = tuple(a for op in value.ops for a in self.answers(op, depth + 1))
        if value.kind is Kind.CALL:
            return [b for a in inner for b in self._through_call(a, value.name)]
        if value.kind is Kind.BUILD and value.name == "fstring":
            return [a.at("str") if a.whole else a for a in inner]
        return inner

    @staticmethod
    def _through_call(answer: Answer, name: str) -> Iterable[Answer]:
        """What an unknown call makes of a response (still whole, for all we know) or of its text."""
        if not answer.whole:
            return () if _LITTLE.search(name) else (answer,)
        entry = answer.call.entry
        known = paths((*entry.stops, *entry.texts)) if isinstance(entry, ModelCall) else ()
        return (answer.at(name) if any(name in path for path in known) else answer,)

    # -- objects that carry a cap -----------------------------------------------------------------------------------

    def carried_by(self, value: Value) -> list[CappedCall]:
        """Objects that carry a cap and that this value is, was made with or leads through."""
        found: list[CappedCall] = []
        stack, seen = [value], set[int]()
        while stack and len(seen) < 60 and self.calls:
            part = stack.pop()
            if part.id in seen or part.kind in (Kind.DERIVED, Kind.SUMMARY, Kind.ITEM):
                continue
            seen.add(part.id)
            call = self.made_by(part)
            if call is not None and _is_object(call) and call not in found:
                found.append(call)
            stack.extend(part.ops[:12])
        return found

    def hold(self, holder: Holder, content: Iterable[CappedCall | Holder]) -> None:
        """An attribute or variable was given something that carries a cap."""
        known = self.holders.setdefault(holder, [])
        known.extend(item for item in content if item not in known and item != holder)

    def held(self, holder: Holder, depth: int = 0) -> list[CappedCall]:
        """The cap-carrying objects in an attribute or variable."""
        found: list[CappedCall] = []
        for item in self.holders.get(holder, ()) if depth < 5 else ():
            found += [item] if isinstance(item, CappedCall) else self.held(item, depth + 1)
        return found

    def join(self) -> None:
        """Tell objects that are held somewhere which calls run on them."""
        for holder, calls in self.waiting.items():
            for carrier in self.held(holder):
                for call in calls:
                    link(carrier, call)
        self.waiting.clear()


def link(carrier: CappedCall, call: CappedCall) -> None:
    """``call`` runs under the cap of ``carrier``."""
    if call is not carrier and call not in carrier.users:
        carrier.users.append(call)
        call.carriers.append(carrier)


def _may_look(function: Function, reasons: frozenset[str]) -> bool:
    params = {param.name for param in function.params}
    for block in function.blocks:
        loaded: set[int] = set()
        keys: set[int] = set()
        for instr in block.instrs:
            if isinstance(instr, ir.Attr) and instr.name in reasons:
                return True
            if isinstance(instr, ir.Const) and instr.value in reasons:
                keys.add(instr.dst)
            if isinstance(instr, ir.Item) and instr.key in keys:
                return True
            if isinstance(instr, ir.Call) and any(reg in keys for reg, _ in instr.args):
                return True
            if isinstance(instr, ir.Name) and instr.name in params:
                loaded.add(instr.dst)
            elif isinstance(instr, ir.Call) and loaded.intersection(
                (*(r for r, _ in instr.args), *(r for _, r in instr.kwargs))
            ):
                return True
    return any(_may_look(nested, reasons) for nested in function.nested)


def _is_object(call: CappedCall) -> bool:
    return isinstance(call.entry, ModelCall) and call.entry.constructor
