"""Path patterns as git reads them in ``.gitignore``, for ignore files and for the settings alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec


class Patterns:
    """A list of patterns that belongs to the folder ``base`` (absolute, without a slash at its end).

    A pattern without a slash matches a name at any depth, one with a slash is anchored at ``base``, ``!``
    takes a match back. Patterns that git would ignore as malformed are ignored.
    """

    __slots__ = ("_any", "_spec", "base")

    def __init__(self, base: str, lines: Iterable[str]) -> None:
        self.base = base
        self._spec = _spec_of([_relative(line, base) for line in lines])
        self._any = _any_of(self._spec)

    def verdict(self, path: str, *, folder: bool = False) -> bool | None:
        """True if ``path`` (absolute) matches, False if a match is taken back, None if no pattern applies."""
        if not is_below(path, self.base):
            return None
        relative = path[len(self.base) + 1 :].replace("\\", "/") + ("/" if folder else "")
        if self._any is not None and not self._any.match(relative):
            return None
        return self._spec.check_file(relative).include


def is_below(path: str, base: str) -> bool:
    """Whether ``path`` lies below the folder ``base``."""
    return path.startswith(base) and path[len(base) : len(base) + 1] in ("/", "\\")


def _relative(line: str, base: str) -> str:
    """``line`` without a leading ``./`` or the path of ``base``: people write these, git does not know them."""
    if is_below(line, base):
        return line[len(base) :].replace("\\", "/")
    return line[1:] if line.startswith("./") else line


def _spec_of(lines: list[str]) -> GitIgnoreSpec:
    """The compiled ``lines``, without those that are no patterns."""
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _any_of(spec: GitIgnoreSpec) -> re.Pattern[str] | None:
    """One expression that matches whatever any pattern of ``spec`` matches: most paths match none.

    None if there is no such expression; then each pattern is tried.
    """
    sources = []
    for pattern in spec.patterns:
        regex = getattr(pattern, "regex", None)
        if regex is not None:
            sources.append(f"(?:{re.sub(r'[(][?]P<[a-z_]+>', '(?:', regex.pattern)})")
    try:
        return re.compile("|".join(sources) or r"(?!)")
    except re.error:
        return None
