"""Reading the model files and the user's entries of the same format into typed entries.

A file holds arrays of tables (``[[captures]]``, ``[[reducers]]``, ``[[compressors]]``, ``[[calls]]``,
``[[sources]]``, ``[[sinks]]``, ``[[renderings]]``, ``[[types]]``, ``[[sidecars]]``) and the tables
``[names]``, ``[notice]`` and ``[max-tokens]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import reduction_rules
import tomli

from reduction_lint.knowledge.banned import RawBanned, read_distiller, read_idioms, read_soft
from reduction_lint.knowledge.caches import RawCaches, read_cache
from reduction_lint.knowledge.caches import read_names as read_similar
from reduction_lint.knowledge.entries import (
    Capture,
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
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.pruning import RawPruning, read_pruning
from reduction_lint.knowledge.schema import (
    KnowledgeError,
    Spec,
    alternatives,
    arguments,
    boolean,
    calls,
    condition,
    globs,
    lowered,
    nearest,
    one_of,
    read_fields,
    take_match,
    text,
    texts,
    whole,
)
from reduction_lint.knowledge.terse import RawTerse, read_lists, read_order, read_parameter
from reduction_lint.knowledge.transcript import (
    RawTranscript,
    read_escalation,
    read_probe,
    read_request_only,
    read_transcript,
    read_wire,
)

_COMMON: Spec = {
    "call": ("calls", calls),
    "method": ("method", text),
    "receiver": ("receivers", alternatives),
    "matches": ("matches", texts),
    "no-matches": ("no_matches", texts),
}
_NOTE: Spec = {"note": ("note", text)}
_OTHER: Spec = {**_NOTE, "matches": ("matches", texts), "no-matches": ("no_matches", texts)}
_ASYNC: Spec = {"async": ("is_async", boolean)}
_VALUE: Spec = {"value": ("values", arguments)}
_WHEN: Spec = {"when": ("when", condition)}
_RESULTS = one_of("view", "in-place", "replaces", "config", "marker")
_TECHNIQUES = one_of("truncation", "compaction", "hard-compression")
_SOURCE_KINDS = one_of("conversation", "tool-output", "document", "model-output", "prompt")
_SINK_KINDS = one_of("model", "message", "store", "tool-return", "embedding", "tokenizer", "ui")

_CAPTURE: Spec = {
    **_COMMON,
    **_NOTE,
    **_ASYNC,
    **_VALUE,
    **_WHEN,
    "durable": ("durable", boolean),
    "copies": ("copies", boolean),
    "lossless": ("lossless", boolean),
}
_REDUCER: Spec = {
    **_COMMON,
    **_NOTE,
    **_VALUE,
    **_WHEN,
    "result": ("result", _RESULTS),
    "technique": ("technique", _TECHNIQUES),
    "keeps-raw": ("keeps_raw", texts),
    "installs": ("installs", boolean),
}
_CALL: Spec = {
    **_COMMON,
    **_NOTE,
    **_ASYNC,
    "cap": ("caps", texts),
    "text": ("texts", texts),
    "stop": ("stops", texts),
    "cut-values": ("cut_values", texts),
    "raises": ("raises", boolean),
    "inputs": ("inputs", arguments),
    "constructor": ("constructor", boolean),
}
_SOURCE: Spec = {
    **_COMMON,
    **_ASYNC,
    "name": ("names", alternatives),
    "result": ("result", texts),
    "kind": ("kind", _SOURCE_KINDS),
    "shape": ("shape", one_of("list", "text", "any")),
    "rereadable": ("rereadable", boolean),
}
_SINK: Spec = {
    **_COMMON,
    **_VALUE,
    "kind": ("kind", _SINK_KINDS),
    "decorator": ("decorators", calls),
    "base": ("bases", calls),
    "tool-method": ("methods", alternatives),
    "beside": ("beside", text),
    "key": ("keys", alternatives),
}
_RENDERING: Spec = {
    **_COMMON,
    **_VALUE,
    "lossless": ("lossless", boolean),
    "copy": ("copy", one_of("none", "shallow", "deep")),
}
_TYPE: Spec = {**_COMMON, "returns": ("returns", text)}
_SIDECAR: Spec = {"type": ("types", calls), "name": ("names", alternatives), **_NOTE}
_NAMES: Spec = {
    "opt-in-flags": ("opt_in_flags", alternatives),
    "imported-prefix": ("imported_prefix", alternatives),
    "command-handlers": ("command_handlers", alternatives),
    "beginnings": ("beginnings", alternatives),
    "context-classes": ("context_classes", alternatives),
    "members": ("members", alternatives),
    "summarisers": ("summarisers", alternatives),
    "summaries": ("summaries", alternatives),
    "loggers": ("loggers", alternatives),
    "not-context": ("not_context", alternatives),
    "ui": ("ui", alternatives),
}
_NOTICE: Spec = {
    "retained": ("retained", lowered),
    "not-retained": ("not_retained", lowered),
    "cut": ("cut", lowered),
    "weak": ("weak", lowered),
}


@dataclass(frozen=True, slots=True)
class Examples:
    """Code that an entry of a file must match, and code that it must not match."""

    file: str
    entry: str
    match: Match
    matches: tuple[str, ...]
    no_matches: tuple[str, ...]


@dataclass(slots=True)
class Raw:
    """Entries gathered so far, in order of precedence."""

    captures: list[Capture] = field(default_factory=list)
    reducers: list[Reducer] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    sinks: list[Sink] = field(default_factory=list)
    renderings: list[Rendering] = field(default_factory=list)
    types: list[TypeOf] = field(default_factory=list)
    sidecar_types: tuple[str, ...] = ()
    sidecar_names: tuple[str, ...] = ()
    name_globs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    caps: dict[str, Any] = field(default_factory=dict)
    banned: RawBanned = field(default_factory=RawBanned)
    terse: RawTerse = field(default_factory=RawTerse)
    caches: RawCaches = field(default_factory=RawCaches)
    transcript: RawTranscript = field(default_factory=RawTranscript)
    pruning: RawPruning = field(default_factory=RawPruning)
    examples: list[Examples] = field(default_factory=list)

    def sidecar_hint(self) -> SidecarHint:
        """The compiled sidecar hints."""
        return SidecarHint(self.sidecar_types, NameGlobs(self.sidecar_names))

    def names(self) -> Names:
        """The compiled telling names."""
        return Names(**{name: NameGlobs(self.name_globs.get(name, ())) for name, _ in _NAMES.values()})

    def notice(self) -> Notice:
        """The compiled phrases."""
        return Notice(**{name: self.phrases.get(name, ()) for name, _ in _NOTICE.values()})

    def max_tokens(self) -> MaxTokens:
        """The compiled floors."""
        return MaxTokens(**self.caps)


@lru_cache(maxsize=1)
def read_shipped() -> Raw:
    """The shipped entries, parsed once per process; not to be changed by who asks for them."""
    raw = Raw()
    for name in reduction_rules.MODEL_FILES:
        document = tomli.loads(reduction_rules.data(name).decode("utf-8"))
        read_document(document, name.rpartition("/")[2], raw)
    return raw


def merge(extra: Mapping[str, Any], origin: str) -> Raw:
    """The entries of ``extra`` first, then the shipped ones.

    Besides the tables of the files, ``extra`` may hold ``opt-in-flags``, ``imported-prefix-names`` and
    ``escalate-marker`` at top level, as the settings do. ``origin`` is the file that errors name.
    """
    shipped = read_shipped()
    raw = Raw(
        sidecar_types=shipped.sidecar_types,
        sidecar_names=shipped.sidecar_names,
        name_globs=dict(shipped.name_globs),
        phrases=dict(shipped.phrases),
        caps=dict(shipped.caps),
    )
    document = dict(extra)
    if "escalate-marker" in document:
        read_document({"escalation": {"marker": document.pop("escalate-marker")}}, origin, raw)
    for key, inner in (("opt-in-flags", "opt-in-flags"), ("imported-prefix-names", "imported-prefix")):
        if key in document:
            read_document({"names": {inner: document.pop(key)}}, origin, raw)
    read_document(document, origin, raw)
    for table in ("captures", "reducers", "calls", "sources", "sinks", "renderings", "types", "examples"):
        getattr(raw, table).extend(getattr(shipped, table))
    raw.banned.behind(shipped.banned)
    raw.terse.behind(shipped.terse)
    raw.caches.behind(shipped.caches)
    raw.transcript.behind(shipped.transcript)
    raw.pruning.behind(shipped.pruning)
    return raw


def read_document(document: Mapping[str, Any], file: str, raw: Raw) -> None:
    """Read one parsed TOML document into ``raw``; raises :class:`KnowledgeError`."""
    for table, value in document.items():
        reader = _ARRAYS.get(table)
        if reader is not None:
            if type(value) is not list or not all(type(item) is dict for item in value):
                raise KnowledgeError(file, table, "", f"must be an array of tables ([[{table}]])")
            for number, item in enumerate(value, 1):
                reader(item, file, f"{table}[{number}]", raw)
        elif table in _TABLES:
            if type(value) is not dict:
                raise KnowledgeError(file, table, "", f"must be a table ([{table}])")
            _TABLES[table](value, file, table, raw)
        else:
            raise KnowledgeError(file, table, "", f"unknown table{nearest(table, {**_ARRAYS, **_TABLES})}")


def _fields(item: Mapping[str, Any], spec: Spec, file: str, entry: str, raw: Raw, match: bool) -> dict[str, Any]:
    """The fields of one entry with its match; its examples are put aside."""
    fields = read_fields(item, spec, file, entry)
    good, bad = fields.pop("matches", ()), fields.pop("no_matches", ())
    fields["match"] = take_match(fields, file, entry, needed=match)
    if good or bad:
        raw.examples.append(Examples(file, entry, fields["match"], good, bad))
    return fields


def _capture(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    raw.captures.append(Capture(**_fields(item, _CAPTURE, file, entry, raw, True)))


def _reducer(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    raw.reducers.append(Reducer(**_fields(item, _REDUCER, file, entry, raw, True)))


def _compressor(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    _reducer({"technique": "hard-compression", **item}, file, entry, raw)


def _call(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    raw.calls.append(ModelCall(**_fields(item, _CALL, file, entry, raw, True)))


def _source(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    raw.sources.append(Source(**_fields(item, _SOURCE, file, entry, raw, "name" not in item)))


def _sink(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    for first, second in (("base", "tool-method"), ("beside", "key")):
        if (first in item) != (second in item):
            raise KnowledgeError(file, entry, first, f'"{first}" and "{second}" belong together')
    needed = not {"decorator", "base", "beside"} & set(item)
    raw.sinks.append(Sink(**_fields(item, _SINK, file, entry, raw, needed)))


def _rendering(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    raw.renderings.append(Rendering(**_fields(item, _RENDERING, file, entry, raw, True)))


def _type(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    if "returns" not in item:
        raise KnowledgeError(file, entry, "returns", "is missing")
    raw.types.append(TypeOf(**_fields(item, _TYPE, file, entry, raw, True)))


def _sidecar(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    fields = read_fields(item, _SIDECAR, file, entry)
    raw.sidecar_types += fields.get("types", ())
    raw.sidecar_names += fields.get("names", ())


def _with_examples(
    item: Mapping[str, Any], file: str, entry: str, raw: Raw, read: Callable[..., Match], own: object
) -> None:
    """Read an entry of another module (``read`` puts it into ``own``), and put its examples aside."""
    rest = {key: value for key, value in item.items() if key not in _OTHER}
    fields = read_fields({key: value for key, value in item.items() if key in _OTHER}, _OTHER, file, entry)
    match = read(rest, file, entry, own)
    good, bad = fields.get("matches", ()), fields.get("no_matches", ())
    if good or bad:
        raw.examples.append(Examples(file, entry, match, good, bad))


def _soft(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    _with_examples(item, file, entry, raw, read_soft, raw.banned)


def _distiller(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    _with_examples(item, file, entry, raw, read_distiller, raw.banned)


def _cache(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    _with_examples(item, file, entry, raw, read_cache, raw.caches)


def _similar(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_similar(value, file, entry, raw.caches)


def _pruning(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_pruning(value, file, entry, raw.pruning)


def _idioms(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_idioms(value, file, entry, raw.banned)


def _terse_order(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_order(item, file, entry, raw.terse)


def _terse_parameter(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_parameter(item, file, entry, raw.terse)


def _probe(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_probe(item, file, entry, raw.transcript)


def _wire(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_wire(item, file, entry, raw.transcript)


def _transcript(item: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_transcript(item, file, entry, raw.transcript)
    if "name" in item:
        raw.sources.append(Source(Match(), alternatives(item["name"]), kind="conversation", shape="list"))


def _request_only(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_request_only(value, file, entry, raw.transcript)


def _escalation(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_escalation(value, file, entry, raw.transcript)


def _terse(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    read_lists(value, file, entry, raw.terse)


def _names(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    for name, patterns in read_fields(value, _NAMES, file, entry).items():
        raw.name_globs[name] = raw.name_globs.get(name, ()) + patterns


def _notice(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    for name, phrases in read_fields(value, _NOTICE, file, entry).items():
        raw.phrases[name] = raw.phrases.get(name, ()) + phrases


def _kinds(value: Any) -> dict[str, int]:
    if type(value) is not dict:
        raise ValueError("must be a table of kind = tokens")
    return {text(kind): whole(floor) for kind, floor in value.items()}


def _kind_words(value: Any) -> dict[str, tuple[str, ...]]:
    if type(value) is not dict:
        raise ValueError("must be a table of kind = [words]")
    return {text(kind): lowered(words) for kind, words in value.items()}


def _expected(value: Any) -> tuple[ExpectedTokens, ...]:
    rows = value if type(value) is list else [value]
    for row in rows:
        if type(row) is not dict or set(row) != {"call", "tokens"}:
            raise ValueError("must be a list of { call = NAME, tokens = NUMBER }")
    return tuple(ExpectedTokens(text(row["call"]), whole(row["tokens"])) for row in rows)


_MAX_TOKENS: Spec = {
    "floor": ("floor", whole),
    "kinds": ("kinds", _kinds),
    "kind-words": ("kind_words", _kind_words),
    "expected": ("expected", _expected),
    "whole-reasons": ("whole_reasons", lambda value: frozenset(lowered(value))),
    "cut-labels": ("cut_labels", globs),
    "repairing-parsers": ("repairing_parsers", globs),
}


def _max_tokens(value: Mapping[str, Any], file: str, entry: str, raw: Raw) -> None:
    for name, setting in read_fields(value, _MAX_TOKENS, file, entry).items():
        known = raw.caps.get(name)
        raw.caps[name] = {**known, **setting} if isinstance(known, dict) else setting


_Read = Callable[[Mapping[str, Any], str, str, Raw], None]
_ARRAYS: dict[str, _Read] = {
    "captures": _capture,
    "reducers": _reducer,
    "compressors": _compressor,
    "calls": _call,
    "sources": _source,
    "sinks": _sink,
    "renderings": _rendering,
    "types": _type,
    "sidecars": _sidecar,
    "soft-compressors": _soft,
    "distillers": _distiller,
    "caches": _cache,
    "probes": _probe,
    "wire": _wire,
    "transcripts": _transcript,
    "terse-orders": _terse_order,
    "terse-parameters": _terse_parameter,
}
_TABLES: dict[str, _Read] = {
    "names": _names,
    "idioms": _idioms,
    "terse": _terse,
    "request-only": _request_only,
    "escalation": _escalation,
    "similar": _similar,
    "pruning": _pruning,
    "notice": _notice,
    "max-tokens": _max_tokens,
}
