"""RL201 and RL203: does a cut text say that it was cut, and where the rest is?"""

from __future__ import annotations

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reductions import confidence_of
from reduction_lint.findings import Severity
from reduction_lint.flow.events import Event, Outcome, Status
from reduction_lint.flow.state import Place


def check_notice(event: Event, reported: bool) -> list[Draft]:
    """RL201 for text that is stored or sole copy and says nothing; RL203 where a captured text has no pointer.

    ``reported`` says whether the capture check found a fault at this event.
    """
    if event.how != "text" or event.note == "is returned":
        return []
    judged = [o for o in event.outcomes if o.status in (Status.CAPTURED, Status.UNCAPTURED, Status.LATE)]
    if not judged or (event.open_in_callers and not reported):
        return []
    silent = [o for o in judged if o.notice == "" and not _no_cut_here(event, o)]
    weak = [o for o in judged if o.notice == "weak"]
    name = f"`{event.label}`" if event.label else "a text"
    if silent or weak:
        severity = None if silent else Severity.INFO
        outcome = (silent or weak)[0]
        message = f"{name} is cut and {event.note or 'handed on'} without a word that something is missing"
        return [
            Draft(
                "RL201",
                event.place,
                message,
                event.label,
                confidence_of(event),
                severity,
                "notice",
                outcome.steps,
                covered_by=_capture_on_all(judged),
            )
        ]
    if all(o.status is Status.CAPTURED for o in judged) and not any(_pointing(o) for o in judged):
        message = f"the full {name} was captured, but the cut text carries nothing by which it can be found again"
        return [Draft("RL203", event.place, message, event.label, confidence_of(event), None, "notice")]
    return []


def _capture_on_all(outcomes: list[Outcome]) -> Place | None:
    """A capture of the whole text, if every path has one."""
    captures = [o.capture for o in outcomes if o.status is Status.CAPTURED]
    return next((c.place for c in captures if c is not None), None) if len(captures) == len(outcomes) else None


def _no_cut_here(event: Event, outcome: Outcome) -> bool:
    """The path found the text short enough, and where it is not another path puts a notice."""
    return (outcome.length_checked or event.by_limit) and any(o.notice for o in event.outcomes)


def _pointing(outcome: Outcome) -> bool:
    return outcome.pointer or outcome.notice == "retained"
