"""Changing files: edits in analysed coordinates applied to what is stored, and atomic writes.

Encoding, byte order mark, line ends, file mode and everything outside the edits stay as they are.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from reduction_lint.findings import Edit, Position
from reduction_lint.workspace.notebooks import raw_cells
from reduction_lint.workspace.sources import encoding_of

_LINE_END = re.compile(r"\r\n|\r|\n")


class EditError(Exception):
    """A file that cannot be changed as asked; the message is one line, without the path."""


def edited(raw: bytes, edits: Sequence[Edit], *, cell: int | None = None) -> bytes:
    """The bytes of a file after edits that do not overlap; ``cell`` (1-based) is that of a notebook.

    Raises :class:`EditError`.
    """
    if cell is not None:
        return _edited_notebook(raw, cell, edits)
    encoding = encoding_of(raw)
    try:
        return edited_text(raw.decode(encoding), edits).encode(encoding)
    except UnicodeEncodeError as error:
        raise EditError(f"the fix needs a character that {encoding} does not have") from error


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """A text after edits that do not overlap. New lines end like those around them."""
    starts, ends = [0], []
    for match in _LINE_END.finditer(text):
        ends.append(match[0])
        starts.append(match.end())
    shift = 1 if text.startswith("\ufeff") else 0
    for edit in sorted(set(edits), key=lambda edit: (edit.range.start, edit.range.end), reverse=True):
        first, last = (_offset(place, starts, text, shift) for place in (edit.range.start, edit.range.end))
        line = min(edit.range.start.line, len(ends)) - 1
        end = ends[line] if ends else "\n"
        before = "" if edit.range.start.line <= len(starts) else end
        text = text[:first] + before + edit.content.replace("\n", end) + text[last:]
    return text


def _offset(place: Position, starts: Sequence[int], text: str, shift: int) -> int:
    if place.line > len(starts):
        return len(text)
    return starts[place.line - 1] + place.column - 1 + (shift if place.line == 1 else 0)


def _edited_notebook(raw: bytes, number: int, edits: Sequence[Edit]) -> bytes:
    text = raw.decode("utf-8-sig")
    data = json.loads(text)
    style = _style_of(text, data)
    cell = raw_cells(data)[number - 1]
    key = "source" if "source" in cell else "input"
    source = cell[key]
    changed = edited_text("".join(source) if isinstance(source, list) else source, edits)
    cell[key] = changed.splitlines(keepends=True) if isinstance(source, list) else changed
    result = json.dumps(data, **style) + text[len(text.rstrip("\n")) :]
    return result.encode("utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else "utf-8")


def _style_of(text: str, data: Any) -> dict[str, Any]:
    """How the JSON is written; a layout that cannot be reproduced is not touched."""
    for indent in (1, 2, 4, None, "\t", 0):
        for ascii_only in (False, True):
            for separators in (None, (",", ":")):
                style: dict[str, Any] = {"indent": indent, "ensure_ascii": ascii_only, "separators": separators}
                if json.dumps(data, **style) == text.rstrip("\n"):
                    return style
    raise EditError("the notebook's JSON has a layout of its own; save it once with Jupyter first")


def write_atomically(path: Path, content: bytes, *, expected: bytes | None = None) -> None:
    """Replace a file in one step, keeping its mode; a symbolic link keeps pointing at it.

    With ``expected`` the file must still hold these bytes. Raises :class:`EditError`.
    """
    target = path.resolve()
    try:
        if expected is not None and target.read_bytes() != expected:
            raise EditError("changed on disk meanwhile, not written")
        mode = target.stat().st_mode if target.exists() else None
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if mode is None:
                umask = os.umask(0)
                os.umask(umask)
                mode = 0o666 & ~umask
            os.chmod(name, mode & 0o7777)
            os.replace(name, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise EditError(f"cannot be written: {error.strerror or error}") from error
