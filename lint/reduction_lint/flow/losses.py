"""When does a reduced form take the original's place, and what does the path say about it?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reduction_lint.flow.events import Event, Outcome, Status, Step
from reduction_lint.flow.kinds import ContextKind
from reduction_lint.flow.memory import Memory
from reduction_lint.flow.state import Captured, Field, Loss, Place, State, coverage, mark_captured
from reduction_lint.flow.unit import Exit, Obligation, Sunk
from reduction_lint.flow.values import (
    Kind,
    Value,
    holds,
    is_constructor,
    is_empty,
    is_text,
    mentions,
    parts,
    path_text,
    reductions_of,
    root,
    strip,
)

_PARSING = frozenset({"find", "rfind", "index", "rindex", "start", "end", "search", "match", "span", "tell"})
_LIMIT_NAME = re.compile(
    r"max|limit|trunc|cap|budget|chars|length|len|size|keep|head|tail|window|bytes|width|chunk|^n$|^k$", re.I
)
MAX_OPEN = 64
"""Losses of one path, and obligations of one function: functions that call each other would multiply them."""
_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__", "__setstate__", "__enter__"})


class Losses(Memory):
    """Detects reductions at stores, in-place changes and sinks, and judges them when a path ends."""

    # -- stores -----------------------------------------------------------------------------------------------------

    def replaced(
        self,
        state: State,
        old: Value,
        new: Value,
        site: int,
        target: tuple[Value, Field] | None,
        in_place: bool = False,
    ) -> None:
        """``new`` is now where ``old`` was kept (attribute, item, global): a loss if it is a reduced form of it."""
        if old is new or holds(new, old) or self._known_missing(state, old):
            return
        if target is not None and not self.owned(target[0]):
            return
        kind = self.classifier.kind_of(old)
        if kind is None:
            return
        reductions = [r for r in reductions_of(new, old) if self._counts(r, kind)]
        if not reductions and old.kind is Kind.ATTR and old.name in ("value", "content", "text"):
            reductions = [r for r in reductions_of(new, old.ops[0]) if self._counts(r, kind)]
        if reductions:
            self._lose_to(state, old, new, reductions, kind, site, in_place)
        elif kind.kind == "conversation" and kind.shape == "list" and self._called_summary(new):
            self._open(state, "compaction", "rebind", old, (old,), new, kind, Place(self.unit, site))
        elif self._is_clear(new, site) and self._may_clear(old, kind, target):
            if target is not None:
                event = self._event("truncation", "clear", old, kind, Place(self.unit, site))
                event.reloaded = event.reloaded or target[1] in self.loaded
                self.cleared[target[1]] = event
            self._open(state, "truncation", "clear", old, (old,), new, kind, Place(self.unit, site))
        elif kind.kind == "conversation" and kind.shape == "list":
            self._window_stored(state, old, new, kind, site)
            self.cut_before_summary(state, new, None)
            if target is not None and not mentions(new, old):
                self.loaded.add(target[1])
                if target[1] in self.cleared:
                    self.cleared[target[1]].reloaded = True

    def _called_summary(self, value: Value) -> bool:
        """Does the attribute or variable that a value was read from say that it holds a summary?"""
        value = strip(value)
        names = (value.name, *value.hints) if value.kind in (Kind.ATTR, Kind.PARAM, Kind.GLOBAL) else ()
        return any(self.models.names.summaries.match(name) for name in names)

    def _known_missing(self, state: State, old: Value) -> bool:
        """Has this path found that there is nothing to lose (``is None``, ``not in``, ``not hasattr``)?"""
        if state.atoms.get(("set", old.id)) is False:
            return True
        if old.kind not in (Kind.ATTR, Kind.ITEM):
            return False
        name = old.name if old.kind is Kind.ATTR else old.ops[1].data
        for key, wanted in state.atoms.items():
            if key[0] != "set" or not isinstance(key[1], int):
                continue
            test = self.arena.by_id(key[1])
            if wanted and test.kind is Kind.DERIVED and test.name == "==" and old in test.ops:
                return any(is_empty(op) for op in test.ops)
            if wanted:
                continue
            if test.kind is Kind.DERIVED and test.name in ("in", "hasattr") and len(test.ops) == 2:
                container, asked = (test.ops[1], test.ops[0]) if test.name == "in" else (test.ops[0], test.ops[1])
                if container is old.ops[0] and asked.data == name:
                    return True
        return False

    def _lose_to(
        self,
        state: State,
        old: Value,
        new: Value,
        reductions: list[Value],
        kind: ContextKind,
        site: int,
        in_place: bool,
    ) -> None:
        technique, how = "truncation", "in-place" if in_place else "rebind"
        if any(r.kind in (Kind.SUMMARY, Kind.MAPPED) for r in reductions):
            technique = "compaction"
        elif any(r.name == "compressed" for r in reductions):
            technique, how = "hard-compression", "compressed"
        elif self._is_edit(reductions):
            return
        place = Place(self.unit, site)
        if technique != "compaction" and len(reductions) == 1 and reductions[0].unit is self.unit:
            place = Place(reductions[0].unit, reductions[0].site)
        event = self._open(state, technique, how, old, self._lost_parts(old, reductions), new, kind, place)
        event.store = Place(self.unit, site)
        if technique == "compaction":
            self.cut_before_summary(state, new, old)

    def cut_before_summary(self, state: State, new: Value, old: Value | None) -> None:
        """``new`` stands for ``old`` (or for what its name says) by a summary: what was cut from the summary's own input
        is in neither."""
        start = root(strip(base_of(old))) if old is not None else None
        inputs = summary_inputs(new)
        kept = [p for p in parts(new, 100) if p.kind is Kind.REDUCED]
        for part in inputs:
            original = base_of(part)
            kind = self.classifier.kind_of(original)
            if kind is None or part.unit is None or (start is not None and not mentions(original, start)):
                continue
            if start is None and kind.kind != "conversation":
                continue
            text = kind.shape == "text"
            if part.name == "filter" or not is_cut(part, lines=not text or _is_lines(part)):
                continue
            if _completed(part, (*kept, *inputs)) or any(holds(p, original) for p in kept):
                continue
            self._open(
                state, "truncation", "summary-input", original, (original,), new, kind, Place(part.unit, part.site)
            )

    def _window_stored(self, state: State, old: Value, new: Value, kind: ContextKind, site: int) -> None:
        """A conversation attribute gets a cut parameter, or a container that drops by itself."""
        if new.kind is Kind.CALL and new.data == "bounded" and new.unit is not None:
            self._open(state, "truncation", "bounded", old, (old,), new, kind, Place(new.unit, new.site))
            return
        for part in reduced_inside(new):
            original = base_of(part)
            inner = self.classifier.kind_of(original)
            if (
                original.kind is Kind.PARAM
                and inner is not None
                and inner.kind == "conversation"
                and part.unit is not None
                and is_cut(part, lines=True)
            ):
                self._open(
                    state, "truncation", "rebind", original, (original,), new, inner, Place(part.unit, part.site)
                )

    def item_replaced(
        self, state: State, obj: Value, key: Value, old: Value, new: Value, site: int, field: Field
    ) -> None:
        """``obj[key] = new``."""
        self.replaced(state, old, new, site, (obj, field))

    def _is_clear(self, new: Value, site: int) -> bool:
        """Is an empty or literal value written at this very place? (A list that a loop may leave empty is none.)"""
        if new.kind is Kind.BUILD:
            here = new.unit is self.unit and new.site == site
            return here and new.name in ("list", "dict", "tuple", "set") and all(_is_literal(op) for op in new.ops)
        return is_empty(new) and new.kind is Kind.CONST

    def _may_clear(self, old: Value, kind: ContextKind, target: tuple[Value, Field] | None) -> bool:
        """A cleared conversation counts; the first assignment in a constructor does not."""
        if self.unit.function.name in _CONSTRUCTORS or old.kind is Kind.CONST or "summar" in old.name:
            return False
        if kind.shape != "list" and kind.kind in ("conversation", "tool-output"):
            return old.kind in (Kind.ATTR, Kind.ITEM) and self._is_entry(old.ops[0])
        if kind.kind != "conversation":
            return False
        return old.kind in (Kind.ATTR, Kind.ITEM, Kind.GLOBAL, Kind.CONCAT, Kind.CHOICE) and target is not None

    def _is_entry(self, value: Value) -> bool:
        """Is this an entry of an owned list (a message, a step)?"""
        return value.kind in (Kind.ELEMENT, Kind.ITEM) and self.owned(value)

    def _lost_parts(self, old: Value, reductions: Sequence[Value]) -> tuple[Value, ...]:
        """What is lost: the complement of the single slice that is kept, else the whole."""
        kept = [r for r in reductions if r.kind is Kind.REDUCED]
        if len(kept) == 1 and kept[0].name == "slice":
            part = kept[0]
            _, lower, upper, step = part.ops
            if step.data is None and step.kind is Kind.CONST:
                none = self.arena.const(None)
                open_lower = lower.kind is Kind.CONST and lower.data in (None, 0)
                open_upper = upper.kind is Kind.CONST and upper.data is None
                if open_lower != open_upper:
                    bounds = (upper, none, none) if open_lower else (none, lower, none)
                    return (
                        self.arena.get(Kind.REDUCED, (part.ops[0], *bounds), name="slice", key=("complement",)),
                        old,
                    )
        return (old,)

    @staticmethod
    def _is_edit(reductions: Sequence[Value]) -> bool:
        """``x[:i] + [new] + x[i + 1:]`` replaces or inserts one item: an edit, not a truncation."""
        slices = [r for r in reductions if r.kind is Kind.REDUCED and r.name == "slice"]
        for head in slices:
            for tail in slices:
                upper, lower = head.ops[2], tail.ops[1]
                if head is tail or head.ops[0] is not tail.ops[0]:
                    continue
                if upper is lower and not (upper.kind is Kind.CONST and upper.data is None):
                    return True
                if (
                    lower.kind is Kind.DERIVED
                    and lower.name == "Add"
                    and lower.ops[0] is upper
                    and lower.ops[1].data == 1
                ):
                    return True
        return False

    def _counts(self, reduction: Value, kind: ContextKind) -> bool:
        """Does this part stand for a cut, not for parsing? Text needs a limit-like bound."""
        if reduction.kind in (Kind.SUMMARY, Kind.MAPPED):
            return True
        return is_cut(reduction, kind.shape == "list")

    # -- in-place changes -------------------------------------------------------------------------------------------

    def removed(
        self,
        state: State,
        obj: Value,
        lost: tuple[Value, ...],
        site: int,
        popped: Value | None,
        key: Value | None,
    ) -> None:
        """Members of ``obj`` were deleted, popped or cleared."""
        kind = self.classifier.kind_of(obj)
        owned = self.owned(obj)
        if key is not None and key.kind is Kind.CONST and isinstance(key.data, str):
            self._key_removed(state, obj, lost[0], site, popped)
            return
        new = self.arena.get(Kind.REDUCED, (obj,), name="removed", key=(self.unit.key, site))
        if owned and kind is not None and kind.kind == "conversation" and kind.shape != "text":
            how = "clear" if lost == (obj,) else "in-place"
            self._open(state, "truncation", how, obj, (*lost, obj), new, kind, Place(self.unit, site), popped)
        self.rebind(state, obj, new)

    def _key_removed(self, state: State, obj: Value, lost: Value, site: int, popped: Value | None) -> None:
        """``del message["content"]``, ``state.pop("messages")``: only for keys that hold context."""
        if not self.owned(obj) or popped is not None:
            return
        kind = self.classifier.kind_of(lost)
        if kind is None or not (kind.kind == "conversation" or (kind.kind == "tool-output" and self._is_entry(obj))):
            return
        self._open(state, "truncation", "in-place", lost, (lost,), None, kind, Place(self.unit, site), popped)

    def slice_assigned(
        self, state: State, obj: Value, value: Value, bounds: tuple[Value, ...], site: int, whole: bool
    ) -> None:
        """``obj[a:b] = value``; a whole slice replaces the contents of the list in place."""
        if whole and bounds[1].data is None:
            if self.owned(obj):
                self.replaced(state, obj, value, site, (obj, (obj.id, "slice", "")), in_place=True)
            self.rebind(state, obj, value)
            return
        part = self.arena.get(Kind.REDUCED, (obj, *bounds), name="slice", key=("complement",))
        kind = self.classifier.kind_of(obj)
        if kind is not None and self.owned(obj) and kind.shape == "list":
            made_from = reductions_of(value, obj)
            if any(r.kind is Kind.SUMMARY for r in made_from):
                self._open(state, "compaction", "in-place", obj, (part, obj), value, kind, Place(self.unit, site))
            elif is_empty(value):
                self._open(state, "truncation", "in-place", obj, (part, obj), value, kind, Place(self.unit, site))
        new = self.arena.get(Kind.REDUCED, (obj, value), name="removed", key=(self.unit.key, site))
        self.rebind(state, obj, new)

    # -- sinks ------------------------------------------------------------------------------------------------------

    def sink(
        self,
        state: State,
        value: Value,
        site: int,
        why: str,
        stored: bool,
        exact_only: bool = False,
        around: Value | None = None,
    ) -> None:
        """``value`` reaches a model or the store: every cut text in it may be all that is left of its original."""
        if not exact_only:
            self._note_sunk(value, around or value, why, stored)
        holders = (value, *self._put_into(state, value))
        for held in holders:
            for part in reduced_inside(held):
                original = base_of(part)
                kind = self.classifier.kind_of(original)
                if kind is None and part.name == "limit":
                    kind = self.classifier.kind_of(part)
                if part.name == "compressed":
                    self._compressed(state, part, original, kind, value, stored and "return" not in why, site)
                    continue
                if kind is None or (exact_only and not kind.exact) or any(holds(other, original) for other in holders):
                    continue
                self._sunk_part(state, part, original, kind, around or held, why, stored)

    def _sunk_part(
        self,
        state: State,
        part: Value,
        original: Value,
        kind: ContextKind,
        around: Value,
        why: str,
        stored: bool,
    ) -> None:
        if kind.shape == "list" and not is_text(original):
            if not stored and kind.kind == "conversation":
                self._window(state, part, original, kind)
        elif part.name == "filter" or not is_cut(part, lines=_is_lines(part)) or self._is_view(original):
            return
        elif stored or not self._is_held(original, kind):  # else a view for one request: whoever gave the text has it
            self._text_cut(state, part, original, kind, around, why)

    @staticmethod
    def _put_into(state: State, value: Value) -> list[Value]:
        """What this path has put into the displays and objects that a value is made of (``result["stdout"] = text``)."""
        made = {p.id for p in parts(value, 40) if p.kind in (Kind.BUILD, Kind.CALL)}
        return [held for field, held in state.heap.items() if field[0] in made] if made else []

    def kept_cut(self, state: State, obj: Value, name: str, old: Value, value: Value, site: int) -> None:
        """``obj.name = value`` keeps a text: where it is a cut of something else than was there, that may be all that is
        left of it."""
        if value.kind in (Kind.CONST, Kind.PARAM, Kind.ATTR) or not self.owned(obj):
            return
        if self.models.names.not_context.match(name) or self.models.names.ui.match(name):
            return
        if any(base_of(part) is old or mentions(base_of(part), old) for part in reduced_inside(value)):
            return
        named = self.models.named_sources.find(name) is not None
        self.sink(state, value, site, "is stored", stored=True, exact_only=not named)

    def _note_sunk(self, value: Value, around: Value, why: str, stored: bool) -> None:
        """Callers are told which of their arguments end up in a model or a store."""
        for part in parts(value, 40):
            if part.kind in (Kind.PARAM, Kind.ATTR) and root(part).kind is Kind.PARAM and len(self.sunk) < 12:
                if part.name != self.unit.self_name and root(part).name != self.unit.self_name:
                    self.sunk.setdefault(part.id, Sunk(part, around, why, stored))

    def _is_held(self, original: Value, kind: ContextKind) -> bool:
        """Does somebody else hold the text, or what it was made from? A text made here and now lives nowhere else."""
        if root(original).kind is Kind.PARAM:
            return True
        if kind.exact:
            return False
        return not is_text(original) or any(self.owned(part) for part in parts(original, 60))

    def _text_cut(self, state: State, part: Value, original: Value, kind: ContextKind, around: Value, why: str) -> None:
        assert part.unit is not None
        event = self._event("truncation", "text", original, kind, Place(part.unit, part.site))
        event.owned_by_caller = root(original).kind is Kind.PARAM
        event.label = event.label or path_text(part) or min(part.hints, default="")
        event.by_limit = part.name == "limit"
        if event.note in ("", "is returned"):
            event.note = why
        notice, pointer = self.notice_in(around, original, None)
        if kind.kind == "document" and pointer and self._can_be_read_again(original):
            event.add(self._outcome(state, Status.EXCUSED, event, notice=notice, pointer=True))
            return
        found = coverage(state, original)
        loss = Loss(event, original, (original,), around, "text", None, found, state.conditions)
        if not any(known.event is event and known.original is original for known in state.losses):
            state.losses = (*state.losses, loss)

    def _can_be_read_again(self, original: Value) -> bool:
        """Was the text read from a file? Web pages and command output cannot be asked for the rest."""
        return root(original).id in self.classifier.rereadable

    def _compressed(
        self,
        state: State,
        part: Value,
        original: Value,
        kind: ContextKind | None,
        value: Value,
        stored: bool,
        site: int,
    ) -> None:
        """Compressed text reaches a model or, ``stored``, is kept."""
        assert part.unit is not None
        place = Place(part.unit, part.site)
        if kind is not None:
            event = self._open(state, "hard-compression", "compressed", original, (original,), value, kind, place)
        else:
            event = self._event(
                "hard-compression", "compressed", original, ContextKind("document", True, "any", original), place
            )
        if stored and event.store is None:
            event.store = Place(self.unit, site)

    def _window(self, state: State, part: Value, original: Value, kind: ContextKind) -> None:
        """A reduced list that only goes into one request."""
        assert part.unit is not None
        event = self._event("truncation", "window", original, kind, Place(part.unit, part.site))
        found = coverage(state, original)
        status = Status.CAPTURED if found is not None and found.awaiting is None else Status.VIEW
        event.add(self._outcome(state, status, event, capture=found))

    def _is_view(self, original: Value) -> bool:
        """The canonical text lives on where it is kept: in an attribute, or in a message of an owned list."""
        return original.kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT) and self.owned(original)

    def notice_in(self, value: Value, original: Value, capture: Captured | None) -> tuple[str, bool]:
        """(kind of notice in the texts of ``value``, whether something in it leads back to the original).

        What leads back: the arguments that the original was read with, the handle or place of its capture.
        """
        texts: list[str] = []
        pointer = False
        sources = _read_from(root(original))
        if capture is not None:
            sources = sources | capture.pointers
        for piece in parts(value):
            if piece.kind is Kind.REDUCED:
                texts += [op.data.lower() for op in piece.ops[1:] if isinstance(op.data, str)]
            elif isinstance(piece.data, str) and (piece.kind is Kind.CONST or piece.name == "dict"):
                texts.append(piece.data.lower())
            elif piece.id in sources:
                pointer = True
        text = "\n".join(texts)
        notice = self.models.notice
        if any(phrase in text for phrase in notice.not_retained):
            return "not-retained", pointer
        if any(phrase in text for phrase in notice.retained):
            return "retained", pointer
        if any(phrase in text for phrase in notice.cut):
            return "cut", pointer
        if any(phrase in text for phrase in notice.weak):
            return "weak", pointer
        return "", pointer

    # -- events and judgement ---------------------------------------------------------------------------------------

    def _event(self, technique: str, how: str, value: Value, kind: ContextKind, place: Place) -> Event:
        unit = place.function
        key = (getattr(unit, "key", ""), place.site, technique, how == "summary-input")
        label = path_text(value) or path_text(strip(value)) or path_text(kind.origin)
        event = self.events.get(
            key,
            Event(place, technique, how, value, label, kind.kind, kind.exact, kind.kind == "conversation"),
        )
        if not event.label:
            event.label = label
        event.sidecar_known = event.sidecar_known or self._sidecar_in_scope()
        return event

    def _open(
        self,
        state: State,
        technique: str,
        how: str,
        original: Value,
        lost: tuple[Value, ...],
        replacement: Value | None,
        kind: ContextKind,
        place: Place,
        popped: Value | None = None,
    ) -> Event:
        """Note a loss on this path; what speaks for it is judged when the path ends."""
        event = self._event(technique, how, original, kind, place)
        found = _best(coverage(state, part) for part in lost)
        loss = Loss(event, original, lost, replacement, how, popped, found, state.conditions)
        state.losses = (
            *(known for known in state.losses if known.event is not event or known.original is not original),
            loss,
        )
        return event

    def judge_all(self, state: State, result: Value | None, texts: bool = True) -> None:
        """Judge the losses of a path that ends with ``result``; without ``texts`` only those that changed something."""
        for loss in state.losses:
            if texts or loss.status != "text":
                self._judge(state, loss, result)

    def _judge(self, state: State, loss: Loss, result: Value | None) -> None:
        event = loss.event
        assert isinstance(event, Event)
        capture = loss.capture
        notice, pointer = ("", False)
        if loss.status == "text" and loss.replacement is not None:
            notice, pointer = self.notice_in(loss.replacement, loss.original, capture)
        status = self._status(state, loss, result)
        outcome = self._outcome(state, status, event, capture, notice, pointer, loss)
        start = root(loss.original)
        if status in (Status.UNCAPTURED, Status.LATE) and start.kind is Kind.PARAM and loss.status != "text-own":
            key = (id(event), loss.original.id, outcome.no_sidecar, outcome.flag_wrong)
            if key not in self.obligations and len(self.obligations) >= MAX_OPEN:
                self.limit_hit = True
            elif key not in self.obligations:
                self.obligations[key] = Obligation(event, loss.original, loss.lost, outcome.steps, (outcome, loss))
            return
        event.add(outcome)

    def _status(self, state: State, loss: Loss, result: Value | None) -> Status:
        capture = loss.capture
        in_place = loss.status in ("in-place", "clear") and loss.popped is None
        if capture is not None:
            if capture.awaiting is not None:
                return Status.UNCAPTURED if capture.in_thread else Status.NOT_AWAITED
            if capture.by_reference and in_place and self._mutates(loss):
                return Status.BY_REFERENCE
            return Status.CAPTURED
        if loss.popped is not None and self._popped_kept(state, loss, result):
            return Status.KEPT
        if self._kept(state, loss, result, in_place):
            return Status.KEPT
        if self._opted_in(state):
            return Status.OPT_IN
        if loss.status == "clear" and (self._commanded(state) or self._begins(state)):
            return Status.EXCUSED
        if (in_place or loss.original.kind is Kind.ITEM) and self._referenced(state, loss.original):
            return Status.BY_REFERENCE
        if self._captured_late(state, loss):
            return Status.LATE
        return Status.UNCAPTURED

    @staticmethod
    def _mutates(loss: Loss) -> bool:
        """Was the very object changed (``del``, ``pop``, ``clear``), not just a name bound anew?"""
        return (loss.replacement is not None and loss.replacement.name == "removed") or loss.status == "in-place"

    def _popped_kept(self, state: State, loss: Loss, result: Value | None) -> bool:
        popped = loss.popped
        assert popped is not None
        if popped.id in state.sent or coverage(state, popped) is not None:
            return True
        return self._held_somewhere(state, popped, result, None)

    def _kept(self, state: State, loss: Loss, result: Value | None, in_place: bool) -> bool:
        original = loss.original
        if original.id in state.moved or (original.id in state.sent and not in_place):
            return True
        if in_place and any(part.id in state.sent for part in loss.lost if part is not original):
            return True
        copied = original if not in_place else None
        if copied is None:
            return self._held_somewhere(state, original, result, loss.replacement, copies_only=True)
        return self._held_somewhere(state, original, result, loss.replacement)

    def _held_somewhere(
        self,
        state: State,
        original: Value,
        result: Value | None,
        but: Value | None,
        copies_only: bool = False,
    ) -> bool:
        """Is the original returned, or stored in an object that outlives the call?"""
        holders = [
            value
            for field, value in state.heap.items()
            if self.owned(self.fields.get(field, value)) and "summar" not in str(field[2])
        ]
        if result is not None:
            holders.append(result)
        for holder in holders:
            if holder is original or holder is but:
                if holder is result and holder is original:
                    return True
                continue
            if holds_copy(holder, original) if copies_only else holds(holder, original):
                return True
        return False

    def _captured_late(self, state: State, loss: Loss) -> bool:
        """Was the reduced form (before or after) recorded, as if it were the original?"""
        if loss.replacement is not None and loss.status != "text":
            for part in parts(loss.replacement):
                if part.id in state.captured and part.kind is not Kind.CONST and part.kind is not Kind.BUILD:
                    return True
            if loss.replacement.id in state.captured:
                return True
        original = strip(loss.original)
        for key in state.captured:
            value = self.arena.by_id(key)
            if value.kind is Kind.REDUCED and value.name != "removed" and base_of(value) is original:
                return True
        return any(holds(self.arena.by_id(key), loss.original) for key in state.lossy)

    def _captured_in_part(self, state: State, original: Value) -> bool:
        """Were some elements of the original recorded, but not shown to be all?"""
        target = strip(original)
        for key in state.captured:
            value = self.arena.by_id(key)
            if value.kind in (Kind.ELEMENT, Kind.ITEM) and strip(value.ops[0]) is target:
                return True
        return False

    def _referenced(self, state: State, original: Value) -> bool:
        """Does a sidecar hold the very object that was changed (or the list that it is an element of)?"""
        chain = [original]
        while chain[-1].kind in (Kind.ITEM, Kind.ELEMENT):
            chain.append(chain[-1].ops[0])
        for field, value in state.heap.items():
            owner = self.fields.get(field)
            if owner is None or not self._in_sidecar(owner):
                continue
            for depth, link in enumerate(chain):
                if shares(value, link, inside=depth > 0):
                    return True
        return False

    def _in_sidecar(self, value: Value) -> bool:
        while True:
            if self.is_sidecar(value):
                return True
            if value.kind is not Kind.ATTR:
                return False
            value = value.ops[0]

    def _commanded(self, state: State) -> bool:
        """Is this the handler of an explicit command, by its name or by the command word that the path compared with?"""
        if self.models.names.command_handlers.match(self.unit.function.name):
            return True
        return any(
            wanted and key[0] == "set" and isinstance(key[1], int) and self.is_command_test(self.arena.by_id(key[1]))
            for key, wanted in state.atoms.items()
        )

    def _begins(self, state: State) -> bool:
        """Does a function that starts anew empty what a former run left, whatever the sizes are?"""
        if not self.models.names.beginnings.match(self.unit.function.name):
            return False
        tests = (self.arena.by_id(key[1]) for key in state.atoms if key[0] == "set" and isinstance(key[1], int))
        return not any(test.kind is Kind.DERIVED and test.name in ("<", ">", "<=", ">=") for test in tests)

    def is_command_test(self, test: Value) -> bool:
        """``line == "/clear"`` or ``line in ("/clear", "/reset")``."""
        if test.kind is not Kind.DERIVED or test.name not in ("==", "in", "startswith"):
            return False
        words = [p.data for op in test.ops for p in parts(op, 12) if p.kind is Kind.CONST and isinstance(p.data, str)]
        return any(
            word[:1] in "/%:!" and self.models.names.command_handlers.match(word.lstrip("/%:!").split(" ")[0])
            for word in words
            if word
        )

    def _opted_in(self, state: State) -> bool:
        return any(wanted and default in (False, None) for wanted, default in self._flags(state))

    def _flags(self, state: State) -> list[tuple[bool, object]]:
        """(test result, default) of every opt-in flag that this path has tested."""
        found: list[tuple[bool, object]] = []
        for key, wanted in state.atoms.items():
            if key[0] != "set" or not isinstance(key[1], int):
                continue
            value = self.arena.by_id(key[1])
            name = value.name or path_text(value).rpartition(".")[2]
            if name and self.models.names.opt_in_flags.match(name):
                found.append((wanted, self._default_of(value)))
        return found

    def _default_of(self, value: Value) -> object:
        if value.kind is Kind.PARAM:
            for param in self.unit.function.params:
                if param.name == value.name and param.default:
                    return param.default[0]
            return None
        if value.kind is Kind.ATTR:
            default = self.program.attribute_default(self.qual_of(value.ops[0]), value.name)
            return default[0] if default else None
        return None

    def _without_sidecar(self, state: State) -> bool:
        """Did this path find out that no sidecar is attached?"""
        for key, wanted in state.atoms.items():
            if not wanted and key[0] == "set" and isinstance(key[1], int) and self.is_sidecar(self.arena.by_id(key[1])):
                return True
        return False

    def is_sidecar(self, value: Value) -> bool:
        """Is this an object that captures go into, by type or by name?"""
        name = value.name or path_text(value).rpartition(".")[2]
        qual = self.qual_of(value)
        return bool(name) and self.models.is_sidecar(name, (qual,) if qual else ())

    def _sidecar_in_scope(self) -> bool:
        if any(self.models.is_sidecar(p.name, ()) for p in self.unit.function.params):
            return True
        return bool(self.unit.class_name and self.program.sidecar_attributes(self.unit.class_name))

    def _outcome(
        self,
        state: State,
        status: Status,
        event: Event,
        capture: Captured | None = None,
        notice: str = "",
        pointer: bool = False,
        loss: Loss | None = None,
    ) -> Outcome:
        steps: list[Step] = []
        if status in (Status.UNCAPTURED, Status.LATE, Status.NOT_AWAITED, Status.BY_REFERENCE):
            steps = [
                Step(place, "`{}` is true" if wanted else "`{}` is false")
                for place, wanted in (loss.conditions if loss is not None else state.conditions)[-6:]
            ]
        if capture is not None and capture.place.function is not None:
            steps.append(Step(capture.place, "the capture"))
        in_part = capture is not None and capture.in_thread
        if status is Status.UNCAPTURED and loss is not None:
            in_part = in_part or self._captured_in_part(state, loss.original)
        length_checked = loss is not None and self._length_tested(state, loss.original)
        flag_wrong = any(not wanted or default is True for wanted, default in self._flags(state))
        return Outcome(
            status, tuple(steps), capture, self._without_sidecar(state), flag_wrong, notice, pointer,
            in_part=in_part,
            length_checked=length_checked,
        )  # fmt: skip

    def _length_tested(self, state: State, original: Value) -> bool:
        """Did the path compare the length of the original with something?"""
        for key in state.atoms:
            if key[0] == "set" and isinstance(key[1], int):
                test = self.arena.by_id(key[1])
                if test.kind is Kind.DERIVED and any(
                    op.kind is Kind.DERIVED and op.name == "len" and mentions(op, original) for op in _leaves(test)
                ):
                    return True
        return False

    # -- summaries --------------------------------------------------------------------------------------------------

    def remember(self, state: State, result: Value) -> None:
        """Store this path's exit in terms of the parameters."""
        captured = tuple(
            (value, capture)
            for value, capture in ((self.arena.by_id(k), c) for k, c in state.captured.items())
            if self._rooted_in_params(value)
        )
        writes = tuple(
            (self.fields[field], field, value)
            for field, value in state.heap.items()
            if field in self.fields and self._rooted_in_params(self.fields[field])
        )
        self._note_arrivals(state)
        exit_ = Exit(captured, writes, result, state.at_yield or frozenset(), state.seen_stops)
        if exit_ not in self.exits and len(self.exits) < 24:
            self.exits.append(exit_)

    def _note_arrivals(self, state: State) -> None:
        """For every list attribute that grew on this path: was each entry captured by the end of it?"""
        for field, value in state.heap.items():
            owner = self.fields.get(field)
            if field[1] != "attr" or owner is None or owner.kind is not Kind.PARAM:
                continue
            while value.kind in (Kind.CONCAT, Kind.REDUCED):
                if value.kind is Kind.CONCAT and value.name in ("append", "extend"):
                    entry = value.ops[1].ops[0] if value.name == "append" else value.ops[1]
                    found = coverage(state, entry)
                    done = found is not None and found.awaiting is None
                    self.arrivals.setdefault(str(field[2]), []).append(done)
                value = value.ops[0]

    @staticmethod
    def _rooted_in_params(value: Value) -> bool:
        start = root(value)
        return start.kind is Kind.PARAM or start.kind is Kind.GLOBAL

    def settle(self, state: State, obligation: Obligation, original: Value, lost: tuple[Value, ...]) -> None:
        """A callee reduces something of ours: does this path cover it? Judged with our own losses at the end."""
        template = obligation.template
        assert isinstance(template, tuple)
        _, loss = template
        if len(state.losses) >= MAX_OPEN:
            self.limit_hit = True
            return
        self.events.settled.add(id(obligation))
        found = _best(coverage(state, part) for part in lost)
        copied = original.kind is Kind.MAPPED or (original.kind is Kind.RENDERING and original.name != "none")
        if found is None and ((copied and loss.status != "text") or self._made_of_owned(original)):
            obligation.event.add(Outcome(Status.KEPT))
            return
        state.losses = (
            *state.losses,
            Loss(
                obligation.event,
                original,
                lost,
                loss.replacement if loss.status == "text" else None,
                loss.status,
                None,
                found,
                state.conditions,
            ),
        )

    def _made_of_owned(self, original: Value) -> bool:
        """Is this a fresh list (a copy, a slice, a concatenation) of things that somebody else holds?"""
        if self.owned(original) or original.kind not in (
            Kind.RENDERING,
            Kind.CONCAT,
            Kind.MAPPED,
            Kind.REDUCED,
            Kind.BUILD,
        ):
            return False
        return any(self.owned(part) for part in parts(original, 30) if part is not original)

    def mark(self, state: State, value: Value, capture: Captured) -> None:
        """Record a capture."""
        mark_captured(state, value, capture)


