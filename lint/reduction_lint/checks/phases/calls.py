"""What the calls in a log are: captures, model calls, reads and writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.flow.project import Project
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.model import Event, State, V
from reduction_lint.knowledge.models import UNKNOWN, Models

_CLIENTS = frozenset({"requests", "httpx", "aiohttp", "urllib3"})
_POSTS = frozenset({"post", "request", "urlopen", "stream"})


@dataclass(slots=True)
class CallReader:
    """Matches calls with the models."""

    project: Project
    models: Models

    def captures(self, event: Event) -> bool:
        """Does the call durably record what it is given?"""
        quals, last, receivers = self._names(event)
        hit = self.models.captures.find(quals, last, receivers)
        if hit is None or not hit.entry.durable:
            return False
        when = hit.entry.when
        if when is None:
            return True
        for argument in when.argument:
            if isinstance(argument, int):
                given = argument < len(event.args)
                literal = event.args[argument].data if given and event.args[argument].kind == "lit" else UNKNOWN
            else:
                given, literal = argument in event.keywords, UNKNOWN
            if given and when.holds(given, literal):
                return True
        return False

    def is_model_call(self, event: Event) -> bool:
        """Does the call reach a provider?"""
        quals, last, receivers = self._names(event)
        hit = self.models.calls.find(quals, last, receivers)
        if hit is not None:
            return not hit.entry.constructor
        return any(qual.partition(".")[0] in _CLIENTS for qual in quals) and last in _POSTS

    def _names(self, event: Event) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        """Qualified names, last name and receiver names of a call."""
        last = event.name.rpartition(".")[2]
        if not event.truth:
            return ((event.name,) if event.name else ()), last, ()
        recv = event.args[-1]
        unit = event.place.function
        assert isinstance(unit, Unit)
        base = self.type_of(unit, recv)
        shown = _shown(recv)
        receivers = tuple(name for name in (shown, base.rpartition(".")[2]) if name)
        return ((f"{base}.{last}",) if base else ()), last, receivers

    def type_of(self, unit: Unit, value: V) -> str:
        """Dotted class (or module) of a receiver, "" when unknown."""
        if value.kind == "glob":
            return self.project.variable_type(value.name) or value.name
        if value.kind == "param":
            if value.name == unit.self_name:
                return unit.class_name
            annotation = next((p.annotation for p in unit.function.params if p.name == value.name), "")
            return self.project.resolve_type(unit, annotation) if annotation else ""
        if value.kind in ("sub", "root"):
            base = self.type_of(unit, value.ops[0]) if value.ops else unit.class_name
            name = value.name.rpartition(".")[2]
            return (self.project.attribute_type(base, name) or f"{base}.{name}") if base else ""
        if value.kind == "der" and value.ops and value.name == "part" and len(value.ops) == 2:
            base = self.type_of(unit, value.ops[0])
            return f"{base}.{value.ops[1].data}" if base and isinstance(value.ops[1].data, str) else ""
        if value.kind == "der":
            return self._returned(unit, value)
        return ""

    def _returned(self, unit: Unit, value: V) -> str:
        """The class of what a call gave."""
        names = [value.qual] if value.qual else []
        base = self.type_of(unit, value.ops[-1]) if value.ops and not value.qual else ""
        names += [f"{base}.{value.name}"] if base else []
        hit = self.models.types.find(tuple(names), value.name, ())
        if hit is not None:
            return hit.entry.returns
        return names[0] if names and value.name[:1].isupper() else ""


def _shown(value: V) -> str:
    if value.kind in ("param", "glob", "sub", "root", "lit"):
        return value.name.rpartition(".")[2]
    if value.kind == "der" and value.name == "part" and len(value.ops) == 2 and isinstance(value.ops[1].data, str):
        return value.ops[1].data
    return ""


def parts_outside_views(state: State, value: V, limit: int = 200) -> Iterator[V]:
    """What a value holds, without what a selector was given for its view."""
    stack, seen = [value], set[V]()
    while stack and len(seen) < limit:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        made = state.obj(current)
        if made is not None:
            stack.extend((*made.bases, *(entry for _, entry in made.entries), *made.extra))
        elif current.kind in ("der", "pair", "pairs", "vals"):
            stack.extend(current.ops)
