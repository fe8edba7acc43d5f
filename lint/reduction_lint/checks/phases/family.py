"""The family as the runner sees it: finds the functions that matter and runs each check over them."""

from __future__ import annotations

from collections.abc import Iterator

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.phases.recognise import Recogniser
from reduction_lint.checks.phases.select import check_selector
from reduction_lint.checks.scope import Scope
from reduction_lint.flow.project import Module
from reduction_lint.knowledge.phases import phases_of
from reduction_lint.syntax.chunks import Chunk


def phase_selection(scope: Scope) -> list[Draft]:
    """RL601-RL608 for the modules that are reported on."""
    recogniser = Recogniser(phases_of(scope.settings.phases))
    drafts: list[Draft] = []
    for module, chunk in _functions(scope):
        if recogniser.may_hold(module, chunk):
            unit = scope.project.unit_of(module, chunk)
            selector = recogniser.selector(unit) if unit is not None else None
            if selector is not None:
                drafts += check_selector(scope.project, selector, recogniser)
    return drafts


def _functions(scope: Scope) -> Iterator[tuple[Module, Chunk]]:
    for module in scope.modules:
        for chunk in module.chunks:
            if chunk.kind in ("function", "method"):
                yield module, chunk
