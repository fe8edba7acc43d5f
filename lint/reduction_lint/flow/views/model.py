"""Values, objects and the state of one path in a symbolic run.

A value says where something lies (``context["sources"][*]["title"]``); an object is something the code itself made, with
what it was copied from and what was taken out of it. Loading from a shallow copy gives the original's part, which is how a
write through such a copy is seen to reach the original.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from reduction_lint.flow.state import Place

ANY = "*"
"""The key that stands for every element or unknown key."""


@dataclass(frozen=True, slots=True)
class V:
    """A value. ``kind`` is one of

    root (a canonical context; ``data`` is "list" where its elements are no keys), param, audit, lit, glob, func, obj
    (``number`` is its place in the heap), sub (the part
    ``name`` of ``ops[0]``), key (a key of ``ops[0]``), oneof (one of the literals ``data``), pairs/keys/vals (a dict's
    items, keys, values), pair, indexed (an element of enumerate), view (what a selector gave) and der (made from ``ops``
    by ``name``).
    """

    kind: str
    name: str = ""
    ops: tuple[V, ...] = ()
    data: object = None
    number: int = -1
    qual: str = ""
    """What was called, where that is known by its full name."""
    shared: bool = False
    """It was reached through a shallow copy."""

    @property
    def is_part(self) -> bool:
        """A canonical context or a part of one?"""
        return self.kind == "root" or (self.kind == "sub" and self.ops[0].is_part)

    @property
    def top(self) -> V:
        """What a part is a part of, at the very top."""
        value = self
        while value.kind in ("sub", "key", "pairs", "keys", "vals", "pair", "indexed") and value.ops:
            value = value.ops[0]
        return value

    @property
    def path(self) -> tuple[str, ...]:
        """The keys from the context down to this part."""
        keys: list[str] = []
        value = self
        while value.kind == "sub":
            keys.append(value.name)
            value = value.ops[0]
        return tuple(reversed(keys))

    @property
    def field(self) -> str:
        """The last key of the path that is a name."""
        return next((key for key in reversed(self.path) if key != ANY), "")

    @property
    def shown(self) -> str:
        """A readable path such as ``context.sources``."""
        top = self.top
        return ".".join((top.name, *(key for key in self.path if key != ANY))) if top.name else self.field


NOTHING = V("lit", data=None)


def lit(data: object) -> V:
    """A literal; what cannot be hashed becomes its text."""
    try:
        hash(data)
    except TypeError:
        data = repr(data)
    return V("lit", data=(type(data).__name__, data) if isinstance(data, (bool, float)) else data)


def sub(base: V, key: str, shared: bool = False) -> V:
    """The part ``key`` of a value."""
    if base.kind == "sub" and len(base.path) > 8:
        return base
    return V("sub", key, (base,), shared=shared or base.shared)


def key_of(base: V) -> V:
    """A key of a value."""
    return V("key", ops=(base,))


def der(name: str, *ops: V) -> V:
    """Something made from other values."""
    return V("der", name, ops)


@dataclass(frozen=True, slots=True)
class Drop:
    """Something a view leaves out.

    ``part`` is what is gone (for an allow-list the whole it was picked from); ``how`` is key (a key is left out), allow
    (everything but ``keep``), or for items of a collection keyword, rank, top, field, bare or some. ``noted`` says
    that the very path that drops it has noted it.
    """

    part: V
    how: str
    place: Place
    keep: frozenset[str] = frozenset()
    noted: bool = False

    @property
    def is_filter(self) -> bool:
        """Are items of a collection left out, rather than a key?"""
        return self.how not in ("key", "allow")


@dataclass(frozen=True, slots=True)
class Obj:
    """Something the code made: ``bases`` is what it was copied from or spreads, ``entries`` what was put in.

    The elements of a list lie under :data:`ANY`. A deep copy shares nothing with its base.
    """

    kind: str
    bases: tuple[V, ...] = ()
    deep: bool = False
    entries: tuple[tuple[str, V], ...] = ()
    extra: tuple[V, ...] = ()
    drops: tuple[Drop, ...] = ()
    place: Place | None = None
    """Where a display or comprehension of ours stands."""

    def get(self, key: str) -> V | None:
        """What was put in under a key, if anything."""
        return next((value for name, value in self.entries if name == key), None)

    def put(self, key: str, value: V) -> Obj:
        """With an entry set."""
        rest = tuple(entry for entry in self.entries if entry[0] != key)
        return replace(self, entries=(*rest, (key, value)))

    def without(self, key: str) -> Obj:
        """With an entry removed."""
        return replace(self, entries=tuple(entry for entry in self.entries if entry[0] != key))

    def dropping(self, *drops: Drop) -> Obj:
        """With something left out."""
        new = tuple(drop for drop in drops if drop not in self.drops)
        return replace(self, drops=(*self.drops, *new)) if new else self


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on a path: mutate, audit, put, test, compute, select, enter (a function of the project) or
    call (any other, with its receiver last among ``args`` where ``truth`` says that it has one)."""

    kind: str
    place: Place
    value: V = NOTHING
    args: tuple[V, ...] = ()
    name: str = ""
    truth: bool = True
    keywords: tuple[str, ...] = ()


@dataclass(slots=True)
class State:
    """One path."""

    env: dict[str, V] = field(default_factory=dict)
    regs: dict[int, V] = field(default_factory=dict)
    heap: dict[int, Obj] = field(default_factory=dict)
    log: tuple[Event, ...] = ()
    atoms: dict[V, bool] = field(default_factory=dict)
    audits: frozenset[int] = frozenset()
    """Objects that serve as audit."""

    def fork(self) -> State:
        """An independent copy."""
        return State(dict(self.env), dict(self.regs), dict(self.heap), self.log, dict(self.atoms), self.audits)

    def note(self, event: Event) -> None:
        """Append to the log."""
        if len(self.log) < 400:
            self.log = (*self.log, event)

    def obj(self, value: V) -> Obj | None:
        """The object a value stands for."""
        return self.heap.get(value.number) if value.kind == "obj" else None


def reach(state: State, value: V, limit: int = 300) -> Iterator[V]:
    """The value and all it holds or is made from, outermost first."""
    stack, seen = [value], set[V]()
    while stack and len(seen) < limit:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        made = state.obj(current)
        if made is not None:
            stack.extend(made.bases)
            stack.extend(entry for _, entry in made.entries)
            stack.extend(made.extra)
        elif current.kind in ("der", "view", "pair", "pairs", "vals", "indexed"):
            stack.extend(current.ops)


def mentions(state: State, value: V, wanted: V) -> bool:
    """Does a value depend on a part, or on something below it?"""
    for current in reach(state, value):
        here: V | None = current
        while here is not None:
            if same(here, wanted):
                return True
            here = here.ops[0] if here.kind in ("sub", "key", "pair", "indexed", "pairs", "keys", "vals") else None
    return False


def same(one: V, other: V) -> bool:
    """The same part, however it was reached?"""
    if one == other:
        return True
    if one.kind == "sub" and other.kind == "sub":
        return one.name == other.name and same(one.ops[0], other.ops[0])
    return False
