"""The EXCLUDE table: which techniques may be used and how, and which codes watch over that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import reduction_rules
import tomli

from reduction_lint.knowledge.schema import KnowledgeError, Spec, read_fields, text, texts

_FILE = "exclude.toml"


@dataclass(frozen=True, slots=True)
class Row:
    """One row or corollary. ``numbers`` is what it is called ("#3, #22-28" or "B4-AC3")."""

    numbers: str
    technique: str
    verdict: str
    reason: str
    codes: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The single names in :attr:`numbers`, as findings and rules give them."""
        return tuple(self.numbers.split(", "))


_ROW: Spec = {
    "numbers": ("numbers", text),
    "technique": ("technique", text),
    "verdict": ("verdict", text),
    "reason": ("reason", text),
    "codes": ("codes", texts),
}


@lru_cache(maxsize=1)
def rows() -> tuple[Row, ...]:
    """All rows in the order of the table, corollaries last; raises :class:`KnowledgeError` for a mistake."""
    return read_rows(tomli.loads(reduction_rules.data(_FILE).decode("utf-8")))


def rows_named(names: Iterable[str]) -> tuple[Row, ...]:
    """The rows that go by one of these names (those of a finding or rule)."""
    wanted = set(names)
    return tuple(row for row in rows() if wanted.intersection(row.names))


def read_rows(document: Mapping[str, Any], file: str = _FILE) -> tuple[Row, ...]:
    """The rows of a parsed document; raises :class:`KnowledgeError`."""
    for key in document:
        if key != "rows":
            raise KnowledgeError(file, key, "", "unknown table; only [[rows]] is known")
    tables = document.get("rows")
    if type(tables) is not list or not all(type(table) is dict for table in tables):
        raise KnowledgeError(file, "rows", "", "must be an array of tables ([[rows]])")
    return tuple(_read_row(table, file, f"rows[{number}]") for number, table in enumerate(tables, 1))


def _read_row(table: Mapping[str, Any], file: str, entry: str) -> Row:
    for key in _ROW:
        if key not in table:
            raise KnowledgeError(file, entry, key, "is missing")
    return Row(**read_fields(table, _ROW, file, entry))
