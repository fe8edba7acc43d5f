"""RL606: code that measures, projects or replays stored views has no effect beside its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.phases.calls import CallReader
from reduction_lint.checks.phases.recognise import Recogniser
from reduction_lint.findings import Confidence
from reduction_lint.flow.events import Step
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.machine import Machine
from reduction_lint.flow.views.model import Event, State, V, reach
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.chunks import Chunk

_READS = re.compile(
    r"\bread_text\(|\bread_bytes\(|\bloads?\(|\bZipFile\(|\bopen\(|\.read\(|\.fetch(?:one|all)\(|\.execute\("
)
_VIEWS = re.compile(r"view|context|selection|select_|phase|stored|saved|archive|package", re.I)
_READING = frozenset({"read_text", "read_bytes", "open", "ZipFile", "load", "loads", "read", "glob", "rglob", "iterdir",
                      "namelist", "fetchone", "fetchall", "execute", "get"})  # fmt: skip
_WRITING = frozenset({"write_text", "write_bytes", "writestr", "write", "writelines", "unlink", "rename", "replace",
                      "rmtree", "remove", "move", "dump", "touch", "execute", "executemany", "save", "put", "store",
                      "update", "append", "append_turn", "record", "set"})  # fmt: skip
_BESIDE = frozenset({"with_suffix", "with_name", "with_stem", "parent"})
_CHANGES = re.compile(r"\s*(?:insert|update|delete|replace|drop|alter|create)\b", re.I)


@dataclass(slots=True)
class Offline:
    """Checks functions that only look at what was stored."""

    project: Project
    models: Models
    recogniser: Recogniser

    def concerns(self, module: Module, chunk: Chunk) -> bool:
        """Does the function measure or project, by its name or its file's, and read stored views?"""
        words = self.recogniser.phases.words
        named = words.offline.match(chunk.name.lstrip("_"))
        if not named and not words.offline_modules.match(module.name.rpartition(".")[2]):
            return False
        return bool(_READS.search(chunk.text)) and bool(_VIEWS.search(chunk.text))

    def check(self, unit: Unit) -> list[Draft]:
        """The side effects of one such function."""
        machine = Machine(self.project, self.recogniser.phases.words, self.recogniser.policy)
        params = {param.name: V("param", param.name) for param in unit.function.params}
        reader = CallReader(self.project, self.models)
        found: dict[Place, Draft] = {}
        for state, result in machine.run(unit, params):
            for number, event in enumerate(state.log):
                said = self._effect(state, number, event, reader)
                if said:
                    draft = self._draft(unit, state, number, event, said)
                    found.setdefault(draft.place, draft)  # type: ignore[arg-type]
            if not found:
                for place in self._priced(state, result):
                    message = "a price is given for tokens that were estimated, not measured"
                    found[place] = Draft("RL606", place, message, "", Confidence.MEDIUM, None, "selection")
        return list(found.values())

    def _effect(self, state: State, number: int, event: Event, reader: CallReader) -> str:
        """What an event does that offline code must not, "" for nothing."""
        if event.kind == "compute":
            return (
                "a price is computed for tokens that were estimated, not measured" if self._prices(state, event) else ""
            )
        if event.kind != "call":
            return ""
        if reader.is_model_call(event):
            return "a provider is called, although stored views are only measured or projected here"
        if self._writes_archive(state, number, event):
            return "this writes into the archive that is only measured or projected here"
        return ""

    # -- the archive --------------------------------------------------------------------------------------------------

    def _writes_archive(self, state: State, number: int, event: Event) -> bool:
        last = event.name.rpartition(".")[2]
        target = _target(event)
        if target is None or not _changes(last, event):
            return False
        return any(value in self._sources(state, number) for value in _places(state, target))

    def _sources(self, state: State, number: int) -> set[V]:
        """Where the path has read from: paths, archives and connections, and parameters named like an archive."""
        words = self.recogniser.phases.words
        found: set[V] = set()
        for event in state.log[:number]:
            if event.kind != "call" or event.name.rpartition(".")[2] not in _READING:
                continue
            if event.truth:
                found.update(v for v in _places(state, event.args[-1]) if v.kind in ("param", "sub", "glob", "der"))
            elif event.args:
                found.update(v for v in _places(state, event.args[0]) if v.kind in ("param", "sub", "glob", "der"))
        found = {v for v in found if v.kind != "glob" or "." not in v.name or v.name[:1].isupper()}
        for event in state.log[: number + 1]:
            for arg in event.args:
                found.update(v for v in reach(state, arg) if v.kind in ("param", "sub") and words.stored.match(v.name))
        return found

    # -- prices -------------------------------------------------------------------------------------------------------

    def _prices(self, state: State, event: Event) -> bool:
        sides = [list(reach(state, side)) for side in event.args]
        priced = [any(self._is_price(v) for v in side) for side in sides]
        if priced[0] == priced[1]:
            return False
        amount = sides[0] if priced[1] else sides[1]
        return not self._is_measured(amount) and any(v.kind != "lit" for v in amount)

    def _priced(self, state: State, result: V) -> Iterator[Place]:
        """Entries named like a price whose value was computed from something that nobody measured."""
        for value in reach(state, result):
            made = state.obj(value)
            for key, entry in made.entries if made is not None else ():
                if made is None or made.place is None or not self.recogniser.phases.words.prices.match(key):
                    continue
                amount = list(reach(state, entry))
                computed = any(v.kind == "der" and v.name in ("Multiply", "Divide") for v in amount)
                if computed and not self._is_measured(amount):
                    yield made.place

    def _is_price(self, value: V) -> bool:
        named = value.kind in ("glob", "param", "sub", "lit") and value.name
        return bool(named) and self.recogniser.phases.words.prices.match(value.name.rpartition(".")[2])

    def _is_measured(self, parts: list[V]) -> bool:
        measured = self.recogniser.phases.words.measured
        for value in parts:
            if value.kind in ("sub", "param") and measured.match(value.name):
                return True
            if value.kind == "der" and value.name == "part" and len(value.ops) == 2:
                key = value.ops[1].data
                if isinstance(key, str) and measured.match(key):
                    return True
        return False

    # -- places -------------------------------------------------------------------------------------------------------

    def _draft(self, unit: Unit, state: State, number: int, event: Event, said: str) -> Draft:
        """At the effect; at the call that leads to it where the helper has other callers."""
        place = event.place
        steps: tuple[Step, ...] = ()
        if place.function is not unit:
            entry = next(
                (e for e in reversed(state.log[:number]) if e.kind == "enter" and e.place.function is unit), None
            )
            if entry is not None and self._has_other_callers(place):
                place, steps = entry.place, (Step(event.place, "the effect is here"),)
        return Draft("RL606", place, said, "", Confidence.MEDIUM, None, "selection", steps)

    def _has_other_callers(self, place: Place) -> bool:
        helper = place.function
        assert isinstance(helper, Unit)
        name = helper.function.name
        pattern = re.compile(rf"\b{re.escape(name)}\s*\(")
        modules = [module for module in self.project.modules.values() if module is not None]
        return sum(len(pattern.findall(module.source.text)) for module in modules if name in module.source.text) > 2


