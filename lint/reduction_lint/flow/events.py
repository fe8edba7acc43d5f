"""What the flow analysis hands to the checks: reduction events and what every path said about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from reduction_lint.flow.state import Captured, Place
from reduction_lint.flow.values import Value


class Status(Enum):
    """What one path says about one reduction."""

    CAPTURED = "captured"
    UNCAPTURED = "uncaptured"
    LATE = "late"
    """Captured after the reduction, or in its reduced form."""
    BY_REFERENCE = "by-reference"
    NOT_AWAITED = "not-awaited"
    OPT_IN = "opt-in"
    EXCUSED = "excused"
    """An explicit command, a pointer to a re-readable place, an honest cap beside a sidecar."""
    KEPT = "kept"
    """The original lives on: returned, moved, stored elsewhere or sent whole."""
    VIEW = "view"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace, still in terms of places."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One path's verdict."""

    status: Status
    steps: tuple[Step, ...] = ()
    capture: Captured | None = None
    no_sidecar: bool = False
    """The path is taken because no sidecar is attached."""
    flag_wrong: bool = False
    """The path is guarded by an opt-in flag that is on by default or is tested the wrong way round."""
    notice: str = ""
    """Notice in the reduced form: "", weak, cut, retained or not-retained."""
    pointer: bool = False
    in_part: bool = False
    """A capture was begun but is not known to be whole: some elements only, or a thread nobody joined."""
    length_checked: bool = False
    """The path decided a test on the original's length: nothing may have been cut on it."""


@dataclass(slots=True, eq=False)
class Event:
    """One reduction of one value at one place, with the outcomes of all paths that reach it."""

    place: Place
    technique: str
    how: str
    """rebind, in-place, clear, text, window, library, compressed or summary-input."""
    value: Value
    label: str
    kind: str
    exact: bool
    conversation: bool
    owned_by_caller: bool = False
    """The value came in through a plain parameter."""
    sidecar_known: bool = False
    outcomes: list[Outcome] = field(default_factory=list)
    open_in_callers: bool = False
    note: str = ""
    store: Place | None = None
    """Where the reduced form is written over the original."""
    by_limit: bool = False
    """A loop left out what went over a limit; on other paths nothing was."""
    reloaded: bool = False
    """A cleared field is filled from elsewhere in the same function: a load, not a loss."""

    def add(self, outcome: Outcome) -> None:
        """Add a verdict once."""
        if len(self.outcomes) < 64 and outcome not in self.outcomes:
            self.outcomes.append(outcome)


@dataclass(slots=True, eq=False)
class CappedCall:
    """A model call, an object that caps later calls, or an argument that caps a call in a callee (RL401, RL402)."""

    place: Place
    entry: object
    """The :class:`~reduction_lint.knowledge.models.ModelCall` that it matched, None for an assigned attribute."""
    function: object
    """The unit that it stands in."""
    number: int
    """Tells calls apart in the state of a path."""
    exact: bool = False
    """The callee is known by its name, not by the shape of the call."""
    cap_name: str = ""
    caps: list[Value] = field(default_factory=list)
    """The values that the cap has on the paths here; empty when the call itself sets none."""
    inputs: tuple[Value, ...] = ()
    results: list[Value] = field(default_factory=list)
    """The answer or the object; names bound to it tell what it is for."""
    bounds: dict[int, float] = field(default_factory=dict)
    """Defaults of attributes inside ``caps``, by id."""
    defaults: dict[int, Value] = field(default_factory=dict)
    """Defaults of look-ups inside ``caps``, by id."""
    attributes: set[tuple[str, str]] = field(default_factory=set)
    """Attributes inside ``caps``: (class, name)."""
    numbers: dict[tuple[str, str], float] = field(default_factory=dict)
    """The least number assigned to each attribute named like a cap; shared by all calls."""
    keywords: set[str] = field(default_factory=set)
    """Names of the arguments that are given."""
    carriers: list[CappedCall] = field(default_factory=list)
    """Objects whose cap holds for this call."""
    users: list[CappedCall] = field(default_factory=list)
    """Calls that run under the cap of this object or argument."""
    receivers: list[CappedCall] = field(default_factory=list)
    """Caps that callers hand to this call, which only passes them on."""
    answer_uses: list[Step] = field(default_factory=list)
    used: bool = False
    """The answer goes somewhere at all, if only to a screen."""
    unchecked: bool = False
    """Its text is stored, returned or parsed on a path on which nobody looked at the stop reason."""
    streamed: bool = False
    """It comes in pieces and the reason with the last one: one look anywhere in the function is enough."""
    looked: bool = False
    """Somebody looks at the stop reason on some path."""
    cut_uses: list[Step] = field(default_factory=list)
    """Where its text is stored or returned on a path on which the stop reason says that it was cut."""
    repairs: list[tuple[object, Step]] = field(default_factory=list)
    """Where a parser that repairs cut text gets the answer: the unit and the step."""
    cut_certain: bool = False
    """A test names the reason for the cut, not just any end but the natural one."""
    escapes: bool = False
    """The whole response is handed on; somebody else may look."""
    structured: bool = False
    """The library parses the answer and raises on what does not fit."""
    restored: bool = False
    """The attribute gets its old value back, or another call reports this cap."""
