"""A progress bar on standard error, for runs on a terminal that take a while."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0
"""Seconds before the bar appears."""


class ProgressBar:
    """Appears after a second, only on a terminal, and leaves nothing behind."""

    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled and sys.stderr.isatty()
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def update(self, done: int, total: int) -> None:
        """Say that ``done`` of ``total`` files are checked."""
        if not self._enabled:
            return
        if self._bar is None:
            if time.monotonic() - self._started < _PATIENCE or done >= total:
                return
            self._bar = _start()
            self._task = self._bar.add_task("checking", total=total)
        if self._task is not None:
            self._bar.update(self._task, completed=done, total=total)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _start() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files"),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
    bar.start()
    return bar
