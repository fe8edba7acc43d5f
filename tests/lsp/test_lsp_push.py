"""Pushed diagnostics: what they hold, and that they follow edits, other files, settings and the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lsp_editor import AGENT, CARELESS, LEAKY, SOUND, STORE, Editor, Start, pushed_to
from lsprotocol import types

Write = Callable[[str, str], Path]


async def test_diagnostic_holds_all_that_a_client_can_show(editor: Editor) -> None:
    """Code, link, severity, source, the trace as related information, and data for its fixes."""
    uri = editor.open("chat.py", LEAKY)
    (found,) = await editor.diagnostics(uri)
    assert (found.code, found.source) == ("RL101", "reduction-lint")
    assert found.severity == types.DiagnosticSeverity.Error
    assert found.range.start == types.Position(5, 24)
    assert found.code_description is not None
    assert found.code_description.href.endswith("/rules/RL101")
    assert found.related_information
    assert {related.location.uri for related in found.related_information} == {uri}
    assert found.data["fingerprint"]


async def test_bare_client_gets_bare_diagnostics(start: Start) -> None:
    """What the client did not announce is not sent."""
    editor = await start(types.ClientCapabilities())
    (found,) = await editor.diagnostics(editor.open("chat.py", LEAKY))
    assert found.code_description is None
    assert found.related_information is None
    assert found.data is None


async def test_incremental_edits_are_followed(editor: Editor) -> None:
    """Each version is answered; the last one counts."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.edit(uri, ((5, 37, 5, 43), ""))
    assert await editor.codes(uri) == []
    editor.edit(uri, ((5, 37, 5, 37), "[-2"), ((5, 40, 5, 40), "0:]"))
    assert await editor.codes(uri) == ["RL101"]


async def test_helper_that_lost_its_capture(editor: Editor) -> None:
    """An edit in one file shows and clears a finding in another that is open."""
    store, agent = editor.open("store.py", STORE), editor.open("agent.py", AGENT)
    assert await editor.codes(agent) == []
    editor.edit(store, CARELESS)
    assert await editor.codes(agent, ["RL101"]) == ["RL101"]
    editor.edit(store, STORE)
    assert await editor.codes(agent, []) == []


async def test_broken_code_costs_only_itself(editor: Editor) -> None:
    """While one function is half typed, the findings of the others stay, at their new places."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.edit(uri, ((0, 0, 0, 0), "def broken(:\n    pass\n\n\n"))
    found = await editor.diagnostics(uri)
    assert [(d.code, d.range.start.line) for d in found] == [("RL001", 0), ("RL101", 9)]


async def test_closing_clears(editor: Editor) -> None:
    """A closed file has no diagnostics, unless the whole workspace is asked for."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.close(uri)
    assert await editor.codes(uri, []) == []


async def test_workspace_mode_tells_closed_files(editor: Editor) -> None:
    """Files nobody opened are checked in the background, and again when they change on disk."""
    closed = editor.write("chat.py", LEAKY)
    editor.configure(diagnosticMode="workspace")
    assert await editor.codes(closed, ["RL101"]) == ["RL101"]
    editor.write("chat.py", SOUND)
    editor.touch("chat.py")
    assert await editor.codes(closed, []) == []


