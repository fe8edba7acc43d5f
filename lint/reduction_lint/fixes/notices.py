"""Repairs of cut text that does not say so: an honest notice in the text, or beside it."""

from __future__ import annotations

import re

import libcst as cst

from reduction_lint.findings import Edit, Fix, Range
from reduction_lint.fixes.request import Request, is_plain, same_code, walk

_STRUCTURED = re.compile(
    r"json|code|script|diff|patch|source|argument|payload|xml|yaml|toml|html|csv|file|body|config|sql", re.I
)
_WEAK = ("...", "\u2026", "[...]", "[\u2026]", "<...>", "..")
_DUMPS = re.compile(r"dumps|model_dump_json|to_json|tojson|read_text|\.read\(|unparse")


def add_notice(request: Request) -> list[Fix]:
    """RL201: say in the text, or beside it, that it was cut and whether the rest is kept."""
    cut = request.node if isinstance(request.node, cst.Subscript) else _cut_in(request.node)
    limit = None if cut is None else _limit(cut)
    if cut is None or limit is None or not is_plain(cut.value):
        return []
    notice = _escaped(f"truncated; {request.notices[0 if request.captured else 1]}")
    if _is_structured(request, cut):
        return _beside(request, cut, limit, notice)
    whole, shortened, target = _forms(request, cut)
    if whole is None or (target is cut and _is_list(request, cut.value)):
        return []
    said = f'"[{notice}]\\n" + {shortened}' if _tail(cut) else f'{shortened} + "\\n[{notice}]"'
    test = f"len({request.code(cut.value)}) <= {limit}"
    if _only_when_longer(request, cut):
        content = said
    elif isinstance(target, cst.FormattedString):
        text = f'("" if {test} else "\\n[{notice}]")'
        content = f"{text} + {whole}" if _tail(cut) else f"{whole} + {text}"
    else:
        content = f"{whole} if {test} else {said}"
    if not isinstance(request.parents.get(target), _STANDS_ALONE):
        content = f"({content})"
    return [Fix("Say in the text that it was cut", "unsafe", (request.replace(target, content),))]


_STANDS_ALONE = (cst.Arg, cst.Assign, cst.AnnAssign, cst.Return, cst.DictElement)
"""Parents in which an expression needs no parentheses."""


def _cut_in(node: cst.CSTNode) -> cst.Subscript | None:
    """The only cut of an expression that joins cut lines."""
    found = [n for n in walk(node) if isinstance(n, cst.Subscript) and _limit(n) is not None]
    return found[0] if len(found) == 1 else None


def _forms(request: Request, cut: cst.Subscript) -> tuple[str | None, str, cst.BaseExpression]:
    """The code of the whole text, of the shortened one, and the expression in whose place both go.

    That is the cut itself, the ``join`` of cut lines, the f-string around it, or the cut with its bare ellipsis.
    """
    name = request.code(cut.value)
    for node in request.above(cut):
        if isinstance(node, cst.FormattedString):
            outer = request.parents.get(node)
            if isinstance(outer, (cst.ConcatenatedString, cst.FormattedStringExpression)):
                return None, "", cut
            return request.code(node), request.code(node), node
        if isinstance(node, cst.BaseStatement):
            break
    parent = request.parents.get(cut)
    if isinstance(parent, cst.Arg):
        call = request.parents.get(parent)
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "join":
            return f"{request.code(call.func)}({name})", request.code(call), call
    if isinstance(parent, cst.BinaryOperation) and parent.left is cut and isinstance(parent.operator, cst.Add):
        if isinstance(parent.right, cst.SimpleString) and parent.right.raw_value.strip() in _WEAK:
            return name, request.code(cut), parent
    return name, request.code(cut), cut


def _is_list(request: Request, value: cst.BaseExpression) -> bool:
    """Is this a list of lines or parts, to which no text can be added?"""
    scope = request.function(value) or request.parsed.module
    assert scope is not None
    for node in walk(scope):
        if isinstance(node, cst.Assign) and any(same_code(target.target, value) for target in node.targets):
            made = request.code(node.value)
            if made.startswith("[") or re.search(r"\.(split|splitlines|readlines)\(|^(list|sorted)\(", made):
                return True
    return bool(re.search(r"(lines|items|parts|rows|pages|chunks|words|tokens|list)$", request.code(value), re.I))


