"""A tolerant scanner for Python text: strings, brackets, comments and logical lines, nothing more.

It finds where logical lines begin and end without building tokens, so that a file can be cut into chunks long
before anything is parsed. One regular expression swallows all uninteresting text at once; Python code runs
only for line ends, brackets that are not closed in place, and difficult strings. No function here raises,
whatever the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from reduction_lint.syntax.strings import simple_literal, string_end

MAX_BRACKETS = 200
"""Nested brackets that are accepted: CPython's own bound, far below where the parser's stack overflows.

An innermost pair that holds nothing of interest is not counted, so one more may pass.
"""

_TAB = 8

# Blank and comment lines, then (as a group) the indentation of the next line that holds code.
_GAP = r"(?:[ \t\f]*(?:\#[^\n]*)?\n)*([ \t\f]*)"
_FLAT = r"""[^"'\#\\()\[\]{}\n]"""
_NEXT = re.compile(
    rf"""
    (?: {_FLAT}+
      | \#[^\n]*
      | \\\n
      | \({_FLAT}*\) | \[{_FLAT}*\] | \{{{_FLAT}*\}}
      | {simple_literal('"')}
      | {simple_literal("'")}
    )*
    (?: (\n){_GAP}                   # 1 line end, 2 indentation
      | ([(\[{{])                    # 3 opening bracket
      | ([)\]}}])                    # 4 closing bracket
      | (\"\"\" | ''' | " | ')       # 5 a string that was not swallowed above
      | \\                           # a stray backslash
      | \Z )
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE_END, _OPEN, _CLOSE, _STRING = 2, 3, 4, 5  # the group of _NEXT that matched last
_LEADING = re.compile(_GAP, re.VERBOSE)
_BLANK = re.compile(r"[ \t\f]*")

# Beginnings of lines that cannot continue an expression: the bracket that is open there was left open by mistake.
_NEVER_INSIDE = re.compile(
    r"(?:def|class)[ \t]+\w|async[ \t]+(?:def|with)\b|from[ \t]+[\w.]+[ \t]+import\b|(?:return|raise|import|while"
    r"|with|del|assert|global|nonlocal|elif|except|finally|try|pass|break|continue)\b"
)
_DEFINITION = re.compile(
    r"^([ \t]*)(?:(?:async[ \t]+)?def[ \t]+\w+[ \t]*[(\[]|class[ \t]+\w+[ \t]*[(\[:])", re.MULTILINE
)
_COMMENT = re.compile(
    rf"""(?: [^"'\#]+ | {simple_literal('"')} | {simple_literal("'")} )*
    (?: (\#[^\n]*) | (\"\"\" | ''' | " | ') | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_PLAIN_CLASS = re.compile(r"class[ \t]+\w+[ \t]*(?:\(([\w.,\s]*)\))?[ \t]*:[ \t]*(?:\#[^\n]*)?")
_HEADER = re.compile(
    r"""[^"'\#()\[\]{},:]*(?:(?P<quote>\"\"\"|'''|"|')|\#[^\n]*|(?P<open>[(\[{])|(?P<close>[)\]}])"""
    r"""|(?P<comma>,)|(?P<colon>:))"""
)
_COMMENTS = re.compile(r"\#[^\n]*")
_KEYWORD = re.compile(r"\w+\s*=(?!=)|\*\*")


@dataclass(slots=True)
class LogicalLines:
    """The logical lines of a text, as parallel lists of offsets.

    ``begins[i]`` is the start of its first physical line, ``firsts[i]`` its first character of code and
    ``ends[i]`` the line end that closes it (or the length of the text). ``deep`` holds the offsets of
    brackets nested deeper than :data:`MAX_BRACKETS`.
    """

    begins: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    deep: list[int] = field(default_factory=list)

    def indents(self, text: str) -> list[int]:
        """The indentation of each line in columns: tabs go to multiples of eight, a form feed starts again."""
        if "\t" not in text and "\f" not in text:
            return [first - begin for begin, first in zip(self.begins, self.firsts, strict=True)]
        return [_columns(text[begin:first]) for begin, first in zip(self.begins, self.firsts, strict=True)]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment at a 1-based place; ``text`` starts with ``#``, ``own_line``: it has its line to itself."""

    line: int
    column: int
    text: str
    own_line: bool


def logical_lines(text: str) -> LogicalLines:
    """Find the logical lines of ``text``, whose line ends must be ``\\n``.

    An open bracket is given up before a line that cannot continue it (``def``, ``return`` …). When a
    triple-quoted string has no end, the quotes of the whole text are in doubt: it is then scanned again, and
    a string that runs over a definition which is not indented deeper than the line it began on is given up
    before that definition.
    """
    padded = text if text.endswith("\n") else text + "\n"
    lines = _Scan(padded, doubtful=False).run() or _Scan(padded, doubtful=True).run()
    assert lines is not None  # a doubtful scan goes on to the end
    if lines.ends and lines.ends[-1] > len(text):
        lines.ends[-1] = len(text)
    return lines


class _Scan:
    """The state of one pass over ``text``, which ends with a line end."""

    def __init__(self, text: str, *, doubtful: bool) -> None:
        lead = _LEADING.match(text)
        assert lead is not None  # every part of the pattern is optional
        self.text = text
        self.doubtful = doubtful
        self.lines = LogicalLines()
        self.begin, self.first = lead.start(1), lead.end()

    def run(self) -> LogicalLines | None:
        """Go over the text; None if a triple-quoted string has no end and the scan is not doubtful."""
        text, match, size = self.text, _NEXT.match, len(self.text)
        pos, depth = self.first, 0
        while pos < size:
            token = match(text, pos)
            assert token is not None  # one of the last alternatives always matches
            pos = token.end()
            kind = token.lastindex
            if kind == _LINE_END:
                if not depth:
                    self.close(token.start(1), token.start(2), pos)
                elif _NEVER_INSIDE.match(text, pos):
                    pos = self.give_up(token.start(1), token.start(2))
                    depth = 0
            elif kind == _OPEN:
                depth += 1
                if depth > MAX_BRACKETS:
                    self.lines.deep.append(pos - 1)
            elif kind == _CLOSE:
                depth = depth - 1 if depth else 0
            elif kind == _STRING:
                pos = string_end(text, token.start(5), token[5])
                if len(token[5]) == 1:
                    if pos < 0:
                        pos = text.index("\n", token.start(5))
                    continue
                if pos < 0 and not self.doubtful:
                    return None
                cut = self.definition_in(token.start(5), pos) if self.doubtful else -1
                if cut >= 0:
                    pos = self.give_up(cut - 1, cut)
                    depth = 0
                elif pos < 0:
                    pos = size
        if self.first < size:
            self.close(size - 1, size, size)
        return self.lines

    def close(self, end: int, begin: int, first: int) -> None:
        """End the current logical line at ``end``; the next one has its line start and code where said."""
        self.lines.begins.append(self.begin)
        self.lines.firsts.append(self.first)
        self.lines.ends.append(end)
        self.begin, self.first = begin, first

    def give_up(self, end: int, at: int) -> int:
        """Leave what is open: end the line at ``end`` and go on at the line start ``at`` or at its decorators.

        Returns the first character of code there.
        """
        at, end = self.decorators_before(at, end)
        blank = _BLANK.match(self.text, at)
        assert blank is not None  # it matches the empty text too
        self.close(end, at, blank.end())
        return blank.end()

    def decorators_before(self, at: int, end: int) -> tuple[int, int]:
        """``at`` and ``end`` moved up to the decorators that directly precede a definition at ``at``."""
        text = self.text
        head = _DEFINITION.match(text, at)
        if head is None:
            return at, end
        indent, line = head[1], at
        while line - 1 > self.first:
            line = text.rfind("\n", 0, line - 1) + 1
            rest = text[line + len(indent) : line + len(indent) + 1]
            if line <= self.first or not text.startswith(indent, line) or rest not in ("@", " ", "\t", ")", "]", "}"):
                break
            if rest == "@":
                at, end = line, line - 1
        return at, end

    def definition_in(self, start: int, end: int) -> int:
        """The line start of a definition that the string from ``start`` to ``end`` (-1: open) runs over.

        -1 if there is none; one that is indented deeper than the string's line may be part of it.
        """
        width = self.first - self.begin
        for found in _DEFINITION.finditer(self.text, start, end if end >= 0 else len(self.text)):
            if len(found[1]) <= width:
                return found.start()
        return -1


def comments(text: str) -> list[Comment]:
    """All comments of ``text`` in order; what looks like one inside a string is none."""
    found: list[Comment] = []
    pos, line, counted, size = 0, 1, 0, len(text)
    while pos < size:
        token = _COMMENT.match(text, pos)
        assert token is not None  # one of the last alternatives always matches
        pos = token.end()
        if token[1]:
            at = token.start(1)
            line += text.count("\n", counted, at)
            counted = at
            begin = text.rfind("\n", 0, at) + 1
            found.append(Comment(line, at - begin + 1, token[1], not text[begin:at].strip()))
        elif token[2]:
            end = string_end(text, token.start(2), token[2])
            if end >= 0:
                pos = end
            elif len(token[2]) == 1:
                rest = text.find("\n", pos)
                pos = rest if rest >= 0 else size
    return found


def class_header(text: str, start: int, end: int) -> tuple[tuple[str, ...], bool]:
    """The positional bases, as source text, of the class header from ``start`` (``class``) to ``end``.

    The second value says whether statements follow the colon on the same logical line.
    """
    plain = _PLAIN_CLASS.fullmatch(text, start, end)
    if plain:
        return tuple(base.strip() for base in (plain[1] or "").split(",") if base.strip()), False
    parts: list[str] = []
    depth, part, in_bases, pos = 0, start, False, start
    while pos < end:
        token = _HEADER.match(text, pos, end)
        if token is None:
            break
        pos, mark = token.end(), token.lastgroup
        at = pos - 1
        if mark == "quote":
            pos = string_end(text, token.start("quote"), token["quote"])
            if pos < 0:
                break
        elif mark == "open":
            depth += 1
            if depth == 1 and text[at] == "(" and not parts:
                part, in_bases = pos, True
        elif mark == "close" or (mark == "comma" and depth == 1):
            if in_bases and depth == 1:
                parts.append(text[part:at].strip())
                part, in_bases = pos, mark == "comma"
            depth -= mark == "close"
        elif mark == "colon" and depth == 0:
            return _positional(parts), bool(_COMMENTS.sub("", text[pos:end]).strip())
    return _positional(parts), True


def _positional(arguments: list[str]) -> tuple[str, ...]:
    plain = (_COMMENTS.sub("", part).strip() for part in arguments)
    return tuple(part for part in plain if part and not _KEYWORD.match(part))


def _columns(blank: str) -> int:
    """The width of indentation that may hold tabs and form feeds."""
    width = 0
    for char in blank:
        width = 0 if char == "\f" else (width // _TAB + 1) * _TAB if char == "\t" else width + 1
    return width
