"""Output caps: which calls carry one, what it amounts to, and whether somebody looks at the stop reason (RL401, RL402)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.cap_table import CapTable, Holder, link, paths
from reduction_lint.flow.events import CappedCall, Step
from reduction_lint.flow.kinds import ContextKind
from reduction_lint.flow.losses import Losses
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.unit import Exit, Summary, Unit
from reduction_lint.flow.values import Kind, Value, path_text
from reduction_lint.knowledge.models import Hit, ModelCall

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args

_PASSING = frozenset(
    [
        "cast",
        "gather",
        "wait_for",
        "run",
        "shield",
        "wait",
        "run_until_complete",
        "next",
        "anext",
        "aiter",
        "enumerate",
        "zip",
        "tqdm",
        "create_task",
        "ensure_future",
        "isinstance",
        "type",
        "len",
        "bool",
        "hasattr",
        "print",
        "repr",
        "id",
        "deepcopy",
        "copy",
    ]
)
"""Calls that a whole response goes through, or that cannot look at its stop reason."""
_BLIND = re.compile(
    r"cost|usage|(?:^|_)log|count|track|trace|metric|debug|info|warn|error|exception|callback|emit|span", re.I
)
_PARSERS = frozenset(
    ["loads", "safe_load", "literal_eval", "model_validate_json", "parse_raw", "parse_obj", "parse_json", "json_loads"]
)
_POSTS = frozenset({"post", "request", "stream", "fetch"})
_REQUEST_KEYS = ("messages", "prompt", "contents", "input")


class Caps(Losses):
    """Follows caps to model calls, and the answers of capped calls along the path."""

    @property
    def caps(self) -> CapTable:
        """What is known of caps in the whole project."""
        return self.events.caps

    # -- calls and objects ------------------------------------------------------------------------------------------

    def model_call(
        self, i: ir.Call, s: State, args: Args, hit: Hit[ModelCall], quals: tuple[str, ...], name: str
    ) -> Value:
        """The answer of a model call, or the object that a constructor makes; remembers its cap."""
        entry = hit.entry
        inputs = tuple(args.select(entry.inputs)) if entry.inputs else args.all
        if entry.constructor:
            value = self.arena.get(
                Kind.CALL, args.all, name=name, qual=quals[0] if quals else "", key=(self.unit.key, i.site)
            )
            if value.site < 0:
                value.site, value.unit = i.site, self.unit
        else:
            value = self.summary_value(inputs, i.site, quals[0] if quals else name)
            kind = ContextKind("model-output", hit.exact, "any", value)
            self.classifier.calls[value.id] = kind
            self.classifier.result_paths[value.id] = ()
            for given in inputs:
                self.sink(s, given, i.site, "goes to the model", stored=False)
        call = self._call_at(s, i.site, entry, value)
        call.inputs = tuple(dict.fromkeys((*call.inputs, *args.all, *((args.recv,) if args.recv is not None else ()))))
        call.keywords.update(args.keywords)
        self._own_cap(s, args, entry, call)
        if not entry.constructor:
            self._answering(s, args, call, name)
        return value

    def _call_at(self, s: State, site: int, entry: ModelCall, value: Value) -> CappedCall:
        """The record of the call at a site; made anew on each pass of a loop, so its reason is unread again."""
        key = (self.unit.key, site)
        call = self.caps.calls.get(key)
        if call is None:
            call = CappedCall(Place(self.unit, site), entry, self.unit, self.caps.new_number())
            self.caps.calls[key] = call
        self.capped[call.number] = call
        if value not in call.results:
            call.results.append(value)
        s.seen_stops = s.seen_stops - {call.number}
        return call

    def _answering(self, s: State, args: Args, call: CappedCall, name: str) -> None:
        """How the answer comes, and on which object the call runs."""
        stream = args.keywords.get("stream")
        call.streamed = call.streamed or "stream" in name or (stream is not None and stream.data is True)
        if args.recv is not None:
            call.structured = call.structured or _made_with(args.recv, "with_structured_output")
            if not call.caps:
                self._runs_on(args.recv, call)
        for given in args.all:
            carrier = self.caps.made_by(given)
            if carrier is not None and carrier.results and carrier.number != call.number:
                self._runs_on(given, call)

    def _runs_on(self, value: Value, call: CappedCall) -> None:
        """``call`` runs under the caps that ``value`` carries, here or in the callers."""
        for carrier in self.caps.carried_by(value):
            link(carrier, call)
        holders, params = self._sources(value)
        for holder in holders:
            self.caps.wait(holder, call)
        for param in params:
            self.caps.pass_on(self.unit.key, "receiver", param, call)

    def _sources(self, value: Value) -> tuple[list[Holder], list[Value]]:
        """The attributes and variables a value is made from, and the parameters."""
        holders: list[Holder] = []
        params: list[Value] = []
        stack, seen = [value], 0
        while stack and seen < 40:
            part = stack.pop()
            seen += 1
            if part.kind is Kind.PARAM:
                params.append(part)
            elif part.kind is Kind.GLOBAL:
                holders.append(("", part.qual))
            elif part.kind is Kind.ATTR:
                owner = self.qual_of(part.ops[0])
                if owner:
                    holders += [(name, part.name) for name in (owner, *self.program.base_names(owner))]
                stack.append(part.ops[0])
            elif part.kind in (Kind.CONCAT, Kind.CALL, Kind.CHOICE, Kind.RENDERING, Kind.BUILD, Kind.ELEMENT):
                stack.extend(part.ops[:12])
        return holders, params

    # -- the cap ----------------------------------------------------------------------------------------------------

    def _own_cap(self, s: State, args: Args, entry: ModelCall, call: CappedCall) -> None:
        """The argument that caps the answer, by the first of the model's paths that is given."""
        for path, names in zip(entry.caps, paths(entry.caps), strict=True):
            value = args.keywords.get(names[0])
            if value is None:
                value = self._spread_item(args, names[0])
            if value is None or (value.kind is Kind.CONST and value.data is None):
                continue
            if len(names) > 1 and self._settings_object(value, call):
                return
            inner: Value | None = value
            for name in names[1:]:
                inner = self._inside(s, inner, name) if inner is not None else None
            if inner is not None and not (inner.kind is Kind.CONST and inner.data is None):
                self._superseded(args, names[0])
                self._add_cap(call, path, inner)
                return
        for extra in args.extra:
            for param in self._sources(extra)[1] if not call.caps else ():
                self.caps.pass_on(self.unit.key, "spread", param, call)

    def _settings_object(self, value: Value, call: CappedCall) -> bool:
        """``config=GenerateContentConfig(...)``: the object carries the cap, wherever it was made."""
        carriers = self.caps.carried_by(value)
        if not carriers and value.kind in (Kind.ATTR, Kind.GLOBAL):
            self._runs_on(value, call)
        for carrier in carriers:
            link(carrier, call)
        return bool(carriers)

    def _add_cap(self, call: CappedCall, name: str, value: Value) -> None:
        """One value that the cap of a call may have."""
        call.cap_name = name
        if value in call.caps:
            return
        call.caps.append(value)
        stack, seen = [(value, True)], 0
        while stack and seen < 40:
            part, direct = stack.pop()
            seen += 1
            if part.kind is Kind.PARAM and direct:
                self.caps.pass_on(self.unit.key, "cap", part, call)
            elif part.kind is Kind.ATTR:
                self._attribute_bound(part, call)
            elif part.id in self.caps.defaults:
                stack.append((self.caps.defaults[part.id], False))
                call.defaults[part.id] = self.caps.defaults[part.id]
            elif part.kind in (Kind.CHOICE, Kind.RENDERING, Kind.DERIVED):
                stack.extend((op, direct and part.kind is not Kind.DERIVED) for op in part.ops)

    def _attribute_bound(self, part: Value, call: CappedCall) -> None:
        """A cap kept in an attribute: by its default, or by what is assigned to it anywhere."""
        default = self._default_of(part)
        if isinstance(default, (int, float)) and not isinstance(default, bool):
            call.bounds[part.id] = default
        owner = self.qual_of(part.ops[0])
        if owner:
            call.attributes.add((owner, part.name))
            call.numbers = self.caps.numbers

    def _inside(self, s: State, value: Value, name: str) -> Value | None:
        """A key of a dict built here (also rendered as JSON), or a keyword of a constructor call."""
        while value.kind is Kind.RENDERING:
            value = value.ops[0]
        known = s.heap.get((value.id, "item", name)) or s.heap.get((value.id, "attr", name))
        if known is not None:
            return known
        return next((given for key, given in self._keywords.get(value.id, ()) if key == name), None)

    @property
    def _keywords(self) -> dict[int, tuple[tuple[str, Value], ...]]:
        """Keyword arguments of the calls made so far, by result."""
        return self.caps.keywords

    def cap_default(self, looked_up: Value, key: object, default: Value | None) -> None:
        """``options.get("max_tokens", 2048)``: what the cap is when nobody sets it."""
        if default is not None and key in self.models.cap_words:
            self.caps.defaults[looked_up.id] = default

    # -- assigned caps ----------------------------------------------------------------------------------------------

    def cap_assigned(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        """``settings.max_tokens = 256``, ``params["max_tokens"] = limit``, or an object with a cap that is kept."""
        if name in self.models.cap_words:
            self._set_cap(s, obj, name, value, site)
        elif value.kind in (Kind.CALL, Kind.CONCAT, Kind.CHOICE):
            carriers: list[CappedCall | Holder] = [*self.caps.carried_by(value)]
            owner = self.qual_of(obj)
            if value.kind is Kind.CONCAT:
                carriers += self._sources(value)[0]
            if owner and carriers:
                self.caps.hold((owner, name), carriers)

    def _set_cap(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        owner = self.qual_of(obj)
        number = value.data if value.kind is Kind.CONST else None
        if owner and isinstance(number, int) and not isinstance(number, bool):
            self.caps.numbers[(owner, name)] = min(number, self.caps.numbers.get((owner, name), number))
        self._put_back(s, obj, name, value)
        call = CappedCall(Place(self.unit, site), None, self.unit, self.caps.new_number(), name)
        call.results.append(obj)
        known = self.caps.assigned.setdefault((self.unit.key, site), call)
        self._add_cap(known, name, value)
        self.caps.items[(obj.site if obj.unit is self.unit else -1 - obj.id, name)] = known
        if number is None or self.unit.function.name == "__init__" or not self._like_a_model(obj, owner, name):
            return
        self.capped[known.number] = known
        if self.unit.function.name == "<module>":
            self.caps.module_sets[(self.unit.module, path_text(obj))] = known

    def _put_back(self, s: State, obj: Value, name: str, value: Value) -> None:
        """The cap was lowered for one call and gets its old value again: forget the low one."""
        earlier: CappedCall | None = None
        if self.unit.function.name == "<module>":
            earlier = self.caps.module_sets.pop((self.unit.module, path_text(obj)), None)
        else:
            current = s.heap.get((obj.id, "attr", name)) or s.heap.get((obj.id, "item", name))
            calls = (c for c in self.capped.values() if c.entry is None and obj in c.results and c.cap_name == name)
            earlier = next((c for c in calls if current is not None and current in c.caps), None)
        if earlier is not None and value.kind is not Kind.CONST:
            earlier.restored = True

    def _like_a_model(self, obj: Value, owner: str, cap: str) -> bool:
        """Is this a model, a client or its settings, by the name of the object or of its class?"""
        shown = path_text(obj).rpartition(".")[2]
        names = tuple(n for n in (shown, owner.rpartition(".")[2], *sorted(obj.hints)) if n)
        hit = self.models.calls.find((), "__setattr__", names)
        return hit is not None and not hit.exact and cap in hit.entry.caps

    def _spread_item(self, args: Args, name: str) -> Value | None:
        """The cap in a dict that is spread into the call, also when merged paths have lost it."""
        known = [self._item_cap(extra, name) for extra in args.extra]
        return next((call.caps[-1] for call in known if call is not None and call.caps), None)

    def _item_cap(self, value: Value, name: str) -> CappedCall | None:
        """The assignment that put a cap into a dict or object."""
        options = value.ops if value.kind is Kind.CHOICE else (value,)
        keys = [(o.site if o.unit is self.unit else -1 - o.id, name) for o in options]
        return next((self.caps.items[key] for key in keys if key in self.caps.items), None)

    def _superseded(self, args: Args, name: str) -> None:
        """The call itself reports a cap that it got from a dict."""
        for extra in args.extra:
            assigned = self._item_cap(extra, name)
            if assigned is not None:
                assigned.restored = True

    def caps_at_exit(self, s: State) -> None:
        """Module-level variables that hold an object with a cap."""
        if self.unit.function.name != "<module>":
            return
        for name, value in s.env.items():
            carriers: list[CappedCall | Holder] = [*self.caps.carried_by(value)]
            if value.kind is Kind.CONCAT:
                carriers += self._sources(value)[0]
            if carriers:
                self.caps.hold(("", f"{self.unit.module}.{name}"), carriers)

    # -- through the project's own functions ------------------------------------------------------------------------

    def given_to(self, i: ir.Call, s: State, args: Args, summary: Summary, mapping: dict[int, Value]) -> None:
        """Caps, objects and responses that are arguments of a function of the project."""
        unit = summary.unit
        for value in args.all:
            self._handed_over(s, value, unit)
        for how, param, call in tuple(self.caps.passed.get(unit.key, ())):
            given = mapping.get(param.id)
            if how == "receiver":
                if given is not None:
                    self._runs_on(given, call)
            elif how == "cap":
                if given is not None and not _is_default(unit, param, given):
                    self._argument(i.site, call, call.cap_name, given)
            else:
                self._spread_into(i, s, args, call, given)

    def _argument(self, site: int, call: CappedCall, name: str, given: Value) -> None:
        """An argument that becomes the cap of a call in the callee."""
        if given.kind is Kind.CONST and given.data is None:
            return
        key = (self.unit.key, site)
        argument = self.caps.assigned.get(key)
        if argument is None:
            argument = CappedCall(Place(self.unit, site), None, self.unit, self.caps.new_number())
            self.caps.assigned[key] = argument
        self.capped[argument.number] = argument
        link(argument, call)
        if argument not in call.receivers:
            call.receivers.append(argument)
        self._add_cap(argument, name, given)

    def _spread_into(self, i: ir.Call, s: State, args: Args, call: CappedCall, given: Value | None) -> None:
        """``**params`` of the callee: a dict with a cap, or keywords that it does not name."""
        entry = call.entry
        words = [path[0] for path in paths(entry.caps) if len(path) == 1] if isinstance(entry, ModelCall) else []
        for word in words:
            extras = (given,) if given is not None else args.extra
            assigned = next((c for c in (self._item_cap(e, word) for e in extras) if c is not None), None)
            if assigned is not None:
                self.capped[assigned.number] = assigned
                link(assigned, call)
                return
            value = args.keywords.get(word) if given is None else self._inside(s, given, word)
            if value is not None:
                self._argument(i.site, call, word, value)
                return
        for value in (given,) if given is not None else args.extra:
            for param in self._sources(value)[1]:
                self.caps.pass_on(self.unit.key, "spread", param, call)

    def _handed_over(self, s: State, value: Value, unit: Unit) -> None:
        """A function of the project gets a whole response: it may look at the reason, or hand it on."""
        for answer in self.caps.answers(value):
            answer.call.used = True
            if answer.whole and self.caps.may_look(unit.function, self.models):
                self._seen(s, answer.call)

    def answers_back(self, s: State, exit_: Exit, result: Value) -> None:
        """What a function of the project returned: its own answers were judged there, unless they come back whole."""
        for answer in self.caps.answers(result):
            call = answer.call
            if call.function is self.unit:
                continue
            if answer.is_text or call.number in exit_.stops_read:
                self._seen(s, call, really=False)
            else:
                s.seen_stops = s.seen_stops - {call.number}

    # -- answers ----------------------------------------------------------------------------------------------------

    def _seen(self, s: State, call: CappedCall, really: bool = True) -> None:
        s.seen_stops = s.seen_stops | {call.number}
        call.looked = call.looked or really

    def looked_at(self, s: State, obj: Value, name: str) -> None:
        """An attribute or key was read: is it the stop reason of an answer?"""
        if not self.caps.calls or name not in self.caps.reasons(self.models):
            return
        for answer in self.caps.answers(obj):
            if "reason" in name.lower() or any(name in stop[-1:] for stop in answer.stops):
                self._seen(s, answer.call)

    def answer_used(self, s: State, value: Value, site: int, how: str) -> None:
        """A value is stored, returned or parsed: an answer in it whose reason nobody looked at is taken for whole."""
        if not self.caps.calls:
            return
        answers = self.caps.answers(value)
        whole = {answer.call.number for answer in answers if answer.whole}
        for answer in answers:
            call = answer.call
            call.used = True
            if call.number in whole:
                call.escapes = call.escapes or how != "is returned" or self.unit.function.is_generator
            elif answer.is_text and call.number not in s.seen_stops:
                call.streamed = call.streamed or answer.piece
                call.unchecked = True
                step = Step(
                    Place(self.unit, site), f"the answer {how} and nobody looked at the stop reason on this path"
                )
                if step not in call.answer_uses and len(call.answer_uses) < 4:
                    call.answer_uses.append(step)

    def answers_given(
        self,
        i: ir.Call,
        s: State,
        args: Args,
        name: str,
        quals: tuple[str, ...],
        receivers: tuple[str, ...],
        kept: bool,
    ) -> None:
        """Arguments of a call that is not one of the project's functions."""
        if name in _POSTS:
            self._raw_request(i, s, args)
        if not self.caps.calls:
            return
        for value in args.all:
            for answer in self.caps.answers(value):
                answer.call.used = True
                if answer.whole and name not in _PASSING and not _BLIND.search(name):
                    self._seen(s, answer.call)
                elif answer.is_text and (name in _PARSERS or kept or self._records(name, quals, receivers)):
                    self.answer_used(s, value, i.site, "is parsed" if name in _PARSERS else "is stored")

    def _records(self, name: str, quals: tuple[str, ...], receivers: tuple[str, ...]) -> bool:
        hit = self.models.captures.find(quals, name, receivers)
        return hit is not None and hit.entry.durable

    def _raw_request(self, i: ir.Call, s: State, args: Args) -> None:
        """``requests.post(url, json={"messages": …, "max_tokens": 300})``: a model call without a client library."""
        result = s.regs[i.dst]
        hit = self.models.calls.find((), "create", ("completions",))
        if hit is None or result.unit is not self.unit or result.site != i.site:
            return
        for body in args.all:
            while body.kind is Kind.RENDERING:
                body = body.ops[0]
            if any(self._inside(s, body, key) is not None for key in _REQUEST_KEYS):
                for word in sorted(self.models.cap_words):
                    value = self._inside(s, body, word)
                    if value is not None and not (value.kind is Kind.CONST and value.data is None):
                        call = self._call_at(s, i.site, hit.entry, result)
                        call.inputs = (*call.inputs, body)
                        self._add_cap(call, word, value)


def _is_default(unit: Unit, param: Value, given: Value) -> bool:
    """Is the argument the parameter's own default (nothing was given)?"""
    return given.kind is Kind.CONST and any(
        p.name == param.name and p.default and p.default[0] == given.data for p in unit.function.params
    )


def _made_with(value: Value, name: str) -> bool:
    """Does a method of this name occur on the way to a value?"""
    stack: list[Value] = [value]
    seen = 0
    while stack and seen < 20:
        part = stack.pop()
        seen += 1
        if part.kind is Kind.CALL and part.name == name:
            return True
        stack.extend(part.ops if part.kind in (Kind.CALL, Kind.CONCAT, Kind.CHOICE) else ())
    return False