def _best(found: Iterable[Captured | None]) -> Captured | None:
    """The most complete capture."""
    real = [c for c in found if c is not None]
    return min(real, key=lambda c: (c.awaiting is not None, c.by_reference)) if real else None


def _read_from(source: Value) -> set[int]:
    """Ids of the values that say where a source was read from: its arguments, down to names."""
    found: set[int] = set()
    stack = list(source.ops)
    while stack and len(found) < 40:
        value = stack.pop()
        if value.kind is not Kind.CONST and value.id not in found:
            found.add(value.id)
            stack.extend(value.ops)
    return found


def _leaves(value: Value, depth: int = 0) -> list[Value]:
    if value.kind is not Kind.DERIVED or value.name == "len" or depth > 6:
        return [value]
    return [leaf for op in value.ops for leaf in _leaves(op, depth + 1)]


def _is_literal(value: Value) -> bool:
    if value.kind is Kind.CONST:
        return True
    return value.kind is Kind.BUILD and all(_is_literal(op) for op in value.ops)


def holds_copy(value: Value, original: Value) -> bool:
    """Does ``value`` hold a copy of ``original`` that in-place changes of it cannot reach?"""
    stack = [(value, False)]
    seen: set[tuple[int, bool]] = set()
    while stack and len(seen) < 200:
        part, copied = stack.pop()
        if (part.id, copied) in seen:
            continue
        seen.add((part.id, copied))
        if part is original and copied:
            return True
        if part.kind is Kind.RENDERING:
            stack.append((part.ops[0], copied or part.name != "none"))
        elif part.kind is Kind.BUILD and isinstance(part.data, tuple):
            stack.extend((op, True) for op in part.ops)
        elif part.kind in (Kind.BUILD, Kind.CONCAT):
            stack.extend((op, copied or (part.kind is Kind.CONCAT and part.name != "append")) for op in part.ops)
        elif part.kind is Kind.MAPPED:
            stack.append((part.ops[0], True))
    return False


