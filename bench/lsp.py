"""How fast the server answers, beside ``ruff server`` and ``pylsp``, in one scripted session on one machine.

For files of 500, 5,000 and 20,000 lines: the time from an edit to the diagnostics that carry its version (p50 and p95), and from
``initialize`` to the first diagnostics. With ``--workspace FOLDER`` also the memory after all of the folder was checked.

    python bench/lsp.py [--edits 40] [--workspace FOLDER] [--output results.json]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SIZES = (500, 5_000, 20_000)
SERVERS = {
    "reduction-lint": [sys.executable, "-m", "reduction_lint", "server"],
    "ruff": ["ruff", "server"],
    "pylsp": ["pylsp"],
}
PLAIN = '''

def total_{n}(rows: list[dict[str, int]], limit: int) -> int:
    """The sum of what is below a limit."""
    result = 0
    for row in rows:
        value = row.get("value", 0)
        if value < limit:
            result += value
        else:
            result -= 1
    return result
'''
AGENT = """

class Agent{n}:
    def __init__(self) -> None:
        self.messages: list[dict[str, str]] = []

    def add(self, message: dict[str, str]) -> None:
        self.messages.append(message)

    def compact(self) -> None:
        self.messages = self.messages[-20:]
"""
SHARE = 25
"""One class that reduces context for so many plain functions: denser than any of the corpora."""


class Session:
    """One server process and its messages."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.uri = (folder / "big.py").as_uri()
        self.version = 0
        self._number = 0
        self._writing = threading.Lock()

    def start(self, folder: Path, options: Any = None) -> None:
        """Initialize as a client to which diagnostics are pushed with their version."""
        published = {"versionSupport": True, "relatedInformation": True}
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "bench"}],
                "capabilities": {"textDocument": {"publishDiagnostics": published}},
                "initializationOptions": options or {},
            },
        )
        self.notify("initialized", {})

    def open(self, text: str) -> None:
        """Open the file and wait for its diagnostics."""
        self.version = 1
        document = {"uri": self.uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self.wait()

    def edit(self, line: int, text: str) -> None:
        """Replace a line and wait for the diagnostics of this version."""
        self.version += 1
        span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 200}}
        named = {"uri": self.uri, "version": self.version}
        change = {"textDocument": named, "contentChanges": [{"range": span, "text": text}]}
        self.notify("textDocument/didChange", change)
        self.wait()

    def wait(self) -> None:
        """Until diagnostics of the present version arrive; servers that send none are taken at their first."""
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params["uri"] == self.uri and params.get("version") in (None, self.version):
                    return

    def request(self, method: str, params: Any) -> Any:
        """Send a request and wait for its answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self._number and "method" not in message:
                return message.get("result")

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def receive(self) -> dict[str, Any]:
        """The next message; requests of the server are answered with nothing."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise EOFError("the server is gone")
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})
        return message

    def memory(self) -> float:
        """Resident megabytes of the server's process; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def end(self) -> None:
        """Leave properly, or by force."""
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(5)
        except (EOFError, BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._writing:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()


def source(lines: int) -> str:
    """A file of about so many lines."""
    parts, number, count = ["import json\n"], 0, 1
    while count < lines:
        part = (AGENT if number % SHARE == 0 else PLAIN).format(n=number)
        parts.append(part)
        count += part.count("\n")
        number += 1
    return "".join(parts)


def measure(command: Sequence[str], lines: int, edits: int) -> dict[str, float]:
    """Milliseconds of one session on a file of so many lines."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = source(lines)
        (folder / "big.py").write_text(text)
        rows = text.split("\n")
        line = next(n for n in range(len(rows) // 2, len(rows)) if rows[n] == "    result = 0")
        session = Session(command, folder)
        started = time.perf_counter()
        try:
            session.start(folder)
            session.open(text)
            ready = time.perf_counter() - started
            times = []
            for number in range(edits):
                before = time.perf_counter()
                session.edit(line, f"    result = {number}")
                times.append(time.perf_counter() - before)
            memory = session.memory()
        finally:
            session.end()
    times.sort()
    return {
        "lines": lines,
        "ready_ms": ready * 1000,
        "p50_ms": statistics.median(times) * 1000,
        "p95_ms": times[int(len(times) * 0.95) - 1] * 1000,
        "memory_mb": memory,
    }


def workspace_memory(folder: Path) -> dict[str, float]:
    """Seconds until a whole workspace was checked by our server, and its memory then."""
    session = Session(SERVERS["reduction-lint"], folder)
    started = time.perf_counter()
    try:
        session.start(folder)
        session.request("workspace/executeCommand", {"command": "reductionLint.inventory", "arguments": []})
        return {"seconds": time.perf_counter() - started, "memory_mb": session.memory()}
    finally:
        session.end()


def main() -> None:
    """Run what is asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=40)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--servers", nargs="*", default=list(SERVERS), choices=list(SERVERS))
    parser.add_argument("--workspace", type=Path)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    results: dict[str, Any] = {}
    for lines in args.sizes:
        for name in args.servers:
            if shutil.which(SERVERS[name][0]) is None:
                print(f"{name}: not installed", file=sys.stderr)
                continue
            found = results.setdefault(name, {})[str(lines)] = measure(SERVERS[name], lines, args.edits)
            shown = "  ".join(f"{key} {value:8.0f}" for key, value in found.items() if key != "lines")
            print(f"{name:15} {lines:6} lines  {shown}")
    if args.workspace is not None:
        results["workspace"] = workspace_memory(args.workspace.resolve())
        print(f"workspace: {results['workspace']}")
    if args.output is not None:
        args.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
