"""A client that may send anything: bytes in, bytes out."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lsp_editor import COMMAND

Message = dict[str, Any]


class Raw:
    """The other end of the server's standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send JSON with a proper header."""
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def request(self, number: int | str, method: str, params: Any = None) -> None:
        """Send a request."""
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def receive(self) -> Message:
        """The next message."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server is gone"
        message: Message = json.loads(self.process.stdout.read(length))
        return message

    def answer(self, number: int | str | None) -> Message:
        """The answer to a request; None for one that could not be read."""
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == number:
                return message

    def error(self, number: int | str | None) -> int:
        """The error code of an answer."""
        code: int = self.answer(number)["error"]["code"]
        return code

    def initialize(self, folder: Path, capabilities: Any = None) -> None:
        """Begin a session."""
        self.request(
            0,
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities or {}},
        )
        assert "result" in self.answer(0)
        self.notify("initialized", {})

    def is_well(self, folder: Path) -> bool:
        """Whether the next document is checked as if nothing had been."""
        uri = (folder / "well.py").as_uri()
        text = "class C:\n    def f(self) -> None:\n        self.messages = self.messages[-3:]\n"
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return [found["code"] for found in message["params"]["diagnostics"]] == ["RL101"]

    def leave(self) -> int:
        """End the session; the exit status."""
        self.request("bye", "shutdown")
        self.answer("bye")
        self.notify("exit", None)
        return self.process.wait(10)


@contextmanager
def raw_client(folder: Path, *, stderr: int | None = None) -> Iterator[Raw]:
    """A server process in a folder; killed if it is still there afterwards."""
    with subprocess.Popen(COMMAND, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr) as process:
        try:
            yield Raw(process)
        finally:
            process.kill()
