"""What a call does: models first by exact name, then the project's own code, then models by shape."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reduction_lint.flow import ir
from reduction_lint.flow.caps import Caps
from reduction_lint.flow.events import Event, Step
from reduction_lint.flow.kinds import ContextKind
from reduction_lint.flow.losses import base_of, reduced_inside, summaries_in
from reduction_lint.flow.state import Captured, Place, State, coverage
from reduction_lint.flow.unit import Exit, Summary, Unit
from reduction_lint.flow.values import Kind, Value, holds, parts, path_text, root, strip
from reduction_lint.knowledge.models import UNKNOWN, Argument, Capture, Hit

_PURE = frozenset(
    [
        "len",
        "isinstance",
        "issubclass",
        "hasattr",
        "callable",
        "any",
        "all",
        "min",
        "max",
        "sum",
        "abs",
        "round",
        "int",
        "float",
        "bool",
        "hash",
        "id",
        "type",
        "ord",
        "chr",
        "format",
    ]
)
_COPIES = {"list": "shallow", "tuple": "shallow", "dict": "shallow", "set": "shallow", "sorted": "shallow",
           "reversed": "shallow", "iter": "none", "str": "deep", "frozenset": "shallow"}  # fmt: skip
_STR_WHOLE = frozenset(
    [
        "strip",
        "rstrip",
        "lstrip",
        "decode",
        "encode",
        "expandtabs",
        "replace",
        "lower",
        "upper",
        "format_map",
        "removeprefix",
        "removesuffix",
    ]
)
_TASKS = frozenset(
    {
        "create_task",
        "ensure_future",
        "run_coroutine_threadsafe",
        "submit",
        "Thread",
        "apply_async",
        "start_soon",
        "spawn",
        "to_thread",
        "run_in_executor",
    }
)
_WAITS = frozenset(
    {"gather", "wait", "wait_for", "shield", "run", "run_until_complete", "result", "join", "as_completed"}
)
_COUNTING = frozenset(
    [
        "count",
        "len",
        "estimate",
        "tokens",
        "size",
        "log",
        "debug",
        "info",
        "warning",
        "error",
        "exception",
        "print",
        "metric",
        "measure",
    ]
)
_KEEPING = frozenset(
    [
        "append",
        "add",
        "put",
        "insert",
        "extend",
        "push",
        "write",
        "save",
        "store",
        "set",
        "update",
        "emit",
        "send",
        "publish",
        "enqueue",
        "record",
        "persist",
        "upload",
        "dump",
        "post",
    ]
)


@dataclass(slots=True)
class Args:
    """The evaluated arguments of a call."""

    recv: Value | None
    positional: tuple[Value, ...]
    keywords: dict[str, Value]
    starred: bool
    extra: tuple[Value, ...]

    def get(self, argument: Argument) -> Value | None:
        """The argument at a position, with a name, or the receiver for "self"."""
        if isinstance(argument, int):
            return self.positional[argument] if argument < len(self.positional) else None
        return self.recv if argument == "self" else self.keywords.get(argument)

    def select(self, wanted: tuple[Argument, ...]) -> list[Value]:
        """All given arguments among ``wanted``; ``*`` means every argument."""
        if "*" in wanted:
            return [*self.positional, *self.keywords.values(), *self.extra]
        return [v for v in (self.get(w) for w in wanted) if v is not None]

    @property
    def all(self) -> tuple[Value, ...]:
        """Every argument value without the receiver."""
        return (*self.positional, *self.keywords.values(), *self.extra)


class CallEffects(Caps):
    """Interprets calls."""

    def call(self, i: ir.Call, state: State) -> list[State]:
        """Run a call; a callee with several exits forks the state."""
        args = self._args(i, state)
        func = state.regs[i.func] if i.func is not None else None
        name = i.method or (func.name or func.qual.rpartition(".")[2] if func is not None else "")
        quals, receivers = self._names(i, func, args, name)
        if i.recv is not None and i.method in ("__enter__", "__exit__"):
            if i.method == "__exit__" and args.recv is not None:
                self._group_left(state, args.recv)
                self.run_lazy(state, args.recv)
            state.regs[i.dst] = args.recv or self.arena.const(None)
            return [state]
        for given in args.all if state.lazy else ():
            self.run_lazy(state, given)
        exact = self.models.captures.find(quals, name, ())
        known = exact is not None and exact.exact
        if i.recv is not None and not known and self._list_method(i, state, args):
            return [state]
        if func is not None and func.kind is Kind.CALL and func.name == "partial" and func.ops:
            bound = tuple(op for op in func.ops[1:] if op.qual != "functools")
            func, args = func.ops[0], replace(args, positional=(*bound, *args.positional))
        dispatched = self._dispatch(i, state, args) if args.recv is not None and not known else None
        if dispatched is not None:
            return dispatched
        summary = self._summary_of(i, func, args, quals, state)
        if summary is not None and not known and (not summary.trivial or summary.unit.declarations):
            return self._apply(i, summary, args, state)
        self._modelled(i, state, args, name, quals, receivers)
        return [state]

    def _group_left(self, s: State, group: Value) -> None:
        """Leaving a task group waits for the tasks that were started in it."""
        for key, captured in list(s.captured.items()):
            task = self.arena.by_id(captured.awaiting) if captured.awaiting is not None else None
            if task is not None and task.name in _TASKS and group in task.ops:
                s.captured[key] = replace(captured, awaiting=None)

    def _args(self, i: ir.Call, s: State) -> Args:
        recv = s.regs[i.recv] if i.recv is not None else None
        positional: list[Value] = []
        extra: list[Value] = []
        starred = False
        for reg, star in i.args:
            (extra if star or starred else positional).append(s.regs[reg])
            starred = starred or star
        keywords: dict[str, Value] = {}
        for key, reg in i.kwargs:
            if key is None:
                extra.append(s.regs[reg])
                self._spread(s, s.regs[reg], keywords)
            else:
                keywords[key] = s.regs[reg]
        return Args(recv, tuple(positional), keywords, starred, tuple(extra))

    @staticmethod
    def _spread(s: State, value: Value, keywords: dict[str, Value]) -> None:
        """``**params`` of a dict that this path built: its literal keys are keyword arguments."""
        for (owner, kind, key), item in s.heap.items():
            if owner == value.id and kind == "item" and isinstance(key, str):
                keywords.setdefault(key, item)

    def _names(self, i: ir.Call, func: Value | None, args: Args, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Qualified names the callee may have, best first, and names of the receiver for matching by shape."""
        if args.recv is not None:
            base = self.qual_of(args.recv)
            shown = path_text(args.recv).partition("[")[0].rpartition(".")[2]
            if args.recv.kind in (Kind.ITEM, Kind.ELEMENT):
                shown = shown.removesuffix("s")
            receivers = tuple(n for n in (shown, base.rpartition(".")[2], *sorted(args.recv.hints)) if n)
            owner = args.recv
            while owner.kind is Kind.ATTR:
                owner = owner.ops[0]
                text = path_text(owner).rpartition(".")[2]
                if self.is_sidecar(owner) and text:
                    receivers += (text,)
            return ((f"{base}.{name}",) if base else ()), receivers
        qual = func.qual if func is not None else ""
        return ((qual,) if qual else ()), ()

    # -- containers -------------------------------------------------------------------------------------------------

    def _list_method(self, i: ir.Call, s: State, args: Args) -> bool:
        """List, dict, deque and text methods with a fixed meaning. False when this is some other call."""
        recv, method = args.recv, i.method
        assert recv is not None
        none = self.arena.const(None)
        if method in ("append", "add", "appendleft", "insert", "extend", "extendleft") and args.positional:
            if self.is_sidecar(recv) or self._is_own_method(recv, method):
                return False
            if self._has_sidecar_owner(recv):
                self._grow(i, s, recv, args.positional[-1], method)
                s.regs[i.dst] = none
                return self._known_class(recv)
            if recv.kind is Kind.GLOBAL and not self.classifier.kind_of(recv):
                return False
            item = args.positional[-1]
            self._grow(i, s, recv, item, method)
            s.regs[i.dst] = none
            return True
        if method in ("pop", "popleft", "popitem"):
            self._pop(i, s, recv, args, method)
            return True
        if method == "clear" and not args.all:
            if self._summary_of(i, None, args, (), s) is not None:
                return False
            self.removed(s, recv, (recv,), i.site, None, None)
            s.regs[i.dst] = none
            return True
        if method == "remove" and len(args.positional) == 1 and not args.keywords:
            self.removed(s, recv, (args.positional[0],), i.site, args.positional[0], None)
            s.regs[i.dst] = none
            return True
        return self._text_method(i, s, args)

    def _is_own_method(self, recv: Value, method: str) -> bool:
        """Does the project define a method of this name for the object, so that it is no list's?"""
        owner = self.qual_of(recv)
        return bool(owner) and self.program.method_summary(owner, method) is not None

    def _has_sidecar_owner(self, value: Value) -> bool:
        while value.kind is Kind.ATTR:
            value = value.ops[0]
            if self.is_sidecar(value):
                return True
        return False

    def _known_class(self, value: Value) -> bool:
        """Is the object that owns this list of a class of the project, so that its own writes are seen?"""
        owner = value
        while owner.kind is Kind.ATTR:
            owner = owner.ops[0]
            qual = self.qual_of(owner)
            if qual and (self.program.base_names(qual) or self.program.is_class(qual)):
                return True
        return False

    def _grow(self, i: ir.Call, s: State, recv: Value, item: Value, method: str) -> None:
        self.entered(s, recv, item, i.site)
        kind = self.classifier.kind_of(recv)
        if kind is not None and kind.kind == "conversation":
            self.sink(s, item, i.site, "is appended to the conversation", stored=True)
        if self.owned(recv):
            self.stored(s, item, i.site)
            if method.startswith("extend"):
                s.moved |= {item.id}
        held = item
        name = "extend" if method.startswith("extend") else "append"
        if name == "append":
            held = self.arena.get(Kind.BUILD, (item,), name="list", key=("appended",))
        new = self.arena.get(Kind.CONCAT, (recv, held), name=name, key=(self.unit.key, i.site))
        if new.site < 0:
            new.site, new.unit = i.site, self.unit
        self.rebind(s, recv, new)

    def _pop(self, i: ir.Call, s: State, recv: Value, args: Args, method: str) -> None:
        key = args.positional[0] if args.positional else self.arena.const(0 if method == "popleft" else -1)
        lost = self.load_item(s, recv, key)
        s.regs[i.dst] = lost
        if key.kind is Kind.CONST and isinstance(key.data, str):
            if not i.used:
                self.removed(s, recv, (lost,), i.site, None, key)
            return
        kind = self.classifier.kind_of(recv)
        if method == "popitem" or kind is None or kind.shape == "text":
            return
        if method == "pop" and (not args.positional or key.data == -1):
            self.taken_out(recv)
            self.rebind(s, recv, self.arena.get(Kind.REDUCED, (recv,), name="removed", key=(self.unit.key, i.site)))
            return
        self.removed(s, recv, (lost,), i.site, lost if i.used else None, None)

    def _text_method(self, i: ir.Call, s: State, args: Args) -> bool:
        recv, method = args.recv, i.method
        assert recv is not None
        unmarked = self.marker_removed(recv, method, args, i.site) or self.pattern_substituted(
            recv, method, args, i.site
        )
        if unmarked is not None:
            s.regs[i.dst] = unmarked
            return True
        if method in _STR_WHOLE:
            s.regs[i.dst] = self.arena.get(Kind.RENDERING, (recv,), name="deep")
            return True
        if method in ("splitlines", "split", "readlines") and self.classifier.kind_of(recv) is not None:
            s.regs[i.dst] = self.arena.get(Kind.RENDERING, (recv,), name="deep", data="lines")
            return True
        if method == "join" and len(args.positional) == 1:
            joined = args.positional[0]
            if joined.kind is Kind.MAPPED or joined.kind is Kind.BUILD:
                s.regs[i.dst] = self.arena.get(Kind.BUILD, (recv, joined), name="fstring", key=(self.unit.key, i.site))
            else:
                s.regs[i.dst] = self.arena.get(Kind.RENDERING, (joined,), name="deep")
            return True
        if method == "copy" and not args.all:
            s.regs[i.dst] = self.arena.get(Kind.RENDERING, (recv,), name="shallow")
            return True
        if method == "format" and recv.kind is Kind.CONST:
            ops = (recv, *args.all)
            s.regs[i.dst] = self.arena.get(Kind.BUILD, ops, name="fstring", key=(self.unit.key, i.site))
            return True
        if method == "get" and args.positional and _is_key(args.positional[0]) and recv.kind is not Kind.GLOBAL:
            s.regs[i.dst] = self.load_item(s, recv, args.positional[0])
            if isinstance(args.positional[0].data, str):
                self.looked_at(s, recv, args.positional[0].data, i.dst)
                self.cap_default(s.regs[i.dst], args.positional[0].data, args.get(1))
            return True
        return False

    # -- the project's own functions --------------------------------------------------------------------------------

    def _summary_of(
        self, i: ir.Call, func: Value | None, args: Args, quals: tuple[str, ...], s: State
    ) -> Summary | None:
        if func is not None:
            if func.kind is Kind.PARAM and func.name in self.unit.bindings:
                return self.unit.bindings[func.name]
            if func.kind is Kind.FUNC and func.function is not None:
                return self.program.nested_summary(self.unit, func.function)
            if func.kind is Kind.GLOBAL:
                return self.program.summary(func.qual)
            return None
        recv = args.recv
        assert recv is not None
        if recv.kind is Kind.SUPER:
            return self.program.method_summary(self.unit.class_name, i.method, after=self.unit.class_name)
        if recv.kind is Kind.GLOBAL and not self.program.variable_type(recv.qual):
            return self.program.summary(f"{recv.qual}.{i.method}")
        base = self.qual_of(recv)
        return self.program.method_summary(base, i.method) if base else None

    def _dispatch(self, i: ir.Call, state: State, args: Args) -> list[State] | None:
        """A receiver of several known classes: one path per class, so that a capture counts only if all perform it."""
        recv = args.recv
        assert recv is not None
        options: tuple[str, ...] = ()
        if recv.kind is Kind.ATTR:
            options = self.program.alternatives(self.qual_of(recv.ops[0]), recv.name)
        elif recv.kind is Kind.PARAM:
            annotation = next((p.annotation for p in self.unit.function.params if p.name == recv.name), "")
            options = self.program.resolve_union(self.unit.module, annotation) if "|" in annotation else ()
        summaries = [self.program.method_summary(option, i.method) for option in options]
        if len(options) < 2 or any(summary is None for summary in summaries):
            return None
        return [
            after
            for summary in summaries
            if summary is not None
            for after in self._apply(i, summary, args, state.fork())
        ]

    def _apply(self, i: ir.Call, summary: Summary, args: Args, state: State) -> list[State]:
        """Apply a callee's summary: one successor state per exit."""
        unit = summary.unit
        mapping = self._bind(args, summary)
        pending = summary.is_async and not i.awaited
        self.given_to(i, state, args, summary, mapping)
        if summary.impure or summary.entered:
            self.entered_by(i, state, summary, Substitution(self, mapping, state, i.site))
        self._declared(i, state, unit, mapping)
        for obligation in summary.obligations:
            subst = Substitution(self, mapping, state, i.site)
            lost = tuple(subst.of(v) for v in obligation.lost)
            self.settle(state, obligation, subst.of(obligation.original), lost)
        for sunk in summary.sunk:
            subst = Substitution(self, mapping, state, i.site)
            self.sink(state, subst.of(sunk.value), i.site, sunk.why, sunk.is_stored, around=subst.of(sunk.around))
        if not summary.exits:
            state.regs[i.dst] = self.arena.get(
                Kind.CALL, args.all, name=unit.function.name, key=(self.unit.key, i.site)
            )
            return [state]
        results: list[State] = []
        for exit_ in summary.exits:
            after = state.fork() if len(summary.exits) > 1 else state
            subst = Substitution(self, mapping, state, i.site)
            result = self._as_summary(i, summary, args, subst.of(exit_.result))
            if summary.is_generator:
                result = self.arena.get(Kind.CALL, args.all, name=unit.function.name, key=(self.unit.key, i.site))
            self.answers_back(after, exit_, result)
            token = result.id if pending else None
            if pending:
                result = self.arena.get(Kind.CALL, (result,), name="coroutine", key=(self.unit.key, i.site))
                token = result.id
            if summary.is_generator:
                self._generator_made(after, i, exit_, subst, result, unit)
                after.regs[i.dst] = result
                results.append(after)
                continue
            for value, capture in exit_.captured:
                known = subst.of(value)
                self.answer_used(after, known, i.site, "is stored")
                self.mark(
                    after,
                    known,
                    Captured(Place(self.unit, i.site), capture.by_reference, capture.awaiting or token),
                )
            for owner, field, value in exit_.writes:
                target = subst.of(owner)
                new_field = (target.id, field[1], field[2])
                after.heap[new_field] = subst.of(value)
                self.fields[new_field] = target
                self.answer_used(after, after.heap[new_field], i.site, "is stored")
            after.regs[i.dst] = result
            results.append(after)
        return results

    def _as_summary(self, i: ir.Call, summary: Summary, args: Args, result: Value) -> Value:
        """What a function of the project that is called a summariser makes of context is a summary, however it does so."""
        if not self.models.names.summarisers.match(summary.unit.function.name) or result.kind is Kind.CONST:
            return result
        given = [v for v in args.all if self._is_context(v)]
        if not given or any(self._keeps(result, v) for v in given) or summaries_in(result):
            return result
        return self.summary_value((*given, result), i.site, summary.unit.function.name)

    @staticmethod
    def _keeps(result: Value, given: Value) -> bool:
        """Does a result hand back what it was given, whole or a part of it?"""
        return holds(result, given) or any(base_of(part) is strip(given) for part in reduced_inside(result))

    def _generator_made(
        self, s: State, i: ir.Call, exit_: Exit, subst: Substitution, result: Value, unit: Unit
    ) -> None:
        """Nothing of a generator has run yet; a context manager runs to its ``yield`` on entry, the rest on exit."""
        manager = any(text.rpartition(".")[2].endswith("contextmanager") for text in unit.function.decorators)
        lazy = s.lazy.setdefault(result.id, {})
        for value, capture in exit_.captured:
            made = Captured(Place(self.unit, i.site), capture.by_reference, capture.awaiting)
            if manager and value.id in exit_.before_yield:
                self.mark(s, subst.of(value), made)
            else:
                lazy[subst.of(value).id] = made

    def run_lazy(self, s: State, value: Value) -> None:
        """Somebody runs a generator: its captures happen now."""
        for part in parts(value, 10):
            for key, captured in s.lazy.pop(part.id, {}).items():
                self.mark(s, self.load_again(s, self.arena.by_id(key)), captured)

    def load_again(self, s: State, value: Value) -> Value:
        """What an attribute or item holds by now."""
        if value.kind is Kind.ATTR:
            return self.load_attr(s, value.ops[0], value.name)
        return value

    def _declared(self, i: ir.Call, state: State, unit: Unit, mapping: dict[int, Value]) -> None:
        """A comment on the callee says that it captures a parameter."""
        reduced = unit.declarations.get("reduces")
        for name in reduced if isinstance(reduced, tuple) else ():
            given = mapping.get(self.arena.get(Kind.PARAM, name=name, key=(unit.key,)).id)
            if given is not None:
                self.removed(state, given, (given,), i.site, None, None)
        names = unit.declarations.get("captures")
        for name in names if isinstance(names, tuple) else ():
            given = mapping.get(self.arena.get(Kind.PARAM, name=name, key=(unit.key,)).id)
            if given is not None:
                self.mark(state, given, Captured(Place(self.unit, i.site)))

    def _bind(self, args: Args, summary: Summary) -> dict[int, Value]:
        """Parameter value id -> argument value."""
        callee = summary.unit
        mapping: dict[int, Value] = {}
        params = list(callee.function.params)
        key = (callee.key,)
        positional = list(args.positional)
        if callee.self_name and params:
            receiver = self._receiver(args)
            if receiver is None and positional:  # called as a plain function: Class.method(obj), a wrapped method
                receiver = positional.pop(0)
            if receiver is None:
                receiver = self.arena.get(Kind.CALL, name="instance", qual=callee.class_name, key=("new", callee.key))
            mapping[self.arena.get(Kind.PARAM, name=params.pop(0).name, key=key).id] = receiver
        for param in params:
            value = self.arena.get(Kind.PARAM, name=param.name, key=key)
            if param.kind == "positional" and positional:
                mapping[value.id] = positional.pop(0)
            elif param.name in args.keywords:
                mapping[value.id] = args.keywords[param.name]
            elif param.kind == "args" and positional:
                mapping[value.id] = self.arena.get(Kind.BUILD, tuple(positional), name="tuple", key=("args",))
            elif param.default:
                mapping[value.id] = self.arena.const(param.default[0])
            elif args.extra:
                mapping[value.id] = self.arena.get(Kind.CALL, args.extra, name="spread", key=(param.name,))
        return mapping

    def _receiver(self, args: Args) -> Value | None:
        if args.recv is not None and args.recv.kind is Kind.SUPER:
            first = self.unit.function.params[0]
            return self.param_value(first)
        return args.recv

    # -- models -----------------------------------------------------------------------------------------------------

    def _modelled(
        self, i: ir.Call, s: State, args: Args, name: str, quals: tuple[str, ...], receivers: tuple[str, ...]
    ) -> None:
        result = self._result(i, s, args, name, quals, receivers)
        s.regs[i.dst] = result
        if args.keywords:
            self._keywords[result.id] = tuple(args.keywords.items())
        self._captures(i, s, args, name, quals, receivers, result)
        self.annotated(i, s, args, name)
        if self.purity.enters(name, receivers):
            self.recorded(i, s, args, name, receivers)
        self._waits(i, s, args, name, result)
        self._sinks(i, s, args, name, quals, receivers)
        self.answers_given(i, s, args, name, quals, receivers, self._may_keep(name, receivers))
        if self._may_keep(name, receivers) and not any(value.id in s.lossy for value in args.all):
            for value in args.all:
                s.sent = s.sent.union(part.id for part in parts(value, 40))
        elif not any(word in name.lower() for word in _COUNTING) and name not in _PURE:
            s.sent = s.sent.union(v.id for v in args.all if v.kind is Kind.ITEM)

    def _may_keep(self, name: str, receivers: tuple[str, ...]) -> bool:
        """Does the name of an unknown call say that it stores what it is given?"""
        if any(self.models.names.loggers.match(r) for r in receivers):
            return False
        words = name.lower().strip("_").split("_")
        return bool(_KEEPING.intersection(words[:1]))

    def _result(
        self, i: ir.Call, s: State, args: Args, name: str, quals: tuple[str, ...], receivers: tuple[str, ...]
    ) -> Value:
        """The value of an unmodelled or modelled call."""
        if not i.method:
            builtin = self._builtin(i, s, args, quals)
            if builtin is not None:
                return builtin
        unmarked = self.marker_substituted(quals, args, i.site)
        if unmarked is not None:
            return unmarked
        rendering = self.models.renderings.find(quals, name, receivers)
        if rendering is not None:
            chosen = args.select(rendering.entry.values)
            if chosen and rendering.entry.lossless:
                return self.arena.get(Kind.RENDERING, (chosen[0],), name=rendering.entry.copy)
        reducer = self.models.reducers.find(quals, name, receivers)
        if reducer is not None and not self._ruled_out(reducer.entry.when, args):
            return self._reducer(i, s, args, reducer.entry, quals)
        call = self.models.calls.find(quals, name, receivers)
        if call is not None:
            return self.model_call(i, s, args, call, quals, name)
        if self.models.names.summarisers.match(name) and args.all:
            if any(self._is_context(a) for a in args.all):
                return self.summary_value(args.all, i.site, quals[0] if quals else name)
        ops = (*args.all, args.recv) if args.recv is not None else args.all
        value = self.arena.get(
            Kind.CALL,
            ops,
            name=name,
            data=(len(args.positional), *args.keywords) if args.keywords else None,
            qual=self._return_type(quals, name),
            key=(self.unit.key, i.site),
        )
        self._read_from_source(value, args.recv, name)
        source = self.models.sources.find(quals, name, receivers)
        if source is not None and not source.entry.names:
            kind = ContextKind(source.entry.kind, source.exact, source.entry.shape, value)
            self.classifier.calls[value.id] = kind
            self.classifier.result_paths[value.id] = tuple(path for path in source.entry.result if path)
            if source.entry.rereadable:
                self.classifier.rereadable.add(value.id)
        if value.site < 0:
            value.site, value.unit = i.site, self.unit
        return value

    def _read_from_source(self, value: Value, recv: Value | None, name: str) -> None:
        """``response.json()``, ``reply.read()``: a method of what a source gave that its model names."""
        known = self.classifier.calls.get(recv.id) if recv is not None else None
        if recv is not None and known is not None and f"{name}()" in self.classifier.result_paths.get(recv.id, ()):
            self.classifier.calls[value.id] = ContextKind(known.kind, known.exact, known.shape, value)
            if recv.id in self.classifier.rereadable:
                self.classifier.rereadable.add(value.id)

    def _is_context(self, value: Value) -> bool:
        return any(self.classifier.kind_of(p) is not None for p in parts(value, 20))

    def _return_type(self, quals: tuple[str, ...], name: str) -> str:
        hit = self.models.types.find(quals, name, ())
        if hit is not None and hit.exact:
            return hit.entry.returns
        return quals[0] if quals else ""

    def _builtin(self, i: ir.Call, s: State, args: Args, quals: tuple[str, ...]) -> Value | None:
        name = quals[0] if quals else ""
        if name == "super":
            return self.arena.get(Kind.SUPER, key=(self.unit.key,))
        if name == "dict" and args.keywords and not args.positional and not args.extra:
            return self._keyword_dict(i, s, args)
        if name in _COPIES and len(args.positional) == 1 and not args.extra:
            if name == "str" and args.positional[0].kind is Kind.CONST:
                return None
            return self.arena.get(Kind.RENDERING, args.positional, name=_COPIES[name])
        if name in ("enumerate", "zip"):
            return self.arena.get(Kind.CALL, args.positional, name=name, key=(self.unit.key, i.site))
        if name == "getattr" and len(args.positional) >= 2 and isinstance(args.positional[1].data, str):
            value = self.load_attr(s, args.positional[0], args.positional[1].data)
            self.looked_at(s, args.positional[0], args.positional[1].data, i.dst)
            return value
        if name in _PURE:
            return self.arena.get(Kind.DERIVED, args.all, name=name)
        if name in ("deque", "collections.deque"):
            return self._deque(i, s, args)
        if name == "setattr" and len(args.positional) == 3 and isinstance(args.positional[1].data, str):
            obj, key, value = args.positional
            s.heap[(obj.id, "attr", str(key.data))] = value
            self.fields[(obj.id, "attr", str(key.data))] = obj
            return self.arena.const(None)
        return None

    def _keyword_dict(self, i: ir.Call, s: State, args: Args) -> Value:
        """``dict(role="user", content=text)`` is the display that it spells."""
        keys, items = tuple(args.keywords), tuple(args.keywords.values())
        value = self.arena.get(Kind.BUILD, items, name="dict", data=repr(keys), key=(self.unit.key, i.site))
        if value.site < 0:
            value.site, value.unit = i.site, self.unit
        for key, item in args.keywords.items():
            s.heap[(value.id, "item", key)] = item
        self.dict_built(s, value, keys, items, i.site)
        return value

    def _deque(self, i: ir.Call, s: State, args: Args) -> Value:
        bound = args.keywords.get("maxlen") or (args.positional[1] if len(args.positional) > 1 else None)
        ops = args.positional[:1]
        if bound is None or (bound.kind is Kind.CONST and bound.data is None):
            return (
                self.arena.get(Kind.RENDERING, ops, name="shallow")
                if ops
                else self.arena.get(Kind.BUILD, name="list", key=(self.unit.key, i.site))
            )
        value = self.arena.get(
            Kind.CALL,
            (*ops, bound),
            name="deque",
            qual="collections.deque",
            data="bounded",
            key=(self.unit.key, i.site),
        )
        if value.site < 0:
            value.site, value.unit = i.site, self.unit
        return value

    def _ruled_out(self, condition: object, args: Args) -> bool:
        """Is a model's condition on an argument not met?"""
        if condition is None:
            return False
        given = [v for v in (args.get(a) for a in condition.argument) if v is not None]  # type: ignore[attr-defined]
        literal = given[0].data if given and given[0].kind is Kind.CONST else UNKNOWN
        if given and literal is UNKNOWN:
            texts = [p.data for p in parts(given[0], 10) if p.kind is Kind.CONST and isinstance(p.data, str)]
            literal = texts[0] if texts else UNKNOWN
        return not condition.holds(bool(given), literal)  # type: ignore[attr-defined]

    def _reducer(self, i: ir.Call, s: State, args: Args, entry: object, quals: tuple[str, ...]) -> Value:
        from reduction_lint.knowledge.models import Reducer

        assert isinstance(entry, Reducer)
        chosen = args.select(entry.values)
        if entry.result == "marker":
            return self.arena.get(Kind.CALL, args.all, name="remove-marker", key=(self.unit.key, i.site))
        if entry.result == "config":
            value = self.arena.get(
                Kind.CALL,
                args.all,
                name=i.method,
                qual=quals[0] if quals else "",
                key=(self.unit.key, i.site),
            )
            if not any(key in args.keywords for key in entry.keeps_raw):
                self.library_reduction(s, value, i.site, entry.technique, quals[0] if quals else i.method)
            return value
        how = {"truncation": "trimmed", "hard-compression": "compressed"}.get(entry.technique, "summarised")
        subject = chosen[0] if chosen else (args.recv or self.arena.const(None))
        if entry.technique == "compaction":
            return self.summary_value((subject, *args.all), i.site, quals[0] if quals else i.method)
        if entry.result == "in-place" and chosen:
            self.removed(s, chosen[0], (chosen[0],), i.site, None, None)
            return self.arena.const(None)
        texts = tuple(v for v in args.all if v is not subject and v.kind is Kind.CONST)
        value = self.reduced(subject, how, texts, i.site)
        if how == "compressed":
            self.compressed_call(s, subject, value, i.site)
        return value

    def compressed_call(self, s: State, subject: Value, value: Value, site: int) -> None:
        """Hard compression needs a capture, view or not."""
        kind = self.classifier.kind_of(subject) or ContextKind("document", True, "any", subject)
        self._open(s, "hard-compression", "compressed", subject, (subject,), value, kind, Place(self.unit, site))

    def library_reduction(self, s: State, value: Value, site: int, technique: str, qual: str) -> None:
        """A library's compaction is switched on."""
        kind = ContextKind("conversation", True, "list", value)
        event = self._event(technique, "library", value, kind, Place(self.unit, site))
        event.label = qual.rpartition(".")[2]
        assert isinstance(event, Event)
        from reduction_lint.flow.events import Status

        event.add(self._outcome(s, Status.UNCAPTURED, event))

    # -- captures ---------------------------------------------------------------------------------------------------

    def _captures(
        self,
        i: ir.Call,
        s: State,
        args: Args,
        name: str,
        quals: tuple[str, ...],
        receivers: tuple[str, ...],
        result: Value,
    ) -> None:
        hit = self.models.captures.find(quals, name, receivers)
        if hit is None or not hit.entry.durable or self._ruled_out(hit.entry.when, args):
            return
        if not hit.entry.lossless:
            for value in args.select(hit.entry.values):
                s.lossy[value.id] = Captured(Place(self.unit, i.site))
            return
        if quals == ("print",) and "file" not in args.keywords:
            return
        pending = result.id if not i.awaited and self._is_async(hit, receivers) else None
        by_reference = not hit.entry.copies or (
            name in ("append", "extend", "insert") and not hit.exact and self._plain_list(args.recv)
        )
        self.recorded(i, s, args, name, receivers)
        recorded = args.select(hit.entry.values)
        pointers = self._pointers(args, recorded, result)
        for value in recorded:
            self.mark(s, value, Captured(Place(self.unit, i.site), by_reference, pending, pointers=pointers))

    @staticmethod
    def _pointers(args: Args, recorded: list[Value], result: Value) -> frozenset[int]:
        """By what a record can be found again: the returned handle, the file or store, the key."""
        given = [result, *(v for v in args.all if v not in recorded)]
        if args.recv is not None:
            given.append(args.recv)
        found: set[int] = set()
        stack = given
        while stack and len(found) < 30:
            value = stack.pop()
            if value.kind is not Kind.CONST and value.id not in found:
                found.add(value.id)
                stack.extend(value.ops if value.kind in (Kind.DERIVED, Kind.BUILD, Kind.RENDERING) else ())
        return frozenset(found)

    def _plain_list(self, recv: Value | None) -> bool:
        """``archive.episodes.append(x)``: a list inside a sidecar keeps a reference."""
        return recv is not None and recv.kind is Kind.ATTR and not self.is_sidecar(recv)

    @staticmethod
    def _is_async(hit: Hit[Capture], receivers: tuple[str, ...]) -> bool:
        return hit.entry.is_async or any(r.startswith("Async") or r.startswith("async_") for r in receivers)

    def _waits(self, i: ir.Call, s: State, args: Args, name: str, result: Value) -> None:
        """``create_task`` leaves a capture open, awaiting, gathering and joining complete it."""
        if name in _TASKS:
            inner = {p.id for v in args.all for p in parts(v, 20)}
            for key, captured in list(s.captured.items()):
                if captured.awaiting in inner or (captured.awaiting is None and self._made_by(captured, args)):
                    s.captured[key] = replace(captured, awaiting=result.id)
            self._handed_to_thread(i, s, args, result)
            if i.awaited:
                self.awaited(s, result)
        elif name in _WAITS or i.awaited:
            swallowed = args.keywords.get("return_exceptions")
            if swallowed is not None and swallowed.data is not False:
                self._failures_swallowed(s, args)
            else:
                for value in (*args.all, result, *((args.recv,) if args.recv is not None else ())):
                    self.awaited(s, value)

    def _failures_swallowed(self, s: State, args: Args) -> None:
        """``gather(..., return_exceptions=True)`` waits, but the path goes on when the capture failed."""
        waited = {p.id for v in args.all for p in parts(v, 40)}
        for key, captured in list(s.captured.items()):
            if captured.awaiting in waited:
                s.captured[key] = replace(captured, in_thread=True)

    def _made_by(self, captured: Captured, args: Args) -> bool:
        return any(v.kind is Kind.CALL and v.unit is self.unit and v.site == captured.place.site for v in args.all)

    def _handed_to_thread(self, i: ir.Call, s: State, args: Args, result: Value) -> None:
        """``submit(sidecar.capture, messages)``, ``Thread(target=save, args=(messages,))``: a capture that runs later."""
        given = list(args.positional)
        target = args.keywords.get("target")
        if target is not None:
            packed = args.keywords.get("args")
            given = list(packed.ops) if packed is not None and packed.kind is Kind.BUILD else []
        else:
            while given and given[0].kind not in (Kind.ATTR, Kind.GLOBAL, Kind.FUNC):
                given.pop(0)
            target = given.pop(0) if given else None
        if target is None:
            return
        for value in self._recorded_by(i, s, target, given):
            if coverage(s, value) is None:
                place = Place(self.unit, i.site)
                self.mark(s, value, Captured(place, False, result.id, in_thread=True))

    def _recorded_by(self, i: ir.Call, s: State, target: Value, given: list[Value]) -> list[Value]:
        """What a callable would record if it were called with these arguments."""
        name = target.name or target.qual.rpartition(".")[2]
        owner = target.ops[0] if target.ops else None
        args = Args(owner, tuple(given), {}, False, ())
        summary = self._callable_summary(target, owner, name)
        if summary is not None and not summary.trivial:
            subst = Substitution(self, self._bind(args, summary), s, i.site)
            kept = [frozenset(v.id for v, _ in exit_.captured) for exit_ in summary.exits]
            always = frozenset.intersection(*kept) if kept else frozenset()
            return [subst.of(v) for exit_ in summary.exits[:1] for v, _ in exit_.captured if v.id in always]
        shown = path_text(owner).rpartition(".")[2] if owner is not None else ""
        qual = self.qual_of(target)
        hit = self.models.captures.find((qual,) if qual else (), name, (shown,) if shown else ())
        return args.select(hit.entry.values) if hit is not None and hit.entry.durable and hit.entry.lossless else []

    def _callable_summary(self, target: Value, owner: Value | None, name: str) -> Summary | None:
        if target.kind is Kind.FUNC and target.function is not None:
            return self.program.nested_summary(self.unit, target.function)
        if target.kind is Kind.GLOBAL:
            return self.program.summary(target.qual)
        base = self.qual_of(owner) if owner is not None else ""
        return self.program.method_summary(base, name) if base else None

    def awaited(self, s: State, value: Value) -> None:
        """Captures that waited for ``value`` are complete."""
        done = {p.id for p in parts(value, 40)} | {op.id for p in parts(value, 40) for op in p.ops}
        for key, captured in list(s.captured.items()):
            if captured.awaiting in done:
                s.captured[key] = replace(captured, awaiting=None)

    # -- sinks ------------------------------------------------------------------------------------------------------

    def _sinks(
        self, i: ir.Call, s: State, args: Args, name: str, quals: tuple[str, ...], receivers: tuple[str, ...]
    ) -> None:
        hit = self.models.sinks.find(quals, name, receivers)
        if hit is not None and hit.entry.kind in ("model", "message", "store"):
            stored = hit.entry.kind != "model"
            for value in args.select(hit.entry.values):
                self.sink(s, value, i.site, "goes to the model" if not stored else "is stored", stored)

    def dict_built(self, s: State, value: Value, keys: tuple[object, ...], items: tuple[Value, ...], site: int) -> None:
        """A display with a role and a content is a message for a model."""
        if "role" in keys and "content" in keys:
            self.sink(s, items[keys.index("content")], site, "becomes a message", stored=False, around=value)
        self.cap_built(value, keys, items, site)
        for item in items:
            self.marker_merged(s, item, site)

    def marker_merged(self, s: State, value: Value, site: int) -> None:
        """An update that first empties a message list: what follows the marker is all that is left."""
        held = list(parts(value, 60))
        if not any(p.kind is Kind.CALL and p.name == "remove-marker" for p in held):
            return
        followers = [p for p in held if p.name != "remove-marker" and p.kind not in (Kind.BUILD, Kind.CONCAT)]
        made = summaries_in(value)
        summary = bool(made) or any(self._tells_summary(p) for p in followers)
        cut = [p for p in followers if p.kind is Kind.REDUCED and p.name != "filter"]
        if followers and not summary and not cut:
            return
        if cut:
            original = base_of(cut[0])
        else:  # what the marker empties has no name here
            original = self.arena.get(Kind.CALL, name="state", key=(self.unit.key, site))
            original.hints.add("messages")
        kind = ContextKind("conversation", True, "list", original)
        holder = next((p for p in held if p.kind in (Kind.BUILD, Kind.CONCAT) and p.name != "dict" and p.unit), None)
        place = Place(holder.unit, holder.site) if holder is not None and holder.unit else Place(self.unit, site)
        technique = "compaction" if summary else "truncation"
        self._open(s, technique, "rebind", original, (original,), None, kind, place)
        self.cut_before_summary(s, value, original)

    def _tells_summary(self, value: Value) -> bool:
        """Is a follower of the marker new text, or something that its name calls a summary?"""
        if "summar" in path_text(value).lower():
            return True
        chain = value
        while chain.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT) and chain.ops:
            chain = chain.ops[0]
        named = (chain.name, *chain.hints)
        return chain.kind is Kind.SUMMARY or any("summar" in name.lower() for name in named)

    def stored(self, s: State, value: Value, site: int) -> None:
        """A value is stored in something that outlives the call."""
        self.answer_used(s, value, site, "is stored")

    def handed_out(self, s: State, value: Value, site: int) -> None:
        """A value is returned or yielded."""
        self.marker_merged(s, value, site)
        self.answer_used(s, value, site, "is returned")
        if self.is_tool():
            self.sink(s, value, site, "is what the tool returns", stored=True)
        elif self._own_source(s, value):
            self.sink(s, value, site, "is returned", stored=True, exact_only=True)

    def _own_source(self, s: State, value: Value) -> bool:
        """Does a returned text come from a source that this very function read?"""
        for part in [p for held in (value, *self._put_into(s, value)) for p in reduced_inside(held)]:
            for held in parts(base_of(part), 30):
                start = root(held)
                if start.id in self.classifier.calls and start.unit is self.unit:
                    return True
        return False

    def is_tool(self) -> bool:
        """Is the unit a tool function by its decorators or its class?"""
        function = self.unit.function
        if not hasattr(self, "_tool"):
            decorators = []
            for text in function.decorators:
                head = text.partition("(")[0]
                first, _, rest = head.partition(".")
                base = self.program.resolve_name(self.unit, first) or first
                decorators.append(f"{base}.{rest}" if rest else base)
            bases = self.program.base_names(self.unit.class_name) if self.unit.class_name else ()
            self._tool = self.models.tool_return(decorators, bases, function.name) is not None
        return self._tool


