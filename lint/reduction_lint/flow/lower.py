"""libcst -> flow-graph IR.

One :class:`Lowerer` per function. It walks the chosen fields of the tree by hand (no visitor, no metadata provider): that is
what keeps lowering several times cheaper than parsing. Expressions are lowered by :class:`ExpressionLowerer`; this module adds
statements and control flow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from reduction_lint.flow import ir
from reduction_lint.flow.lower_expr import ExpressionLowerer, annotation_text, code_of, literal
from reduction_lint.syntax.imports import bind_import


@dataclass(slots=True)
class _Loop:
    brk: int
    cont: int


@dataclass(slots=True)
class _Finally:
    """A ``finally`` suite that every exit through it runs; ``exc`` is where exceptions inside it go."""

    body: cst.BaseSuite
    exc: int | None


class Lowerer(ExpressionLowerer):
    """Lowers one function body (or module statements) into blocks."""

    def __init__(self, module: str = "", is_package: bool = False) -> None:
        super().__init__()
        self.module = module
        self.is_package = is_package
        self._frames: list[_Loop | _Finally] = []

    # -- statements -------------------------------------------------------------------------------------------------

    def suite(self, suite: cst.BaseSuite) -> None:
        """Lower an indented block or the statements after a colon."""
        if isinstance(suite, cst.SimpleStatementSuite):
            self.small_statements(suite.body, suite)
        else:
            self.statements(suite.body)

    def statements(self, body: Sequence[cst.CSTNode]) -> None:
        """Lower statements in order; what follows a jump is unreachable and skipped."""
        for statement in body:
            if self.current.end is not None:
                return
            self.statement(statement)

    def statement(self, node: cst.CSTNode) -> None:
        """Lower one statement."""
        if self.exc is not None and self.current.instrs:
            self.advance(self.new_block())
        if isinstance(node, cst.SimpleStatementLine):
            self._statement = node
            self.small_statements(node.body, node)
            self._statement = None
            return
        handler = getattr(self, "_do_" + type(node).__name__, None)
        if handler is not None:
            handler(node)

    def small_statements(self, body: Sequence[cst.BaseSmallStatement], owner: cst.CSTNode) -> None:
        for small in body:
            if self.current.end is not None:
                return
            self._small(small, owner)

    def _small(self, node: cst.BaseSmallStatement, owner: cst.CSTNode) -> None:
        if isinstance(node, cst.Expr):
            self._expression_statement(node.value)
        elif isinstance(node, cst.Assign):
            self._assign(node)
        elif isinstance(node, cst.AnnAssign):
            annotation = annotation_text(node.annotation.annotation)
            if node.value is not None:
                self.store(node.target, self.expr(node.value), self.site(node.value), annotation)
        elif isinstance(node, cst.AugAssign):
            self._augmented(node)
        elif isinstance(node, cst.Return):
            src = self.expr(node.value) if node.value is not None else None
            self._leave(None, ir.Return(src, self.site(node)))
        elif isinstance(node, cst.Raise):
            src = self.expr(node.exc) if node.exc is not None else None
            self.end(ir.Jump(self.exc) if self.exc is not None else ir.Raise(src, self.site(node)))
        elif isinstance(node, (cst.Break, cst.Continue)):
            self._loop_jump(isinstance(node, cst.Break))
        elif isinstance(node, cst.Del):
            targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
            for target in targets:
                self.delete(target, self.site(target))
        elif isinstance(node, cst.Assert):
            passed, failed = self.new_block(), self.new_block()
            self.condition(node.test, passed, failed)
            self.use(failed)
            self.end(ir.Jump(self.exc) if self.exc is not None else ir.Raise(None))
            self.use(passed)
        elif isinstance(node, (cst.Import, cst.ImportFrom)):
            self.emit(ir.Import(bind_import(node, self.module, self.is_package)))
        elif isinstance(node, (cst.Global, cst.Nonlocal)):
            self.function.globals.update(item.name.value for item in node.names)

    def _expression_statement(self, node: cst.BaseExpression) -> None:
        before = len(self.current.instrs)
        block = self.current
        self.expr(node)
        last = self.current.instrs[-1] if self.current.instrs else None
        if isinstance(last, ir.Call) and (block is not self.current or len(block.instrs) > before):
            last.used = False

    def _assign(self, node: cst.Assign) -> None:
        first = node.targets[0].target
        pairs = _pairwise(first, node.value) if len(node.targets) == 1 else None
        if pairs is not None:
            values = [(target, self.expr(value), self.site(value)) for target, value in pairs]
            for part, src, site in values:
                self.store(part, src, site)
            return
        src = self.expr(node.value)
        site = self.site(node.value)
        for target in node.targets:
            self.store(target.target, src, site)

    def _augmented(self, node: cst.AugAssign) -> None:
        left = self.expr(node.target)
        right = self.expr(node.value)
        dst = self.reg()
        op = type(node.operator).__name__.removesuffix("Assign")
        self.emit(ir.Bin(dst, op, left, right, True, self.site(node)))
        self.store(node.target, dst, self.site(node))

    # -- leaving ----------------------------------------------------------------------------------------------------

    def _leave(self, loop: _Loop | None, end: ir.Terminator) -> None:
        """Run the ``finally`` suites between here and ``loop`` (all of them for None), then end the block."""
        saved_frames, saved_exc = self._frames, self.exc
        frames = list(self._frames)
        while frames and frames[-1] is not loop:
            frame = frames.pop()
            if isinstance(frame, _Finally):
                self._frames, self.exc = list(frames), frame.exc
                self.advance(self.new_block())
                self.suite(frame.body)
                if self.current.end is not None:
                    break
        if self.current.end is None:
            self.end(end)
        self._frames, self.exc = saved_frames, saved_exc

    def _loop_jump(self, is_break: bool) -> None:
        loop = next((f for f in reversed(self._frames) if isinstance(f, _Loop)), None)
        if loop is not None:
            self._leave(loop, ir.Jump(loop.brk if is_break else loop.cont))

    # -- compound statements ----------------------------------------------------------------------------------------

    def _do_If(self, node: cst.If) -> None:
        done = self.new_block()
        while True:
            then, other = self.new_block(), self.new_block()
            self.condition(node.test, then, other)
            self.use(then)
            self.suite(node.body)
            self.fall_to(done)
            self.use(other)
            if isinstance(node.orelse, cst.If):
                node = node.orelse
                continue
            if node.orelse is not None:
                self.suite(node.orelse.body)
            self.fall_to(done)
            break
        self.use(done)

    def _do_While(self, node: cst.While) -> None:
        head, body, exhausted, done = (self.new_block() for _ in range(4))
        self.fall_to(head)
        self.use(head)
        self.current.loop_head = True
        self.condition(node.test, body, exhausted)
        self._loop(node.body, body, head, done)
        self.use(exhausted)
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self.fall_to(done)
        self.use(done)

    def _do_For(self, node: cst.For) -> None:
        src = self.expr(node.iter)
        head, body, exhausted, done = (self.new_block() for _ in range(4))
        self.fall_to(head)
        self.use(head)
        self.current.loop_head = True
        element = self.reg()
        self.end(ir.ForNext(src, element, body, exhausted, self.site(node.iter)))
        self.use(body)
        self.store(node.target, element, self.site(node.target))
        self._loop(node.body, self.current_id, head, done)
        self.use(exhausted)
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self.fall_to(done)
        self.use(done)

    def _loop(self, suite: cst.BaseSuite, body: int, head: int, done: int) -> None:
        self.use(body)
        self._frames.append(_Loop(done, head))
        self.suite(suite)
        self._frames.pop()
        self.fall_to(head)

    def _do_Try(self, node: cst.Try | cst.TryStar) -> None:
        outer = self.exc
        final = node.finalbody
        cleanup: int | None = None
        if final is not None:
            cleanup = self.new_block()
            self._frames.append(_Finally(final.body, outer))
        done = self.new_block()
        handlers_exc = cleanup if cleanup is not None else outer
        dispatch = self.new_block(handlers_exc) if node.handlers else handlers_exc
        self._with_exc(dispatch, lambda: self.suite(node.body))
        if self.current.end is None and node.orelse is not None:
            self._with_exc(handlers_exc, lambda: self.suite(node.orelse.body))
        after_body = self.current_id
        exits = [after_body]
        if node.handlers:
            assert dispatch is not None
            exits += self._handlers(node.handlers, dispatch, handlers_exc)
        if final is not None:
            self._frames.pop()
        for block in exits:
            self.use(block)
            if self.current.end is None:
                if final is not None:
                    self._with_exc(outer, lambda: self.suite(final.body))
                self.fall_to(done)
        if cleanup is not None and final is not None:
            self.use(cleanup)
            self.blocks[cleanup].exc = outer
            self._with_exc(outer, lambda: self.suite(final.body))
            if self.current.end is None:
                self.end(ir.Jump(outer) if outer is not None else ir.Raise(None))
        self.use(done)

    _do_TryStar = _do_Try

    def _handlers(
        self, handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler], dispatch: int, exc: int | None
    ) -> list[int]:
        starts, exits, catches_all = [], [], False
        for handler in handlers:
            start = self.new_block(exc)
            starts.append(start)
            self.use(start)
            if handler.name is not None and isinstance(handler.name.name, cst.Name):
                dst = self.reg()
                self.emit(ir.Unknown(dst, "exception"))
                self.emit(ir.SetName(handler.name.name.value, dst))
            self._with_exc(exc, lambda handler=handler: self.suite(handler.body))
            exits.append(self.current_id)
            kind = code_of(handler.type) if handler.type is not None else ""
            catches_all = catches_all or kind in ("", "Exception", "BaseException")
        if not catches_all:
            escape = self.new_block(exc)
            self.blocks[escape].end = ir.Jump(exc) if exc is not None else ir.Raise(None)
            starts.append(escape)
        self.blocks[dispatch].end = ir.Fork(tuple(starts), self.site(handlers[0]))
        return exits

    def _with_exc(self, exc: int | None, action: object) -> None:
        """Run ``action`` with exceptions going to ``exc``; the code before and after lies in other blocks."""
        saved = self.exc
        self.exc = exc
        self.advance(self.new_block())
        action()  # type: ignore[operator]
        self.exc = saved
        if self.current.end is None:
            self.advance(self.new_block())

    def _do_With(self, node: cst.With) -> None:
        managers: list[int] = []
        swallows = False
        for item in node.items:
            manager = self.expr(item.item)
            managers.append(manager)
            swallows = swallows or _suppresses(item.item)
            entered = self.reg()
            self.emit(ir.Call(entered, None, manager, "__enter__", (), (), awaited=node.asynchronous is not None))
            if item.asname is not None:
                self.store(item.asname.name, entered, self.site(item.item))
        if swallows:
            after = self.new_block()
            self._with_exc(after, lambda: self.suite(node.body))
            self.fall_to(after)
            self.use(after)
        else:
            self.suite(node.body)
        if self.current.end is None:
            for manager in reversed(managers):
                self.emit(ir.Call(self.reg(), None, manager, "__exit__", (), (), awaited=True, used=False))

    def _do_Match(self, node: cst.Match) -> None:
        subject = self.expr(node.subject)
        done = self.new_block()
        exhaustive = False
        for case in node.cases:
            body, following = self.new_block(), self.new_block()
            self._pattern(case.pattern, subject, body, following)
            self.use(body)
            if case.guard is not None:
                guarded = self.new_block()
                self.condition(case.guard, guarded, following)
                self.use(guarded)
            self.suite(case.body)
            self.fall_to(done)
            self.use(following)
            if case.guard is None and isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None:
                exhaustive = True
        if exhaustive:
            self.end(ir.Raise(None))
        else:
            self.fall_to(done)
        self.use(done)

    def _pattern(self, pattern: cst.MatchPattern, subject: ir.Reg, body: int, following: int) -> None:
        if isinstance(pattern, cst.MatchAs) and pattern.pattern is None:
            if pattern.name is not None:
                self.emit(ir.SetName(pattern.name.value, subject))
            self.end(ir.Jump(body))
            return
        if isinstance(pattern, cst.MatchValue):
            dst = self.reg()
            self.emit(ir.Compare(dst, "==", subject, self.expr(pattern.value)))
            self.end(ir.Branch(dst, body, following, self.site(pattern)))
            return
        if isinstance(pattern, cst.MatchOr) and all(isinstance(p.pattern, cst.MatchValue) for p in pattern.patterns):
            for option in pattern.patterns:
                other = self.new_block()
                self._pattern(option.pattern, subject, body, other)
                self.use(other)
            self.end(ir.Jump(following))
            return
        for name in _bound_names(pattern):
            dst = self.reg()
            self.emit(ir.Element(dst, subject))
            self.emit(ir.SetName(name, dst))
        self.end(ir.Fork((body, following), self.site(pattern)))

    def _do_FunctionDef(self, node: cst.FunctionDef) -> None:
        nested = lower_function(
            node, f"{self.function.qualname}.{node.name.value}", self.module, self.is_package, self.function
        )
        dst = self.reg()
        self.emit(ir.Func(dst, nested, self.site(node.name)))
        self.emit(ir.SetName(node.name.value, dst))

    def _do_ClassDef(self, node: cst.ClassDef) -> None:
        if isinstance(node.body, cst.IndentedBlock):
            for statement in node.body.body:
                if isinstance(statement, cst.FunctionDef):
                    qualname = f"{self.function.qualname}.{node.name.value}.{statement.name.value}"
                    lower_function(statement, qualname, self.module, self.is_package, self.function)
        dst = self.reg()
        self.emit(ir.Unknown(dst, "class"))
        self.emit(ir.SetName(node.name.value, dst))


def _pairwise(
    target: cst.BaseExpression, value: cst.BaseExpression
) -> list[tuple[cst.BaseExpression, cst.BaseExpression]] | None:
    """Pair ``a, b = x, y`` element by element; None when the shapes differ."""
    if not isinstance(target, (cst.Tuple, cst.List)) or not isinstance(value, (cst.Tuple, cst.List)):
        return None
    if len(target.elements) != len(value.elements):
        return None
    elements = [*target.elements, *value.elements]
    if any(isinstance(e, cst.StarredElement) for e in elements):
        return None
    return [(t.value, v.value) for t, v in zip(target.elements, value.elements, strict=True)]


def _suppresses(node: cst.BaseExpression) -> bool:
    """Does this context manager swallow exceptions? ``contextlib.suppress`` and what is named like it."""
    if not isinstance(node, cst.Call):
        return False
    func = node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""
    return name in ("suppress", "ignored", "suppress_errors", "ignore_errors")


def _bound_names(pattern: cst.CSTNode) -> list[str]:
    """All capture names inside a match pattern."""
    names: list[str] = []
    stack: list[cst.CSTNode] = [pattern]
    while stack:
        node = stack.pop()
        name = getattr(node, "name", None)
        if isinstance(node, (cst.MatchAs, cst.MatchStar)) and isinstance(name, cst.Name):
            names.append(name.value)
        rest = getattr(node, "rest", None)
        if isinstance(rest, cst.Name):
            names.append(rest.value)
        stack.extend(child for child in node.children if not isinstance(child, cst.BaseExpression))
    return names


def lower_function(
    node: cst.FunctionDef,
    qualname: str,
    module: str,
    is_package: bool = False,
    parent: ir.Function | None = None,
) -> ir.Function:
    """Lower a ``def``; nested functions are appended to ``parent.nested``."""
    lowerer = Lowerer(module, is_package)
    function = lowerer.function
    function.name = node.name.value
    function.qualname = qualname
    function.is_async = node.asynchronous is not None
    function.decorators = tuple(code_of(d.decorator) for d in node.decorators)
    function.returns = annotation_text(node.returns.annotation) if node.returns is not None else ""
    function.params = _params(node.params)
    function.parent = parent
    if parent is not None:
        parent.nested.append(function)
    lowerer.suite(node.body)
    return lowerer.finish()


def lower_statements(body: Sequence[cst.CSTNode], module: str, is_package: bool = False) -> ir.Function:
    """Lower module-level (or class-level) statements as the function ``<module>``."""
    lowerer = Lowerer(module, is_package)
    lowerer.function.name = lowerer.function.qualname = "<module>"
    lowerer.statements(body)
    return lowerer.finish()


def _params(params: cst.Parameters) -> list[ir.Param]:
    result = [_param(p, "positional") for p in (*params.posonly_params, *params.params)]
    if isinstance(params.star_arg, cst.Param):
        result.append(_param(params.star_arg, "args"))
    result += [_param(p, "keyword") for p in params.kwonly_params]
    if params.star_kwarg is not None:
        result.append(_param(params.star_kwarg, "kwargs"))
    return result


def _param(node: cst.Param, kind: str) -> ir.Param:
    annotation = annotation_text(node.annotation.annotation) if node.annotation is not None else ""
    default = literal(node.default) if node.default is not None else ()
    return ir.Param(node.name.value, annotation, default, node.default is not None, kind)
