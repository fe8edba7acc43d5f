"""What gets into a transcript that does not belong there, and what is taken out of a text that does (RL501-RL504).

An entry counts where the list (or the message) outlives the request: an attribute, a module-level list, or a parameter whose
callers pass such a thing. A copy made for the request may hold anything, unless it is stored later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reduction_lint.flow import ir
from reduction_lint.flow.events import Step
from reduction_lint.flow.impurity import Entered, Impurity
from reduction_lint.flow.keeping import chain, kept_root, made_here
from reduction_lint.flow.messages import Said, dict_keys, of_arguments, texts_of
from reduction_lint.flow.probing import Probing
from reduction_lint.flow.state import Captured, Place, State
from reduction_lint.flow.unit import Summary
from reduction_lint.flow.values import Kind, Value, is_constructor, mentions, path_text

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args, Substitution

_MOST = 12


class Transcripts(Probing):
    """Follows entries into lists of messages and marks onto messages."""

    # -- lists of messages ------------------------------------------------------------------------------------------

    def entered(self, s: State, recv: Value, item: Value, site: int) -> None:
        """``item`` was added to a list, or to a content list inside a message."""
        self._wire_entered(s, recv, item, site)
        if self._may_be_transcript(recv):
            self._impure_texts(recv, texts_of(item, s), site)
            self._taken_from(item, site, "is appended to the conversation")
        self._note_entered(recv, item)

    def _impure_texts(self, recv: Value | None, texts: Iterator[Said], site: int) -> None:
        for said in texts:
            why = self.probe_in(said) if not self._is_probes_own(recv) else ""
            if why:
                self._impure("probe", recv, site, why, exact="declared" in why)
            why = self.request_only(said)
            if why:
                self._impure("request-only", recv, site, why)

    def _is_probes_own(self, recv: Value | None) -> bool:
        """Is this a list of the probe itself: by its name, or because its class is a judge?"""
        names = self.purity.probe_names
        if names.match(self.unit.class_name.rpartition(".")[2]):
            return True
        return recv is not None and any(names.match(name) for name in _names_on(recv))

    def _may_be_transcript(self, recv: Value) -> bool:
        """Is this a list of messages that outlives the request, or may a caller's argument be one?"""
        if any(self.purity.wire_requests.match(name) for name in _names_on(recv)):
            return False
        return kept_root(recv) is not None and self._is_conversation(recv)

    def _is_conversation(self, value: Value) -> bool:
        for link in chain(value):
            kind = self.classifier.kind_of(link)
            if kind is not None and kind.kind == "conversation":
                return True
        return False

    def recorded(self, i: ir.Call, s: State, args: Args, name: str, receivers: tuple[str, ...]) -> None:
        """A call that records a message in a sidecar, or adds one to a transcript object."""
        names = self.purity.probe_names
        if any(names.match(r) for r in receivers) or names.match(name):
            return
        texts = list(of_arguments(args.keywords, args.positional, s))
        talks = self.purity.enters(name, receivers) or any(said.role for said in texts)
        if talks:
            self._impure_texts(None, iter(texts), i.site)
            for item in args.all:
                self._note_entered(None, item)

    def rebuilt(self, s: State, obj: Value, old: Value, value: Value, site: int) -> None:
        """``self.messages = self.messages + [item]``, ``self.messages = wire``: what is new in the list?"""
        if kept_root(obj) is None:
            return
        if any(part.id in s.wired for part in (value, *chain(value))) and self._is_conversation(old):
            self._impure("wire", old, site, "the annotated copy is stored")
        self._restored(old, value)
        if value.kind in (Kind.CONCAT, Kind.BUILD) and value.name in ("add", "extend", "list"):
            for item in _added(value, old):
                if self._is_conversation(old) and not any(
                    self.purity.wire_requests.match(name) for name in _names_on(old)
                ):
                    self._wire_entered(s, old, item, site)
                    self._impure_texts(old, texts_of(item, s), site)

    # -- wire annotations -------------------------------------------------------------------------------------------

    def written(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        """``obj.name = value`` or ``obj["name"] = value``: an annotation, or a part that holds one?"""
        if name in self.purity.wire_keys:
            if not (value.kind is Kind.CONST and value.data is None):
                self._wire(s, obj, site, f"`{name}` is written onto it")
        elif value.kind in (Kind.BUILD, Kind.CONCAT, Kind.CALL):
            self._wire_entered(s, obj, value, site)
        if kept_root(obj) is not None and not self.models.names.ui.match(name):
            self._taken_from(value, site, "is stored")

    def annotated(self, i: ir.Call, s: State, args: Args, name: str) -> None:
        """``message.setdefault("cache_control", …)``, ``message.update(cache_control=…)``."""
        keys = self.purity.wire_keys
        if args.recv is None or name not in ("setdefault", "update", "__setitem__"):
            return
        first = args.positional[0] if args.positional else None
        direct = name != "update" and first is not None and first.data in keys
        inside = first is not None and self._mark_in(s, first) != ""
        if direct or inside or keys.intersection(args.keywords):
            self._wire(s, args.recv, i.site, "an annotation is written onto it")

    def _wire_entered(self, s: State, recv: Value, item: Value, site: int) -> None:
        mark = self._mark_in(s, item)
        if mark:
            self._wire(s, recv, site, f"what is put into it carries `{mark}`")

    def _mark_in(self, s: State, value: Value) -> str:
        """The annotation that a part made here carries, "" when it carries none."""
        keys, calls = self.purity.wire_keys, self.purity.wire_calls
        stack, seen = [value], set[int]()
        while stack and len(seen) < 60:
            part = stack.pop()
            if part.id in seen:
                continue
            seen.add(part.id)
            if part.kind is Kind.CALL:
                if part.qual in calls:
                    return part.name or part.qual.rpartition(".")[2]
                if is_constructor(part) and isinstance(part.data, tuple):
                    named = keys.intersection(key for key in part.data if isinstance(key, str))
                    if named:
                        return min(named)
                    stack.extend(part.ops)
                continue
            if part.kind not in (Kind.BUILD, Kind.CONCAT, Kind.RENDERING, Kind.CHOICE):
                continue
            if part.kind is Kind.BUILD and part.name == "dict" and part.unit is self.unit:
                held = keys.intersection(key for key in dict_keys(part) if isinstance(key, str))
                held |= keys.intersection(k for (o, _, k) in s.heap if o == part.id and isinstance(k, str))
                if held:
                    return min(held)
            stack.extend(part.ops)
        return ""

    def _wire(self, s: State, obj: Value, site: int, detail: str) -> None:
        if kept_root(obj) is None:
            s.wired = s.wired | {made_here(obj).id}
            return
        self._impure("wire", obj, site, detail)

    # -- the escalation marker --------------------------------------------------------------------------------------

    def marker_removed(self, recv: Value, method: str, args: Args, site: int) -> Value | None:
        """``text.replace(MARKER, "")`` and its like: the text without the marker; None when this is something else."""
        if not args.positional or method not in _REMOVERS:
            return None
        if not self._is_marker(args.positional[0]):
            return None
        if method == "replace":
            other = args.positional[1] if len(args.positional) > 1 else None
            if other is not None and (other.kind is not Kind.CONST or self.purity.holds_marker(other.data)):
                return None
        return self._unmarked(recv, site)

    def marker_substituted(self, quals: tuple[str, ...], args: Args, site: int) -> Value | None:
        """``re.sub(PATTERN, "", text)``."""
        if not quals or quals[0] not in ("re.sub", "re.subn", "regex.sub") or len(args.positional) < 3:
            return None
        pattern, _, text = args.positional[:3]
        return self._unmarked(text, site) if self._is_marker(pattern) else None

    def pattern_substituted(self, recv: Value, method: str, args: Args, site: int) -> Value | None:
        """``ESCALATE_RE.sub("", text)``."""
        if method not in ("sub", "subn") or len(args.positional) < 2 or not self._is_marker(recv):
            return None
        return self._unmarked(args.positional[1], site)

    def _unmarked(self, text: Value, site: int) -> Value:
        key = (self.unit.key, site)
        value = self.arena.get(Kind.RENDERING, (text,), name="deep", data="unmarked", key=key)
        if value.site < 0:
            value.site, value.unit = site, self.unit
        return value

    def _is_marker(self, value: Value) -> bool:
        purity = self.purity
        if value.kind is Kind.CONST:
            return purity.holds_marker(value.data)
        if value.kind in (Kind.GLOBAL, Kind.ATTR, Kind.PARAM):
            return purity.marker_names.match(value.name or value.qual.rpartition(".")[2])
        if value.kind in (Kind.CALL, Kind.BUILD, Kind.CONCAT, Kind.RENDERING):
            return any(self._is_marker(op) for op in value.ops)
        return False

    def _taken_from(self, value: Value, site: int, how: str) -> None:
        """A text without its marker is stored or exported."""
        stack, seen = [value], set[int]()
        while stack and len(seen) < 80:
            part = stack.pop()
            if part.id in seen:
                continue
            seen.add(part.id)
            if part.kind is Kind.RENDERING and part.data == "unmarked" and part.unit is not None:
                impurity = self._impurity("marker", Place(part.unit, part.site), path_text(part.ops[0]), "")
                impurity.kept = True
                step = Step(Place(self.unit, site), f"the text without the marker {how}")
                if len(impurity.steps) < 3 and step not in impurity.steps:
                    impurity.steps.append(step)
            if part.kind in _HOLDING:
                stack.extend(part.ops)

    def mark(self, state: State, value: Value, capture: Captured) -> None:
        """See :class:`Losses`; a record of a text without its marker is no record of the text."""
        super().mark(state, value, capture)
        self._taken_from(value, capture.place.site, "is recorded")

    # -- taken out again --------------------------------------------------------------------------------------------

    def taken_out(self, recv: Value) -> None:
        """The last entries of a list are removed again: a probe that does not stay."""
        for place in _entries(recv):
            for what in ("probe", "request-only", "wire"):
                impurity = self.events.impurities.get((what, place.function, place.site))
                if impurity is not None:
                    impurity.withdrawn = True

    def removed(
        self, state: State, obj: Value, lost: tuple[Value, ...], site: int, popped: Value | None, key: Value | None
    ) -> None:
        """See :class:`Losses`."""
        self.taken_out(obj)
        super().removed(state, obj, lost, site, popped, key)

    def _restored(self, old: Value, value: Value) -> None:
        """``self.messages = saved``, ``self.messages = self.messages[:-1]``."""
        cut_short = (
            value.kind is Kind.REDUCED
            and value.name == "slice"
            and value.ops[1].data is None
            and value.ops[2].data is not None
            and mentions(value.ops[0], old)
        )
        if cut_short or (old is not value and old.kind is Kind.CONCAT and value in chain(old)):
            self.taken_out(old)

    # -- to and from callers ----------------------------------------------------------------------------------------

    def _impure(self, what: str, obj: Value | None, site: int, detail: str, exact: bool = False) -> None:
        """``obj`` (a list, a message, a part of one; None for a sidecar) gets something that does not belong there."""
        if what == "wire" and obj is not None and any(self.purity.wire_requests.match(n) for n in _names_on(obj)):
            return
        label = path_text(obj) if obj is not None else ""
        impurity = self._impurity(what, Place(self.unit, site), label, detail)
        impurity.exact = impurity.exact or exact
        root = kept_root(obj) if obj is not None else None
        if obj is not None and root is not None and self._is_given(obj, root):
            impurity.open = impurity.open or self._is_conversation(obj)
            if len(self.impure) < _MOST:
                self.impure[(id(impurity), obj.id)] = (impurity, obj)
        elif obj is None or self._is_conversation(obj):
            impurity.kept = True

    def _is_given(self, obj: Value, root: Value) -> bool:
        """Is the object a plain argument, or a part of one (an attribute belongs to an object that lives on)?"""
        return (
            root.kind is Kind.PARAM
            and root.name != self.unit.self_name
            and not any(link.kind is Kind.ATTR for link in chain(obj))
        )

    def _impurity(self, what: str, place: Place, label: str, detail: str) -> Impurity:
        key = (what, place.function, place.site)
        return self.events.impurities.setdefault(key, Impurity(place, what, label, detail, False))

    def _note_entered(self, recv: Value | None, item: Value) -> None:
        """For callers: a parameter goes into a list that outlives the call."""
        if len(self.entries) < _MOST and (recv is None or kept_root(recv) is not None) and self._from_params(item):
            entry = Entered(recv, item)
            if entry not in self.entries:
                self.entries.append(entry)

    def _from_params(self, item: Value) -> bool:
        stack, seen = [item], 0
        while stack and seen < 30:
            part = stack.pop()
            seen += 1
            if part.kind is Kind.PARAM and part.name != self.unit.self_name:
                return True
            if part.kind in (Kind.BUILD, Kind.CONCAT, Kind.CALL, Kind.RENDERING):
                stack.extend(part.ops)
        return False

    def entered_by(self, i: ir.Call, s: State, summary: Summary, subst: Substitution) -> None:
        """What a function of the project puts into lists, seen from its caller."""
        for impurity, obj in summary.impure:
            self._handed_in(impurity, subst.of(obj), i.site)
        for entry in summary.entered:
            item = subst.of(entry.item)
            if entry.recv is None:
                self._impure_texts(None, texts_of(item, s), i.site)
                self._taken_from(item, i.site, "is recorded")
                self._note_entered(None, item)
            else:
                self.entered(s, subst.of(entry.recv), item, i.site)

    def _handed_in(self, impurity: Impurity, obj: Value, site: int) -> None:
        impurity.answered = True
        root = kept_root(obj)
        if root is None or any(self.purity.wire_requests.match(name) for name in _names_on(obj)):
            return
        if self._is_given(obj, root):
            impurity.open = impurity.open or self._is_conversation(obj)
            impurity.answered = False
            if len(self.impure) < _MOST:
                self.impure[(id(impurity), obj.id)] = (impurity, obj)
        elif self._is_conversation(obj):
            impurity.kept = True
            if len(impurity.steps) < 3:
                impurity.steps.append(Step(Place(self.unit, site), f"`{path_text(obj)}` is handed in here"))


_REMOVERS = frozenset(
    {
        "replace",
        "removesuffix",
        "removeprefix",
        "strip",
        "rstrip",
        "lstrip",
        "split",
        "rsplit",
        "partition",
        "rpartition",
    }
)
_HOLDING = frozenset(
    {
        Kind.RENDERING,
        Kind.BUILD,
        Kind.CONCAT,
        Kind.CHOICE,
        Kind.ITEM,
        Kind.ELEMENT,
        Kind.REDUCED,
        Kind.MAPPED,
        Kind.CALL,
    }
)


def _names_on(value: Value) -> list[str]:
    """The names that an object is reached by: parameters, attributes, literal keys."""
    found: list[str] = []
    for link in chain(value):
        if link.kind in (Kind.PARAM, Kind.ATTR):
            found.append(link.name)
        elif link.kind is Kind.GLOBAL:
            found.append(link.qual.rpartition(".")[2])
        elif link.kind is Kind.ITEM and isinstance(link.ops[1].data, str):
            found.append(link.ops[1].data)
    return found


def _entries(recv: Value) -> Iterator[Place]:
    """Where the entries of a list that grew here were added, newest first."""
    depth = 0
    while recv.kind in (Kind.CONCAT, Kind.REDUCED, Kind.CHOICE) and recv.ops and depth < 12:
        if recv.kind is Kind.CONCAT and recv.unit is not None:
            yield Place(recv.unit, recv.site)
        recv = recv.ops[0]
        depth += 1


def _added(value: Value, old: Value) -> list[Value]:
    """The entries of a new list that the old one does not have."""
    if value.kind is Kind.CONCAT:
        return [op for op in value.ops if not mentions(op, old)]
    spread = value.data if isinstance(value.data, tuple) else ()
    return [op for n, op in enumerate(value.ops) if not (n < len(spread) and spread[n]) and not mentions(op, old)]
