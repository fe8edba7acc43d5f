"""Cutting a file into chunks: top-level statements, class headers, and the statements of class bodies.

A chunk is the unit that is selected, parsed, cached and reported as broken, so one bad function costs that
function only. The cut needs logical lines and indentation, no grammar: :mod:`reduction_lint.syntax.scanner`
finds the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.syntax.complexity import too_deep
from reduction_lint.syntax.scanner import Comment, LogicalLines, class_header, comments, logical_lines

__all__ = ["Chunk", "Comment", "SyntaxProblem", "comments", "split"]

MAX_CLASSES = 90
"""Classes nested in classes that are still cut up; Python allows about a hundred levels of indentation."""

_NAMED = ("function", "class", "import")
_HEAD = re.compile(
    r"(?P<decorator>@)|(?:async[ \t]+)?def[ \t]+(?P<function>\w+)|class[ \t]+(?P<class>\w+)|(?P<import>import|from)\b"
    r"|(?P<compound>if|for|while|try|with|async)\b|(?P<branch>else|elif|except|finally)\b"
)


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Why a chunk cannot be read, at a 1-based place of the file.

    ``limit`` says that the text may well be Python but exceeds a bound of this program.
    """

    line: int
    column: int
    message: str
    limit: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a file: whole lines, from ``start_line`` (1-based) on.

    ``kind`` is ``function``, ``class``, ``method``, ``statement`` or ``import``. Decorators, and comment
    lines directly above, belong to a definition. A ``class`` chunk is the header only; the statements of its
    body follow as chunks of their own, with the names of the classes around them in ``class_path`` (outermost
    first). ``name`` is the name that is defined, else "". ``bases`` holds the source of a class's positional
    base expressions. ``problem`` is set when the text must not be given to a parser.
    """

    text: str
    start_line: int
    kind: str
    name: str
    class_path: tuple[str, ...]
    bases: tuple[str, ...] = ()
    problem: SyntaxProblem | None = None

    @property
    def end_line(self) -> int:
        """The last line of the chunk."""
        return self.start_line + self.text.rstrip("\n").count("\n")


def split(text: str) -> list[Chunk]:
    """Cut ``text`` (line ends ``\\n``) into chunks, in order.

    Never raises. Each line of code belongs to exactly one chunk; between chunks are blank and comment lines.
    """
    return list(_Splitter(text).chunks())


@dataclass(slots=True)
class _Item:
    """A statement as a run of logical lines: ``start`` (decorators) <= ``head`` <= ``stop`` (exclusive)."""

    start: int
    head: int
    stop: int
    kind: str
    name: str


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: LogicalLines = logical_lines(text)
        self.indents = self.lines.indents(text)
        self.deep = too_deep(text, self.lines, self.indents)
        self.nul = text.find("\0")
        self.line, self.counted = 1, 0

    def chunks(self) -> Iterator[Chunk]:
        """All chunks of the file."""
        return self.body(0, len(self.indents), 0, ())

    def body(self, low: int, high: int, indent: int, path: tuple[str, ...]) -> Iterator[Chunk]:
        """The chunks of the statements, indented by ``indent``, in the logical lines ``low`` to ``high``."""
        for item in self.items(low, high, indent):
            if item.kind != "class" or len(path) >= MAX_CLASSES:
                yield self.chunk(item, item.stop, path, indent)
                continue
            first = item.head + 1
            yield self.chunk(item, first, path, indent)
            if first < item.stop:
                yield from self.body(first, item.stop, self.indents[first], (*path, item.name))

    def items(self, low: int, high: int, indent: int) -> Iterator[_Item]:
        """Group logical lines into statements: a line that is not indented deeper than ``indent`` starts one."""
        firsts, indents = self.lines.firsts, self.indents
        heads = [i for i in range(low, high) if indents[i] <= indent]
        if low == high:
            return
        if heads[:1] != [low]:
            heads.insert(0, low)
        current: _Item | None = None
        for head, stop in zip(heads, [*heads[1:], high], strict=True):
            found = _HEAD.match(self.text, firsts[head])
            role = (found and found.lastgroup) or "statement"
            name = found[role] if found and role in ("function", "class") else ""
            if current is not None:
                if role == "branch" and current.kind == "compound":
                    current.stop = stop
                    continue
                if current.kind == "decorator" and role in ("decorator", "function", "class"):
                    current = _Item(current.start, head, stop, role, name)
                    continue
                yield current
            current = _Item(head, head, stop, role, name)
        if current is not None:
            yield current

    def chunk(self, item: _Item, stop: int, path: tuple[str, ...], indent: int) -> Chunk:
        """The chunk of ``item`` up to the logical line ``stop``, among statements indented by ``indent``."""
        text, lines = self.text, self.lines
        begin, end = lines.begins[item.start], min(lines.ends[stop - 1] + 1, len(text))
        kind = item.kind if item.kind in _NAMED else "statement"
        bases: tuple[str, ...] = ()
        inline = True
        if kind in ("function", "class"):
            begin = self.with_comments(begin, lines.ends[item.start - 1] if item.start else -1)
        if kind == "class":
            bases, inline = class_header(text, lines.firsts[item.head], lines.ends[item.head])
        elif kind == "function" and path:
            kind = "method"
        self.line += text.count("\n", self.counted, begin)
        self.counted = begin
        problem = self.problem(begin, end)
        if problem is None and not inline and stop == item.stop:
            problem = self.problem_at(lines.ends[item.head], "the body of the class is missing")
        if problem is None and self.indents[item.start] < indent:
            problem = self.problem_at(lines.firsts[item.start], "the indentation matches no outer level")
        return Chunk(text[begin:end], self.line, kind, item.name, path, bases, problem)

    def with_comments(self, begin: int, bound: int) -> int:
        """``begin`` moved up over the comment lines directly above it, down from the line end ``bound``."""
        while begin - 1 > bound:
            above = self.text.rfind("\n", 0, begin - 1) + 1
            if above <= bound or not self.text[above:begin].lstrip().startswith("#"):
                break
            begin = above
        return begin

    def problem(self, begin: int, end: int) -> SyntaxProblem | None:
        """Why the text from ``begin`` to ``end`` must not be parsed, if so."""
        if begin <= self.nul < end or (self.nul >= 0 and "\0" in self.text[begin:end]):
            return self.problem_at(self.text.index("\0", begin), "the text holds a null character")
        for place in self.deep:
            if begin <= place.offset < end:
                return self.problem_at(place.offset, place.message, limit=place.limit)
        return None

    def problem_at(self, offset: int, message: str, *, limit: bool = False) -> SyntaxProblem:
        """A problem at ``offset``, which lies behind the start of the current chunk."""
        line = self.line + self.text.count("\n", self.counted, offset)
        column = offset - self.text.rfind("\n", 0, offset)
        return SyntaxProblem(line, column, message, limit)
