"""Entries about what must not get into a transcript: probes, wire annotations, text for one request; and the escalation marker."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reduction_lint.knowledge.entries import Match
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import (
    KnowledgeError,
    Spec,
    alternatives,
    calls,
    lowered,
    read_fields,
    take_match,
    text,
    texts,
)

_LISTS = (
    *("probe_names", "probe_weak_names", "probe_prompts", "probe_verdicts", "probe_models", "probe_calls"),
    *("wire_keys", "wire_calls", "wire_requests"),
    "stems",
    "request_stems",
    *("transcript_names", "request_names", "request_texts", "request_clocks", "marker_names"),
)


@dataclass(slots=True)
class RawTranscript:
    """Entries of this kind gathered so far, in order of precedence."""

    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    entering: list[Match] = field(default_factory=list)
    markers: tuple[str, ...] = ()

    def add(self, name: str, values: tuple[str, ...]) -> None:
        """Put values behind those of a list."""
        self.lists[name] = self.lists.get(name, ()) + values

    def behind(self, shipped: RawTranscript) -> None:
        """Put the shipped entries behind those read so far; a marker of the project's own replaces the shipped one."""
        for name, values in shipped.lists.items():
            self.add(name, values)
        self.entering += shipped.entering
        self.markers = self.markers or shipped.markers


