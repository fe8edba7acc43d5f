"""The dotted name of a file as importing code would write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ModuleName:
    """``dotted`` is the module's name ("" for a package at an import root itself); ``is_package``: an ``__init__``."""

    dotted: str
    is_package: bool


def module_name(path: Path, roots: Sequence[Path]) -> ModuleName:
    """The name of the module at ``path`` (absolute), given the absolute import roots.

    The deepest root that holds the file counts. A package whose chain of ``__init__`` files ends below that root, in a
    folder that is neither a root nor part of a dotted name, has the folder above the chain for its root. Folders
    without ``__init__`` are namespace packages.
    """
    is_package = path.stem == "__init__"
    top = _package_top(path.parent)
    root = max((r for r in roots if r == path.parent or r in path.parents), key=lambda r: len(r.parts), default=None)
    base = root
    if root is None or (top is not None and not _is_nameable(top.parent, root)):
        base = top.parent if top is not None else path.parent
    assert base is not None
    parts = list(path.parent.relative_to(base).parts)
    if not is_package:
        parts.append(path.stem)
    return ModuleName(".".join(parts), is_package)
