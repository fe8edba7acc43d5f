"""Entries about caches of answers: library caches, and the names by which home-made similarity caches are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reduction_lint.knowledge.entries import Argument, Condition, Match
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import (
    Spec,
    alternatives,
    arguments,
    boolean,
    calls,
    condition,
    lowered,
    one_of,
    read_fields,
    take_match,
    texts,
)
from reduction_lint.knowledge.table import Table


@dataclass(frozen=True, slots=True)
class Cache:
    """A call that has to do with a cache of answers; ``semantic`` is false where only the very same prompt is a hit.

    ``use``: ``install`` puts the cache before the model, ``object`` makes one that is asked by hand, ``look-up`` is that
    question, and ``convert`` is given, under ``converter``, the function that turns a hit into an answer and, under
    ``model``, the one that asks the model. ``flags`` are names by which the library tells a hit.
    """

    match: Match
    semantic: bool = True
    use: str = "install"
    converter: tuple[Argument, ...] = ()
    model: tuple[Argument, ...] = ()
    flags: tuple[str, ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class SimilarNames:
    """Names of home-made similarity caches. Each is asked with ``.match(name)``.

    ``look_ups`` find what is near, ``measures`` say how near two are, ``vectors`` hold or make vectors. ``answers`` are what
    stored answers are called and ``not_answers`` what is read as context instead. ``marks`` say that a turn was answered by
    something else, ``mark_writers`` are calls that store such a mark and
    ``askers`` functions that ask a model.
    """

    look_ups: NameGlobs
    measures: NameGlobs
    vectors: NameGlobs
    answers: NameGlobs
    not_answers: NameGlobs
    caches: NameGlobs
    marks: NameGlobs
    mark_writers: NameGlobs
    askers: NameGlobs


@dataclass(slots=True)
class RawCaches:
    """Entries of this kind gathered so far, in order of precedence."""

    caches: list[Cache] = field(default_factory=list)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stems: tuple[str, ...] = ()

    def behind(self, shipped: RawCaches) -> None:
        """Put the shipped entries behind those read so far."""
        self.caches += shipped.caches
        self.stems += shipped.stems
        names = {*self.names, *shipped.names}
        self.names = {name: self.names.get(name, ()) + shipped.names.get(name, ()) for name in names}


@dataclass(frozen=True, eq=False)
class Caches:
    """What is known about caches of answers, ready to be asked."""

    table: Table[Cache]
    names: SimilarNames
    stems: frozenset[str] = frozenset()
    """Words (lower case) without one of which nothing home-made looks for what is similar."""

    @cached_property
    def words(self) -> frozenset[str]:
        """Words (lower case) without one of which a text holds no similarity cache."""
        return self.library_words | self.stems

    @cached_property
    def library_words(self) -> frozenset[str]:
        """Words (lower case) without one of which a text calls no cache of a library."""
        own = {_spotted(call) for entry in self.table.entries if entry.semantic for call in entry.match.calls}
        shapes = {method for entry in self.table.entries for method in entry.match.methods}
        return frozenset(word.lower() for word in own | shapes if len(word) > 3)


_TELLING = 9
"""Letters from which on the last part of a name is rare enough to look for; else the library's name is."""


def _spotted(call: str) -> str:
    """The part of a dotted name by which a call of it can be spotted in raw text."""
    first, _, rest = call.partition(".")
    last = max(rest.rpartition(".")[2].split("*") if rest else first.split("*"), key=len)
    return last if len(last) >= _TELLING else first


def compiled(raw: RawCaches) -> Caches:
    """The entries as tables."""
    names = {name: NameGlobs(raw.names.get(name, ())) for name, _ in _NAMES.values()}
    return Caches(Table(raw.caches), SimilarNames(**names), frozenset(raw.stems))


def read_cache(item: Mapping[str, Any], file: str, entry: str, raw: RawCaches) -> Match:
    """Read one ``[[caches]]`` table; gives its match and raises :class:`KnowledgeError`."""
    fields = read_fields(item, _CACHE, file, entry)
    fields["match"] = take_match(fields, file, entry)
    raw.caches.append(Cache(**fields))
    return raw.caches[-1].match


def read_names(value: Mapping[str, Any], file: str, entry: str, raw: RawCaches) -> None:
    """Read the ``[similar]`` table; raises :class:`KnowledgeError`."""
    fields = read_fields(value, {**_NAMES, "stem": ("stems", lowered)}, file, entry)
    raw.stems += fields.pop("stems", ())
    for name, patterns in fields.items():
        raw.names[name] = raw.names.get(name, ()) + patterns


_CACHE: Spec = {
    "call": ("calls", calls),
    "method": ("method", lambda value: "|".join(alternatives(value))),
    "receiver": ("receivers", alternatives),
    "semantic": ("semantic", boolean),
    "use": ("use", one_of("install", "object", "look-up", "convert")),
    "converter": ("converter", arguments),
    "model": ("model", arguments),
    "flag": ("flags", texts),
    "when": ("when", condition),
}
_NAMES: Spec = {
    "look-ups": ("look_ups", alternatives),
    "measures": ("measures", alternatives),
    "vectors": ("vectors", alternatives),
    "answers": ("answers", alternatives),
    "not-answers": ("not_answers", alternatives),
    "caches": ("caches", alternatives),
    "marks": ("marks", alternatives),
    "mark-writers": ("mark_writers", alternatives),
    "askers": ("askers", alternatives),
}
