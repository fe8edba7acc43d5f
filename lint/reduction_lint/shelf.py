"""What a text's chunks were turned into, kept for as long as an editor is open.

An edit changes one chunk; all others come back with the text they had, perhaps on other lines. Trees, flow graphs and the
answer whether a chunk can matter depend on a chunk's text and on where it stands by name, so they are kept under these.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.relevance import Relevance
from reduction_lint.syntax.chunks import Chunk, split
from reduction_lint.syntax.parser import Parsed, parse
from reduction_lint.syntax.quiet import parse_ast

if TYPE_CHECKING:
    from reduction_lint.flow import ir
    from reduction_lint.knowledge.models import Models
    from reduction_lint.workspace.sources import Source

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
MAX_TREES = 4000
"""Chunks whose trees are kept; the least recently used go first."""
MAX_ANSWERS = 100_000


class Recent(Generic[K, V]):
    """A dictionary of the entries used last."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """The entry, which counts as used."""
        value = self._entries.get(key)
        if value is not None:
            self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> V:
        """Keep an entry."""
        self._entries[key] = value
        if len(self._entries) > self._limit:
            self._entries.popitem(last=False)
        return value


class Shelf:
    """Kept results for the chunks of all files."""

    def __init__(self) -> None:
        self._trees: Recent[tuple[str, str, bool], Parsed] = Recent(MAX_TREES)
        self._graphs: Recent[tuple[Any, ...], tuple[object, ir.Function]] = Recent(MAX_TREES)
        self._splits: Recent[str, list[Chunk]] = Recent(500)
        self._reducing: Recent[tuple[Any, ...], tuple[bool]] = Recent(MAX_ANSWERS)
        self._sound: Recent[tuple[str, bool], tuple[bool]] = Recent(MAX_ANSWERS)

    def split(self, text: str) -> list[Chunk]:
        """The chunks of a text."""
        known = self._splits.get(text)
        return known if known is not None else self._splits.put(text, split(text))

    def parse(self, chunk: Chunk) -> Parsed:
        """The tree of a chunk, with places on the lines where it stands now."""
        key = chunk.text, chunk.kind, bool(chunk.class_path)
        known = self._trees.get(key)
        if known is not None and known.problem is None:
            return known.moved(chunk)
        return self._trees.put(key, parse(chunk))

    def graph(self, chunk: Chunk, parsed: Parsed, qualname: str, module: Module, project: Project) -> ir.Function:
        """The flow graph of a chunk, made from this very tree."""
        key = chunk.text, chunk.kind, chunk.class_path, qualname, module.name, module.is_package
        known = self._graphs.get(key)
        if known is not None and known[0] is parsed.module:
            return known[1]
        return self._graphs.put(key, (parsed.module, Project.lower(project, chunk, parsed, qualname, module)))[1]

    def can_reduce(self, relevance: Relevance, chunk: Chunk, mentioned: frozenset[str]) -> bool:
        """See :meth:`Relevance.can_reduce`."""
        key = chunk.text, chunk.name, chunk.class_path, mentioned
        known = self._reducing.get(key)
        if known is None:
            known = self._reducing.put(key, (Relevance.can_reduce(relevance, chunk, mentioned),))
        return known[0]

    def is_sound(self, text: str) -> bool:
        """Whether the running interpreter takes every chunk of a text. Unchanged ones are not asked again."""
        return all(self._is_sound(chunk) for chunk in self.split(text))

    def _is_sound(self, chunk: Chunk) -> bool:
        if chunk.problem is not None:
            return False
        key = chunk.text, chunk.kind == "class"
        known = self._sound.get(key)
        if known is None:
            known = self._sound.put(key, (_accepted(chunk),))
        return known[0]


class _KeptRelevance(Relevance):
    shelf: Shelf

    def can_reduce(self, chunk: Chunk, mentioned: frozenset[str]) -> bool:
        return self.shelf.can_reduce(self, chunk, mentioned)


class KeptProject(Project):
    """A project that takes from a shelf what was made before."""

    def __init__(self, shelf: Shelf, models: Models, *arguments: Any) -> None:
        super().__init__(models, *arguments)
        self.shelf = shelf
        relevance = _KeptRelevance(models)
        relevance.shelf = shelf
        self.relevance = relevance

    def split(self, source: Source) -> list[Chunk]:
        """See :meth:`Project.split`."""
        return self.shelf.split(source.text)

    def parse(self, chunk: Chunk) -> Parsed:
        """See :meth:`Project.parse`."""
        known = self.parsed.get(id(chunk))
        if known is None:
            known = self.parsed[id(chunk)] = self.shelf.parse(chunk)
        return known

    def lower(self, chunk: Chunk, parsed: Parsed, qualname: str, module: Module) -> ir.Function:
        """See :meth:`Project.lower`."""
        return self.shelf.graph(chunk, parsed, qualname, module, self)


def _accepted(chunk: Chunk) -> bool:
    """Whether the running interpreter takes a chunk by itself; a class header, with a body."""
    text = f"class _:\n{chunk.text}" if chunk.class_path else chunk.text
    if chunk.kind == "class":
        last = chunk.text.rstrip("\n").rpartition("\n")[2]
        return _parses(f"{text}\n{last[: len(last) - len(last.lstrip())]} pass\n") or _parses(text)
    return _parses(text)


def _parses(text: str) -> bool:
    try:
        parse_ast(text)
    except SyntaxError:
        return False
    return True
