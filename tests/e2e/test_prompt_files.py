"""Prompts in other files: constants of another module, and text files that are loaded by a literal path."""

from __future__ import annotations

from pathlib import Path

import pytest
from reduction_lint import check_paths

ORDER = "You find root causes.\nBe concise.\n"
FULL = "You find root causes.\nShow your evidence.\n"
LOAD = """from pathlib import Path

SYSTEM = (Path(__file__).parent / "prompts" / "{name}").read_text()
"""
ASK = """from openai import OpenAI

from bot.texts import {name}

client = OpenAI()


def {function}(evidence: str) -> str:
    reply = client.chat.completions.create(model="m", messages=[{{"role": "user", "content": {name} + evidence}}])
    return reply.choices[0].message.content
"""


def findings(root: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, str]]:
    """What is reported in a small project."""
    for name, text in {"bot/__init__.py": "", **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(root)
    return [(f.path, f.range.start.line, f.code) for f in check_paths(["."]).findings]


@pytest.mark.parametrize(("text", "expected"), [(ORDER, [("bot/agent.py", 3, "RL303")]), (FULL, [])])
@pytest.mark.parametrize("name", ["system.md", "system.txt", "system.j2"])
def test_prompt_in_a_text_file(
    name: str, text: str, expected: list[tuple[str, int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding stands where the file is loaded and names the file."""
    files = {"bot/agent.py": LOAD.format(name=name), f"bot/prompts/{name}": text}
    assert findings(tmp_path, files, monkeypatch) == expected


def test_constant_that_another_module_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the constant says nothing, but its use does."""
    files = {"bot/texts.py": f"INTRO = {ORDER!r}\n", "bot/agent.py": ASK.format(name="INTRO", function="root_cause")}
    assert findings(tmp_path, files, monkeypatch) == [("bot/texts.py", 1, "RL303")]


def test_constant_that_is_used_for_titles_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the call site does with the answer excuses the prompt of another module."""
    files = {
        "bot/texts.py": f"STYLE_PROMPT = {ORDER!r}\n",
        "bot/agent.py": ASK.format(name="STYLE_PROMPT", function="chat_title"),
    }
    assert findings(tmp_path, files, monkeypatch) == []
