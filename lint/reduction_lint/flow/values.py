"""Value numbers: immutable, interned descriptions of where a value came from.

Two evaluations that must give the same value share one :class:`Value`; that is what lets an alias, a second load of
``self.sidecar`` or an equal slice be recognised. A value names its operands, so the questions of the analysis ("does this hold
all of that?", "is this a cut form of that?") are walks over a small graph. Nothing here depends on the state of a path.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reduction_lint.flow.ir import Function
    from reduction_lint.flow.unit import Unit


class Kind(Enum):
    """What made a value."""

    PARAM = "param"
    """A parameter of the analysed function; ``name`` is its name."""
    GLOBAL = "global"
    """A module-level or imported name; ``qual`` is its dotted name."""
    CONST = "const"
    """A literal; ``data`` is its value."""
    ATTR = "attr"
    """The value an attribute had on entry; ``ops[0]`` is the object, ``name`` the attribute."""
    ITEM = "item"
    """``ops[0][ops[1]]`` as it was on entry."""
    ELEMENT = "element"
    """Any element of ``ops[0]``."""
    CALL = "call"
    """The result of an unmodelled call; ``ops`` are the arguments, ``qual`` what was called."""
    BUILD = "build"
    """A display or an f-string (``name`` is list, dict, fstring …) made of ``ops``."""
    CONCAT = "concat"
    """``ops[0] + ops[1]``."""
    REDUCED = "reduced"
    """A part of ``ops[0]``; ``name`` says how (slice, filter, compressed, trimmed); further ops are the bounds."""
    SUMMARY = "summary"
    """A model-written or heuristic summary of ``ops``."""
    RENDERING = "rendering"
    """A lossless rendering or copy of ``ops[0]``; ``name`` is ``none``, ``shallow`` or ``deep``: how much is copied."""
    MAPPED = "mapped"
    """A collection made element by element: ``ops[0]`` the source, ``ops[1]`` what became of each element."""
    DERIVED = "derived"
    """Something computed from ``ops`` that carries none of them in full."""
    CHOICE = "choice"
    """One of ``ops``; where paths met."""
    FUNC = "func"
    """A nested function or lambda."""
    SUPER = "super"
    """``super()``."""


class Value:
    """One value number. Compared by identity; interned by :class:`Arena`."""

    __slots__ = ("data", "function", "hints", "id", "kind", "name", "ops", "qual", "site", "unit")

    def __init__(self, id: int, kind: Kind, ops: tuple[Value, ...], name: str, data: object, qual: str) -> None:
        self.id = id
        self.kind = kind
        self.ops = ops
        self.name = name
        self.data = data
        self.qual = qual
        self.site = -1
        self.function: Function | None = None
        self.unit: Unit | None = None
        self.hints: set[str] = set()

    def __repr__(self) -> str:
        extra = self.name or self.qual or (repr(self.data)[:20] if self.data is not None else "")
        return f"<{self.id}:{self.kind.value} {extra}{[o.id for o in self.ops] if self.ops else ''}>"


class Arena:
    """Makes and interns values."""

    def __init__(self) -> None:
        self._table: dict[tuple[object, ...], Value] = {}
        self._by_id: list[Value] = []

    def by_id(self, number: int) -> Value:
        """The value with this id."""
        return self._by_id[number]

    def get(
        self,
        kind: Kind,
        ops: tuple[Value, ...] = (),
        *,
        name: str = "",
        data: object = None,
        qual: str = "",
        key: tuple[object, ...] = (),
        function: Function | None = None,
        site: int = -1,
    ) -> Value:
        """The value with this description; ``key`` tells apart what operands alone do not (a call's place)."""
        identity = (kind, tuple(o.id for o in ops), name, type(data), data, qual, key)
        value = self._table.get(identity)
        if value is None:
            value = Value(len(self._by_id), kind, ops, name, data, qual)
            self._by_id.append(value)
            value.function, value.site = function, site
            self._table[identity] = value
        return value

    def const(self, data: object) -> Value:
        """A literal."""
        if isinstance(data, (str, int, float, bool, bytes, type(None))):
            return self.get(Kind.CONST, data=data)
        return self.get(Kind.CONST, data=repr(data))

    def __len__(self) -> int:
        return len(self._table)


TRANSPARENT = frozenset({Kind.RENDERING, Kind.BUILD, Kind.CONCAT, Kind.CHOICE, Kind.MAPPED})
"""Kinds whose value holds its operands in full (a mapping only if each element is held, see :func:`holds`)."""


def is_constructor(value: Value) -> bool:
    """Is this a call that by its name makes an object (``Result(...)``, ``m.ToolMessage(...)``)?"""
    return value.kind is Kind.CALL and value.name[:1].isupper() and not value.name.isupper()


def strip(value: Value) -> Value:
    """Undo copies and renderings: the value that was copied or rendered."""
    while value.kind is Kind.RENDERING:
        value = value.ops[0]
    return value


def is_empty(value: Value) -> bool:
    """Is this an empty container, empty text or None?"""
    if value.kind is Kind.CONST:
        return value.data is None or value.data in ("", b"")
    if value.kind is Kind.BUILD:
        return not value.ops and value.name in ("list", "dict", "set", "tuple")
    return value.kind is Kind.RENDERING and is_empty(value.ops[0])


def parts(value: Value, limit: int = 200) -> Iterator[Value]:
    """The value and everything it holds in full, outermost first; at most ``limit`` values."""
    stack, seen = [value], set[int]()
    while stack and len(seen) < limit:
        current = stack.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        yield current
        if current.kind is Kind.MAPPED:
            if any(p.kind is Kind.ELEMENT and p.ops[0] is current.ops[0] for p in parts(current.ops[1], 30)):
                stack.append(current.ops[0])
        elif (current.kind in TRANSPARENT and current.kind is not Kind.CHOICE) or is_constructor(current):
            stack.extend(reversed(current.ops))


def holds(value: Value, original: Value) -> bool:
    """Does ``value`` hold ``original`` in full (itself, copied, rendered, inside a container or a text)?"""
    return _holds(value, original, {})


def _holds(value: Value, original: Value, seen: dict[int, bool]) -> bool:
    """``seen`` answers for choices that were met before: nested ones would be walked exponentially often."""
    target = strip(original)
    for part in parts(value):
        if part is target or part is original:
            return True
        if part.kind is Kind.CHOICE:
            if part.id not in seen:
                seen[part.id] = False
                seen[part.id] = all(_holds(option, original, seen) for option in part.ops)
            if seen[part.id]:
                return True
    return False


def mentions(value: Value, target: Value, depth: int = 25) -> bool:
    """Does ``value`` depend on ``target`` in any way (through calls, slices, attributes, tests)?"""
    stack: list[tuple[Value, int]] = [(value, 0)]
    seen: set[int] = set()
    while stack:
        current, level = stack.pop()
        if current is target:
            return True
        if current.id in seen or level > depth:
            continue
        seen.add(current.id)
        stack.extend((op, level + 1) for op in current.ops)
    return False


def reductions_of(value: Value, original: Value) -> list[Value]:
    """The REDUCED and SUMMARY values inside ``value`` that were made from ``original``, outermost first."""
    return _reductions_of(value, strip(original), {})


def _reductions_of(value: Value, target: Value, made: dict[int, bool]) -> list[Value]:
    """``made`` says of REDUCED values that were met before whether they were made from ``target``."""
    found: list[Value] = []
    stack, seen = [value], set[int]()
    while stack and len(seen) < 300:
        current = stack.pop()
        if current.id in seen:
            continue
        seen.add(current.id)
        if current.kind is Kind.REDUCED:
            if current.id not in made:
                inner = current.ops[0]
                made[current.id] = holds(inner, target) or bool(_reductions_of(inner, target, made))
            if made[current.id]:
                found.append(current)
                continue
        if current.kind is Kind.SUMMARY and any(mentions(op, target) for op in current.ops):
            found.append(current)
            continue
        if current.kind is Kind.MAPPED and cuts_elements(current) and mentions(current.ops[0], target):
            found.append(current)
            continue
        if current.kind is Kind.MAPPED:
            stack.append(current.ops[1])
            if current.ops[0].kind is Kind.REDUCED:
                stack.append(current.ops[0])
            continue
        if current.kind is Kind.ELEMENT and current.ops[0].kind is Kind.REDUCED:
            continue
        if current.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT):
            base = current
            while base.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT):
                base = base.ops[0]
            options = base.ops if base.kind is Kind.CHOICE else (base,)
            stack.extend(option for option in options if option.kind is Kind.SUMMARY)
        elif current.kind in TRANSPARENT:
            stack.extend(reversed(current.ops))
    return found


