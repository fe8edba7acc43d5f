"""Clients that send nonsense, ask too much, or vanish: the right error, and the server goes on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_editor import COMMAND, LEAKY
from raw_client import Raw, raw_client

PARSE, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Raw, Path]]:
    """One process for all tests of nonsense: what one leaves behind must not hurt the next."""
    folder = tmp_path_factory.mktemp("garbage")
    with raw_client(folder, stderr=subprocess.DEVNULL) as client:
        client.initialize(folder, {"textDocument": {"diagnostic": {}}})
        yield client, folder
        assert client.leave() == 0


def place(line: int, character: int) -> dict[str, int]:
    """A position."""
    return {"line": line, "character": character}


def test_bytes_that_are_no_json(shared: tuple[Raw, Path]) -> None:
    """A parse error without an id."""
    client, _ = shared
    for body in (b"{", b"\xff\xfe", b"[" * 100_000):
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert client.error(None) == PARSE


@pytest.mark.parametrize("message", [[], 5, "x", {}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "method": 3}])
def test_json_that_is_no_message(shared: tuple[Raw, Path], message: object) -> None:
    """An invalid request."""
    client, _ = shared
    client.send(message)
    assert client.error(None) == INVALID_REQUEST


def test_headers_in_any_case_and_headers_of_no_meaning(shared: tuple[Raw, Path]) -> None:
    """Lines that say nothing are skipped."""
    client, _ = shared
    body = b'{"jsonrpc":"2.0","id":"h","method":"no/such"}'
    client.send_bytes(b"nonsense\r\ncontent-type: x\r\nCONTENT-LENGTH:%d\r\n\r\n" % len(body) + body)
    assert client.error("h") == NO_METHOD


def test_unknown_methods(shared: tuple[Raw, Path]) -> None:
    """Requests are refused, notifications ignored."""
    client, _ = shared
    client.notify("no/such", {"a": 1})
    client.notify("$/optional", None)
    client.request(2, "no/such", {"a": 1})
    assert client.error(2) == NO_METHOD
    client.request(3, "workspace/executeCommand", {"command": "no.such", "arguments": []})
    assert client.error(3) == INVALID_PARAMS


@pytest.mark.parametrize("params", [None, [], {}, {"textDocument": 3}, {"textDocument": {"uri": 1}, "position": "x"}])
def test_wrong_parameters(shared: tuple[Raw, Path], params: object) -> None:
    """Invalid parameters, by the request's own id."""
    client, _ = shared
    client.request("p", "textDocument/hover", params)
    assert client.error("p") == INVALID_PARAMS


