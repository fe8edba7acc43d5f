"""``check --fix`` and ``--diff``: what is written, and how."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest
from conftest import LEAKY, Cli, Write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

UNUSED = "x = 1  # reduction-lint: ignore[RL101] -- nothing here\n"
CUT = """\
import httpx


def fetch(url: str) -> dict:
    page = httpx.get(url).text
    return {"role": "tool", "content": page[:4000]}
"""
ASYNC = """\
class Chat:
    def __init__(self, sidecar: "AsyncSidecar") -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []

    async def save(self) -> None:
        await self.sidecar.capture(self.messages)

    async def trim(self) -> None:
        self.save()
        self.messages = self.messages[-10:]
"""


def test_fix(cli: Cli, write: Write) -> None:
    """Safe fixes are written, and the report is that of the new state."""
    path = write("chat.py", ASYNC)
    result = cli("check", "--fix")
    assert (result.status, path.read_text()) == (0, ASYNC.replace("        self.save()", "        await self.save()"))
    assert result.err == "fixed 1 finding in 1 file\n"
    assert result.out.startswith("No findings.")


def test_unsafe_fixes_only_on_request(cli: Cli, write: Write) -> None:
    """A notice changes what the program says, so it is not written by ``--fix`` alone."""
    path = write("page.py", CUT)
    assert cli("check", "--fix").status == 1
    assert path.read_text() == CUT
    cli("check", "--fix", "--unsafe-fixes")
    assert "[truncated; full output not retained]" in path.read_text()


def test_summary_says_what_can_be_fixed(cli: Cli, write: Write) -> None:
    """The summary of a plain run leads to ``--fix``."""
    write("page.py", CUT)
    write("chat.py", ASYNC)
    assert "1 fixable with --fix, 1 more with --fix --unsafe-fixes." in cli("check").out


def test_unsafe_fixes_alone_is_wrong_usage(cli: Cli) -> None:
    """``--unsafe-fixes`` alone would look as if it did something."""
    assert cli("check", "--unsafe-fixes").status == 2


def test_diff_writes_nothing(cli: Cli, write: Write) -> None:
    """``--diff`` prints a patch, and the status is that of what is there."""
    path = write("pkg/chat.py", ASYNC)
    result = cli("check", "--diff")
    assert (result.status, path.read_text()) == (1, ASYNC)
    assert result.out.startswith("--- a/pkg/chat.py\n+++ b/pkg/chat.py\n@@ ")
    assert "\n-        self.save()\n+        await self.save()\n" in result.out


def test_unused_suppressions_are_removed(cli: Cli, write: Write) -> None:
    """RL002 is a safe fix: the comment goes, the code stays."""
    path = write("x.py", UNUSED)
    assert (cli("check", "--fix").status, path.read_text()) == (0, "x = 1\n")


@pytest.mark.parametrize(
    "content",
    [
        ASYNC.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + ASYNC.encode(),
        ("# coding: latin-1\n# caf\u00e9\n" + ASYNC).encode("latin-1"),
        ASYNC.encode().rstrip(b"\n"),
        ("# \u2028 \x0c one line for Python\n" + ASYNC).encode(),
        ASYNC.replace("    async def trim", "\r\n    async def trim").encode(),
    ],
    ids=["crlf", "bom", "latin-1", "no-newline", "odd-spaces", "mixed"],
)
def test_nothing_else_changes(cli: Cli, write: Write, content: bytes) -> None:
    """Encoding, byte order mark, line ends and the missing last one stay as they are."""
    path = write("chat.py", content)
    assert cli("check", "--fix").status == 0
    assert path.read_bytes() == content.replace(b"        self.save()", b"        await self.save()")


def test_mode_and_link_stay(cli: Cli, write: Write, folder: Path) -> None:
    """The file keeps its mode; a symbolic link keeps pointing at it. No temporary file is left."""
    target = write("real/chat.py", ASYNC)
    os.chmod(target, 0o755)
    link = folder / "chat.py"
    link.symlink_to(target)
    assert cli("check", "--fix", "chat.py").status == 0
    assert link.is_symlink()
    assert "await self.save()" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in target.parent.iterdir()] == ["chat.py"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_what_cannot_be_written(cli: Cli, write: Write) -> None:
    """A folder that cannot be written to is an error, not a crash."""
    path = write("pkg/chat.py", ASYNC)
    os.chmod(path.parent, 0o555)
    try:
        result = cli("check", "--fix")
    finally:
        os.chmod(path.parent, 0o755)
    assert result.status == 2
    assert "pkg/chat.py: not fixed: cannot be written" in result.err


def test_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixed text of standard input goes to standard output."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ASYNC.encode())))
    result = cli("check", "--fix", "-", "--stdin-filename", "chat.py")
    assert (result.status, result.out) == (0, ASYNC.replace("        self.save()", "        await self.save()"))


def test_notebook(cli: Cli, write: Write) -> None:
    """In a notebook only the lines of the cell change, and the JSON keeps its layout."""
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# caf\u00e9"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%pip install x\n", *ASYNC.splitlines(True)]},
    ]
    data = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    path = write("chat.ipynb", text)
    assert cli("check", "--fix").status == 0
    assert path.read_text("utf-8") == text.replace('"        self.save()', '"        await self.save()')


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    indent=st.sampled_from(["  ", "    ", "\t"]),
    name=st.sampled_from(["messages", "history", "transcript"]),
    before=st.lists(st.sampled_from(["", "# note", "def other():\n    return 1", "VALUE = '''a\nb'''"]), max_size=4),
    after=st.lists(st.sampled_from(["", "# end", "async def more():\n    pass", "x = [1,\n  2]"]), max_size=3),
    end=st.sampled_from(["\n", "\r\n"]),
    cut=st.sampled_from(["self.{0} = self.{0}[-10:]", "self.{0}.clear()", "del self.{0}[:-5]"]),
)
def test_fix_then_check_is_clean(
    cli: Cli, write: Write, indent: str, name: str, before: list[str], after: list[str], end: str, cut: str
) -> None:
    """Whatever stands around it and however it is laid out: after the fix nothing is left, and all else is as it was."""
    code = ASYNC.replace("self.messages = self.messages[-10:]", cut.format("messages")).replace("messages", name)
    lines = [line.replace("    ", indent) for line in code.splitlines()]
    text = end.join([*"\n".join(before).split("\n"), *lines, *"\n".join(after).split("\n"), ""])
    path = write("chat.py", text)
    assert cli("check", "--fix").status == 0
    assert path.read_bytes().decode() == text.replace(f"{indent * 2}self.save()", f"{indent * 2}await self.save()")


def test_leaky_stays_as_it_is(cli: Cli, write: Write) -> None:
    """Where no sidecar is known there is nothing to fix."""
    path = write("chat.py", LEAKY)
    assert cli("check", "--fix", "--unsafe-fixes").status == 1
    assert path.read_text() == LEAKY
