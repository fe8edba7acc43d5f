"""The one entry point that the command line, the server and the Python API call."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from reduction_lint.findings import (
    Confidence,
    Finding,
    Fix,
    Inventory,
    Limit,
    Range,
    Report,
    ReportError,
    Severity,
    Site,
    TraceStep,
)
from reduction_lint.flow.work import Work
from reduction_lint.knowledge import catalogue
from reduction_lint.knowledge.models import Models
from reduction_lint.settings import Settings
from reduction_lint.shards import Outcome, Verdict, merged, shards_of, solve_all
from reduction_lint.suppress import Directives, apply, parse_directives
from reduction_lint.syntax.prefilter import Prefilter
from reduction_lint.workspace.discovery import FileSettings, project_files
from reduction_lint.workspace.modules import module_name
from reduction_lint.workspace.sources import (
    Source,
    SourceError,
    SourceTooLarge,
    load_source,
    source_from_bytes,
    source_from_text,
)

if TYPE_CHECKING:
    from reduction_lint.checks.draft import Draft, Spot
    from reduction_lint.checks.matches import EntryPlaces
    from reduction_lint.flow.project import Module, Project
    from reduction_lint.flow.solve import Solved
    from reduction_lint.flow.state import Place

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class TraceSection:
    """One reduction site as ``trace`` shows it: what it is, its status, and the reasoning."""

    title: str
    status: str
    finding: Finding | None
    steps: tuple[TraceStep, ...]
    notes: tuple[str, ...]


class Analysis:
    """Checks files of one project with one set of settings."""

    def __init__(self, settings: Settings, models: Models, root: Path, cwd: Path) -> None:
        self.settings = settings
        self.models = models
        self.root = root
        self.cwd = cwd
        self.work = Work()
        """What the last check took."""
        self._sources: dict[Path, Source] = {}
        self._by_display: dict[str, Source] = {}
        self._directives: dict[str, Directives] = {}

    # -- entry points -----------------------------------------------------------------------------------------------

    def check(self, files: Sequence[Path], progress: Progress | None = None, jobs: int = 1) -> Report:
        """Check files; the whole project around them is seen. Suppressed findings are marked, not left out."""
        started = time.perf_counter()
        report = Report()
        sources = self.read(files, report)
        shards = shards_of(sources)
        if len(shards) > 1:
            self._check_shards(shards, report, progress, jobs)
        else:
            self._check_sources(sources, report, progress, len(files))
        report.statistics.files = len(files)
        report.statistics.seconds = time.perf_counter() - started
        return report

    def check_text(self, text: str, display: str) -> Report:
        """Check a text as if it stood at ``display``, relative to the working directory."""
        started = time.perf_counter()
        report = Report()
        source = source_from_text(text, display)
        self._sources[source.path] = source
        self._by_display[source.display] = source
        self._check_sources([source], report, None, 1)
        report.statistics.files = 1
        report.statistics.seconds = time.perf_counter() - started
        return report

    def trace(self, path: Path, line: int) -> list[TraceSection]:
        """Every reduction site whose statement covers ``line`` (1-based), reported or not, with its reasoning."""
        report = Report()
        sources = self.read([path], report)
        if not sources:
            return []
        return [
            self._section(judged)
            for judged in self._judged(sources, report, None, 1)
            if judged.source is sources[0] and judged.first_line <= line <= judged.last_line
        ]

    def inventory(self, files: Sequence[Path], progress: Progress | None = None) -> Inventory:
        """Every reduction in the files, right or wrong, with its status and what covers it."""
        from reduction_lint.inventory import chosen_sites

        report = Report()
        sources = self.read(files, report)
        by_source: dict[str, list[_Judged]] = {source.display: [] for source in sources}
        for judged in self._judged(sources, report, progress, len(files)):
            if judged.finding is not None and judged.source.display in by_source:
                by_source[judged.source.display].append(judged)
        sites: list[Site] = []
        for source in sources:
            found = by_source[source.display]
            reported = self._finish(source, [judged for judged in found if judged.status == "violation"])
            sites += chosen_sites([self._site(judged) for judged in found], reported)
        sites.sort(key=lambda site: site.finding.sort_key)
        return Inventory(sites, report.errors, report.limits)

    # -- reading ----------------------------------------------------------------------------------------------------

    def read(self, files: Sequence[Path], report: Report) -> list[Source]:
        """The files that can be read; what is wrong with the others goes to the report."""
        sources = []
        for path in files:
            try:
                sources.append(self._source(path))
            except SourceTooLarge as problem:
                report.limits.append(Limit(self._display(path), str(problem)))
            except SourceError as problem:
                report.errors.append(ReportError(self._display(path), str(problem)))
        return sources

    def _source(self, path: Path) -> Source:
        known = self._sources.get(path)
        if known is None:
            known = self._sources[path] = load_source(path, self._display(path))
            self._by_display[known.display] = known
        return known

    def _display(self, path: Path) -> str:
        """Relative to the working directory, with ``/``; absolute when it lies elsewhere."""
        try:
            return path.relative_to(self.cwd).as_posix()
        except ValueError:
            return path.as_posix()

    def set_content(self, path: Path, content: bytes) -> None:
        """Analyse these bytes in the place of what the file holds. Raises :class:`SourceError`."""
        source = source_from_bytes(content, self._display(path), path)
        self._sources[path] = source
        self._by_display[source.display] = source

    def _load_quietly(self, path: Path) -> Source | None:
        """A file that only serves as context: what cannot be read is no context."""
        try:
            return self._source(path)
        except (SourceError, SourceTooLarge):
            return None

    def _module_files(self, sources: Iterable[Source]) -> dict[str, tuple[Path, bool]]:
        """Dotted name -> (path, is a package) of every module of the project."""
        roots = [(self.root / src).resolve() for src in self.settings.src]
        paths = {source.path for source in sources}
        paths.update(self._project_files())
        names: dict[str, tuple[Path, bool]] = {}
        for path in sorted(paths):
            name = module_name(path, roots)
            names.setdefault(name.dotted, (path, name.is_package))
        return names

    def _project_files(self) -> list[Path]:
        return project_files(self.root, file_settings(self.settings))

    # -- checking ---------------------------------------------------------------------------------------------------

    def _check_sources(self, sources: list[Source], report: Report, progress: Progress | None, total: int) -> None:
        by_source: dict[str, list[_Judged]] = {source.display: [] for source in sources}
        for judged in self._judged(sources, report, progress, total):
            if judged.finding is not None and judged.source.display in by_source:
                by_source[judged.source.display].append(judged)
        for source in sources:
            report.findings += self._finish(source, by_source[source.display])
        report.findings.sort(key=lambda finding: finding.sort_key)

    def _check_shards(self, shards: list[list[Source]], report: Report, progress: Progress | None, jobs: int) -> None:
        """As :meth:`_check_sources`, but shard by shard."""
        total = sum(len(shard) for shard in shards)
        finished = 0

        def done(files: int) -> None:
            nonlocal finished
            finished += files
            if progress is not None:
                progress(finished, total)

        outcomes = solve_all(self, shards, jobs, done)
        by_source: dict[str, list[_Judged]] = {source.display: [] for shard in shards for source in shard}
        for verdict in merged(outcomes, shards, report):
            source = self._by_display[verdict.path]
            judged = _Judged(source, verdict.finding, verdict.first_line, verdict.last_line, verdict.status)
            by_source[verdict.path].append(judged)
        self.work = sum((outcome.work for outcome in outcomes), Work())
        for shard in shards:
            for source in shard:
                report.findings += self._finish(source, by_source[source.display])
        report.findings.sort(key=lambda finding: finding.sort_key)

    def solve(self, shard: Sequence[Source]) -> Outcome:
        """Everything that may have to be reported when these files are checked, in other files as well."""
        outcome = Outcome()
        for judged in self._judged(list(shard), outcome.report, None, len(shard)):
            if judged.finding is not None and (judged.status == "violation" or judged.finding.code == "RL112"):
                place = judged.source.display, judged.finding, judged.first_line, judged.last_line, judged.status
                outcome.verdicts.append(Verdict(*place))
        outcome.work = self.work
        return outcome

    def _judged(self, sources: list[Source], report: Report, progress: Progress | None, total: int) -> list[_Judged]:
        """Run the flow analysis and the checks; every site, reported or not."""
        wanted = [source for source in sources if self._matters(source)]
        problems = [judged for source in sources for judged in self._scan_problems(source, report)]
        if progress is not None:
            progress(total - len(wanted), total)
        if not wanted:
            return problems
        from reduction_lint.flow.solve import Solver

        files = self._module_files(sources)
        names = {path: name for name, (path, _) in files.items()}
        project = self._new_project(files)
        modules: list[Module] = []
        for number, source in enumerate(wanted):
            name = names.get(source.path, source.path.stem)
            module = project.module(name)
            if module is None or module.source is not source:
                module = project.add_module(name, files.get(name, (source.path, False))[1], source)
            modules.append(module)
            if progress is not None:
                progress(total - len(wanted) + number + 1, total)
        from reduction_lint.checks.run import drafts_of
        from reduction_lint.checks.scope import Scope

        self.work = project.work
        solved = Solver(project, lambda word: self._modules_with(word, files)).solve(modules)
        self._count(report, project, solved, wanted)
        scope = Scope(solved, project, modules, self.models, self.settings)
        found = [self._judge_draft(draft, project) for draft in drafts_of(scope)]
        return problems + [judged for judged in found if judged is not None]

    def _new_project(self, files: Mapping[str, tuple[Path, bool]]) -> Project:
        from reduction_lint.flow.project import Project

        return Project(self.models, files, self._load_quietly, self._declarations)

    def entry_places(self, files: Sequence[Path]) -> list[EntryPlaces]:
        """Every entry of the models with the number of places in these files where it matches."""
        from reduction_lint.checks.matches import entry_places

        sources = self.read(files, Report())
        known = self._module_files(sources)
        names = {path: name for name, (path, _) in known.items()}
        project = self._new_project(known)
        modules = [project.module(names.get(source.path, source.path.stem)) for source in sources]
        return entry_places(project, [module for module in modules if module is not None], self.models)

    def _matters(self, source: Source) -> bool:
        """Can anything be reported in this file? Test code asserts on reductions instead of doing them."""
        if is_test_code(source.path, self.root):
            return False
        return self._signals.matches(source.text.lower().encode("utf-8", "surrogatepass"))

    @cached_property
    def _signals(self) -> Prefilter:
        """One automaton over all words without one of which nothing can be reported in a file."""
        return Prefilter(word.lower() for word in self.models.signals() | self.models.context_words)

    def _modules_with(self, word: str, files: Mapping[str, tuple[Path, bool]]) -> list[str]:
        """Modules whose raw text holds a word (the name index of the solver)."""
        found = []
        for name, (path, _) in files.items():
            source = self._load_quietly(path)
            if source is not None and word in source.text:
                found.append(name)
        return found

    def _scan_problems(self, source: Source, report: Report) -> list[_Judged]:
        """RL001 for every chunk that does not parse. The interpreter clears most files fast; where it objects (newer syntax,
        deep nesting, real mistakes) the grammar of libcst decides, so that findings do not depend on the interpreter."""
        from reduction_lint.syntax.quiet import is_accepted

        if is_accepted(source.text):
            return []
        from reduction_lint.syntax.chunks import split
        from reduction_lint.syntax.parser import parse

        judged = []
        for chunk in split(source.text):
            problem = parse(chunk).problem
            if problem is not None and problem.limit:
                report.limits.append(Limit(source.display, f"line {problem.line}: {problem.message}"))
            elif problem is not None:
                where = Range.of(problem.line, problem.column, problem.line, problem.column + 1)
                finding = Finding("RL001", problem.message, source.display, where, value="", technique="tool")
                judged.append(_Judged(source, finding, problem.line, problem.line))
        return judged

    def _count(self, report: Report, project: Project, solved: Solved, wanted: Sequence[Source]) -> None:
        from reduction_lint.flow.events import Status
        from reduction_lint.flow.unit import Unit

        here = {source.display for source in wanted}
        units = [(event, event.place.function) for event in solved.events]
        events = [event for event, unit in units if isinstance(unit, Unit) and unit.path in here]
        report.statistics.files_parsed = len(wanted)
        report.statistics.functions = solved.functions
        report.statistics.reductions = len(events)
        report.statistics.captured = sum(
            bool(event.outcomes) and all(o.status is Status.CAPTURED for o in event.outcomes) for event in events
        )
        sites = {(unit.path, unit.function.qualname) for _, unit in units if isinstance(unit, Unit)}
        report.limits += [Limit(None, text) for text in dict.fromkeys(project.limits)]
        report.limits += [
            Limit(path, f"{name}: too many paths to keep all of them apart; some were merged")
            for path, name in dict.fromkeys(project.limited)
            if (path, name) in sites
        ]
        report.errors += [ReportError(path, message) for path, message in dict.fromkeys(project.crashes)]

    def _judge_draft(self, draft: Draft, project: Project) -> _Judged | None:
        place = self._place(draft.place)
        if place is None:
            return None
        source, where, first, last, symbol = place
        declared = {d.kind for d in self.directives(source).declared(first, last)}
        if "disposable" in declared and draft.code in ("RL303", "RL401", "RL402"):
            return None
        status = "view" if "view" in declared and draft.code.startswith("RL1") else draft.status
        from reduction_lint.fixes.gather import fixes_of

        rule = catalogue.rules()[draft.code]
        steps = [self._step(step.place, step.message) for step in draft.steps]
        trace = [step for step in steps if step is not None]
        trace.append(TraceStep(source.display, where, draft.message))
        severity = self.settings.severity_of(draft.code, draft.severity or rule.severity)
        finding = Finding(
            code=draft.code,
            message=draft.message,
            path=source.display,
            range=where,
            symbol=symbol,
            value=draft.value,
            confidence=draft.confidence,
            severity=severity,
            name=rule.name,
            rows=tuple(rule.rows),
            technique=draft.technique or rule.technique,
            trace=tuple(trace),
            help_uri=self._help(draft.code),
        )
        covered_by = None if draft.covered_by is None else self._step(draft.covered_by, "captured here: {}")
        if status == "violation" and draft.code in self.settings.codes:
            finding = replace(finding, fixes=fixes_of(draft, finding, source, project, self.settings))
        return _Judged(source, finding, first, last, status, covered_by)

    def _help(self, code: str) -> str:
        base = self.settings.docs_url
        return f"{base.rstrip('/')}/rules/{code}" if base else f"{catalogue.HELP_BASE}{code}"

    def _place(self, place: Place | Spot) -> tuple[Source, Range, int, int, str] | None:
        """(source, range, first and last line of the statement, symbol) of a place."""
        from reduction_lint.checks.draft import Spot
        from reduction_lint.flow.unit import Unit

        if isinstance(place, Spot):
            return place.source, place.range, place.first_line, place.last_line, place.symbol
        unit = place.function
        if not isinstance(unit, Unit) or not 0 <= place.site < len(unit.function.sites):
            return None
        source = self._by_display.get(unit.path)
        if source is None:
            return None
        parsed = unit.owner
        node, statement = unit.function.sites[place.site]
        where: Range = parsed.range_of(node)  # type: ignore[attr-defined]
        span: Range = parsed.range_of(statement) if statement is not None else where  # type: ignore[attr-defined]
        symbol = unit.function.qualname.partition("@")[0] or "<module>"
        return source, where, span.start.line, max(span.end.line, where.end.line), symbol

    def _step(self, place: Place | Spot, message: str) -> TraceStep | None:
        """A step with its range; ``{}`` in the message stands for the source text there."""
        located = self._place(place)
        if located is None:
            return None
        source, where = located[0], located[1]
        return TraceStep(source.display, where, message.replace("{}", excerpt(source.text, where)))

    def _section(self, judged: _Judged) -> TraceSection:
        finding = judged.finding
        assert finding is not None
        status = judged.status
        if status == "violation":
            status = "reported" if finding.code in self.settings.codes else "not selected"
        title = f"{finding.code} {finding.name}: {finding.value}".rstrip(": ")
        shown = finding if judged.status == "violation" else None
        return TraceSection(title, status, shown, finding.trace, (finding.message,))

    def _site(self, judged: _Judged) -> Site:
        """A judged place as an inventory shows it, in notebook coordinates."""
        assert judged.finding is not None
        finding = self._in_cell(judged.source, self._completed(judged.finding))
        shift = finding.range.start.line - judged.finding.range.start.line
        covered_by = judged.covered_by and _step_in_cell(judged.source, judged.covered_by)
        return Site(judged.status, finding, judged.first_line + shift, judged.last_line + shift, covered_by)

    # -- finishing --------------------------------------------------------------------------------------------------

    def _declarations(self, source: Source) -> Mapping[int, Mapping[str, object]]:
        directives = self.directives(source)
        table: dict[int, dict[str, object]] = {}
        for declaration in directives.declarations:
            if declaration.target is not None:
                table.setdefault(declaration.target, {})[declaration.kind] = (
                    declaration.names or declaration.phase or True
                )
        return table

    def directives(self, source: Source) -> Directives:
        """What the comments of a file say."""
        if source.display not in self._directives:
            self._directives[source.display] = parse_directives(source.text)
        return self._directives[source.display]

    def _finish(self, source: Source, judged: list[_Judged]) -> list[Finding]:
        """Suppressions, selection and places in cells for the findings of one file."""
        ignored = self.settings.ignored_in(source.path)
        codes = self.settings.codes - ignored
        lines = {id(j.finding): (j.first_line, j.last_line) for j in judged}
        chosen = [
            j.finding
            for j in judged
            if j.finding is not None
            and j.finding.code in codes
            and (j.status == "violation" or j.finding.code == "RL112")
        ]
        findings = apply(
            chosen,
            self.directives(source),
            path=source.display,
            ran={code for code in codes if catalogue.rules()[code].checked},
            statement_lines=lambda f: lines.get(id(f), (f.range.start.line, f.range.end.line)),
            is_unsuppressable=self.settings.is_unsuppressable,
        )
        return [self._in_cell(source, finding) for finding in _numbered(map(self._completed, findings))]

    def _completed(self, finding: Finding) -> Finding:
        """Name, rows, technique, link and fingerprint for findings that were made elsewhere."""
        rule = catalogue.rules()[finding.code]
        digest = hashlib.sha256(
            "\0".join(
                (finding.code, self._rooted(finding.path), finding.symbol, finding.value, finding.technique)
            ).encode()
        ).hexdigest()[:16]
        return replace(
            finding,
            name=rule.name,
            rows=tuple(rule.rows),
            help_uri=finding.help_uri or self._help(finding.code),
            fingerprint=finding.fingerprint or digest,
        )

    def _rooted(self, display: str) -> str:
        """A shown path relative to the project root, so that fingerprints do not depend on the working directory."""
        path = self.cwd / display
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else display

    @staticmethod
    def _in_cell(source: Source, finding: Finding) -> Finding:
        if source.cells is None:
            return finding
        cell, where = source.locate(finding.range)
        trace = tuple(_step_in_cell(source, step) for step in finding.trace)
        return replace(finding, cell=cell, range=where, trace=trace, fixes=_fixes_in_cell(source, finding, cell))


@dataclass(frozen=True, slots=True)
class _Judged:
    """A site with its verdict, in the coordinates of the analysed text."""

    source: Source
    finding: Finding | None
    first_line: int
    last_line: int
    status: str = "violation"
    covered_by: TraceStep | None = None


def _step_in_cell(source: Source, step: TraceStep) -> TraceStep:
    if step.path != source.display:
        return step
    cell, where = source.locate(step.range)
    return replace(step, cell=cell, range=where)


def _fixes_in_cell(source: Source, finding: Finding, cell: int | None) -> tuple[Fix, ...]:
    """The fixes whose edits all lie in the finding's cell, with places in it."""
    kept = []
    for fix in finding.fixes:
        located = [source.locate(edit.range) for edit in fix.edits]
        if all(number == cell for number, _ in located):
            edits = zip(fix.edits, located, strict=True)
            kept.append(replace(fix, edits=tuple(replace(edit, range=where) for edit, (_, where) in edits)))
    return tuple(kept)


