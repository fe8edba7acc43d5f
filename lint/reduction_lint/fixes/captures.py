"""Repairs of captures: record before the reduction, keep a copy, await."""

from __future__ import annotations

import builtins

import libcst as cst
import libcst.matchers as m

from reduction_lint.findings import Edit, Fix
from reduction_lint.fixes.imports import deep_copy
from reduction_lint.fixes.request import Request, expression, is_plain, same_code, walk

_WHOLE = m.OneOf(
    m.Call(func=m.Attribute(attr=m.OneOf(*map(m.Name, ("clear", "pop", "popleft", "remove"))))), m.Del(), m.Subscript()
)


def record_first(request: Request) -> list[Fix]:
    """RL101: record the value in a sidecar that is at hand, on the line above."""
    line = request.line_of(request.node)
    value = _value_in(request, line)
    if line is None or value is None:
        return []
    for sidecar in request.sidecars:
        if sidecar.is_async and not request.in_async(line):
            continue
        call = (
            f"{'await ' if sidecar.is_async else ''}{sidecar.expression}.{sidecar.method}({_snapshot(request, value)})"
        )
        title = f"Record `{request.finding.value}` with `{sidecar.expression}.{sidecar.method}` first"
        return [Fix(title, "unsafe", (request.line_before(line, call),))]
    return []


def _value_in(request: Request, line: cst.CSTNode | None) -> cst.BaseExpression | None:
    """The value that is reduced, if the statement names it and naming it again is harmless."""
    wanted = expression(request.finding.value)
    if line is None or wanted is None or not is_plain(wanted):
        return None
    bound = any(isinstance(n, (cst.NamedExpr, cst.CompFor, cst.Lambda)) for n in walk(line))
    return wanted if not bound and any(same_code(n, wanted) for n in walk(line)) else None


def _snapshot(request: Request, value: cst.BaseExpression) -> str:
    """The value, as a copy where the statement changes it in place."""
    code = request.finding.value
    in_place = m.matches(request.node, _WHOLE) and _is_changed(request, request.node, value)
    return f"list({code})" if in_place else code


def _is_changed(request: Request, node: cst.CSTNode, value: cst.BaseExpression) -> bool:
    """Does this expression or statement remove something from the value itself?"""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return same_code(node.func.value, value)
    if isinstance(node, cst.Subscript) and same_code(node.value, value):
        parent = request.parents.get(node)
        return isinstance(parent, (cst.Del, cst.AssignTarget))
    if isinstance(node, cst.Del):
        target = node.target
        return isinstance(target, cst.Subscript) and same_code(target.value, value)
    return False


def keep_a_copy(request: Request) -> list[Fix]:
    """RL107: hand a copy to the capture."""
    wanted = _changed_object(request)
    if wanted is None:
        return []
    found = _referred(request, wanted)
    if found is None:
        return []
    target: cst.BaseExpression = found
    is_whole = any(_is_changed(request, n, part) for part in (found, wanted) for n in _changing(request))
    edits: list[Edit] = []
    if is_whole:
        content = f"{request.code(found)}.copy()" if not _is_sliced(request) else f"list({request.code(found)})"
    else:
        target = _shallow_copy_around(request, found)
        made = deep_copy(request, request.code(found))
        if made is None:
            return []
        content, edits = made
    title = f"Record a copy of `{request.code(found)}`"
    return [Fix(title, "safe", (*edits, request.replace(target, content)))]


def _changed_object(request: Request) -> cst.BaseExpression | None:
    """The object that is changed: the value, or what holds the changed part (``x`` in ``x[0]["content"] = …``)."""
    value = expression(request.finding.value)
    if value is not None and is_plain(value):
        return value
    for node in walk(request.statement or request.node):
        target: cst.BaseExpression | None = node.target if isinstance(node, (cst.AssignTarget, cst.Del)) else None
        while isinstance(target, (cst.Subscript, cst.Attribute)) and not is_plain(target):
            target = target.value
        if target is not None and is_plain(target):
            return target
    return None