def test_places_out_of_range(shared: tuple[Raw, Path]) -> None:
    """Positions behind the end mean the end; reversed ranges mean the range; nothing is lost or doubled."""
    client, folder = shared
    uri = (folder / "places.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": "abc\nde"}
    client.notify("textDocument/didOpen", {"textDocument": document})
    spans = [((9, 9), (9, 9), "!"), ((1, 99), (1, 99), "?"), ((0, 3), (0, 1), "X"), ((0, 99), (1, 0), " ")]
    for version, (start, end, text) in enumerate(spans, 2):
        span = {"start": place(*start), "end": place(*end)}
        change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": span, "text": text}]}
        client.notify("textDocument/didChange", change)
    hover = {"textDocument": {"uri": uri}, "position": {"line": 4_000_000, "character": 4_000_000}}
    client.request(4, "textDocument/hover", hover)
    assert client.answer(4)["result"] is None
    client.request(5, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    (found,) = client.answer(5)["result"]["items"]
    assert (found["code"], found["range"]["start"]["line"]) == ("RL001", 0)  # "aX de!?": one line


def test_edits_of_what_is_not_open(shared: tuple[Raw, Path]) -> None:
    """Ignored, and so is closing or saving it."""
    client, folder = shared
    uri = (folder / "closed.py").as_uri()
    identifier = {"uri": uri, "version": 3}
    client.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": "x"}]})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notify("notebookDocument/didChange", {"notebookDocument": {"uri": uri, "version": 1}, "change": {}})
    span = {"start": place(0, 0), "end": place(0, 0)}
    asked = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": []}}
    client.request(6, "textDocument/codeAction", asked)
    assert "error" not in client.answer(6)
    for strange in ("", "no scheme", "file://", "file:///%00", "untitled:", "git:/x.py?ref", "http://a/b.py"):
        client.request("u", "textDocument/diagnostic", {"textDocument": {"uri": strange}})
        assert client.answer("u")["result"]["items"] == [], strange


def test_a_thousand_requests_and_their_cancelling(shared: tuple[Raw, Path]) -> None:
    """Each is answered exactly once, with a result or as cancelled; the server is well afterwards."""
    client, folder = shared
    uri = (folder / "many.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": LEAKY * 20}
    client.notify("textDocument/didOpen", {"textDocument": document})
    numbers = range(1000, 2000)
    for number in numbers:
        client.request(number, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    for number in numbers:
        client.notify("$/cancelRequest", {"id": number})
    client.notify("$/cancelRequest", {"id": "never sent"})
    answers: dict[int, int] = {}
    while len(answers) < len(numbers):
        message = client.receive()
        if message.get("id") in numbers:
            assert message["id"] not in answers
            answers[message["id"]] = message.get("error", {}).get("code", 0)
    assert set(answers.values()) <= {0, CANCELLED}
    client.request(7, "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert client.answer(7)["result"]["items"]


def test_order_of_a_session(tmp_path: Path) -> None:
    """Before ``initialize``, twice, and after ``shutdown``: refused with the proper codes; then exit status 0."""
    with raw_client(tmp_path, stderr=subprocess.DEVNULL) as client:
        client.request(1, "textDocument/hover", {})
        assert client.error(1) == INVALID_PARAMS
        client.request(1, "shutdown")
        assert client.error(1) == NOT_INITIALIZED
        client.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": "file:///x.py", "languageId": "python", "version": 1, "text": ""}},
        )
        client.initialize(tmp_path)
        client.request(2, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert client.error(2) == INVALID_REQUEST
        assert client.is_well(tmp_path)
        client.request(3, "shutdown")
        assert "error" not in client.answer(3)
        client.request(4, "workspace/executeCommand", {"command": "reductionLint.restart"})
        assert client.error(4) == INVALID_REQUEST
        client.notify("exit", None)
        assert client.process.wait(10) == 0


@pytest.mark.parametrize(
    "last", [b"", b'Content-Length: 50\r\n\r\n{"half":', b"Content-Length: 99999999999999999999\r\n\r\n"]
)
def test_client_that_vanishes(tmp_path: Path, last: bytes) -> None:
    """The end of input, in the middle of a message or not, ends the server with status 1."""
    with raw_client(tmp_path, stderr=subprocess.DEVNULL) as client:
        client.initialize(tmp_path)
        client.send_bytes(last)
        assert client.process.stdin is not None
        client.process.stdin.close()
        assert client.process.wait(10) == 1


def test_exit_without_shutdown(tmp_path: Path) -> None:
    """Status 1, as the protocol says."""
    with raw_client(tmp_path, stderr=subprocess.DEVNULL) as client:
        client.initialize(tmp_path)
        client.notify("exit", None)
        assert client.process.wait(10) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are watched by their id on POSIX")
def test_death_of_the_parent(tmp_path: Path) -> None:
    """A server whose client's process is gone ends by itself, though its input stays open."""
    sleeping = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(sleeping) as parent, raw_client(tmp_path, stderr=subprocess.DEVNULL) as client:
        client.request(0, "initialize", {"processId": parent.pid, "rootUri": None, "capabilities": {}})
        client.answer(0)
        client.notify("initialized", {})
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        assert client.process.wait(15) == 1


@pytest.mark.slow
def test_tcp(tmp_path: Path) -> None:
    """One client on a loopback address; the process ends with it."""
    command = [*COMMAND, "--tcp", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        port = int(process.stderr.readline().rpartition(b":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
            connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            assert b"Content-Length" in connection.recv(100)
        started = time.monotonic()
        assert process.wait(10) == 1
        assert time.monotonic() - started < 10