def excerpt(text: str, where: Range, width: int = 60) -> str:
    """The source text of a range on one line, at most ``width`` characters."""
    lines = _lines(text)[where.start.line - 1 : where.end.line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: where.end.column - 1]
    lines[0] = lines[0][where.start.column - 1 :]
    joined = " ".join(line.strip() for line in lines)
    return joined if len(joined) <= width else joined[: width - 1] + "…"


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    """The lines of a text; many steps of one file are quoted one after the other."""
    return text.split("\n")


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    """Tell equal findings of one symbol apart: the second and later ones get their ordinal into the fingerprint."""
    seen: Counter[str] = Counter()
    result = []
    for finding in findings:
        seen[finding.fingerprint] += 1
        ordinal = seen[finding.fingerprint]
        if ordinal > 1:
            digest = hashlib.sha256(f"{finding.fingerprint}\0{ordinal}".encode()).hexdigest()[:16]
            finding = replace(finding, fingerprint=digest)
        result.append(finding)
    return result


def is_test_code(path: Path, root: Path) -> bool:
    """Is this a test module (by file name), or does it lie in a ``tests`` folder of the project?"""
    name = path.name
    if name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py":
        return True
    try:
        folders = path.relative_to(root).parts[:-1]
    except ValueError:
        return False
    return "tests" in folders or "test" in folders


def file_settings(settings: Settings) -> FileSettings:
    """The part of the settings that says which files are seen."""
    chosen = {
        name: getattr(settings, name)
        for name in ("include", "exclude", "extend_exclude", "respect_gitignore", "force_exclude")
        if getattr(settings, name) is not None
    }
    return FileSettings(**chosen)


__all__ = ["Analysis", "Confidence", "Severity", "TraceSection"]
