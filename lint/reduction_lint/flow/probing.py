"""Is a text part of a probe (RL501), or made for one request (RL504)?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.losses import Losses
from reduction_lint.flow.messages import Said, literal_text
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.values import Kind, Value, is_constructor, parts

if TYPE_CHECKING:
    from reduction_lint.knowledge.transcript import Transcript

_WORD = re.compile(r"[A-Za-z]{2,}")
_FEW_WORDS = 3
_TOOL_ROLES = re.compile(r"tool|function", re.I)
_PLAIN = frozenset({"str", "repr", "format", "join", "dumps", "get", "dict", "list"})


class Probing(Losses):
    """Tells probes and request-only text by name, by what they say, and by where they come from."""

    @property
    def purity(self) -> Transcript:
        """What is known about transcripts."""
        return self.models.transcript

    # -- probes -----------------------------------------------------------------------------------------------------

    def probe_in(self, said: Said) -> str:
        """Why a text is part of a probe; "" when nothing says so."""
        if _TOOL_ROLES.search(said.role) or self._told_apart(said):
            return ""
        text = said.text
        words, others = literal_text(text)
        if self.purity.probe_prompts.search(words):
            return "it is the prompt of a probe"
        if self._named_probe(text):
            return "its name says so"
        if len(_WORD.findall(words)) < _FEW_WORDS:
            found = next((why for why in (self._answer_of_probe(other) for other in others or [text]) if why), "")
            if found:
                return found
        return self._made_by_probe(text)

    def _told_apart(self, said: Said) -> bool:
        """Does the message say of itself that it is a probe?"""
        names = self.purity.probe_names
        if said.role and names.match(said.role):
            return True
        return any(names.match(key) or (isinstance(data, str) and names.match(data)) for key, data in said.marks)

    def _named_probe(self, value: Value) -> bool:
        names = self.purity.probe_names
        base = value.ops[0] if value.kind is Kind.RENDERING else value
        own = (base.name,) if base.kind in (Kind.PARAM, Kind.ATTR) else ()
        if base.kind is Kind.GLOBAL:
            own = (base.qual.rpartition(".")[2],)
        declared = self.classifier.declared_probes
        return any(name in declared or names.match(name) for name in (*own, *value.hints, *base.hints))

    def _answer_of_probe(self, value: Value) -> str:
        """Is this (a part of) the answer to a probe?"""
        for _ in range(12):
            if value.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT, Kind.RENDERING) and value.ops:
                value = value.ops[0]
            else:
                break
        if value.kind not in (Kind.SUMMARY, Kind.CALL) or is_constructor(value):
            return ""
        if any(self._is_scorer(name) for name in self._callers_names(value)):
            return "it is the answer of a scorer"
        if isinstance(value.unit, Unit) and value.unit is not self.unit and self.in_probe(value.unit):
            return f"it comes from `{value.unit.function.name}`"
        if value.name in _PLAIN:
            return ""
        asked = (part for op in value.ops for part in parts(op, 60))
        if any(self._asks_for_verdict(part) for part in asked):
            return "it is the answer to a probe"
        return ""

    def _callers_names(self, value: Value) -> tuple[str, ...]:
        return (value.name, value.qual, *(op.name for op in value.ops if op.kind in (Kind.ATTR, Kind.GLOBAL)))

    def _is_scorer(self, name: str) -> bool:
        purity = self.purity
        last = name.rpartition(".")[2]
        if last in self.classifier.declared_probes:
            return True
        return name in purity.probe_calls or (bool(last) and purity.probe_names.match(last))

    def _asks_for_verdict(self, part: Value) -> bool:
        if part.kind is Kind.CONST and isinstance(part.data, str):
            purity = self.purity
            return purity.probe_prompts.search(part.data) is not None or (
                " " not in part.data and purity.probe_models.match(part.data)
            )
        return part.kind in (Kind.BUILD, Kind.PARAM, Kind.ATTR) and self._named_probe(part)

    def _made_by_probe(self, text: Value) -> str:
        """Was the text written, or asked for, in a function that is a probe by its name?"""
        if not self.in_probe(self.unit):
            return ""
        own = text.unit is self.unit and text.kind in (Kind.BUILD, Kind.SUMMARY)
        answer = text
        while answer.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT, Kind.RENDERING) and answer.ops:
            answer = answer.ops[0]
        asked = answer.kind is Kind.SUMMARY and answer.unit is self.unit
        literal = text.kind is Kind.CONST and isinstance(text.data, str) and len(_WORD.findall(text.data)) > _FEW_WORDS
        return f"it belongs to `{self.unit.function.name}`" if own or asked or literal else ""

    def in_probe(self, unit: Unit) -> bool:
        """Is a function a probe: by declaration, by its name, or by a weaker name beside the words of a verdict?"""
        names = self.purity
        current: Unit | None = unit
        while current is not None:
            name = current.function.name
            if "probe" in current.declarations or names.probe_names.match(name):
                return True
            if names.probe_weak_names.match(name) and speaks_of(current.function, names.verdicts):
                return True
            current = current.parent
        return False

    # -- text for one request ---------------------------------------------------------------------------------------

    def request_only(self, said: Said) -> str:
        """Why a text was made for one request; "" when nothing says so."""
        if _TOOL_ROLES.search(said.role):
            return ""
        words, others = literal_text(said.text)
        lowered = words.strip()
        clocks = [other for other in others if self._is_clock(other)]
        if self.purity.request_texts.search(lowered) and len(clocks) == len(others):
            return "it is a reminder or a clock for one request"
        if clocks and len(clocks) == len(others):
            return "it tells the time of one request"
        names = self.purity.request_names
        own = (said.text.name,) if said.text.kind in (Kind.PARAM, Kind.ATTR) else ()
        return "its name says so" if any(names.match(name) for name in (*own, *said.text.hints)) else ""

    def _is_clock(self, value: Value) -> bool:
        """``datetime.now()``, also formatted or by an attribute."""
        for _ in range(8):
            if value.kind is Kind.CALL and value.qual in self.purity.clocks:
                return True
            if value.kind in (Kind.ATTR, Kind.RENDERING, Kind.DERIVED) and value.ops:
                value = value.ops[0]
            elif (
                value.kind is Kind.CALL
                and value.name in ("strftime", "isoformat", "format", "astimezone")
                and value.ops
            ):
                value = value.ops[-1]
            else:
                return False
        return False


def speaks_of(function: ir.Function, words: re.Pattern[str]) -> bool:
    """Does a literal text of a function fit a pattern?"""
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, ir.Const) and isinstance(instr.value, str) and words.search(instr.value):
                return True
    return False