def _is_key(value: Value) -> bool:
    """A literal that can be a dict key, not a URL or path."""
    return value.kind is Kind.CONST and (not isinstance(value.data, str) or "/" not in value.data)


class Substitution:
    """Rewrites a callee's values in terms of the caller's."""

    def __init__(self, effects: CallEffects, mapping: dict[int, Value], state: State, site: int) -> None:
        self.effects = effects
        self.mapping = mapping
        self.state = state
        self.site = site
        self._memo: dict[int, Value] = {}

    def of(self, value: Value, depth: int = 0) -> Value:
        """The caller's value for a callee's value."""
        known = self.mapping.get(value.id) or self._memo.get(value.id)
        if known is not None:
            return known
        if not value.ops or depth > 20:
            return value
        ops = tuple(self.of(op, depth + 1) for op in value.ops)
        result = self._rebuild(value, ops)
        self._memo[value.id] = result
        return result

    def _rebuild(self, value: Value, ops: tuple[Value, ...]) -> Value:
        if ops == value.ops:
            return value
        effects = self.effects
        if value.kind is Kind.ATTR:
            return effects.load_attr(self.state, ops[0], value.name)
        if value.kind is Kind.ITEM:
            return effects.load_item(self.state, ops[0], ops[1])
        if value.kind is Kind.ELEMENT:
            return effects.element_of(ops[0], self.state)
        key: tuple[object, ...] = (
            (value.id,) if value.kind in (Kind.CALL, Kind.SUMMARY, Kind.BUILD, Kind.REDUCED) else ()
        )
        if value.kind is Kind.CALL:
            key = (value.id, effects.unit.key, self.site)
        new = effects.arena.get(value.kind, ops, name=value.name, data=value.data, qual=value.qual, key=key)
        if new.site < 0:
            new.site, new.unit, new.function = value.site, value.unit, value.function
            if value.kind is Kind.REDUCED:
                new.hints |= value.hints
            if value.id in effects.classifier.calls:
                effects.classifier.calls[new.id] = effects.classifier.calls[value.id]
                effects.classifier.result_paths[new.id] = effects.classifier.result_paths.get(value.id, ())
                if value.id in effects.classifier.rereadable:
                    effects.classifier.rereadable.add(new.id)
        return new


__all__ = ["Args", "CallEffects", "Step", "Substitution"]
