"""Objects in the heap: loading, copying, writing and removing, and what of it reaches a canonical context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.conditions import keys_in
from reduction_lint.flow.views.model import ANY, NOTHING, Drop, Event, Obj, State, V, der, key_of, same, sub

if TYPE_CHECKING:
    from reduction_lint.knowledge.phases import Words


_COUNTS = frozenset({"len", "any", "all", "isinstance", "bool", "min", "max", "sum", "int", "float", "type"})
"""Functions whose result tells something about a value and holds none of it."""


class Heap:
    """Operations on values that may be objects."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._made = 0

    def new(self, s: State, made: Obj) -> V:
        """Put an object into the heap."""
        self._made += 1
        s.heap[self._made] = made
        return V("obj", number=self._made)

    # -- reading ------------------------------------------------------------------------------------------------------

    def load(self, s: State, base: V, key: V) -> V:
        """``base[key]`` or ``base.key``."""
        name = key.data if key.kind == "lit" and isinstance(key.data, str) else ANY
        made = s.obj(base)
        if made is not None:
            return self._entry(s, base, made, name)
        if base.kind == "audit":
            return base
        if base.kind == "pair" and key.kind == "lit":
            return key_of(base.ops[0]) if key.data == 0 else self.load(s, base.ops[0], NOTHING)
        if base.kind in ("keys", "oneof"):
            return self.element(s, base)
        if base.kind in ("root", "sub", "param", "view"):
            if key.kind == "oneof":
                return V("sub", ANY, (base,), data=key.data, shared=base.shared)
            return sub(base, name)
        return der("part", base, key) if base.kind == "der" else der("part", base)

    def _entry(self, s: State, base: V, made: Obj, name: str) -> V:
        known = made.get(name) or (made.get(ANY) if name != ANY else None)
        if known is not None:
            return known
        inner = next((b for b in reversed(made.bases)), None)
        if inner is None:
            if made.extra:
                return made.extra[0] if len(made.extra) == 1 else der("part", *made.extra)
            return der("part", base)
        if s.obj(inner) is not None or inner.kind not in ("root", "sub", "param", "view"):
            return self.load(s, inner, V("lit", data=name) if name != ANY else NOTHING)
        part = sub(inner, name, shared=True)
        if not made.deep:
            return part
        child = self.new(s, Obj("copy", (part,), deep=True))
        s.heap[base.number] = s.heap[base.number].put(name, child)
        return child

    def element(self, s: State, source: V) -> V:
        """Any element of an iterable."""
        if source.kind == "pairs":
            return V("pair", ops=source.ops)
        if source.kind == "keys":
            return key_of(source.ops[0])
        if source.kind == "vals":
            return self.load(s, source.ops[0], NOTHING)
        if source.kind == "oneof":
            return source
        if source.kind == "root" and source.data != "list":
            return key_of(source)
        if source.kind == "der" and source.name == "enumerate" and source.ops:
            return V("indexed", ops=source.ops[:1])
        if source.kind == "der" and source.name in ("sorted", "reversed", "iter", "list", "tuple") and source.ops:
            return self.element(s, source.ops[0])
        return self.load(s, source, NOTHING)

    def holds(self, s: State, value: V, part: V, depth: int = 0) -> bool:
        """Does a value hold a part, whole or as an object made from it?"""
        if same(value, part):
            return True
        made = s.obj(value)
        if made is not None and depth < 6:
            inside = (*made.bases, *(entry for _, entry in made.entries), *made.extra)
            return any(self.holds(s, inner, part, depth + 1) or same(inner, sub(part, ANY)) for inner in inside)
        if value.kind != "der" or value.name in _COUNTS:
            return False
        return depth < 6 and any(self.holds(s, op, part, depth + 1) for op in value.ops)

    @staticmethod
    def at_key(value: V, key: str) -> V:
        """The element of a mapping over literal keys for one of them."""
        if value.kind == "sub" and value.name == ANY and isinstance(value.data, tuple):
            return sub(value.ops[0], key, value.shared)
        return value

    # -- copying ------------------------------------------------------------------------------------------------------

    def copied(self, s: State, source: V, kind: str, deep: bool) -> V:
        """A copy of a value."""
        made = s.obj(source)
        if made is not None:
            return self.new(s, replace(made, deep=made.deep or deep))
        if source.kind in ("root", "sub", "param", "view"):
            return self.new(s, Obj(kind, (source,), deep=deep))
        if source.kind in ("pairs", "vals"):
            return self.new(s, Obj(kind, source.ops))
        if source.kind == "lit" and source.data is None:
            return self.new(s, Obj(kind))
        return source if source.kind in ("oneof", "keys") else der("copy", source)

    def picked(self, s: State, source: V, drop: Drop) -> V:
        """Some of the items of a collection."""
        if source.kind == "der" and source.name in ("sorted", "reversed", "list", "iter") and source.ops:
            return self.picked(s, source.ops[0], replace(drop, part=sub(source.ops[0], ANY)))
        made = s.obj(source)
        if made is not None:
            bases = [base for base in made.bases if base.is_part]
            drops = [replace(drop, part=sub(base, ANY)) for base in bases]
            drops += [replace(drop, part=sub(top.ops[0], ANY)) for top in self._mapped(made)]
            return self.new(s, made.dropping(*drops))
        if source.is_part:
            return self.new(s, Obj("list", (source,), drops=(drop,)))
        return der("slice", source)

    @staticmethod
    def _mapped(made: Obj) -> list[V]:
        """Elements that a list of ours was made from, one for each."""
        element = made.get(ANY)
        return [element] if element is not None and element.kind == "sub" and element.is_part else []

    def spread(self, s: State, made: Obj, source: V) -> Obj:
        """``**source`` or ``*source`` inside a display."""
        other = s.obj(source)
        if other is not None:
            joined = dict(made.entries) | dict(other.entries)
            return replace(
                made,
                bases=tuple(dict.fromkeys((*made.bases, *other.bases))),
                deep=other.deep and (made.deep or not made.bases),
                entries=tuple(joined.items()),
                extra=(*made.extra, *other.extra),
                drops=tuple(dict.fromkeys((*made.drops, *other.drops))),
            )
        if source.kind in ("root", "sub", "param", "view"):
            return replace(made, bases=(*made.bases, source))
        if source.kind in ("pairs", "vals"):
            return replace(made, bases=(*made.bases, *source.ops))
        return replace(made, extra=(*made.extra, source))

    # -- changing -----------------------------------------------------------------------------------------------------

    def is_audit(self, s: State, value: V) -> bool:
        """Is this where the paths of exclusions are noted?"""
        return value.kind == "audit" or (value.kind == "obj" and value.number in s.audits)

    def noted(self, s: State, sink: V, values: tuple[V, ...], place: Place) -> None:
        """Something is put into the audit."""
        s.note(Event("audit", place, sink, values))

    def mutated(self, unit: Unit, s: State, target: V, site: int, key: V = NOTHING) -> None:
        """A canonical context, or a part of one, is changed in place."""
        s.note(Event("mutate", Place(unit, site), target, (key,)))

    def write(self, unit: Unit, s: State, target: V, key: V, value: V, site: int) -> None:
        """``target[key] = value`` or ``target.key = value``."""
        place = Place(unit, site)
        if self.is_audit(s, target):
            self.noted(s, target, (key, value), place)
            return
        if target.is_part and not (target.kind == "root" and target.name == unit.self_name):
            self.mutated(unit, s, target, site, key)
            return
        made = s.obj(target)
        if made is None:
            return
        keys = keys_in(key)
        if keys is None:
            made = made.put(ANY, value) if key.kind != "key" else replace(made, extra=(*made.extra, value))
        else:
            for name in sorted(keys):
                made = self.replaced(s, made, name, self.at_key(value, name), place)
        s.heap[target.number] = made
        s.note(Event("put", place, target, (key, value)))

    def replaced(self, s: State, made: Obj, key: str, value: V, place: Place) -> Obj:
        """See the subclass that knows what an entry over a spread leaves out."""
        return made.put(key, value)

    def remove(self, unit: Unit, s: State, target: V, key: V, site: int) -> None:
        """``del target[key]`` or ``target.pop(key)``."""
        place = Place(unit, site)
        if target.is_part:
            self.mutated(unit, s, target, site, key)
            return
        made = s.obj(target)
        if made is None:
            return
        if key.kind == "lit" and not isinstance(key.data, str):
            self.cut_items(s, target, "top", place)
            return
        for name in sorted(keys_in(key) or {ANY}):
            gone = made.get(name)
            made = made.without(name).dropping(
                *(Drop(sub(base, name), "key", place) for base in made.bases if base.is_part)
            )
            if gone is not None and gone.is_part:
                made = made.dropping(Drop(gone, "key", place))
        s.heap[target.number] = made

    def cut_items(self, s: State, target: V, how: str, place: Place) -> None:
        """Items are taken out of a collection of ours in place."""
        made = s.obj(target)
        if made is not None:
            bases = [base for base in made.bases if base.is_part] + [e.ops[0] for e in self._mapped(made)]
            s.heap[target.number] = made.dropping(*(Drop(sub(base, ANY), how, place) for base in bases))
