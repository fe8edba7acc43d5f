"""RL605 and RL608: what becomes of the views that selectors give: stored, replayed and sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.phases.calls import CallReader, parts_outside_views
from reduction_lint.checks.phases.recognise import Recogniser
from reduction_lint.findings import Confidence
from reduction_lint.flow.project import Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.machine import Machine
from reduction_lint.flow.views.model import Event, State, V, reach
from reduction_lint.knowledge.models import Models

_VERSIONED = re.compile(r"(?:^|[_\-.])v\d+$")
_READS = frozenset({"loads", "load", "read_text", "read_bytes", "read", "fetchone", "fetchall", "get_object"})
_NEGATIVE = frozenset({"!=", "not in", "is not"})


@dataclass(slots=True)
class Views:
    """Checks the functions that call selectors."""

    project: Project
    models: Models
    recogniser: Recogniser

    def check(self, unit: Unit) -> list[Draft]:
        """RL605 and RL608 in one function."""
        words = self.recogniser.phases.words
        machine = Machine(self.project, words, self.recogniser.policy)
        params = {param.name: V("param", param.name) for param in unit.function.params}
        reader = CallReader(self.project, self.models)
        replays = words.replays.match(unit.function.name)
        found: dict[tuple[str, Place], Draft] = {}
        for state, _ in machine.run(unit, params):
            for draft in self._on_path(state, reader, replays):
                assert isinstance(draft.place, Place)
                found.setdefault((draft.code, draft.place), draft)
        return list(found.values())

    def _on_path(self, state: State, reader: CallReader, replays: bool) -> Iterator[Draft]:
        calls = [event for event in state.log if event.kind == "call"]
        captures = [event for event in calls if reader.captures(event)]
        for event in captures:
            view = next((v for arg in event.args for v in reach(state, arg) if v.kind == "view"), None)
            if view is not None and not self._is_marked(state, event, view):
                yield _unversioned(event.place, view)
        for number, event in enumerate(state.log):
            if replays and event.kind == "select" and not self._looked(state, number, event):
                yield _blind(event.place, event.value)
        for event in calls:
            if reader.is_model_call(event):
                yield from self._sent(state, event, captures)

    # -- the marker ---------------------------------------------------------------------------------------------------

    def _is_marked(self, state: State, event: Event, view: V) -> bool:
        """Does what is stored, or the very call that stores it, carry the version of the policy?"""
        versions = self.recogniser.phases.words.versions
        if any(versions.match(name) for name in event.keywords):
            return True
        held = [v for arg in event.args for v in parts_outside_views(state, arg)]
        made = {call.value: call for call in state.log if call.kind == "call"}
        for value in held:
            obj = state.obj(value)
            if obj is not None and any(versions.match(key) for key, _ in obj.entries):
                return True
            if value.kind == "lit" and isinstance(value.data, str) and _VERSIONED.search(value.data):
                return True
            if value.kind in ("glob", "param", "sub") and versions.match(value.name.rpartition(".")[2]):
                return True
            if value in made and any(versions.match(name) for name in made[value].keywords):
                return True
        return self._marks_itself(view)

    def _marks_itself(self, view: V) -> bool:
        """Does the selector put the version into its view?"""
        words = self.recogniser.phases.words
        selector = self.recogniser.known(str(view.data))
        if selector is None:
            return False
        ends = Machine(self.project, words).run(selector.unit, self.recogniser.params(selector.unit))
        marked = [
            any(words.versions.match(key) for v in reach(s, r) if (o := s.obj(v)) is not None for key, _ in o.entries)
            for s, r in ends
        ]
        return bool(marked) and all(marked)

    def _looked(self, state: State, number: int, event: Event) -> bool:
        """Did the path find the stored marker to name a policy before it selected, or hand it to the selector?"""
        if any(self._is_marker(v) for arg in event.args for v in reach(state, arg)):
            return True
        if any(self.recogniser.phases.words.versions.match(name) for name in event.keywords):
            return True
        for test in state.log[:number]:
            if test.kind == "test" and any(self._is_marker(v) for v in reach(state, test.value)):
                name = test.value.name if test.value.kind == "der" else ""
                if test.truth if name not in _NEGATIVE else not test.truth:
                    return True
        return False

    def _is_marker(self, value: V) -> bool:
        versions = self.recogniser.phases.words.versions
        if value.kind == "sub":
            return versions.match(value.name)
        if value.kind == "der" and value.name == "part" and len(value.ops) == 2:
            key = value.ops[1].data
            return isinstance(key, str) and versions.match(key)
        return value.kind == "param" and versions.match(value.name)

    # -- sending ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _sent(state: State, event: Event, captures: Iterable[Event]) -> Iterator[Draft]:
        views = [v for arg in event.args for v in reach(state, arg) if v.kind == "view"]
        if not views:
            return
        view = views[0]
        kept = [v for capture in captures for arg in capture.args for v in parts_outside_views(state, arg)]
        contexts = [op for op in view.ops if op.kind != "audit" and state.obj(op) is None]
        read = any(v.kind == "der" and v.name in _READS for op in contexts for v in reach(state, op))
        whole = read or any(context in kept for context in contexts)
        request = any(v in kept for v in (view, *(arg for arg in event.args if arg.kind == "obj")))
        if not (whole and request):
            missing = (
                "the context it was made from" if request else "the request" if whole else "neither it nor its context"
            )
            verb = "is archived" if missing.startswith("neither") else "is not archived"
            message = f"a view made for phase {view.name or '…'} is sent and {missing} {verb} here"
            yield Draft("RL608", event.place, message, view.name, Confidence.MEDIUM, None, "selection")


def _unversioned(place: Place, view: V) -> Draft:
    message = "a context made by a selector is stored without the version of the policy that made it"
    return Draft("RL605", place, message, view.name, Confidence.MEDIUM, None, "selection")


def _blind(place: Place, view: V) -> Draft:
    message = "a stored context is selected again by the current policy, and the stored marker was not found to name it"
    return Draft("RL605", place, message, view.name, Confidence.MEDIUM, None, "selection")
