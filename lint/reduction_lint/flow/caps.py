"""Output caps: which calls and objects carry one, here and through the project's own functions (RL401, RL402)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.cap_table import link, paths
from reduction_lint.flow.cap_values import CapValues
from reduction_lint.flow.events import CappedCall
from reduction_lint.flow.kinds import ContextKind
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.unit import Summary, Unit
from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import Hit, ModelCall

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args

_POSTS = frozenset({"post", "request", "stream", "fetch"})
_SAMPLING = frozenset({"temperature", "top_p", "frequency_penalty", "presence_penalty", "repetition_penalty"})
_MODEL_KEYS = frozenset({"model", "model_name", "model_id", "engine", "deployment_name", "api_key"})
_OTHER_USE = re.compile(
    r"token|trim|trunc|split|chunk|count|embed|rerank|retriev|search|info|metadata|price|cost", re.I
)
"""Callables whose argument of such a name is no output cap."""
_REQUEST_KEYS = ("messages", "prompt", "contents", "input")


class Caps(CapValues):
    """Recognises model calls and follows caps to them."""

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
        call.exact = call.exact or hit.exact
        call.inputs = tuple(dict.fromkeys((*call.inputs, *args.all, *((args.recv,) if args.recv is not None else ()))))
        call.keywords.update(args.keywords)
        self.own_cap(s, args, entry, call)
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
        self.asked_again(s)
        return call

    def _answering(self, s: State, args: Args, call: CappedCall, name: str) -> None:
        """How the answer comes, and on which object the call runs."""
        stream = args.keywords.get("stream")
        call.streamed = call.streamed or "stream" in name or (stream is not None and stream.data is True)
        if args.recv is not None:
            call.structured = call.structured or _made_with(args.recv, "with_structured_output")
            if not call.caps:
                self.runs_on(args.recv, call)
        for given in args.all:
            carrier = self.caps.made_by(given)
            if carrier is not None and carrier.results and carrier.number != call.number:
                self.runs_on(given, call)

    # -- calls that no model knows ------------------------------------------------------------------------------------

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
        """See :class:`Answers`; also caps that show by the other arguments."""
        if name in _POSTS:
            self._raw_request(i, s, args)
        if (self.unit.key, i.site) not in self.caps.calls:
            self._by_other_arguments(i, s, args, name)
        super().answers_given(i, s, args, name, quals, receivers, kept)

    def _by_other_arguments(self, i: ir.Call, s: State, args: Args, name: str) -> None:
        """``AnyModel(model="m", temperature=0.2, max_tokens=300)``: sampling settings beside it tell an output cap."""
        words = self.models.cap_words.intersection(args.keywords)
        if not words or not i.used or _OTHER_USE.search(name):
            return
        sampled = _SAMPLING.intersection(args.keywords)
        named = _MODEL_KEYS.intersection(args.keywords) and self.like_a_model((name,), min(words))
        if sampled or named:
            for word in sorted(words):
                self._report_value(i.site, word, args.keywords[word], s.regs[i.dst])

    def cap_built(self, value: Value, keys: tuple[object, ...], items: tuple[Value, ...], site: int) -> None:
        """``{"temperature": 0, "max_tokens": 300}``: a dict of sampling settings, reported unless a call reports it."""
        words = self.models.cap_words.intersection(key for key in keys if isinstance(key, str))
        for word in sorted(words):
            call = self._noted(site, word, items[keys.index(word)], value)
            self.caps.items[((self.unit.key, site), word)] = call
            if _SAMPLING.intersection(key for key in keys if isinstance(key, str)):
                self.capped[call.number] = call

    def _noted(self, site: int, word: str, cap: Value, result: Value | None = None) -> CappedCall:
        """The record of a cap that stands at a site outside a model call."""
        key = (self.unit.key, site)
        call = self.caps.assigned.get(key)
        if call is None:
            call = CappedCall(Place(self.unit, site), None, self.unit, self.caps.new_number())
            self.caps.assigned[key] = call
        if result is not None and result not in call.results:
            call.results.append(result)
        self.add_cap(call, word, cap)
        return call

    def _report_value(self, site: int, word: str, cap: Value, result: Value | None) -> None:
        """Let the checks judge a cap that stands beside what tells that it is one."""
        if not (cap.kind is Kind.CONST and cap.data is None):
            call = self._noted(site, word, cap, result)
            self.capped[call.number] = call

    def _raw_request(self, i: ir.Call, s: State, args: Args) -> None:
        """``requests.post(url, json={"messages": …, "max_tokens": 300})``: a model call without a client library."""
        result = s.regs[i.dst]
        hit = self.models.calls.find((), "create", ("completions",))
        if hit is None or result.unit is not self.unit or result.site != i.site:
            return
        for body in args.all:
            while body.kind is Kind.RENDERING:
                body = body.ops[0]
            if any(self.cap_inside(s, body, key) is not None for key in _REQUEST_KEYS):
                for word in sorted(self.models.cap_words):
                    value = self.cap_inside(s, body, word)
                    if value is not None and not (value.kind is Kind.CONST and value.data is None):
                        call = self._call_at(s, i.site, hit.entry, result)
                        call.inputs = (*call.inputs, body)
                        self.add_cap(call, word, value)
                        self.reported_elsewhere(body, word)

    # -- through the project's own functions ------------------------------------------------------------------------

    def given_to(self, i: ir.Call, s: State, args: Args, summary: Summary, mapping: dict[int, Value]) -> None:
        """Caps, objects and responses that are arguments of a function of the project."""
        unit = summary.unit
        for value in args.all:
            self._handed_over(s, value, unit)
        passed = tuple(self.caps.passed.get(unit.key, ()))
        for how, param, call in passed:
            given = mapping.get(param.id)
            if how == "receiver":
                if given is not None:
                    self.runs_on(given, call)
            elif how == "spread":
                self._spread_into(i, s, args, call, given)
            elif given is not None and i.used and not _is_default(unit, param, given):
                self._argument(i.site, call, call.cap_name, given)
        if not passed and i.used:
            self._wrapped(i.site, args, summary)

    def _wrapped(self, site: int, args: Args, summary: Summary) -> None:
        """A function of the project that returns a model's answer and takes a cap, though not visibly for that call."""
        words = self.models.cap_words.intersection(args.keywords)
        if not words or _OTHER_USE.search(summary.unit.function.name.replace("max_tokens", "")):
            return
        if any(self.caps.answers(exit_.result) for exit_ in summary.exits):
            for word in sorted(words):
                self._report_value(site, word, args.keywords[word], None)

    def _argument(self, site: int, call: CappedCall, name: str, given: Value) -> None:
        """An argument that becomes the cap of a call in the callee."""
        if given.kind is Kind.CONST and given.data is None:
            return
        argument = self._noted(site, name, given)
        self.capped[argument.number] = argument
        link(argument, call)
        if argument not in call.receivers:
            call.receivers.append(argument)
            call.cap_name = call.cap_name or name

    def _spread_into(self, i: ir.Call, s: State, args: Args, call: CappedCall, given: Value | None) -> None:
        """``**params`` of the callee: a dict with a cap, or keywords that it does not name."""
        entry = call.entry
        words = [path[0] for path in paths(entry.caps) if len(path) == 1] if isinstance(entry, ModelCall) else []
        if given is not None and given.kind is Kind.CALL and given.name == "spread":
            given = None
        for word in words:
            extras = (given,) if given is not None else args.extra
            assigned = next((c for c in (self.item_cap(e, word) for e in extras) if c is not None), None)
            if assigned is not None:
                self.capped[assigned.number] = assigned
                link(assigned, call)
                return
            value = args.keywords.get(word) if given is None else self.cap_inside(s, given, word)
            if value is not None:
                self._argument(i.site, call, word, value)
                return
        for value in (given,) if given is not None else args.extra:
            for param in self.cap_sources(value)[1]:
                self.caps.pass_on(self.unit.key, "spread", param, call)


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
