"""The driver: which functions are interpreted, and who answers for what they leave open.

Starts at the chunks that hold a reduction or a capped call, interprets them (callees on demand), then looks for callers of
every function that reduces something it was given, level by level, until the obligations are settled or the bound is reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from reduction_lint.flow.cap_users import follow as follow_caps
from reduction_lint.flow.events import CappedCall, Event, Status
from reduction_lint.flow.impurity import Impurity
from reduction_lint.flow.plan import may_reduce
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.select import Selector
from reduction_lint.flow.surroundings import captured_on_arrival, interpret_wrappers
from reduction_lint.flow.unit import Obligation, Summary, Unit
from reduction_lint.syntax.chunks import Chunk
from reduction_lint.syntax.parser import deep_stack, no_collection

MAX_LEVELS = 4
MAX_CALLERS = 60


@dataclass(slots=True)
class Solved:
    """The facts the checks work on."""

    events: list[Event] = field(default_factory=list)
    capped: list[CappedCall] = field(default_factory=list)
    impurities: list[Impurity] = field(default_factory=list)
    functions: int = 0
    problems: list[tuple[Module, Chunk]] = field(default_factory=list)


class Solver:
    """Runs the analysis of a set of modules within a project."""

    def __init__(self, project: Project, search: Callable[[str], Iterable[str]] | None = None) -> None:
        """``search`` gives the names of modules whose text holds a word; default: the modules loaded so far."""
        self.project = project
        self.selector = Selector(project.models)
        self.search = search or (lambda word: list(project.modules))

    def solve(self, modules: Iterable[Module]) -> Solved:
        """Interpret what matters in ``modules`` and settle the obligations."""
        # Everything made here lives until the end: collecting would only walk it again and again.
        with deep_stack(), no_collection():
            return self._solve(modules)

    def _solve(self, modules: Iterable[Module]) -> Solved:
        solved = Solved()
        relevance = self.project.relevance
        for module in modules:
            mentioned = relevance.reducing.mentioned(module.source.text)
            for chunk in module.chunks:
                taints = chunk.kind != "class" and relevance.may_taint(chunk)
                named = self.selector.wants(chunk.text) or relevance.holds_conversation(chunk)
                if chunk.kind == "class" or not (taints or named or self._declared(chunk.text)):
                    continue
                if not taints and not relevance.can_reduce(chunk, mentioned) and not self._declared(chunk.text):
                    continue
                unit = self.project.unit_of(module, chunk)
                if unit is None:
                    if self.project.parse(chunk).problem is not None:
                        solved.problems.append((module, chunk))
                    continue
                if taints or self._declared(chunk.text) or may_reduce(unit.function, self.selector.interesting):
                    self.project.summarise(unit)
        follow_caps(self.project)
        for name in sorted(self.project.declared_reducers):
            self._interpret_callers(name)
        self._settle_in_callers()
        self._close()
        self._judge_arrivals()
        self.project.events.caps.join()
        solved.events = self.project.events.all()
        solved.impurities = list(self.project.events.impurities.values())
        for interpreter in self.project.interpreters.values():
            solved.capped += interpreter.capped.values()
        solved.functions = len(self.project.summaries)
        return solved

    def _declared(self, text: str) -> bool:
        """Does the text name something that a comment declares to hold conversation, or to be a probe?"""
        classifier = self.project.classifier
        return any(name in text for name in (*classifier.declared, *classifier.declared_probes))

    def _judge_arrivals(self) -> None:
        """A list whose every entry was captured when it came in loses nothing when it is cut."""
        for event in self.project.events.all():
            if event.conversation and any(o.status is Status.UNCAPTURED for o in event.outcomes):
                verdict = captured_on_arrival(self.project, event)
                if verdict is not None:
                    kept = [o for o in event.outcomes if o.status is not Status.UNCAPTURED]
                    event.outcomes[:] = [*kept, verdict]

    def _open_summaries(self) -> list[Summary]:
        return [
            s
            for s in self.project.summaries.values()
            if s is not None
            and (
                s.returns_cut
                or any(id(o) not in self.project.events.settled for o in s.obligations)
                or any(not impurity.answered for impurity, _ in s.impure)
            )
        ]

    def _settle_in_callers(self) -> None:
        searched: set[str] = set()
        for _ in range(MAX_LEVELS):
            owners: dict[str, list[Unit]] = {}
            for summary in self._open_summaries():
                owners.setdefault(summary.unit.function.name, []).append(summary.unit)
            names = owners.keys() - searched - {"<module>", "<lambda>"}
            if not names:
                return
            searched |= names
            for summary in self._open_summaries():
                if summary.unit.function.decorators:
                    interpret_wrappers(self.project, summary)
            for name in sorted(names):
                self._interpret_callers(name, owners[name])

    def _interpret_callers(self, name: str, owners: Sequence[Unit] = ()) -> None:
        """Interpret what calls a function of that name, in modules that can know one of its ``owners``."""
        call = re.compile(rf"\b{re.escape(name)}\s*\(|\b{re.escape(name)}\b\s*[,)]")
        found = 0
        for module_name in self.search(name):
            module = self.project.module(module_name)
            if module is None or (owners and not any(_knows(module, owner) for owner in owners)):
                continue
            for chunk in module.chunks:
                if chunk.kind == "class" or name not in chunk.text or chunk.name == name or not call.search(chunk.text):
                    continue
                unit = self.project.unit_of(module, chunk)
                if unit is not None:
                    self.project.summarise(unit)
                found += 1
                if found >= MAX_CALLERS:
                    self.project.limits.append(f"callers of {name}: only the first {MAX_CALLERS} were followed")
                    return

    def _close(self) -> None:
        """Obligations that nobody answered are judged without a caller in view."""
        for summary in list(self.project.summaries.values()):
            for obligation in summary.obligations if summary is not None else ():
                if id(obligation) not in self.project.events.settled:
                    self._unanswered(summary.unit, obligation)  # type: ignore[union-attr]

    @staticmethod
    def _unanswered(unit: Unit, obligation: Obligation) -> None:
        template = obligation.template
        assert isinstance(template, tuple)
        outcome = template[0]
        event = obligation.event
        start = obligation.original
        while start.ops and start.kind.value in ("attr", "item", "element", "reduced", "rendering", "concat"):
            start = start.ops[0]
        plain = start.name != unit.self_name
        event.owned_by_caller = event.owned_by_caller or plain
        event.open_in_callers = event.open_in_callers or plain
        event.add(outcome)


def _knows(module: Module, unit: Unit) -> bool:
    """Can code of a module reach a function? Its class or its module must be named there, or the function imported."""
    if module.name == unit.module:
        return True
    text = module.source.text
    if unit.class_name:
        return unit.class_name.rpartition(".")[2] in text
    return unit.function.name in module.imports.names or unit.module.rpartition(".")[2] in text
