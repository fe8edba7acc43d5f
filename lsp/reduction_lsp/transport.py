"""Bytes in and out: standard input and output on threads of their own, or one connection on a loopback address.

Headers are read more tolerantly than pygls does (any case, any line end), and a length beyond all reason ends the
connection instead of the process.
"""

from __future__ import annotations

import asyncio
import queue
import re
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import BinaryIO, Protocol, TypeVar

_LENGTH = re.compile(rb"\s*content-length\s*:\s*(\d+)\s*", re.IGNORECASE)
_MAX_BODY = 256_000_000
"""Bytes in a message; more is taken for garbage."""
_MAX_HEADER = 1_000_000
T = TypeVar("T")


class Source(Protocol):
    """What bytes come from."""

    def readline(self) -> Awaitable[bytes]:
        """The next line with its end; empty at the end."""
        ...

    def readexactly(self, count: int) -> Awaitable[bytes]:
        """That many bytes."""
        ...


class Reader:
    """Gives pygls headers in the one form it understands."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def readline(self) -> bytes:
        """The next header line; empty at the end of the connection."""
        try:
            line = await self._source.readline()
        except (ValueError, ConnectionError):  # a line without an end, or the client is gone
            return b""
        match = _LENGTH.fullmatch(line)
        if match is None:
            return line if line.strip() or not line else b"\r\n"
        length = int(match[1]) if len(match[1]) < 12 else _MAX_BODY + 1
        return b"Content-Length: %d\r\n" % length if length <= _MAX_BODY else b""

    async def readexactly(self, count: int) -> bytes:
        """The body of a message; empty if the connection ends within it."""
        try:
            body = await self._source.readexactly(count)
        except (EOFError, ConnectionError):
            return b""
        return body if len(body) == count else b""


class Stdin:
    """Standard input, read on a thread that nothing else runs on."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="stdin")

    def readline(self) -> Awaitable[bytes]:
        """See :class:`Source`."""
        return self._run(lambda: self._stream.readline(_MAX_HEADER))

    def readexactly(self, count: int) -> Awaitable[bytes]:
        """See :class:`Source`; fewer bytes at the end of the stream."""
        return self._run(lambda: self._stream.read(count))

    def _run(self, read: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._executor, read)


class Stdout:
    """Standard output, written by a thread: a client that does not read must not stop the server."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._pending: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send bytes, in order."""
        self._pending.put(data)

    def close(self) -> None:
        """Send what is pending, for as long as the client takes it, and end."""
        self._pending.put(None)
        self._thread.join(timeout=2)

    def _write(self) -> None:
        with suppress(OSError, ValueError):  # the client is gone: reading will end, too
            while (data := self._pending.get()) is not None:
                self._stream.write(data)
                self._stream.flush()


def standard_streams() -> tuple[Stdin, Stdout]:
    """Standard input and output for the protocol; anything else that prints goes to standard error."""
    streams = Stdin(sys.stdin.buffer), Stdout(sys.stdout.buffer)
    sys.stdout = sys.stderr
    return streams
