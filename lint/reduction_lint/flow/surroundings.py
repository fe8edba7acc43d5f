"""What covers a method from outside its callers: decorators that capture first, and lists whose every entry was captured
when it arrived."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow.events import Event, Outcome, Status
from reduction_lint.flow.unit import Summary, Unit
from reduction_lint.flow.values import Kind, Value

if TYPE_CHECKING:
    from reduction_lint.flow.project import Project


def interpret_wrappers(project: Project, summary: Summary) -> None:
    """Interpret the wrappers that the project's own decorators put around a function, as its callers."""
    unit = summary.unit
    for text in unit.function.decorators:
        dotted = project.resolve_name(unit, text.partition("(")[0].partition(".")[0])
        found = project.locate(dotted) if "." in dotted else None
        if found is None or found[1] not in found[0].functions:
            continue
        decorator = project.unit_of(found[0], found[0].functions[found[1]])
        if decorator is None or not decorator.function.params:
            continue
        for wrapper in decorator.function.nested:
            bound = Unit(
                f"{decorator.key}:{wrapper.qualname}:{unit.key}",
                decorator.module,
                wrapper,
                unit.class_name,
                decorator.owner,
                decorator.path,
                parent=decorator,
                bindings={decorator.function.params[0].name: summary},
            )
            project.summarise(bound)


def captured_on_arrival(project: Project, event: Event) -> Outcome | None:
    """The verdict on a list attribute of which entries were captured when they were added: on every path (covered), on
    some (partly), or None when nothing is known."""
    unit, value = event.place.function, event.value
    while value.kind in (Kind.CONCAT, Kind.REDUCED, Kind.RENDERING):
        value = value.ops[0]
    if not isinstance(unit, Unit) or not unit.class_name or not _is_own_attribute(value, unit):
        return None
    arrivals: list[bool] = []
    pattern = re.compile(
        rf"\.{re.escape(value.name)}\.(?:append|extend|insert|appendleft)\(|\.{re.escape(value.name)}\s*\+="
    )
    for info in project.bases(unit.class_name):
        for chunk in info.methods.values():
            if not pattern.search(chunk.text):
                continue
            method = project.unit_of(info.module, chunk)
            summary = project.summarise(method) if method is not None else None
            interpreter = project.interpreters.get(method.key) if method is not None else None
            if summary is None or interpreter is None:
                return None
            arrivals += interpreter.arrivals.get(value.name, [])
    if not arrivals or not any(arrivals):
        return None
    return Outcome(Status.CAPTURED) if all(arrivals) else Outcome(Status.UNCAPTURED, in_part=True)


def _is_own_attribute(value: Value, unit: Unit) -> bool:
    return value.kind is Kind.ATTR and value.ops[0].kind is Kind.PARAM and value.ops[0].name == unit.self_name
