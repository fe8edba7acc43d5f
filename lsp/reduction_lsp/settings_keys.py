"""The keys of settings files: where the cursor is in one, and what a key means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reduction_lint.settings.values import READERS

KEYS = {
    "extend": "A settings file that this one inherits from, relative to this file.",
    "select": "Codes or prefixes that are reported. Default: `RL`, all.",
    "ignore": "Codes or prefixes that are not reported; the longer prefix wins over `select`.",
    "extend-select": "Codes or prefixes that are reported besides those of `select`.",
    "severity": 'The severity of single codes: `{ RL201 = "error" }`.',
    "profile": "`default`, or `strict` for codes that ask for more than most projects want.",
    "preview": "Whether preview codes are reported, too.",
    "src": "Folders that imports start from. Default: `.` and `src`.",
    "docs-url": "Where the links of findings lead; `rules/CODE` is added.",
    "include": "Patterns of the files that are checked. Default: `*.py`, `*.pyi`, `*.ipynb`.",
    "exclude": "Patterns of what is not checked, in place of the usual ones.",
    "extend-exclude": "Patterns of what is not checked, besides the usual ones.",
    "respect-gitignore": "Whether what git ignores is left out. Default: true.",
    "force-exclude": "Whether exclusion holds for files that are named, too.",
    "per-file-ignores": 'Codes that are not reported in some files: `{ "scripts/*.py" = ["RL4"] }`.',
    "baseline": "The file of findings that are known and not shown.",
    "max-tokens": "Floors for output caps: `floor`, `kinds` of short answers, and `expected` needs of calls.",
    "notice": "Phrases of notices: `retained` promise that the rest is kept, `not-retained` say that it is not.",
    "opt-in-flags": "Names of flags by which a user accepts loss.",
    "imported-prefix-names": "Names that mark where an imported history ends.",
    "escalate-marker": "The marker that must never be stripped from session content.",
    "phases": "How context is selected for a phase of work: a table for each phase.",
    "unsuppressable": "Codes that no comment can silence.",
    "captures": "Calls that record a whole original: `call` (or `method` and `receiver`) and `value`.",
    "sidecars": "Classes and names of objects that captures go into.",
    "reducers": "Calls that make a reduced form.",
    "compressors": "Calls that compress text.",
    "calls": "Calls of models: `call`, `cap`, `text`, `stop`, `cut-values`.",
    "sources": "Where context comes from.",
    "sinks": "Where context goes.",
    "renderings": "Calls that give the same value in another form.",
    "types": "What class a function returns.",
    "caches": "Caches of model answers.",
    "probes": "Verification and scoring traffic, which is no conversation.",
    "wire": "Annotations that belong to a request alone.",
    "transcripts": "Where conversation is kept.",
}
_CODE_KEYS = ("select", "ignore", "extend-select", "unsuppressable", "per-file-ignores", "severity")
_TABLE = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?")
_KEY = re.compile(r"^\s*([A-Za-z][\w-]*)\s*=")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a position in a settings file is: below which table and key; ``on_key`` when on the key itself."""

    table: str
    key: str
    on_key: bool

    @property
    def wants_codes(self) -> bool:
        """Whether codes belong here."""
        return not self.on_key and (self.key in _CODE_KEYS or self.table in _CODE_KEYS)


def known_keys() -> list[str]:
    """All keys at the top of a settings file."""
    return ["extend", *READERS]


def place_at(name: str, lines: Sequence[str], line: int, column: int) -> Place | None:
    """The place of a position (line and column from 1) in a settings file; None where the tables are not ours."""
    table = ""
    key = ""
    depth = 0
    for number, text in enumerate(lines[:line], 1):
        header = _TABLE.match(text) if not depth else None
        if header:
            table, key = header[1], ""
            continue
        match = _KEY.match(text) if not depth else None
        if match:
            key = match[1]
            if number == line and column <= match.end(1) + 1:
                return _ours(name, table, key, on_key=True)
        if number < line:
            depth = max(0, depth + text.count("[") - text.count("]"))
    text = lines[line - 1] if line <= len(lines) else ""
    if not depth and _TABLE.match(text):
        found = _ours(name, table, "", on_key=True)
        return None if found is None else Place(found.table, found.table.partition(".")[0], True)
    begins = not depth and re.fullmatch(r"\s*[\w-]*", text[: column - 1]) is not None
    return _ours(name, table, "" if begins else key, on_key=begins)


def _ours(name: str, table: str, key: str, *, on_key: bool) -> Place | None:
    prefix = "tool.reduction-lint"
    if table == prefix or table.startswith(f"{prefix}."):
        return Place(table[len(prefix) + 1 :], key, on_key)
    return None if name == "pyproject.toml" else Place(table, key, on_key)