def shares(value: Value, original: Value, inside: bool) -> bool:
    """Does ``value`` hold ``original`` itself, not a copy? With ``inside`` its elements suffice (shallow copies share)."""
    stack, seen = [value], 0
    while stack and seen < 200:
        part = stack.pop()
        seen += 1
        if part is original:
            return True
        if part.kind is Kind.RENDERING and (part.name == "none" or (inside and part.name == "shallow")):
            stack.append(part.ops[0])
        elif part.kind in (Kind.BUILD, Kind.CONCAT):
            stack.extend(part.ops)
    return False


def base_of(part: Value) -> Value:
    """The original that a (repeatedly) reduced and rendered value was made from."""
    while part.kind in (Kind.REDUCED, Kind.RENDERING) and part.ops:
        part = part.ops[0]
    return part


def reduced_inside(value: Value) -> list[Value]:
    """Every reduced text inside a value, innermost cut of each chain last; summaries are new text and not entered."""
    found: list[Value] = []
    stack, seen = [value], set[int]()
    while stack and len(seen) < 300:
        part = stack.pop()
        if part.id in seen:
            continue
        seen.add(part.id)
        if part.kind is Kind.REDUCED:
            found.append(part)
            inner = part.ops[0]
            while inner.kind is Kind.RENDERING:
                inner = inner.ops[0]
            if inner.kind is Kind.REDUCED and inner.name == "limit":
                stack.append(inner)  # each limit that a loop tests is a cut of its own
        if part.kind is Kind.MAPPED:
            stack.extend((part.ops[0], part.ops[1]))
        elif part.kind in (Kind.RENDERING, Kind.BUILD, Kind.CONCAT, Kind.CHOICE) or is_constructor(part):
            stack.extend(part.ops)
    return found


