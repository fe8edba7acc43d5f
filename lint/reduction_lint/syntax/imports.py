"""Which names a file imports, and what they stand for.

Only import lines are read, most of them with one regular expression; ``ast`` reads what is written less
plainly.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reduction_lint.syntax.chunks import Chunk
from reduction_lint.syntax.quiet import parse_ast
from reduction_lint.syntax.scanner import logical_lines

if TYPE_CHECKING:
    import libcst as cst

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_NAME = rf"{_DOTTED}(?:[ \t]+as[ \t]+\w+)?"
_LIST = rf"{_NAME}(?:[ \t]*,\s*{_NAME})*"
_END = r"[ \t]*(?:\#[^\n]*)?\s*"
_IMPORT = re.compile(rf"import[ \t]+({_LIST}){_END}")
_FROM = re.compile(
    rf"from[ \t]*(\.*)[ \t]*({_DOTTED})?[ \t]+import[ \t]*(?:({_LIST})|\(\s*({_LIST})\s*,?\s*\)|(\*)){_END}"
)
_STATEMENT = re.compile(r"(?:(?:try|if|elif|else|except|finally)\b[^\n:]*:[ \t]*)?((?:import|from)\b)")
_SOME_IMPORT = re.compile(r"(?:^|:)[ \t]*(?:import|from)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ImportTable:
    """``names``: local name -> qualified dotted name; ``stars``: modules of which all names are imported."""

    names: dict[str, str]
    stars: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Import:
    """One clause: ``origin`` is None for ``import name``, else the absolute module of ``from origin import
    name``.
    """

    origin: str | None
    name: str
    alias: str | None

    def bound(self) -> tuple[str, str]:
        """The local name and what it stands for."""
        if self.origin is None:
            return (self.alias, self.name) if self.alias else (self.name.partition(".")[0],) * 2
        return self.alias or self.name, f"{self.origin}.{self.name}" if self.origin else self.name


def import_table(chunks: Iterable[Chunk], module: str, is_package: bool) -> ImportTable:
    """The top-level imports of a file whose dotted name is ``module``, those inside ``try`` and ``if``
    included.

    A later import of a name replaces an earlier one, except within one statement: there the others are
    fallbacks.
    """
    names: dict[str, str] = {}
    stars: dict[str, None] = {}
    for chunk in chunks:
        if chunk.class_path or chunk.kind not in ("import", "statement") or "import" not in chunk.text:
            continue
        found: dict[str, str] = {}
        for clause in _clauses(chunk, module, is_package):
            if clause.name == "*":
                stars[clause.origin or ""] = None
            else:
                found.setdefault(*clause.bound())
        names.update(found)
    return ImportTable(names, tuple(star for star in stars if star))


def bind_import(node: cst.Import | cst.ImportFrom, module: str, is_package: bool) -> dict[str, str]:
    """The names that an import inside a function of ``module`` binds; a star import binds none."""
    if isinstance(node.names, Sequence):
        relative = getattr(node, "relative", ())
        origin = None
        if hasattr(node, "module"):
            origin = _absolute(len(relative), _dotted(node.module), module, is_package)
        return dict(
            _Import(origin, _dotted(alias.name), _dotted(alias.asname.name) if alias.asname else None).bound()
            for alias in node.names
        )
    return {}


def _dotted(node: cst.CSTNode | None) -> str:
    """The source of a name or of a chain of attributes."""
    parts: list[str] = []
    while node is not None:
        name = getattr(node, "attr", node)
        parts.append(getattr(name, "value", ""))
        node = getattr(node, "value", None) if name is not node else None
    return ".".join(reversed(parts))


def _absolute(level: int, target: str, module: str, is_package: bool) -> str:
    """The dotted name of ``from <level dots><target> import …`` in ``module``; what leads out of the top is
    dropped.
    """
    if not level:
        return target
    parts = module.split(".") if module else []
    keep = len(parts) - (level if not is_package else level - 1)
    base = parts[: max(keep, 0)]
    return ".".join([*base, target] if target else base)


def _clauses(chunk: Chunk, module: str, is_package: bool) -> Iterator[_Import]:
    """The import clauses of a chunk in order, whatever else it holds."""
    for text in [chunk.text] if chunk.kind == "import" else _import_lines(chunk.text):
        for level, target, names in _plain(text) or _by_ast(text):
            origin = None if level is None else _absolute(level, target, module, is_package)
            if origin != "__future__":
                yield from (_Import(origin, name, alias) for name, alias in names)


def _import_lines(text: str) -> Iterator[str]:
    """The import statements that begin a logical line of ``text`` or follow the colon of a clause on its
    line.
    """
    if not _SOME_IMPORT.search(text):
        return
    lines = logical_lines(text)
    for first, end in zip(lines.firsts, lines.ends, strict=True):
        found = _STATEMENT.match(text, first, end)
        if found:
            yield text[found.start(1) : end]


_Clause = tuple[int | None, str, list[tuple[str, str | None]]]
"""Dots (None for ``import x``), module, and pairs of name and alias."""


def _plain(text: str) -> list[_Clause]:
    """The clause of an import that is written plainly, else nothing."""
    found = _IMPORT.fullmatch(text)
    if found:
        return [(None, "", _names(found[1]))]
    found = _FROM.fullmatch(text)
    if found:
        return [(len(found[1]), found[2] or "", [("*", None)] if found[5] else _names(found[3] or found[4]))]
    return []


def _names(text: str) -> list[tuple[str, str | None]]:
    parts = [part.split() for part in text.split(",")]
    return [(part[0], part[2] if len(part) == 3 else None) for part in parts]


def _by_ast(text: str) -> list[_Clause]:
    """The clauses of one line as ``ast`` sees them; nothing if it does not parse."""
    try:
        body = parse_ast(text.strip()).body
    except SyntaxError:
        return []
    found: list[_Clause] = []
    for node in body:
        if isinstance(node, ast.Import):
            found.append((None, "", [(alias.name, alias.asname) for alias in node.names]))
        elif isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module or "", [(alias.name, alias.asname) for alias in node.names]))
    return found
