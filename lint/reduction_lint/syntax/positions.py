"""Positions of syntax nodes: one pass over a tree, much cheaper than libcst's ``PositionProvider`` with equal
results.

libcst knows no positions while parsing; its provider finds them by generating the code again and watching the
output. So does this one, but it keeps plain numbers instead of objects and does not keep the code.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

Place = tuple[int, int]
"""A 1-based line and a 0-based column."""

DEEP = 8000
"""A recursion limit that suffices for the deepest chains that are parsed at all."""


def positions(module: cst.Module) -> dict[cst.CSTNode, tuple[Place, Place]]:
    """Start and (exclusive) end of every node of ``module``, without insignificant whitespace around it.

    Empty for a tree that is too deep to walk.
    """
    limit = sys.getrecursionlimit()
    try:
        return _record(module)
    except (RecursionError, KeyError):  # KeyError: a part that failed to be walked is looked up
        sys.setrecursionlimit(max(limit, DEEP))
    try:
        return _record(module)
    except (RecursionError, KeyError):
        return {}
    finally:
        sys.setrecursionlimit(limit)


def _record(module: cst.Module) -> dict[cst.CSTNode, tuple[Place, Place]]:
    state = _Recorder(module)
    module._codegen(state)
    return state.ranges


class _Recorder(CodegenState):
    """Stands where libcst would collect the generated code, and counts lines and columns instead."""

    def __init__(self, module: cst.Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.line = 1
        self.column = 0
        self.starts: list[Place] = []
        self.ranges: dict[cst.CSTNode, tuple[Place, Place]] = {}

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.column += len(token)

    def add_token(self, value: str) -> None:
        if "\n" in value:
            self.line += value.count("\n")
            self.column = len(value) - value.rfind("\n") - 1
        else:
            self.column += len(value)

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.starts.append((self.line, self.column))

    def after_codegen(self, node: cst.CSTNode) -> None:
        start = self.starts.pop()
        if node not in self.ranges:  # else the node has said itself which part of it counts
            self.ranges[node] = (start, (self.line, self.column))

    def pop_trailing_newline(self) -> None:
        """There is no output to take back."""

    def record_syntactic_position(
        self, node: cst.CSTNode, *, start_node: cst.CSTNode | None = None, end_node: cst.CSTNode | None = None
    ) -> Any:
        """A context manager around the part of ``node`` that counts, or around its first and last parts."""
        return _Span(self, node, start_node, end_node)


class _Span:
    __slots__ = ("end_node", "node", "start", "start_node", "state")

    def __init__(
        self, state: _Recorder, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> None:
        self.state = state
        self.node = node
        self.start_node = start_node
        self.end_node = end_node

    def __enter__(self) -> None:
        self.start = (self.state.line, self.state.column)

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        state = self.state
        start = self.start if self.start_node is None else state.ranges[self.start_node][0]
        end = (state.line, state.column) if self.end_node is None else state.ranges[self.end_node][1]
        state.ranges[self.node] = (start, end)
