"""An editor for tests, driven by pytest-lsp, and the texts it opens."""

from __future__ import annotations

import ast
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities

LEAKY = """\
class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.messages = self.messages[-20:]
"""
SOUND = LEAKY.replace("[-20:]", "")
UNUSED = SOUND.rstrip() + "  # reduction-lint: ignore[RL101] -- demo\n"
STORE = """\
import json
from pathlib import Path


def keep(messages: list[dict]) -> None:
    Path("log.json").write_text(json.dumps(messages))
"""
CARELESS = """\
def keep(messages: list[dict]) -> None:
    print(len(messages))
"""
AGENT = """\
from store import keep


class Agent:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def compact(self) -> None:
        keep(self.messages)
        self.messages = self.messages[-20:]
"""
PULLING = "neovim@v0.11.0"
"""A client that pulls diagnostics."""


def pushed_to() -> types.ClientCapabilities:
    """A client with nearly everything, but for pulling diagnostics."""
    capabilities = client_capabilities("visual-studio-code@v1.65.2")
    assert capabilities.text_document is not None
    capabilities.text_document.diagnostic = None
    return capabilities


@dataclass
class Editor:
    """What an editor does, in a line each."""

    client: LanguageClient
    folder: Path
    started: types.InitializeResult | None = None
    published: list[types.PublishDiagnosticsParams] = field(default_factory=list)
    registered: list[types.Registration] = field(default_factory=list)
    partial: list[types.ProgressParams] = field(default_factory=list)
    edits: list[types.ApplyWorkspaceEditParams] = field(default_factory=list)
    _versions: dict[str, int] = field(default_factory=dict)
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    def uri(self, name: str) -> str:
        """The URI of a file in the folder."""
        return (self.folder / name).as_uri()

    def write(self, name: str, text: str) -> str:
        """Put a file on disk."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        return path.as_uri()

    def open(self, name: str, text: str, *, disk: bool = True, language: str = "python") -> str:
        """Write a file and open it; names with a scheme are URIs and not written."""
        uri = name if ":" in name else self.write(name, text) if disk else self.uri(name)
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def edit(self, uri: str, *changes: tuple[tuple[int, int, int, int], str] | str) -> None:
        """Replace ranges (line, character, line, character), or the whole text."""
        self._versions[uri] = self._versions.get(uri, 0) + 1
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self._versions[uri])
        events = [_change(change) for change in changes]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, events))

    def save(self, uri: str, text: str | None = None) -> None:
        """Save a document, with its text written to disk."""
        if text is not None:
            self.write(Path(uri).name, text)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    @property
    def capabilities(self) -> types.ServerCapabilities:
        """What the server offers."""
        assert self.started is not None
        return self.started.capabilities

    @property
    def opened(self) -> list[str]:
        """The documents that are open."""
        return list(self._versions)

    def close(self, uri: str) -> None:
        """Close a document."""
        self._versions.pop(uri, None)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def configure(self, **settings: Any) -> None:
        """Change the client's settings for this folder, as a client that is asked for them does."""
        self.client.set_configuration(settings, section="reductionLint", scope_uri=self.folder.as_uri())
        self.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))

    def touch(self, *names: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Say that files changed on disk."""
        events = [types.FileEvent(self.uri(name), kind) for name in names]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))

    async def arrived(self, params: types.PublishDiagnosticsParams) -> None:
        """Diagnostics were pushed; those of files of earlier tests are of no interest."""
        scheme, _, path = params.uri.partition(":")
        if scheme != "untitled" and not path.removeprefix("//").startswith(str(self.folder)):
            return
        async with self._arrived:
            self.published.append(params)
            self._arrived.notify_all()

    async def diagnostics(
        self, uri: str, wanted: Callable[[types.PublishDiagnosticsParams], bool] | None = None
    ) -> Sequence[types.Diagnostic]:
        """The first push for the document's present version (or any that is ``wanted``), seen so far or to come."""
        version = self._versions.get(uri)
        fits = wanted or (lambda params: params.version == version)

        def found() -> types.PublishDiagnosticsParams | None:
            return next((p for p in reversed(self.published) if p.uri == uri and fits(p)), None)

        async with self._arrived:
            await asyncio.wait_for(self._arrived.wait_for(lambda: found() is not None), 15)
            params = found()
        assert params is not None
        return params.diagnostics

    async def codes(self, uri: str, expected: Sequence[str] | None = None) -> list[str]:
        """The codes of the present version; with ``expected``, as soon as these are pushed last."""
        wanted = None
        if expected is not None:
            wanted = lambda p: p is self._last(uri) and _codes(p.diagnostics) == list(expected)  # noqa: E731
        return _codes(await self.diagnostics(uri, wanted))

    def _last(self, uri: str) -> types.PublishDiagnosticsParams | None:
        return next((params for params in reversed(self.published) if params.uri == uri), None)

    async def pull(self, uri: str, previous: str | None = None) -> Any:
        """Ask for the diagnostics of a document."""
        identifier = types.TextDocumentIdentifier(uri)
        params = types.DocumentDiagnosticParams(identifier, previous_result_id=previous)
        return await asyncio.wait_for(self.client.text_document_diagnostic_async(params), 15)

    async def actions(self, uri: str, line: int, *kinds: str) -> list[types.CodeAction]:
        """The code actions on a line (from 0)."""
        where = types.Range(types.Position(line, 0), types.Position(line, 200))
        context = types.CodeActionContext(diagnostics=[], only=list(kinds) or None)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await asyncio.wait_for(self.client.text_document_code_action_async(params), 15)
        return [action for action in found or [] if isinstance(action, types.CodeAction)]

    async def action_commands(self, uri: str, line: int) -> list[Any]:
        """The commands of the actions on a line: lsprotocol takes such actions for commands and keeps their text."""
        where = types.Range(types.Position(line, 0), types.Position(line, 200))
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, types.CodeActionContext([]))
        found = await self.client.text_document_code_action_async(params)
        return [ast.literal_eval(action.command) for action in found or [] if isinstance(action, types.Command)]

    async def command(self, name: str, *arguments: Any) -> Any:
        """Run a command."""
        params = types.ExecuteCommandParams(name, list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), 15)


