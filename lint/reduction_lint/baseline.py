"""Findings that are known: from a baseline file or from an older revision. What is not among them is new.

A finding is known by its code, file, function, value and technique, so it survives moved and reformatted code; equal ones
are counted. A known finding that is gone from its place and turns up in another file, in a function of the same name,
has moved.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reduction_lint.findings import Finding
from reduction_lint.workspace.edits import EditError, write_atomically

FILE_NAME = ".reduction-lint-baseline.json"
VERSION = 1


class BaselineError(Exception):
    """A baseline that cannot be used; the message is one line with the file and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One known finding; ``path`` is relative to the folder of the baseline, with ``/``."""

    path: str
    code: str
    symbol: str
    value: str
    technique: str

    @property
    def anywhere(self) -> tuple[str, str, str, str]:
        """What stays the same when a function moves to another file."""
        return (self.code, self.symbol, self.value, self.technique)


@dataclass(slots=True)
class Comparison:
    """Findings that are new and known, in order, and the entries that are found no more."""

    new: list[Finding]
    known: list[Finding]
    gone: list[Entry]


def compare(
    findings: Iterable[Finding],
    entries: Iterable[Entry],
    entry_of: Callable[[Finding], Entry],
    is_looked_for: Callable[[Entry], bool],
) -> Comparison:
    """Tell new findings from known ones. Suppressed findings are neither.

    ``is_looked_for`` says whether an entry would have been found by this run: its file was checked or is no more, and its
    code is selected. Others are not gone.
    """
    left = Counter(entries)
    unknown: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        if finding.suppressed is not None:
            continue
        entry = entry_of(finding)
        if left[entry] > 0:
            left[entry] -= 1
            known.append(finding)
        else:
            unknown.append(finding)
    missing = [entry for entry in sorted(left.elements()) if is_looked_for(entry)]
    moved = Counter(entry.anywhere for entry in missing)
    new: list[Finding] = []
    for finding in unknown:
        key = entry_of(finding).anywhere
        if moved[key] > 0:
            moved[key] -= 1
            missing.remove(next(entry for entry in missing if entry.anywhere == key))
            known.append(finding)
        else:
            new.append(finding)
    known.sort(key=lambda finding: finding.sort_key)
    return Comparison(new, known, missing)


def entry_of(finding: Finding, path: str) -> Entry:
    """The entry for a finding, with its path as the baseline names it."""
    return Entry(path, finding.code, finding.symbol, finding.value, finding.technique)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of one file."""

    file: Path
    entries: tuple[Entry, ...] = ()

    def path_of(self, path: Path) -> str:
        """A path as the entries name it."""
        from os.path import relpath

        try:
            return Path(relpath(path, self.file.parent)).as_posix()
        except ValueError:  # another drive
            return path.as_posix()

    def with_entries(self, entries: Iterable[Entry]) -> Baseline:
        """The same file with other entries."""
        return replace(self, entries=tuple(sorted(entries)))

    def save(self) -> None:
        """Write the file, one entry a line and sorted, so that merges are easy. Raises :class:`BaselineError`."""
        lines = [json.dumps(_plain(entry), ensure_ascii=False) for entry in sorted(self.entries)]
        body = ",\n  ".join(lines)
        text = f'{{"tool": "reduction-lint", "version": {VERSION}, "findings": [\n  {body}\n]}}\n'
        if not lines:
            text = f'{{"tool": "reduction-lint", "version": {VERSION}, "findings": []}}\n'
        try:
            write_atomically(self.file, text.encode("utf-8", "backslashreplace"))
        except EditError as error:
            raise BaselineError(f"{self.file}: {error}") from None


def load(file: Path) -> Baseline:
    """Read a baseline; raises :class:`BaselineError`."""
    try:
        data = json.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        hint = "; `reduction-lint baseline` writes one" if isinstance(error, FileNotFoundError) else ""
        raise BaselineError(f"{file}: the baseline cannot be read: {error.strerror}{hint}") from None
    except (ValueError, RecursionError):
        raise BaselineError(
            f"{file}: is no baseline: not valid JSON; `reduction-lint baseline` writes it anew"
        ) from None
    if not isinstance(data, dict) or data.get("version") != VERSION or not isinstance(data.get("findings"), list):
        raise BaselineError(f"{file}: is no baseline of version {VERSION}; `reduction-lint baseline` writes it anew")
    return Baseline(file, tuple(_entry(item, number, file) for number, item in enumerate(data["findings"], 1)))


def _entry(item: Any, number: int, file: Path) -> Entry:
    names = ("path", "code", "symbol", "value", "technique")
    if not isinstance(item, dict) or not all(isinstance(item.get(name), str) for name in names):
        raise BaselineError(f"{file}: entry {number} lacks one of {', '.join(names)}")
    return Entry(*(item[name] for name in names))


def _plain(entry: Entry) -> Mapping[str, str]:
    return {name: getattr(entry, name) for name in ("path", "code", "symbol", "value", "technique")}


__all__: Sequence[str] = (
    "FILE_NAME",
    "Baseline",
    "BaselineError",
    "Comparison",
    "Entry",
    "compare",
    "entry_of",
    "load",
)