@dataclass(frozen=True, eq=False)
class Transcript:
    """What is known about the purity of transcripts, ready to be asked.

    ``probe_names`` name functions, classes and variables of probes, ``probe_weak_names`` do so only beside a word of a
    verdict (``verdicts``); ``probe_prompts`` are found in prompts of probes. ``probe_models`` are globs of model ids.
    ``wire_keys`` are keys, attributes and keywords that belong to the wire alone, ``wire_calls`` make such marks, and
    ``wire_requests`` name what is built for one request. ``entering`` are calls that add to a transcript;
    ``transcript_names`` name what holds one. ``request_names``, ``request_texts`` and ``clocks`` tell text made for one
    request; ``request_stems`` are words of which a function that makes such text, or removes a marker, has one. ``markers`` are the
    escalation markers, ``marker_names`` what holds one.
    """

    probe_names: NameGlobs
    probe_weak_names: NameGlobs
    probe_models: NameGlobs
    probe_calls: tuple[str, ...]
    wire_keys: frozenset[str]
    wire_calls: frozenset[str]
    wire_requests: NameGlobs
    entering: tuple[Match, ...]
    transcript_names: NameGlobs
    request_names: NameGlobs
    clocks: frozenset[str]
    markers: tuple[str, ...]
    marker_names: NameGlobs
    _prompts: tuple[str, ...]
    _verdicts: tuple[str, ...]
    _texts: tuple[str, ...]
    _stems: tuple[str, ...]
    request_stems: tuple[str, ...]

    @cached_property
    def probe_prompts(self) -> re.Pattern[str]:
        """Finds what only the prompt of a probe says."""
        return _any_of(self._prompts)

    @cached_property
    def verdicts(self) -> re.Pattern[str]:
        """Finds words of a verdict."""
        return _any_of(self._verdicts)

    @cached_property
    def request_texts(self) -> re.Pattern[str]:
        """Finds what only text for one request says."""
        return _any_of(self._texts)

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of which a text that holds a wire annotation or the escalation marker has one."""
        return self.wire_keys | {"escalat", *self.markers}

    @cached_property
    def signals(self) -> frozenset[str]:
        """Words (lower case) without one of which no function puts something into a transcript that does not belong there."""
        named = (self.probe_names, self.probe_weak_names, self.request_names, self.marker_names)
        cores = {max(pattern.split("*"), key=len).strip("_") for globs in named for pattern in globs.patterns}
        calls = {call.rpartition(".")[2] for call in (*self.probe_calls, *self.wire_calls)}
        words = cores | calls | self.wire_keys | {*self.markers, *self._stems, *self.request_stems}
        return frozenset(word.lower() for word in words if len(word) > 2)

    @cached_property
    def entering_methods(self) -> frozenset[str]:
        """Names of the methods that add to a transcript."""
        return frozenset(name for match in self.entering for name in match.methods)

    def enters(self, name: str, receivers: tuple[str, ...]) -> bool:
        """Does a method of this name, called on an object of one of these names, add to a transcript?"""
        fitting = (match for match in self.entering if name in match.methods)
        return any(not m.receivers or any(NameGlobs(m.receivers).match(r) for r in receivers) for m in fitting)

    def holds_marker(self, literal: object) -> bool:
        """Does a literal text hold the escalation marker, as it is or written as a regular expression?"""
        if not isinstance(literal, str):
            return False
        return any(marker in literal.replace("\\", "") for marker in self.markers)


def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)", re.I)


def _patterns(value: Any) -> tuple[str, ...]:
    """Regular expressions."""
    found = texts(value)
    for pattern in found:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f'"{pattern}" is no regular expression: {error}') from None
    return found


_NOTE: Spec = {"note": ("note", text)}
_PROBE: Spec = {
    **_NOTE,
    "name": ("probe_names", alternatives),
    "weak-name": ("probe_weak_names", alternatives),
    "prompt": ("probe_prompts", _patterns),
    "verdict": ("probe_verdicts", _patterns),
    "model": ("probe_models", alternatives),
    "call": ("probe_calls", calls),
    "stem": ("stems", lowered),
}
_WIRE: Spec = {
    **_NOTE,
    "key": ("wire_keys", alternatives),
    "call": ("wire_calls", calls),
    "request": ("wire_requests", alternatives),
}
_TRANSCRIPT: Spec = {
    **_NOTE,
    "name": ("transcript_names", alternatives),
    "method": ("method", text),
    "receiver": ("receivers", alternatives),
}
_REQUEST_ONLY: Spec = {
    "name": ("request_names", alternatives),
    "text": ("request_texts", _patterns),
    "clock": ("request_clocks", calls),
    "stem": ("request_stems", lowered),
}
_ESCALATION: Spec = {
    "marker": ("markers", texts),
    "name": ("marker_names", alternatives),
    "stem": ("request_stems", lowered),
}


def _read(item: Mapping[str, Any], spec: Spec, file: str, entry: str, raw: RawTranscript) -> dict[str, Any]:
    fields = read_fields(item, spec, file, entry)
    fields.pop("note", None)
    if not fields:
        raise KnowledgeError(file, entry, "", f"says nothing: give one of {', '.join(k for k in spec if k != 'note')}")
    for name in _LISTS:
        if name in fields:
            raw.add(name, fields.pop(name))
    return fields


def read_probe(item: Mapping[str, Any], file: str, entry: str, raw: RawTranscript) -> None:
    """Read one ``[[probes]]``."""
    _read(item, _PROBE, file, entry, raw)


def read_wire(item: Mapping[str, Any], file: str, entry: str, raw: RawTranscript) -> None:
    """Read one ``[[wire]]``."""
    _read(item, _WIRE, file, entry, raw)


def read_transcript(item: Mapping[str, Any], file: str, entry: str, raw: RawTranscript) -> None:
    """Read one ``[[transcripts]]``."""
    fields = _read(item, _TRANSCRIPT, file, entry, raw)
    if fields:
        raw.entering.append(take_match(fields, file, entry))


def read_request_only(item: Mapping[str, Any], file: str, entry: str, raw: RawTranscript) -> None:
    """Read ``[request-only]``."""
    _read(item, _REQUEST_ONLY, file, entry, raw)


def read_escalation(item: Mapping[str, Any], file: str, entry: str, raw: RawTranscript) -> None:
    """Read ``[escalation]``."""
    fields = _read(item, _ESCALATION, file, entry, raw)
    raw.markers += fields.get("markers", ())


def compiled(raw: RawTranscript) -> Transcript:
    """The entries, compiled."""
    lists = {name: raw.lists.get(name, ()) for name in _LISTS}
    return Transcript(
        probe_names=NameGlobs(lists["probe_names"]),
        probe_weak_names=NameGlobs(lists["probe_weak_names"]),
        probe_models=NameGlobs(lists["probe_models"]),
        probe_calls=lists["probe_calls"],
        wire_keys=frozenset(lists["wire_keys"]),
        wire_calls=frozenset(lists["wire_calls"]),
        wire_requests=NameGlobs(lists["wire_requests"]),
        entering=tuple(raw.entering),
        transcript_names=NameGlobs(lists["transcript_names"]),
        request_names=NameGlobs(lists["request_names"]),
        clocks=frozenset(lists["request_clocks"]),
        markers=raw.markers,
        marker_names=NameGlobs(lists["marker_names"]),
        _prompts=lists["probe_prompts"],
        _verdicts=lists["probe_verdicts"],
        _texts=lists["request_texts"],
        _stems=lists["stems"],
        request_stems=lists["request_stems"],
    )
