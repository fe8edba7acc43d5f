"""RL103 and RL104 for home-made pruning: parts of a text are scored, and only some of them go on.

What compressors of libraries do is followed by the flow analysis (:mod:`reduction_lint.checks.reductions`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.checks.banned.marks import before, function_of
from reduction_lint.checks.banned.prompts import model_calls, users_of
from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Frame, Page, last_name
from reduction_lint.checks.scope import Scope
from reduction_lint.findings import Confidence
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.prefilter import Prefilter

_ORDERS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
_BYTES = frozenset(["zlib", "gzip", "bz2", "lzma", "zstandard", "lz4", "snappy", "brotli"])


def home_made_pruning(scope: Scope) -> list[Draft]:
    """RL103 and RL104 for every module whose text can hold pruning."""
    pruning = scope.models.pruning
    units, scores = Prefilter(pruning.stems), Prefilter(pruning.score_stems)
    drafts: list[Draft] = []
    for module in scope.modules:
        text = module.source.text.lower().encode("utf-8", "surrogatepass")
        if units.matches(text) and scores.matches(text):
            pruners = Pruners(scope.pages.of(module), scope.models)
            drafts += [*pruners.drafts(), *pruners.installed()]
    return drafts


@dataclass(frozen=True, slots=True)
class _Site:
    """Where text is pruned: the node, the text, and the statement's targets."""

    node: ast.AST
    frame: Frame
    names: frozenset[str]
    targets: tuple[ast.expr, ...] = ()


