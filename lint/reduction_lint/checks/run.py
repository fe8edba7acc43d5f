"""Runs every check over the solved facts."""

from __future__ import annotations

from reduction_lint.checks.banned.family import banned_techniques
from reduction_lint.checks.caps import check_cap
from reduction_lint.checks.draft import Draft, Spot
from reduction_lint.checks.libraries import receiver_keeps_raw
from reduction_lint.checks.notices import check_notice
from reduction_lint.checks.phases.family import phase_selection
from reduction_lint.checks.pruning import home_made_pruning
from reduction_lint.checks.purity import transcript_purity
from reduction_lint.checks.reductions import check_reduction, check_stored, site_of
from reduction_lint.checks.scope import Family, Scope
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit

FAMILIES: tuple[Family, ...] = (banned_techniques, home_made_pruning, phase_selection, transcript_purity)
"""Checks that work on the project beside the reductions: each gives its drafts for the modules that are reported on."""


def drafts_of(scope: Scope) -> list[Draft]:
    """Drafts of all findings, and of all sites that are fine (``status`` says why), one per code and place."""
    solved, models = scope.solved, scope.models
    events = [event for event in solved.events if not receiver_keeps_raw(scope, event)]
    verdicts = [(event, check_reduction(event)) for event in events]
    compacted = {
        _key(event.store)
        for event, draft in verdicts
        if event.store is not None and event.technique == "compaction" and draft is not None
    }
    drafts: list[Draft] = []
    for event, draft in verdicts:
        if event.technique == "truncation" and event.store is not None and _key(event.store) in compacted:
            continue  # the same store replaces the rest by a summary: one finding per reduction, the most specific
        drafts.append(draft if draft is not None else site_of(event))
        drafts += check_notice(event, draft is not None)
        drafts += check_stored(event, draft is not None)
    for call in solved.capped:
        drafts += check_cap(call, models.max_tokens)
    for family in FAMILIES:
        drafts += family(scope)
    marked = {_statement(d.place) for d in drafts if d.code == "RL502" and d.status == "violation"}
    unique: dict[tuple[object, ...], Draft] = {}
    for draft in drafts:
        if draft.code == "RL601" and _statement(draft.place) in marked:
            continue  # a wire annotation on a shared message is the more specific word for the same write
        key = (draft.code, *_key(draft.place))
        if key not in unique or (unique[key].status != "violation" and draft.status == "violation"):
            unique[key] = draft
    return list(unique.values())


def _statement(place: Place | Spot) -> tuple[object, ...]:
    """Equal for places in one statement."""
    unit = place.function if isinstance(place, Place) else None
    if not isinstance(place, Place) or not isinstance(unit, Unit) or not 0 <= place.site < len(unit.function.sites):
        return _key(place)
    node, statement = unit.function.sites[place.site]
    return (unit.path, id(statement if statement is not None else node))


def _key(place: Place | Spot) -> tuple[object, ...]:
    if isinstance(place, Spot):
        return (place.source.display, place.range)
    return (id(place.function), place.site)
