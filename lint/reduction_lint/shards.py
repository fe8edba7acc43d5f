"""A big run is cut into shards that are solved apart.

That bounds the memory and lets several processes work. How files are cut depends on their names and sizes alone, so any number
of processes gives the same findings. Every shard sees the whole project; what it finds in another shard's files counts only
where that shard finds nothing wrong itself.
"""

from __future__ import annotations

import gc
import multiprocessing
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING

from reduction_lint.findings import Finding, Range, Report, Statistics
from reduction_lint.flow.work import Work

if TYPE_CHECKING:
    from reduction_lint.analysis import Analysis
    from reduction_lint.workspace.sources import Source

LEAST, MOST = 600_000, 1_500_000
"""Characters of a shard: not fewer unless files end, not more unless one file is longer."""

Done = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Something to report in a file, named as findings name it; lines are those of the statement."""

    path: str
    finding: Finding
    first_line: int
    last_line: int
    status: str


@dataclass(slots=True)
class Outcome:
    """What one shard gave."""

    verdicts: list[Verdict] = field(default_factory=list)
    report: Report = field(default_factory=Report)
    work: Work = field(default_factory=Work)


def shards_of(sources: Sequence[Source]) -> list[list[Source]]:
    """Cut sources, in order. Most cuts follow from a file's name, so that an edit moves none or the nearest only."""
    shards: list[list[Source]] = []
    current: list[Source] = []
    size = 0
    for source in sources:
        current.append(source)
        size += len(source.text)
        if size >= MOST or (size >= LEAST and zlib.crc32(source.display.encode("utf-8", "replace")) % 8 == 0):
            shards.append(current)
            current, size = [], 0
    if current:
        shards.append(current)
    return shards


def solve_all(analysis: Analysis, shards: Sequence[Sequence[Source]], jobs: int, done: Done) -> list[Outcome]:
    """The outcome of each shard, in order; ``done`` is told how many files of each shard are finished."""
    if min(jobs, len(shards)) <= 1:
        outcomes = []
        gc.freeze()
        for shard in shards:
            outcomes.append(analysis.solve(shard))
            gc.collect()
            done(len(shard))
        gc.unfreeze()
        return outcomes
    return _solve_in_processes(analysis, shards, min(jobs, len(shards)), done)


def _solve_in_processes(analysis: Analysis, shards: Sequence[Sequence[Source]], jobs: int, done: Done) -> list[Outcome]:
    """As :func:`solve_all`. Big shards go first; what a process that died has left is solved here."""
    outcomes: dict[int, Outcome] = {}
    order = sorted(range(len(shards)), key=lambda number: -sum(len(source.text) for source in shards[number]))
    others = set(multiprocessing.active_children())
    with _Shared(analysis) as shared:
        pool = ProcessPoolExecutor(jobs, shared.context, shared.start, shared.arguments)
        try:
            numbers = {pool.submit(_solve, [str(source.path) for source in shards[number]]): number for number in order}
            for future in as_completed(numbers):
                outcomes[numbers[future]] = future.result()
                done(len(shards[numbers[future]]))
        except BrokenProcessPool:
            pass
        except BaseException:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        pool.shutdown()
    for number in range(len(shards)):
        if number not in outcomes:
            outcomes[number] = analysis.solve(shards[number])
            done(len(shards[number]))
    return [outcomes[number] for number in range(len(shards))]


class _Shared:
    """How a new process gets the analysis: by forking where that is usual, else by making it anew."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        forks = "fork" in multiprocessing.get_all_start_methods() and multiprocessing.get_start_method() != "spawn"
        self.context = multiprocessing.get_context("fork" if forks else "spawn")
        self.start = _start
        self.arguments = () if forks else (analysis.settings, analysis.root, analysis.cwd)

    def __enter__(self) -> _Shared:
        _workers.append(self.analysis)
        gc.freeze()  # what is shared with the workers is no garbage and must not be touched by looking for some
        return self

    def __exit__(self, *_: object) -> None:
        _workers.clear()
        gc.unfreeze()


_workers: list[Analysis] = []
"""In a worker: the analysis that all its shards are solved with."""


def _start(*arguments: object) -> None:
    """Make the analysis of a new process, which leaves Ctrl-C to its parent."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if arguments:
        from reduction_lint.analysis import Analysis
        from reduction_lint.knowledge.models import load_models

        settings, root, cwd = arguments
        _workers[:] = [Analysis(settings, load_models(settings.models), root, cwd)]  # type: ignore[attr-defined,arg-type]


def _solve(paths: Sequence[str]) -> Outcome:
    """Solve the shard of these files in a worker."""
    analysis = _workers[0]
    outcome = analysis.solve(analysis.read([Path(path) for path in paths], Report()))
    gc.collect()
    return outcome


def merged(outcomes: Iterable[Outcome], shards: Sequence[Sequence[Source]], report: Report) -> Iterator[Verdict]:
    """All verdicts on the files of the shards; limits, errors and counts are added to ``report``."""
    owner = {source.display: number for number, shard in enumerate(shards) for source in shard}
    own: set[tuple[str, Range]] = set()
    foreign: list[Verdict] = []
    for number, outcome in enumerate(outcomes):
        _add(report, outcome.report)
        for verdict in outcome.verdicts:
            if owner.get(verdict.path) == number:
                own.add((verdict.path, verdict.finding.range))
                yield verdict
            elif verdict.path in owner:
                foreign.append(verdict)
    seen: set[tuple[str, str, Range]] = set()
    for verdict in foreign:
        key = (verdict.finding.code, verdict.path, verdict.finding.range)
        if key[1:] not in own and key not in seen:
            seen.add(key)
            yield verdict


def _add(report: Report, part: Report) -> None:
    report.errors += [error for error in part.errors if error not in report.errors]
    report.limits += [limit for limit in part.limits if limit not in report.limits]
    for count in fields(Statistics):
        mine, theirs = getattr(report.statistics, count.name), getattr(part.statistics, count.name)
        setattr(report.statistics, count.name, mine + theirs)
