"""Requests about a place in a document: which method goes to which answerer."""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from reduction_lsp import actions as action_parts
from reduction_lsp import completion as completion_parts
from reduction_lsp.actions import Actions
from reduction_lsp.backend import Backend
from reduction_lsp.commands import SCHEME, Commands
from reduction_lsp.completion import Completions
from reduction_lsp.hover import Hovers
from reduction_lsp.lenses import Lenses
from reduction_lsp.lifecycle import Lifecycle
from reduction_lsp.links import Links


def register_features(server: LanguageServer, backend: Backend, lifecycle: Lifecycle) -> None:
    """Register everything that reads documents."""
    actions = Actions(backend)
    _register_actions(server, actions)
    _register_reading(server, backend)
    _register_lenses(server, backend)
    _register_commands(server, Commands(backend, actions, lifecycle))


def _register_actions(server: LanguageServer, actions: Actions) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, action_parts.OPTIONS)
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        return await actions.at(params)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(params: types.CodeAction) -> types.CodeAction:
        return await actions.resolve(params)


def _register_reading(server: LanguageServer, backend: Backend) -> None:
    hovers, completions, links = Hovers(backend), Completions(backend), Links(backend)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await hovers.at(params)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, completion_parts.OPTIONS)
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        return completions.at(params)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def document_link(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        return links.of(params)


def _register_lenses(server: LanguageServer, backend: Backend) -> None:
    lenses = Lenses(backend)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return await lenses.lenses(params)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return await lenses.hints(params)


def _register_commands(server: LanguageServer, commands: Commands) -> None:
    for name, command in commands.all.items():
        server.command(name)(_wrapped(command))

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, types.TextDocumentContentOptions(schemes=[SCHEME]))
    async def content(params: types.TextDocumentContentParams) -> types.TextDocumentContentResult:
        return types.TextDocumentContentResult(commands.page(params.uri) or "")


def _wrapped(command: Any) -> Any:
    """A function of its own, for pygls cannot register bound methods."""

    async def run(*arguments: Any) -> Any:
        return await command(*arguments)

    return run
