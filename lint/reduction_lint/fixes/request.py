"""What a repair is made from: the finding, its syntax, and what is known about the code around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import libcst as cst

from reduction_lint.findings import Edit, Finding, Range
from reduction_lint.syntax.parser import Parsed

FunctionLike = cst.FunctionDef | cst.Lambda


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A sidecar that the code can reach: the expression for it, and the method that records a value whole."""

    expression: str
    method: str
    is_async: bool


@dataclass(frozen=True)
class Request:
    """One finding to repair.

    ``node`` is the reducing expression and ``statement`` the statement around it, both in ``parsed``. ``capture`` is the
    capture at fault, in the same chunk. ``captured`` says that every path has recorded the original. ``notices`` are the
    texts for a cut value: where the original is kept, and that it is not.
    """

    finding: Finding
    parsed: Parsed
    text: str
    node: cst.CSTNode
    statement: cst.CSTNode | None
    capture: cst.CSTNode | None = None
    captured: bool = False
    sidecars: Sequence[Sidecar] = ()
    notices: tuple[str, str] = ("full output in session sidecar", "full output not retained")
    names: Mapping[str, str] = field(default_factory=dict)
    """The imported names of the file and what they stand for."""

    @cached_property
    def parents(self) -> dict[cst.CSTNode, cst.CSTNode]:
        """The parent of every node of the chunk."""
        found: dict[cst.CSTNode, cst.CSTNode] = {}
        if self.parsed.module is not None:
            stack: list[cst.CSTNode] = [self.parsed.module]
            while stack:
                node = stack.pop()
                for child in node.children:
                    found[child] = node
                    stack.append(child)
        return found

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def function(self, node: cst.CSTNode) -> FunctionLike | None:
        """The innermost function around a node."""
        return next((n for n in self.above(node) if isinstance(n, (cst.FunctionDef, cst.Lambda))), None)

    def in_async(self, node: cst.CSTNode) -> bool:
        """May an ``await`` stand here?"""
        function = self.function(node)
        if not isinstance(function, cst.FunctionDef) or function.asynchronous is None:
            return False
        inside = (n for n in self.above(node))
        for parent in inside:
            if parent is function:
                return True
            if isinstance(parent, cst.GeneratorExp):
                return False
        return False

    def line_of(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line of simple statements that a node stands in; None for headers and one-line suites."""
        around = (node, *self.above(node))
        for inner in around:
            if isinstance(inner, cst.SimpleStatementLine):
                return inner
            if isinstance(inner, (cst.BaseCompoundStatement, cst.SimpleStatementSuite)):
                return None
        return None

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        assert self.parsed.module is not None
        return self.parsed.module.code_for_node(node)

    def range_of(self, node: cst.CSTNode) -> Range:
        """Where a node stands in the file."""
        return self.parsed.range_of(node)

    # -- edits ------------------------------------------------------------------------------------------------------

    def replace(self, node: cst.CSTNode, content: str) -> Edit:
        """Put other code in the place of a node."""
        return Edit(self.finding.path, self.range_of(node), content)

    def before(self, node: cst.CSTNode, content: str) -> Edit:
        """Insert code right before a node."""
        start = self.range_of(node).start
        return Edit(self.finding.path, Range(start, start), content)

    def after(self, node: cst.CSTNode, content: str) -> Edit:
        """Insert code right after a node."""
        end = self.range_of(node).end
        return Edit(self.finding.path, Range(end, end), content)

    def line_before(self, line: cst.CSTNode, statement: str) -> Edit:
        """Insert a statement on a line of its own above a statement, equally indented."""
        start = self.range_of(line).start
        text = self.text.split("\n")[start.line - 1]
        indent = text[: start.column - 1]
        return Edit(self.finding.path, Range(start, start), f"{statement}\n{indent}")


def same_code(first: cst.CSTNode, second: cst.CSTNode) -> bool:
    """Are two expressions written alike, apart from blanks and comments?"""
    return first.deep_equals(second)


def expression(code: str) -> cst.BaseExpression | None:
    """A piece of code as an expression."""
    try:
        return cst.parse_expression(code)
    except cst.ParserSyntaxError:
        return None


def is_plain(node: cst.CSTNode) -> bool:
    """A name or a chain of attributes: evaluating it again changes nothing."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it, in source order."""
    yield node
    for child in node.children:
        yield from walk(child)
