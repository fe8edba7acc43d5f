"""How much was done: counts that do not depend on the machine, for tests and for ``--verbose``."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(slots=True)
class Work:
    """Counts of one analysis; every one is bounded by a multiple of the size of the code."""

    chunks_parsed: int = 0
    """Chunks given to libcst."""
    functions_lowered: int = 0
    """Flow graphs made."""
    summaries: int = 0
    """Functions interpreted."""
    steps: int = 0
    """Instructions interpreted, once for each path that reaches them."""

    def __add__(self, other: Work) -> Work:
        return Work(*(getattr(self, count.name) + getattr(other, count.name) for count in fields(Work)))