def _target(event: Event) -> V | None:
    """What a call writes to: its receiver, the path given to ``open``, the file given to ``dump``."""
    last = event.name.rpartition(".")[2]
    if event.truth and event.args[-1].kind != "glob":
        return event.args[-1]
    if last == "dump":
        return event.args[1] if len(event.args) > 1 else None
    return event.args[0] if event.args else None


def _changes(last: str, event: Event) -> bool:
    if last in ("open", "ZipFile"):
        modes = [arg.data for arg in event.args if arg.kind == "lit" and isinstance(arg.data, str)]
        return any(set(mode) <= set("wax+bt") and set(mode) & set("wax+") for mode in modes if mode)
    if last in ("execute", "executemany"):
        return any(arg.kind == "lit" and isinstance(arg.data, str) and _CHANGES.match(arg.data) for arg in event.args)
    return last in _WRITING


def _places(state: State, value: V) -> Iterator[V]:
    """A path and what it lies below; a file beside it is another place."""
    stack, seen = [value], set[V]()
    while stack and len(seen) < 60:
        current = stack.pop()
        if current in seen or (current.kind == "der" and current.name in _BESIDE):
            continue
        seen.add(current)
        yield current
        if (
            current.kind == "der"
            and current.name == "part"
            and len(current.ops) == 2
            and current.ops[1].data == "parent"
        ):
            continue
        if current.kind == "sub":
            continue
        stack.extend(current.ops[:1] if current.name in ("Divide", "part") else current.ops)
