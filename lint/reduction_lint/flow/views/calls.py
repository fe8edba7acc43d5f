"""What calls do: the project's own functions run in place, builtins copy and pick, the rest is noted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.conditions import drops_for, keys_in, restrictions
from reduction_lint.flow.views.heap import Heap
from reduction_lint.flow.views.model import ANY, NOTHING, Drop, Event, State, V, der, key_of, lit, sub
from reduction_lint.syntax.quiet import parse_ast

if TYPE_CHECKING:
    from reduction_lint.flow.project import Project
    from reduction_lint.knowledge.phases import Policy, Words

_CHANGES = frozenset(
    ["clear", "update", "setdefault", "remove", "append", "extend", "insert", "sort", "reverse", "add", "discard",
     "appendleft", "extendleft", "popleft", "popitem", "pop", "__setitem__", "__delitem__"]
)  # fmt: skip
_GROWS = frozenset({"append", "add", "extend", "insert", "update", "appendleft", "extendleft", "write", "writelines"})
_TOP = frozenset({"nlargest", "nsmallest", "islice", "sample", "most_common", "head", "tail", "top_k", "topk"})
_COPIES = {"dict": "dict", "list": "list", "tuple": "list", "set": "list", "copy.copy": "copy", "frozenset": "list"}
_DEEP = frozenset({"copy.deepcopy", "deepcopy"})
_DUMPS = frozenset({"model_dump", "model_copy", "asdict", "dict", "copy"})


class ViewCalls(Heap):
    """Interprets calls."""

    selects: Callable[[Unit], Policy | None] | None

    def __init__(self, project: Project, words: Words) -> None:
        super().__init__(words)
        self.project = project
        self._functions: list[tuple[Unit, ir.Function]] = []
        self._collections: dict[str, V] = {}

    def called(self, unit: Unit, params: dict[str, V], state: State) -> list[tuple[State, V]] | None:
        """Run a callee; see the machine."""
        raise NotImplementedError

    # -- names --------------------------------------------------------------------------------------------------------

    def function_value(self, unit: Unit, function: ir.Function) -> V:
        """A nested function or lambda as a value."""
        self._functions.append((unit, function))
        return V("func", function.name, number=len(self._functions) - 1)

    def global_value(self, unit: Unit, name: str) -> V:
        """What a name that the function does not bind stands for."""
        dotted = self.project.resolve_name(unit, name)
        return self.dotted_value(unit, dotted) if dotted else V("glob", name)

    def dotted_value(self, unit: Unit, dotted: str) -> V:
        """A module-level name: its literal or literal keys where it has some."""
        if dotted not in self._collections:
            self._collections[dotted] = self._read_global(dotted)
        return self._collections[dotted]

    def _read_global(self, dotted: str) -> V:
        found = self.project.locate(dotted) if "." in dotted else None
        if found is None or found[1] not in found[0].variables:
            return V("glob", dotted)
        if self.words.audit.match(dotted.rpartition(".")[2]):
            return V("audit", dotted)
        literal = self.project.constant(dotted)
        if literal and isinstance(literal[0], (str, int, float, bool)):
            return replace(lit(literal[0]), name=dotted)
        keys = literal_keys(found[0].variables[found[1]].text)
        return V("oneof", dotted, data=keys) if keys else V("glob", dotted)

    def attribute(self, unit: Unit, s: State, obj: V, name: str) -> V:
        """``self.name`` or an attribute of something that is no canonical context."""
        known = s.env.get(f".{name}") if obj.kind == "param" and obj.name == unit.self_name else None
        if known is not None:
            return known
        if self.words.audit.match(name):
            return V("audit", name)
        if obj.kind == "param" and obj.name == unit.self_name and unit.class_name:
            for info in self.project.bases(unit.class_name):
                for chunk in info.statements:
                    if chunk.text.strip().startswith(name):
                        keys = literal_keys(chunk.text.strip())
                        if keys:
                            return V("oneof", name, data=keys)
        if obj.kind == "param" and obj.name == unit.self_name and self.is_context(name):
            return V("root", f"{obj.name}.{name}")
        return sub(obj, name) if obj.kind == "param" else der("part", obj, lit(name))

    def is_context(self, name: str) -> bool:
        """Is an attribute of this name a canonical context?"""
        return False

    # -- calls --------------------------------------------------------------------------------------------------------

    def call(self, unit: Unit, i: ir.Call, s: State) -> list[State]:
        """The states after a call."""
        recv = s.regs.get(i.recv) if i.recv is not None else None
        func = s.regs.get(i.func) if i.func is not None else None
        args = tuple(s.regs.get(reg, NOTHING) for reg, _ in i.args)
        named = {key: s.regs.get(reg, NOTHING) for key, reg in i.kwargs if key is not None}
        spread = tuple(s.regs.get(reg, NOTHING) for key, reg in i.kwargs if key is None)
        place = Place(unit, i.site)
        if recv is not None and i.method in ("__enter__", "__exit__"):
            s.regs[i.dst] = recv
            return [s]
        callee = self.resolve(unit, func, recv, i.method)
        if callee is not None:
            ends = self._run(unit, callee, i, s, recv, args, named, spread)
            if ends is not None:
                return ends
        name = i.method or (func.name if func is not None else "")
        if recv is not None and self._method(unit, i, s, recv, args, named, place):
            return [s]
        if recv is None or recv.kind == "glob":
            name = f"{recv.name}.{name}" if recv is not None else name
            known = self._function(unit, i, s, name, args, named, place)
            if known is not None:
                s.regs[i.dst] = known
                return [s]
        s.regs[i.dst] = self._unknown(unit, i, s, name, recv, (*args, *named.values(), *spread), tuple(named), place)
        return [s]

    def resolve(self, unit: Unit, func: V | None, recv: V | None, method: str) -> Unit | None:
        """The function of the project that is called, if it is one."""
        if func is not None and func.kind == "func":
            owner, function = self._functions[func.number]
            return Unit(f"{owner.key}:{function.qualname}:{func.number}", owner.module, function, "", owner.owner,
                        owner.path, parent=owner)  # fmt: skip
        if func is not None and func.kind == "glob":
            return self.unit_named(func.name)
        if recv is not None and recv.kind == "glob":
            return self.unit_named(f"{recv.name}.{method}")
        class_name = self._class_of(unit, recv) if recv is not None else ""
        for info in self.project.bases(class_name) if class_name else ():
            if method in info.methods:
                return self.project.unit_of(info.module, info.methods[method])
        return None

    def _class_of(self, unit: Unit, value: V) -> str:
        """Dotted class of a receiver of the project, as far as annotations tell."""
        if value.kind == "param" and value.name == unit.self_name:
            return unit.class_name
        if value.kind == "param":
            annotation = next((p.annotation for p in unit.function.params if p.name == value.name), "")
            return self.project.resolve_type(unit, annotation) if annotation else ""
        if value.kind == "sub" and value.ops[0].kind == "param":
            owner = self._class_of(unit, value.ops[0])
            return self.project.attribute_type(owner, value.name) if owner else ""
        return ""

    def unit_named(self, dotted: str) -> Unit | None:
        """The function with a dotted name."""
        found = self.project.locate(dotted) if "." in dotted else None
        if found is None:
            return None
        module, rest = found
        if rest in module.functions:
            return self.project.unit_of(module, module.functions[rest])
        owner, _, name = rest.rpartition(".")
        info = module.classes.get(owner)
        if info is not None and name in info.methods:
            return self.project.unit_of(module, info.methods[name])
        return None

    def _run(
        self, unit: Unit, callee: Unit, i: ir.Call, s: State, recv: V | None, args: tuple[V, ...],
        named: dict[str, V], spread: tuple[V, ...],
    ) -> list[State] | None:  # fmt: skip
        """Run a callee in place, or take what it gives for a view when it is a selector."""
        place = Place(unit, i.site)
        given = (*args, *named.values(), *spread)
        policy = self.selects(callee) if self.selects is not None else None
        if policy is not None:
            view = V("view", policy.name, given, callee.key, i.site)
            s.note(Event("select", place, view, given, callee.key, keywords=tuple(named)))
            s.regs[i.dst] = view
            return [s]
        params = self.bound(callee, recv, args, named)
        if callee.parent is not None:
            params = {**{k: v for k, v in s.env.items() if not k.startswith(".")}, **params}
        s.note(Event("enter", place, name=callee.key))
        ends = None if callee.function.is_generator else self.called(callee, params, s)
        if ends is None:
            return None
        after = []
        for state, value in ends:
            state.regs[i.dst] = value
            after.append(state)
        return after

    def bound(self, callee: Unit, recv: V | None, args: tuple[V, ...], named: dict[str, V]) -> dict[str, V]:
        """Parameter name -> value."""
        params: dict[str, V] = {}
        rest = list(args)
        for number, param in enumerate(callee.function.params):
            if number == 0 and callee.self_name:
                params[param.name] = recv if recv is not None and recv.kind != "glob" else V("param", param.name)
            elif param.kind == "positional" and rest:
                params[param.name] = rest.pop(0)
            elif param.name in named:
                params[param.name] = named[param.name]
            elif param.default:
                params[param.name] = lit(param.default[0])
            elif param.kind == "args" and rest:
                params[param.name] = der("tuple", *rest)
            else:
                params[param.name] = V("param", param.name)
        return params

    # -- methods ------------------------------------------------------------------------------------------------------

    def _method(
        self, unit: Unit, i: ir.Call, s: State, recv: V, args: tuple[V, ...], named: dict[str, V], place: Place
    ) -> bool:
        """Methods of dicts, lists and models. False when this is some other call."""
        method = i.method
        given = (*args, *named.values())
        if self.is_audit(s, recv):
            self.noted(s, recv, given, place)
            s.regs[i.dst] = NOTHING
            return True
        simple = {"items": "pairs", "keys": "keys", "values": "vals"}.get(method)
        if simple and not given:
            s.regs[i.dst] = V(simple, ops=(recv,))
        elif method in ("get", "__getitem__", "getattr") and args:
            s.regs[i.dst] = self.load(s, recv, args[0])
        elif method in ("startswith", "endswith") and args:
            s.regs[i.dst] = der(method, recv, *args)
        elif method in _DUMPS and (recv.is_part or s.obj(recv) is not None):
            s.regs[i.dst] = self._dumped(s, recv, method, named, place)
        elif method in _CHANGES and (recv.is_part or s.obj(recv) is not None):
            self._change(unit, i, s, recv, args, named, place)
        else:
            return False
        return True

    def _dumped(self, s: State, recv: V, method: str, named: dict[str, V], place: Place) -> V:
        """``model_dump(exclude=…)`` and ``model_copy(update=…)``."""
        is_deep = method in ("model_dump", "asdict", "dict") or named.get("deep", NOTHING) == lit(True)
        result = self.copied(s, recv, "dict", is_deep)
        made = s.obj(result)
        if made is None or not recv.is_part:
            return result
        left = keys_in(named["exclude"]) if "exclude" in named else None
        kept = keys_in(named["include"]) if "include" in named else None
        if "exclude" in named:
            made = made.dropping(*(Drop(sub(recv, key), "key", place) for key in sorted(left or {ANY})))
        if "include" in named:
            made = made.dropping(Drop(recv, "allow", place, kept or frozenset({ANY})))
        update = s.obj(named.get("update", NOTHING))
        for key, value in update.entries if update is not None else ():
            made = self.replaced(s, made, key, value, place)
        s.heap[result.number] = made
        return result

    def _change(
        self, unit: Unit, i: ir.Call, s: State, recv: V, args: tuple[V, ...], named: dict[str, V], place: Place
    ) -> None:
        method = i.method
        s.regs[i.dst] = NOTHING
        if method in ("pop", "popitem", "popleft"):
            key = args[0] if args else lit(-1)
            s.regs[i.dst] = self.load(s, recv, key)
            self.remove(unit, s, recv, key, i.site)
            return
        if method == "__delitem__" and args:
            self.remove(unit, s, recv, args[0], i.site)
            return
        if method in ("setdefault", "__setitem__") and len(args) > 1:
            s.regs[i.dst] = self.load(s, recv, args[0])
            self.write(unit, s, recv, args[0], args[1], i.site)
            return
        if recv.is_part:
            self.mutated(unit, s, recv, i.site)
            return
        made = s.obj(recv)
        assert made is not None
        if method == "clear":
            drops = (Drop(sub(base, ANY), "top", place) for base in made.bases if base.is_part)
            s.heap[recv.number] = replace(made, bases=(), entries=(), extra=()).dropping(*drops)
        elif method == "update":
            for value in args:
                other = s.obj(value)
                for name, entry in other.entries if other is not None else ():
                    made = self.replaced(s, made, name, entry, place)
                if other is None or other.bases:
                    made = self.spread(s, made, value)
            for name, entry in named.items():
                made = self.replaced(s, made, name, entry, place)
            s.heap[recv.number] = made
        elif method in _GROWS and args:
            many = method.startswith("extend")
            s.heap[recv.number] = (
                self.spread(s, made, args[-1]) if many else replace(made, extra=(*made.extra, args[-1]))
            )
            s.note(Event("put", place, recv, args))
        elif method in ("remove", "discard"):
            self.cut_items(s, recv, "some", place)

    # -- functions ----------------------------------------------------------------------------------------------------

    def _function(
        self, unit: Unit, i: ir.Call, s: State, name: str, args: tuple[V, ...], named: dict[str, V], place: Place
    ) -> V | None:
        """Builtins and library functions that copy, pick or test; None for all others."""
        last = name.rpartition(".")[2]
        first = args[0] if args else NOTHING
        if name in _COPIES or name in ("collections.OrderedDict", "types.MappingProxyType"):
            result = self.copied(s, first, _COPIES.get(name, "dict"), deep=False)
            made = s.obj(result)
            if made is not None:
                for key, value in named.items():
                    made = self.replaced(s, made, key, value, place)
                s.heap[result.number] = made
            return result
        if name in _DEEP or (last == "asdict" and args):
            return self.copied(s, first, "copy", deep=True)
        if last == "loads" and first.kind == "der" and first.name == "dumps" and first.ops:
            return self.copied(s, first.ops[0], "copy", deep=True)
        if name in ("dataclasses.replace", "copy.replace", "attrs.evolve", "attr.evolve") and args:
            result = self.copied(s, first, "copy", deep=False)
            made = s.obj(result)
            if made is not None:
                for key, value in named.items():
                    made = self.replaced(s, made, key, value, place)
                s.heap[result.number] = made
            return result
        if last in _TOP and args:
            source = args[1] if last in ("nlargest", "nsmallest") and len(args) > 1 else first
            return self.picked(s, source, Drop(sub(source, ANY), "top", place))
        if name == "filter" and len(args) == 2:
            return self._filtered(unit, s, args[0], args[1], place)
        if name in ("setattr", "delattr", "operator.delitem", "operator.setitem") and len(args) > 1:
            if len(args) > 2:
                self.write(unit, s, first, args[1], args[2], i.site)
            else:
                self.remove(unit, s, first, args[1], i.site)
            return NOTHING
        if name == "getattr" and len(args) > 1:
            return self.load(s, first, args[1])
        if name in ("sorted", "reversed", "enumerate", "iter"):
            return first if s.obj(first) is not None and name != "enumerate" else der(name, *args[:1])
        if name in ("len", "any", "all", "isinstance", "bool", "min", "max", "sum", "int", "float", "type"):
            return der(name, *args)
        if name in ("typing.cast", "cast") and len(args) == 2:
            return args[1]
        return None

    def _filtered(self, unit: Unit, s: State, test: V, source: V, place: Place) -> V:
        """``filter(f, items)``."""
        from reduction_lint.flow.views.machine import origin_of

        origin = origin_of(source)
        found = []
        if test.kind == "func":
            owner, function = self._functions[test.number]
            callee = self.resolve(owner, test, None, "")
            if callee is not None and function.params:
                params = {**s.env, function.params[0].name: self.element(s, source)}
                for _, value in self.called(callee, params, s.fork()) or ():
                    found += restrictions(s, value, True, origin)
        drops = drops_for(found, origin, place) if origin.is_part else []
        result = self.copied(s, source, "list", deep=False)
        made = s.obj(result)
        if made is None:
            return result
        s.heap[result.number] = made.dropping(*drops)
        return result

    def _unknown(
        self, unit: Unit, i: ir.Call, s: State, name: str, recv: V | None, given: tuple[V, ...],
        names: tuple[str, ...], place: Place,
    ) -> V:  # fmt: skip
        """Some other call: a note in an audit that it is given, and an entry in the log."""
        for value in given:
            if self.is_audit(s, value):
                self.noted(s, value, tuple(v for v in given if v is not value) or (key_of(NOTHING),), place)
        last = name.rpartition(".")[2]
        operands = (*given, *((recv,) if recv is not None else ()))
        value = replace(der(last, *operands), qual=name if recv is None or recv.kind == "glob" else "")
        s.note(Event("call", place, value, operands, name, keywords=names, truth=recv is not None))
        return value


def literal_keys(text: str) -> tuple[str, ...]:
    """The texts in a literal collection that a statement assigns, also where sets are joined."""
    try:
        tree = parse_ast(text)
    except SyntaxError:
        return ()
    value = getattr(tree.body[0], "value", None) if tree.body else None
    return tuple(_texts(value)) if isinstance(value, ast.AST) else ()


def _texts(node: ast.AST) -> list[str]:
    if isinstance(node, (ast.Set, ast.Tuple, ast.List)):
        return [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    if isinstance(node, ast.Dict):
        return [k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("frozenset", "set", "tuple"):
        return [text for arg in node.args for text in _texts(arg)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.Add)):
        return [*_texts(node.left), *_texts(node.right)]
    return []
