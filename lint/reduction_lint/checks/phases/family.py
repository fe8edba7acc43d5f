"""The family as the runner sees it: finds the functions that matter and runs each check over them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.phases.builders import check_builder
from reduction_lint.checks.phases.offline import Offline
from reduction_lint.checks.phases.recognise import Recogniser
from reduction_lint.checks.phases.select import check_selector
from reduction_lint.checks.phases.storing import Views
from reduction_lint.checks.phases.stripping import check_stripping
from reduction_lint.checks.scope import Scope
from reduction_lint.flow.project import Module, Project
from reduction_lint.knowledge.phases import phases_of
from reduction_lint.syntax.chunks import Chunk


def phase_selection(scope: Scope) -> list[Draft]:
    """RL601-RL608 for the modules that are reported on."""
    project, models = scope.project, scope.models
    recogniser = Recogniser(phases_of(scope.settings.phases))
    words = recogniser.phases.words
    views, offline = Views(project, models, recogniser), Offline(project, models, recogniser)
    drafts: list[Draft] = []
    for module in scope.modules:
        calls_selector = _calls_of(_selectors_known_in(project, module, recogniser))
        for chunk in _functions(module):
            selector = None
            if recogniser.may_hold(module, chunk):
                unit = project.unit_of(module, chunk)
                selector = recogniser.selector(unit) if unit is not None else None
            if selector is not None:
                drafts += check_selector(project, selector, recogniser)
            else:
                drafts += check_builder(project, module, chunk, models, words)
            drafts += check_stripping(project, module, chunk, words)
            if selector is None and calls_selector is not None and calls_selector.search(chunk.text):
                unit = project.unit_of(module, chunk)
                drafts += views.check(unit) if unit is not None else []
            if offline.concerns(module, chunk):
                unit = project.unit_of(module, chunk)
                drafts += offline.check(unit) if unit is not None else []
    return drafts


def _functions(module: Module) -> Iterator[Chunk]:
    return (chunk for chunk in module.chunks if chunk.kind in ("function", "method"))


def _selectors_known_in(project: Project, module: Module, recogniser: Recogniser) -> set[str]:
    """The names under which a module can call selectors: its own and those it imports."""
    found = {chunk.name for chunk in _functions(module) if _is_selector(project, module, chunk, recogniser)}
    for name, dotted in module.imports.names.items():
        target = project.locate(dotted) if "." in dotted and dotted.rpartition(".")[0] in project.files else None
        if target is not None and target[1] in target[0].functions:
            if _is_selector(project, target[0], target[0].functions[target[1]], recogniser):
                found.add(name)
        elif dotted in project.files:
            other = project.module(dotted)
            if other is not None and ("selector(" in other.source.text or recogniser.names_any(other)):
                found |= {c.name for c in _functions(other) if _is_selector(project, other, c, recogniser)}
    return found


def _is_selector(project: Project, module: Module, chunk: Chunk, recogniser: Recogniser) -> bool:
    if not recogniser.may_hold(module, chunk):
        return False
    unit = project.unit_of(module, chunk)
    return unit is not None and recogniser.selector(unit) is not None


def _calls_of(names: set[str]) -> re.Pattern[str] | None:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(") if names else None
