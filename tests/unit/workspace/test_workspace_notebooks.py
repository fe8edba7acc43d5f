"""Notebooks: cells, languages, magics."""

from __future__ import annotations

import json
from typing import Any

import pytest
from reduction_lint.workspace.notebooks import Cell, NotebookError, join_cells, python_of


def joined(cells: list[Any], **metadata: Any) -> tuple[str, tuple[Cell, ...]]:
    """The text and cells of a notebook."""
    return join_cells(json.dumps({"cells": cells, "metadata": metadata}).encode())


def code(source: str, **metadata: Any) -> dict[str, Any]:
    """A code cell."""
    return {"cell_type": "code", "source": source, "metadata": metadata}


def test_code_cells_are_joined() -> None:
    """Cells keep their number among all cells; an empty one takes a line."""
    cells = [{"cell_type": "markdown", "source": "x"}, code("a\nb\n"), code(""), code("c")]
    assert joined(cells) == ("a\nb\n\nc\n", (Cell(2, 1, 2), Cell(3, 3, 1), Cell(4, 4, 1)))


def test_other_languages_are_left_out() -> None:
    """A notebook or a cell in another language holds no Python."""
    assert joined([code("a")], language_info={"name": "R"}) == ("", ())
    assert joined([code("a")], kernelspec={"language": "julia"}) == ("", ())
    assert joined([code("a"), code("b", vscode={"languageId": "sql"})])[0] == "a\n"


def test_source_may_be_a_list_or_in_worksheets() -> None:
    """Both ways to keep lines, and the older format, are read."""
    assert joined([{"cell_type": "code", "source": ["a\n", "b"]}])[0] == "a\nb\n"
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": "a"}]}]}
    assert join_cells(json.dumps(old).encode())[0] == "a\n"


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"{}", b'{"cells": 1}', b"\xff", b"[" * 100_000])
def test_malformed_notebook(raw: bytes) -> None:
    """Whatever is no notebook gives one line of error."""
    with pytest.raises(NotebookError) as caught:
        join_cells(raw)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cell", [None, 1, "x", {}, {"cell_type": "code"}, {"cell_type": "code", "source": 1}])
def test_odd_cells_are_tolerated(cell: Any) -> None:
    """A cell of an unexpected shape spoils nothing."""
    assert joined([cell, code("a")])[0].strip() == "a"


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1\n"),
        ("!pip install a \\\n  b\nx = 1", "pass\n\nx = 1\n"),
        ("?x\nx?\na.b??\nx", "pass\npass\npass\nx\n"),
        ("files = !ls\na, b = %time f()", "pass\npass\n"),
        ("if x:\n    %time f()", "if x:\n    pass\n"),
        ("x = a % b\ny = 'who?'\nplot();", "x = a % b\ny = 'who?'\nplot();\n"),
        ("x = (a\n % b\n)\ny = 3 \\\n % 2", "x = (a\n % b\n)\ny = 3 \\\n % 2\n"),
        ('x = """\n%not magic\n\\"""\n!\n"""\n%magic', 'x = """\n%not magic\n\\"""\n!\n"""\npass\n'),
        ("x = '('\n%magic", "x = '('\npass\n"),
        ("x = [1, # (\n2]\n%magic", "x = [1, # (\n2]\npass\n"),
        ("%%bash\nls\nif", "\n\n\n"),
        ("\n%%time\nx = 1", "\n\nx = 1\n"),
        ("%%capture out\n%magic\nx", "\npass\nx\n"),
        ("a\r\nb", "a\nb\n"),
    ],
)
def test_python_of_a_cell(source: str, python: str) -> None:
    """Magics, shell lines and questions become Python of the same number of lines; Python stays as it is."""
    assert python_of(source) == python
