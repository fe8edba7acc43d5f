"""Repairs of writes that reach the original: work on a deep copy."""

from __future__ import annotations

import libcst as cst
import libcst.matchers as m

from reduction_lint.findings import Edit, Fix
from reduction_lint.fixes.imports import deep_copy
from reduction_lint.fixes.request import Request, is_plain, walk

_SHALLOW = ("list", "dict", "tuple", "copy")


def copy_for_the_wire(request: Request) -> list[Fix]:
    """RL502: annotate a deep copy of the messages."""
    return _on_a_copy(request, "Annotate a deep copy of", "safe")


def copy_for_the_view(request: Request) -> list[Fix]:
    """RL601: build the view on a deep copy of the context."""
    return _on_a_copy(request, "Work on a deep copy of", "unsafe")


def _on_a_copy(request: Request, title: str, applicability: str) -> list[Fix]:
    function = request.function(request.node)
    name = _root(request)
    if not isinstance(function, cst.FunctionDef) or name is None or not _goes_on(function, name):
        return []
    binding = _binding(function, name)
    if binding is not None:
        original = _shallow_source(binding.value)
        made = original is not None and deep_copy(request, request.code(original))
        if not made or original is None:
            return []
        code, edits = made
        return [_fix(f"{title} `{request.code(original)}`", applicability, edits, request.replace(binding.value, code))]
    if name not in _parameters(function):
        return []
    first = _first_statement(function)
    made = deep_copy(request, name)
    if first is None or not made:
        return []
    code, edits = made
    return [_fix(f"{title} `{name}`", applicability, edits, request.line_before(first, f"{name} = {code}"))]


def _fix(title: str, applicability: str, edits: list[Edit], edit: Edit) -> Fix:
    return Fix(title, applicability, (*edits, edit))


def _root(request: Request) -> str | None:
    """The local name through which the original is written to."""
    node: cst.CSTNode = request.node
    if isinstance(node, cst.Del):
        node = node.target
    while True:
        if isinstance(node, (cst.Subscript, cst.Attribute)):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        elif isinstance(node, (cst.Assign, cst.AssignTarget, cst.AugAssign)):
            node = node.targets[0] if isinstance(node, cst.Assign) else node.target
        elif isinstance(node, cst.Expr):
            node = node.value
        else:
            break
    if not isinstance(node, cst.Name):
        return None
    loop = _loop_over(request, node.value)
    return loop if loop is not None else node.value


def _loop_over(request: Request, name: str) -> str | None:
    """The collection that a loop variable runs over."""
    for around in request.above(request.node):
        if isinstance(around, cst.For) and any(m.matches(n, m.Name(name)) for n in walk(around.target)):
            return around.iter.value if isinstance(around.iter, cst.Name) else None
    return None


def _goes_on(function: cst.FunctionDef, name: str) -> bool:
    """Is what the name holds returned, yielded or passed on, so that a copy serves as well?"""
    for node in walk(function.body):
        if isinstance(node, (cst.Return, cst.Yield)) and node.value is not None:
            if any(m.matches(n, m.Name(name)) for n in walk(node.value)):
                return True
        if isinstance(node, cst.Arg) and m.matches(node.value, m.Name(name)):
            return True
    return False


def _binding(function: cst.FunctionDef, name: str) -> cst.Assign | None:
    """The only assignment to a local name."""
    found = [
        node
        for node in walk(function.body)
        if isinstance(node, cst.Assign) and any(m.matches(target.target, m.Name(name)) for target in node.targets)
    ]
    return found[0] if len(found) == 1 else None


def _shallow_source(value: cst.BaseExpression) -> cst.BaseExpression | None:
    """``x`` in ``list(x)``, ``x.copy()``, ``x[:]``, ``[*x]``, ``{**x}``, ``copy.copy(x)`` or plain ``x``."""
    if is_plain(value):
        return value
    if isinstance(value, cst.Call):
        if isinstance(value.func, cst.Attribute) and value.func.attr.value == "copy" and not value.args:
            return value.func.value if is_plain(value.func.value) else None
        called = value.func.attr.value if isinstance(value.func, cst.Attribute) else getattr(value.func, "value", "")
        if called in _SHALLOW and len(value.args) == 1 and is_plain(value.args[0].value):
            return value.args[0].value
    if m.matches(value, m.Subscript(slice=[m.SubscriptElement(m.Slice(lower=None, upper=None, step=None))])):
        inner = value.value if isinstance(value, cst.Subscript) else value
        return inner if is_plain(inner) else None
    if isinstance(value, cst.List) and len(value.elements) == 1 and isinstance(value.elements[0], cst.StarredElement):
        return value.elements[0].value if is_plain(value.elements[0].value) else None
    if isinstance(value, cst.Dict) and len(value.elements) == 1:
        only = value.elements[0]
        if isinstance(only, cst.StarredDictElement) and is_plain(only.value):
            return only.value
    return None


def _parameters(function: cst.FunctionDef) -> set[str]:
    params = function.params
    return {p.name.value for p in (*params.posonly_params, *params.params, *params.kwonly_params)}


def _first_statement(function: cst.FunctionDef) -> cst.CSTNode | None:
    """The first statement behind the docstring."""
    body = function.body.body
    if not isinstance(function.body, cst.IndentedBlock):
        return None
    docstring = m.SimpleStatementLine(body=[m.Expr(value=m.OneOf(m.SimpleString(), m.ConcatenatedString()))])
    statements = list(body)
    if len(statements) > 1 and m.matches(statements[0], docstring):
        return statements[1]
    return statements[0] if statements else None
