"""Entries about techniques that are banned or need a mark: soft compression, distillation, semantic caches, terse prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from reduction_lint.knowledge.entries import Argument, Match
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import (
    Spec,
    alternatives,
    arguments,
    calls,
    read_fields,
    take_match,
    text,
    texts,
)
from reduction_lint.knowledge.table import Table


@dataclass(frozen=True, slots=True)
class SoftCompressor:
    """A model that turns text into vectors which stand for it.

    ``match.calls`` are classes and functions, or modules. ``methods`` of such an object make or use the vectors.
    ``checkpoints`` are globs of published weights, ``keywords`` arguments that only such models take, ``literals`` their
    special tokens.
    """

    match: Match
    technique: str = ""
    methods: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()

    def is_checkpoint(self, name: str) -> bool:
        """Is this the id of one of the published weights, or a path that ends in it?"""
        return any(fnmatchcase(name, glob) or fnmatchcase(name, f"*/{glob}") for glob in self.checkpoints)


@dataclass(frozen=True, slots=True)
class Distiller:
    """A trainer or job.

    Without ``data`` its use is distillation by itself. ``data`` are the arguments that hold training data: it is
    distillation when they were written by a model. ``teacher`` are arguments that name a teacher: it is when one is given.
    """

    match: Match
    data: tuple[Argument, ...] = ()
    teacher: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class IdiomNames:
    """Names by which home-made variants are known. Each is asked with ``.match(name)``.

    ``soft_vectors`` hold vectors in place of text and ``other_modality`` vectors of images and sound; ``key_values`` are the
    attention states of a model. ``teachers`` and ``students`` are models in training, ``references`` models that a loss only
    stays close to.
    """

    soft_vectors: NameGlobs
    other_modality: NameGlobs
    key_values: NameGlobs
    teachers: NameGlobs
    students: NameGlobs
    references: NameGlobs


@dataclass(slots=True)
class RawBanned:
    """Entries of this kind gathered so far, in order of precedence."""

    soft: list[SoftCompressor] = field(default_factory=list)
    distillers: list[Distiller] = field(default_factory=list)
    idioms: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def behind(self, shipped: RawBanned) -> None:
        """Put the shipped entries behind those read so far."""
        self.soft += shipped.soft
        self.distillers += shipped.distillers
        self.idioms = {
            name: self.idioms.get(name, ()) + shipped.idioms.get(name, ()) for name in {*self.idioms, *shipped.idioms}
        }


@dataclass(frozen=True, eq=False)
class Banned:
    """What is known about banned techniques, ready to be asked."""

    soft: Table[SoftCompressor]
    distillers: Table[Distiller]
    idioms: IdiomNames

    @cached_property
    def soft_words(self) -> frozenset[str]:
        """Words (lower case) without one of which a text holds no soft compression."""
        found = {word for entry in self.soft.entries for word in _literals(entry)}
        found |= self.soft.words | {"inputs_embeds", "past_key_values", "dynamiccache"}
        return frozenset(word.lower() for word in found)

    @cached_property
    def distil_words(self) -> frozenset[str]:
        """Words (lower case) without one of which a text holds no distillation."""
        names = (call for entry in self.distillers.entries for call in entry.match.calls)
        found = {_telling(name) for name in names} | {"teacher", "kl_div", "kldivloss", "distil"}
        return frozenset(word.lower() for word in found)

    @cached_property
    def words(self) -> frozenset[str]:
        """Words without one of which nothing banned is in a text."""
        return self.soft_words | self.distil_words


def compiled(raw: RawBanned) -> Banned:
    """The entries as tables."""
    names = {name: NameGlobs(raw.idioms.get(name, ())) for name, _ in _IDIOMS.values()}
    return Banned(Table(raw.soft), Table(raw.distillers), IdiomNames(**names))


def read_soft(item: Mapping[str, Any], file: str, entry: str, raw: RawBanned) -> Match:
    """Read one ``[[soft-compressors]]`` table; gives its match and raises :class:`KnowledgeError`."""
    fields = read_fields(item, _SOFT, file, entry)
    fields["match"] = take_match(fields, file, entry, needed=False)
    raw.soft.append(SoftCompressor(**fields))
    return raw.soft[-1].match


def read_distiller(item: Mapping[str, Any], file: str, entry: str, raw: RawBanned) -> Match:
    """Read one ``[[distillers]]`` table; gives its match and raises :class:`KnowledgeError`."""
    fields = read_fields(item, _DISTILLER, file, entry)
    fields["match"] = take_match(fields, file, entry)
    raw.distillers.append(Distiller(**fields))
    return raw.distillers[-1].match


def read_idioms(value: Mapping[str, Any], file: str, entry: str, raw: RawBanned) -> None:
    """Read the ``[idioms]`` table; raises :class:`KnowledgeError`."""
    for name, patterns in read_fields(value, _IDIOMS, file, entry).items():
        raw.idioms[name] = raw.idioms.get(name, ()) + patterns


_PLAIN = frozenset(["create", "create_async", "compile", "jobs", "run", "*"])


def _telling(name: str) -> str:
    """The last part of a dotted name that says something, without stars."""
    parts = [part for part in name.split(".") if part not in _PLAIN]
    return max(parts[-1].split("*"), key=len) if parts else name


def _literals(entry: SoftCompressor) -> tuple[str, ...]:
    """The literal parts by which an entry without a call can be spotted."""
    stems = tuple(max(glob.split("*"), key=len) for glob in entry.checkpoints)
    return (*stems, *entry.keywords, *entry.literals)


_SOFT: Spec = {
    "call": ("calls", calls),
    "technique": ("technique", text),
    "use": ("methods", alternatives),
    "checkpoint": ("checkpoints", texts),
    "keyword": ("keywords", texts),
    "literal": ("literals", texts),
}
_DISTILLER: Spec = {"call": ("calls", calls), "data": ("data", arguments), "teacher": ("teacher", arguments)}
_IDIOMS: Spec = {
    "soft-vectors": ("soft_vectors", alternatives),
    "other-modality": ("other_modality", alternatives),
    "key-values": ("key_values", alternatives),
    "teachers": ("teachers", alternatives),
    "students": ("students", alternatives),
    "references": ("references", alternatives),
}
