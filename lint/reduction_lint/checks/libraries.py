"""RL102 for libraries: is compaction switched on in something that keeps the raw turns?

A summarising middleware rewrites the state of the agent it is given to; where that agent has a durable checkpointer or session
manager, the raw turns lie there. Which arguments count is said by the model of the library (``keeps-raw``).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.reading import Frame, Page, is_none, last_name
from reduction_lint.checks.scope import Scope
from reduction_lint.findings import Range
from reduction_lint.flow.events import Event
from reduction_lint.flow.unit import Unit
from reduction_lint.syntax.parser import Parsed

_VOLATILE = ("memory", "null", "noop", "dummy", "fake")
"""Parts of class names of stores that do not outlive the process."""


def receiver_keeps_raw(scope: Scope, event: Event) -> bool:
    """Is what switches compaction on given to an object that has one of the arguments which keep the raw turns?"""
    unit = event.place.function
    if event.how != "library" or not isinstance(unit, Unit) or not isinstance(unit.owner, Parsed):
        return False
    module = scope.project.modules.get(unit.module)
    if module is None or not 0 <= event.place.site < len(unit.function.sites):
        return False
    page = scope.pages.of(module)
    call = _call_at(page, unit.owner.range_of(unit.function.sites[event.place.site][0]))
    if call is None:
        return False
    frame = page.frame_of(call)
    dotted = page.name_of(call, frame)
    hit = scope.models.reducers.find((dotted,), last_name(call), ()) if dotted else None
    keeps = hit.entry.keeps_raw if hit is not None else ()
    return any(_keeps(receiver, keeps, page, frame) for receiver in _receivers(call, page, frame))


def _call_at(page: Page, where: Range) -> ast.Call | None:
    calls = (node for node in page.parents if isinstance(node, ast.Call) and node.lineno == where.start.line)
    return next((call for call in calls if page.spot(call).range.start == where.start), None)


def _receivers(call: ast.Call, page: Page, frame: Frame) -> Iterator[ast.Call]:
    """The calls that are given the object: around it, or under a name that it, or a list with it, is bound to."""
    yield from (above for above in page.ancestors(call) if isinstance(above, ast.Call))
    held = {name for name, values in frame.bound.items() if any(call in list(ast.walk(value)) for value in values)}
    for _ in range(2):
        held |= {
            name
            for name, values in frame.bound.items()
            if any(isinstance(n, ast.Name) and n.id in held for value in values for n in ast.walk(value))
        }
    for node in ast.walk(frame.node):
        if isinstance(node, ast.Call) and any(isinstance(n, ast.Name) and n.id in held for n in ast.walk(node)):
            yield node


def _keeps(receiver: ast.Call, names: tuple[str, ...], page: Page, frame: Frame) -> bool:
    for keyword in receiver.keywords:
        if keyword.arg in names and not is_none(keyword.value):
            made = page.qualified(keyword.value, frame).rpartition(".")[2].lower()
            return not any(word in made for word in _VOLATILE)
    return False
