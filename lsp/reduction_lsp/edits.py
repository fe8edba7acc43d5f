"""Edits that need no analysis: comments that silence or declare, and entries in settings files.

Everything here is in the analyzer's terms: lines and columns from 1, in the text as it is analysed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from reduction_lint.findings import Range

REASON = "say here why this is right"
_PRAGMA = "reduction-lint"
_LISTED = r"#\s*reduction-lint\s*:\s*{verb}\[([^\]]*)\]"
_HEAD = re.compile(r"#!|#.*coding[:=]")


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Replace ``range`` of a file, or of one of its notebook cells; ``creates`` a file that is not there."""

    path: Path
    range: Range
    content: str
    cell: int | None = None
    creates: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A file's lines, or a cell's, as edits see them."""

    path: Path
    lines: Sequence[str]
    cell: int | None = None

    def insert(self, line: int, column: int, content: str) -> FileEdit:
        """An insertion."""
        return FileEdit(self.path, Range.of(line, column, line, column), content, self.cell)


def suppress(text: Text, code: str, first: int, last: int) -> FileEdit:
    """Silence a code at the statement on the lines ``first`` to ``last``."""
    for line in (first, last):
        edit = _add_code(text, line, "ignore", code)
        if edit is not None:
            return edit
    above = _add_code(text, first - 1, "ignore", code) if first > 1 else None
    if above is not None and text.lines[first - 2].lstrip().startswith("#"):
        return above
    return comment(text, first, last, f"ignore[{code}] -- {REASON}")


def suppress_in_file(text: Text, code: str) -> FileEdit:
    """Silence a code in the whole file."""
    for number in range(1, len(text.lines) + 1):
        edit = _add_code(text, number, "ignore-file", code)
        if edit is not None:
            return edit
    line = 1
    while line <= min(2, len(text.lines)) and _HEAD.match(text.lines[line - 1]):
        line += 1
    return text.insert(line, 1, f"# {_PRAGMA}: ignore-file[{code}] -- {REASON}\n")


def comment(text: Text, first: int, last: int, body: str) -> FileEdit:
    """A comment of ours at a statement: behind it, or above it where it takes several lines."""
    line = text.lines[first - 1] if first <= len(text.lines) else ""
    if first == last and not line.endswith("\\"):
        return text.insert(first, len(line.rstrip()) + 1, f"  # {_PRAGMA}: {body}")
    indent = line[: len(line) - len(line.lstrip())]
    return text.insert(first, 1, f"{indent}# {_PRAGMA}: {body}\n")


def _add_code(text: Text, line: int, verb: str, code: str) -> FileEdit | None:
    """Add a code to a comment that lists others already."""
    if not 1 <= line <= len(text.lines):
        return None
    match = re.search(_LISTED.format(verb=verb), text.lines[line - 1])
    if match is None or code in re.findall(r"\w+", match[1]):
        return None
    return text.insert(line, match.end(1) + 1, f", {code}" if match[1].strip() else code)


# -- declaring a call as a capture ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A call that may be a capture: what it is called, and which argument holds the value."""

    callee: str
    argument: int
    keyword: str | None = None


def capture_candidates(source: str, line: int, value: str) -> list[Candidate]:
    """Calls before ``line``, in the function around it, that are given ``value`` (as written); the last ones first."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    around = [node for node in _functions(tree) if node.lineno <= line <= (node.end_lineno or 0)]
    if not around or not value:
        return []
    function = max(around, key=lambda node: node.lineno)
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and node.lineno <= line]
    found = [candidate for call in reversed(calls) if (candidate := _candidate(call, value)) is not None]
    return list(dict.fromkeys(found))[:3]


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _candidate(call: ast.Call, value: str) -> Candidate | None:
    if not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    callee = ast.unparse(call.func)
    given: list[tuple[int, str | None, ast.expr]] = [(n, None, node) for n, node in enumerate(call.args)]
    given += [(0, keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg]
    if callee.rpartition(".")[2] in ("len", "append", "print", "str", "list", "sum", "isinstance"):
        return None
    return next((Candidate(callee, n, name) for n, name, node in given if ast.unparse(node) == value), None)


def declare_in_source(text: Text, candidate: Candidate) -> FileEdit | None:
    """A ``captures`` comment on the definition of the called function, if this very file has it."""
    try:
        tree = ast.parse("\n".join(text.lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    name = candidate.callee.removeprefix("self.").removeprefix("cls.")
    method = name != candidate.callee
    found = [node for node in _functions(tree) if node.name == name]
    if len(found) != 1 or "." in name:
        return None
    parameters = [argument.arg for argument in (*found[0].args.posonlyargs, *found[0].args.args)]
    if method and not any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in found[0].decorator_list):
        parameters = parameters[1:]
    parameter = candidate.keyword or (parameters[candidate.argument] if candidate.argument < len(parameters) else "")
    if not parameter:
        return None
    line = found[0].lineno
    indent = " " * found[0].col_offset
    return text.insert(line, 1, f"{indent}# {_PRAGMA}: captures({parameter})\n")


def declare_in_settings(file: Path, content: str | None, call: str, candidate: Candidate) -> FileEdit:
    """A ``captures`` entry at the end of a settings file; ``content`` is None where there is no file yet."""
    prefix = "tool.reduction-lint." if _is_below_tool(file, content or "") else ""
    value = f'"{candidate.keyword}"' if candidate.keyword else str(candidate.argument)
    how = f'call = "{call}"' if "." in call else f'method = "{call}"'
    entry = f"[[{prefix}captures]]\n{how}\nvalue = {value}\n"
    if not content:
        return FileEdit(file, Range.of(1, 1, 1, 1), entry, creates=content is None)
    lines = content.split("\n")
    gap = "\n" if content.endswith("\n") else "\n\n"
    end = len(lines), len(lines[-1]) + 1
    return FileEdit(file, Range.of(*end, *end), gap + entry)


def _is_below_tool(file: Path, content: str) -> bool:
    return file.name == "pyproject.toml" or "[tool.reduction-lint" in content
