"""What a cap amounts to and where it is written: arguments, settings objects, dicts, attributes (RL401)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reduction_lint.flow.cap_table import Holder, link, paths
from reduction_lint.flow.cut_branch import CutBranches
from reduction_lint.flow.events import CappedCall
from reduction_lint.flow.state import Place, State
from reduction_lint.flow.values import Kind, Value, path_text
from reduction_lint.knowledge.models import ModelCall

if TYPE_CHECKING:
    from reduction_lint.flow.calls import Args


class CapValues(CutBranches):
    """Finds the values of caps and the objects that carry them."""

    # -- objects ----------------------------------------------------------------------------------------------------

    def runs_on(self, value: Value, call: CappedCall) -> None:
        """``call`` runs under the caps that ``value`` carries, here or in the callers."""
        for carrier in self.caps.carried_by(value):
            link(carrier, call)
        holders, params = self.cap_sources(value)
        for holder in holders:
            self.caps.wait(holder, call)
        for param in params:
            self.caps.pass_on(self.unit.key, "receiver", param, call)

    def cap_sources(self, value: Value) -> tuple[list[Holder], list[Value]]:
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

    # -- arguments --------------------------------------------------------------------------------------------------

    def own_cap(self, s: State, args: Args, entry: ModelCall, call: CappedCall) -> None:
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
                inner = self.cap_inside(s, inner, name) if inner is not None else None
            if inner is not None and not (inner.kind is Kind.CONST and inner.data is None):
                self._superseded(args, names[-1])
                self.add_cap(call, path, inner)
                return
        for extra in args.extra:
            for param in self.cap_sources(extra)[1] if not call.caps else ():
                self.caps.pass_on(self.unit.key, "spread", param, call)

    def _settings_object(self, value: Value, call: CappedCall) -> bool:
        """``config=GenerateContentConfig(...)``: the object carries the cap, wherever it was made."""
        carriers = self.caps.carried_by(value)
        if not carriers and value.kind in (Kind.ATTR, Kind.GLOBAL):
            self.runs_on(value, call)
        for carrier in carriers:
            link(carrier, call)
        return bool(carriers)

    def add_cap(self, call: CappedCall, name: str, value: Value) -> None:
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

    def cap_inside(self, s: State, value: Value, name: str) -> Value | None:
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

    # -- assignments ------------------------------------------------------------------------------------------------

    def cap_assigned(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        """``settings.max_tokens = 256``, ``params["max_tokens"] = limit``, or an object with a cap that is kept."""
        self.label_set(s, name, value)
        if name in self.models.cap_words:
            self._set_cap(s, obj, name, value, site)
        elif value.kind in (Kind.CALL, Kind.CONCAT, Kind.CHOICE):
            carriers: list[CappedCall | Holder] = [*self.caps.carried_by(value)]
            owner = self.qual_of(obj)
            if value.kind is Kind.CONCAT:
                carriers += self.cap_sources(value)[0]
            if owner and carriers:
                self.caps.hold((owner, name), carriers)

    def _set_cap(self, s: State, obj: Value, name: str, value: Value, site: int) -> None:
        owner = self.qual_of(obj)
        number = value.data if value.kind is Kind.CONST else None
        if owner and isinstance(number, int) and not isinstance(number, bool):
            self.caps.numbers[(owner, name)] = min(number, self.caps.numbers.get((owner, name), number))
        self._put_back(s, obj, name, value)
        call = CappedCall(Place(self.unit, site), None, self.unit, self.caps.new_number(), cap_name=name)
        call.results.append(obj)
        known = self.caps.assigned.setdefault((self.unit.key, site), call)
        self.add_cap(known, name, value)
        self.caps.items[(self.place_of(obj), name)] = known
        shown = (path_text(obj).rpartition(".")[2], owner.rpartition(".")[2], *sorted(obj.hints))
        if number is None or self.unit.function.name == "__init__" or not self.like_a_model(shown, name):
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

    def like_a_model(self, names: tuple[str, ...], cap: str) -> bool:
        """Is this a model, a client or its settings, by the name of the object or of its class?"""
        hit = self.models.calls.find((), "__setattr__", tuple(name for name in names if name))
        return hit is not None and not hit.exact and cap in hit.entry.caps

    def _spread_item(self, args: Args, name: str) -> Value | None:
        """The cap in a dict that is spread into the call, also when merged paths have lost it."""
        known = [self.item_cap(extra, name) for extra in args.extra]
        return next((call.caps[-1] for call in known if call is not None and call.caps), None)

    def item_cap(self, value: Value, name: str) -> CappedCall | None:
        """The display or assignment that put a cap into a dict or object."""
        while value.kind is Kind.RENDERING:
            value = value.ops[0]
        options = value.ops if value.kind is Kind.CHOICE else (value,)
        keys = [(self.place_of(option), name) for option in options]
        return next((self.caps.items[key] for key in keys if key in self.caps.items), None)

    @staticmethod
    def place_of(value: Value) -> tuple[str, int]:
        """What tells an object apart on all paths: where it was made, else its number."""
        return (value.unit.key, value.site) if value.unit is not None and value.site >= 0 else ("", value.id)

    def _superseded(self, args: Args, name: str) -> None:
        """The call itself reports a cap that it got from a dict."""
        for given in args.all:
            self.reported_elsewhere(given, name)

    def reported_elsewhere(self, given: Value, name: str) -> None:
        """A call reports the cap in this dict."""
        assigned = self.item_cap(given, name)
        if assigned is not None:
            assigned.restored = True

    def caps_at_exit(self, s: State) -> None:
        """Module-level variables that hold an object with a cap."""
        if self.unit.function.name != "<module>":
            return
        for name, value in s.env.items():
            carriers: list[CappedCall | Holder] = [*self.caps.carried_by(value)]
            if value.kind is Kind.CONCAT:
                carriers += self.cap_sources(value)[0]
            if carriers:
                self.caps.hold(("", f"{self.unit.module}.{name}"), carriers)