def _referred(request: Request, wanted: cst.BaseExpression) -> cst.BaseExpression | None:
    """The argument through which the capture gets its reference; None unless exactly one call can be meant."""
    function, line = request.function(request.node), request.line_of(request.node)
    if not isinstance(function, cst.FunctionDef) or line is None:
        return None
    names = [wanted, *_aliases(function, wanted)]
    place = request.range_of(line).start
    found: list[cst.BaseExpression] = []
    for call in walk(function.body):
        if not isinstance(call, cst.Call) or not request.range_of(call).start < place or _only_looks(call):
            continue
        held = [n for arg in call.args for n in _held(arg.value) if any(same_code(n, name) for name in names)]
        found += held if not any(n is known for n in held for known in found) else []
    return found[0] if len(found) == 1 else None


def _aliases(function: cst.FunctionDef, wanted: cst.BaseExpression) -> list[cst.BaseExpression]:
    """Local names for the very same object."""
    made = (n for n in walk(function.body) if isinstance(n, cst.Assign) and same_code(n.value, wanted))
    return [target.target for assign in made for target in assign.targets if isinstance(target.target, cst.Name)]


def _held(argument: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The expressions that an argument keeps a reference to: itself, or the members of a display or shallow copy."""
    if isinstance(argument, cst.Dict):
        return [inner for element in argument.elements for inner in _held(element.value)]
    if isinstance(argument, (cst.List, cst.Tuple)):
        return [inner for element in argument.elements for inner in _held(element.value)]
    if isinstance(argument, cst.Call) and m.matches(argument.func, m.Name(value="list")) and len(argument.args) == 1:
        return [argument.args[0].value]
    return [argument]


def _only_looks(call: cst.Call) -> bool:
    """A builtin that keeps nothing."""
    return isinstance(call.func, cst.Name) and hasattr(builtins, call.func.value)


def _changing(request: Request) -> list[cst.CSTNode]:
    return [n for n in walk(request.statement or request.node) if m.matches(n, _WHOLE)]


def _is_sliced(request: Request) -> bool:
    """Only lists are changed by slices."""
    return any(isinstance(n, cst.Slice) for n in walk(request.statement or request.node))


def _shallow_copy_around(request: Request, node: cst.BaseExpression) -> cst.BaseExpression:
    """``list(x)`` around ``x``, whose place a deep copy takes."""
    parent = request.parents.get(node)
    call = request.parents.get(parent) if isinstance(parent, cst.Arg) else None
    if isinstance(call, cst.Call) and m.matches(call.func, m.OneOf(*map(m.Name, ("list", "dict", "tuple")))):
        return call if len(call.args) == 1 else node
    return node


def await_it(request: Request) -> list[Fix]:
    """RL108: await the capture, in asynchronous functions."""
    capture = request.capture
    if capture is None or not request.in_async(capture):
        return []
    line = request.line_of(capture)
    if line is None or len(line.body) != 1:
        return []
    (small,) = line.body
    if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call):
        return [Fix("Await the capture", "safe", (request.before(small, "await "),))]
    target = _kept_in(small)
    reduction = request.line_of(request.node)
    if target is None or reduction is None or request.parents.get(line) is not request.parents.get(reduction):
        return []
    edits = [request.line_before(reduction, f"await {target}")]
    if _awaits_coroutine_again(request, small, target):
        return []
    return [Fix(f"Await `{target}` before the reduction", "safe", tuple(edits))]


def _kept_in(small: cst.BaseSmallStatement) -> str | None:
    """The name that a task or coroutine is assigned to."""
    if isinstance(small, cst.Assign) and len(small.targets) == 1:
        target = small.targets[0].target
        return target.value if isinstance(target, cst.Name) and isinstance(small.value, cst.Call) else None
    return None


def _awaits_coroutine_again(request: Request, small: cst.BaseSmallStatement, name: str) -> bool:
    """Tasks may be awaited twice, coroutines may not: is a bare coroutine awaited somewhere else, too?"""
    if isinstance(small, cst.Assign) and _makes_task(small.value):
        return False
    function = request.function(small)
    awaited = m.Await(expression=m.Name(name))
    return function is not None and any(m.matches(n, awaited) for n in walk(function))


def _makes_task(call: cst.BaseExpression) -> bool:
    """``asyncio.create_task(…)`` and the like."""
    if not isinstance(call, cst.Call):
        return False
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return isinstance(name, cst.Name) and name.value in ("create_task", "ensure_future")
