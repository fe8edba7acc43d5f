"""Names of modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from reduction_lint.workspace.modules import ModuleName, module_name


@pytest.mark.parametrize(
    ("file", "inits", "dotted"),
    [
        ("a.py", [], "a"),
        ("src/pkg/a.py", ["src/pkg"], "pkg.a"),
        ("pkg/sub/a.pyi", ["pkg", "pkg/sub"], "pkg.sub.a"),
        ("space/a.py", [], "space.a"),
        ("src/space/deep/a.py", [], "space.deep.a"),
        ("pkg/space/a.py", ["pkg"], "pkg.space.a"),
        ("lib/pkg/sub/a.py", ["lib/pkg", "lib/pkg/sub"], "pkg.sub.a"),
        ("lib/pkg/space/a.py", ["lib/pkg"], "pkg.space.a"),
        ("pkg/__init__.py", ["pkg"], "pkg"),
        ("__init__.py", ["."], ""),
        ("pkg/a.py", [".", "pkg"], "pkg.a"),
        ("note.ipynb", [], "note"),
    ],
)
def test_names_below_the_roots(tmp_path: Path, file: str, inits: list[str], dotted: str) -> None:
    """The deepest root or the folder above a package starts the name."""
    for init in inits:
        (tmp_path / init).mkdir(parents=True, exist_ok=True)
        (tmp_path / init / "__init__.py").touch()
    name = module_name(tmp_path / file, [tmp_path, tmp_path / "src"])
    assert name == ModuleName(dotted, file.endswith("__init__.py"))


def test_file_outside_of_the_roots(tmp_path: Path) -> None:
    """Outside of all roots a package still has its name, and a lone file its own."""
    package = tmp_path / "pkg/sub"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    roots = [tmp_path / "project"]
    assert module_name(package / "a.py", roots).dotted == "pkg.sub.a"
    assert module_name(tmp_path / "lone/a.py", roots).dotted == "a"
