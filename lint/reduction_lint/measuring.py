"""What selection removed from stored requests: characters before and after, and the paths that are gone.

Counts are of stored views. Nothing here knows tokens or prices, calls a provider or writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reduction_lint.workspace.archive import Member, members

MAX_PATHS = 10_000
_ENDINGS = (".before.json", ".after.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """One request. ``before`` and ``after`` are characters (Unicode code points); ``excluded`` are paths such as
    ``sources/0/navigation`` that the view before selection has and the one after has not."""

    name: str
    phase: str
    before: int
    after: int
    excluded: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """The share that was removed (0 to 1, negative where the view grew); None where there was nothing before."""
        return (self.before - self.after) / self.before if self.before else None


@dataclass(slots=True)
class Measurement:
    """All requests of an archive, in the order of their names, and the members that could not be used."""

    requests: list[Measured] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)

    @property
    def total(self) -> Measured:
        """All requests together."""
        before = sum(request.before for request in self.requests)
        after = sum(request.after for request in self.requests)
        return Measured("total", "", before, after, ())


def measure_archive(path: Path) -> Measurement:
    """Measure a zip file or folder; raises :class:`reduction_lint.workspace.archive.ArchiveError`.

    A request is an object with ``before`` and ``after`` (also several in a list), or a pair of members
    ``NAME.before.json`` and ``NAME.after.json``, or ``before/NAME.json`` and ``after/NAME.json``.
    """
    result = Measurement()
    halves: dict[str, dict[str, Any]] = {}
    for member in members(path):
        if member.problem:
            result.problems.append((member.name, member.problem))
            continue
        name, side = _half(member.name)
        if side:
            halves.setdefault(name, {})[side] = member.data
        else:
            _read_requests(member, result)
    for name, views in halves.items():
        if len(views) == 2:
            result.requests.append(_measured(name, "", views["before"], views["after"], result))
        else:
            missing = "after" if "before" in views else "before"
            result.problems.append((name, f"has no view {missing} selection"))
    result.requests.sort(key=lambda request: request.name)
    result.problems.sort()
    return result


def _half(name: str) -> tuple[str, str]:
    """(request, before or after) of a member that holds one view; the side is empty for all others."""
    for ending in _ENDINGS:
        if name.endswith(ending):
            return name.removesuffix(ending), ending.split(".")[1]
    parts = name.removesuffix(".json").split("/")
    for side in ("before", "after"):
        if side in parts[:-1]:
            at = parts.index(side)
            return "/".join(parts[:at] + parts[at + 1 :]), side
    return name, ""


def _read_requests(member: Member, result: Measurement) -> None:
    stem = member.name.removesuffix(".json")
    several = member.data if isinstance(member.data, list) else [member.data]
    for number, request in enumerate(several):
        name = stem if not isinstance(member.data, list) else f"{stem}[{number}]"
        if not isinstance(request, dict) or "before" not in request or "after" not in request:
            result.problems.append((name, 'holds no request: an object with "before" and "after" is wanted'))
            continue
        shown, phase = request.get("id", name), request.get("phase", "")
        shown = shown if isinstance(shown, str) and shown else name
        phase = phase if isinstance(phase, str) else ""
        result.requests.append(_measured(shown, phase, request["before"], request["after"], result))


def _measured(name: str, phase: str, before: Any, after: Any, result: Measurement) -> Measured:
    excluded: list[str] = []
    for path in _gone(before, after, ""):
        if len(excluded) == MAX_PATHS:
            result.problems.append((name, f"leaves out more than {MAX_PATHS} paths; the first ones are listed"))
            break
        excluded.append(path)
    return Measured(name, phase, characters(before), characters(after), tuple(excluded))


def characters(view: Any) -> int:
    """Characters of a view: those of a text; of all contents of a list of messages (also under ``messages``, with what
    stands beside it); of anything else in compact JSON, in which characters beyond ASCII stand for themselves."""
    if isinstance(view, str):
        return len(view)
    if view is None:
        return 0
    if isinstance(view, list) and view and all(isinstance(m, dict) and "content" in m for m in view):
        return sum(characters(message["content"]) for message in view)
    if isinstance(view, dict) and set(view) <= {"messages", "system"} and isinstance(view.get("messages"), list):
        return sum(characters(part) for part in view.values())
    if view in ({}, []):
        return 0
    return len(json.dumps(view, ensure_ascii=False, separators=(",", ":")))


def _gone(before: Any, after: Any, path: str) -> Iterator[str]:
    """The topmost paths that ``before`` has and ``after`` has not."""
    if isinstance(before, dict):
        kept = after if isinstance(after, dict) else {}
        for key, value in before.items():
            here = _join(path, key)
            if key not in kept:
                yield here
            else:
                yield from _gone(value, kept[key], here)
    elif isinstance(before, list):
        rest = after if isinstance(after, list) else []
        for number, (item, other) in enumerate(_pairs(before, rest)):
            here = _join(path, str(number))
            if other is _MISSING:
                yield here
            else:
                yield from _gone(item, other, here)
    elif after in (None, "") and before not in (None, ""):
        yield path or "(everything)"


_MISSING = object()


def _pairs(before: list[Any], after: list[Any]) -> Iterable[tuple[Any, Any]]:
    """Each item with the one that stands for it afterwards: by id, by equality, else by position in lists of one length."""
    by_id = {_identity(item): item for item in after if _identity(item) is not None}
    if any(_identity(item) is not None for item in before):
        return [(item, by_id.get(_identity(item), _MISSING)) for item in before]
    if len(before) == len(after):
        return zip(before, after, strict=True)
    left = [json.dumps(item, sort_keys=True) for item in after]
    pairs: list[tuple[Any, Any]] = []
    for item in before:
        text = json.dumps(item, sort_keys=True)
        if text in left:
            left.remove(text)
            pairs.append((item, item))
        else:
            pairs.append((item, _MISSING))
    return pairs


def _identity(item: Any) -> str | None:
    value = item.get("id") if isinstance(item, dict) else None
    return str(value) if isinstance(value, (str, int)) else None


def _join(path: str, key: str) -> str:
    return f"{path}/{key}" if path else key
