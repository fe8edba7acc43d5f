"""Names by which home-made pruning of text is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import Spec, alternatives, lowered, read_fields


@dataclass(slots=True)
class RawPruning:
    """Patterns and words gathered so far."""

    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stems: tuple[str, ...] = ()
    score_stems: tuple[str, ...] = ()

    def behind(self, shipped: RawPruning) -> None:
        """Put the shipped patterns behind those read so far."""
        self.stems += shipped.stems
        self.score_stems += shipped.score_stems
        names = {*self.names, *shipped.names}
        self.names = {name: self.names.get(name, ()) + shipped.names.get(name, ()) for name in names}


@dataclass(frozen=True, eq=False)
class Pruning:
    """Names, each asked with ``.match(name)``; ``stems`` and ``score_stems`` are words (lower case) to look for first.

    ``units`` are parts of a text, ``scores`` say how much a unit is worth and ``thresholds`` from where on it stays;
    ``selections`` say which units stay. ``pruners`` are functions that prune what they are given, ``pruned`` what comes of it
    and ``texts`` what is pruned.
    """

    units: NameGlobs
    scores: NameGlobs
    thresholds: NameGlobs
    selections: NameGlobs
    pruners: NameGlobs
    pruned: NameGlobs
    texts: NameGlobs
    stems: frozenset[str] = frozenset()
    score_stems: frozenset[str] = frozenset()


def compiled(raw: RawPruning) -> Pruning:
    """The patterns, compiled."""
    names = {name: NameGlobs(raw.names.get(name, ())) for name, _ in _NAMES.values()}
    return Pruning(**names, stems=frozenset(raw.stems), score_stems=frozenset(raw.score_stems))


def read_pruning(value: Mapping[str, Any], file: str, entry: str, raw: RawPruning) -> None:
    """Read the ``[pruning]`` table; raises :class:`KnowledgeError`."""
    fields = read_fields(value, {**_NAMES, **_STEMS}, file, entry)
    raw.stems += fields.pop("stems", ())
    raw.score_stems += fields.pop("score_stems", ())
    for name, patterns in fields.items():
        raw.names[name] = raw.names.get(name, ()) + patterns


_STEMS: Spec = {"stem": ("stems", lowered), "score-stem": ("score_stems", lowered)}
_NAMES: Spec = {
    "units": ("units", alternatives),
    "scores": ("scores", alternatives),
    "thresholds": ("thresholds", alternatives),
    "selections": ("selections", alternatives),
    "pruners": ("pruners", alternatives),
    "pruned": ("pruned", alternatives),
    "texts": ("texts", alternatives),
}
