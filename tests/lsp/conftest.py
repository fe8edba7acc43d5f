"""A real server process for the tests; what breaks the specification fails them.

``start`` runs a process of its own for a test, ``editor`` and ``puller`` share one between all tests, each of which gets
a workspace folder of its own in it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsp_editor import COMMAND, PULLING, Editor, Start, Wire, listen, pushed_to
from lsprotocol import types
from pytest_lsp import client_capabilities
from pytest_lsp.client import make_test_lsp_client


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts editors: ``await start(capabilities, options={...}, folders=[...])``; ended properly after the test."""
    wires: list[Wire] = []

    async def start(
        capabilities: types.ClientCapabilities | str | None = None,
        *,
        options: Any = None,
        folders: Sequence[str] = ("",),
        configuration: dict[str, Any] | None = None,
    ) -> Editor:
        wire = Wire(make_test_lsp_client())
        wires.append(wire)
        for scope, values in (configuration or {}).items():
            wire.client.set_configuration(values, section="reductionLint", scope_uri=scope)
        editor = wire.editor = Editor(wire.client, tmp_path)
        opened = [types.WorkspaceFolder((tmp_path / name).as_uri(), name or "root") for name in folders]
        editor.started = await _initialize(wire, capabilities, opened, options)
        return editor

    yield start
    for wire in wires:
        await _end(wire)


async def _initialize(
    wire: Wire,
    capabilities: types.ClientCapabilities | str | None,
    folders: list[types.WorkspaceFolder],
    options: Any = None,
) -> types.InitializeResult:
    if isinstance(capabilities, str):
        capabilities = client_capabilities(capabilities)
    listen(wire)
    await wire.client.start_io(*COMMAND)
    return await wire.client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities or pushed_to(),
            workspace_folders=folders,
            root_uri=folders[0].uri if folders else None,
            initialization_options=options,
        )
    )


async def _end(wire: Wire) -> None:
    server = wire.client._server
    if server is not None and server.returncode is None:
        await asyncio.wait_for(wire.client.shutdown_session(), 15)
    await wire.client.stop()


@pytest_asyncio.fixture(scope="session")
async def pushing_server() -> AsyncIterator[Wire]:
    """One process for all tests with a client that waits for diagnostics."""
    wire = Wire(make_test_lsp_client())
    wire.started = await _initialize(wire, None, [])
    yield wire
    await _end(wire)


@pytest_asyncio.fixture(scope="session")
async def pulling_server() -> AsyncIterator[Wire]:
    """One process for all tests with a client that pulls diagnostics."""
    wire = Wire(make_test_lsp_client())
    wire.started = await _initialize(wire, PULLING, [])
    yield wire
    await _end(wire)


@pytest_asyncio.fixture
async def editor(pushing_server: Wire, tmp_path: Path) -> AsyncIterator[Editor]:
    """A folder of its own in the shared process that pushes."""
    async with _in_folder(pushing_server, tmp_path) as editor:
        yield editor


@pytest_asyncio.fixture
async def puller(pulling_server: Wire, tmp_path: Path) -> AsyncIterator[Editor]:
    """A folder of its own in the shared process that is pulled from."""
    async with _in_folder(pulling_server, tmp_path) as editor:
        yield editor


@asynccontextmanager
async def _in_folder(wire: Wire, path: Path) -> AsyncIterator[Editor]:
    editor = wire.editor = Editor(wire.client, path, wire.started)
    folder = types.WorkspaceFolder(path.as_uri(), path.name)
    added = types.WorkspaceFoldersChangeEvent(added=[folder], removed=[])
    wire.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(added))
    yield editor
    for uri in editor.opened:
        editor.close(uri)
    removed = types.WorkspaceFoldersChangeEvent(added=[], removed=[folder])
    wire.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(removed))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file before the server starts."""

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write
