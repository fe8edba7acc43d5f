"""What each instruction does to values, objects and the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.calls import ViewCalls
from reduction_lint.flow.views.conditions import drops_for, keys_in, restrictions
from reduction_lint.flow.views.model import (
    ANY,
    NOTHING,
    Drop,
    Event,
    Obj,
    State,
    V,
    der,
    key_of,
    lit,
    mentions,
    sub,
)

if TYPE_CHECKING:
    from reduction_lint.flow.project import Project
    from reduction_lint.knowledge.phases import Words

_KEY_NAMES = frozenset({"k", "key", "name", "field", "field_name", "fieldname", "path"})


class Effects(ViewCalls):
    """Interprets instructions."""

    def __init__(self, project: Project, words: Words) -> None:
        super().__init__(project, words)
        self._steps: dict[type, Callable[[Unit, ir.Instr, State], None]] = {
            ir.Const: self._const, ir.Name: self._name, ir.SetName: self._set_name, ir.Attr: self._attr,
            ir.SetAttr: self._set_attr, ir.DelAttr: self._del_attr, ir.Item: self._item, ir.SetItem: self._set_item,
            ir.DelItem: self._del_item, ir.Slice: self._slice, ir.SetSlice: self._set_slice,
            ir.DelSlice: self._del_slice, ir.Build: self._build, ir.Bin: self._bin, ir.Compare: self._compare,
            ir.Move: self._move, ir.Element: self._element, ir.Comp: self._comp, ir.Await: self._move,
            ir.Yield: self._yield, ir.Func: self._func, ir.Import: self._import,
        }  # fmt: skip

    def step(self, unit: Unit, instr: ir.Instr, state: State) -> list[State]:
        """The states after one instruction; only calls can give more than one."""
        if isinstance(instr, ir.Call):
            return self.call(unit, instr, state)
        handler = self._steps.get(type(instr))
        if handler is not None:
            handler(unit, instr, state)
        elif isinstance(instr, ir.Unknown):
            state.regs[instr.dst] = der(instr.hint or "unknown")
        return [state]

    # -- names and literals -------------------------------------------------------------------------------------------

    def _const(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Const)
        s.regs[i.dst] = lit(i.value)

    def _name(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Name)
        known = s.env.get(i.name)
        s.regs[i.dst] = known if known is not None else self.global_value(unit, i.name)

    def _set_name(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.SetName)
        value = s.regs.get(i.src, NOTHING)
        bare = i.name.partition("@")[0]
        if value.kind == "sub" and value.name == ANY and (bare in _KEY_NAMES or self.words.ids.match(bare)):
            value = key_of(value.ops[0])
        if (
            value.kind == "obj"
            and self.words.audit.match(bare)
            and s.heap[value.number].kind in ("list", "dict", "set")
        ):
            s.audits |= {value.number}
        s.env[i.name] = value

    def _move(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, (ir.Move, ir.Await))
        s.regs[i.dst] = s.regs.get(i.src, NOTHING)

    def _func(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Func)
        s.regs[i.dst] = self.function_value(unit, i.function)

    def _import(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Import)
        s.env.update({name: V("glob", dotted) for name, dotted in i.names.items()})

    def _yield(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Yield)
        s.regs[i.dst] = der("sent")

    # -- parts --------------------------------------------------------------------------------------------------------

    def _attr(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Attr)
        obj = s.regs.get(i.obj, NOTHING)
        if obj.kind == "glob":
            s.regs[i.dst] = self.dotted_value(unit, f"{obj.name}.{i.name}")
        elif obj.kind in ("param", "der") or (obj.kind == "root" and obj.name == unit.self_name):
            s.regs[i.dst] = self.attribute(unit, s, obj, i.name)
        else:
            s.regs[i.dst] = self.load(s, obj, lit(i.name))

    def _item(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Item)
        s.regs[i.dst] = self.load(s, s.regs.get(i.obj, NOTHING), s.regs.get(i.key, NOTHING))

    def _element(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Element)
        source = s.regs.get(i.src, NOTHING)
        if i.index >= 0 and source.kind in ("pair", "indexed"):
            base = source.ops[0]
            if source.kind == "indexed":
                s.regs[i.dst] = der("position") if i.index == 0 else self.element(s, base)
            else:
                s.regs[i.dst] = key_of(base) if i.index == 0 else self.load(s, base, NOTHING)
        elif i.index >= 0:
            s.regs[i.dst] = self.load(s, source, lit(i.index))
        else:
            s.regs[i.dst] = self.element(s, source)

    def _slice(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Slice)
        source = s.regs.get(i.obj, NOTHING)
        if i.lower is None and i.upper is None:
            s.regs[i.dst] = self.copied(s, source, "list", deep=False)
            return
        s.regs[i.dst] = self.picked(s, source, Drop(sub(source, ANY), "top", Place(unit, i.site)))

    # -- writes -------------------------------------------------------------------------------------------------------

    def _set_attr(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.SetAttr)
        self.write(unit, s, s.regs.get(i.obj, NOTHING), lit(i.name), s.regs.get(i.src, NOTHING), i.site)

    def _set_item(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.SetItem)
        target, key = s.regs.get(i.obj, NOTHING), s.regs.get(i.key, NOTHING)
        self.write(unit, s, target, key, s.regs.get(i.src, NOTHING), i.site)

    def _del_attr(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.DelAttr)
        self.remove(unit, s, s.regs.get(i.obj, NOTHING), lit(i.name), i.site)

    def _del_item(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.DelItem)
        self.remove(unit, s, s.regs.get(i.obj, NOTHING), s.regs.get(i.key, NOTHING), i.site)

    def _set_slice(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.SetSlice)
        target, src = s.regs.get(i.obj, NOTHING), s.regs.get(i.src, NOTHING)
        if target.is_part:
            self.mutated(unit, s, target, i.site)
        made = s.obj(target)
        if made is not None:
            s.heap[target.number] = replace(made, bases=(), entries=(), extra=(src,))

    def _del_slice(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.DelSlice)
        target = s.regs.get(i.obj, NOTHING)
        if target.is_part:
            self.mutated(unit, s, target, i.site)
        self.cut_items(s, target, "top", Place(unit, i.site))

    # -- displays and operators ---------------------------------------------------------------------------------------

    def _build(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Build)
        items = [s.regs.get(item, NOTHING) for item in i.items]
        if i.kind == "fstring":
            s.regs[i.dst] = der("fstring", *items)
            return
        if i.kind == "dict":
            s.regs[i.dst] = self._dict(unit, s, i, items)
            return
        if items and not any(i.starred) and all(v.kind == "lit" and isinstance(v.data, str) for v in items):
            s.regs[i.dst] = V("oneof", data=tuple(v.data for v in items))
            return
        made = Obj(i.kind)
        for item, star in zip(items, i.starred, strict=False):
            if star:
                made = self.spread(s, made, item)
            else:
                made = replace(made, extra=(*made.extra, item))
        s.regs[i.dst] = self.new(s, made)

    def _dict(self, unit: Unit, s: State, i: ir.Build, items: list[V]) -> V:
        made = Obj("dict", place=Place(unit, i.site))
        for item, reg in zip(items, i.keys, strict=True):
            if reg is None:
                made = self.spread(s, made, item)
                continue
            key = s.regs.get(reg, NOTHING)
            if key.kind == "lit" and isinstance(key.data, str):
                made = self.replaced(s, made, key.data, item, Place(unit, i.site))
                if self.words.audit.match(key.data) and not self.is_audit(s, item) and s.obj(item) != Obj("list"):
                    s.note(Event("audit", Place(unit, i.site), item, (item,)))
            else:
                made = replace(made, extra=(*made.extra, key, item))
        return self.new(s, made)

    def replaced(self, s: State, made: Obj, key: str, value: V, place: Place) -> Obj:
        """An entry set over a spread or copy: what stood there is left out unless the new value holds it."""
        for base in made.bases:
            part = sub(base, key)
            if base.is_part and made.get(key) is None:
                if not self.holds(s, value, part) and (mentions(s, value, part) or self.is_field(key)):
                    made = made.dropping(Drop(part, "key", place))
        return made.put(key, value)

    def is_field(self, key: str) -> bool:
        """Does a policy name this field? Machines without a policy know none."""
        return False

    def _bin(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Bin)
        left, right = s.regs.get(i.left, NOTHING), s.regs.get(i.right, NOTHING)
        place = Place(unit, i.site)
        if i.inplace and (self.is_audit(s, left)):
            self.noted(s, left, (right,), place)
            s.regs[i.dst] = left
            return
        if i.inplace and left.is_part and i.op in ("Add", "BitOr") and self._is_container(s, right):
            self.mutated(unit, s, left, i.site)
        if i.op == "BitOr" and (s.obj(right) is not None or s.obj(left) is not None):
            made = self.spread(s, Obj("dict"), left)
            other = s.obj(right)
            for key, value in other.entries if other is not None else ():
                made = self.replaced(s, made, key, value, place)
            s.regs[i.dst] = self.new(s, made)
            return
        if i.op == "Add" and (s.obj(left) is not None or s.obj(right) is not None):
            made = self.spread(s, self.spread(s, Obj("list"), left), right)
            s.regs[i.dst] = self.new(s, made)
            return
        s.regs[i.dst] = der(i.op, left, right)
        if i.op in ("Multiply", "Divide"):
            s.note(Event("compute", place, s.regs[i.dst], (left, right), i.op))

    @staticmethod
    def _is_container(s: State, value: V) -> bool:
        made = s.obj(value)
        return made is not None or value.kind == "oneof"

    def _compare(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Compare)
        left = s.regs.get(i.left, NOTHING)
        if i.right is None:
            s.regs[i.dst] = der(i.op, left)
        else:
            s.regs[i.dst] = der(i.op, left, s.regs.get(i.right, NOTHING))

    # -- comprehensions -----------------------------------------------------------------------------------------------

    def _comp(self, unit: Unit, i: ir.Instr, s: State) -> None:
        assert isinstance(i, ir.Comp)
        from reduction_lint.flow.views.machine import origin_of

        source = s.regs.get(i.src, NOTHING)
        elt = s.regs.get(i.elt, NOTHING)
        key = s.regs.get(i.key, NOTHING) if i.key is not None else None
        origin = origin_of(source)
        keys = keys_in(key) if key is not None and key.kind == "oneof" else None
        place = Place(unit, i.site)
        if key is not None and keys is not None:
            made = Obj("dict", place=place)
            for name in sorted(keys):
                made = made.put(name, self.at_key(elt, name))
            s.regs[i.dst] = self.new(s, made)
            return
        drops: list[Drop] = []
        for cond in i.conds:
            found = restrictions(s, s.regs.get(cond, NOTHING), True, origin)
            drops += drops_for(found, origin, place) if origin.is_part else ()
        whole = elt.kind == "sub" and elt.name == ANY and elt.ops[0] == origin and (key is None or key.kind == "key")
        if whole:
            made = Obj(i.kind, bases=(origin,))
        else:
            made = Obj(i.kind, entries=((ANY, elt),), extra=() if key is None else (key,))
        made = self._kept(s, origin, made, drops)
        s.regs[i.dst] = self.new(s, made)

    def _kept(self, s: State, origin: V, made: Obj, drops: list[Drop]) -> Obj:
        """A comprehension over an object of ours passes on what that object left out."""
        known = s.obj(origin)
        return made.dropping(*(known.drops if known is not None else ()), *drops)
