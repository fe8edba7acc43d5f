"""Code actions: what is offered where, resolved when chosen, as edits for the version that was seen."""

from __future__ import annotations

import pytest
from lsp_editor import LEAKY, SOUND, UNUSED, Editor, Start, applied, changed
from lsprotocol import types

ASK = """\
from openai import OpenAI

client = OpenAI()


def answer(messages: list[dict]) -> str:
    reply = client.chat.completions.create(model="m", messages=messages, max_tokens=100)
    return reply.choices[0].message.content or ""
"""
KEEPING = """\
def archive(history: list[dict]) -> None:
    backend.push(history)


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        archive(self.messages)
        self.messages = self.messages[-20:]
"""


async def chosen(editor: Editor, uri: str, line: int, title: str) -> types.CodeAction:
    """The action whose title begins like this, resolved."""
    actions = await editor.actions(uri, line)
    action = next(action for action in actions if action.title.startswith(title))
    assert action.edit is None, "edits are made when they are asked for"
    return await editor.client.code_action_resolve_async(action)


async def test_safe_fix_is_preferred(editor: Editor) -> None:
    """A safe fix comes first, is preferred, and repairs the text."""
    uri = editor.open("chat.py", UNUSED)
    first = (await editor.actions(uri, 5, "quickfix"))[0]
    assert (first.is_preferred, first.kind) == (True, "quickfix")
    assert first.diagnostics
    assert first.diagnostics[0].code == "RL002"
    resolved = await editor.client.code_action_resolve_async(first)
    assert changed(resolved.edit, uri, UNUSED) == SOUND


async def test_fix_all_is_one_edit(editor: Editor) -> None:
    """``source.fixAll.reductionLint`` makes all safe fixes of the document."""
    text = UNUSED + UNUSED.replace("Chat", "Other")
    uri = editor.open("chat.py", text)
    (action,) = await editor.actions(uri, 0, "source.fixAll")
    assert action.kind == "source.fixAll.reductionLint"
    resolved = await editor.client.code_action_resolve_async(action)
    assert changed(resolved.edit, uri, text) == SOUND + SOUND.replace("Chat", "Other")


async def test_kinds_are_respected(editor: Editor) -> None:
    """A client that asks for other kinds gets nothing."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.actions(uri, 5, "refactor") == []
    assert all(action.kind == "quickfix" for action in await editor.actions(uri, 5, "quickfix"))
    assert await editor.actions(uri, 0) == []


@pytest.mark.parametrize("title", ["Suppress RL101 here", "Suppress RL101 in this file", "Declare this a view"])
async def test_comment_silences_the_finding(editor: Editor, title: str) -> None:
    """The comment that is written does what its title says."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    action = await chosen(editor, uri, 5, title)
    editor.edit(uri, changed(action.edit, uri, LEAKY))
    assert await editor.codes(uri) == []


async def test_statement_of_several_lines_gets_its_comment_above(editor: Editor) -> None:
    """Behind the first line there may be a string or a bracket, so the comment stands alone."""
    text = LEAKY.replace("self.messages[-20:]", "(\n            self.messages[-20:]\n        )")
    uri = editor.open("chat.py", text)
    action = await chosen(editor, uri, 6, "Suppress RL101 here")
    new = changed(action.edit, uri, text)
    assert new.split("\n")[5].startswith("        # reduction-lint: ignore[RL101] -- ")
    editor.edit(uri, new)
    assert await editor.codes(uri) == []


async def test_listed_codes_are_added_to(editor: Editor) -> None:
    """A comment that silences another code gets one more."""
    text = LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL106] -- known")
    uri = editor.open("chat.py", text)
    action = await chosen(editor, uri, 5, "Suppress RL101 here")
    assert "ignore[RL106, RL101] -- known" in changed(action.edit, uri, text)


async def test_disposable_output(editor: Editor) -> None:
    """What nobody relies on may be short: declared at the call."""
    uri = editor.open("ask.py", ASK)
    assert "RL401" in await editor.codes(uri)
    action = await chosen(editor, uri, 6, "Declare this output disposable")
    editor.edit(uri, changed(action.edit, uri, ASK))
    assert await editor.codes(uri) == []


async def test_call_is_declared_a_capture_in_its_source(editor: Editor) -> None:
    """A function of the same file gets the comment at its definition."""
    uri = editor.open("chat.py", KEEPING)
    assert await editor.codes(uri) == ["RL101"]
    action = await chosen(editor, uri, 10, "Declare `archive(…)` a capture")
    new = changed(action.edit, uri, KEEPING)
    assert new.startswith("# reduction-lint: captures(history)\ndef archive")
    editor.edit(uri, new)
    assert await editor.codes(uri) == []


async def test_call_is_declared_a_capture_in_the_settings(editor: Editor) -> None:
    """A function of a library gets an entry in a settings file, which is made if there is none."""
    text = "from vault import archive\n" + KEEPING.partition("\n\n\n")[2]
    uri = editor.open("chat.py", text)
    assert await editor.codes(uri) == ["RL101"]
    action = await chosen(editor, uri, 7, "Declare `archive(…)` a capture")
    settings = editor.uri("reduction-lint.toml")
    assert action.edit is not None
    assert action.edit.document_changes is not None
    create, change = action.edit.document_changes
    assert isinstance(create, types.CreateFile)
    assert isinstance(change, types.TextDocumentEdit)
    assert create.uri == change.text_document.uri == settings
    editor.write("reduction-lint.toml", applied("", change.edits))
    editor.touch("reduction-lint.toml")
    assert await editor.codes(uri, []) == []


async def test_line_ends_are_the_documents(editor: Editor) -> None:
    """A comment on a line of its own ends as the document's lines do."""
    uri = editor.open("chat.py", LEAKY.replace("\n", "\r\n"))
    action = await chosen(editor, uri, 5, "Suppress RL101 in this file")
    assert action.edit is not None
    assert action.edit.document_changes is not None
    (change,) = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    assert change.edits[0].new_text.endswith("\r\n")


async def test_action_of_a_finding_that_is_gone_has_no_edit(editor: Editor) -> None:
    """Resolved after the text went on: nothing is better than something wrong."""
    uri = editor.open("chat.py", LEAKY)
    action = next(a for a in await editor.actions(uri, 5) if a.title.startswith("Suppress"))
    editor.edit(uri, SOUND)
    resolved = await editor.client.code_action_resolve_async(action)
    assert resolved.edit is None


async def test_explaining_is_a_command(editor: Editor) -> None:
    """The rule and the path are shown by commands that every client can run."""
    uri = editor.open("chat.py", LEAKY)
    commands = {command["command"]: command for command in await editor.action_commands(uri, 5)}
    page = await editor.command("reductionLint.explain", *commands["reductionLint.explain"]["arguments"])
    assert page["markdown"].startswith("# RL101 uncaptured-truncation")
    trace = await editor.command("reductionLint.showTrace", *commands["reductionLint.showTrace"]["arguments"])
    assert "RL101" in trace["markdown"]
    assert uri in trace["markdown"]


async def test_client_without_resolving_gets_edits_at_once(start: Start) -> None:
    """Neither lazily nor with versions where the client knows neither."""
    literals = types.ClientCodeActionLiteralOptions(types.ClientCodeActionKindOptions(["quickfix"]))
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(code_action_literal_support=literals)
        )
    )
    editor = await start(capabilities)
    uri = editor.open("chat.py", UNUSED)
    first = (await editor.actions(uri, 5))[0]
    assert first.is_preferred is None
    assert first.edit is not None
    assert first.edit.changes is not None
    assert applied(UNUSED, first.edit.changes[uri]) == SOUND