def summaries_in(value: Value) -> list[Value]:
    """Every summary that a value was made with, through calls, attributes and containers."""
    found: list[Value] = []
    stack, seen = [value], set[int]()
    while stack and len(seen) < 400:
        part = stack.pop()
        if part.id in seen:
            continue
        seen.add(part.id)
        if part.kind is Kind.SUMMARY:
            found.append(part)
        else:
            stack.extend(part.ops)
    return found


def summary_inputs(value: Value) -> list[Value]:
    """The reduced values that the summaries in ``value`` were made from."""
    found: dict[int, Value] = {}
    stack, seen = [op for made in summaries_in(value) for op in made.ops], set[int]()
    while stack and len(seen) < 600:
        part = stack.pop()
        if part.id in seen:
            continue
        seen.add(part.id)
        if part.kind is Kind.REDUCED:
            found[part.id] = part
        stack.extend(part.ops)
    return list(found.values())


def _completed(part: Value, others: Iterable[Value]) -> bool:
    """Is the rest of a slice kept, or summarised as well (``summary(x[:k]) + x[k:]``)? A bound that is computed marks
    the same cut in a list that runs parallel (sizes and messages)."""
    if part.name != "slice":
        return False
    _, lower, upper, _ = part.ops
    for other in others:
        if other is part or other.name != "slice":
            continue
        same = strip(other.ops[0]) is strip(part.ops[0])
        for mine, theirs in ((upper, other.ops[1]), (lower, other.ops[2])):
            if mine is theirs and (mine.kind is not Kind.CONST or (same and mine.data is not None)):
                return True
    return False


