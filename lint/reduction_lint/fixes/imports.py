"""An ``import`` that a repair needs."""

from __future__ import annotations

import re

from reduction_lint.findings import Edit, Range
from reduction_lint.fixes.request import Request
from reduction_lint.syntax.chunks import Chunk, split

_COPY = "copy"
_BOUND = re.compile(
    r"^\s*(?:def|class|async\s+def)\s+copy\b|^\s*copy\s*(?::[^=]*)?=|\bas\s+copy\b|\bfor\s+copy\b", re.M
)


def deep_copy(request: Request, value: str) -> tuple[str, list[Edit]] | None:
    """The code of a deep copy and the edit that imports what it needs; None when ``copy`` means something else here."""
    for local, qualified in request.names.items():
        if qualified == "copy.deepcopy":
            return f"{local}({value})", []
    for local, qualified in request.names.items():
        if qualified == _COPY:
            return f"{local}.deepcopy({value})", []
    if _COPY in request.names or _BOUND.search(request.text) or re.search(r"[(,]\s*copy\s*[:=,)]", request.text):
        return None
    return f"copy.deepcopy({value})", [_import(request)]


def _import(request: Request) -> Edit:
    """``import copy`` among the imports of the file, or above its first statement."""
    chunks = split(request.text)
    imports = [chunk for chunk in chunks if chunk.kind == "import" and not chunk.class_path]
    later = [chunk for chunk in imports if not chunk.text.lstrip().startswith("from __future__")]
    if later:
        return _insert(request, _first_line(later[0]), "import copy\n")
    if imports:
        return _insert(request, imports[-1].end_line + 1, "\nimport copy\n")
    first = chunks[0]
    if first.kind == "statement" and re.match(r"[rRuU]?(\"|')", first.text.lstrip()):
        return _insert(request, first.end_line + 1, "\nimport copy\n")
    return _insert(request, _first_line(first), "import copy\n\n\n")


def _first_line(chunk: Chunk) -> int:
    """The first line of a chunk that is no comment."""
    comments = 0
    for line in chunk.text.split("\n"):
        if not line.lstrip().startswith("#"):
            break
        comments += 1
    return chunk.start_line + comments


def _insert(request: Request, line: int, content: str) -> Edit:
    return Edit(request.finding.path, Range.of(line, 1, line, 1), content)
