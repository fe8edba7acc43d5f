"""Is a turn marked where its answer was said to another prompt?"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.banned.prompts import users_of
from reduction_lint.checks.reading import Frame, Page, is_none, last_name
from reduction_lint.knowledge.models import Models


def is_marked(node: ast.Return, frame: Frame, models: Models) -> bool:
    """Does every path to a return pass a write of the mark, or does the returned value carry one?"""
    if node.value is not None and carries_mark(node.value, frame, models):
        return True
    return any(_marks(statement, frame, models) for statement in before(node, frame))


def before(node: ast.AST, frame: Frame) -> Iterator[ast.stmt]:
    """The statements that have run in full when control reaches a node: those before it in its block and in the blocks
    around it."""
    current = node
    for above in frame.page.ancestors(node):
        for body in _bodies(above):
            if current in body:
                yield from body[: body.index(current)]
        if above is frame.node:
            return
        current = above


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body


def _marks(statement: ast.stmt, frame: Frame, models: Models) -> bool:
    """Does a statement store a mark for certain? A test whether a sidecar is attached may stand around it."""
    if isinstance(statement, (ast.If, ast.Try, ast.With, ast.AsyncWith)):
        if isinstance(statement, ast.If) and not _asks_for_sidecar(statement.test, models):
            return False
        if isinstance(statement, ast.Try) and statement.handlers and not _all_leave(statement):
            return False
        return any(_marks(inner, frame, models) for inner in statement.body)
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        targets: list[ast.expr] = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return any(_is_mark_target(target, models) for target in targets) or _stores_mark(
            targets, statement, frame, models
        )
    return any(writes_mark(call, frame, models) for call in ast.walk(statement) if isinstance(call, ast.Call))


def _all_leave(statement: ast.Try) -> bool:
    return all(handler.body and isinstance(handler.body[-1], (ast.Raise, ast.Return)) for handler in statement.handlers)


def _asks_for_sidecar(test: ast.expr, models: Models) -> bool:
    names = [last_name(n) for n in ast.walk(test) if isinstance(n, (ast.Name, ast.Attribute))]
    return bool(names) and all(models.is_sidecar(name) or name == "self" for name in names)


def _is_mark_target(target: ast.expr, models: Models) -> bool:
    """``turn.metadata["substituted"] = …``, ``turn.cache_hit = True``: a field of something that lives on."""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return models.caches.names.marks.match(str(target.slice.value))
    return isinstance(target, ast.Attribute) and models.caches.names.marks.match(target.attr)


def _stores_mark(targets: list[ast.expr], statement: ast.stmt, frame: Frame, models: Models) -> bool:
    """``self.metadata[turn] = {"substituted": True}``."""
    value = getattr(statement, "value", None)
    kept = any(isinstance(target, (ast.Subscript, ast.Attribute)) for target in targets)
    return kept and isinstance(value, ast.expr) and carries_mark(value, frame, models)


def writes_mark(call: ast.Call, frame: Frame, models: Models) -> bool:
    """``sidecar.set_metadata(turn, {"substituted": True})`` and the like; logging and metrics mark nothing."""
    name = last_name(call)
    receiver = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if models.names.loggers.match(receiver) or not models.caches.names.mark_writers.match(name):
        return False
    return any(carries_mark(value, frame, models) for value in (*call.args, *(k.value for k in call.keywords))) or any(
        keyword.arg is not None and models.caches.names.marks.match(keyword.arg) for keyword in call.keywords
    ) or models.caches.names.marks.match(name)  # fmt: skip


def carries_mark(value: ast.expr, frame: Frame, models: Models, depth: int = 0) -> bool:
    """Does a value hold a mark: a key, a keyword, a name or a True beside the answer; also through a function that makes it?"""
    marks = models.caches.names.marks
    if isinstance(value, ast.Tuple) and any(isinstance(e, ast.Constant) and e.value is True for e in value.elts):
        return True
    for node, scope in frame.page.origins(value, frame, 200):
        if isinstance(node, ast.Dict) and any(_is_mark_key(key, models) for key in node.keys):
            return True
        if isinstance(node, ast.keyword) and node.arg is not None and marks.match(node.arg) and not _is_off(node.value):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and marks.match(node.value) and depth == 0:
            parent = scope.page.parents.get(node)
            if not isinstance(parent, ast.Subscript):
                return True
        if isinstance(node, ast.Call) and depth < 3 and _made_with_mark(node, scope, models, depth):
            return True
    return False


def _is_mark_key(key: ast.expr | None, models: Models) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str) and models.caches.names.marks.match(key.value)


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _made_with_mark(call: ast.Call, frame: Frame, models: Models, depth: int) -> bool:
    function = function_of(call.func, frame)
    return function is not None and any(
        returned.value is not None and carries_mark(returned.value, function, models, depth + 1)
        for returned in returns_of(function)
    )


def function_of(node: ast.AST, frame: Frame) -> Frame | None:
    """The function of the project that an expression names: nested, of the module, a method, or imported."""
    page = frame.page
    if isinstance(node, ast.Name):
        scope: Frame | None = frame
        while scope is not None:
            wanted = f"{scope.qualname}.{node.id}" if scope.qualname else node.id
            found = next((f for f in page.functions() if f.qualname == wanted), None)
            if found is not None:
                return found
            scope = scope.parent
    dotted = page.qualified(node, frame)
    found_at = page.pages.locate(dotted) if dotted else None
    if found_at is None:
        return None
    owner, name = found_at
    return next((f for f in owner.functions() if f.qualname == name), None)


def returns_of(function: Frame) -> list[ast.Return]:
    """The returns of a function with a value that is not None, without those of functions inside it."""
    page = function.page
    return [
        node
        for node in ast.walk(function.node)
        if isinstance(node, ast.Return) and not is_none(node.value) and page.frame_of(node) is function
    ]


def callers_mark(function: Frame, models: Models) -> bool:
    """Do all callers of a look-up function, if there are any, mark the turn?"""
    callers = [user for user in users_of(function.name, function.page) if user is not function]
    return bool(callers) and all(
        any(
            isinstance(node, ast.stmt) and _writes_somewhere(node, user, models)
            for node in getattr(user.node, "body", ())
        )
        for user in callers
    )


def _writes_somewhere(statement: ast.stmt, frame: Frame, models: Models) -> bool:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and writes_mark(node, frame, models):
            return True
        if isinstance(node, ast.Assign) and any(_is_mark_target(target, models) for target in node.targets):
            return True
    return False


def stores_library_flag(page: Page, flags: tuple[str, ...], models: Models) -> bool:
    """Does a function read the flag by which a library tells a hit, and store a mark?"""
    for function in page.functions():
        nodes = list(ast.walk(function.node))
        told = any(
            (isinstance(n, ast.Attribute) and n.attr in flags)
            or (isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value in flags)
            for n in nodes
        )
        if told and any(_writes_somewhere(s, function, models) for s in getattr(function.node, "body", ())):
            return True
    return False
