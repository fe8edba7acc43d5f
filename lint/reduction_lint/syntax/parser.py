"""Parsing a chunk with libcst, and the places of its nodes in the file.

Whatever the text, the outcome is a tree or a :class:`~reduction_lint.syntax.chunks.SyntaxProblem`, never an
exception.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import libcst as cst

from reduction_lint.findings import Range
from reduction_lint.syntax.chunks import Chunk, SyntaxProblem
from reduction_lint.syntax.positions import DEEP, Place, positions
from reduction_lint.syntax.quiet import parse_ast
from reduction_lint.syntax.scanner import class_header, logical_lines

__all__ = ["Parsed", "SyntaxProblem", "parse"]

_WRAPPER = "class _:\n"  # one line, so that lines are off by one and columns are right
_LAST_TOKEN = re.compile(r"""(?:"[^"]*"|'[^']*'|\w+|[^\w\s])(?=\s*$)""")
_PLACE = re.compile(r"error at (\d+):(\d+):\s*(.*)", re.DOTALL)

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


class Parsed:
    """The outcome of parsing one chunk: ``module`` or ``problem`` is set.

    ``statements`` are the statements of the chunk itself. A ``class`` chunk gives the class with a ``pass``
    for a body (or its real body where that stands on the header's line).
    """

    __slots__ = ("_body", "_first_line", "_places", "chunk", "module", "problem")

    def __init__(
        self,
        chunk: Chunk,
        module: cst.Module | None = None,
        problem: SyntaxProblem | None = None,
        *,
        wrapped: bool = False,
    ) -> None:
        self.chunk = chunk
        self.module = module
        self.problem = problem
        self._first_line = chunk.start_line - wrapped
        self._places: dict[cst.CSTNode, tuple[Place, Place]] | None = None
        self._body: Sequence[cst.BaseStatement | cst.BaseSmallStatement] = ()
        if module is not None:
            self._body = module.body
            if wrapped and isinstance(module.body[0], cst.ClassDef):
                self._body = module.body[0].body.body

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the chunk, without the wrapper that keeps their indentation; empty if it is
        broken.
        """
        return tuple(
            node for node in self._body if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        )

    def range_of(self, node: cst.CSTNode) -> Range:
        """Where ``node``, which must belong to :attr:`module`, stands in the file.

        The positions of the whole chunk are found at the first call. A node without a place (one that
        produces no text, or of a tree too deep to walk) is given the start of the chunk.
        """
        if self._places is None:
            self._places = self._find_places()
        place = self._places.get(node)
        if place is None:
            return Range.of(self.chunk.start_line, 1, self.chunk.start_line, 1)
        (start_line, start_column), (end_line, end_column) = place
        offset = self._first_line - 1
        return Range.of(start_line + offset, start_column + 1, end_line + offset, end_column + 1)

    def moved(self, chunk: Chunk) -> Parsed:
        """The same tree for a chunk of the same text that stands elsewhere."""
        if chunk is self.chunk:
            return self
        moved = Parsed(chunk, self.module, self.problem)
        moved._body = self._body
        moved._first_line = self._first_line + chunk.start_line - self.chunk.start_line
        moved._places = self._places
        return moved

    def _find_places(self) -> dict[cst.CSTNode, tuple[Place, Place]]:
        if self.module is None:
            return {}
        with no_collection():
            return positions(self.module)


def parse(chunk: Chunk) -> Parsed:
    """Parse ``chunk``; the result holds the tree, or the problem with its place in the file."""
    if chunk.problem is not None:
        return Parsed(chunk, problem=chunk.problem)
    text, wrapped = _parsable(chunk)
    try:
        with no_collection():
            module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        return Parsed(chunk, problem=_problem(chunk, text, wrapped, str(error)))
    except Exception as error:  # a parser that fails on someone's text must not end the run
        message = f"cannot be parsed ({type(error).__name__})"
        return Parsed(chunk, problem=SyntaxProblem(chunk.start_line, 1, message, limit=True))
    return Parsed(chunk, module, wrapped=wrapped)


def _parsable(chunk: Chunk) -> tuple[str, bool]:
    """The text to parse for ``chunk``, and whether a wrapper keeps its indentation."""
    text = chunk.text if chunk.text.endswith("\n") else chunk.text + "\n"
    if chunk.kind == "class":
        lines = logical_lines(text)
        head = len(lines.ends) - 1
        if head >= 0 and not class_header(text, lines.firsts[head], lines.ends[head])[1]:
            text += f"{text[lines.begins[head] : lines.firsts[head]]} pass\n"
    return (_WRAPPER + text, True) if chunk.class_path else (text, False)


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch the garbage collector off: many new nodes make it look often, and none of them is garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def deep_stack() -> Iterator[None]:
    """Let code with the deepest chains that are parsed at all be walked by recursion."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _problem(chunk: Chunk, text: str, wrapped: bool, reason: str) -> SyntaxProblem:
    """What libcst's ``reason`` says about ``text``, in coordinates of the file."""
    found = _PLACE.search(reason)
    if found:
        line, column = _token_before(text, int(found[1]), int(found[2]))
        message = _readable(found[3])
    else:  # the tokenizer does not say where
        line, column = _place_by_ast(text) or (1 + wrapped, 1)
        message = reason.partition("tokenizer error:")[2].partition("\n")[0].strip() or "invalid syntax"
    line = min(max(line - wrapped + chunk.start_line - 1, chunk.start_line), chunk.end_line)
    return SyntaxProblem(line, column, message)


def _token_before(text: str, line: int, column: int) -> Place:
    """The 1-based place of the token before ``line`` and (0-based) ``column``.

    libcst names the token behind the one it does not take. A line end or indentation that it does not take is placed at
    the end of the last line of code.
    """
    lines = text.split("\n")
    before = lines[line - 1][:column] if line <= len(lines) else ""
    token = _LAST_TOKEN.search(before)
    if token:
        return line, token.start() + 1
    for number in range(min(line - 1, len(lines)), 0, -1):
        code = lines[number - 1].rstrip()
        if code and not code.lstrip().startswith("#"):
            return number, len(code) + 1
    return line, 1


def _readable(message: str) -> str:
    """libcst's message without the source it quotes and without long lists of what might have stood there."""
    expected = message.partition("\n")[0].strip()
    if expected.count(", ") > 3 or not expected.startswith("expected"):
        return "invalid syntax"
    return f"invalid syntax, {expected}"


def _place_by_ast(text: str) -> Place | None:
    """Where the running interpreter sees the mistake, if it sees one."""
    try:
        parse_ast(text)
    except SyntaxError as error:
        return (error.lineno, max(error.offset or 1, 1)) if error.lineno else None
    return None
