"""One thread for the analysis, with an order of what matters most, so that the event loop never waits for it.

Work is a function of a stop question. Work of higher priority stops what runs below it, which is begun anew afterwards;
edits are never stopped and keep their order.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from reduction_lint.live import Stop, Stopped

T = TypeVar("T")


class Priority(IntEnum):
    """What goes first."""

    EDIT = 0
    REQUEST = 1
    OPEN = 2
    BACKGROUND = 3


@dataclass(order=True)
class _Job:
    priority: Priority
    number: int
    work: Callable[[Stop], Any] = field(compare=False)
    future: asyncio.Future[Any] = field(compare=False)
    stopped: threading.Event = field(compare=False, default_factory=threading.Event)


class Worker:
    """Runs work one piece after the other, the most urgent first."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="analysis")
        self._waiting: list[_Job] = []
        self._current: _Job | None = None
        self._numbers = itertools.count()
        self._closed = False

    async def run(self, work: Callable[[Stop], T], priority: Priority = Priority.REQUEST) -> T:
        """The result of some work, or its exception. Cancelling the caller stops the work."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        job = _Job(priority, next(self._numbers), work, future)
        heapq.heappush(self._waiting, job)
        self._next()
        try:
            return await future
        except asyncio.CancelledError:
            if priority is not Priority.EDIT:
                job.stopped.set()
            raise

    def post(self, work: Callable[[], object]) -> None:
        """Make an edit known: done before everything that is asked later, never stopped."""
        if not self._closed:
            future = asyncio.get_running_loop().create_future()
            future.add_done_callback(_forget)
            heapq.heappush(self._waiting, _Job(Priority.EDIT, next(self._numbers), lambda stop: work(), future))
            self._next()

    def close(self) -> None:
        """Stop what runs and start nothing more."""
        self._closed = True
        self._waiting.clear()
        if self._current is not None:
            self._current.stopped.set()
        self._executor.shutdown(wait=False, cancel_futures=True)

    @property
    def waiting(self) -> int:
        """How much is still to be done."""
        return len(self._waiting) + (self._current is not None)

    def _next(self) -> None:
        while self._waiting and self._waiting[0].future.done():
            heapq.heappop(self._waiting)
        if self._closed or not self._waiting:
            return
        if self._current is None:
            self._start(heapq.heappop(self._waiting))
        elif self._waiting[0].priority < self._current.priority:
            self._current.stopped.set()

    def _start(self, job: _Job) -> None:
        self._current = job
        loop = asyncio.get_running_loop()
        running = self._executor.submit(job.work, job.stopped.is_set)

        def finished(done: Future[Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._finished, job, done)

        running.add_done_callback(finished)

    def _finished(self, job: _Job, done: Future[Any]) -> None:
        self._current = None
        error = None if done.cancelled() else done.exception()
        if job.future.done() or done.cancelled():
            pass
        elif isinstance(error, Stopped):
            job.stopped.clear()
            heapq.heappush(self._waiting, job)
        elif error is not None:
            job.future.set_exception(error)
        else:
            job.future.set_result(done.result())
        self._next()


def _forget(future: asyncio.Future[Any]) -> None:
    """An edit whose failure nobody waits for; the analysis of the file will say what is wrong."""
    if not future.cancelled():
        future.exception()
