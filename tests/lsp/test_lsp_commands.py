"""Commands: plain JSON in and out."""

from __future__ import annotations

import pytest
from lsp_editor import LEAKY, SOUND, UNUSED, Editor
from pygls.exceptions import JsonRpcException
from test_lsp_reading import MIXED


async def test_commands_are_announced(editor: Editor) -> None:
    """Those of the contract."""
    provider = editor.capabilities.execute_command_provider
    assert provider is not None
    names = {"fixAll", "explain", "showTrace", "inventory", "restart", "debugInfo"}
    assert {f"reductionLint.{name}" for name in names} <= set(provider.commands)


async def test_fix_all_asks_the_client_to_apply(editor: Editor) -> None:
    """The edit comes as a request for the version of the document."""
    uri = editor.open("chat.py", UNUSED)
    assert await editor.command("reductionLint.fixAll", {"uri": uri}) == {"applied": True, "reason": ""}
    (request,) = editor.edits
    assert request.edit.document_changes
    editor.edit(uri, SOUND)
    answer = await editor.command("reductionLint.fixAll", {"uri": uri})
    assert answer == {"applied": False, "reason": "nothing can be fixed safely"}


async def test_trace_of_a_line(editor: Editor) -> None:
    """By line, sound reductions are explained, too."""
    uri = editor.open("chat.py", MIXED)
    wrong = await editor.command("reductionLint.showTrace", {"uri": uri, "line": 13})
    assert "RL101 uncaptured-truncation" in wrong["markdown"]
    fine = await editor.command("reductionLint.showTrace", {"uri": uri, "line": 17})
    assert "captured: a capture" in fine["markdown"]
    nothing = await editor.command("reductionLint.showTrace", {"uri": uri, "line": 0})
    assert nothing["markdown"].startswith("Nothing here")


async def test_inventory_of_a_file_and_of_the_workspace(editor: Editor) -> None:
    """Every site with its status and place, and the same as a page."""
    uri = editor.open("chat.py", MIXED)
    editor.write("other.py", LEAKY)
    editor.touch("other.py")
    one = await editor.command("reductionLint.inventory", {"uri": uri})
    assert [(site["code"], site["status"]) for site in one["sites"]] == [("RL101", "violation"), ("RL101", "captured")]
    assert f"{uri}#L14" in one["markdown"]
    both = await editor.command("reductionLint.inventory")
    assert {site["path"] for site in both["sites"]} == {"chat.py", "other.py"}


async def test_restart_reads_everything_anew(editor: Editor) -> None:
    """Also what no watcher told of."""
    uri = editor.open("chat.py", LEAKY)
    assert await editor.codes(uri) == ["RL101"]
    editor.write("reduction-lint.toml", 'ignore = ["RL1"]\n')
    await editor.command("reductionLint.restart")
    assert await editor.codes(uri, []) == []


async def test_debug_information_shows_no_leaks(editor: Editor) -> None:
    """Finished notifications, requests and progress leave nothing behind."""
    uri = editor.open("chat.py", LEAKY)
    for _ in range(50):
        editor.edit(uri, LEAKY + "\n")
    await editor.codes(uri)
    answer = await editor.command("reductionLint.debugInfo")
    info = answer["info"]
    assert info["pending"] <= 2  # this very request and its handler
    assert info["progress"] == 0
    assert "encoding" in answer["markdown"]


@pytest.mark.parametrize("arguments", [(), (3,), ({"path": "x"},)])
async def test_wrong_arguments_are_refused(editor: Editor, arguments: tuple[object, ...]) -> None:
    """With the code for wrong parameters, and the server goes on."""
    with pytest.raises(JsonRpcException) as caught:
        await editor.command("reductionLint.showTrace", *arguments)
    assert caught.value.code == -32602


async def test_unknown_rule(editor: Editor) -> None:
    """There is no page to show."""
    with pytest.raises(JsonRpcException, match="RL999"):
        await editor.command("reductionLint.explain", "RL999")
