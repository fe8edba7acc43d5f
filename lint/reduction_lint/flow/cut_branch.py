"""The branch on which the stop reason says that the answer was cut: what becomes of the part there (RL403)?

A test of the stop reason marks the answer on the path where it says "cut". From there on the answer may be stored or returned
only with a label; a retry, a continuation and an exception end the matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.answers import Answers
from reduction_lint.flow.cap_table import Answer
from reduction_lint.flow.events import CappedCall, Step
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.unit import Exit, Unit
from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import ModelCall

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args

_EQUAL = {"==": True, "is": True, "in": True, "!=": False, "is not": False, "not in": False}
_MOST = 4
_TOOLS = frozenset({"tool_calls", "tool_use", "function_call", "toolUse", "tool_call"})
"""Words of code that handles other ends of an answer than a cut: "not stop" may then mean a tool call."""


class CutBranches(Answers):
    """Notes which answers a path knows to be cut, and where it takes them for whole all the same."""

    # -- tests ------------------------------------------------------------------------------------------------------

    def tested(self, s: State, value: Value, wanted: bool) -> None:
        """A test came out as ``wanted``: which answers does it tell to be cut, which to be whole?"""
        if not self.caps.calls:
            return
        for call, cut, certain in self._says(value, wanted):
            if cut:
                s.cut = s.cut | {call.number}
                call.cut_certain = call.cut_certain or certain
            else:
                s.cut = s.cut - {call.number}

    def _says(self, value: Value, wanted: bool) -> Iterator[tuple[CappedCall, bool, bool]]:
        """(call, is it cut, is the reason named) for every answer that a test tells something about."""
        while value.kind is Kind.DERIVED and value.name in ("not", "bool"):
            wanted = wanted if value.name == "bool" else not wanted
            value = value.ops[0]
        if value.kind is Kind.DERIVED and value.name in _EQUAL and len(value.ops) == 2:
            same = _EQUAL[value.name] == wanted
            for subject, other in (value.ops, value.ops[::-1]):
                if other.kind is Kind.CONST and other.data is None:
                    yield from self._present(subject, not same)
                    continue
                told = {text.lower() for text in self._literals(other)}
                for answer in self._reasons_in(subject) if told else ():
                    yield from self._compared(answer, told, same)
        elif value.kind is Kind.CALL and value.name in ("startswith", "endswith") and len(value.ops) == 2:
            told = {text.lower() for text in self._literals(value.ops[0])}
            for answer in self._reasons_in(value.ops[1]):
                yield from self._compared(answer, told, wanted)
        else:
            yield from self._present(value, wanted)

    def _compared(self, answer: Answer, told: set[str], same: bool) -> Iterator[tuple[CappedCall, bool, bool]]:
        entry = answer.call.entry
        if not isinstance(entry, ModelCall):
            return
        cut = {_last(text) for text in entry.cut_values}
        if told & cut:
            yield answer.call, same, True
        elif same:
            yield answer.call, False, True
        elif told & self._whole_reasons and not self._handles_tools():
            yield answer.call, True, False

    def _present(self, value: Value, wanted: bool) -> Iterator[tuple[CappedCall, bool, bool]]:
        """``if reply.incomplete_details:``: details of the cut are there only when it was cut."""
        for answer in self._reasons_in(value):
            if any(
                len(stop) > len(answer.names) and stop[: len(answer.names)] == answer.names for stop in answer.stops
            ):
                yield answer.call, wanted, True

    def _reasons_in(self, value: Value) -> list[Answer]:
        """The answers whose stop reason a value is, also rendered or as the name of a member of an enumeration."""
        for _ in range(6):
            if value.kind is Kind.RENDERING or (value.kind is Kind.ATTR and value.name in ("name", "value")):
                value = value.ops[0]
            elif value.kind is Kind.CALL and value.name in ("str", "lower", "upper") and value.ops:
                value = value.ops[-1]
            else:
                break
        return [answer for answer in self.caps.answers(value) if answer.names and answer.names in answer.stops]

    def _literals(self, value: Value) -> list[str]:
        """The literal reasons that one is compared with: texts, members of an enumeration, a collection of them."""
        if value.kind is Kind.CONST:
            return [value.data] if isinstance(value.data, str) else []
        if value.kind is Kind.GLOBAL:
            return [entry for entry, _ in self.program.collection(value.qual)] or [_last(value.qual)]
        if value.kind is Kind.ATTR and value.name in ("name", "value"):
            return self._literals(value.ops[0])
        if value.kind in (Kind.BUILD, Kind.RENDERING, Kind.CALL):
            return [text for op in value.ops for text in self._literals(op)]
        return []

    @property
    def _whole_reasons(self) -> frozenset[str]:
        return self.models.max_tokens.whole_reasons

    def _handles_tools(self) -> bool:
        return mentions_words(self.unit.function, _TOOLS)

    # -- uses -------------------------------------------------------------------------------------------------------

    def answer_used(self, s: State, value: Value, site: int, how: str) -> None:
        """See :class:`Answers`; an answer that this path knows to be cut needs a label."""
        super().answer_used(s, value, site, how)
        if not s.cut:
            return
        for answer in self.caps.answers(value):
            call = answer.call
            if call.number not in s.cut or not answer.is_text or self._labelled(s, value, call):
                continue
            step = Step(Place(self.unit, site), f"the cut answer {how}")
            if step not in call.cut_uses and len(call.cut_uses) < _MOST:
                call.cut_uses.append(step)

    def _labelled(self, s: State, value: Value, call: CappedCall) -> bool:
        """Does what is stored or returned say that the answer in it was cut?"""
        stack, seen = [value], set[int]()
        while stack and len(seen) < 120:
            part = stack.pop()
            if part.id in seen:
                continue
            seen.add(part.id)
            if any(answer.call is call for answer in self._reasons_in(part)):
                return True
            if part.kind is Kind.CONST:
                if isinstance(part.data, str) and self._tells_cut(part.data):
                    return True
                continue
            if part.kind is Kind.DERIVED and part.name in _EQUAL and any(self._reasons_in(op) for op in part.ops):
                return True
            if part.kind is Kind.BUILD and part.name == "tuple" and any(_is_flag(op) for op in part.ops):
                return True
            if any(self._is_label(name, given) for name, given in self._named_parts(s, part)):
                return True
            if part.kind in (Kind.BUILD, Kind.CONCAT, Kind.CALL, Kind.RENDERING, Kind.CHOICE, Kind.MAPPED):
                stack.extend(part.ops)
        return False

    @staticmethod
    def _named_parts(s: State, value: Value) -> Iterator[tuple[str, Value]]:
        """Keys of a dict, attributes set on an object, keywords of a constructor."""
        if value.kind is Kind.CALL and isinstance(value.data, tuple) and value.data:
            first, *names = value.data
            yield from zip(names, value.ops[first : first + len(names)], strict=False)
        for (owner, _, name), given in s.heap.items():
            if owner == value.id and isinstance(name, str):
                yield name, given

    def _is_label(self, name: str, given: Value) -> bool:
        """Is this a field that says that the answer was cut, and does not claim that it was whole?"""
        if not self.models.max_tokens.cut_labels.match(name):
            return False
        data = given.data if given.kind is Kind.CONST else ""
        return data is not None and data is not False and str(data).lower() not in self._whole_reasons

    def _tells_cut(self, text: str) -> bool:
        lowered = text.lower()
        return any(phrase in lowered for phrase in self.models.notice.cut)

    # -- what ends the matter ---------------------------------------------------------------------------------------

    def label_set(self, s: State, name: str, value: Value) -> None:
        """``self.truncated = True``, ``result["finish_reason"] = reason`` on the branch of the cut."""
        if s.cut and self._is_label(name, value):
            s.cut = frozenset()

    def asked_again(self, s: State) -> None:
        """Another model call on the branch: a retry or a continuation."""
        s.cut = frozenset()

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
        """See :class:`Answers`; a message about the cut that is not just logged is a label."""
        if s.cut and self._is_told(s, args, name, receivers):
            s.cut = frozenset()
        super().answers_given(i, s, args, name, quals, receivers, kept)

    def _is_told(self, s: State, args: Args, name: str, receivers: tuple[str, ...]) -> bool:
        if name in ("print", "debug", "getLogger") or any(self.models.names.loggers.match(r) for r in receivers):
            return False
        if self.models.max_tokens.cut_labels.match(name):
            return True
        texts = (part.data for given in args.all for part in (given, *given.ops) if part.kind is Kind.CONST)
        if any(isinstance(text, str) and self._tells_cut(text) for text in texts):
            return True
        return any(self._is_label(key, given) for key, given in args.keywords.items())

    def _handed_over(self, s: State, value: Value, unit: Unit) -> None:
        """See :class:`Answers`; a function of the project that is called after the cut handles it."""
        super()._handed_over(s, value, unit)
        if s.cut and self.models.max_tokens.cut_labels.match(unit.function.name):
            s.cut = frozenset()

    def answers_back(self, s: State, exit_: Exit, result: Value) -> None:
        """See :class:`Answers`; a helper that asks a model again gives a fresh answer."""
        fresh = [a.call for a in self.caps.answers(result) if a.call.function is not self.unit]
        if s.cut and fresh:
            s.cut = frozenset()
        super().answers_back(s, exit_, result)


def mentions_words(function: ir.Function, words: frozenset[str]) -> bool:
    """Does a function read an attribute, a key or a literal of one of these names?"""
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, ir.Attr) and instr.name in words:
                return True
            if isinstance(instr, ir.Const) and isinstance(instr.value, str) and instr.value in words:
                return True
    return any(mentions_words(nested, words) for nested in function.nested)


def _is_flag(value: Value) -> bool:
    return value.kind is Kind.CONST and isinstance(value.data, bool)


def _last(text: str) -> str:
    return text.rpartition(".")[2].lower()
