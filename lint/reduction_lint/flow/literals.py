"""Literal collections bound to module-level names: sets of stop reasons, tables that translate them."""

from __future__ import annotations

import ast
from functools import lru_cache

from reduction_lint.syntax.quiet import parse_ast


@lru_cache(maxsize=256)
def read_collection(text: str, name: str) -> tuple[tuple[str, object], ...]:
    """(entry, value) of the collection that ``text`` binds to ``name``; the value is None for what is no table.

    Entries are literal texts, and the last names of what is dotted. () when the text binds no literal collection.
    """
    try:
        tree = parse_ast(text)
    except SyntaxError:
        return ()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return _entries(getattr(node, "value", None))
    return ()


def _entries(node: ast.AST | None) -> tuple[tuple[str, object], ...]:
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return _entries(node.args[0])
    if isinstance(node, ast.Dict):
        return tuple((_text(key), _text(value)) for key, value in zip(node.keys, node.values, strict=True) if key)
    if isinstance(node, (ast.Set, ast.List, ast.Tuple)):
        return tuple((_text(item), None) for item in node.elts)
    return ()


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
