"""What the interpreter asks of the program around one function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reduction_lint.flow import ir
from reduction_lint.flow.events import Event, Step
from reduction_lint.flow.impurity import Entered, Impurity
from reduction_lint.flow.state import Captured, Field
from reduction_lint.flow.values import Value


@dataclass(slots=True, eq=False)
class Unit:
    """A function under analysis: its IR and where it lives. ``key`` is ``module:qualname``."""

    key: str
    module: str
    function: ir.Function
    class_name: str = ""
    """Qualified name of the class for methods, "" otherwise."""
    owner: object = None
    """The chunk the syntax nodes come from; only the driver looks inside."""
    path: str = ""
    declarations: dict[str, object] = field(default_factory=dict)
    is_static: bool = False
    bindings: dict[str, Summary] = field(default_factory=dict)
    """Parameters of an enclosing decorator that are known to be this function."""
    parent: Unit | None = None
    """The unit that a nested function was defined in."""

    @property
    def self_name(self) -> str:
        """The name of the receiver parameter, or ""."""
        if self.class_name and not self.is_static and self.function.params:
            return self.function.params[0].name
        return ""


@dataclass(frozen=True, slots=True)
class Exit:
    """One way a function can end normally, in terms of its parameters."""

    captured: tuple[tuple[Value, Captured], ...]
    writes: tuple[tuple[Value, Field, Value], ...]
    result: Value
    before_yield: frozenset[int] = frozenset()
    """Ids of the values captured before the first ``yield``."""
    stops_read: frozenset[int] = frozenset()
    """Numbers of the model calls whose stop reason was looked at."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """A reduction that callers must have covered: ``lost`` in terms of the callee's parameters."""

    event: Event
    original: Value
    lost: tuple[Value, ...]
    steps: tuple[Step, ...]
    template: object


@dataclass(frozen=True, slots=True)
class Sunk:
    """A parameter (or what it holds) that a function hands to a model or a store. ``around`` is the value that it becomes
    a part of: the place where a notice may stand."""

    value: Value
    around: Value
    why: str
    is_stored: bool


@dataclass(slots=True)
class Summary:
    """What calling a function does, as far as captures and reductions go."""

    unit: Unit
    exits: tuple[Exit, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    is_async: bool = False
    is_generator: bool = False
    trivial: bool = False
    """The body does nothing (abstract method, protocol stub, hook)."""
    complete: bool = True
    returns_cut: bool = False
    """It returns a cut form of a parameter: what that means is for its callers to say."""
    sunk: tuple[Sunk, ...] = ()
    impure: tuple[tuple[Impurity, Value], ...] = ()
    """What it puts into its parameters that does not belong into a transcript."""
    entered: tuple[Entered, ...] = ()
    """What of its parameters it puts into lists of messages."""


class Program(Protocol):
    """The interpreter's view of the project."""

    def resolve_name(self, unit: Unit, name: str) -> str:
        """Dotted name of a module-level or imported name, "" when unknown."""
        ...

    def resolve_type(self, unit: Unit, annotation: str) -> str:
        """Dotted class name of an annotation (``X | None`` gives X), "" when unknown."""
        ...

    def attribute_type(self, class_name: str, attribute: str) -> str:
        """Dotted class of an attribute of a project class, "" when unknown."""
        ...

    def attribute_default(self, class_name: str, attribute: str) -> tuple[object, ...]:
        """The literal an attribute gets by default as a 1-tuple, () when unknown."""
        ...

    def attribute_optional(self, class_name: str, attribute: str) -> bool:
        """May the attribute be None (annotation or default)?"""
        ...

    def sidecar_attributes(self, class_name: str) -> Sequence[str]:
        """Attributes of a class that hold a sidecar."""
        ...

    def alternatives(self, class_name: str, attribute: str) -> tuple[str, ...]:
        """The classes that an attribute may have when its annotation names several, else ()."""
        ...

    def resolve_union(self, module_name: str, annotation: str) -> tuple[str, ...]:
        """All classes that an annotation names."""
        ...

    def is_class(self, dotted: str) -> bool:
        """Is this a class of the project?"""
        ...

    def base_names(self, class_name: str) -> Sequence[str]:
        """Qualified and bare names of all bases of a class."""
        ...

    def constant(self, dotted: str) -> tuple[object, ...]:
        """The literal bound to a module-level name as a 1-tuple, () when it is no literal."""
        ...

    def collection(self, dotted: str) -> tuple[tuple[str, object], ...]:
        """(entry, value) of a literal collection bound to a module-level name; the value is None for what is no table."""
        ...

    def variable_type(self, dotted: str) -> str:
        """Dotted class of the object bound to a module-level name, "" when unknown."""
        ...

    def summary(self, dotted: str) -> Summary | None:
        """Summary of the function or method with that dotted name; None when the project has none."""
        ...

    def method_summary(self, class_name: str, method: str, after: str = "") -> Summary | None:
        """Summary of a method looked up through the bases of a class (after ``after`` for ``super()``)."""
        ...

    def nested_summary(self, unit: Unit, function: ir.Function) -> Summary | None:
        """Summary of a function nested in ``unit``."""
        ...
