"""A whole file as one ``ast`` tree, with the broken parts left out, and the way back to places in the text.

For checks that look at single expressions and need no flow graph. A file that the running interpreter does not take is
read chunk by chunk, so that one function with newer syntax costs that function only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reduction_lint.findings import Range
from reduction_lint.syntax.chunks import Chunk
from reduction_lint.syntax.quiet import parse_ast


def tree_of(text: str, chunks: Iterable[Chunk]) -> ast.Module:
    """The tree of a file; statements that do not parse are missing from it."""
    try:
        return parse_ast(text)
    except SyntaxError:
        return _stitched(chunks)


def _stitched(chunks: Iterable[Chunk]) -> ast.Module:
    module = ast.Module([], [])
    bodies: dict[tuple[str, ...], list[ast.stmt]] = {(): module.body}
    for chunk in chunks:
        body = bodies.get(chunk.class_path)
        if body is None or chunk.problem is not None:
            continue
        made = _class_of(chunk) if chunk.kind == "class" else _statements(chunk)
        body += made
        if chunk.kind == "class" and made and isinstance(made[-1], ast.ClassDef):
            path = (*chunk.class_path, chunk.name)
            bodies[path] = made[-1].body
    return module


def _class_of(chunk: Chunk) -> list[ast.stmt]:
    """The header of a class, without its body; a body on the same line stays out."""
    head = chunk.text.rstrip()
    indent = " " * (len(chunk.text) - len(chunk.text.lstrip(" ")) + 4) if chunk.class_path else "    "
    found = _parsed(chunk, f"{head}\n{indent}pass\n" if head.endswith(":") else head)
    for node in found:
        if isinstance(node, ast.ClassDef) and head.endswith(":"):
            node.body = []
    return found


def _statements(chunk: Chunk) -> list[ast.stmt]:
    return _parsed(chunk, chunk.text)


def _parsed(chunk: Chunk, text: str) -> list[ast.stmt]:
    nested = bool(chunk.class_path)
    try:
        tree = parse_ast(f"class _:\n{text}" if nested else text)
    except SyntaxError:
        return []
    found = tree.body[0].body if nested and isinstance(tree.body[0], ast.ClassDef) else tree.body
    for node in found:
        ast.increment_lineno(node, chunk.start_line - 1 - nested)
    return found


class Columns:
    """Turns the byte offsets of ``ast`` into ranges in lines and code points, both from 1."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._plain = text.isascii()

    def range_of(self, node: ast.AST) -> Range:
        """The range of a node that has a place."""
        first: int = getattr(node, "lineno", 1)
        last: int = getattr(node, "end_lineno", None) or first
        start: int = getattr(node, "col_offset", 0)
        end: int = getattr(node, "end_col_offset", None) or start
        return Range.of(first, self._column(first, start), last, self._column(last, end))

    def _column(self, line: int, offset: int) -> int:
        if self._plain or not 0 < line <= len(self._lines):
            return offset + 1
        return len(self._lines[line - 1].encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore")) + 1
