"""JSON members of a zip file or folder, read with limits and never written."""

from __future__ import annotations

import json
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

MAX_MEMBERS = 10_000
MAX_MEMBER_BYTES = 64 * 1024 * 1024
MAX_TOTAL_BYTES = 512 * 1024 * 1024
MAX_RATIO = 200
"""How many times its packed size a member may have (beyond a small size): text hardly exceeds 20."""
_SMALL = 1024 * 1024


class ArchiveError(ValueError):
    """The archive as a whole cannot be used; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Member:
    """A member with its parsed ``data``, or with the reason (``problem``) why it could not be read."""

    name: str
    data: Any = None
    problem: str = ""


def members(path: Path) -> Iterator[Member]:
    """All ``.json`` members in the order of their names; raises :class:`ArchiveError`.

    Whatever looks like an attack (paths that lead out, bombs) stops the reading; a member that is merely broken does not.
    """
    try:
        if path.is_dir():
            yield from _in_folder(path)
            return
        if not path.exists():
            raise ArchiveError(f"{path}: there is no such file or folder")
        if not zipfile.is_zipfile(path):
            raise ArchiveError(f"{path}: is neither a folder nor a zip file")
        with zipfile.ZipFile(path) as archive:
            yield from _in_zip(path, archive)
    except zipfile.BadZipFile as error:
        raise ArchiveError(f"{path}: is a broken zip file: {error}") from None
    except OSError as error:
        raise ArchiveError(f"{path}: cannot be read: {error.strerror or error}") from None


def _in_folder(root: Path) -> Iterator[Member]:
    found = sorted(root.rglob("*.json"), key=lambda file: file.relative_to(root).as_posix())
    _check_count(root, len(found))
    base = root.resolve()
    total = 0
    for file in found:
        name = file.relative_to(root).as_posix()
        if not file.resolve().is_relative_to(base):
            raise ArchiveError(f"{root}: {name} is a link that leads out of the folder")
        if not file.is_file():
            continue
        try:
            with file.open("rb") as stream:
                raw = _read(stream, f"{root}: {name}")
        except OSError as error:
            yield Member(name, problem=f"cannot be read: {error.strerror or error}")
            continue
        total += len(raw)
        _check_total(root, total)
        yield _parsed(name, raw)


def _in_zip(path: Path, archive: zipfile.ZipFile) -> Iterator[Member]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    _check_count(path, len(infos))
    _check_total(path, sum(info.file_size for info in infos))
    for info in infos:
        _check_entry(path, info)
    seen: set[str] = set()
    total = 0
    for info in sorted(infos, key=lambda info: info.filename):
        if not info.filename.endswith(".json"):
            continue
        if info.filename in seen:
            yield Member(info.filename, problem="occurs twice in the archive; only the first one counts")
            continue
        seen.add(info.filename)
        if info.flag_bits & 0x1:
            yield Member(info.filename, problem="is encrypted")
            continue
        try:
            with archive.open(info) as stream:
                raw = _read(stream, f"{path}: {info.filename}")
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            yield Member(info.filename, problem=f"is damaged: {error}")
            continue
        total += len(raw)
        _check_total(path, total)
        yield _parsed(info.filename, raw)


def _check_entry(path: Path, info: zipfile.ZipInfo) -> None:
    """Names that lead out of the archive, links, and members that grow out of all proportion."""
    name = info.filename
    pure = PurePosixPath(name.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or (len(name) > 1 and name[1] == ":"):
        raise ArchiveError(f'{path}: member "{name}" has a path that leads out of the archive')
    if stat.S_ISLNK(info.external_attr >> 16):
        raise ArchiveError(f'{path}: member "{name}" is a symbolic link')
    if info.file_size > _SMALL and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise ArchiveError(f'{path}: member "{name}" unpacks to more than {MAX_RATIO} times its size (a zip bomb?)')


def _read(stream: IO[bytes], shown: str) -> bytes:
    """At most the allowed number of bytes, whatever the header says."""
    raw = stream.read(MAX_MEMBER_BYTES + 1)
    if len(raw) > MAX_MEMBER_BYTES:
        raise ArchiveError(f"{shown} is larger than {MAX_MEMBER_BYTES // 2**20} MB")
    return raw


def _check_count(path: Path, count: int) -> None:
    if count > MAX_MEMBERS:
        raise ArchiveError(f"{path}: has {count} members, more than the {MAX_MEMBERS} that are read")


def _check_total(path: Path, total: int) -> None:
    if total > MAX_TOTAL_BYTES:
        raise ArchiveError(f"{path}: unpacks to more than {MAX_TOTAL_BYTES // 2**20} MB")


def _parsed(name: str, raw: bytes) -> Member:
    try:
        return Member(name, json.loads(raw.decode("utf-8-sig")))
    except UnicodeDecodeError:
        return Member(name, problem="is not UTF-8 text")
    except json.JSONDecodeError as error:
        return Member(name, problem=f"is not valid JSON: {error.msg} (line {error.lineno}, column {error.colno})")
    except RecursionError:
        return Member(name, problem="is nested too deeply")
    except ValueError as error:  # numbers with more digits than Python reads
        return Member(name, problem=f"is not usable JSON: {error}")


__all__ = ["ArchiveError", "Member", "members"]
