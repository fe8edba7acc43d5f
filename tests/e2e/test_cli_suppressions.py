"""Silencing what is there: ``--add-suppressions``, ``suppressions``, ``unsuppressable``."""

from __future__ import annotations

import json

from conftest import LEAKY, Cli, Write

CUTS = """\
import httpx


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def fetch(self, url: str) -> None:
        page = httpx.get(url).text
        self.messages.append(
            {
                "role": "tool",
                "content": page[:4000],
            }
        )
"""
JSON = ("--output-format", "json")


def test_add(cli: Cli, write: Write) -> None:
    """One comment above the statement for all its codes; then nothing is reported, strict profile included."""
    path = write("chat.py", CUTS)
    result = cli("check", "--profile", "strict", "--add-suppressions", "--reason", "from before 2.0")
    comment = "        # reduction-lint: ignore[RL101, RL201] -- from before 2.0\n"
    statement = "        self.messages.append(\n"
    assert (result.status, path.read_text()) == (0, CUTS.replace(statement, comment + statement))
    assert result.err.startswith("added 1 suppression\n")
    assert cli("check", "--profile", "strict").status == 0


def test_add_in_a_notebook(cli: Cli, write: Write) -> None:
    """In a notebook the comment goes into the cell."""
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": LEAKY.splitlines(keepends=True)}]
    data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = write("chat.ipynb", json.dumps(data, indent=1) + "\n")
    assert cli("check", "--add-suppressions").status == 0
    source = json.loads(path.read_text())["cells"][0]["source"]
    assert source[5] == "        # reduction-lint: ignore[RL101]\n"


def test_reason_has_to_fit(cli: Cli, write: Write) -> None:
    """A reason that would end the comment or begin another one is wrong usage, and so is one for nothing."""
    write("chat.py", LEAKY)
    assert cli("check", "--add-suppressions", "--reason", "see #12").status == 2
    assert cli("check", "--reason", "why").status == 2


def test_unsuppressable(cli: Cli, write: Write) -> None:
    """What settings do not allow to be silenced gets no comment and stays reported."""
    path = write("chat.py", LEAKY)
    write("reduction-lint.toml", 'unsuppressable = ["RL101"]\n')
    result = cli("check", "--add-suppressions")
    assert (result.status, path.read_text()) == (1, LEAKY)
    assert "note: chat.py:6: RL101 cannot be suppressed" in result.err


def test_list(cli: Cli, write: Write) -> None:
    """Every code of every suppression with its reason and its use."""
    write("used.py", LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101, RL105] -- demo"))
    write(
        "block.py", "# reduction-lint: disable[RL401]\nx = 1\n# reduction-lint: enable[RL401]\ny = 2  # noqa: RL602\n"
    )
    result = cli("suppressions", *JSON, "--ignore", "RL602")
    found = [(s["path"], s["kind"], s["code"], s["reason"], s["used"]) for s in result.data["suppressions"]]
    assert (result.status, found) == (
        0,
        [
            ("block.py", "disable", "RL401", "", False),
            ("block.py", "noqa", "RL602", "", None),
            ("used.py", "ignore", "RL101", "demo", True),
            ("used.py", "ignore", "RL105", "demo", False),
        ],
    )
    lines = cli("suppressions").out.splitlines()
    assert lines[2] == "used.py:6:71: ignore[RL101] used -- demo"
    assert lines[-1] == "4 suppressions, 3 unused."