def returns_cut(value: Value) -> bool:
    """Does a function that returns this value hand back a cut form of one of its parameters?"""
    return any(
        root(base_of(part)).kind is Kind.PARAM and is_cut(part, lines=_is_lines(part)) and part.name != "filter"
        for part in reduced_inside(value)
    )


def _is_lines(part: Value) -> bool:
    """Is this a slice of the lines or pages of a text (a list), not of its characters?"""
    inner = part.ops[0]
    return inner.kind is Kind.RENDERING and inner.data == "lines"


def is_cut(part: Value, lines: bool) -> bool:
    """Does a slice look like a cut to a limit, not like parsing? Lists of messages or lines may be cut anywhere."""
    if part.name == "filter":
        return any(_sorts_out(cond) for cond in part.ops[1:])
    if part.name != "slice":
        return part.name != "removed"
    _, lower, upper, _ = part.ops
    if any(_from_parsing(b) for b in (lower, upper)):
        return False
    open_lower = lower.kind is Kind.CONST and lower.data in (None, 0)
    open_upper = upper.kind is Kind.CONST and upper.data is None
    if lines:
        return _cuts_list(lower, upper, open_lower, open_upper)
    if open_lower and not open_upper:
        from_the_end = upper.kind is Kind.DERIVED and upper.name == "Minus"
        return _limit_like(upper) and not from_the_end and not (isinstance(upper.data, int) and upper.data < 0)
    if open_upper and not open_lower:
        negative = lower.kind is Kind.CONST and isinstance(lower.data, int) and lower.data <= -20
        return negative or (lower.kind is Kind.DERIVED and lower.name == "Minus" and _limit_like(lower.ops[0]))
    if not open_lower and not open_upper:
        return lower.kind is Kind.PARAM and upper.kind in (Kind.DERIVED, Kind.CONCAT) and mentions(upper, lower)
    return False


