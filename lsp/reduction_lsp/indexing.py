"""The first look at the workspace: all files are read ahead, with progress that the user can cancel."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from uuid import uuid4

from lsprotocol import types
from reduction_lint.live import LiveSession, Stop
from reduction_lint.settings import SettingsError

from reduction_lsp.backend import Backend
from reduction_lsp.delivery import Delivery
from reduction_lsp.folders import Folder
from reduction_lsp.worker import Priority

log = logging.getLogger(__name__)
_SLICE = 25
"""Files read in one piece; between two pieces edits and requests are served."""


class Indexing:
    """Reads the files of all folders in the background."""

    def __init__(self, backend: Backend, delivery: Delivery) -> None:
        self.backend = backend
        self.delivery = delivery

    async def run(self) -> None:
        """Read all folders."""
        for folder in self.backend.folders.workspace:
            try:
                files = await self.backend.ask(folder, lambda live, stop: live.files())
            except SettingsError as error:
                log.error("%s", error)
                continue
            await self._folder(folder, files)
        self.delivery.wake()

    async def _folder(self, folder: Folder, files: Sequence[Path]) -> None:
        progress = Progress(self.backend, f"reduction-lint: {folder.path.name}")
        await progress.begin(len(files))
        try:
            for start in range(0, len(files), _SLICE):
                if progress.cancelled:
                    log.info("reading of %s was cancelled", folder.path)
                    return
                load = partial(_load, folder.live, files[start : start + _SLICE])
                await self.backend.worker.run(load, Priority.BACKGROUND)
                progress.report(min(start + _SLICE, len(files)), len(files))
        finally:
            progress.end()
        log.info("%s: %d files", folder.path, len(files))


def _load(live: LiveSession, files: Sequence[Path], stop: Stop) -> None:
    for path in files:
        live.load(path)


class Progress:
    """A work-done progress, if the client shows any."""

    def __init__(self, backend: Backend, title: str) -> None:
        self._backend = backend
        self._title = title
        self._token = str(uuid4())
        self._shown = False

    async def begin(self, total: int) -> None:
        """Ask the client for a progress, and begin it."""
        if not self._backend.client.progress or not total:
            return
        try:
            params = types.WorkDoneProgressCreateParams(self._token)
            await self._backend.protocol.ask(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
        except Exception as error:
            log.info("no progress is shown: %s", error)
            return
        self._shown = True
        begin = types.WorkDoneProgressBegin(self._title, cancellable=True, message="reading", percentage=0)
        self._backend.server.work_done_progress.begin(self._token, begin)

    @property
    def cancelled(self) -> bool:
        """Whether the user has had enough."""
        future = self._backend.server.work_done_progress.tokens.get(self._token)
        return future is not None and future.cancelled()

    def report(self, done: int, total: int) -> None:
        """So much is done."""
        if self._shown:
            value = types.WorkDoneProgressReport(message=f"{done}/{total} files", percentage=done * 100 // total)
            self._backend.server.work_done_progress.report(self._token, value)

    def end(self) -> None:
        """End the progress and forget its token, which pygls would keep."""
        if self._shown:
            self._backend.server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
        self._backend.server.work_done_progress.tokens.pop(self._token, None)
