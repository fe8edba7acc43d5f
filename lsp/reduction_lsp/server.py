"""The language server: which message goes to which part. Rules, settings and findings are the analyzer's."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from contextlib import suppress
from typing import Any, NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from reduction_lint.version import __version__

from reduction_lsp.backend import Backend
from reduction_lsp.delivery import Delivery
from reduction_lsp.diagnostics import SOURCE
from reduction_lsp.features import register_features
from reduction_lsp.lifecycle import Lifecycle
from reduction_lsp.notebooks import SYNC
from reduction_lsp.protocol import Protocol
from reduction_lsp.pulling import DocumentReport, Pulling
from reduction_lsp.transport import Reader, standard_streams
from reduction_lsp.watching import OPERATIONS, files_changed

log = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server with the project's way to tell errors: the details to the log, one line to the user."""

    def __init__(self) -> None:
        super().__init__(SOURCE, __version__, notebook_document_sync=SYNC, protocol_cls=Protocol)
        self._told: set[str] = set()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Called by pygls for everything that goes wrong."""
        if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError, RecursionError)) and source is JsonRpcException:
            protocol = self.protocol
            assert isinstance(protocol, Protocol)
            protocol.parse_failed()
            return
        if isinstance(error, JsonRpcException) and error.code != types.ErrorCodes.InternalError:
            return  # the client's mistake, and it was told so
        log.error("internal error: %s", error, exc_info=error)
        text = f"{type(error).__name__}: {error}".splitlines()[0]
        if text not in self._told:
            self._told.add(text)
            message = f"reduction-lint had an internal error ({text}); the log has the details."
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))


def create_server() -> Server:
    """A server with its handlers registered, not yet started."""
    server = Server()
    backend = Backend(server)
    delivery = Delivery(backend)
    pulling = Pulling(backend, delivery)
    lifecycle = Lifecycle(backend, delivery)
    _register_lifecycle(server, lifecycle, pulling)
    _register_documents(server, backend, delivery, pulling)
    _register_notebooks(server, backend, delivery)
    _register_files(server, backend, delivery)
    register_features(server, backend, lifecycle)
    return server


def _register_lifecycle(server: Server, lifecycle: Lifecycle, pulling: Pulling) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        lifecycle.initialize(params)
        if lifecycle.backend.client.pulls_diagnostics:
            _register_pulling(server, pulling)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        lifecycle.initialized()

    @server.feature(types.SHUTDOWN)
    def shutdown(params: Any) -> None:
        lifecycle.stop()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: types.DidChangeConfigurationParams) -> None:
        await lifecycle.settings_changed(params)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(params: types.DidChangeWorkspaceFoldersParams) -> None:
        await lifecycle.folders_changed(params.event)


def _register_pulling(server: Server, pulling: Pulling) -> None:
    """Only for clients that pull: to all others diagnostics are pushed."""
    options = types.DiagnosticOptions(identifier=SOURCE, inter_file_dependencies=True, workspace_diagnostics=True)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def document(params: types.DocumentDiagnosticParams) -> DocumentReport:
        return await pulling.document(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace(params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        return await pulling.workspace(params)


def _register_documents(server: Server, backend: Backend, delivery: Delivery, pulling: Pulling) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        path = backend.text_changed(params.text_document.uri)
        if path is not None:
            delivery.wake(path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        path = backend.text_changed(params.text_document.uri)
        if path is not None:
            delivery.typed(path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE, types.SaveOptions(include_text=False))
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        uri = params.text_document.uri
        if files_changed(backend, [uri]):
            await delivery.start_over()
        delivery.saved(backend.folders.path_of(uri))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        pulling.closed(uri)
        path = backend.closed(uri)
        if path is not None:
            delivery.closed(path)


def _register_notebooks(server: Server, backend: Backend, delivery: Delivery) -> None:
    def changed(uri: str) -> None:
        path = backend.text_changed(uri)
        if path is not None:
            delivery.wake(path)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    async def notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    async def notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    async def notebook_saved(params: types.DidSaveNotebookDocumentParams) -> None:
        changed(params.notebook_document.uri)

    @server.feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    async def notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        path = backend.closed(params.notebook_document.uri)
        if path is not None:
            delivery.closed(path)


def _register_files(server: Server, backend: Backend, delivery: Delivery) -> None:
    async def take_notice(uris: list[str]) -> None:
        if files_changed(backend, uris):
            await delivery.start_over()
        delivery.wake()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(params: types.DidChangeWatchedFilesParams) -> None:
        await take_notice([change.uri for change in params.changes])

    @server.feature(types.WORKSPACE_DID_CREATE_FILES, OPERATIONS)
    async def created(params: types.CreateFilesParams) -> None:
        await take_notice([file.uri for file in params.files])

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, OPERATIONS)
    async def renamed(params: types.RenameFilesParams) -> None:
        await take_notice([uri for file in params.files for uri in (file.old_uri, file.new_uri)])

    @server.feature(types.WORKSPACE_DID_DELETE_FILES, OPERATIONS)
    async def deleted(params: types.DeleteFilesParams) -> None:
        await take_notice([file.uri for file in params.files])


def serve(address: tuple[str, int] | None = None) -> NoReturn:
    """Serve on standard input and output, or one client on a loopback address; ends the process.

    The status is 0 after ``shutdown`` and ``exit``, and 1 when the client went away without.
    """
    sys.setswitchinterval(0.001)  # the event loop shares the interpreter with the analysis and must not wait for it
    server = create_server()
    with suppress(KeyboardInterrupt, SystemExit):
        asyncio.run(_stdio(server) if address is None else _tcp(server, address))
    # At once: threads may still read, or analyse, what nobody waits for.
    os._exit(0 if server.protocol._shutdown else 1)


async def _stdio(server: Server) -> None:
    source, sink = standard_streams()
    await _converse(server, Reader(source), sink)


async def _tcp(server: Server, address: tuple[str, int]) -> None:
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.close()  # one server, one client
        try:
            await _converse(server, Reader(reader), writer)
        finally:
            writer.close()
            if not done.done():
                done.set_result(None)

    listener = await asyncio.start_server(connected, *address, limit=1_000_000)
    host, port = listener.sockets[0].getsockname()[:2]
    print(f"listening on {host}:{port}", file=sys.stderr, flush=True)
    await done


async def _converse(server: Server, reader: Reader, writer: Any) -> None:
    server.protocol.set_writer(writer)
    await run_async(threading.Event(), reader, server.protocol, log, server.report_server_error)
