"""Pulled diagnostics: result ids, the long poll over the workspace, and never both ways for one document."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsp_editor import AGENT, CARELESS, LEAKY, PULLING, SOUND, STORE, Editor, Start
from lsprotocol import types
from pytest_lsp import client_capabilities

Write = Callable[[str, str], Path]
WORKSPACE = {"diagnosticMode": "workspace"}


def with_refresh() -> types.ClientCapabilities:
    """A client that pulls and can be told to pull again."""
    capabilities = client_capabilities(PULLING)
    assert capabilities.workspace is not None
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return capabilities


async def test_provider_is_announced(puller: Editor) -> None:
    """The options say that files depend on one another and that the workspace can be asked."""
    editor = puller
    options = editor.capabilities.diagnostic_provider
    assert options is not None
    assert (options.identifier, options.inter_file_dependencies, options.workspace_diagnostics) == (
        "reduction-lint",
        True,
        True,
    )


async def test_pull_is_full_and_then_unchanged(puller: Editor) -> None:
    """The result id names the diagnostics, not the version: an edit that changes none of them changes it not."""
    editor = puller
    uri = editor.open("chat.py", LEAKY)
    full = await editor.pull(uri)
    assert [item.code for item in full.items] == ["RL101"]
    editor.edit(uri, LEAKY + "\n# a comment at the end\n")
    unchanged = await editor.pull(uri, full.result_id)
    assert isinstance(unchanged, types.RelatedUnchangedDocumentDiagnosticReport)
    assert unchanged.result_id == full.result_id
    editor.edit(uri, SOUND)
    assert (await editor.pull(uri, full.result_id)).items == ()


async def test_nothing_is_pushed_to_a_client_that_pulls(puller: Editor) -> None:
    """Never both ways for one document."""
    editor = puller
    uri = editor.open("chat.py", LEAKY)
    assert len((await editor.pull(uri)).items) == 1
    await asyncio.sleep(0.4)
    assert editor.published == []


async def test_client_that_cannot_pull_gets_no_provider(start: Start) -> None:
    """Without the capability diagnostics are pushed, and the server does not offer the other way."""
    editor = await start()
    assert editor.capabilities.diagnostic_provider is None


async def test_refresh_after_an_edit_elsewhere(start: Start) -> None:
    """The client is told to pull again when an edit in one file changed what another one's report said."""
    editor = await start(with_refresh())
    store, agent = editor.open("store.py", STORE), editor.open("agent.py", AGENT)
    first = await editor.pull(agent)
    assert first.items == ()
    before = editor.client.diagnostic_refresh_count
    editor.edit(store, CARELESS)
    for _ in range(100):
        if editor.client.diagnostic_refresh_count > before:
            break
        await asyncio.sleep(0.05)
    assert editor.client.diagnostic_refresh_count > before
    assert [item.code for item in (await editor.pull(agent, first.result_id)).items] == ["RL101"]


async def test_on_save_keeps_the_report_until_then(puller: Editor) -> None:
    """With ``run`` set to ``onSave`` a pull between edits gives what it gave before."""
    editor = puller
    editor.configure(run="onSave")
    uri = editor.open("chat.py", LEAKY)
    full = await editor.pull(uri)
    editor.edit(uri, SOUND)
    assert isinstance(await editor.pull(uri, full.result_id), types.RelatedUnchangedDocumentDiagnosticReport)
    editor.save(uri, SOUND)
    assert (await editor.pull(uri, full.result_id)).items == ()


def workspace_pull(editor: Editor, previous: dict[str, str], token: str | None = None) -> asyncio.Future[Any]:
    """Send a workspace request without waiting for its answer."""
    ids = [types.PreviousResultId(uri, value) for uri, value in previous.items()]
    params = types.WorkspaceDiagnosticParams(ids, partial_result_token=token)
    return asyncio.ensure_future(editor.client.workspace_diagnostic_async(params))


async def test_workspace_is_a_long_poll(puller: Editor) -> None:
    """Answered with what there is, then held until something changes; a healed file is cleared by an empty report."""
    editor = puller
    leaky = editor.write("leaky.py", LEAKY)
    editor.write("sound.py", SOUND)
    editor.configure(**WORKSPACE)
    report = await asyncio.wait_for(workspace_pull(editor, {}), 15)
    ((uri, items, result_id),) = [(item.uri, item.items, item.result_id) for item in report.items]
    assert (uri, [item.code for item in items]) == (leaky, ["RL101"])

    held = workspace_pull(editor, {uri: result_id})
    await asyncio.sleep(0.5)
    assert not held.done()
    editor.write("leaky.py", SOUND)
    editor.touch("leaky.py")
    healed = (await asyncio.wait_for(held, 15)).items
    assert [(item.uri, list(item.items)) for item in healed] == [(uri, [])]


async def test_newer_workspace_request_ends_the_older(puller: Editor) -> None:
    """One long poll at a time is kept open."""
    editor = puller
    editor.write("sound.py", SOUND)
    editor.configure(**WORKSPACE)
    older = workspace_pull(editor, {})
    await asyncio.sleep(0.3)
    newer = workspace_pull(editor, {})
    assert list((await asyncio.wait_for(older, 15)).items) == []
    assert not newer.done()


async def test_workspace_streams_partial_results(puller: Editor) -> None:
    """With a token the reports come as progress, and the answer itself is empty."""
    editor = puller
    for number in range(30):
        editor.write(f"leaky_{number}.py", LEAKY)
    editor.configure(**WORKSPACE)
    report = await asyncio.wait_for(workspace_pull(editor, {}, token="stream"), 30)
    assert list(report.items) == []
    streamed = [params.value for params in editor.partial if params.token == "stream"]
    assert len(streamed) >= 2
    assert len({item["uri"] for value in streamed for item in value["items"]}) == 30


async def test_workspace_request_can_be_cancelled(puller: Editor) -> None:
    """A held request ends with the code for cancelled requests, and the server goes on."""
    editor = puller
    editor.write("sound.py", SOUND)
    editor.configure(**WORKSPACE)
    params = types.WorkspaceDiagnosticParams([])
    held = editor.client.protocol.send_request(types.WORKSPACE_DIAGNOSTIC, params, msg_id="held")
    await asyncio.sleep(0.3)
    editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("held"))
    while not held.done():
        await asyncio.sleep(0.02)
    assert getattr(held.exception(), "code", None) == types.LSPErrorCodes.RequestCancelled
    assert len((await editor.pull(editor.open("chat.py", LEAKY))).items) == 1