def _cuts_list(lower: Value, upper: Value, open_lower: bool, open_upper: bool) -> bool:
    """Slices of a list of messages or lines: taking back the last entries, skipping a header and paging are no cuts."""
    if open_lower:
        return not (upper.kind is Kind.CONST and upper.data in (-1, -2))
    if open_upper:
        return not (lower.kind is Kind.CONST and lower.data == 1)
    return not (lower.kind is Kind.PARAM and root(upper).kind in (Kind.PARAM, Kind.DERIVED, Kind.CONCAT))


_SORTS = frozenset(
    {"role", "type", "kind", "name", "tool_calls", "tool_call_id", "source", "author", "timestamp", "age"}
)


_BUILTIN_TYPES = frozenset({"dict", "list", "str", "tuple", "set", "bytes", "int", "float", "bool", ""})


def _sorts_out(cond: Value) -> bool:
    """Does a filter drop whole classes of entries (by role, type, position)? Dropping empty ones or one of them is an
    edit."""
    stack, seen = [cond], 0
    found = False
    while stack and seen < 60:
        value = stack.pop()
        seen += 1
        key = value.name if value.kind is Kind.ATTR else value.ops[1].data if value.kind is Kind.ITEM else ""
        if isinstance(key, str) and (key in ("id", "uuid", "key") or key.endswith("_id")):
            return False
        if value.kind is Kind.ATTR and value.name in _SORTS:
            found = True
        if value.kind is Kind.ITEM and value.ops[1].data in _SORTS:
            found = True
        if value.kind is Kind.DERIVED and (value.name in (">", "<", ">=", "<=") or _sorts_by_class(value)):
            found = True
        stack.extend(value.ops if value.kind in (Kind.DERIVED, Kind.CALL, Kind.CHOICE) else ())
    return found


