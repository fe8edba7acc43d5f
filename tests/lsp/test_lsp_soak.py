"""Random edits in a workspace of five files: afterwards the server says exactly what a fresh run says."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import Editor

FILES = {
    "base.py": """\
from store import keep, note


class Base:
    def __init__(self, sidecar=None) -> None:
        self.messages: list[dict] = []
        self.sidecar = sidecar

    def save(self) -> None:
        keep(self.messages)

    def add(self, message: dict) -> None:
        self.messages.append(message)
        note(message)
""",
    "agent.py": """\
import asyncio

from base import Base
from shorten import head, newest


class Agent(Base):
    def compact(self) -> None:
        self.save()
        self.messages = newest(self.messages, 20)

    def reset(self) -> None:
        if self.sidecar is None:
            return
        self.sidecar.write(self.messages)
        self.messages.clear()

    async def rotate(self) -> None:
        await asyncio.sleep(0)
        keep(self.messages)
        self.messages = self.messages[-20:]


def observe(tool_output: str) -> str:
    return head(tool_output)
""",
    "store.py": """\
import json
from pathlib import Path


def keep(messages: list[dict]) -> None:
    Path("log.json").write_text(json.dumps(messages))


def note(message: dict) -> None:
    try:
        Path("notes.json").write_text(json.dumps(message))
    except OSError:
        pass
""",
    "shorten.py": """\
LIMIT = 1000


def newest(messages: list[dict], count: int) -> list[dict]:
    return messages[-count:]


def head(tool_output: str) -> str:
    if len(tool_output) > LIMIT:
        return tool_output[:LIMIT] + "\\n[truncated]"
    return tool_output
""",
    "loop.py": """\
from agent import Agent, observe
from openai import OpenAI

client = OpenAI()


def run(agent: Agent, history: list[dict]) -> str:
    agent.compact()
    reply = client.chat.completions.create(model="m", messages=history, max_tokens=64)
    history.append({"role": "tool", "content": observe("…😀")})
    while len(history) > 40:
        history.pop(0)
    return reply.choices[0].message.content
""",
}
LINES = (
    "        keep(self.messages)",
    "        self.messages = self.messages[-5:]",
    "        self.messages.clear()",
    "    return tool_output[:10]",
    "    keep(history)",
    "    history = history[-3:]",
    "def broken(:",
    "    '''",
    "from store import keep",
    "    # reduction-lint: ignore[RL101] -- soak",
    "class Other(Base):",
    "é = '😀' + \"\\u2028\"",
    "\x0c",
    "",
)


def edits(seed: int, texts: dict[str, str]) -> Iterator[tuple[str, tuple[tuple[int, int, int, int], str] | str]]:
    """Random edits of ``texts``, which are kept up to date: (file, change with places in the client's units)."""
    dice = random.Random(seed)
    while True:
        name = dice.choice(list(texts))
        lines = texts[name].split("\n")
        kind = dice.random()
        if kind < 0.15:
            texts[name] = FILES[name]
            yield name, FILES[name]
            continue
        row = dice.randrange(len(lines))
        if kind < 0.4:
            new = dice.choice(LINES) + "\n"
            place = row, 0, row, 0
        elif kind < 0.55:
            new, place = "", (row, 0, min(row + 1, len(lines) - 1), 0)
        elif kind < 0.7:
            source = dice.choice(list(FILES.values())).split("\n")
            start = dice.randrange(len(source))
            new, place = "\n".join(source[start : start + 4]) + "\n", (row, 0, row, 0)
        else:
            column = dice.randrange(len(lines[row]) + 1)
            width = dice.choice((0, 1, 3))
            new = dice.choice(("x", "(", "\n", " ", "'", "keep", "-", "self.", "😀", "[:3]", ""))
            place = row, column, row, min(column + width, len(lines[row]))
        texts[name] = replaced(lines, place, new)
        yield name, (in_units(lines, place), new)


def replaced(lines: list[str], place: tuple[int, int, int, int], new: str) -> str:
    """The text with a range replaced; columns are code points."""
    row, column, end_row, end_column = place
    before = "\n".join([*lines[:row], lines[row][:column]])
    after = "\n".join([lines[end_row][end_column:], *lines[end_row + 1 :]])
    return before + new + after


def in_units(lines: list[str], place: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """A place with its columns in the client's units."""
    row, column, end_row, end_column = place
    return row, units(lines[row], column), end_row, units(lines[end_row], end_column)


def units(line: str, column: int) -> int:
    """A column in UTF-8, which the client prefers."""
    return len(line[:column].encode("utf-8", "surrogatepass"))


def fresh(folder: Path, texts: dict[str, str]) -> list[Any]:
    """What the command line says about the texts: findings as JSON."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    command = [sys.executable, "-m", "reduction_lint", "check", ".", "--no-cache", "--output-format", "json"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True)
    assert run.returncode in (0, 1), run.stderr
    findings: list[Any] = json.loads(run.stdout)["findings"]
    return findings


def expected(findings: list[Any], name: str, texts: dict[str, str]) -> list[Any]:
    """The findings of a file as diagnostics should say them."""

    def place(path: str, span: Any) -> list[int]:
        lines = texts[path].split("\n")
        rows = span["start"]["line"] - 1, span["end"]["line"] - 1
        columns = span["start"]["column"] - 1, span["end"]["column"] - 1
        return [rows[0], units(lines[rows[0]], columns[0]), rows[1], units(lines[rows[1]], columns[1])]

    return [
        [f["code"], f["message"], f["fingerprint"], place(name, f["range"])]
        + [[step["path"], step["message"], place(step["path"], step["range"])] for step in f["trace"]]
        for f in findings
        if f["path"] == name
    ]


def said(items: Any, editor: Editor) -> list[Any]:
    """Diagnostics in the same form."""

    def place(span: Any) -> list[int]:
        return [span.start.line, span.start.character, span.end.line, span.end.character]

    return [
        [d.code, d.message, d.data["fingerprint"], place(d.range)]
        + [[Path(r.location.uri).name, r.message, place(r.location.range)] for r in d.related_information or ()]
        for d in items
    ]


async def soak(editor: Editor, fresh_folder: Path, seed: int, count: int, every: int) -> None:
    """Edit, and compare after each ``every`` edits and at the end."""
    assert editor.capabilities.position_encoding == "utf-8"
    texts = dict(FILES)
    uris = {name: editor.open(name, text) for name, text in FILES.items()}
    editor.touch(*FILES)
    found = 0
    for number, (name, change) in enumerate(edits(seed, texts), 1):
        editor.edit(uris[name], change)
        if number % every == 0:
            findings = fresh(fresh_folder, texts)
            found += len(findings)
            for other, uri in uris.items():
                report = await editor.pull(uri)
                assert said(report.items, editor) == expected(findings, other, texts), (seed, number, other)
        if number == count:
            break
    assert found, "edits that never find anything test nothing"


async def test_edits_end_where_a_fresh_run_does(puller: Editor, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A short soak, compared often."""
    await soak(puller, tmp_path_factory.mktemp("fresh"), seed=7, count=120, every=40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_two_thousand_edits(puller: Editor, tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """The long one."""
    await soak(puller, tmp_path_factory.mktemp("fresh"), seed=seed, count=2000, every=100)
