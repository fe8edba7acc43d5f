"""What the flow analysis says about things that do not belong into a transcript (RL501-RL504)."""

from __future__ import annotations

from dataclasses import dataclass, field

from reduction_lint.flow.events import Step
from reduction_lint.flow.state import Place
from reduction_lint.flow.values import Value


@dataclass(slots=True, eq=False)
class Impurity:
    """Something that is written into a list of messages, or taken out of a text, at one place.

    ``what`` is probe, wire, request-only or marker; ``label`` names the list or object.
    """

    place: Place
    what: str
    label: str
    detail: str
    exact: bool
    steps: list[Step] = field(default_factory=list)
    kept: bool = False
    """It goes into something that outlives the request."""
    open: bool = False
    """It goes into what the function was given: the callers decide."""
    answered: bool = False
    """Some caller was seen."""
    withdrawn: bool = False
    """It is taken out again, or the old list is put back."""

    @property
    def reported(self) -> bool:
        """Is it in a transcript, as far as the code in view tells?"""
        return not self.withdrawn and (self.kept or (self.open and not self.answered))


@dataclass(frozen=True, slots=True)
class Entered:
    """A callee adds to a list what it was given: ``recv`` (None for a record in a sidecar) and ``item`` in its terms."""

    recv: Value | None
    item: Value
