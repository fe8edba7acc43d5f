"""Follows the answers of model calls along a path: is the stop reason looked at before the text is taken for whole (RL402)?"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.cap_table import CapTable
from reduction_lint.flow.events import CappedCall, Step
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.stop_reads import StopReads
from reduction_lint.flow.transcript import Transcripts
from reduction_lint.flow.unit import Exit, Unit
from reduction_lint.flow.values import Kind, Value

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


class Answers(Transcripts):
    """Notes where answers go, and on which paths somebody looks at why they ended."""

    @property
    def caps(self) -> CapTable:
        """What is known of caps in the whole project."""
        return self.events.caps

    def stop_seen(self, s: State, call: CappedCall, really: bool = True) -> None:
        s.seen_stops = s.seen_stops | {call.number}
        call.looked = call.looked or really

    def looked_at(self, s: State, obj: Value, name: str, reg: int) -> None:
        """An attribute or key was read into a register: is it the stop reason of an answer, and does somebody look at it?"""
        if not self.caps.calls or name not in self.caps.reasons(self.models) or self._stop_reads.is_idle(reg):
            return
        for answer in self.caps.answers(obj):
            if "reason" in name.lower() or any(name in stop[-1:] for stop in answer.stops):
                self.stop_seen(s, answer.call)

    @cached_property
    def _stop_reads(self) -> StopReads:
        return StopReads(self.unit.function, self.models.names.loggers.match, self._is_lossy)

    def _is_lossy(self, name: str, default: object) -> bool:
        """Does a table of stop reasons give a natural end for one that means "cut"?"""
        rules = self.models.max_tokens
        if str(default).lower() not in rules.whole_reasons:
            return False
        table = dict(self.program.collection(self.program.resolve_name(self.unit, name)))
        kept = [str(value).lower() for key, value in table.items() if key.lower() in self.models.cut_reasons]
        return bool(table) and all(value in rules.whole_reasons for value in kept)

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
        if not self.caps.calls:
            return
        for value in args.all:
            for answer in self.caps.answers(value):
                answer.call.used = True
                if answer.is_text and self._repairs(name, quals, args):
                    self.answer_repaired(answer.call, i.site)
                if answer.whole and name not in _PASSING and not _BLIND.search(name):
                    self.stop_seen(s, answer.call)
                elif answer.is_text and (name in _PARSERS or kept or self._records(name, quals, receivers)):
                    self.answer_used(s, value, i.site, "is parsed" if name in _PARSERS else "is stored")

    def _repairs(self, name: str, quals: tuple[str, ...], args: Args) -> bool:
        """Does a parser close what a cut left open, so that nobody sees the cut? It may also be handed to another one."""
        repairing = self.models.max_tokens.repairing_parsers
        names = [name, *quals, *(value.qual for value in args.all if value.kind is Kind.GLOBAL)]
        return any(repairing.match(word) for text in names for word in text.split("."))

    def answer_repaired(self, call: CappedCall, site: int) -> None:
        """A repairing parser gets the answer, and the cap was maybe set here."""
        step = Step(Place(self.unit, site), "the answer is parsed by something that repairs what is cut")
        if all(step != known for _, known in call.repairs):
            call.repairs.append((self.unit, step))

    def _records(self, name: str, quals: tuple[str, ...], receivers: tuple[str, ...]) -> bool:
        hit = self.models.captures.find(quals, name, receivers)
        return hit is not None and hit.entry.durable

    # -- to and from the project's own functions ---------------------------------------------------------------------

    def _handed_over(self, s: State, value: Value, unit: Unit) -> None:
        """A function of the project gets a whole response: it may look at the reason, or hand it on."""
        for answer in self.caps.answers(value):
            answer.call.used = True
            if answer.whole and self.caps.may_look(unit.function, self.models):
                self.stop_seen(s, answer.call)

    def answers_back(self, s: State, exit_: Exit, result: Value) -> None:
        """What a function of the project returned: its own answers were judged there, unless they come back whole."""
        for answer in self.caps.answers(result):
            call = answer.call
            if call.function is self.unit:
                continue
            if answer.is_text or call.number in exit_.stops_read:
                self.stop_seen(s, call, really=False)
            else:
                s.seen_stops = s.seen_stops - {call.number}
