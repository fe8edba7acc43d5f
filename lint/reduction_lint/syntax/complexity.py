"""Bounds on nesting, checked before a parser sees the text: beyond them libcst overflows its stack or takes
forever.

A parser that is written by recursive descent needs stack for every level of brackets, operators, ``elif`` and
indentation. libcst 1.9 crashes the process at a few thousand levels; all bounds lie well below that and well
above what people write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import sub

from reduction_lint.syntax.scanner import MAX_BRACKETS, LogicalLines
from reduction_lint.syntax.strings import is_formatted, string_end

MAX_INDENTS = 99
"""Levels of indentation; CPython accepts no more."""
MAX_CHAIN = 1000
"""Operators, calls, attributes and adjacent strings on the way down to one operand."""
MAX_ELIF = 500
_BRACKETS_MESSAGE = "too many nested brackets"
_TOKEN = re.compile(
    r"""[^"'\#()\[\]{},;:.+*/%@&|^~<>!=\-\w]*(?:(?P<quote>\"\"\"|'''|"|')|\#[^\n]*"""
    r"""|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<end>[,;])"""
    r"""|(?P<link>[.+*/%@&|^~<>!=\-]|(?:not|and|or|if|else|lambda|await|in|is|for|async)\b)|\w+|:|\Z)"""
)
_BRACKETS = re.compile(r"([(\[{])|[)\]}]")


@dataclass(frozen=True, slots=True)
class TooDeep:
    """A place (offset) that must not be parsed; ``limit``: Python itself would perhaps take it."""

    offset: int
    message: str
    limit: bool


def too_deep(text: str, lines: LogicalLines, indents: list[int]) -> list[TooDeep]:
    """All places of ``text`` beyond a bound, in order."""
    found = [TooDeep(offset, _BRACKETS_MESSAGE, False) for offset in lines.deep]
    found += _indentation(lines, indents)
    found += _long_lines(text, lines)
    found += _elif_chains(text, lines, indents)
    return sorted(found, key=lambda place: place.offset)


def _indentation(lines: LogicalLines, indents: list[int]) -> list[TooDeep]:
    if max(indents, default=0) <= MAX_INDENTS:
        return []
    found: list[TooDeep] = []
    levels = [0]
    for first, indent in zip(lines.firsts, indents, strict=True):
        while levels[-1] > indent:
            levels.pop()
        if indent > levels[-1]:
            levels.append(indent)
        if len(levels) - 1 > MAX_INDENTS:
            found.append(TooDeep(first, "too many levels of indentation", False))
    return found


def _long_lines(text: str, lines: LogicalLines) -> list[TooDeep]:
    if max(map(sub, lines.ends, lines.firsts), default=0) <= MAX_CHAIN:
        return []
    found = []
    for first, end in zip(lines.firsts, lines.ends, strict=True):
        if end - first > MAX_CHAIN:  # each link is at least a character
            message = _chain(text, first, end)
            if message:
                found.append(TooDeep(first, message, message != _BRACKETS_MESSAGE))
    return found


def _chain(text: str, pos: int, end: int) -> str:
    """What is wrong with the logical line from ``pos`` to ``end``, or ""."""
    links = [0]
    total = 0
    while pos < end:
        token = _TOKEN.match(text, pos, end)
        if token is None:
            pos += 1
            continue
        pos, kind = max(token.end(), pos + 1), token.lastgroup
        if kind == "quote":
            start = token.start("quote")
            pos = string_end(text, start, token["quote"])
            if pos < 0:
                return ""
            if is_formatted(text, start) and _bracket_depth(text, start, pos) > MAX_BRACKETS:
                return _BRACKETS_MESSAGE
        if kind == "open":
            links.append(0)
        elif kind == "end":
            total -= links[-1]
            links[-1] = 0
        elif kind:
            if kind == "close" and len(links) > 1:
                total -= links.pop()
            links[-1] += 1
            total += 1
            if total > MAX_CHAIN:
                return f"an expression with more than {MAX_CHAIN} links is not analysed"
    return ""


def _bracket_depth(text: str, start: int, end: int) -> int:
    """The greatest nesting of brackets from ``start`` to ``end``, whatever they stand in."""
    depth = most = 0
    for bracket in _BRACKETS.finditer(text, start, end):
        depth = depth + 1 if bracket[1] else max(0, depth - 1)
        most = max(most, depth)
    return most


def _elif_chains(text: str, lines: LogicalLines, indents: list[int]) -> list[TooDeep]:
    if text.count("elif") <= MAX_ELIF:
        return []
    found: list[TooDeep] = []
    lengths: dict[int, int] = {}
    for first, indent in zip(lines.firsts, indents, strict=True):
        if text.startswith("elif", first):
            lengths[indent] = lengths.get(indent, 0) + 1
            if lengths[indent] > MAX_ELIF:
                found.append(TooDeep(first, f"more than {MAX_ELIF} elif branches are not analysed", True))
        else:
            lengths.pop(indent, None)
    return found
