"""At how many places of a project does each entry of the models match? For ``reduction-lint models check``."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reduction_lint.checks.reading import Page, Pages, last_name
from reduction_lint.flow.project import Module, Project
from reduction_lint.knowledge.entries import Match
from reduction_lint.knowledge.models import Models
from reduction_lint.knowledge.table import Table

_TABLES = ("captures", "reducers", "calls", "sources", "sinks", "renderings", "types")


@dataclass(frozen=True, slots=True)
class EntryPlaces:
    """One entry: its table, what it matches in short, and the number of places where it did. ``number`` counts from 1."""

    table: str
    number: int
    what: str
    places: int


def entry_places(project: Project, modules: Iterable[Module], models: Models) -> list[EntryPlaces]:
    """All entries with their numbers of places, in the order in which they are tried."""
    counts: Counter[int] = Counter()
    pages = Pages(project)
    tables = dict(tables_of(models))
    for module in modules:
        page = pages.of(module)
        for table in tables.values():
            counts.update(id(entry) for entry in _found(page, table))
        _count_names(page, models, counts)
    return [
        EntryPlaces(name, number, shown(entry.match) or "|".join(getattr(entry, "names", ())), counts[id(entry)])
        for name, table in tables.items()
        for number, entry in enumerate(table.entries, 1)
    ]


def tables_of(models: Models) -> Iterator[tuple[str, Table[Any]]]:
    """All tables of entries that match calls, by the name of their array in the files (compressors are reducers)."""
    for name in _TABLES:
        yield name, getattr(models, name)
    yield "caches", models.caches.table
    yield "soft-compressors", models.banned.soft
    yield "distillers", models.banned.distillers


def shown(match: Match) -> str:
    """What an entry matches, in short."""
    if match.calls:
        more = f" (+{len(match.calls) - 1})" if len(match.calls) > 1 else ""
        return f"{match.calls[0]}{more}"
    receivers = f" on {'|'.join(match.receivers)}" if match.receivers else ""
    return f"{match.method}{receivers}" if match.method else ""


def _found(page: Page, table: Table[Any]) -> Iterator[Any]:
    words = table.words
    for node in page.parents:
        if isinstance(node, ast.Call):
            name = last_name(node)
            frame = page.frame_of(node)
            dotted = page.name_of(node, frame) if name else ""
            if not dotted and name not in words:
                continue
            receiver = last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            kind = page.qualified(node.func.value, frame).rpartition(".")[2] if receiver else ""  # type: ignore[attr-defined]
            hit = table.find((dotted,) if dotted else (), name, tuple(n for n in (receiver, kind) if n))
            if hit is not None:
                yield hit.entry


def _count_names(page: Page, models: Models, counts: Counter[int]) -> None:
    """Sources that are known by the name of a variable or attribute."""
    for node in page.parents:
        if isinstance(node, (ast.Name, ast.Attribute)):
            entry = models.named_sources.find(last_name(node))
            if entry is not None:
                counts[id(entry)] += 1
