"""Matching names by glob, blind to the difference between ``session_log`` and ``SessionLog``.

Names are compared lower-cased and without underscores. An underscore next to a star in a pattern still
means something: ``*_log`` asks for a word ``log`` at the end with another word before it, so
``session_log`` and ``SessionLog`` match while ``catalog`` and a bare ``log`` do not; ``*log`` matches all
four.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=16384)
def split_name(name: str) -> tuple[str, frozenset[int]]:
    """The squashed name and the offsets in it at which a word begins or the name ends.

    >>> split_name("SessionLog")[0], sorted(split_name("session_log")[1])
    ('sessionlog', [0, 7, 10])
    """
    offsets = {0}
    length = 0
    words = []
    for word in _WORD.findall(name):
        words.append(word.lower())
        length += len(word)
        offsets.add(length)
    return "".join(words), frozenset(offsets)


def squash(name: str) -> str:
    """Lower-case and drop underscores: ``SessionLog`` and ``session_log`` become ``sessionlog``."""
    return name.replace("_", "").lower()


class NameGlobs:
    """A list of name patterns, asked with :meth:`match`.

    ``patterns`` may hold alternatives separated by ``|``. An empty list matches nothing.
    """

    __slots__ = ("_answers", "_bounded", "_exact", "_globs", "patterns")

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns: tuple[str, ...] = tuple(p for text in patterns for p in text.split("|") if p)
        self._exact: set[str] = set()
        self._bounded: list[tuple[str, bool, bool]] = []
        self._globs: list[str] = []
        self._answers: dict[str, bool] = {}
        for pattern in self.patterns:
            self._add(pattern)

    def _add(self, pattern: str) -> None:
        front, back = pattern.startswith("*_"), pattern.endswith("_*")
        core = pattern[2:] if front else pattern
        core = core[:-2] if back else core
        if "*" not in pattern and "?" not in pattern and "[" not in pattern:
            self._exact.add(squash(pattern))
        elif (front or back) and not any(sign in core for sign in "*?["):
            self._bounded.append((squash(core), front, back))
        else:
            self._globs.append(squash(pattern))

    def match(self, name: str) -> bool:
        """Whether one of the patterns fits ``name``."""
        answer = self._answers.get(name)
        if answer is None:
            answer = self._answers[name] = self._match(name)
        return answer

    def _match(self, name: str) -> bool:
        squashed, offsets = split_name(name)
        if not squashed:
            return False
        if squashed in self._exact or any(fnmatchcase(squashed, glob) for glob in self._globs):
            return True
        return any(_bounded(squashed, offsets, *bounded) for bounded in self._bounded)

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def __repr__(self) -> str:
        return f"NameGlobs({'|'.join(self.patterns)!r})"


def _bounded(name: str, offsets: frozenset[int], core: str, front: bool, back: bool) -> bool:
    """Whether ``core`` stands in ``name`` as whole words, with words before it and after it as asked."""
    at = name.find(core)
    while at >= 0:
        end = at + len(core)
        if (at > 0) == front and (end < len(name)) == back and at in offsets and end in offsets:
            return True
        at = name.find(core, at + 1)
    return False
