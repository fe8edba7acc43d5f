"""``reduction-lint trace``: why something is or is not reported on a line."""

from __future__ import annotations

from conftest import LEAKY, Cli, Write

CAPTURED = """\
import json
from pathlib import Path


class Chat:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.log.write_text(json.dumps(self.messages))
        self.messages = self.messages[-20:]
"""


def test_violation(cli: Cli, write: Write) -> None:
    """A reported line shows the finding and the steps to it."""
    write("chat.py", LEAKY)
    result = cli("trace", "chat.py:6")
    assert (result.status, result.err) == (0, "")
    assert "RL101" in result.out
    assert "chat.py:6:" in result.out


def test_captured(cli: Cli, write: Write) -> None:
    """A covered reduction shows the capture that covers it."""
    write("chat.py", CAPTURED)
    result = cli("trace", "chat.py:12", "--output-format", "json")
    (section,) = result.data["sections"]
    assert section["finding"] is None
    assert section["status"] == "captured"
    assert 11 in [step["range"]["start"]["line"] for step in section["steps"]]


def test_nothing_there(cli: Cli, write: Write) -> None:
    """A line without a reduction says so."""
    write("chat.py", LEAKY)
    result = cli("trace", "chat.py:1")
    assert (result.status, result.out.startswith("chat.py:1: nothing on this line ")) == (0, True)


def test_column_is_allowed(cli: Cli, write: Write) -> None:
    """A place copied from the report, with its column, is understood."""
    write("chat.py", LEAKY)
    assert cli("trace", "chat.py:6").out == cli("trace", "chat.py:6:25").out
