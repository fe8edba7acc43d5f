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
    """rebind, in-place, clear, text, window, library or compressed."""
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
    reloaded: bool = False
    """A cleared field is filled from elsewhere in the same function: a load, not a loss."""

    def add(self, outcome: Outcome) -> None:
        """Add a verdict once."""
        if len(self.outcomes) < 64 and outcome not in self.outcomes:
            self.outcomes.append(outcome)


@dataclass(slots=True, eq=False)
class CappedCall:
    """A model call that carries an output cap (RL401, RL402)."""

    place: Place
    cap_name: str
    cap: Value | None
    entry: object
    function: object
    inputs: tuple[Value, ...] = ()
    answer_uses: list[Step] = field(default_factory=list)
    checked_uses: int = 0
    unchecked: bool = False
    escapes: bool = False
    """The whole response is handed on; somebody else may look."""
