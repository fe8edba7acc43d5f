"""What the analysis knows about a finding's surroundings, put together for its repair."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from reduction_lint.checks.draft import Draft, Spot
from reduction_lint.findings import Finding, Fix, Range
from reduction_lint.fixes.make import FIXED, fixes_for
from reduction_lint.fixes.request import Request, Sidecar
from reduction_lint.flow.project import Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.settings import Settings
from reduction_lint.syntax.chunks import split
from reduction_lint.syntax.parser import Parsed, parse
from reduction_lint.workspace.sources import Source

_RETAINED, _NOT_RETAINED = "full output in session sidecar", "full output not retained"


def fixes_of(draft: Draft, finding: Finding, source: Source, project: Project, settings: Settings) -> tuple[Fix, ...]:
    """The repairs of a finding; places are those of the analysed text."""
    if draft.code not in FIXED:
        return ()
    found = _syntax(draft.place, source)
    if found is None:
        return ()
    parsed, node, statement = found
    unit = draft.place.function if isinstance(draft.place, Place) else None
    capture = None
    if draft.at_fault is not None and isinstance(draft.at_fault.function, Unit):
        fault = _syntax(draft.at_fault, source)
        capture = fault[1] if fault is not None and fault[0] is parsed else None
    module = project.module(unit.module) if isinstance(unit, Unit) else None
    request = Request(
        finding,
        parsed,
        source.text,
        node,
        statement,
        capture,
        captured=draft.covered_by is not None,
        sidecars=list(_sidecars(unit, project, source.text)) if isinstance(unit, Unit) else (),
        notices=(_phrase(settings, "retained", _RETAINED), _phrase(settings, "not-retained", _NOT_RETAINED)),
        names=module.imports.names if module is not None else _imports(source, project),
    )
    return fixes_for(request)


def _phrase(settings: Settings, key: str, usual: str) -> str:
    own = settings.notice.get(key)
    return str(own[0]) if isinstance(own, list) and own else usual


def _imports(source: Source, project: Project) -> dict[str, str]:
    from reduction_lint.syntax.imports import import_table

    return import_table(split(source.text), "", False).names


# -- syntax -----------------------------------------------------------------------------------------------------------


def _syntax(place: Place | Spot, source: Source) -> tuple[Parsed, cst.CSTNode, cst.CSTNode | None] | None:
    """The chunk, the node and its statement at a place."""
    if isinstance(place, Spot):
        return _at(place.range, source)
    unit = place.function
    if not isinstance(unit, Unit) or not isinstance(unit.owner, Parsed):
        return None
    if not 0 <= place.site < len(unit.function.sites):
        return None
    node, statement = unit.function.sites[place.site]
    return unit.owner, node, statement


def _at(where: Range, source: Source) -> tuple[Parsed, cst.CSTNode, cst.CSTNode | None] | None:
    """The same for a range of the text: the outermost node that stands exactly there."""
    for chunk in split(source.text):
        if chunk.start_line <= where.start.line <= chunk.end_line:
            parsed = parse(chunk)
            if parsed.module is None:
                continue
            stack: list[cst.CSTNode] = [parsed.module]
            while stack:
                node = stack.pop()
                if parsed.range_of(node) == where and isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement)):
                    return parsed, node, None
                stack.extend(node.children)
    return None


# -- sidecars ---------------------------------------------------------------------------------------------------------


def _sidecars(unit: Unit, project: Project, text: str) -> Iterator[Sidecar]:
    """Sidecars that the function surely has, with the method that records."""
    for param in unit.function.params:
        kind = project.resolve_type(unit, param.annotation)
        optional = param.has_default or "None" in param.annotation or "Optional" in param.annotation
        if not optional and project.models.is_sidecar(param.name, (kind,)):
            yield from _recording(param.name, kind, project, text)
    receiver = unit.self_name
    if unit.class_name and receiver:
        for name in dict.fromkeys(project.sidecar_attributes(unit.class_name)):
            if not project.attribute_optional(unit.class_name, name):
                kind = project.attribute_type(unit.class_name, name)
                yield from _recording(f"{receiver}.{name}", kind, project, text)


def _recording(expression: str, kind: str, project: Project, text: str) -> Iterator[Sidecar]:
    """The methods that record, those in use in the file first."""
    used = re.findall(rf"(await\s+)?(?<![\w.]){re.escape(expression)}\.(\w+)\(", text)
    names = (expression.rpartition(".")[2], kind)
    info = project.class_of(kind) if kind else None
    if info is None:
        for waits, method in used:
            if _records(method, names, project):
                yield Sidecar(expression, method, bool(waits))
        return
    in_use = [method for _, method in used]
    for method in sorted(info.methods, key=lambda name: name not in in_use):
        summary = project.method_summary(kind, method) if _records(method, names, project) else None
        if summary is not None and _takes_one(summary.unit):
            yield Sidecar(expression, method, summary.is_async)


def _records(method: str, receivers: tuple[str, ...], project: Project) -> bool:
    hit = project.models.captures.find([], method, [name for name in receivers if name])
    return hit is not None and hit.entry.durable and hit.entry.lossless


def _takes_one(unit: Unit) -> bool:
    """Is one argument enough, and needed?"""
    params = [p for p in unit.function.params if p.name != unit.self_name]
    needed = [p for p in params if not p.has_default and p.kind in ("positional", "keyword")]
    return len(needed) == 1 and needed[0].kind == "positional"
