"""From paths or texts to reports: finds the settings that apply to each and runs the analysis with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reduction_lint.findings import Inventory, Report, ReportError, Statistics
from reduction_lint.settings import Settings, find_settings_file, forget_files, load_settings

if TYPE_CHECKING:
    from reduction_lint.analysis import Analysis, TraceSection
    from reduction_lint.workspace.discovery import FileSettings

Progress = Callable[[int, int], None]
MAX_JOBS = 8
"""Processes that are started unasked."""


@dataclass
class Session:
    """One resolver for everything that is checked in a run.

    The settings file nearest to each checked file applies, so one run may span several projects. Given
    ``settings`` apply everywhere; ``config``, ``isolated`` and ``overrides`` are those of
    :func:`reduction_lint.settings.load_settings`, whose :class:`SettingsError` all methods may raise.
    """

    settings: Settings | None = None
    config: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    cwd: Path = field(default_factory=Path.cwd)
    contents: Mapping[Path, bytes] = field(default_factory=dict)
    """Contents that stand in the place of those on disk."""
    _settings: dict[Path | None, Settings] = field(default_factory=dict, repr=False)
    _analyses: dict[Path | None, Analysis] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        # A new session looks at the settings files as they are now.
        forget_files()

    def settings_for(self, start: Path) -> Settings:
        """The settings for what lies at ``start``, a file or a folder."""
        if self.settings is not None:
            return self.settings
        file = self._file_for(start)
        if file not in self._settings:
            self._settings[file] = load_settings(start, config=file, isolated=self.isolated, overrides=self.overrides)
        return self._settings[file]

    def analysis_for(self, start: Path) -> Analysis:
        """The analysis of the project that ``start`` belongs to; one for each settings file."""
        settings = self.settings_for(start)
        if settings.file not in self._analyses:
            from reduction_lint.analysis import Analysis
            from reduction_lint.knowledge.models import load_models

            analysis = Analysis(settings, load_models(settings.models), self.root(settings), self.cwd)
            for path, content in self.contents.items():
                analysis.set_content(path, content)
            self._analyses[settings.file] = analysis
        return self._analyses[settings.file]

    def with_contents(self, contents: Mapping[Path, bytes]) -> Session:
        """A fresh session that is asked for the same and reads these contents instead of what is on disk."""
        return replace(self, contents=contents, _settings={}, _analyses={})

    def root(self, settings: Settings) -> Path:
        """The project root: the folder of the settings file, else the git root, else the working directory.

        A file named by ``--config`` may lie anywhere and makes its folder the root only if it is above the
        working directory.
        """
        from reduction_lint.workspace.discovery import project_root

        if self.isolated:
            return self.cwd
        file = settings.file
        if file is not None and self.config is not None and file.parent not in (self.cwd, *self.cwd.parents):
            file = None
        return project_root(self.cwd, file)

    def check(self, paths: Sequence[str], *, progress: Progress | None = None, jobs: int | None = None) -> Report:
        """Check files, folders and globs. Findings that comments silence are marked, not left out.

        ``jobs`` is the most processes to use, None for one for each processor.
        """
        started = time.perf_counter()
        groups, errors = self._discover(paths)
        total = sum(len(files) for files in groups.values())
        report = Report(errors=errors)
        done = 0
        for files in groups.values():
            part = self.analysis_for(files[0]).check(
                files, _shifted(progress, done, total), jobs=jobs or min(_processors(), MAX_JOBS)
            )
            done += len(files)
            _add(report, part)
        report.findings.sort(key=lambda finding: finding.sort_key)
        report.errors.sort(key=lambda error: (error.path, error.message))
        report.limits.sort(key=lambda limit: (limit.path or "", limit.message))
        report.statistics.seconds = time.perf_counter() - started
        return report

    def inventory(self, paths: Sequence[str], *, progress: Progress | None = None) -> Inventory:
        """Every reduction in files, folders and globs, with its status and what covers it."""
        groups, errors = self.discovered(paths)
        total = sum(len(files) for files in groups.values())
        found = Inventory(errors=errors)
        done = 0
        for files in groups.values():
            part = self.analysis_for(files[0]).inventory(files, _shifted(progress, done, total))
            done += len(files)
            found.sites += part.sites
            found.errors += part.errors
            found.limits += part.limits
        found.sites.sort(key=lambda site: site.finding.sort_key)
        return found

    def check_text(self, text: str, display: str) -> Report:
        """Check a text as if it stood in the file ``display``, relative to the working directory.

        The findings name the file as :meth:`shown` does.
        """
        from reduction_lint.workspace.sources import SourceError

        try:
            return self.analysis_for(self.cwd / display).check_text(text, self.shown(display))
        except SourceError as error:
            return Report(errors=[ReportError(self.shown(display), error.message)])

    def shown(self, path: str) -> str:
        """A path as reports name it: relative to the working directory, with ``/``."""
        from reduction_lint.workspace.discovery import display_path

        return display_path(self.cwd / path, self.cwd)

    def trace(self, path: Path, line: int) -> list[TraceSection]:
        """Why things are or are not reported on a line of a file."""
        return self.analysis_for(path).trace(path, line)

    def is_excluded(self, display: str) -> bool:
        """Whether a named file is left out, as ``--force-exclude`` asks."""
        from reduction_lint.workspace.discovery import discover

        path = self.cwd / display
        settings = self.settings_for(path)
        if not settings.force_exclude or not path.is_file():
            return False
        return not discover([display], cwd=self.cwd, settings=file_settings(settings), root=self.root(settings)).files

    def discovered(self, paths: Sequence[str]) -> tuple[dict[Path | None, list[Path]], list[ReportError]]:
        """The files that :meth:`check` would check, by the settings file that applies to them."""
        return self._discover(paths)

    def _file_for(self, start: Path) -> Path | None:
        if self.isolated:
            return None
        return self.config if self.config is not None else find_settings_file(start)

    def models_report(self, paths: Sequence[str]) -> ModelsReport:
        """Where each entry of the models matches in files and folders, and what is wrong with the entries' own examples."""
        from reduction_lint.knowledge.examples import wrong_examples

        groups, _ = self._discover(paths)
        entries: list[CountedEntry] = []
        warnings: list[str] = []
        examples = 0
        for files in groups.values():
            analysis = self.analysis_for(files[0])
            own = _own_counts(analysis.settings.models)
            for found in analysis.entry_places(files):
                origin = "own" if found.number <= own.get(found.table, 0) else "shipped"
                entries.append(CountedEntry(origin, found.table, found.number, found.what, found.places))
                if origin == "own" and not found.places:
                    warnings.append(f"{found.table}[{found.number}]: {found.what} matches nothing here")
            examples += sum(len(e.matches) + len(e.no_matches) for e in analysis.models.examples)
            warnings += [f"{e.file}: {e.entry}: {text}" for e, text in wrong_examples(analysis.models.examples)]
        return ModelsReport(tuple(entries), tuple(dict.fromkeys(warnings)), examples)

    def _discover(self, paths: Sequence[str]) -> tuple[dict[Path | None, list[Path]], list[ReportError]]:
        """The files to check by the settings file that applies to them."""
        from reduction_lint.workspace.discovery import discover

        arguments: dict[Path | None, list[str]] = {}
        settings: dict[Path | None, Settings] = {}
        for path in paths:
            found = self.settings_for(_start_of(self.cwd / path))
            arguments.setdefault(found.file, []).append(path)
            settings[found.file] = found
        groups: dict[Path | None, dict[Path, None]] = {}
        errors: list[ReportError] = []
        for file, given in arguments.items():
            discovered = discover(
                given, cwd=self.cwd, settings=file_settings(settings[file]), root=self.root(settings[file])
            )
            errors += discovered.errors
            named = {self.cwd / path for path in given}
            for own, inner in self._by_settings(discovered.files).items():
                kept = inner if own == file else self._kept(own, inner, named)
                groups.setdefault(own, {}).update(dict.fromkeys(kept))
        return {file: sorted(files) for file, files in groups.items() if files}, errors

    def _by_settings(self, files: Sequence[Path]) -> dict[Path | None, list[Path]]:
        """Files by their nearest settings file; looked up once for each folder."""
        folders: dict[Path, Path | None] = {}
        groups: dict[Path | None, list[Path]] = {}
        for path in files:
            if path.parent not in folders:
                folders[path.parent] = self.settings_for(path).file
            groups.setdefault(folders[path.parent], []).append(path)
        return groups

    def _kept(self, file: Path | None, files: Sequence[Path], named: set[Path]) -> list[Path]:
        """The files of a project inside a given folder that the project's own settings do not exclude."""
        from reduction_lint.workspace.discovery import discover

        if file is None:
            return list(files)
        settings = self.settings_for(files[0])
        inner = discover([str(file.parent)], cwd=self.cwd, settings=file_settings(settings), root=self.root(settings))
        allowed = set(inner.files) | named
        return [path for path in files if path in allowed]