async def test_on_save_mode_waits_for_saving(editor: Editor) -> None:
    """With ``run`` set to ``onSave`` an edit alone changes nothing."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.configure(run="onSave", severity={"RL101": "hint"})
    await editor.diagnostics(uri, lambda p: p.diagnostics[0].severity == types.DiagnosticSeverity.Hint)
    editor.edit(uri, SOUND)
    await asyncio.sleep(0.5)
    assert {params.version for params in editor.published if params.uri == uri} == {1}
    editor.save(uri, SOUND)
    assert await editor.codes(uri) == []


async def test_suppressed_findings_are_silent(editor: Editor) -> None:
    """What a comment silences is not shown; a comment that silences nothing is faded out."""
    comment = "  # reduction-lint: ignore[RL101] -- demo"
    uri = editor.open("chat.py", LEAKY.replace("[-20:]", "[-20:]" + comment))
    assert await editor.codes(uri) == []
    editor.edit(uri, SOUND.rstrip() + comment + "\n")
    (found,) = await editor.diagnostics(uri)
    assert (found.code, list(found.tags or ())) == ("RL002", [types.DiagnosticTag.Unnecessary])


async def test_untitled_document(editor: Editor) -> None:
    """A document that is no file yet is checked by itself."""
    assert await editor.codes(editor.open("untitled:Untitled-1", LEAKY)) == ["RL101"]


async def test_other_languages_and_excluded_files_are_left_alone(editor: Editor) -> None:
    """Only what a run of the command line would check is checked."""
    hidden = editor.open("venv/chat.py", LEAKY)
    editor.open("notes.md", LEAKY, language="markdown")
    shown = editor.open("chat.py", LEAKY)
    assert await editor.codes(shown) == ["RL101"]
    assert await editor.codes(hidden) == []
    assert {params.uri for params in editor.published if params.uri.startswith("file:")} == {shown, hidden}


async def test_encodings(start: Start) -> None:
    """Columns are in the units that the client prefers; edits are understood in them."""
    text = LEAKY.replace("self.messages = self.messages[", "u = 'é😀'; self.messages = self.messages[")
    for encoding, column in (("utf-8", 38), ("utf-32", 34)):
        capabilities = pushed_to()
        capabilities.general = types.GeneralClientCapabilities(
            position_encodings=[types.PositionEncodingKind(encoding)]
        )
        editor = await start(capabilities)
        assert editor.capabilities.position_encoding == encoding
        uri = editor.open(f"chat_{column}.py", text)
        (found,) = await editor.diagnostics(uri)
        assert found.range.start == types.Position(5, column), encoding
        editor.edit(uri, ((5, column + 13, 5, column + 19), ""))
        assert await editor.codes(uri) == []


async def test_line_ends(editor: Editor) -> None:
    """A carriage return ends a line, a form feed or U+2028 does not: edits land where the client means."""
    text = ("# \x0c \u2028\n" + LEAKY).replace("\n", "\r\n")
    uri = editor.open("chat.py", text)
    (found,) = await editor.diagnostics(uri)
    assert found.range.start == types.Position(6, 24)
    editor.edit(uri, ((6, 37, 6, 43), ""))
    assert await editor.codes(uri) == []


async def test_severities_can_be_mapped(editor: Editor) -> None:
    """The client's map decides how a code is shown, the longest prefix first, and may switch it off."""
    uri = editor.open("chat.py", LEAKY)
    editor.configure(severity={"RL1": "hint", "RL102": "error"})
    await editor.diagnostics(uri, lambda p: [d.severity for d in p.diagnostics] == [types.DiagnosticSeverity.Hint])
    editor.configure(severity={"RL1": "hint", "RL101": "off"})
    assert await editor.codes(uri, []) == []


async def test_pushed_settings_count_where_the_client_cannot_be_asked(start: Start) -> None:
    """Initialization options, then ``workspace/didChangeConfiguration`` with the settings in it; nothing is watched."""
    editor = await start(types.ClientCapabilities(), options={"severity": {"RL101": "off"}})
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == []
    pushed = {"reductionLint": {"severity": {}}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(pushed))
    assert await editor.codes(uri, ["RL101"]) == ["RL101"]
    assert editor.registered == []


