"""Qualified names in ``rules/`` exist in the sources of the packages they name.

Names of the standard library are always looked up. Those of other packages are looked up in the wheels of a folder that the
environment variable ``REDUCTION_LINT_WHEELS`` names; nothing is downloaded, and a package without a wheel is left out.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from reduction_lint.checks.matches import tables_of
from reduction_lint.knowledge.models import load_models

WHEELS = os.environ.get("REDUCTION_LINT_WHEELS", "")

LEGACY = (
    *("langchain.memory.", "langchain.chains.", "langchain.retrievers.", "langchain.schema.", "langchain.cache."),
    *("langchain.chat_models.ChatOpenAI", "langchain.chat_models.AzureChatOpenAI"),
)
"""Names of the 0.x line of langchain, which later versions moved away; projects still use them."""


def qualified_names() -> list[str]:
    """All names without globs, in order."""
    names = (call for _, table in tables_of(load_models()) for entry in table.entries for call in entry.match.calls)
    return sorted({name for name in names if "." in name and not set("*?[") & set(name)})


NAMES = qualified_names()
STANDARD = [name for name in NAMES if name.partition(".")[0] in sys.stdlib_module_names]


class Wheel:
    """The Python sources of one wheel, by dotted module name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as archive:
            self.files = {name for name in archive.namelist() if name.endswith(".py")}
        self.modules = {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in self.files
        }

    @lru_cache(maxsize=512)  # noqa: B019 - one wheel lives as long as the test run
    def tree(self, module: str) -> ast.Module:
        """The tree of a module."""
        with zipfile.ZipFile(self.path) as archive:
            return ast.parse(archive.read(self.modules[module]))

    def holds(self, dotted: str, depth: int = 0) -> bool:
        """Is there such a module, definition, method or attribute? What leads out of the wheel counts as there."""
        parts = dotted.split(".")
        for cut in range(len(parts), 0, -1):
            module = ".".join(parts[:cut])
            if module in self.modules:
                return cut == len(parts) or self._defines(module, parts[cut:], depth)
        return depth > 0

    def _defines(self, module: str, rest: list[str], depth: int) -> bool:
        tree = self.tree(module)
        package = self.modules[module].endswith("__init__.py")
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and node.name == rest[0]:
                return len(rest) == 1 or self._has_member(node, rest[1], module, depth)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == rest[0] and node in tree.body:
                return True
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == rest[0] for target in targets):
                    return True
            if isinstance(node, ast.ImportFrom) and depth < 8:
                for name, origin in _imported(node, module, package):
                    if name in (rest[0], "*") and self.holds(
                        ".".join((origin, *rest)) if name == "*" else _join(origin, rest), depth + 1
                    ):
                        return True
        lazy = any(isinstance(node, ast.FunctionDef) and node.name == "__getattr__" for node in tree.body)
        return lazy and any(isinstance(node, ast.Constant) and node.value == rest[0] for node in ast.walk(tree))

    def _has_member(self, node: ast.ClassDef, name: str, module: str, depth: int) -> bool:
        for inner in ast.walk(node):
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner.name == name:
                return True
            if isinstance(inner, ast.Attribute) and inner.attr == name:
                return True
            if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name) and inner.target.id == name:
                return True
        bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
        return any(depth > 6 or self._defines(module, [*base.split("."), name], depth + 1) for base in bases) or bool(
            bases
        )


def _join(origin: str, rest: list[str]) -> str:
    return ".".join((origin, *rest[1:]))


def _imported(node: ast.ImportFrom, module: str, package: bool) -> Iterator[tuple[str, str]]:
    parts = module.split(".")
    base = parts[: len(parts) - node.level + package] if node.level else []
    origin = ".".join([*base, *([node.module] if node.module else [])])
    for alias in node.names:
        yield (alias.asname or alias.name), (origin if alias.name == "*" else f"{origin}.{alias.name}")


@pytest.mark.parametrize("name", STANDARD)
def test_names_of_the_standard_library_exist(name: str) -> None:
    """The longest importable part is a module, and the rest are attributes of it."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for attribute in parts[cut:]:
            if inspect.isroutine(found) or hasattr(found, "__getattr__"):
                return  # what it gives back, or hands on, is not known here
            assert hasattr(found, attribute), attribute
            found = getattr(found, attribute)
        return
    pytest.fail("no such module")


@pytest.mark.slow
@pytest.mark.skipif(not WHEELS, reason="REDUCTION_LINT_WHEELS names no folder of wheels")
def test_names_of_packages_exist() -> None:
    """Every name of a package whose wheel is at hand is found in it, under this or another of the entry's names."""
    wheels = [Wheel(path) for path in sorted(Path(WHEELS).glob("*.whl"))]
    missing = []
    for table, entries in tables_of(load_models()):
        for number, entry in enumerate(entries.entries, 1):
            known = [(call, wheel) for call in entry.match.calls for wheel in wheels if _may_hold(wheel, call)]
            if known and not any(wheel.holds(call) for call, wheel in known):
                missing.append(f"{table}[{number}]: {known[0][0]}")
    assert missing == []


def _may_hold(wheel: Wheel, name: str) -> bool:
    top = name.partition(".")[0]
    if name.startswith(LEGACY):
        return False
    return (
        "." in name and not set("*?[") & set(name) and any(module.partition(".")[0] == top for module in wheel.modules)
    )
