"""Look-up of compiled entries by qualified name, by shape, and by telling name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Generic, Protocol, TypeVar

from reduction_lint.knowledge.entries import Match
from reduction_lint.knowledge.names import NameGlobs

_SIGNS = frozenset("*?[")


class Entry(Protocol):
    """What a table can hold."""

    @property
    def match(self) -> Match:
        """How the entry is recognised."""
        ...


T = TypeVar("T", bound=Entry)


@dataclass(frozen=True, slots=True)
class Hit(Generic[T]):
    """An entry that matched; ``exact`` tells a qualified name from a shape (method and receiver name)."""

    entry: T
    exact: bool


class Table(Generic[T]):
    """All entries of one kind. Earlier entries win over later ones, qualified names over globs and shapes."""

    __slots__ = ("_globs", "_open_shapes", "_shapes", "_shapes_of", "_words", "entries", "exact")

    def __init__(self, entries: Iterable[T]) -> None:
        self.entries: tuple[T, ...] = tuple(entries)
        self.exact: dict[str, T] = {}
        self._globs: dict[str, list[tuple[str, T]]] = {}
        self._shapes: dict[str, list[tuple[int, NameGlobs, T]]] = {}
        self._open_shapes: list[tuple[int, str, NameGlobs, T]] = []
        self._shapes_of: dict[str, list[tuple[NameGlobs, T]]] = {}
        self._words: set[str] = set()
        for number, entry in enumerate(self.entries):
            self._add(number, entry)

    def _add(self, number: int, entry: T) -> None:
        match = entry.match
        for name in match.calls:
            first, _, _ = name.partition(".")
            self._words.add(name.rpartition(".")[2])
            if _SIGNS.isdisjoint(name):
                self.exact.setdefault(name, entry)
            else:
                key = first if _SIGNS.isdisjoint(first) else "*"
                self._globs.setdefault(key, []).append((name, entry))
        if match.method is not None:
            receivers = NameGlobs(match.receivers)
            for method in match.methods:
                self._words.add(method)
                if _SIGNS.isdisjoint(method):
                    self._shapes.setdefault(method, []).append((number, receivers, entry))
                else:
                    self._open_shapes.append((number, method, receivers, entry))

    def find(self, qualified: Sequence[str], method: str, receivers: Sequence[str]) -> Hit[T] | None:
        """The entry for a call.

        ``qualified`` are the dotted names the called thing may have (``pkg.Class.method``, without ``()``),
        best first; ``method`` is its last name; ``receivers`` are the last name of the receiver's
        expression and the names of its class, empty for a plain function.
        """
        for name in qualified:
            entry = self.exact.get(name.removeprefix("builtins."))
            if entry is not None:
                return Hit(entry, True)
        for name in qualified:
            entry = self._find_glob(name)
            if entry is not None:
                return Hit(entry, True)
        for globs, entry in self._shapes_for(method):
            if not globs or any(globs.match(receiver.rpartition(".")[2]) for receiver in receivers):
                return Hit(entry, False)
        return None

    def _find_glob(self, name: str) -> T | None:
        for key in (name.partition(".")[0], "*"):
            for glob, entry in self._globs.get(key, ()):
                if fnmatchcase(name, glob):
                    return entry
        return None

    def _shapes_for(self, method: str) -> list[tuple[NameGlobs, T]]:
        """The by-shape entries whose method pattern fits ``method``, in order; remembered per method."""
        shapes = self._shapes_of.get(method)
        if shapes is None:
            numbered = list(self._shapes.get(method, ()))
            numbered += [(n, r, e) for n, pattern, r, e in self._open_shapes if fnmatchcase(method, pattern)]
            numbered.sort(key=lambda item: item[0])
            shapes = self._shapes_of[method] = [(receivers, entry) for _, receivers, entry in numbered]
        return shapes

    @property
    def words(self) -> frozenset[str]:
        """The last names by which a call of any entry can be spotted in raw text, without their stars.

        Entries for every name below a module (``logging.*``) give no word.
        """
        bare = (max(word.replace("?", "*").split("*"), key=len) for word in self._words)
        return frozenset(word for word in bare if len(word) > 2)

    def __len__(self) -> int:
        return len(self.entries)


class NameTable(Generic[T]):
    """Entries found by the name of a variable, attribute or key; ``never`` are names without an entry."""

    __slots__ = ("_answers", "_never", "_patterns")

    def __init__(self, named: Iterable[tuple[tuple[str, ...], T]], never: NameGlobs) -> None:
        self._patterns: list[tuple[NameGlobs, T]] = [(NameGlobs(names), entry) for names, entry in named]
        self._never = never
        self._answers: dict[str, T | None] = {}

    def find(self, name: str) -> T | None:
        """The first entry one of whose patterns fits ``name`` (compared as :mod:`names` says)."""
        if name not in self._answers:
            self._answers[name] = self._find(name)
        return self._answers[name]

    def _find(self, name: str) -> T | None:
        entry = next((entry for globs, entry in self._patterns if globs.match(name)), None)
        return None if entry is None or self._never.match(name) else entry

    @property
    def words(self) -> frozenset[str]:
        """The literal part of every pattern."""
        parts = (pattern.strip("*_").split("*") for globs, _ in self._patterns for pattern in globs.patterns)
        return frozenset(max(pieces, key=len) for pieces in parts if pieces)
