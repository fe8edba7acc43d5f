"""Hover, completion, links, lenses and hints."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lsp_editor import LEAKY, STORE, Editor, identifier
from lsprotocol import types

MIXED = """\
import json
from pathlib import Path


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    @property
    def size(self) -> int:
        return len(self.messages)

    def trim(self) -> None:
        self.messages = self.messages[-20:]

    def rotate(self) -> None:
        Path("log").write_text(json.dumps(self.messages))
        self.messages = self.messages[-20:]
"""


async def hover(editor: Editor, uri: str, line: int, character: int) -> str:
    """The text of a hover, "" for none."""
    params = types.HoverParams(identifier(uri), types.Position(line, character))
    found = await editor.client.text_document_hover_async(params)
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def test_hover_on_a_finding(editor: Editor) -> None:
    """What is wrong, row, path in words with links, and what would make it right."""
    uri = editor.open("chat.py", LEAKY)
    text = await hover(editor, uri, 5, 30)
    for part in ("RL101", "error", "confidence high", "**The path**", f"{uri}#L6", "What would make it right"):
        assert part in text


async def test_hover_on_a_sound_reduction(editor: Editor) -> None:
    """A reduction that is not reported says why."""
    uri = editor.open("chat.py", MIXED)
    assert "captured: a capture of the full original covers every path" in await hover(editor, uri, 17, 30)


async def test_hover_on_a_known_call(editor: Editor) -> None:
    """What the model of an API says, through imports and objects made in the file."""
    text = "from openai import OpenAI\nclient = OpenAI()\nclient.chat.completions.create(model='m', messages=[])\n"
    uri = editor.open("ask.py", text)
    found = await hover(editor, uri, 2, 28)
    assert "`openai.OpenAI.chat.completions.create`" in found
    assert "Stop reason: `choices[0].finish_reason` (length when cut)" in found
    store = editor.open("store.py", STORE)
    assert "**capture**: records" in await hover(editor, store, 5, 24)
    assert await hover(editor, uri, 0, 2) == ""


@pytest.mark.parametrize("comment", ["# reduction-lint: ignore[RL101] -- why", "# noqa: RL101"])
async def test_hover_on_a_code(editor: Editor, comment: str) -> None:
    """A code in a comment is explained."""
    uri = editor.open("chat.py", f"x = 1  {comment}\n")
    assert "RL101 uncaptured-truncation" in await hover(editor, uri, 0, comment.index("RL101") + 9)


async def test_hover_in_settings(editor: Editor) -> None:
    """Keys and codes of settings files are explained, those of other tables are not."""
    text = '[project]\nsrc = 1\n\n[tool.reduction-lint]\nignore = ["RL203"]\n\n[tool.reduction-lint.max-tokens]\nfloor = 1\n'
    uri = editor.open("pyproject.toml", text, language="toml")
    assert "not reported" in await hover(editor, uri, 4, 2)
    assert "RL203 missing-pointer" in await hover(editor, uri, 4, 13)
    assert "Floors for output caps" in await hover(editor, uri, 6, 25)
    assert await hover(editor, uri, 1, 1) == ""


async def complete(editor: Editor, uri: str, line: int, character: int) -> list[str]:
    """The labels offered at a place."""
    params = types.CompletionParams(identifier(uri), types.Position(line, character))
    found = await editor.client.text_document_completion_async(params)
    if found is None:
        return []
    items: Sequence[types.CompletionItem] = found.items if isinstance(found, types.CompletionList) else found
    return [item.label for item in items]


async def test_completion_in_comments(editor: Editor) -> None:
    """Our name, then the words, then the codes."""
    lines = [
        "x = 1  # red",
        "x = 1  # reduction-lint: ",
        "x = 1  # reduction-lint: ignore[RL101, ",
        "x = 1  # noqa: ",
        "x = [1, ",
    ]
    uri = editor.open("chat.py", "\n".join(lines) + "\n")
    found = [await complete(editor, uri, number, len(line)) for number, line in enumerate(lines)]
    assert found[0] == ["reduction-lint:"]
    assert {"ignore", "captures", "disposable"} <= set(found[1])
    assert {"RL101", "RL502"} <= set(found[2])
    assert "RL101" in found[3]
    assert found[4] == []


async def test_completion_in_settings(editor: Editor) -> None:
    """Codes where codes belong, keys where a key begins, nothing in tables of others."""
    text = 'ignore = ["\nextend-\n'
    uri = editor.open("reduction-lint.toml", text, language="toml")
    assert "RL401" in await complete(editor, uri, 0, 11)
    other = editor.open("pyproject.toml", "[tool.reduction-lint]\nsel\n\n[tool.other]\nsel\n", language="toml")
    assert "select" in await complete(editor, other, 1, 3)
    assert await complete(editor, other, 4, 3) == []


async def test_links(editor: Editor) -> None:
    """Codes in our comments lead to their pages; other text with such words does not."""
    uri = editor.open("chat.py", "x = 'RL101'  # reduction-lint: ignore[RL101, RL999] -- RL201 too\ny = 1  # RL102\n")
    found = await editor.client.text_document_document_link_async(types.DocumentLinkParams(identifier(uri)))
    assert [(link.range.start.line, (link.target or "")[-12:]) for link in found or []] == [
        (0, "/rules/RL101"),
        (0, "/rules/RL201"),
    ]


async def test_lenses_and_hints(editor: Editor) -> None:
    """Off unless asked for; then counts for each function that reduces context, above its first line or behind it."""
    uri = editor.open("chat.py", MIXED)
    lens_params = types.CodeLensParams(identifier(uri))
    assert not await editor.client.text_document_code_lens_async(lens_params)
    editor.configure(codeLens=True, inlayHints=True)
    await editor.codes(uri)
    lenses: Sequence[types.CodeLens] = ()
    while not lenses:
        lenses = await editor.client.text_document_code_lens_async(lens_params) or ()
    assert [(lens.range.start.line, lens.command.title if lens.command else "") for lens in lenses] == [
        (12, "1 reduction · 1 violation"),
        (15, "1 reduction · 1 captured"),
    ]
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(identifier(uri), everything))
    assert [(hint.position.line, hint.label) for hint in hints or []] == [
        (12, "1 reduction · 1 violation"),
        (15, "1 reduction · 1 captured"),
    ]