def _codes(diagnostics: Sequence[types.Diagnostic]) -> list[str]:
    return [str(diagnostic.code) for diagnostic in diagnostics]


def _change(change: tuple[tuple[int, int, int, int], str] | str) -> types.TextDocumentContentChangeEvent:
    if isinstance(change, str):
        return types.TextDocumentContentChangeWholeDocument(change)
    (line, character, end_line, end_character), text = change
    where = types.Range(types.Position(line, character), types.Position(end_line, end_character))
    return types.TextDocumentContentChangePartial(where, text)


def identifier(uri: str) -> types.TextDocumentIdentifier:
    """What most requests name a document by."""
    return types.TextDocumentIdentifier(uri)


Start = Callable[..., Awaitable[Editor]]
COMMAND = (sys.executable, "-m", "reduction_lint", "server")


@dataclass
class Wire:
    """A client, and the editor that its messages are for."""

    client: LanguageClient
    started: types.InitializeResult | None = None
    editor: Editor | None = None


def listen(wire: Wire) -> None:
    """Own handlers where pytest-lsp's keep too little, or where it has none."""
    client = wire.client
    for method in (types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.PROGRESS):
        del client.protocol.fm.features[method]

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    async def published(params: types.PublishDiagnosticsParams) -> None:
        if wire.editor is not None:
            await wire.editor.arrived(params)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        if wire.editor is not None:
            wire.editor.registered.extend(params.registrations)

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        if wire.editor is not None:
            wire.editor.edits.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    @client.feature(types.PROGRESS)
    def progress(params: types.ProgressParams) -> None:
        if wire.editor is not None:
            wire.editor.partial.append(params)

    for method in (types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_INLAY_HINT_REFRESH):
        client.feature(method)(lambda params: None)


def applied(text: str, edits: Sequence[Any]) -> str:
    """A text after edits whose columns are plain characters."""
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        return sum(len(line) + 1 for line in lines[: position.line]) + position.character

    for edit in sorted(edits, key=lambda e: offset(e.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def changed(edit: types.WorkspaceEdit | None, uri: str, text: str, version: int | None = 1) -> str:
    """A document after a workspace edit, which must be meant for this version of it."""
    assert edit is not None
    assert edit.document_changes is not None
    (change,) = [
        c for c in edit.document_changes if isinstance(c, types.TextDocumentEdit) and c.text_document.uri == uri
    ]
    assert change.text_document.version == version
    return applied(text, change.edits)
