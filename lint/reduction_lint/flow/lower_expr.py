"""Expressions and the block bookkeeping shared by all lowering."""

from __future__ import annotations

import ast
import re

import libcst as cst

from reduction_lint.flow import ir

_PRECISION = re.compile(r"^[^.]*\.(\d+)s?$")
_EMPTY = cst.Module([])
_COMPARE = {
    "Equal": "==", "NotEqual": "!=", "LessThan": "<", "LessThanEqual": "<=", "GreaterThan": ">",
    "GreaterThanEqual": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip


def code_of(node: cst.CSTNode) -> str:
    """The source text of a node."""
    if isinstance(node, cst.Name):
        return node.value
    return _EMPTY.code_for_node(node)


def annotation_text(node: cst.BaseExpression) -> str:
    """The text of an annotation; a quoted annotation without its quotes."""
    if isinstance(node, cst.SimpleString):
        value = node.evaluated_value
        return value if isinstance(value, str) else ""
    return code_of(node)


def literal(node: cst.BaseExpression) -> tuple[object, ...]:
    """The value of a literal as a 1-tuple, or ``()`` for what is none."""
    if isinstance(node, cst.Name) and node.value in ("True", "False", "None"):
        return ({"True": True, "False": False, "None": None}[node.value],)
    if isinstance(node, (cst.Integer, cst.Float)):
        return (ast.literal_eval(node.value),)
    if isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        try:
            return (node.evaluated_value,) if node.evaluated_value is not None else ()
        except (ValueError, SyntaxError, UnicodeError):
            return ()
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = literal(node.expression)
        return (-inner[0],) if inner and isinstance(inner[0], (int, float)) else ()
    return ()


class ExpressionLowerer:
    """Holds the blocks under construction and lowers expressions into the current one."""

    def __init__(self) -> None:
        self.function = ir.Function("", "", [], [], [])
        self.blocks: list[ir.Block] = self.function.blocks
        self.exc: int | None = None
        self._registers = 0
        self._renames: list[dict[str, str]] = []
        self._comprehensions = 0
        self._statement: cst.CSTNode | None = None
        self._sites: dict[cst.CSTNode, int] = {}
        self.current_id = self.new_block()

    # -- blocks -----------------------------------------------------------------------------------------------------

    @property
    def current(self) -> ir.Block:
        """The block that instructions go to."""
        return self.blocks[self.current_id]

    def new_block(self, exc: int | None = None) -> int:
        """Add an empty block; exceptions in it go to ``exc`` or to the current handler."""
        self.blocks.append(ir.Block(exc=exc if exc is not None else self.exc))
        return len(self.blocks) - 1

    def use(self, block: int) -> None:
        """Go on in ``block``."""
        self.current_id = block

    def end(self, terminator: ir.Terminator) -> None:
        """End the current block unless something already left it."""
        if self.current.end is None:
            self.current.end = terminator

    def fall_to(self, block: int) -> None:
        """Jump to ``block`` unless the current block has already ended."""
        self.end(ir.Jump(block))

    def advance(self, block: int) -> None:
        """Jump to ``block`` and go on there."""
        self.fall_to(block)
        self.use(block)

    def finish(self) -> ir.Function:
        """Close all open blocks and hand out the function."""
        for block in self.blocks:
            if block.end is None:
                block.end = ir.Return(None)
        return self.function

    def emit(self, instr: ir.Instr) -> None:
        """Append an instruction."""
        block = self.current
        block.instrs.append(instr)
        if isinstance(instr, (ir.Call, ir.Await, ir.Item, ir.Yield)):
            block.may_raise = True

    def reg(self) -> ir.Reg:
        """A fresh register."""
        self._registers += 1
        return self._registers

    def site(self, node: cst.CSTNode) -> int:
        """Remember a node that a finding may point at, with the statement it belongs to."""
        known = self._sites.get(node)
        if known is None:  # a finally suite is lowered once for every way out: one site all the same
            known = self._sites[node] = len(self.function.sites)
            self.function.sites.append((node, self._statement))
        return known

    # -- stores -----------------------------------------------------------------------------------------------------

    def store(self, target: cst.CSTNode, src: ir.Reg, site: int, annotation: str = "") -> None:
        """Assign ``src`` to a target expression."""
        if isinstance(target, cst.Name):
            self.emit(ir.SetName(self._renamed(target.value), src, site))
        elif isinstance(target, cst.Attribute):
            self.emit(ir.SetAttr(self.expr(target.value), target.attr.value, src, site, annotation))
        elif isinstance(target, cst.Subscript):
            obj = self.expr(target.value)
            part = _single_slice(target)
            if part is not None:
                lower, upper, step = self._bounds(part)
                self.emit(ir.SetSlice(obj, lower, upper, step, src, site))
            else:
                self.emit(ir.SetItem(obj, self._key(target), src, site))
        elif isinstance(target, (cst.Tuple, cst.List)):
            for index, element in enumerate(target.elements):
                dst = self.reg()
                starred = isinstance(element, cst.StarredElement)
                self.emit(ir.Element(dst, src, -1 if starred else index, len(target.elements), site))
                self.store(element.value, dst, site)
        elif isinstance(target, cst.StarredElement):
            self.store(target.value, src, site)

    def delete(self, target: cst.CSTNode, site: int) -> None:
        """Lower ``del target``."""
        if isinstance(target, cst.Attribute):
            self.emit(ir.DelAttr(self.expr(target.value), target.attr.value, site))
        elif isinstance(target, cst.Subscript):
            obj = self.expr(target.value)
            part = _single_slice(target)
            if part is not None:
                self.emit(ir.DelSlice(obj, *self._bounds(part), site=site))
            else:
                self.emit(ir.DelItem(obj, self._key(target), site))

    # -- conditions -------------------------------------------------------------------------------------------------

    def condition(self, node: cst.BaseExpression, true: int, false: int) -> None:
        """Branch on an expression, splitting and/or/not into edges."""
        if isinstance(node, cst.BooleanOperation):
            middle = self.new_block()
            if isinstance(node.operator, cst.And):
                self.condition(node.left, middle, false)
            else:
                self.condition(node.left, true, middle)
            self.use(middle)
            self.condition(node.right, true, false)
        elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            self.condition(node.expression, false, true)
        else:
            cond = self.expr(node)
            self.end(ir.Branch(cond, true, false, self.site(node)))

    # -- expressions ------------------------------------------------------------------------------------------------

    def expr(self, node: cst.BaseExpression) -> ir.Reg:
        """Lower an expression and return the register that holds its value."""
        handler = getattr(self, "_x_" + type(node).__name__, None)
        if handler is not None:
            result: ir.Reg = handler(node)
            return result
        return self._unknown(type(node).__name__, node)

    def _unknown(self, hint: str, node: cst.CSTNode | None = None) -> ir.Reg:
        dst = self.reg()
        self.emit(ir.Unknown(dst, hint, self.site(node) if node is not None else ir.NO_SITE))
        return dst

    def _const(self, value: object) -> ir.Reg:
        dst = self.reg()
        self.emit(ir.Const(dst, value))
        return dst

    def _renamed(self, name: str) -> str:
        for scope in reversed(self._renames):
            if name in scope:
                return scope[name]
        return name

    def _x_Name(self, node: cst.Name) -> ir.Reg:
        if node.value in ("True", "False", "None"):
            return self._const({"True": True, "False": False, "None": None}[node.value])
        dst = self.reg()
        self.emit(ir.Name(dst, self._renamed(node.value), self.site(node)))
        return dst

    def _x_Integer(self, node: cst.BaseExpression) -> ir.Reg:
        value = literal(node)
        return self._const(value[0]) if value else self._unknown("number", node)

    _x_Float = _x_Integer

    def _x_SimpleString(self, node: cst.SimpleString | cst.ConcatenatedString) -> ir.Reg:
        value = literal(node)
        if value:
            dst = self.reg()
            self.emit(ir.Const(dst, value[0], self.site(node)))
            return dst
        if isinstance(node, cst.ConcatenatedString):
            return self._fstring([node.left, node.right], node)
        return self._unknown("string", node)

    _x_ConcatenatedString = _x_SimpleString

    def _x_FormattedString(self, node: cst.FormattedString) -> ir.Reg:
        return self._fstring([node], node)

    def _fstring(self, nodes: list[cst.BaseExpression], owner: cst.CSTNode) -> ir.Reg:
        items: list[ir.Reg] = []
        for node in nodes:
            if isinstance(node, cst.FormattedString):
                for part in node.parts:
                    if isinstance(part, cst.FormattedStringText):
                        items.append(self._const(part.value))
                    elif isinstance(part, cst.FormattedStringExpression):
                        items.append(self._formatted(part))
            else:
                items.append(self.expr(node))
        dst = self.reg()
        self.emit(ir.Build(dst, "fstring", tuple(items), site=self.site(owner)))
        return dst

    def _formatted(self, part: cst.FormattedStringExpression) -> ir.Reg:
        value = self.expr(part.expression)
        spec = "".join(s.value for s in part.format_spec or () if isinstance(s, cst.FormattedStringText))
        precision = _PRECISION.match(spec)
        if precision is None:
            return value
        dst = self.reg()
        upper = self._const(int(precision.group(1)))
        self.emit(ir.Slice(dst, value, None, upper, None, self.site(part.expression)))
        return dst

    def _x_Attribute(self, node: cst.Attribute) -> ir.Reg:
        obj = self.expr(node.value)
        dst = self.reg()
        self.emit(ir.Attr(dst, obj, node.attr.value, self.site(node)))
        return dst

    def _x_Subscript(self, node: cst.Subscript) -> ir.Reg:
        obj = self.expr(node.value)
        part = _single_slice(node)
        dst = self.reg()
        if part is not None:
            lower, upper, step = self._bounds(part)
            self.emit(ir.Slice(dst, obj, lower, upper, step, self.site(node)))
        else:
            self.emit(ir.Item(dst, obj, self._key(node), self.site(node)))
        return dst

    def _bounds(self, part: cst.Slice) -> tuple[ir.Reg | None, ir.Reg | None, ir.Reg | None]:
        lower = self.expr(part.lower) if part.lower is not None else None
        upper = self.expr(part.upper) if part.upper is not None else None
        step = self.expr(part.step) if part.step is not None else None
        return lower, upper, step

    def _key(self, node: cst.Subscript) -> ir.Reg:
        if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
            return self.expr(node.slice[0].slice.value)
        return self._unknown("key", node)

    def _x_Call(self, node: cst.Call) -> ir.Reg:
        return self._call(node, awaited=False)

    def _call(self, node: cst.Call, awaited: bool) -> ir.Reg:
        func: ir.Reg | None = None
        recv: ir.Reg | None = None
        method = ""
        if isinstance(node.func, cst.Attribute):
            recv = self.expr(node.func.value)
            method = node.func.attr.value
        else:
            func = self.expr(node.func)
        args: list[tuple[ir.Reg, bool]] = []
        kwargs: list[tuple[str | None, ir.Reg]] = []
        for arg in node.args:
            value = self.expr(arg.value)
            if arg.keyword is not None:
                kwargs.append((arg.keyword.value, value))
            elif arg.star == "**":
                kwargs.append((None, value))
            else:
                args.append((value, arg.star == "*"))
        dst = self.reg()
        self.emit(ir.Call(dst, func, recv, method, tuple(args), tuple(kwargs), awaited, True, self.site(node)))
        return dst

    def _x_Await(self, node: cst.Await) -> ir.Reg:
        if isinstance(node.expression, cst.Call):
            return self._call(node.expression, awaited=True)
        src = self.expr(node.expression)
        dst = self.reg()
        self.emit(ir.Await(dst, src, self.site(node)))
        return dst

    def _x_Yield(self, node: cst.Yield) -> ir.Reg:
        self.function.is_generator = True
        value = node.value
        src: ir.Reg | None = None
        if isinstance(value, cst.From):
            whole = self.expr(value.item)
            src = self.reg()
            self.emit(ir.Element(src, whole))
        elif value is not None:
            src = self.expr(value)
        dst = self.reg()
        self.emit(ir.Yield(dst, src, self.site(node)))
        return dst

    def _display(self, node: cst.List | cst.Tuple | cst.Set, kind: str) -> ir.Reg:
        items = tuple(self.expr(e.value) for e in node.elements)
        starred = tuple(isinstance(e, cst.StarredElement) for e in node.elements)
        dst = self.reg()
        self.emit(ir.Build(dst, kind, items, (), starred, self.site(node)))
        return dst

    def _x_List(self, node: cst.List) -> ir.Reg:
        return self._display(node, "list")

    def _x_Tuple(self, node: cst.Tuple) -> ir.Reg:
        return self._display(node, "tuple")

    def _x_Set(self, node: cst.Set) -> ir.Reg:
        return self._display(node, "set")

    def _x_Dict(self, node: cst.Dict) -> ir.Reg:
        items: list[ir.Reg] = []
        keys: list[ir.Reg | None] = []
        for element in node.elements:
            keys.append(self.expr(element.key) if isinstance(element, cst.DictElement) else None)
            items.append(self.expr(element.value))
        dst = self.reg()
        self.emit(ir.Build(dst, "dict", tuple(items), tuple(keys), site=self.site(node)))
        return dst

    def _x_BinaryOperation(self, node: cst.BinaryOperation) -> ir.Reg:
        # long sums nest to the left thousands of levels deep: walk them iteratively
        chain: list[cst.BinaryOperation] = []
        current: cst.BaseExpression = node
        while isinstance(current, cst.BinaryOperation):
            chain.append(current)
            current = current.left
        left = self.expr(current)
        for operation in reversed(chain):
            right = self.expr(operation.right)
            dst = self.reg()
            op = type(operation.operator).__name__
            self.emit(ir.Bin(dst, op, left, right, False, self.site(operation)))
            left = dst
        return left

    def _x_UnaryOperation(self, node: cst.UnaryOperation) -> ir.Reg:
        value = literal(node)
        if value:
            return self._const(value[0])
        src = self.expr(node.expression)
        dst = self.reg()
        if isinstance(node.operator, cst.Not):
            self.emit(ir.Compare(dst, "not", src, None, self.site(node)))
        else:
            self.emit(ir.Bin(dst, type(node.operator).__name__, src, src, False, self.site(node)))
        return dst

    def _x_Comparison(self, node: cst.Comparison) -> ir.Reg:
        left = self.expr(node.left)
        result = left
        for target in node.comparisons:
            right = self.expr(target.comparator)
            result = self.reg()
            op = _COMPARE.get(type(target.operator).__name__, "?")
            self.emit(ir.Compare(result, op, left, right, self.site(node)))
            left = right
        return result

    def _x_BooleanOperation(self, node: cst.BooleanOperation) -> ir.Reg:
        chain = [node]
        while isinstance(chain[-1].left, cst.BooleanOperation):
            chain.append(chain[-1].left)
        dst, done = self.reg(), self.new_block()
        self.emit(ir.Move(dst, self.expr(chain[-1].left)))
        for operation in reversed(chain):
            more, skip = self.new_block(), self.new_block()
            pair = (more, skip) if isinstance(operation.operator, cst.And) else (skip, more)
            self.end(ir.Branch(dst, *pair, self.site(operation.left)))
            self.use(more)
            self.emit(ir.Move(dst, self.expr(operation.right)))
            self.fall_to(skip)
            self.use(skip)
        self.advance(done)
        return dst

    def _x_IfExp(self, node: cst.IfExp) -> ir.Reg:
        dst = self.reg()
        then, other, done = self.new_block(), self.new_block(), self.new_block()
        self.condition(node.test, then, other)
        for block, value in ((then, node.body), (other, node.orelse)):
            self.use(block)
            self.emit(ir.Move(dst, self.expr(value)))
            self.fall_to(done)
        self.use(done)
        return dst

    def _x_NamedExpr(self, node: cst.NamedExpr) -> ir.Reg:
        src = self.expr(node.value)
        self.store(node.target, src, self.site(node.value))
        return src

    def _x_Lambda(self, node: cst.Lambda) -> ir.Reg:
        from reduction_lint.flow.lower import Lowerer, _params

        inner = Lowerer()
        inner.function.name = "<lambda>"
        inner.function.qualname = f"{self.function.qualname}.<lambda>"
        inner.function.params = _params(node.params)
        inner.function.parent = self.function
        inner.end(ir.Return(inner.expr(node.body), inner.site(node.body)))
        dst = self.reg()
        self.emit(ir.Func(dst, inner.finish(), self.site(node)))
        return dst

    # -- comprehensions ---------------------------------------------------------------------------------------------

    def _comprehension(self, node: cst.BaseSimpleComp | cst.DictComp, kind: str) -> ir.Reg:
        self._comprehensions += 1
        first_site = len(self.function.sites)
        self._renames.append({})
        sources: list[ir.Reg] = []
        conds: list[ir.Reg] = []
        clause: cst.CompFor | None = node.for_in
        while clause is not None:
            src = self.expr(clause.iter)
            sources.append(src)
            for name in _target_names(clause.target):
                self._renames[-1][name] = f"{name}@{self._comprehensions}"
            element = self.reg()
            self.emit(ir.Element(element, src, site=self.site(clause.iter)))
            self.store(clause.target, element, self.site(clause.target))
            conds += [reg for test in clause.ifs for reg in self._tests(test.test)]
            clause = clause.inner_for_in
        key = self.expr(node.key) if isinstance(node, cst.DictComp) else None
        elt = self.expr(node.value if isinstance(node, cst.DictComp) else node.elt)
        self._renames.pop()
        dst = self.reg()
        site = self.site(node)
        self.emit(ir.Comp(dst, kind, sources[0], elt, key, bool(conds), tuple(conds), first_site, site))
        return dst

    def _tests(self, node: cst.BaseExpression) -> list[ir.Reg]:
        """The tests of a comprehension, without branches: which elements pass is a question about all of them at once."""
        if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And):
            return [*self._tests(node.left), *self._tests(node.right)]
        return [self._test(node)]

    def _test(self, node: cst.BaseExpression) -> ir.Reg:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            dst, src = self.reg(), self._test(node.expression)
            self.emit(ir.Compare(dst, "not", src, None, self.site(node)))
            return dst
        if not isinstance(node, cst.BooleanOperation):
            return self.expr(node)
        left, right, dst = self._test(node.left), self._test(node.right), self.reg()
        self.emit(ir.Bin(dst, type(node.operator).__name__, left, right, False, self.site(node)))
        return dst

    def _x_ListComp(self, node: cst.ListComp) -> ir.Reg:
        return self._comprehension(node, "list")

    def _x_SetComp(self, node: cst.SetComp) -> ir.Reg:
        return self._comprehension(node, "set")

    def _x_GeneratorExp(self, node: cst.GeneratorExp) -> ir.Reg:
        return self._comprehension(node, "generator")

    def _x_DictComp(self, node: cst.DictComp) -> ir.Reg:
        return self._comprehension(node, "dict")


def _single_slice(node: cst.Subscript) -> cst.Slice | None:
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Slice):
        return node.slice[0].slice
    return None


def _target_names(target: cst.BaseExpression) -> list[str]:
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for element in target.elements for name in _target_names(element.value)]
    if isinstance(target, cst.StarredElement):
        return _target_names(target.value)
    return []
