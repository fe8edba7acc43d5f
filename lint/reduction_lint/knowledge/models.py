"""Models of the APIs that reduce, capture, produce and consume context, compiled from
``reduction_rules/models``.

The shipped files and the user's own entries share one format, see :mod:`reduction_lint.knowledge.loading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from reduction_lint.knowledge import banned, caches, pruning, terse, transcript
from reduction_lint.knowledge.entries import (
    UNKNOWN,
    Argument,
    Capture,
    Condition,
    ExpectedTokens,
    Match,
    MaxTokens,
    ModelCall,
    Names,
    Notice,
    Reducer,
    Rendering,
    SidecarHint,
    Sink,
    Source,
    TypeOf,
)
from reduction_lint.knowledge.loading import Examples, Raw, merge, read_shipped
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import KnowledgeError
from reduction_lint.knowledge.table import Hit, NameTable, Table

__all__ = [
    "UNKNOWN",
    "Argument",
    "Capture",
    "Condition",
    "Examples",
    "ExpectedTokens",
    "Hit",
    "KnowledgeError",
    "Match",
    "MaxTokens",
    "ModelCall",
    "Models",
    "NameGlobs",
    "NameTable",
    "Names",
    "Notice",
    "Reducer",
    "Rendering",
    "SidecarHint",
    "Sink",
    "Source",
    "Table",
    "TypeOf",
    "load_models",
]


@dataclass(frozen=True, eq=False)
class Models:
    """Everything that is known about APIs and names, ready to be asked."""

    captures: Table[Capture]
    reducers: Table[Reducer]
    calls: Table[ModelCall]
    sources: Table[Source]
    sinks: Table[Sink]
    renderings: Table[Rendering]
    types: Table[TypeOf]
    sidecars: SidecarHint
    names: Names
    notice: Notice
    max_tokens: MaxTokens
    banned: banned.Banned
    terse: terse.Terse
    caches: caches.Caches
    pruning: pruning.Pruning
    transcript: transcript.Transcript
    examples: tuple[Examples, ...] = field(default=(), repr=False)

    @cached_property
    def named_sources(self) -> NameTable[Source]:
        """Sources found by a telling name such as ``messages`` or ``tool_output``."""
        named = ((source.names, source) for source in self.sources.entries if source.names)
        return NameTable(named, never=self.names.not_context)

    @cached_property
    def _tool_decorators(self) -> dict[str, Sink]:
        return {name: sink for sink in self.sinks.entries for name in sink.decorators}

    @cached_property
    def _tool_methods(self) -> dict[tuple[str, str], Sink]:
        entries = self.sinks.entries
        return {(base, method): sink for sink in entries for base in sink.bases for method in sink.methods}

    def tool_return(self, decorators: Iterable[str], bases: Sequence[str] = (), method: str = "") -> Sink | None:
        """The entry that makes a function a tool: by a decorator, or as ``method`` of a class with such a
        base.

        All names are qualified, without ``()``. Some last names (``tool``, ``BaseTool``) are enough by
        themselves, and patterns (``*Toolkit``) fit last names. A ``*`` among the methods of a pattern stands for every
        public method.
        """
        for name in decorators:
            sink = self._tool_decorators.get(name) or self._tool_decorators.get(f"*.{_last(name)}")
            if sink is not None:
                return sink
        for base in bases:
            sink = self._tool_methods.get((base, method)) or self._tool_methods.get((_last(base), method))
            if sink is not None:
                return sink
        public = not method.startswith("_")
        for globs, sink in self._tool_classes:
            if (method in sink.methods or (public and "*" in sink.methods)) and any(
                globs.match(_last(b)) for b in bases
            ):
                return sink
        return None

    @cached_property
    def _tool_classes(self) -> tuple[tuple[NameGlobs, Sink], ...]:
        """Entries whose bases are patterns: the name of a class or of a base of it tells that it is a tool."""
        patterned = ((tuple(b for b in sink.bases if "*" in b), sink) for sink in self.sinks.entries)
        return tuple((NameGlobs(bases), sink) for bases, sink in patterned if bases)

    @cached_property
    def _message_keys(self) -> tuple[tuple[str, frozenset[str]], ...]:
        return tuple((sink.beside, frozenset(sink.keys)) for sink in self.sinks.entries if sink.beside)

    def message_keys(self, keys: Iterable[str]) -> frozenset[str]:
        """Which of the keys of a dict hold context because the dict is a message; empty when it is none."""
        given = frozenset(keys)
        held = (content & given for beside, content in self._message_keys if beside in given)
        return frozenset().union(*held)

    def is_sidecar(self, name: str, types: Iterable[str] = ()) -> bool:
        """Whether an object with this last name, or of one of these classes, is where captures go."""
        hint = self.sidecars
        return hint.names.match(name) or any(kind in hint.types or hint.names.match(_last(kind)) for kind in types)

    @cached_property
    def cap_words(self) -> frozenset[str]:
        """Last names of all cap arguments: ``max_tokens``, ``num_predict`` …"""
        return frozenset(_last(cap) for call in self.calls.entries for cap in call.caps)

    @cached_property
    def cut_reasons(self) -> frozenset[str]:
        """Stop reasons (lower case) that mean "cut" for some provider."""
        return frozenset(_last(value).lower() for call in self.calls.entries for value in call.cut_values)

    @cached_property
    def context_words(self) -> frozenset[str]:
        """Words without which a text holds no context: parts of source names, calls that give or read it."""
        return self.named_sources.words | self.sources.words | self.calls.words

    def signals(self) -> frozenset[str]:
        """Words without one of which no model-based reduction or capped call can be in a text.

        Plain Python reductions (slices, ``pop``, ``clear`` …) are not among them.
        """
        return (
            self.reducers.words
            | self.cap_words
            | self.banned.words
            | self.terse.words
            | self.caches.words
            | self.pruning.score_stems
            | self.transcript.words
        )


def load_models(extra: Mapping[str, Any] | None = None, *, origin: str = "settings") -> Models:
    """The shipped models, with the entries of ``extra`` (same format) before them.

    ``origin`` is the file named in a :class:`KnowledgeError` about ``extra``. Without ``extra`` the result is
    built once per process.
    """
    return _build(merge(extra, origin)) if extra else _shipped()


def _last(name: str) -> str:
    """The last part of a dotted name."""
    return name.rpartition(".")[2]


@lru_cache(maxsize=1)
def _shipped() -> Models:
    return _build(read_shipped())


def _build(raw: Raw) -> Models:
    """Compile; every model call also reads its inputs (a sink) and gives its text (a source)."""
    answering = [call for call in raw.calls if not call.constructor]
    read = [Sink(call.match, call.inputs, "model") for call in answering if call.inputs]
    given = [Source(call.match, (), call.texts, "model-output", "text", call.is_async) for call in answering]
    return Models(
        captures=Table(raw.captures),
        reducers=Table(raw.reducers),
        calls=Table(raw.calls),
        sources=Table([*raw.sources, *given]),
        sinks=Table([*raw.sinks, *read]),
        renderings=Table(raw.renderings),
        types=Table(raw.types),
        sidecars=raw.sidecar_hint(),
        names=raw.names(),
        notice=raw.notice(),
        max_tokens=raw.max_tokens(),
        banned=banned.compiled(raw.banned),
        terse=terse.compiled(raw.terse),
        caches=caches.compiled(raw.caches),
        pruning=pruning.compiled(raw.pruning),
        transcript=transcript.compiled(raw.transcript),
        examples=tuple(raw.examples),
    )
