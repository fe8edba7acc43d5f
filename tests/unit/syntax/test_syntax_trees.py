"""Trees of whole files: broken parts are left out, places stay right."""

from __future__ import annotations

import ast

from reduction_lint.findings import Range
from reduction_lint.syntax.chunks import split
from reduction_lint.syntax.trees import Columns, tree_of

BROKEN = """import os


class Store:
    size = 3

    def good(self):
        return self.size

    def broken(self:
        return 1


def after():
    return os.sep
"""


def names_of(tree: ast.Module) -> list[str]:
    """All functions of a tree in order of their lines."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [node.name for node in sorted(found, key=lambda node: node.lineno)]


def test_broken_method_costs_itself_only() -> None:
    """The methods and functions around a broken one are in the tree, inside their class."""
    tree = tree_of(BROKEN, split(BROKEN))
    assert names_of(tree) == ["good", "after"]
    store = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    assert [type(node).__name__ for node in store.body] == ["Assign", "FunctionDef"]


def test_lines_of_a_stitched_tree_are_those_of_the_file() -> None:
    """Each piece knows the line it came from."""
    tree = tree_of(BROKEN, split(BROKEN))
    lines = {node.name: node.lineno for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert lines == {"good": 7, "after": 14}


def test_columns_count_code_points() -> None:
    """``ast`` counts bytes; a range counts characters, from 1."""
    text = 'x = "äö"; y = 1\n'
    last = tree_of(text, split(text)).body[1]
    assert Columns(text).range_of(last) == Range.of(1, 11, 1, 16)
