"""The dotted name of a file as importing code would write it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A module's dotted name ("" for an ``__init__`` at an import root); ``is_package``: an ``__init__``."""

    dotted: str
    is_package: bool


def module_name(path: Path, roots: Sequence[Path]) -> ModuleName:
    """The name of the module at ``path``, given the import ``roots``; all are absolute.

    The name starts below the deepest root that holds the file. A package (a folder with ``__init__``) that
    lies deeper in a folder which is no package starts the name instead: that folder is where it can be
    imported from. Below a root or package, folders without ``__init__`` are namespace packages. A file
    outside of all roots is named from the folder it lies in, or from its package.
    """
    folder = path.parent
    holding = [root for root in roots if root == folder or root in folder.parents]
    base = max(holding, key=lambda root: len(root.parts), default=None)
    package = _outermost_package(folder, base)
    if package is not None:
        base = package.parent
    parts = list(folder.relative_to(base).parts) if base is not None else []
    is_package = path.stem == "__init__"
    if not is_package:
        parts.append(path.stem)
    return ModuleName(".".join(parts), is_package)


def _outermost_package(folder: Path, root: Path | None) -> Path | None:
    """The top of the innermost chain of packages around ``folder``; only folders below ``root`` count."""
    top: Path | None = None
    for candidate in (folder, *folder.parents):
        if candidate == root:
            break
        if _has_init(candidate):
            top = candidate
        elif top is not None or root is None:
            break
    return top


def _has_init(folder: Path) -> bool:
    return os.path.isfile(folder / "__init__.py") or os.path.isfile(folder / "__init__.pyi")