async def test_settings_file_is_watched(editor: Editor) -> None:
    """A new settings file changes what is shown."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.write("reduction-lint.toml", 'ignore = ["RL1"]\n')
    editor.touch("reduction-lint.toml", kind=types.FileChangeType.Created)
    assert await editor.codes(uri, []) == []


async def test_wrong_settings_are_marked_in_their_file_and_heal(editor: Editor) -> None:
    """One message, a diagnostic at the line, and all is well again when the mistake is gone."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    told = len(editor.client.messages)
    settings = editor.write("reduction-lint.toml", "\nselct = []\n")
    editor.touch("reduction-lint.toml")
    (marked,) = await editor.diagnostics(settings, lambda params: True)
    assert marked.range.start.line == 1
    assert len(editor.client.messages) == told + 1
    editor.write("reduction-lint.toml", "\n")
    editor.touch("reduction-lint.toml")
    assert await editor.codes(settings, []) == []
    assert await editor.codes(uri, ["RL101"]) == ["RL101"]


async def test_each_folder_has_its_settings(editor: Editor) -> None:
    """Two folders, two settings files, and a nested one inside."""
    editor.write("one/reduction-lint.toml", 'ignore = ["RL101"]\n')
    editor.write("one/inner/reduction-lint.toml", "")
    folders = [types.WorkspaceFolder(editor.uri(name), name) for name in ("one", "two")]
    silent, nested, loud = (editor.open(f"{name}/chat.py", LEAKY) for name in ("one", "one/inner", "two"))
    _change_folders(editor, folders, [])
    assert await editor.codes(silent, []) == []
    assert await editor.codes(nested) == ["RL101"]
    assert await editor.codes(loud) == ["RL101"]
    _change_folders(editor, [], folders)


async def test_folders_come_and_go(editor: Editor) -> None:
    """A folder that is added brings its settings to documents that are open already, and takes them away."""
    uri = editor.open("sub/chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    sub = types.WorkspaceFolder(editor.uri("sub"), "sub")
    editor.client.set_configuration({"severity": {"RL101": "off"}}, section="reductionLint", scope_uri=sub.uri)
    _change_folders(editor, [sub], [])
    assert await editor.codes(uri, []) == []
    _change_folders(editor, [], [sub])
    assert await editor.codes(uri, ["RL101"]) == ["RL101"]


def _change_folders(editor: Editor, added: list[types.WorkspaceFolder], removed: list[types.WorkspaceFolder]) -> None:
    event = types.WorkspaceFoldersChangeEvent(added=added, removed=removed)
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


async def test_file_operations(editor: Editor) -> None:
    """A helper that is renamed away is missed at once, and found again."""
    store = Path(editor.folder / "store.py")
    editor.write("store.py", STORE)
    agent = editor.open("agent.py", AGENT)
    assert await editor.codes(agent) == []
    moved = store.rename(store.with_name("other.py"))
    rename = types.FileRename(store.as_uri(), moved.as_uri())
    editor.client.workspace_did_rename_files(types.RenameFilesParams([rename]))
    assert await editor.codes(agent, ["RL101"]) == ["RL101"]
    moved.rename(store)
    editor.client.workspace_did_create_files(types.CreateFilesParams([types.FileCreate(store.as_uri())]))
    assert await editor.codes(agent, []) == []
    store.unlink()
    editor.client.workspace_did_delete_files(types.DeleteFilesParams([types.FileDelete(store.as_uri())]))
    assert await editor.codes(agent, ["RL101"]) == ["RL101"]


async def test_start_watches_files_and_shows_progress(start: Start, write: Write) -> None:
    """Watchers are registered; the index is announced, reported and ended under one token."""
    for number in range(60):
        write(f"module_{number}.py", "x = 1\n")
    editor = await start()
    await editor.codes(editor.open("chat.py", LEAKY))
    while not (editor.partial and editor.partial[-1].value["kind"] == "end"):
        await asyncio.sleep(0.05)
    methods = {registration.method for registration in editor.registered}
    assert methods >= {types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
    kinds = [params.value["kind"] for params in editor.partial]
    assert kinds[0] == "begin"
    assert kinds.count("report") >= 2
    assert len({params.token for params in editor.partial}) == 1
