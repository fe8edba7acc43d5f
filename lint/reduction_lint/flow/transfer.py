"""The effect of each IR instruction on the state of a path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reduction_lint.flow import ir
from reduction_lint.flow.gather import Gathering
from reduction_lint.flow.losses import reduced_inside
from reduction_lint.flow.state import Captured, Field, State
from reduction_lint.flow.values import Kind, Value, mentions

BUILTINS = frozenset(
    [
        "open",
        "print",
        "len",
        "str",
        "repr",
        "list",
        "dict",
        "tuple",
        "set",
        "sorted",
        "reversed",
        "min",
        "max",
        "sum",
        "any",
        "all",
        "zip",
        "map",
        "filter",
        "range",
        "enumerate",
        "isinstance",
        "issubclass",
        "hasattr",
        "getattr",
        "setattr",
        "int",
        "float",
        "bool",
        "bytes",
        "bytearray",
        "type",
        "next",
        "iter",
        "super",
        "format",
        "abs",
        "round",
        "ascii",
        "chr",
        "ord",
        "hash",
        "id",
        "input",
        "vars",
        "callable",
        "divmod",
        "pow",
        "slice",
        "frozenset",
        "memoryview",
        "locals",
        "globals",
    ]
)


class Transfer(Gathering):
    """Instruction semantics. Subclassed by the interpreter, which adds control flow."""

    def step(self, instr: ir.Instr, state: State) -> list[State]:
        """Run one instruction; calls may fork the state."""
        if isinstance(instr, ir.Call):
            return self.call(instr, state)
        _HANDLERS[type(instr)](self, instr, state)
        return [state]

    def entry_state(self) -> State:
        """Parameters bound to symbolic values."""
        state = State()
        for param in self.unit.function.params:
            state.env[param.name] = self.param_value(param)
        return state

    # -- names ------------------------------------------------------------------------------------------------------

    def _const(self, i: ir.Const, s: State) -> None:
        s.regs[i.dst] = self.arena.const(i.value)

    def _name(self, i: ir.Name, s: State) -> None:
        value = s.env.get(i.name)
        if value is None:
            value = self.outer_name(i.name)
        s.regs[i.dst] = value

    def _set_name(self, i: ir.SetName, s: State) -> None:
        value = s.regs[i.src]
        if value.kind not in (Kind.CONST, Kind.PARAM, Kind.GLOBAL, Kind.SUPER) and not value.hints:
            value.hints.add(i.name.partition("@")[0])
            self.classifier.forget(value)
            if value.kind is Kind.RENDERING:
                for part in reduced_inside(value):
                    if (
                        part.name == "limit" or not part.hints
                    ):  # "".join(kept): the text has a name, what was gathered may have none
                        part.hints.add(i.name)
                        self.classifier.forget(part)
        if i.name in self.unit.function.globals:
            self.replaced(s, s.env.get(i.name) or self.outer_name(i.name), value, i.site, None)
        if self.unit.function.name == "<module>":
            self._declared_window(i, s, value)
        s.env[i.name] = value

    def _declared_window(self, i: ir.SetName, s: State, value: Value) -> None:
        """A class attribute or module variable bound to a container that drops by itself."""
        bounded = next((v for v in self._factories(value) if v.data == "bounded"), None)
        if bounded is None:
            return
        owner = self.arena.get(Kind.GLOBAL, name=i.name, qual=f"{self.unit.class_name or self.unit.module}.{i.name}")
        self.replaced(s, owner, bounded, i.site, (owner, (owner.id, "attr", i.name)))

    def _factories(self, value: Value) -> list[Value]:
        """The value, or what a ``default_factory`` among the arguments of ``field(...)`` makes."""
        found = [value]
        for op in value.ops if value.kind is Kind.CALL else ():
            summary = self.program.nested_summary(self.unit, op.function) if op.function is not None else None
            found += [exit_.result for exit_ in summary.exits] if summary is not None else []
        return found

    def _import(self, i: ir.Import, s: State) -> None:
        for name, qual in i.names.items():
            s.env[name] = self.arena.get(Kind.GLOBAL, name=name, qual=qual)

    # -- attributes and items ---------------------------------------------------------------------------------------

    def _attr(self, i: ir.Attr, s: State) -> None:
        obj = s.regs[i.obj]
        s.regs[i.dst] = self.load_attr(s, obj, i.name)
        self.looked_at(s, obj, i.name, i.dst)

    def _set_attr(self, i: ir.SetAttr, s: State) -> None:
        obj, value = s.regs[i.obj], s.regs[i.src]
        old = self.load_attr(s, obj, i.name)
        self.cap_assigned(s, obj, i.name, value, i.site)
        self.stored(s, value, i.site)
        self.written(s, obj, i.name, value, i.site)
        self.rebuilt(s, obj, old, value, i.site)
        field: Field = (obj.id, "attr", i.name)
        self.replaced(s, old, value, i.site, (obj, field))
        self.kept_cut(s, obj, i.name, old, value, i.site)
        s.heap[field] = value
        self.fields[field] = obj

    def _del_attr(self, i: ir.DelAttr, s: State) -> None:
        s.heap.pop((s.regs[i.obj].id, "attr", i.name), None)

    def _item(self, i: ir.Item, s: State) -> None:
        obj, key = s.regs[i.obj], s.regs[i.key]
        compressed = obj.kind is Kind.REDUCED and obj.name == "compressed" and key.kind is Kind.CONST
        s.regs[i.dst] = obj if compressed else self.load_item(s, obj, key)  # the text in what a compressor gives back
        if isinstance(key.data, str):
            self.looked_at(s, obj, key.data, i.dst)

    def _set_item(self, i: ir.SetItem, s: State) -> None:
        obj, key, value = s.regs[i.obj], s.regs[i.key], s.regs[i.src]
        old = self.load_item(s, obj, key)
        if isinstance(key.data, str):
            self.cap_assigned(s, obj, key.data, value, i.site)
        self.stored(s, value, i.site)
        self.written(s, obj, key.data if isinstance(key.data, str) else "", value, i.site)
        self.rebuilt(s, obj, old, value, i.site)
        self.marker_merged(s, value, i.site)
        field: Field = (obj.id, "item", key.data if key.kind is Kind.CONST else key)
        self.item_replaced(s, obj, key, old, value, i.site, field)
        if isinstance(key.data, str):
            self.kept_cut(s, obj, key.data, old, value, i.site)
        s.heap[field] = value
        self.fields[field] = obj

    def _del_item(self, i: ir.DelItem, s: State) -> None:
        obj, key = s.regs[i.obj], s.regs[i.key]
        lost = self.load_item(s, obj, key)
        self.removed(s, obj, (lost,), i.site, None, key)

    # -- slices -----------------------------------------------------------------------------------------------------

    def _bounds(self, i: ir.Slice | ir.SetSlice | ir.DelSlice, s: State) -> tuple[Value, ...]:
        none = self.arena.const(None)
        return tuple(s.regs[r] if r is not None else none for r in (i.lower, i.upper, i.step))

    def slice_of(self, obj: Value, bounds: tuple[Value, ...], site: int) -> Value:
        """``obj[lower:upper:step]``: a copy when all bounds are open, else a part."""
        if all(b.kind is Kind.CONST and (b.data is None or (n == 0 and b.data == 0)) for n, b in enumerate(bounds)):
            return self.arena.get(Kind.RENDERING, (obj,), name="shallow")
        lower, upper, step = bounds
        if lower.data is None and upper.data is None and step.kind is Kind.CONST and step.data == -1:
            return self.arena.get(Kind.RENDERING, (obj,), name="shallow", data="reversed")
        if obj.kind is Kind.CONST and isinstance(obj.data, (str, bytes)):
            return self.arena.get(Kind.DERIVED, (obj, *bounds), name="slice")
        return self.reduced(obj, "slice", bounds, site)

    def _slice(self, i: ir.Slice, s: State) -> None:
        s.regs[i.dst] = self.slice_of(s.regs[i.obj], self._bounds(i, s), i.site)

    def _set_slice(self, i: ir.SetSlice, s: State) -> None:
        obj, value, bounds = s.regs[i.obj], s.regs[i.src], self._bounds(i, s)
        whole = all(b.kind is Kind.CONST and b.data in (None, 0) for b in bounds[:2])
        self.slice_assigned(s, obj, value, bounds, i.site, whole)

    def _del_slice(self, i: ir.DelSlice, s: State) -> None:
        obj, bounds = s.regs[i.obj], self._bounds(i, s)
        lost = self.reduced(obj, "slice", bounds, i.site)
        self.removed(s, obj, (lost,), i.site, None, None)

    # -- building ---------------------------------------------------------------------------------------------------

    def _build(self, i: ir.Build, s: State) -> None:
        items = tuple(s.regs[r] for r in i.items)
        if i.kind == "dict":
            keys = tuple(
                (s.regs[k].data if s.regs[k].kind is Kind.CONST else s.regs[k].id) if k is not None else None
                for k in i.keys
            )
            value = self.arena.get(Kind.BUILD, items, name="dict", data=repr(keys), key=(self.unit.key, i.site))
            for key, item in zip(keys, items, strict=True):
                if isinstance(key, str):
                    s.heap[(value.id, "item", key)] = item
            for reg, item in zip(i.keys, items, strict=True):
                if reg is not None and s.regs[reg].kind is not Kind.CONST:
                    s.heap[(value.id, "item", s.regs[reg])] = item
            self.dict_built(s, value, keys, items, i.site)
        else:
            starred = i.starred if any(i.starred) else ()
            value = self.arena.get(Kind.BUILD, items, name=i.kind, data=starred or None, key=(self.unit.key, i.site))
        if value.site < 0:
            value.site, value.unit = i.site, self.unit
        s.regs[i.dst] = value

    def _bin(self, i: ir.Bin, s: State) -> None:
        left, right = s.regs[i.left], s.regs[i.right]
        s.regs[i.dst] = self.binary(i, left, right, s)

    def binary(self, i: ir.Bin, left: Value, right: Value, state: State) -> Value:
        """Concatenation keeps both sides, path joins keep the type, literals are folded, the rest is derived."""
        op = i.op.removesuffix("Assign")
        if left.kind is Kind.CONST and right.kind is Kind.CONST:
            folded = _fold(op, left.data, right.data)
            if folded is not None:
                return self.arena.const(folded)
        if op in ("Add", "BitOr"):
            if i.inplace and self.is_list(left):
                self.entered(state, left, right, i.site)
                value = self.arena.get(Kind.CONCAT, (left, right), name="extend", key=(self.unit.key, i.site))
                if self.owned(left):
                    state.moved |= {right.id}
                self.rebind(state, left, value)
            else:
                value = self.arena.get(Kind.CONCAT, (left, right), name="add", key=(self.unit.key, i.site))
            if value.site < 0:
                value.site, value.unit = i.site, self.unit
            return value
        if op == "Modulo" and left.kind is Kind.CONST and isinstance(left.data, str):
            return self.arena.get(Kind.BUILD, (left, right), name="fstring", key=(self.unit.key, i.site))
        value = self.arena.get(Kind.DERIVED, (left, right), name=op)
        if op == "Divide" and self.qual_of(left).startswith("pathlib."):
            value.qual = "pathlib.Path"
        return value

    def _compare(self, i: ir.Compare, s: State) -> None:
        left = s.regs[i.left]
        ops = (left,) if i.right is None else (left, s.regs[i.right])
        s.regs[i.dst] = self.arena.get(Kind.DERIVED, ops, name=i.op)

    def _move(self, i: ir.Move, s: State) -> None:
        s.regs[i.dst] = s.regs[i.src]

    def _element(self, i: ir.Element, s: State) -> None:
        src = s.regs[i.src]
        if src.kind is Kind.ELEMENT and src.ops[0].kind is Kind.CALL and src.ops[0].name in ("enumerate", "zip"):
            args = src.ops[0].ops
            index = i.index - 1 if src.ops[0].name == "enumerate" else i.index
            if 0 <= index < len(args):
                s.regs[i.dst] = self.element_of(args[index], s)
                return
        if i.index >= 0 and src.kind is Kind.BUILD and len(src.ops) == i.count and not src.data:
            s.regs[i.dst] = src.ops[i.index]
        elif i.index >= 0:
            s.regs[i.dst] = self.load_item(s, src, self.arena.const(i.index))
        else:
            s.regs[i.dst] = self.element_of(src, s)

    def _comp(self, i: ir.Comp, s: State) -> None:
        src, elt = s.regs[i.src], s.regs[i.elt]
        element = self.element_of(src, s)
        happened = self._begun_in_comp(i, s, element)
        captured = s.captured.get(element.id)
        if captured is not None and not i.filtered:
            self.mark(s, src, captured)
            happened[src.id] = captured
        if elt is element:
            if i.filtered:
                conds = tuple(s.regs[c] for c in i.conds)
                value = self.reduced(src, "filter", conds, i.site)
            else:
                value = self.arena.get(Kind.RENDERING, (src,), name="shallow")
        else:
            base = self.reduced(src, "filter", tuple(s.regs[c] for c in i.conds), i.site) if i.filtered else src
            value = self.arena.get(Kind.MAPPED, (base, elt), name=i.kind, key=(self.unit.key, i.site))
            if value.site < 0:
                value.site, value.unit = i.site, self.unit
        s.regs[i.dst] = value
        if i.kind == "generator" and happened:
            s.lazy[value.id] = happened
            for key in happened:
                s.captured.pop(key, None)

    def _begun_in_comp(self, i: ir.Comp, s: State, element: Value) -> dict[int, Captured]:
        """Captures made by the body of a comprehension. One of something else than its elements may have run zero
        times: it does not count as whole."""
        places = range(i.first_site, i.site + 1)
        happened: dict[int, Captured] = {}
        for key, captured in list(s.captured.items()):
            if captured.place.function is self.unit and captured.place.site in places:
                happened[key] = captured
                if not mentions(self.arena.by_id(key), element):
                    s.captured[key] = replace(captured, in_thread=True, awaiting=-1)
        return happened

    # -- the rest ---------------------------------------------------------------------------------------------------

    def _await(self, i: ir.Await, s: State) -> None:
        value = s.regs[i.src]
        self.awaited(s, value)
        s.regs[i.dst] = value

    def _yield(self, i: ir.Yield, s: State) -> None:
        if s.at_yield is None:
            s.at_yield = frozenset(s.captured)
        if i.src is not None:
            value = s.regs[i.src]
            self.handed_out(s, value, i.site)
        s.regs[i.dst] = self.arena.get(Kind.CALL, name="yield", key=(self.unit.key, i.site))

    def _func(self, i: ir.Func, s: State) -> None:
        s.regs[i.dst] = self.arena.get(
            Kind.FUNC, name=i.function.name, key=(self.unit.key, i.function.qualname), function=i.function
        )

    def _unknown(self, i: ir.Unknown, s: State) -> None:
        s.regs[i.dst] = self.arena.get(Kind.CALL, name=i.hint, key=(self.unit.key, i.dst))


def _fold(op: str, left: object, right: object) -> object:
    """Fold literal arithmetic; None when there is nothing to fold."""
    if isinstance(left, bool) or isinstance(right, bool):
        return None
    if isinstance(left, str) and isinstance(right, str) and op == "Add":
        return left + right
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return None
    operations: dict[str, Callable[[float, float], float]] = {
        "Add": lambda a, b: a + b,
        "Subtract": lambda a, b: a - b,
        "Multiply": lambda a, b: a * b,
        "Divide": lambda a, b: a / b,
        "FloorDivide": lambda a, b: a // b,
    }
    if op == "Power" and isinstance(left, int) and isinstance(right, int) and abs(left) <= 1024 and 0 <= right <= 64:
        return left**right
    try:
        return operations[op](left, right) if op in operations else None
    except (ZeroDivisionError, OverflowError):
        return None


_HANDLERS: dict[type, Callable[..., None]] = {
    ir.Const: Transfer._const,
    ir.Name: Transfer._name,
    ir.SetName: Transfer._set_name,
    ir.Import: Transfer._import,
    ir.Attr: Transfer._attr,
    ir.SetAttr: Transfer._set_attr,
    ir.DelAttr: Transfer._del_attr,
    ir.Item: Transfer._item,
    ir.SetItem: Transfer._set_item,
    ir.DelItem: Transfer._del_item,
    ir.Slice: Transfer._slice,
    ir.SetSlice: Transfer._set_slice,
    ir.DelSlice: Transfer._del_slice,
    ir.Build: Transfer._build,
    ir.Bin: Transfer._bin,
    ir.Compare: Transfer._compare,
    ir.Move: Transfer._move,
    ir.Element: Transfer._element,
    ir.Comp: Transfer._comp,
    ir.Await: Transfer._await,
    ir.Yield: Transfer._yield,
    ir.Func: Transfer._func,
    ir.Unknown: Transfer._unknown,
}
