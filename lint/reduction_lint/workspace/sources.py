"""The text of a file: encodings, line ends, notebooks, and the way back from analysed to stored text."""

from __future__ import annotations

import codecs
import io
import re
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

from reduction_lint.findings import Position, Range
from reduction_lint.workspace.notebooks import Cell, NotebookError, join_cells

MAX_BYTES = 10_000_000
"""Size of the largest file that is analysed, in bytes."""

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=]", re.MULTILINE)


class SourceError(Exception):
    """A file that cannot be read or decoded; ``message`` is one line, without the path."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SourceTooLarge(Exception):
    """A file above :data:`MAX_BYTES`: a limit of the analysis, no error of the file."""

    def __init__(self, size: int) -> None:
        self.message = f"file of {size / 1e6:.1f} MB is larger than {MAX_BYTES // 1_000_000} MB and was not analysed"
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it is analysed.

    ``path`` is absolute, ``display`` relative to the working directory with ``/``. ``text`` has ``\\n`` for
    every line end and no byte order mark; for a notebook it is the joined code cells, described by ``cells``.
    ``raw`` is what was read.
    """

    path: Path
    display: str
    text: str
    cells: tuple[Cell, ...] | None
    raw: bytes

    def locate(self, range: Range) -> tuple[int | None, Range]:
        """The 1-based notebook cell of ``range`` and the range within it; outside notebooks (None, ``range``).

        A range that runs over several cells is cut off at the end of its first one.
        """
        if not self.cells:
            return None, range
        line = range.start.line
        cell = self.cells[0]
        for candidate in self.cells:
            if candidate.start_line > line:
                break
            cell = candidate
        before = cell.start_line - 1
        start = Position(max(line - before, 1), range.start.column)
        end = Position(range.end.line - before, range.end.column)
        if end.line > cell.line_count:
            last = self.text.split("\n")[before + cell.line_count - 1]
            end = max(start, Position(cell.line_count, len(last) + 1))
        return cell.number, Range(start, end)


def load_source(path: Path, display: str) -> Source:
    """Read the file at ``path``.

    Raises :class:`SourceError` if it is no regular file, cannot be read or decoded, and
    :class:`SourceTooLarge`.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("not a regular file")
        if status.st_size > MAX_BYTES:
            raise SourceTooLarge(status.st_size)
        raw = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a null character in the path
        raise SourceError(f"cannot be read: {error}") from error
    return source_from_bytes(raw, display, path)


def source_from_bytes(raw: bytes, display: str, path: Path) -> Source:
    """The source of ``raw``; a name that ends in ``.ipynb`` makes it a notebook. Raises :class:`SourceError`."""
    if path.suffix == ".ipynb":
        try:
            text, cells = join_cells(raw)
        except NotebookError as error:
            raise SourceError(str(error)) from error
        return Source(path, display, text, cells, raw)
    return Source(path, display, normalise(decode(raw)), None, raw)


def source_from_text(text: str, display: str, path: Path | None = None) -> Source:
    """A source that is no file, such as standard input or an editor's buffer.

    A name that ends in ``.ipynb`` makes it a notebook. Raises :class:`SourceError` for a malformed one.
    """
    where = path or Path(display).absolute()
    raw = text.encode("utf-8", "surrogatepass")
    if where.suffix == ".ipynb":
        return source_from_bytes(raw, display, where)
    return Source(where, display, normalise(text), None, raw)


def decode(raw: bytes) -> str:
    """Decode Python text by its byte order mark, else its declared encoding, else as UTF-8.

    Raises :class:`SourceError`.
    """
    encoding = encoding_of(raw)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SourceError(f"cannot be decoded as {encoding}: {error.reason} in line {line}") from error
    except (LookupError, ValueError) as error:  # not a text encoding
        raise SourceError(f"cannot be decoded: {error}") from error


def encoding_of(raw: bytes) -> str:
    """The encoding of Python text: by byte order mark, declaration, or UTF-8. Raises :class:`SourceError`."""
    if not raw.startswith(codecs.BOM_UTF8) and not _COOKIE.search(raw[: _two_lines(raw)]):
        return "utf-8"
    try:
        return tokenize.detect_encoding(io.BytesIO(raw).readline)[0]
    except SyntaxError as error:
        raise SourceError(f"cannot be decoded: {error.msg}") from error


def normalise(text: str) -> str:
    """``text`` without a byte order mark and with ``\\n`` for every line end."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _two_lines(raw: bytes) -> int:
    """The length of the first two lines, the only place for a declaration of the encoding."""
    first = raw.find(b"\n")
    second = raw.find(b"\n", first + 1) if first >= 0 else -1
    return second if second >= 0 else len(raw)
