"""Jupyter notebooks: code cells joined into one Python text, with a map back to the cells.

Lines that are IPython's and not Python's are replaced by Python of the same number of lines, so that lines
keep their numbers within the cell and columns of Python lines never change.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_CELL_MAGIC = re.compile(r"\s*%%\s*(\S+)")
_PYTHON_MAGICS = frozenset(["time", "timeit", "capture", "prun", "python", "python3", "debug"])
_FOREIGN = re.compile(
    r"[ \t]*(?:[%!?,;/]"  # magic, shell, help, automatic call
    r"|[\w.]+(?:[ \t]*,[ \t]*[\w.]+)*[ \t]*=[ \t]*(?:%[A-Za-z]|!)"  # name = %magic, name = !shell
    r"|[\w.*]+\?{1,2}[ \t]*(?:\#.*)?$)"  # name?
)
_TOKEN = re.compile(
    r"""\"\"\"|\'\'\'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\#.*|([(\[{])|([)\]}])""",
)


class NotebookError(Exception):
    """A file that is no notebook; the message is one line, without the path."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell: its 1-based number among all cells, its first line in the joined text, its line count."""

    number: int
    start_line: int
    line_count: int


def join_cells(raw: bytes) -> tuple[str, tuple[Cell, ...]]:
    """The Python text of a notebook's code cells and where each cell begins. Raises :class:`NotebookError`."""
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotebookError(f"cannot be decoded as utf-8: {error.reason}") from error
    except json.JSONDecodeError as error:
        raise NotebookError(f"not a notebook: {error.msg} in line {error.lineno}") from error
    except (RecursionError, ValueError) as error:
        raise NotebookError("not a notebook: its JSON cannot be read") from error
    texts: list[str] = []
    cells: list[Cell] = []
    line = 1
    foreign = not _is_python(data)
    for number, cell in enumerate(raw_cells(data), start=1):
        if foreign or not isinstance(cell, dict) or cell.get("cell_type") != "code" or not _is_python(cell):
            continue
        text = python_of(_source(cell))
        count = text.count("\n")
        cells.append(Cell(number, line, count))
        texts.append(text)
        line += count
    return "".join(texts), tuple(cells)


def python_of(text: str) -> str:
    """The Python of a cell: as many lines as ``text``, each with a line end; at least one line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = (text.removesuffix("\n")).split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL_MAGIC.match(lines[first])
    if magic:
        if magic[1] not in _PYTHON_MAGICS:
            return "\n" * len(lines)
        lines[first] = ""
    return "\n".join(_plain_lines(lines)) + "\n"


def _plain_lines(lines: list[str]) -> list[str]:
    """``lines`` with magics, shell commands and questions replaced by ``pass`` at the same indentation.

    Only lines that begin a statement count: within brackets and strings ``%`` and ``!`` are Python.
    """
    plain: list[str] = []
    state = _State()
    continued = foreign = False
    for line in lines:
        if continued and foreign:
            plain.append("")
        elif not continued and state.between_statements and _FOREIGN.match(line):
            foreign = True
            plain.append(line[: len(line) - len(line.lstrip())] + "pass")
        else:
            foreign = False
            plain.append(line)
            state.feed(line)
        continued = line.endswith("\\")
    return plain


class _State:
    """What is open at the end of the lines fed so far."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""

    @property
    def between_statements(self) -> bool:
        """Whether a new statement may begin."""
        return not self.depth and not self.quote

    def feed(self, line: str) -> None:
        """Go over one line."""
        pos = 0
        while pos < len(line):
            if self.quote:
                end = _closing(line, self.quote, pos)
                if end < 0:
                    return
                self.quote, pos = "", end
            token = _TOKEN.search(line, pos)
            if token is None:
                return
            pos = token.end()
            if token[0] in ('"""', "'''"):
                self.quote = token[0]
            elif token[1]:
                self.depth += 1
            elif token[2]:
                self.depth = max(0, self.depth - 1)


def _closing(line: str, quote: str, pos: int) -> int:
    """Offset behind the ``quote`` that closes a string in ``line``, -1 if none does."""
    end = line.find(quote, pos)
    while end > 0 and line[end - 1] == "\\" and (end - len(line[:end].rstrip("\\"))) % 2:
        end = line.find(quote, end + 1)
    return end + len(quote) if end >= 0 else -1


def raw_cells(data: Any) -> list[Any]:
    """All cells of a notebook, also of the older format that keeps them in worksheets."""
    cells = data.get("cells") if isinstance(data, dict) else None
    if isinstance(cells, list):
        return cells
    sheets = data.get("worksheets") if isinstance(data, dict) else None
    if not isinstance(sheets, list):
        raise NotebookError("not a notebook: it has no cells")
    found: list[Any] = []
    for sheet in sheets:
        inner = sheet.get("cells") if isinstance(sheet, dict) else None
        found += inner if isinstance(inner, list) else []
    return found


def _source(cell: dict[str, Any]) -> str:
    """The text of a cell, kept as one string or as a list of lines."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _is_python(node: Any) -> bool:
    """Whether a notebook, or a cell with a language of its own, is Python; one that does not say is."""
    metadata = node.get("metadata") if isinstance(node, dict) else None
    if not isinstance(metadata, dict):
        return True
    for table, key in (("vscode", "languageId"), ("language_info", "name"), ("kernelspec", "language")):
        inner = metadata.get(table)
        name = inner.get(key) if isinstance(inner, dict) else None
        if isinstance(name, str):
            return "python" in name.lower()
    return True