def cuts_elements(value: Value) -> bool:
    """Does a comprehension keep only a piece of each element's text (its first line, its first sentence)?"""
    element = value.ops[1]
    for part in parts(element, 40):
        if part.kind is Kind.ITEM and part.ops[0].kind is Kind.RENDERING and part.ops[0].data == "lines":
            return True
    return False


def is_text(value: Value, depth: int = 0) -> bool:
    """Does the way a value was made show that it is a text, whatever its name says?"""
    if depth > 8:
        return False
    if value.kind is Kind.CONST:
        return isinstance(value.data, str)
    if value.kind is Kind.BUILD:
        return value.name == "fstring"
    if value.kind in (Kind.CONCAT, Kind.CHOICE):
        return any(is_text(op, depth + 1) for op in value.ops)
    if value.kind is Kind.RENDERING and value.data is None and value.name == "deep":
        return is_text(value.ops[0], depth + 1)
    return value.kind is Kind.REDUCED and value.name == "slice" and is_text(value.ops[0], depth + 1)


def root(value: Value) -> Value:
    """Follow attributes, items, elements, parts and copies to the value they start from."""
    seen = 0
    while value.ops and seen < 40:
        if value.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT, Kind.REDUCED, Kind.RENDERING):
            value = value.ops[0]
            seen += 1
        else:
            break
    return value


def path_text(value: Value) -> str:
    """A readable access path such as ``self.messages[0]['content']``, or "" for what has no name."""
    if value.kind in (Kind.PARAM, Kind.GLOBAL):
        return value.name or value.qual.rpartition(".")[2]
    if value.kind is Kind.ATTR:
        base = path_text(value.ops[0])
        return f"{base}.{value.name}" if base else value.name
    if value.kind is Kind.ITEM:
        key = value.ops[1]
        base = path_text(value.ops[0])
        shown = repr(key.data) if key.kind is Kind.CONST else path_text(key) or "…"
        return f"{base}[{shown}]" if base else min(value.hints, default="")
    if value.kind is Kind.ELEMENT:
        base = path_text(value.ops[0])
        return f"{base}[…]" if base else min(value.hints, default="")
    grown = value.kind is Kind.CONCAT and value.name in ("append", "extend")
    if (grown or value.kind in (Kind.RENDERING, Kind.REDUCED)) and value.ops:
        return path_text(value.ops[0])
    if value.hints:
        return min(value.hints)
    return ""