def file_settings(settings: Settings) -> FileSettings:
    """The part of the settings that says which files are checked."""
    from reduction_lint.workspace.discovery import FileSettings

    chosen = {
        name: getattr(settings, name)
        for name in (part.name for part in fields(FileSettings))
        if getattr(settings, name, None) is not None
    }
    return FileSettings(**chosen)


def visible(report: Report) -> Report:
    """The report without the findings that comments silence."""
    report.findings = [finding for finding in report.findings if finding.suppressed is None]
    return report


def _start_of(path: Path) -> Path:
    """Where the search for settings starts: for a glob, the folder before its first wildcard."""
    while not path.exists() and any(char in path.name for char in "*?["):
        path = path.parent
    return path


def _processors() -> int:
    """The number of processors that this process may use."""
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def _add(report: Report, part: Report) -> None:
    report.findings += part.findings
    report.errors += part.errors
    report.limits += part.limits
    for count in fields(Statistics):
        mine, theirs = getattr(report.statistics, count.name), getattr(part.statistics, count.name)
        setattr(report.statistics, count.name, mine + theirs)


@dataclass(frozen=True, slots=True)
class CountedEntry:
    """One entry of the models: ``origin`` is own or shipped, ``number`` its place (from 1) among those of its table."""

    origin: str
    table: str
    number: int
    what: str
    places: int


@dataclass(frozen=True, slots=True)
class ModelsReport:
    """What ``models check`` says: all entries, what is wrong, and how many examples were verified."""

    entries: tuple[CountedEntry, ...]
    warnings: tuple[str, ...]
    examples: int


def _own_counts(models: Mapping[str, Any]) -> dict[str, int]:
    """How many entries of each table the settings add; compressors stand among the reducers."""
    counts = {table: len(entries) for table, entries in models.items() if isinstance(entries, (list, tuple))}
    counts["reducers"] = counts.get("reducers", 0) + counts.pop("compressors", 0)
    return counts