class Pruners:
    """The pruning sites of one module."""

    def __init__(self, page: Page, models: Models) -> None:
        self.page = page
        self.models = models
        self.names = models.pruning
        self._prunes: dict[ast.AST, bool] = {}

    def drafts(self) -> list[Draft]:
        """One finding for each pruning: where the pruned text takes the original's name, else where it is made."""
        calls = [site for frame in self.page.functions() for site in self._calls(frame)]
        answered = {function_of(site.node.func, site.frame) for site in calls if isinstance(site.node, ast.Call)}
        own = [
            site
            for frame in self.page.functions()
            if frame not in answered and self._has_text(frame)
            for site in self._filters(frame)
        ]
        sites = (*calls, *own, *self._called_objects())
        return [draft for site in sites if (draft := self._judge(site)) is not None]

    def _judge(self, site: _Site) -> Draft | None:
        stored = any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in site.targets)
        label = min(site.names, default="")
        if self._captured(site):
            if not stored:
                return None
            message = f"`{label}` is pruned and only what is left is kept in the original's place"
            return Draft(
                "RL104", self.page.spot(site.node), message, label, Confidence.MEDIUM, None, "hard-compression"
            )
        message = f"`{label}` is pruned and no path captures the full original first"
        return Draft("RL103", self.page.spot(site.node), message, label, Confidence.MEDIUM, None, "hard-compression")

    # -- compressors of libraries that are handed to something else ----------------------------------------------------

    def installed(self) -> Iterator[Draft]:
        """A compressor object that is given to a retriever, an engine or a pipeline, which will call it."""
        for node in list(self.page.parents):
            if isinstance(node, ast.Call) and self._is_compressor(node) and self._is_handed_on(node):
                name = last_name(node.func.value) if last_name(node).startswith("from_") else last_name(node)  # type: ignore[attr-defined]
                message = (
                    f"`{name}` is put between the documents and the model, and nothing captures what it leaves out"
                )
                yield Draft("RL103", self.page.spot(node), message, name, Confidence.MEDIUM, None, "hard-compression")

    def _is_compressor(self, node: ast.Call) -> bool:
        made = self.page.qualified(node, self.page.frame_of(node))
        methods = ("postprocess_nodes", "compress_documents", "transform_documents")
        hits = (self.models.reducers.exact.get(f"{made}.{method}") for method in methods) if made else ()
        return any(hit is not None and hit.technique == "hard-compression" and hit.installs for hit in hits)

    def _called_objects(self) -> Iterator[_Site]:
        """Compressors that are called like functions: ``short, removed = selective(text)``."""
        for node in list(self.page.parents):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            frame = self.page.frame_of(node)
            objects = [value for value, _ in self.page.definitions(node.func, frame) if isinstance(value, ast.Call)]
            made = self.page.qualified(node.func, frame) if objects else ""
            hit = self.models.reducers.exact.get(f"{made}.__call__") if made else None
            if hit is not None and hit.technique == "hard-compression":
                statement = self.page.statement_of(node)
                targets = tuple(_targets(statement)) if isinstance(statement, (ast.Assign, ast.AnnAssign)) else ()
                yield _Site(node, frame, _names_in(node.args[0]), targets)

    def _is_handed_on(self, node: ast.Call) -> bool:
        """Is the object an argument of a call, itself, in a list or under its name, and of no compressor?"""
        frame = self.page.frame_of(node)
        statement = self.page.statement_of(node)
        names = (
            {last_name(t) for t in _targets(statement)} if isinstance(statement, (ast.Assign, ast.AnnAssign)) else set()
        )
        for call in (n for n in ast.walk(frame.node) if isinstance(n, ast.Call) and n is not node):
            values = [*call.args, *(keyword.value for keyword in call.keywords)]
            inside = [inner for value in values for inner in ast.walk(value)]
            if node in inside or any(isinstance(n, ast.Name) and n.id in names for n in inside):
                dotted = self.page.name_of(call, frame)
                hit = self.models.reducers.find((dotted,), last_name(call), ()) if dotted else None
                return hit is None and not self._is_compressor(call)
        return False

    # -- where units are left out -----------------------------------------------------------------------------------

    def _has_text(self, frame: Frame) -> bool:
        """Does a function work on text that a model reads, by its parameters or its name?"""
        return any(self.names.texts.match(name) for name in (*frame.params, frame.name))

    def _filters(self, frame: Frame) -> Iterator[_Site]:
        """Loops and comprehensions of a function that keep the units whose score is good enough."""
        for node in ast.walk(frame.node):
            if self.page.frame_of(node) is not frame:
                continue
            if isinstance(node, ast.For) and self._is_filter_loop(node, frame):
                yield _Site(node, frame, _names_in(node.iter) or frozenset(frame.params))
            elif isinstance(node, (ast.ListComp, ast.GeneratorExp)) and self._is_filter(node, frame):
                yield _Site(node, frame, _names_in(node.generators[0].iter))

    def _is_filter(self, node: ast.ListComp | ast.GeneratorExp, frame: Frame) -> bool:
        loop = node.generators[0]
        if not self._is_unit(node.elt, loop.target, loop.iter, frame):
            return False
        if any(self._chooses(test, frame) for test in loop.ifs):
            return self._goes_on_as_text(node, frame)
        chosen = isinstance(node.elt, ast.Subscript) and self.names.selections.match(last_name(loop.iter))
        return chosen and self._goes_on_as_text(node, frame)

    def _is_filter_loop(self, node: ast.For, frame: Frame) -> bool:
        """``for unit, score in …: if score >= threshold: kept.append(unit)``."""
        for statement in node.body:
            if not isinstance(statement, ast.If) or not self._chooses(statement.test, frame):
                continue
            for call in (c for c in ast.walk(statement) if isinstance(c, ast.Call)):
                if last_name(call) == "append" and call.args and isinstance(call.func, ast.Attribute):
                    unit = self._is_unit(call.args[0], node.target, node.iter, frame)
                    if unit and self._kept_as_text(last_name(call.func.value), frame):
                        return True
        return False

    def _is_unit(self, kept: ast.expr, target: ast.expr, source: ast.expr, frame: Frame) -> bool:
        """Is what is kept a part of a text, by its name, by that of its source, or because a text was split into it?"""
        names = _names_in(kept) | (_names_in(source) if not isinstance(kept, ast.Constant) else frozenset())
        if any(self.names.units.match(name) for name in names):
            return True
        return any(
            isinstance(n, ast.Call)
            and last_name(n) in ("split", "splitlines", "sent_tokenize", "word_tokenize", "split_text")
            for n, _ in self.page.origins(source, frame, 80)
        )

    def _chooses(self, test: ast.expr, frame: Frame) -> bool:
        """Does a test compare a score with a threshold, or look at a flag for the unit?"""
        for node in ast.walk(test):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], _ORDERS):
                sides = [self._names_of(node.left, frame), self._names_of(node.comparators[0], frame)]
                scored = [any(self.names.scores.match(n) for n in side) for side in sides]
                limited = [any(self.names.thresholds.match(n) for n in side) for side in sides]
                number = isinstance(node.comparators[0], ast.Constant) and isinstance(node.comparators[0].value, float)
                if (
                    (scored[0] and (limited[1] or number))
                    or (scored[1] and limited[0])
                    or (limited[1] and sides[0] & {"p", "s"})
                ):
                    return True
            elif isinstance(node, ast.Subscript) and self.names.selections.match(last_name(node.value)):
                return True
        return False

    def _names_of(self, value: ast.expr, frame: Frame, limit: int = 40) -> frozenset[str]:
        """The names in a value and in what they are bound to."""
        found = (n for n, _ in self.page.origins(value, frame, limit) if isinstance(n, (ast.Name, ast.Attribute)))
        return frozenset(last_name(node) for node in found)

    def _goes_on_as_text(self, node: ast.AST, frame: Frame) -> bool:
        """Is what is kept joined, returned, or bound to a name that says so?"""
        for above in self.page.ancestors(node):
            if isinstance(above, ast.Call) and last_name(above) == "join":
                return True
            if isinstance(above, ast.Return):
                return self.names.pruners.match(frame.name) or self._has_text(frame)
            if isinstance(above, (ast.Assign, ast.AnnAssign)):
                targets = above.targets if isinstance(above, ast.Assign) else [above.target]
                return any(self._kept_as_text(last_name(target), frame) for target in targets)
        return False

    def _kept_as_text(self, name: str, frame: Frame) -> bool:
        if self.names.pruned.match(name) or self.names.texts.match(name):
            return True
        joins = (n for n in ast.walk(frame.node) if isinstance(n, ast.Call) and last_name(n) == "join")
        return any(isinstance(n, ast.Name) and n.id == name for join in joins for n in ast.walk(join))

    # -- where pruned text takes the original's place ---------------------------------------------------------------

    def _calls(self, frame: Frame) -> Iterator[_Site]:
        """Calls of functions of the project that prune, whose result replaces what was given or is named as pruned."""
        for node in ast.walk(frame.node):
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or self.page.frame_of(node) is not frame:
                continue
            call = node.value.value if isinstance(node.value, ast.Await) else node.value
            if not isinstance(call, ast.Call):
                continue
            targets = _targets(node)
            values = [*call.args, *(keyword.value for keyword in call.keywords)]
            given = frozenset(name for value in values for name in self._names_of(value, frame, 200))
            texts = frozenset(name for name in given if self.names.texts.match(name))
            names = {last_name(target) for target in targets}
            replaced = bool(names & texts)
            called = any(self.names.pruned.match(name) for name in names) and self.names.pruners.match(last_name(call))
            if texts and (replaced or called) and self._is_pruner(function_of(call.func, frame), last_name(call)):
                yield _Site(call, frame, frozenset(names & texts) or texts, tuple(targets))

    def _is_pruner(self, function: Frame | None, name: str) -> bool:
        if function is None:
            return False
        known = self._prunes.get(function.node)
        if known is None:
            self._prunes[function.node] = False
            own = Pruners(function.page, self.models) if function.page is not self.page else self
            known = not own._is_other(function) and (
                self.names.pruners.match(name) or any(True for _ in own._filters(function))
            )
            self._prunes[function.node] = known
        return known

    def _is_other(self, function: Frame) -> bool:
        """Does a function pack bytes, call a compressor that is known (and followed elsewhere), or ask a model?"""
        page = function.page
        inside = set(ast.walk(function.node))
        if any(isinstance(node, ast.Name) and node.id in _BYTES for node in inside):
            return True
        if any(call in inside for call, _ in model_calls(page, self.models)):
            return True
        for node in inside:
            if isinstance(node, ast.Call):
                asked = last_name(node)
                if self.models.caches.names.askers.match(asked) and not asked.endswith("model"):
                    return True
                dotted = page.name_of(node, page.frame_of(node))
                hit = self.models.reducers.find((dotted,) if dotted else (), last_name(node), ())
                own = function_of(node.func, page.frame_of(node)) is not None
                if hit is not None and hit.entry.technique == "hard-compression" and not own:
                    return True
        return False

    # -- captures ---------------------------------------------------------------------------------------------------

    def _captured(self, site: _Site) -> bool:
        """Was the text recorded before, on every path here or in all callers?"""
        if any(self._captures(statement, site) for statement in before(site.node, site.frame)):
            return True
        callers = [user for user in users_of(site.frame.name, self.page) if user is not site.frame]
        return bool(callers) and all(self._captures(user.node, None, user) for user in callers)

    def _captures(self, statement: ast.AST, site: _Site | None, frame: Frame | None = None) -> bool:
        scope = site.frame if site is not None else frame
        assert scope is not None
        if site is not None and isinstance(statement, (ast.If, ast.For, ast.While, ast.Try)):
            return False
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            dotted = scope.page.name_of(call, scope)
            receiver = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            hit = self.models.captures.find(
                (dotted,) if dotted else (), last_name(call), (receiver,) if receiver else ()
            )
            if hit is None or not hit.entry.durable or not hit.entry.lossless:
                continue
            given = frozenset(name for value in call.args for name in _names_in(value))
            if site is None or given & (site.names | self._roots(site)):
                return True
        return False

    def _roots(self, site: _Site) -> frozenset[str]:
        """The names that the pruned text was made from."""
        found: set[str] = set(site.names)
        for name in site.names:
            for value, scope in self.page.values(name, site.frame):
                found |= {last_name(n) for n, _ in self.page.origins(value, scope, 60) if isinstance(n, ast.Name)}
        return frozenset(found)


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    """The targets of an assignment, tuples taken apart."""
    found: list[ast.expr] = []
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        found += target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return found


def _names_in(node: ast.AST) -> frozenset[str]:
    """Names and attributes in an expression."""
    return frozenset(last_name(n) for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)))
