"""What a file imports."""

from __future__ import annotations

import libcst as cst
import pytest
from reduction_lint.syntax.chunks import split
from reduction_lint.syntax.imports import ImportTable, bind_import, import_table


def table(text: str, module: str = "pkg.sub.mod", is_package: bool = False) -> ImportTable:
    """The imports of ``text`` in ``module``."""
    return import_table(split(text), module, is_package)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import a", {"a": "a"}),
        ("import a.b.c", {"a": "a"}),
        ("import a.b as c, d", {"c": "a.b", "d": "d"}),
        ("from a.b import c, d as e", {"c": "a.b.c", "e": "a.b.d"}),
        ("from a import (b,\n    c as d,\n)  # e", {"b": "a.b", "d": "a.c"}),
        ("from a import (  # x\n    b,  # y\n)", {"b": "a.b"}),
        ("from a import b; import c", {"b": "a.b", "c": "c"}),
        ("from a import \\\n    b", {"b": "a.b"}),
        ("from __future__ import annotations", {}),
        ("from . import x", {"x": "pkg.sub.x"}),
        ("from .m import x", {"x": "pkg.sub.m.x"}),
        ("from .. import x", {"x": "pkg.x"}),
        ("from ...other.m import x as y", {"y": "other.m.x"}),
        ("from ..... import x", {"x": "x"}),
    ],
)
def test_names(line: str, names: dict[str, str]) -> None:
    """Every form of import binds its names to qualified names."""
    assert table(line + "\n").names == names


def test_relative_import_in_a_package() -> None:
    """In an ``__init__`` one dot is the package itself."""
    assert table("from . import x\nfrom ..y import z\n", "pkg.sub", True).names == {"x": "pkg.sub.x", "z": "pkg.y.z"}


def test_imports_in_try_and_if_count() -> None:
    """Guarded imports count; within one statement the first binding of a name wins."""
    text = (
        "if TYPE_CHECKING:\n    from a import T\n"
        "try:\n    import orjson as json\nexcept ImportError:\n    import json\n"
        "try: import x\nexcept ImportError: x = None\n"
    )
    assert table(text).names == {"T": "a.T", "json": "orjson", "x": "x"}


def test_later_import_replaces_an_earlier_one() -> None:
    """Statements take effect in order."""
    assert table("from a import x\nfrom b import x\n").names == {"x": "b.x"}


def test_star_imports_are_listed() -> None:
    """Modules whose every name is imported are kept in order, each once."""
    assert table("from b import *\nfrom .a import *\nfrom b import *\n").stars == ("b", "pkg.sub.a")


def test_imports_in_functions_and_classes_are_not_top_level() -> None:
    """Only the module's own imports are in its table."""
    assert table("def f():\n    import a\nclass A:\n    import b\n").names == {}


def test_text_about_imports_is_none() -> None:
    """Strings that talk of imports bind nothing."""
    assert table('X = """\nimport a\nfrom b import c\n"""\nY = "try: import z"\n').names == {}


def test_broken_import_binds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A half-typed import is passed over, without a word on standard error."""
    assert table("from a import\nimport b.\nimport 1x\nimport c\n").names == {"c": "c"}
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import a.b, c.d as e", {"a": "a", "e": "c.d"}),
        ("from ..x.y import z as w, v", {"w": "pkg.x.y.z", "v": "pkg.x.y.v"}),
        ("from . import m", {"m": "pkg.sub.m"}),
        ("from a import *", {}),
    ],
)
def test_import_in_a_function(line: str, names: dict[str, str]) -> None:
    """A syntax node gives the same names as the table would."""
    statement = cst.parse_statement(line)
    assert isinstance(statement, cst.SimpleStatementLine)
    node = statement.body[0]
    assert isinstance(node, (cst.Import, cst.ImportFrom))
    assert bind_import(node, "pkg.sub.mod", False) == names
