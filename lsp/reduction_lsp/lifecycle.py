"""From ``initialize`` to ``exit``: what the client can do, its folders and settings, and the tasks that run meanwhile."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder

from reduction_lsp.backend import Backend
from reduction_lsp.capabilities import client_of
from reduction_lsp.delivery import Delivery
from reduction_lsp.documents import Documents
from reduction_lsp.indexing import Indexing
from reduction_lsp.logs import ClientLog, set_level
from reduction_lsp.settings import SECTION, ServerSettings, read_settings
from reduction_lsp.watching import registrations

log = logging.getLogger(__name__)
_PARENT_CHECK = 3.0
"""Seconds between two looks whether the client's process is still there."""


class Lifecycle:
    """Starts and ends what runs beside the handlers."""

    def __init__(self, backend: Backend, delivery: Delivery) -> None:
        self.backend = backend
        self.delivery = delivery
        self.indexing = Indexing(backend, delivery)
        self._tasks: set[asyncio.Task[None]] = set()
        self._log: ClientLog | None = None

    def initialize(self, params: types.InitializeParams) -> None:
        """Take over what the client says about itself."""
        server = self.backend.server
        self._log = ClientLog(server, asyncio.get_running_loop())
        logging.getLogger("reduction_lsp").addHandler(self._log)
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        self.backend.client = client_of(params.capabilities, encoding)
        # pygls makes its own workspace before it calls this handler and has no way to choose another class.
        old = server.workspace
        server.protocol._workspace = Documents(
            old.root_uri, types.TextDocumentSyncKind.Incremental, list(old.folders.values()), encoding
        )
        self.apply(params.initialization_options)
        folders = params.workspace_folders or []
        uris = [folder.uri for folder in folders] or [uri for uri in (old.root_uri,) if uri]
        for uri in uris:
            self.backend.folders.add(uri)

    def apply(self, given: Any) -> None:
        """Take over settings that hold for all folders."""
        settings, problems = read_settings(given, self.backend.folders.defaults)
        self._tell(problems)
        self.backend.folders.defaults = settings
        set_level(settings.log_level)
        for folder in self.backend.folders:
            self._configure(folder, settings)

    def initialized(self) -> None:
        """Start what runs in the background."""
        self.start(self.delivery.run())
        self.start(self._settle())
        if self.backend.server.process_id and sys.platform != "win32":
            self.start(self._watch_parent(self.backend.server.process_id))

    async def pull_settings(self) -> None:
        """Ask the client for the settings of every folder."""
        folders = list(self.backend.folders)
        items = [types.ConfigurationItem(scope_uri=self.backend.uri_of(f.path), section=SECTION) for f in folders]
        try:
            answers = await self.backend.protocol.ask(
                types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items or [types.ConfigurationItem(SECTION)])
            )
        except Exception as error:
            log.warning("the client did not tell its settings: %s", error)
            return
        for folder, answer in zip(folders, answers or [], strict=False):
            settings, problems = read_settings(answer, self.backend.folders.defaults)
            self._tell(problems)
            self._configure(folder, settings)
        if not folders:
            for answer in answers or []:
                self.apply(answer)

    async def settings_changed(self, params: types.DidChangeConfigurationParams) -> None:
        """Settings were changed in the client: pull them, or take those that were pushed."""
        if self.backend.client.pulls_settings:
            await self.pull_settings()
        else:
            self.apply(params.settings)
        await self.delivery.start_over()

    async def folders_changed(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Folders were opened or closed; open documents go where they belong now."""
        for folder in event.removed:
            self.backend.folders.remove(folder.uri)
        for folder in event.added:
            added = self.backend.folders.add(folder.uri)
            if added is not None:
                self.backend.worker.post(added.reload)
        if self.backend.client.pulls_settings:
            await self.pull_settings()
        for file in list(self.backend.open.values()):
            self.backend.text_changed(file.uri)
        await self.delivery.start_over()

    def restart(self) -> None:
        """Begin all analysis anew."""
        for folder in self.backend.folders:
            self.backend.worker.post(folder.reload)
        self.delivery.wake()

    def stop(self) -> None:
        """End what runs; nothing is sent any more."""
        for task in self._tasks:
            task.cancel()
        self.backend.worker.close()
        if self._log is not None:
            logging.getLogger("reduction_lsp").removeHandler(self._log)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside the handlers; a failure is told and ends only that."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.backend.server._report_server_error(error, type(error))  # type: ignore[arg-type]

    async def _settle(self) -> None:
        client = self.backend.client
        if client.pulls_settings:
            await self.pull_settings()
        wanted = registrations(client)
        if wanted:
            try:
                params = types.RegistrationParams(wanted)
                await self.backend.protocol.ask(types.CLIENT_REGISTER_CAPABILITY, params)
            except Exception as error:
                log.warning("the client does not watch files: %s", error)
        self.delivery.wake()
        await self.indexing.run()

    def _configure(self, folder: Any, settings: ServerSettings) -> None:
        reload = folder.configure(settings)
        if reload is not None:
            self.backend.worker.post(reload)

    def _tell(self, problems: list[str]) -> None:
        for problem in problems:
            log.warning("%s", problem)

    async def _watch_parent(self, process: int) -> None:
        while True:
            await asyncio.sleep(_PARENT_CHECK)
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                os._exit(1)  # nobody is left to talk to
            except OSError:
                continue
