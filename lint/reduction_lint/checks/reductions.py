"""RL101-RL108, RL110, RL112: is every path to the reduction covered by a capture?

One finding per reduction and value, the most specific code (rules catalogue, "Which code, where, and once").
"""

from __future__ import annotations

from reduction_lint.checks.draft import Draft
from reduction_lint.findings import Confidence, Severity
from reduction_lint.flow.events import Event, Outcome, Status, Step

_WHAT = {
    "truncation": "cut",
    "compaction": "replaced by a summary",
    "hard-compression": "compressed",
}
_PLAIN = {"truncation": "RL101", "compaction": "RL102", "hard-compression": "RL103"}


def check_reduction(event: Event) -> Draft | None:
    """The capture-discipline finding for one event, or None when every path is covered or excused."""
    if event.how == "window":
        return _view(event)
    by_status: dict[Status, list[Outcome]] = {}
    for outcome in event.outcomes:
        by_status.setdefault(outcome.status, []).append(outcome)
    for status, code, text in _FAULTY_CAPTURES:
        if status in by_status:
            return _draft(event, code, text, by_status[status][0])
    open_paths = [o for o in by_status.get(Status.UNCAPTURED, ()) if not _excused(event, o, by_status)]
    if not open_paths or _only_returned_copy(event) or event.reloaded:
        return None
    worst = open_paths[0]
    captured = by_status.get(Status.CAPTURED, [])
    if event.conversation and any(o.no_sidecar or o.flag_wrong for o in open_paths):
        worst = next(o for o in open_paths if o.no_sidecar or o.flag_wrong)
        why = (
            "its opt-in is on by default or tested the wrong way round"
            if worst.flag_wrong
            else "no sidecar is attached"
        )
        return _draft(event, "RL110", f"although {why}, and nothing captures the full original first", worst)
    partial = [o for o in open_paths if o.in_part]
    if captured or partial:
        worst = (partial or open_paths)[0]
        where = (captured or partial)[0].capture
        step = (Step(where.place, "captured here on another path"),) if where and where.place.function else ()
        return _draft(event, "RL105", "and a path gets round the capture of the full original", worst, step)
    severity = None
    if event.how == "text" and all(o.notice == "not-retained" for o in open_paths):
        severity = Severity.WARNING
    return _draft(event, _PLAIN[event.technique], _tail(event), worst, severity=severity)


def check_stored(event: Event, reported: bool) -> list[Draft]:
    """RL104: hard-compressed text is what is stored from now on, though every path captured the original first.

    ``reported`` says whether the capture check found a fault at this event: then that finding stands alone.
    """
    if event.technique != "hard-compression" or event.store is None or reported:
        return []
    captured = next((o for o in event.outcomes if o.status is Status.CAPTURED), None)
    if captured is None:
        return []
    name = f"`{event.label}`" if event.label else "context"
    message = f"{name} is kept in its compressed form, and only the sidecar still has the original"
    steps = (Step(captured.capture.place, "the capture of the original"),) if captured.capture is not None else ()
    compressed = Step(event.place, "compressed here")
    return [
        Draft(
            "RL104",
            event.store,
            message,
            event.label,
            confidence_of(event),
            None,
            event.technique,
            (*steps, compressed),
        )
    ]


_FAULTY_CAPTURES = (
    (Status.NOT_AWAITED, "RL108", "before the capture of it has been awaited"),
    (
        Status.BY_REFERENCE,
        "RL107",
        "and the capture only kept a reference to the object that is changed here",
    ),
    (Status.LATE, "RL106", "and what is recorded is the reduced form, not the original"),
)


def _tail(event: Event) -> str:
    if event.how == "summary-input":
        return "before it is summarised, and the summary replaces the whole; no path captures the full original first"
    if event.how == "text":
        return f"and the cut text {event.note or 'is all that is left'}; no path captures the full original first"
    return "and no path captures the full original first"


def _excused(event: Event, outcome: Outcome, by_status: dict[Status, list[Outcome]]) -> bool:
    """The safety cap of sidecar-aware code, and cuts that another path shows to be no cut at all here."""
    if event.how != "text":
        return False
    if outcome.no_sidecar and outcome.notice == "not-retained":
        return True
    return (
        outcome.length_checked
        and not outcome.notice
        and (Status.EXCUSED in by_status or any(o.notice for o in event.outcomes))
    )


def _only_returned_copy(event: Event) -> bool:
    """A function that returns a reduced copy of its parameter, with no caller in view."""
    return event.how == "text" and event.open_in_callers and event.note in ("is returned", "becomes a message", "")


def _view(event: Event) -> Draft | None:
    if any(o.status is Status.VIEW for o in event.outcomes):
        outcome = next(o for o in event.outcomes if o.status is Status.VIEW)
        return _draft(
            event,
            "RL112",
            "for a request, and the whole of it is only held in memory",
            outcome,
            status="view",
        )
    return None


def _draft(
    event: Event, code: str, tail: str, outcome: Outcome, extra: tuple[Step, ...] = (),
    severity: Severity | None = None, status: str = "violation",
) -> Draft:  # fmt: skip
    name = f"`{event.label}`" if event.label else "context"
    what = _WHAT[event.technique]
    if event.how == "library":
        message = f"{name} switches on {event.technique} of the conversation and nothing here keeps the raw turns"
    elif event.how == "clear":
        message = f"{name} is cleared {tail}"
    else:
        message = f"{name} is {what} {tail}"
    return Draft(
        code, event.place, message, event.label, confidence_of(event), severity, event.technique,
        (*outcome.steps, *extra), status, at_fault=outcome.capture.place if outcome.capture else None,
    )  # fmt: skip


_FINE = {
    Status.CAPTURED: ("captured", "a capture of the full original covers every path"),
    Status.VIEW: ("view", "only a view is cut, the original stays where it is"),
    Status.OPT_IN: ("opt-in", "the loss is accepted by an explicit opt-in"),
    Status.EXCUSED: ("excused", "an explicit command, or the rest can be read again where it came from"),
    Status.KEPT: ("kept", "the original lives on: returned, moved, stored elsewhere or passed on whole"),
}


def site_of(event: Event) -> Draft:
    """A reduction site that is not reported: its status, the captures seen and why each path is fine."""
    statuses = [o.status for o in event.outcomes]
    order = (Status.OPT_IN, Status.EXCUSED, Status.VIEW, Status.KEPT, Status.CAPTURED)
    worst = next((status for status in order if status in statuses), None)
    status, why = _FINE[worst] if worst is not None else ("unknown", "no path reaches it")
    name = f"`{event.label}`" if event.label else "context"
    steps: list[Step] = []
    covered_by = None
    for outcome in event.outcomes:
        capture = outcome.capture
        if capture is not None and capture.place.function is not None:
            covered_by = covered_by or capture.place
            step = Step(capture.place, "the capture that covers it")
            if step not in steps:
                steps.append(step)
    if Status.UNCAPTURED in statuses:
        status, why = "excused", "a reduced copy is handed back and no caller in view keeps only that"
    message = f"{name} is {_WHAT[event.technique]}: {why}"
    return Draft(
        _PLAIN[event.technique], event.place, message, event.label, confidence_of(event), None, event.technique,
        tuple(steps), status, covered_by,
    )  # fmt: skip


def confidence_of(event: Event) -> Confidence:
    """High for exact models and for named conversations that are stored; else medium."""
    if event.open_in_callers and event.owned_by_caller:
        return Confidence.MEDIUM
    if event.exact or (event.conversation and event.how in ("rebind", "in-place", "library")):
        return Confidence.HIGH
    return Confidence.MEDIUM
