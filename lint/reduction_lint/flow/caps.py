"""Output caps: which calls carry one, what it amounts to, and whether somebody looks at the stop reason (RL401, RL402)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.events import CappedCall, Step
from reduction_lint.flow.kinds import ContextKind
from reduction_lint.flow.losses import Losses
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import Hit, ModelCall

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args

_NAME = re.compile(r"[A-Za-z_]\w*")


class Caps(Losses):
    """Follows the answers of capped model calls along the path."""

    def model_call(
        self, i: ir.Call, s: State, args: Args, hit: Hit[ModelCall], quals: tuple[str, ...], name: str
    ) -> Value:
        """The answer of a model call; remembers its cap."""
        entry = hit.entry
        inputs = tuple(args.select(entry.inputs)) if entry.inputs else args.all
        if entry.constructor:
            value = self.arena.get(
                Kind.CALL, args.all, name=name, qual=quals[0] if quals else "", key=(self.unit.key, i.site)
            )
        else:
            value = self.summary_value(inputs, i.site, quals[0] if quals else name)
            kind = ContextKind("model-output", hit.exact, "any", value)
            self.classifier.calls[value.id] = kind
            self.classifier.result_paths[value.id] = ()
            for given in inputs:
                self.sink(s, given, i.site, "goes to the model", stored=False)
        cap_name, cap = self._cap(s, args, entry)
        if cap is not None:
            self.capped[value.id] = CappedCall(
                Place(self.unit, i.site), cap_name, cap, entry, self.unit, (*inputs, *args.keywords.values())
            )
        return value

    def _cap(self, s: State, args: Args, entry: ModelCall) -> tuple[str, Value | None]:
        """The argument that caps the answer, by the first of the model's paths that is given."""
        for path in entry.caps:
            names = _NAME.findall(path)
            value: Value | None = args.keywords.get(names[0]) if names else None
            for name in names[1:]:
                value = self._inside(s, value, name) if value is not None else None
            if value is not None and not (value.kind is Kind.CONST and value.data is None):
                return path, value
        return "", None

    def _inside(self, s: State, value: Value, name: str) -> Value | None:
        """A key of a dict built here, or a keyword of a constructor call."""
        known = s.heap.get((value.id, "item", name)) or s.heap.get((value.id, "attr", name))
        if known is not None:
            return known
        for given in self._keywords.get(value.id, ()):
            if given[0] == name:
                return given[1]
        return None

    @property
    def _keywords(self) -> dict[int, tuple[tuple[str, Value], ...]]:
        """Keyword arguments of the calls made so far, by result."""
        if not hasattr(self, "_keyword_table"):
            self._keyword_table: dict[int, tuple[tuple[str, Value], ...]] = {}
        return self._keyword_table

    def cap_assigned(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        """``settings.max_tokens = 256``: judged at the end of the path, for it may be put back."""
        if name in self.models.cap_words and value.kind is Kind.CONST and self.unit.function.name != "__init__":
            self._assigned[(obj.id, name)] = (value, site)

    @property
    def _assigned(self) -> dict[tuple[int, str], tuple[Value, int]]:
        if not hasattr(self, "_assigned_table"):
            self._assigned_table: dict[tuple[int, str], tuple[Value, int]] = {}
        return self._assigned_table

    def caps_at_exit(self, s: State) -> None:
        """Caps that an attribute still has when the path ends."""
        for (owner, name), (value, site) in self._assigned.items():
            if s.heap.get((owner, "attr", name)) is value:
                key = -1 - site
                self.capped.setdefault(key, CappedCall(Place(self.unit, site), name, value, None, self.unit))

    # -- answers ----------------------------------------------------------------------------------------------------

    def looked_at(self, s: State, obj: Value, name: str) -> None:
        """An attribute or key was read: is it the stop reason of a capped answer?"""
        for response in self._responses(obj):
            entry = self.capped[response].entry
            assert isinstance(entry, ModelCall) or entry is None
            stops = entry.stops if entry is not None else ()
            if any(name in _NAME.findall(stop) for stop in stops) and name not in (
                "choices",
                "candidates",
                "outputs",
                "message",
            ):
                s.seen_stops = s.seen_stops | {response}

    def _responses(self, value: Value, depth: int = 0) -> list[int]:
        """Capped answers that a value is a path on."""
        if value.id in self.capped:
            return [value.id]
        if depth > 12 or value.kind not in (
            Kind.ATTR,
            Kind.ITEM,
            Kind.ELEMENT,
            Kind.CALL,
            Kind.CHOICE,
            Kind.RENDERING,
        ):
            return []
        return [found for op in value.ops for found in self._responses(op, depth + 1)]

    def _answers(self, value: Value) -> list[tuple[int, bool]]:
        """(capped answer, is it whole?) for every answer inside a value."""
        found: list[tuple[int, bool]] = []
        stack: list[tuple[Value, bool]] = [(value, True)]
        seen: set[int] = set()
        while stack and len(seen) < 200:
            part, whole = stack.pop()
            if part.id in seen:
                continue
            seen.add(part.id)
            if part.id in self.capped:
                found.append((part.id, whole))
                continue
            if part.kind is Kind.SUMMARY:
                continue
            partial = part.kind in (Kind.ATTR, Kind.ITEM) and part.name not in ("choices", "message")
            stack.extend((op, whole and not partial and part.kind is not Kind.CALL) for op in part.ops)
        return found

    def answer_used(self, s: State, value: Value, site: int, how: str) -> None:
        """The text of a capped answer is stored or returned."""
        if not self.capped:
            return
        for response, whole in self._answers(value):
            call = self.capped[response]
            if whole:
                call.escapes = True
            elif response in s.seen_stops:
                call.checked_uses += 1
            else:
                call.unchecked = True
                step = Step(
                    Place(self.unit, site),
                    f"the answer {how} and nobody looked at the stop reason on this path",
                )
                if step not in call.answer_uses and len(call.answer_uses) < 4:
                    call.answer_uses.append(step)

    def _whole_response(self, s: State, value: Value) -> None:
        """A whole response given to a function: that function may look at the reason."""
        for response, whole in self._answers(value) if self.capped else ():
            if whole:
                s.seen_stops = s.seen_stops | {response}
