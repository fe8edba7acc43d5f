"""Places: from lines and columns that start at 1 and count code points to the client's units, and back."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from reduction_lint.findings import Position, Range

Encoding = types.PositionEncodingKind | str | None


def units(text: str, encoding: Encoding) -> int:
    """The length of a text in the client's units."""
    if encoding == types.PositionEncodingKind.Utf32 or text.isascii():
        return len(text)
    if encoding == types.PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > "\uffff" for char in text)


def code_points(line: str, character: int, encoding: Encoding) -> int:
    """The offset in a line of a place in the client's units; a place inside a character is its start."""
    if encoding == types.PositionEncodingKind.Utf32 or line.isascii():
        return min(max(character, 0), len(line))
    seen = 0
    for offset, char in enumerate(line):
        seen += units(char, encoding)
        if seen > character:
            return offset
    return len(line)


def to_client(where: Range, lines: Sequence[str], encoding: Encoding) -> types.Range:
    """A range of the analyzer in the client's terms; ``lines`` are those of the same text."""
    return types.Range(_client(where.start, lines, encoding), _client(where.end, lines, encoding))


def from_client(position: types.Position, lines: Sequence[str], encoding: Encoding) -> Position:
    """A position of the client in the analyzer's terms."""
    if position.line >= len(lines):
        return Position(len(lines), len(lines[-1].rstrip("\r\n")) + 1 if lines else 1)
    column = code_points(lines[position.line].rstrip("\r\n"), position.character, encoding)
    return Position(position.line + 1, column + 1)


def overlap(first: types.Range, second: types.Range) -> bool:
    """Whether two ranges share a place; ends count."""
    return _key(first.start) <= _key(second.end) and _key(second.start) <= _key(first.end)


def _key(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _client(position: Position, lines: Sequence[str], encoding: Encoding) -> types.Position:
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    return types.Position(position.line - 1, units(line[: position.column - 1], encoding))