def _sorts_by_class(test: Value) -> bool:
    """``isinstance(m, ToolMessage)``; a test for a builtin type only guards what follows it."""
    if test.name != "isinstance" or len(test.ops) != 2:
        return False
    asked = test.ops[1]
    names = [op.qual.rpartition(".")[2] for op in (asked.ops or (asked,))]
    return not all(name in _BUILTIN_TYPES for name in names)


def _from_parsing(bound: Value) -> bool:
    stack, seen = [bound], 0
    while stack and seen < 40:
        value = stack.pop()
        seen += 1
        if value.kind is Kind.CALL and value.name in _PARSING:
            return True
        if value.kind is Kind.DERIVED and value.name == "len":
            return value.ops[0].kind is Kind.CONST or not value.ops
        stack.extend(value.ops if value.kind in (Kind.DERIVED, Kind.CONCAT, Kind.CHOICE, Kind.CALL) else ())
    return False


def _limit_like(bound: Value) -> bool:
    """A literal of at least 20, or something named or computed like a limit."""
    if bound.kind is Kind.CONST:
        return isinstance(bound.data, (int, float)) and not isinstance(bound.data, bool) and abs(bound.data) >= 20
    if bound.kind in (Kind.PARAM, Kind.ATTR, Kind.GLOBAL):
        return bool(_LIMIT_NAME.search(bound.name or bound.qual.rpartition(".")[2]))
    if bound.kind in (Kind.DERIVED, Kind.CONCAT, Kind.CHOICE):
        return any(_limit_like(op) for op in bound.ops)
    return any(_LIMIT_NAME.search(hint) for hint in bound.hints)
