"""``reduction-lint server``: a real process that speaks the Language Server Protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import LEAKY, SOUND

Message = dict[str, Any]
ABLE = {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}


class Client:
    """The other end of the server's standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 0

    def notify(self, method: str, params: Message) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: Message | None) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self._number:
            pass
        return message["result"]

    def diagnostics(self) -> Message:
        while (message := self.receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        params: Message = message["params"]
        return params

    def receive(self) -> Message:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server is gone"
        message: Message = json.loads(self._process.stdout.read(length))
        return message

    def _send(self, message: Message) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    """An initialised server in a fresh folder, shut down properly afterwards."""
    command = [sys.executable, "-m", "reduction_lint", "server"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        client = Client(process)
        client.request("initialize", {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": ABLE})
        client.notify("initialized", {})
        yield client
        client.request("shutdown", None)
        client.notify("exit", {})
        assert process.wait(10) == 0


def opened(client: Client, uri: str, text: str) -> Message:
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    return client.diagnostics()


def test_open_change_save_close(client: Client, tmp_path: Path) -> None:
    """Diagnostics follow the text of a document and vanish with it."""
    uri = (tmp_path / "chat.py").as_uri()
    (found,) = opened(client, uri, LEAKY)["diagnostics"]
    assert (found["code"], found["source"], found["severity"]) == ("RL101", "reduction-lint", 1)
    assert found["range"]["start"] == {"line": 5, "character": 24}
    assert found["codeDescription"]["href"].endswith("rules/RL101")

    changes = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": SOUND}]}
    client.notify("textDocument/didChange", changes)
    assert (client.diagnostics()["diagnostics"]) == []

    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.diagnostics()["version"] == 2

    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.diagnostics()["diagnostics"] == []


def test_columns_are_in_utf_16(client: Client, tmp_path: Path) -> None:
    """Characters beyond the basic plane count twice, as the protocol wants by default."""
    text = LEAKY.replace("self.messages = self.messages[", "u = '😀'; self.messages = self.messages[")
    (found,) = opened(client, (tmp_path / "chat.py").as_uri(), text)["diagnostics"]
    assert found["range"]["start"] == {"line": 5, "character": 34}


def test_suppressed_findings_are_not_published(client: Client, tmp_path: Path) -> None:
    """What a comment silences stays silent."""
    text = LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo")
    assert opened(client, (tmp_path / "chat.py").as_uri(), text)["diagnostics"] == []


def test_wrong_settings_are_said(client: Client, tmp_path: Path) -> None:
    """Wrong settings do not end the server: they are logged, told once, and marked in their file."""
    settings = tmp_path / "reduction-lint.toml"
    settings.write_text("selct = []\n")
    uri = (tmp_path / "chat.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": LEAKY}
    client.notify("textDocument/didOpen", {"textDocument": document})
    messages = [client.receive() for _ in range(4)]
    methods = [message["method"] for message in messages]
    expected = ["window/logMessage", "window/showMessage", *["textDocument/publishDiagnostics"] * 2]
    assert sorted(methods) == sorted(expected)
    for message in messages[:2]:
        assert 'unknown key; did you mean "select"?' in message["params"]["message"]
    marked, own = (message["params"] for message in messages[2:])
    assert marked["uri"] == settings.as_uri()
    assert marked["diagnostics"][0]["range"]["start"] == {"line": 0, "character": 0}
    assert (own["uri"], own["diagnostics"]) == (uri, [])