def _limit(cut: cst.Subscript) -> str | None:
    """The number of characters that ``text[:n]`` or ``text[-n:]`` keeps, as code."""
    part = cut.slice[0].slice if len(cut.slice) == 1 else None
    if not isinstance(part, cst.Slice) or part.step is not None:
        return None
    bound = part.upper if part.lower is None else part.lower if part.upper is None else None
    if part.lower is not None and bound is not None:
        if not isinstance(bound, cst.UnaryOperation) or not isinstance(bound.operator, cst.Minus):
            return None
        bound = bound.expression
    if isinstance(bound, cst.Integer) or (bound is not None and is_plain(bound)):
        return cst.Module([]).code_for_node(bound)
    return None


def _tail(cut: cst.Subscript) -> bool:
    part = cut.slice[0].slice
    return isinstance(part, cst.Slice) and part.lower is not None


def _only_when_longer(request: Request, cut: cst.Subscript) -> bool:
    """Does the cut stand where a test has found the text too long?"""
    inner: cst.CSTNode = cut
    for node in request.above(cut):
        if isinstance(node, cst.If) and inner is node.body and _tests_length(node.test, cut.value):
            return True
        if isinstance(node, cst.IfExp) and inner is not node.test:
            longer = _LONGER if inner is node.body else _SHORTER
            if _tests_length(node.test, cut.value, longer):
                return True
        if isinstance(node, (cst.FunctionDef, cst.Lambda)):
            return False
        inner = node
    return False


_LONGER = (cst.GreaterThan, cst.GreaterThanEqual)
_SHORTER = (cst.LessThan, cst.LessThanEqual)


def _tests_length(
    test: cst.BaseExpression, value: cst.BaseExpression, wanted: tuple[type[cst.CSTNode], ...] = _LONGER
) -> bool:
    """``len(value) > …``"""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    left, operator = test.left, test.comparisons[0].operator
    is_length = isinstance(left, cst.Call) and isinstance(left.func, cst.Name) and left.func.value == "len"
    return is_length and isinstance(operator, wanted) and any(same_code(n, value) for n in walk(left))


def _is_structured(request: Request, cut: cst.Subscript) -> bool:
    """Is the text JSON, code, tool arguments or the content of a file, which a notice inside would spoil?"""
    name = request.code(cut.value)
    if _STRUCTURED.search(name):
        return True
    function = request.function(cut)
    scope = function if function is not None else request.parsed.module
    if scope is None:
        return False
    made = (n for n in walk(scope) if isinstance(n, cst.Assign))
    return any(
        any(same_code(target.target, cut.value) for target in assign.targets)
        and _DUMPS.search(request.code(assign.value))
        for assign in made
    )


def _beside(request: Request, cut: cst.Subscript, limit: str, notice: str) -> list[Fix]:
    """An entry next to the text in its message, true exactly when the text was cut."""
    element = request.parents.get(cut)
    table = request.parents.get(element) if element is not None else None
    if not isinstance(element, cst.DictElement) or element.value is not cut or not isinstance(table, cst.Dict):
        return []
    if any(isinstance(e, cst.DictElement) and "notice" in request.code(e.key) for e in table.elements):
        return []
    text = f'"{notice}"'
    if not _only_when_longer(request, cut):
        text = f'{text} if len({request.code(cut.value)}) > {limit} else ""'
    end = request.range_of(cut).end
    edit = Edit(request.finding.path, Range(end, end), f', "notice": {text}')
    return [Fix("Say beside the text that it was cut", "unsafe", (edit,))]


def true_notice(request: Request) -> list[Fix]:
    """RL202: make the notice in the reduced statement say what holds there."""
    line = request.line_of(request.node) or request.statement
    if line is None:
        return []
    notice = request.notices[0 if request.captured else 1]
    literals = [n for n in walk(line) if isinstance(n, (cst.SimpleString, cst.FormattedStringText))]
    claims = [n for n in literals if _CLAIM.search(n.value)]
    if len(claims) != 1:
        return []
    text = claims[0].value
    changed = _CLAIM.sub(lambda match: _escaped(notice), text, count=1)
    return [Fix("Say what is true about the rest", "unsafe", (request.replace(claims[0], changed),))]


_CLAIM = re.compile(
    r"(?:the )?(?:full|complete|whole|original|rest)\b[^\]\[.;{}\"'\\]*?"
    r"(?:sidecar|session log|archive|saved|stored|kept|retained|written|available|disk|log)\b[^\]\[.;{}\"'\\]*",
    re.I,
)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'").replace("{", "(").replace("}", ")")
