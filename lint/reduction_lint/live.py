"""Analysis that stays alive while texts change: for editors and for watching.

A :class:`LiveSession` gives for every file the very findings that a fresh run over the project would give, with open
texts in the place of what is on disk. Each file's result remembers what it looked at: the modules it asked for, found
or not, and the words it searched the project for. An edit makes only those results stale that looked at what changed.

One thread at a time may use a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reduction_lint.analysis import Analysis
from reduction_lint.findings import Finding, Report, ReportError
from reduction_lint.findings import Site as Site
from reduction_lint.session import Session
from reduction_lint.workspace.modules import module_name
from reduction_lint.workspace.sources import Source, SourceError, SourceTooLarge, load_source, source_from_text

if TYPE_CHECKING:
    from reduction_lint.analysis import Progress, TraceSection, _Judged
    from reduction_lint.flow.project import Project
    from reduction_lint.settings import Settings
    from reduction_lint.shelf import Shelf

Stop = Callable[[], bool]


class Stopped(BaseException):
    """The analysis was asked to stop. No ``Exception``: code that survives its own bugs must not swallow it."""


@dataclass(slots=True)
class LookedAt:
    """What a result depends on besides the file itself."""

    modules: dict[str, Path | None] = field(default_factory=dict)
    """Dotted names that were asked for, and the file of each that was found."""
    words: set[str] = field(default_factory=set)
    """Words whose occurrences in all files were asked for."""

    @property
    def paths(self) -> set[Path]:
        """The files that were read as modules."""
        return {path for path in self.modules.values() if path is not None}


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome for one file and what it depends on."""

    report: Report
    looked_at: LookedAt
    sites: tuple[Site, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        """The findings that no comment silences."""
        return [finding for finding in self.report.findings if finding.suppressed is None]


class LiveSession:
    """The results of the files below one folder, kept up to date under edits.

    ``config`` and ``overrides`` are those of :class:`Session`. A ``shallow`` session, for a folder that is no project,
    sees the files of that very folder only. Methods that need settings raise
    :class:`SettingsError` when those are wrong; all others go on working.
    """

    def __init__(
        self,
        folder: Path,
        *,
        config: Path | None = None,
        overrides: Mapping[str, Any] | None = None,
        shallow: bool = False,
    ) -> None:
        self.folder = folder
        self._shallow = shallow
        self._config = config
        self._overrides = dict(overrides or {})
        self._texts: dict[Path, Source] = {}
        self._results: dict[Path, Result] = {}
        self._files: dict[Path, None] | None = None
        self._session = self._new_session()

    # -- what is there ----------------------------------------------------------------------------------------------

    def files(self) -> list[Path]:
        """The files that a run over the folder checks, open texts not yet on disk included."""
        if self._files is None:
            if self._shallow:
                found = shallow_files(self.folder)
            else:
                found = [path for files in self._session.discovered(["."])[0].values() for path in files]
            self._files = dict.fromkeys(sorted(found))
        unsaved = [path for path in self._texts if path not in self._files and not path.exists()]
        return [*self._files, *unsaved]

    def covers(self, path: Path) -> bool:
        """Whether a file is checked: not excluded by the settings nor ignored by git."""
        self.files()
        return self._files is not None and (path in self._files or not path.exists())

    def settings_for(self, path: Path) -> Settings:
        """The settings that hold for a file."""
        return self._session.settings_for(path)

    def source(self, path: Path) -> Source | None:
        """The text of a file as it is analysed: the open one, else what is on disk; None if it cannot be read."""
        try:
            return self._session.analysis_for(path).source(path)
        except (SourceError, SourceTooLarge):
            return None

    def path_of(self, display: str) -> Path:
        """The file that a finding names."""
        return self.folder / display

    # -- changes ----------------------------------------------------------------------------------------------------

    def set_text(self, path: Path, text: str) -> None:
        """Put an open text in the place of the file on disk. A malformed notebook counts as one without cells."""
        try:
            new = source_from_text(text, self._session.shown(str(path)), path)
        except SourceError:
            new = Source(path, self._session.shown(str(path)), "", (), text.encode("utf-8", "surrogatepass"))
        old = self._known_text(path)
        if path not in self._texts and self._files is not None and path not in self._files:
            self._file_came_or_went(path)  # it may have been written after the files were listed
        self._texts[path] = new
        self._replaced(path, old, new.text)

    def close(self, path: Path) -> None:
        """Go back to the file on disk."""
        if path in self._texts:
            old = self._texts.pop(path)
            self._replaced(path, old.text, self._disk_text(path))

    def changed_on_disk(self, paths: Iterable[Path]) -> None:
        """Take notice of files that were written, created, renamed or deleted outside."""
        for path in paths:
            if path not in self._texts:
                self._replaced(path, self._known_text(path, remembered=True), self._disk_text(path))

    def reload(self, *, config: Path | None = None, overrides: Mapping[str, Any] | None = None) -> None:
        """Begin anew with the settings as they are now; open texts stay."""
        self._config, self._overrides = config, dict(overrides or {})
        self._results.clear()
        self._files = None
        self._session = self._new_session()

    # -- results ----------------------------------------------------------------------------------------------------

    def result(self, path: Path, stop: Stop | None = None) -> Result:
        """The result for a file, from memory where nothing it looked at changed. Raises :class:`Stopped`."""
        known = self._results.get(path)
        if known is None:
            known = self._results[path] = self._check(path, stop)
        return known

    def is_fresh(self, path: Path) -> bool:
        """Whether the result of a file is known and holds."""
        return path in self._results

    def load(self, path: Path) -> None:
        """Read a file ahead of its use."""
        self.source(path)

    def trace(self, path: Path, line: int) -> list[TraceSection]:
        """Every reduction site on a line (1-based) of the analysed text, with its reasoning."""
        return self._session.analysis_for(path).trace(path, line)

    def imports_of(self, path: Path) -> Mapping[str, str]:
        """What the names that a file imports stand for: local name -> dotted name."""
        from reduction_lint.syntax.chunks import split
        from reduction_lint.syntax.imports import import_table

        source = self.source(path)
        if source is None:
            return {}
        names = self._session.analysis_for(path).names_of(path)
        return import_table(split(source.text), names[0] if names else path.stem, path.stem == "__init__").names

    def counts(self) -> dict[str, int]:
        """How much is held, for debugging: files, open texts, results."""
        return {
            "files": len(self._files or ()),
            "open": len(self._texts),
            "results": len(self._results),
        }

    # -- inside -----------------------------------------------------------------------------------------------------

    def _new_session(self) -> _LiveRun:
        return _LiveRun(
            config=self._config,
            overrides=self._overrides,
            cwd=self.folder,
            texts=self._texts,
            shallow=self._shallow,
        )

    def _check(self, path: Path, stop: Stop | None) -> Result:
        analysis = self._session.analysis_for(path)
        try:
            return analysis.look(path, stop)
        except SourceError as error:
            return Result(Report(errors=[ReportError(self._session.shown(str(path)), error.message)]), LookedAt())

    def _known_text(self, path: Path, *, remembered: bool = False) -> str | None:
        """The text that results so far were made from; None when there was none."""
        if path in self._texts:
            return self._texts[path].text
        for analysis in self._session.analyses():
            known = analysis.remembered(path)
            if known is not None:
                return known.text
        return None if remembered else self._disk_text(path)

    def _disk_text(self, path: Path) -> str | None:
        try:
            return load_source(path, path.name).text
        except (SourceError, SourceTooLarge):
            return None

    def _replaced(self, path: Path, old: str | None, new: str | None) -> None:
        if old is None or new is None:
            self._file_came_or_went(path)
        for analysis in self._session.analyses():
            analysis.forget(path)
        self._results.pop(path, None)
        names = {name for analysis in self._session.analyses() for name in analysis.names_of(path)}
        changed = _Change(old or "", new or "")
        for other, result in list(self._results.items()):
            looked = result.looked_at
            if (
                path in looked.paths
                or any(name in looked.modules for name in names)
                or any(changed.moves(word) for word in looked.words)
            ):
                del self._results[other]

    def _file_came_or_went(self, path: Path) -> None:
        self._files = None
        for analysis in self._session.analyses():
            analysis.forget_modules()
        if path.stem == "__init__":  # the names of all modules around it change
            self._results.clear()


def shallow_files(folder: Path) -> list[Path]:
    """The Python files of a folder itself."""
    try:
        return [path for path in folder.iterdir() if path.suffix in (".py", ".pyi", ".ipynb") and path.is_file()]
    except OSError:
        return []


class _Change:
    """The difference between two texts, for asking whether a word came or went."""

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new
        self._known: dict[str, bool] = {}
        limit = min(len(old), len(new))
        start = _common(old, new, limit)
        end = _common(old[::-1][: limit - start], new[::-1][: limit - start], limit - start)
        self._bounds = start, end

    def moves(self, word: str) -> bool:
        """Whether the word stands in one of the texts only."""
        known = self._known.get(word)
        if known is None:
            start, end = self._bounds
            low = max(start - len(word), 0)
            near = any(word in text[low : len(text) - max(end - len(word), 0)] for text in (self._old, self._new))
            known = self._known[word] = near and (word in self._old) != (word in self._new)
        return known


def _common(first: str, second: str, limit: int) -> int:
    """The length of the common prefix, at most ``limit``; by halving, for comparing slices is fast."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@dataclass
class _LiveRun(Session):
    """A session whose analyses read open texts."""

    texts: dict[Path, Source] = field(default_factory=dict, repr=False)
    shallow: bool = False

    def analysis_for(self, start: Path) -> _LiveAnalysis:
        """See :meth:`Session.analysis_for`."""
        settings = self.settings_for(start)
        known = self._analyses.get(settings.file)
        if not isinstance(known, _LiveAnalysis):
            from reduction_lint.knowledge.models import load_models

            known = _LiveAnalysis(settings, load_models(settings.models), self.root(settings), self.cwd)
            known.texts = self.texts
            known.shallow = self.shallow
            self._analyses[settings.file] = known
        return known

    def analyses(self) -> list[_LiveAnalysis]:
        """The analyses made so far."""
        return [analysis for analysis in self._analyses.values() if isinstance(analysis, _LiveAnalysis)]


class _LiveAnalysis(Analysis):
    """An analysis that notes what each result looks at, prefers open texts, and can be stopped."""

    texts: Mapping[Path, Source]
    shallow = False

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._modules: dict[str, tuple[Path, bool]] | None = None
        self._known_files: set[Path] = set()
        self._looked = LookedAt()
        self._stop: Stop | None = None
        self._project: Project | None = None
        self._sites: list[Site] = []
        self._shelf: Shelf | None = None

    def look(self, path: Path, stop: Stop | None) -> Result:
        """Check one file and note what was looked at."""
        self._looked, self._stop, self._project, self._sites = LookedAt(), stop, None, []
        report = self.check([path])
        if self._project is not None:
            asked = self._project.modules.items()
            self._looked.modules = {name: module.source.path if module else None for name, module in asked}
            self._project = None
        sites, self._sites = tuple(self._sites), []
        return Result(report, self._looked, sites)

    def source(self, path: Path) -> Source:
        """The text of a file; raises what :func:`load_source` does."""
        return self._source(path)

    def remembered(self, path: Path) -> Source | None:
        """The text of a file if it was read before."""
        return self._sources.get(path)

    def forget(self, path: Path) -> None:
        """Read a file anew when it is next asked for."""
        known = self._sources.pop(path, None)
        for display in {self._display(path), *([known.display] if known else [])}:
            self._by_display.pop(display, None)
            self._directives.pop(display, None)

    def forget_modules(self) -> None:
        """Look anew which modules the project has."""
        self._modules = None

    def names_of(self, path: Path) -> tuple[str, ...]:
        """The dotted name that a file has, or would have, as a module of the project."""
        if not path.is_relative_to(self.root):
            return ()
        return (module_name(path, [(self.root / src).resolve() for src in self.settings.src]).dotted,)

    def _source(self, path: Path) -> Source:
        source = self.texts.get(path)
        if source is None:
            return super()._source(path)
        self._by_display[source.display] = source
        return source

    def _load_quietly(self, path: Path) -> Source | None:
        self._check_stop()
        return super()._load_quietly(path)

    def _declarations(self, source: Source) -> Mapping[int, Mapping[str, object]]:
        self._check_stop()  # asked for each function
        return super()._declarations(source)

    def _module_files(self, sources: Iterable[Source]) -> dict[str, tuple[Path, bool]]:
        unsaved = [source for source in self.texts.values() if not source.path.exists()]
        if self._modules is None:
            self._modules = super()._module_files(unsaved)
            self._known_files = {path for path, _ in self._modules.values()}
        if all(source.path in self._known_files for source in sources):
            return self._modules
        return super()._module_files([*unsaved, *sources])

    def _project_files(self) -> list[Path]:
        return shallow_files(self.cwd) if self.shallow else super()._project_files()

    def _modules_with(self, word: str, files: Mapping[str, tuple[Path, bool]]) -> list[str]:
        self._looked.words.add(word)
        return super()._modules_with(word, files)

    def _new_project(self, files: Mapping[str, tuple[Path, bool]]) -> Project:
        from reduction_lint.shelf import KeptProject

        self._project = KeptProject(self._kept(), self.models, files, self._load_quietly, self._declarations)
        return self._project

    def _scan_problems(self, source: Source, report: Report) -> list[_Judged]:
        # Chunk by chunk, so that an edit costs its chunk; only where one is refused the whole text is looked at.
        return [] if self._kept().is_sound(source.text) else super()._scan_problems(source, report)

    def _kept(self) -> Shelf:
        if self._shelf is None:
            from reduction_lint.shelf import Shelf

            self._shelf = Shelf()
        return self._shelf

    def _judged(self, sources: list[Source], report: Report, progress: Progress | None, total: int) -> list[_Judged]:
        found = super()._judged(sources, report, progress, total)
        for judged in found:
            if judged.finding is not None and judged.source in sources:
                finding = self._in_cell(judged.source, judged.finding)
                shift = finding.range.start.line - judged.finding.range.start.line
                lines = judged.first_line + shift, judged.last_line + shift
                self._sites.append(Site(judged.status, finding, *lines, judged.covered_by))
        return found

    def _check_stop(self) -> None:
        if self._stop is not None and self._stop():
            raise Stopped
