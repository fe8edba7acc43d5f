"""Policies of phase-specific selection and the words they are known by, compiled from ``reduction_rules/phases.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Protocol

import reduction_rules
import tomli

from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import KnowledgeError, Spec, boolean, nearest, read_fields, texts

_FILE = "phases.toml"


@dataclass(frozen=True, slots=True)
class Frozen:
    """An older policy, which holds only where the stored marker (a glob in ``markers``) names it."""

    markers: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    excluded: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    protected: NameGlobs = field(default_factory=lambda: NameGlobs(()))


@dataclass(frozen=True, slots=True)
class Policy:
    """What one phase may leave out and what it must keep; all names are globs.

    ``recall`` says that left-out items can be asked for by id. Fields in ``whole`` keep all their items even then.
    ``demanded`` are the names that a project itself protects: they are known to exist in its contexts.
    """

    name: str
    excluded: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    protected: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    whole: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    recall: bool = False
    selectors: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    demanded: tuple[str, ...] = ()
    frozen: Frozen | None = None


class OwnPhase(Protocol):
    """A phase as a project's settings describe it."""

    @property
    def excluded(self) -> tuple[str, ...]: ...
    @property
    def protected(self) -> tuple[str, ...]: ...
    @property
    def recall(self) -> bool | None: ...
    @property
    def selectors(self) -> tuple[str, ...]: ...
    @property
    def audit_sink(self) -> tuple[str, ...]: ...
    @property
    def version_key(self) -> tuple[str, ...]: ...
    @property
    def replace(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Words:
    """Names that carry meaning for selection; see the comments in the data file."""

    context: NameGlobs
    selectors: NameGlobs
    audit: NameGlobs
    versions: NameGlobs
    replays: NameGlobs
    offline: NameGlobs
    offline_modules: NameGlobs
    values: NameGlobs
    raw: NameGlobs
    ids: NameGlobs
    indexes: NameGlobs
    evidence: NameGlobs
    prices: NameGlobs
    measured: NameGlobs
    stored: NameGlobs
    wire: NameGlobs


@dataclass(frozen=True, slots=True)
class Phases:
    """All policies by the name of their phase."""

    policies: Mapping[str, Policy]
    words: Words

    def selected_by(self, name: str, qualname: str) -> Policy | None:
        """The policy whose settings name this function (bare or dotted)."""
        for policy in self.policies.values():
            if policy.selectors and (policy.selectors.match(name) or policy.selectors.match(qualname)):
                return policy
        return None

    def named_in(self, name: str) -> Policy | None:
        """The policy whose phase a function's name holds as whole words (``select_for_handoff``)."""
        parts = f"_{name.lower()}_"
        fitting = [p for phase, p in self.policies.items() if f"_{phase.lower()}_" in parts]
        return max(fitting, key=lambda policy: len(policy.name), default=None)


_POLICY: Spec = {
    "recall": ("recall", boolean),
    "excluded": ("excluded", texts),
    "protected": ("protected", texts),
    "whole": ("whole", texts),
}
_FROZEN: Spec = {
    "markers": ("markers", texts),
    "excluded": ("excluded", texts),
    "protected": ("protected", texts),
}
_WORDS: Spec = {name.replace("_", "-"): (name, texts) for name in Words.__slots__}


@lru_cache(maxsize=1)
def shipped() -> Phases:
    """The phases of the data file; raises :class:`KnowledgeError` for a mistake in it."""
    return read_phases(tomli.loads(reduction_rules.data(_FILE).decode("utf-8")))


def read_phases(document: Mapping[str, Any], file: str = _FILE) -> Phases:
    """The phases and words of a parsed document; raises :class:`KnowledgeError`."""
    for key in document:
        if key not in ("phases", "words"):
            raise KnowledgeError(file, key, "", f"unknown table{nearest(key, ['phases', 'words'])}")
    for key in ("phases", "words"):
        if type(document.get(key)) is not dict:
            raise KnowledgeError(file, key, "", f"must be a table ([{key}])")
    policies = {name: _read_policy(name, table, file) for name, table in document["phases"].items()}
    words = read_fields(document["words"], _WORDS, file, "words")
    for key, (name, _) in _WORDS.items():
        if name not in words:
            raise KnowledgeError(file, "words", key, "is missing")
    return Phases(policies, Words(**{name: NameGlobs(globs) for name, globs in words.items()}))


def _read_policy(name: str, table: Any, file: str) -> Policy:
    entry = f"phases.{name}"
    if type(table) is not dict:
        raise KnowledgeError(file, entry, "", "must be a table")
    own = dict(table)
    older = own.pop("frozen", None)
    frozen = None
    if older is not None:
        if type(older) is not dict:
            raise KnowledgeError(file, entry, "frozen", "must be a table")
        frozen = Frozen(**_globs(read_fields(older, _FROZEN, file, f"{entry}.frozen")))
    return Policy(name, **_globs(read_fields(own, _POLICY, file, entry)), frozen=frozen)


def _globs(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: NameGlobs(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def phases_of(own: Mapping[str, OwnPhase]) -> Phases:
    """The shipped phases with those of a project: it adds to a phase of the same name, or replaces it."""
    base = shipped()
    if not own:
        return base
    policies = dict(base.policies)
    audit: list[str] = []
    versions: list[str] = []
    for name, phase in own.items():
        known = None if phase.replace else policies.get(name)
        policies[name] = _joined(known or Policy(name), phase)
        audit += phase.audit_sink
        versions += phase.version_key
    words = replace(base.words, audit=_more(base.words.audit, audit), versions=_more(base.words.versions, versions))
    return Phases(policies, words)


def _joined(policy: Policy, phase: OwnPhase) -> Policy:
    return replace(
        policy,
        excluded=_more(policy.excluded, phase.excluded),
        protected=_more(policy.protected, phase.protected),
        recall=policy.recall if phase.recall is None else phase.recall,
        selectors=_more(policy.selectors, phase.selectors),
        demanded=tuple(name for name in phase.protected if not set(name) & set("*?[")),
    )


def _more(globs: NameGlobs, patterns: Sequence[str]) -> NameGlobs:
    return NameGlobs((*globs.patterns, *patterns)) if patterns else globs
