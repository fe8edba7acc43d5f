"""What every part of the interpreter shares: the unit, the arena, names and types."""

from __future__ import annotations

from reduction_lint.flow import ir
from reduction_lint.flow.cap_table import CapTable
from reduction_lint.flow.events import CappedCall, Event
from reduction_lint.flow.impurity import Entered, Impurity
from reduction_lint.flow.kinds import Classifier
from reduction_lint.flow.state import Field
from reduction_lint.flow.unit import Exit, Obligation, Program, Sunk, Unit
from reduction_lint.flow.values import Arena, Kind, Value
from reduction_lint.knowledge.models import Models


class Base:
    """Holds the inputs and the results of interpreting one unit."""

    def __init__(
        self,
        unit: Unit,
        program: Program,
        models: Models,
        arena: Arena,
        classifier: Classifier,
        events: EventTable,
    ) -> None:
        self.unit = unit
        self.program = program
        self.models = models
        self.arena = arena
        self.classifier = classifier
        self.events = events
        self.fields: dict[Field, Value] = {}
        self.exits: list[Exit] = []
        self.obligations: dict[tuple[object, ...], Obligation] = {}
        self.capped: dict[int, CappedCall] = {}
        self.loaded: set[Field] = set()
        """Fields that this function has filled with something else."""
        self.arrivals: dict[str, list[bool]] = {}
        """For each list attribute of the receiver: whether what was added was captured on the same path."""
        self.cleared: dict[Field, Event] = {}
        """Fields that this function has emptied, with the event: a later load of something else excuses it."""
        self.impure: dict[tuple[int, int], tuple[Impurity, Value]] = {}
        """What was put into a parameter, or a part of one, that does not belong into a transcript."""
        self.entries: list[Entered] = []
        """Parameters that this function puts into lists of messages."""
        self.sunk: dict[int, Sunk] = {}
        """Parameters that reach a model or a store here, by value id."""
        self.limit_hit = False
        self.steps = 0
        """Instructions interpreted, once for each path that reaches them."""

    # -- names and types --------------------------------------------------------------------------------------------

    def param_value(self, param: ir.Param) -> Value:
        """The symbolic value of a parameter."""
        value = self.arena.get(Kind.PARAM, name=param.name, key=(self.unit.key,))
        if not value.qual:
            if param.name == self.unit.self_name:
                value.qual = self.unit.class_name
            elif param.annotation:
                value.qual = self.program.resolve_type(self.unit, param.annotation)
        return value

    def outer_name(self, name: str) -> Value:
        """A name that is not bound in this function: enclosing function, module, import or builtin."""
        parent = self.unit.parent
        while parent is not None:
            for param in parent.function.params:
                if param.name == name:
                    value = self.arena.get(Kind.PARAM, name=name, key=(parent.key,))
                    if name == parent.self_name:
                        value.qual = parent.class_name
                    return value
            parent = parent.parent
        dotted = self.program.resolve_name(self.unit, name)
        literal = self.program.constant(dotted) if dotted else ()
        if literal and not isinstance(literal[0], (bool, type(None))):  # a switch may be set by somebody else
            return self.arena.const(literal[0])
        return self.arena.get(Kind.GLOBAL, name=name, qual=dotted or name)

    def global_attr(self, obj: Value, name: str) -> Value:
        """An attribute of a module, class or imported thing."""
        dotted = f"{obj.qual}.{name}"
        literal = self.program.constant(dotted)
        if literal:
            return self.arena.const(literal[0])
        if self.program.variable_type(obj.qual):
            return self.arena.get(Kind.ATTR, (obj,), name=name)
        return self.arena.get(Kind.GLOBAL, name=name, qual=dotted)

    def qual_of(self, value: Value, depth: int = 0) -> str:
        """Dotted class of a value, or the dotted path by which it was reached; "" when unknown."""
        if value.kind is Kind.GLOBAL:
            return self.program.variable_type(value.qual) or value.qual
        if value.qual:
            return value.qual
        if depth > 8 or not value.ops:
            return ""
        if value.kind is Kind.ATTR:
            base = self.qual_of(value.ops[0], depth + 1)
            if not base:
                return ""
            known = self.program.attribute_type(base, value.name)
            if known:
                value.qual = known
                return known
            hit = self.models.types.find((f"{base}.{value.name}",), value.name, ())
            return hit.entry.returns if hit is not None and hit.exact else f"{base}.{value.name}"
        if value.kind is Kind.CHOICE:
            return next((q for q in (self.qual_of(o, depth + 1) for o in value.ops) if q), "")
        return ""

    # -- ownership --------------------------------------------------------------------------------------------------

    def owned(self, value: Value, depth: int = 0) -> bool:
        """Does the object live outside this call, so that changing it is seen by others?"""
        kind = value.kind
        if kind in (Kind.PARAM, Kind.GLOBAL):
            return True
        if depth > 12 or not value.ops:
            return False
        if kind in (Kind.ATTR, Kind.ITEM, Kind.ELEMENT):
            return self._owned_inside(value.ops[0], depth + 1)
        if kind is Kind.CONCAT:
            return value.name in ("append", "extend") and self.owned(value.ops[0], depth + 1)
        if kind is Kind.CHOICE:
            return any(self.owned(op, depth + 1) for op in value.ops)
        if kind is Kind.RENDERING:
            return value.name == "none" and self.owned(value.ops[0], depth + 1)
        if kind is Kind.REDUCED:
            return value.name == "removed" and self.owned(value.ops[0], depth + 1)
        return False

    def _owned_inside(self, container: Value, depth: int) -> bool:
        """Are the members of ``container`` owned outside? A shallow copy or a slice shares its members."""
        while container.kind in (Kind.RENDERING, Kind.REDUCED) and container.name != "deep" and container.ops:
            container = container.ops[0]
        if container.kind is Kind.MAPPED and depth < 12:
            return self.owned(container.ops[1], depth + 1)
        if container.kind is Kind.CHOICE and depth < 12:
            return any(self._owned_inside(op, depth + 1) for op in container.ops)
        if container.kind is Kind.CONCAT:
            return any(self._owned_inside(op, depth + 1) for op in container.ops) if depth < 12 else False
        return self.owned(container, depth)

    def is_list(self, value: Value) -> bool:
        """Is ``+=`` on this value an in-place list extension?"""
        if value.kind is Kind.BUILD:
            return value.name == "list"
        if value.kind is Kind.CONCAT:
            return self.is_list(value.ops[0])
        if value.kind in (Kind.ATTR, Kind.PARAM, Kind.ITEM):
            kind = self.classifier.kind_of(value)
            return kind is not None and kind.shape == "list"
        return False

    # -- values -----------------------------------------------------------------------------------------------------

    def reduced(self, obj: Value, how: str, bounds: tuple[Value, ...], site: int) -> Value:
        """A part of ``obj`` made at ``site``."""
        value = self.arena.get(Kind.REDUCED, (obj, *bounds), name=how, key=(self.unit.key, site))
        if value.site < 0:
            value.site, value.unit = site, self.unit
        return value

    def summary_value(self, args: tuple[Value, ...], site: int, qual: str) -> Value:
        """New text made from ``args`` by a model or a summariser."""
        value = self.arena.get(Kind.SUMMARY, args, qual=qual, key=(self.unit.key, site))
        if value.site < 0:
            value.site, value.unit = site, self.unit
        return value


class EventTable:
    """All reduction events of a run, one per place and value label; shared by all interpreters."""

    def __init__(self) -> None:
        self._events: dict[tuple[object, ...], Event] = {}
        self.settled: set[int] = set()
        """Ids of obligations that some caller has answered."""
        self.caps = CapTable()
        self.impurities: dict[tuple[object, ...], Impurity] = {}
        """By what it is, the unit and the site."""

    def get(self, key: tuple[object, ...], make: Event) -> Event:
        """The event with this key, ``make`` when it is new."""
        return self._events.setdefault(key, make)

    def all(self) -> list[Event]:
        """Every event."""
        return list(self._events.values())
