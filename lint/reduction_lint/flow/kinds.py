"""Is a value context, and of which kind? Models answer exactly, telling names by shape."""

from __future__ import annotations

from dataclasses import dataclass

from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import Models


@dataclass(frozen=True, slots=True)
class ContextKind:
    """``kind`` as in the source models (conversation, tool-output, document, model-output, prompt); ``exact`` when a
    model of an API says so, not a name. ``shape`` is list, text or any. ``origin`` is the value that decided."""

    kind: str
    exact: bool
    shape: str
    origin: Value


class Classifier:
    """Answers :meth:`kind_of` with a memo per value."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.rereadable: set[int] = set()
        """Results of calls that read a file: what is cut from them can be read again."""
        self.declared: set[str] = set()
        """Attribute names that a comment declares to be a transcript."""
        self.declared_probes: set[str] = set()
        """Names of functions, and of variables, that a comment declares to be a probe's."""
        self._memo: dict[int, ContextKind | None] = {}
        self.calls: dict[int, ContextKind] = {}
        """Results of source and model calls, filled in by the interpreter."""
        self.result_paths: dict[int, tuple[str, ...]] = {}
        """Where on such a result the context lies; empty means all of it."""

    def kind_of(self, value: Value, depth: int = 0) -> ContextKind | None:
        """The context kind of a value, or None when nothing says that it is context."""
        if value.id in self._memo:
            return self._memo[value.id]
        if depth > 14:
            return None
        result = self._compute(value, depth)
        if result is not None or value.kind is not Kind.CALL:
            self._memo[value.id] = result
        return result

    def forget(self, value: Value) -> None:
        """A name was bound to the value: ask again."""
        self._memo.pop(value.id, None)

    def _compute(self, value: Value, depth: int) -> ContextKind | None:
        kind = value.kind
        if value.id in self.calls:
            return self.calls[value.id]
        if kind in (Kind.ATTR, Kind.ITEM, Kind.PARAM, Kind.GLOBAL):
            return self._named(value, depth)
        if kind in (Kind.RENDERING, Kind.REDUCED):
            return self.kind_of(value.ops[0], depth + 1) or self._hinted(value)
        if kind is Kind.CONCAT:
            return (
                self.kind_of(value.ops[0], depth + 1)
                or self.kind_of(value.ops[1], depth + 1)
                or self._hinted(value)
                or self._gathered(value, depth)
            )
        if kind is Kind.MAPPED:
            return self.kind_of(value.ops[0], depth + 1) or self.kind_of(value.ops[1], depth + 1)
        if kind is Kind.CHOICE:
            for option in value.ops:
                found = self.kind_of(option, depth + 1)
                if found is not None:
                    return found
            return self._hinted(value)
        if kind is Kind.BUILD:
            for op in value.ops[:12]:
                found = self.kind_of(op, depth + 1)
                if found is not None and value.name == "fstring":
                    return ContextKind(found.kind, found.exact, "text", found.origin)
            return self._hinted(value)
        if kind is Kind.ELEMENT:
            inner = self.kind_of(value.ops[0], depth + 1)
            return None if inner is None else ContextKind(inner.kind, inner.exact, "any", inner.origin)
        if kind is Kind.CALL:
            return self._hinted(value)
        return None

    def _gathered(self, value: Value, depth: int) -> ContextKind | None:
        """A list of pairs such as (tokens, message) that a loop gathers holds what the pairs hold."""
        entry = value.ops[1].ops[0] if value.name == "append" and value.ops[1].ops else None
        if entry is None or entry.kind is not Kind.BUILD or entry.name != "tuple":
            return None
        held = (self.kind_of(op, depth + 1) for op in entry.ops[:4])
        found = next((kind for kind in held if kind is not None), None)
        return ContextKind(found.kind, found.exact, "list", found.origin) if found is not None else None

    def _named(self, value: Value, depth: int) -> ContextKind | None:
        """By attribute, parameter, key or module-level name; a path on a source call's result counts exactly."""
        base = value.ops[0] if value.ops else None
        if base is not None:
            known = self._on_result(value)
            if known is not None:
                return known
        name = value.name
        if value.kind is Kind.ITEM:
            key = value.ops[1].data
            if not isinstance(key, str):
                inner = self.kind_of(value.ops[0], depth + 1)
                return None if inner is None else ContextKind(inner.kind, inner.exact, "any", inner.origin)
            name = key
            if key in ("content", "text") and base is not None:
                inner = self.kind_of(base, depth + 1)
                if inner is not None:
                    return ContextKind(inner.kind, inner.exact, "text", value)
        elif value.kind is Kind.ATTR and name in ("content", "text", "value") and base is not None:
            inner = self.kind_of(base, depth + 1)
            if inner is not None:
                return ContextKind(inner.kind, inner.exact, "text", value)
        elif value.kind is Kind.GLOBAL:
            name = value.qual.rpartition(".")[2]
        if value.kind is Kind.ATTR and base is not None and self._holds_conversation(base, name):
            return ContextKind("conversation", False, "list", value)
        if self.models.names.not_context.match(name):
            return None
        return self._by_name(name, value) or self._hinted(value)

    def _holds_conversation(self, owner: Value, name: str) -> bool:
        """``self.items`` in a class whose name says that it keeps a conversation."""
        names = self.models.names
        return (
            owner.kind is Kind.PARAM
            and names.members.match(name.lstrip("_"))
            and names.context_classes.match(owner.qual.rpartition(".")[2])
        )

    def _on_result(self, value: Value) -> ContextKind | None:
        """Is this a path on the result of a source or model call?"""
        names: list[str] = []
        current = value
        while current.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT, Kind.RENDERING) and len(names) < 12:
            if current.kind is Kind.ATTR:
                names.append(current.name)
            elif current.kind is Kind.ITEM and isinstance(current.ops[1].data, str):
                names.append(current.ops[1].data)
            current = current.ops[0]
        known = self.calls.get(current.id)
        if known is None or current is value:
            return None
        allowed = self.result_paths.get(current.id, ())
        if not allowed or any(_last_name(path) in names for path in allowed):
            return ContextKind(known.kind, known.exact, "text" if known.kind != "conversation" else "list", current)
        return None

    def _by_name(self, name: str, value: Value) -> ContextKind | None:
        if name in self.declared:
            return ContextKind("conversation", True, "list", value)
        if self.models.names.not_context.match(name):
            return None
        source = self.models.named_sources.find(name)
        if source is None:
            return None
        return ContextKind(source.kind, False, source.shape, value)

    def _hinted(self, value: Value) -> ContextKind | None:
        for hint in sorted(value.hints):
            found = self._by_name(hint, value)
            if found is not None:
                return found
        return None


def _last_name(path: str) -> str:
    """The last attribute or key of a result path such as ``choices[0].message.content``."""
    tail = path.replace("]", "").replace('"', "").replace("'", "").replace("[", ".")
    names = [part for part in tail.split(".") if part and not part.isdigit() and part not in ("i", "j")]
    return names[-1] if names else ""
