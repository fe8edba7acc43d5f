"""Where a key stands in a TOML text.

The TOML reader gives values without places, so a mistake in a settings file is located by a search: section
headers and ``key =`` lines are followed, values are not parsed. The answer is the best line found, exact for
ordinary files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_HEADER = re.compile(r"\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?$")
_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")


def find_line(text: str, path: Sequence[str | int], value: str | None = None) -> int | None:
    """The 1-based line of the key at ``path``, or of its nearest enclosing table; None when nothing fits.

    ``path`` holds keys, and after an array of tables the 1-based number of the entry. With ``value`` the line
    from the key on is given where that text first stands, which places one element of a list.
    """
    best, best_length = None, 0
    for line, found in _keys(text):
        length = len(found)
        if length > best_length and list(path[:length]) == found:
            best, best_length = line, length
    if best is None:
        return None
    lines = text.splitlines()
    wanted = [str(part) for part in path[best_length:] if isinstance(part, str)] + ([value] if value else [])
    for word in wanted:
        best = _line_with(lines, best, word)
    return best


def _line_with(lines: Sequence[str], start: int, word: str) -> int:
    """The first line from ``start`` (from 1) on, in the same section, that holds ``word``; else ``start``."""
    for number in range(start, len(lines) + 1):
        if number > start and _HEADER.match(lines[number - 1]) and "=" not in lines[number - 1]:
            break
        if word in lines[number - 1]:
            return number
    return start


def _keys(text: str) -> Iterator[tuple[int, list[str | int]]]:
    """Every section header and every ``key =`` line with its full path."""
    section: list[str | int] = []
    counts: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None and (parts := _dotted(header[2], "")) is not None:
            section = _numbered(parts, counts)
            if header[1] == "[[":
                place = tuple(section)
                counts[place] = counts.get(place, 0) + 1
                section = [*section, counts[place]]
            yield number, list(section)
        elif (parts := _dotted(line, "=")) is not None:
            yield number, [*section, *parts]


def _numbered(parts: Sequence[str], counts: dict[tuple[str | int, ...], int]) -> list[str | int]:
    """A header's path, with the current entry's number after each array of tables it lies in."""
    path: list[str | int] = []
    for index, part in enumerate(parts):
        path.append(part)
        if index < len(parts) - 1 and tuple(path) in counts:
            path.append(counts[tuple(path)])
    return path


def _dotted(text: str, end: str) -> list[str] | None:
    """The parts of the dotted key that ``text`` starts with, if ``end`` follows it ("": nothing)."""
    parts: list[str] = []
    position = 0
    while match := _PART.match(text, position):
        quoted, literal, bare = match.groups()
        parts.append(next(part for part in (quoted, literal, bare) if part is not None))
        position = match.end()
        if text[position : position + 1] != ".":
            break
        position += 1
    rest = text[position:]
    return parts if parts and (rest.startswith(end) if end else not rest) else None
