"""Reading attributes, items and elements as a path sees them."""

from __future__ import annotations

from reduction_lint.flow.base import Base
from reduction_lint.flow.state import Field, State, choice_of
from reduction_lint.flow.values import Kind, Value, is_constructor


class Memory(Base):
    """The heap of a path: what was stored there, else the value on entry."""

    def load_attr(self, state: State, obj: Value, name: str) -> Value:
        """``obj.name`` as this path sees it."""
        known = state.heap.get((obj.id, "attr", name))
        if known is not None:
            return known
        if obj.kind is Kind.GLOBAL:
            return self.global_attr(obj, name)
        given = argument_named(obj, name)
        if given is not None:
            return given
        if obj.kind is Kind.CHOICE:
            objects = [o for o in obj.ops if o.data is not None or o.kind is not Kind.CONST]
            options = {v.id: v for v in (self.load_attr(state, o, name) for o in objects)}
            plain = all(v.kind is Kind.ATTR and v.ops[0] in objects for v in options.values())
            if len(options) == 1 or not plain:
                return choice_of(self.arena, options.values())
        return self.arena.get(Kind.ATTR, (obj,), name=name)

    def load_item(self, state: State, obj: Value, key: Value) -> Value:
        """``obj[key]`` as this path sees it; displays answer for literal keys."""
        if key.kind is Kind.CONST:
            known = state.heap.get((obj.id, "item", key.data))
            if known is not None:
                return known
            if obj.kind is Kind.BUILD and obj.name in ("list", "tuple") and isinstance(key.data, int):
                if -len(obj.ops) <= key.data < len(obj.ops) and not obj.data:
                    return obj.ops[key.data]
        elif (obj.id, "item", key) in state.heap:
            return state.heap[(obj.id, "item", key)]
        return self.arena.get(Kind.ITEM, (obj, key))

    def element_of(self, src: Value, state: State) -> Value:
        """What iterating gives: elements of copies and of reversed or enumerated lists are those of the list."""
        while src.kind is Kind.RENDERING and src.name in ("shallow", "none"):
            src = src.ops[0]
        if src.kind is Kind.CALL and src.name in ("enumerate", "zip") and src.ops:
            return self.arena.get(Kind.ELEMENT, (src,))
        if src.kind is Kind.BUILD and len(src.ops) == 1 and not src.data:
            return src.ops[0]
        return self.arena.get(Kind.ELEMENT, (src,))

    def rebind(self, state: State, old: Value, new: Value) -> None:
        """An in-place change turned ``old`` into ``new``, also where it was never stored on this path."""
        state.rebind(old, new)
        if old.kind is Kind.ATTR:
            field: Field = (old.ops[0].id, "attr", old.name)
        elif old.kind is Kind.ITEM and old.ops[1].kind is Kind.CONST:
            field = (old.ops[0].id, "item", old.ops[1].data)
        else:
            return
        if field not in state.heap:
            state.heap[field] = new
            self.fields[field] = old.ops[0]


def argument_named(call: Value, name: str) -> Value | None:
    """What an object was given under a name when it was made: ``Result(output=text).output``."""
    if call.kind is not Kind.CALL or not isinstance(call.data, tuple) or not is_constructor(call):
        return None
    first, *names = call.data
    return call.ops[first + names.index(name)] if name in names else None
