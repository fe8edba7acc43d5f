"""Sharper selection before anything is parsed with libcst: a structural test with ``ast`` and a text test for callees.

Both over-approximate. What ``ast`` of the running interpreter rejects counts as selected, so that findings do not depend on the
interpreter's version. ``ast`` costs about a tenth of a libcst parse, which is why it pays to look first.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reduction_lint.flow.reducing_calls import ReducingCalls
from reduction_lint.flow.tainting import Tainting
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.chunks import Chunk
from reduction_lint.syntax.quiet import parse_ast

_GATHERERS = frozenset({"append", "appendleft", "add", "extend", "insert"})
_REMOVERS = frozenset({"pop", "popleft", "popitem", "clear", "remove"})
_PRECISION = re.compile(r"\.\d+s?$|\.$")
_COMMON = frozenset(
    [
        "append",
        "add",
        "insert",
        "extend",
        "set",
        "get",
        "update",
        "put",
        "push",
        "send",
        "log",
        "create",
        "run",
        "print",
        "read",
        "text",
        "content",
    ]
)
_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__", "__setstate__", "__enter__"})
SHORT = 12
"""Lines up to which a callee is always interpreted: thin wrappers are where captures hide."""


class Relevance:
    """Answers for chunks of code whether they can matter."""

    def __init__(self, models: Models) -> None:
        self._callees: dict[int, bool] = {}
        self._tainted: dict[int, bool] = {}
        self._tainting = Tainting(models)
        self.named = models.named_sources
        self.calls = (models.sources.words | models.calls.words | libraries_of(models)) - _COMMON
        self.reducing = ReducingCalls(models)
        self.caps = models.cap_words
        self.summarisers = models.names.summarisers
        self.context_classes = models.names.context_classes
        self.members = models.names.members
        captures = sorted({w for w in models.captures.words if w not in _COMMON}, key=len, reverse=True)
        verbs = (
            r"write|dump|save|store|record|capture|persist|archive|log_turn|execute|commit|upload|flush|journal|backup"
        )
        self._callee = re.compile(
            rf"\.\w*(?:{verbs})\w*\(|\b\w*(?:{verbs})\w*\(|\bopen\(|file=|\.(?:{'|'.join(map(re.escape, captures))})\("
            r"|\[[^\[\]\n]{0,60}:[^\[\]\n]{0,60}\]|\.(?:pop|popleft|clear|remove)\(|\bdel\s|summar|compact|compress|trunc|trim"
            rf"|\b(?:{'|'.join(map(re.escape, sorted(self.caps)))})\b"
            rf"|[\"']role[\"']|\b(?:{'|'.join(sorted(w for w in models.sinks.words if w[:1].isupper() and w.isidentifier()))})\("
        )

    def can_reduce(self, chunk: Chunk, mentioned: frozenset[str]) -> bool:
        """May the chunk hold a reduction of context, or a capped call?

        What is sliced, popped, deleted, filtered or stored must be named like context, come from a known source, or be
        bound (through any number of local names) to something that is. ``mentioned`` is what
        :meth:`ReducingCalls.mentioned` says of the file.
        """
        tree = _tree(chunk)
        if tree is None:
            return True
        shape = _Shape()
        for node in ast.walk(tree):
            if self._always(node):
                return True
            if isinstance(node, ast.Call):
                matters = self._call_matters(node, mentioned)
                if matters:
                    return True
                if matters is None:
                    shape.reduced.append(node)
            shape.note(node)
        if shape.drains or not (shape.reduced or shape.stored):
            return shape.drains
        constructor = chunk.name in _CONSTRUCTORS
        if any(self._stores_context(target, value, shape, constructor) for target, value in shape.stored):
            return True
        aliases = self._aliases(shape.bound)
        reduced = (*shape.reduced, *(target for target, _ in shape.stored if _is_computed_item(target)))
        members = self.holds_conversation(chunk)
        return any(
            name in aliases or self._is_context(name) or (members and self.members.match(name.lstrip("_")))
            for expr in reduced
            for name in _names_in(expr)
        )

    def may_taint(self, chunk: Chunk) -> bool:
        """May the chunk put something into a transcript that does not belong there, or take the marker out of a text?"""
        known = self._tainted.get(id(chunk))
        if known is None:
            known = self._tainted[id(chunk)] = self._tainting.may_taint(chunk.text)
        return known

    def holds_conversation(self, chunk: Chunk) -> bool:
        """Does the chunk belong to a class whose name says that it keeps a conversation?"""
        return bool(chunk.class_path) and self.context_classes.match(chunk.class_path[-1])

    def _aliases(self, bound: list[tuple[frozenset[str], ast.AST]]) -> set[str]:
        """Local names that are bound to something that holds context (three rounds reach through other names)."""
        aliases: set[str] = set()
        sources = [(targets, set(_names_in(value))) for targets, value in bound]
        for _ in range(3):
            before = len(aliases)
            for targets, names in sources:
                if not targets <= aliases and any(name in aliases or self._is_context(name) for name in names):
                    aliases |= targets
            if len(aliases) == before:
                break
        return aliases

    def callee_matters(self, chunk: Chunk) -> bool:
        """May a call of this function capture, reduce, cap a model's answer, or hand back what it was given?"""
        known = self._callees.get(id(chunk))
        if known is None:
            known = chunk.text.count("\n") <= SHORT or self._callee.search(chunk.text) is not None
            known = known or self.may_taint(chunk)
            self._callees[id(chunk)] = known
        return known

    def _is_context(self, name: str) -> bool:
        return name in self.calls or self.named.find(name) is not None

    def _call_matters(self, node: ast.Call, mentioned: frozenset[str]) -> bool | None:
        """True: a reducer or a summariser. None: it is one if it gets context."""
        name = _called(node)
        return self.summarisers.match(name) or self.reducing.matters(node, name, mentioned)

    def _always(self, node: ast.AST) -> bool:
        """Caps matter wherever they stand."""
        if isinstance(node, ast.keyword):
            return node.arg in self.caps or node.arg == "maxlen"
        if isinstance(node, ast.Attribute):
            return node.attr in self.caps and isinstance(node.ctx, ast.Store)
        return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in self.caps

    def _stores_context(self, target: ast.AST, value: ast.AST, shape: _Shape, constructor: bool) -> bool:
        """``self.messages = …``, ``message["content"] = …``: what is stored may come from a helper that reduces."""
        name = target.attr if isinstance(target, ast.Attribute) else _literal_key(target)
        if name is None or not (name in ("value", "text") or self.named.find(name) is not None):
            return False
        return shape.may_lose(value, constructor)


def _literal_key(target: ast.AST) -> str | None:
    """The text in ``message["content"]``."""
    key = target.slice if isinstance(target, ast.Subscript) else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None


def _is_computed_item(target: ast.AST) -> bool:
    return isinstance(target, ast.Subscript) and _literal_key(target) is None


def _tree(chunk: Chunk) -> ast.AST | None:
    try:
        return parse_ast("class _:\n" + chunk.text if chunk.class_path else chunk.text)
    except SyntaxError:
        return None


def libraries_of(models: Models) -> frozenset[str]:
    """Names of the libraries that context comes from: ``requests``, ``subprocess``, ``openai`` …"""
    return frozenset(
        name.partition(".")[0] for table in (models.sources, models.calls) for name in table.exact if "." in name
    )


class _Shape:
    """What a chunk binds, stores and takes parts of."""

    def __init__(self) -> None:
        self.bound: list[tuple[frozenset[str], ast.AST]] = []
        self.stored: list[tuple[ast.AST, ast.AST]] = []
        self.reduced: list[ast.AST] = []
        self.drains = False
        """Holds a ``while`` that gathers and leaves out: what it gathers comes from a queue or stream, under any name."""

    def note(self, node: ast.AST) -> None:
        """Collect one node."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            self.reduced.append(node.value)
        elif isinstance(node, ast.Delete):
            self.reduced.extend(node.targets)
        elif isinstance(node, ast.comprehension):
            self._bind(node.target, node.iter)
            if node.ifs:
                self.reduced.append(node.iter)
        elif isinstance(node, ast.FormattedValue):
            if node.format_spec is not None and _has_precision(node.format_spec):
                self.reduced.append(node.value)
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _REMOVERS:
                self.reduced.append(node.func.value)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None:
                self._bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._bind(node.target, node.iter)
            if _leaves_out(node):
                self.reduced.append(node.iter)
        elif isinstance(node, ast.While):
            self.drains = self.drains or _leaves_out(node)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind(node.optional_vars, node.context_expr)

    def _bind(self, target: ast.AST, value: ast.AST) -> None:
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            self.stored.append((target, value))
            return
        names = frozenset(n.id for n in ast.walk(target) if isinstance(n, ast.Name))
        if names:
            self.bound.append((names, value))

    def may_lose(self, value: ast.AST, constructor: bool, depth: int = 0) -> bool:
        """Can a stored value be a reduced form, or empty? Names that are only passed on and telling literals are not."""
        if isinstance(value, ast.Constant):
            return not constructor and not value.value and not isinstance(value.value, (bool, int, float))
        if isinstance(value, ast.Name):
            made = [inner for targets, inner in self.bound if value.id in targets]
            return depth > 3 or any(self.may_lose(inner, constructor, depth + 1) for inner in made)
        if isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
            return not constructor or any(isinstance(inner, ast.expr) for inner in ast.iter_child_nodes(value))
        return not isinstance(value, ast.Compare)


def _leaves_out(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Does a loop gather, with a comparison of sizes that may leave something out?"""
    inside = [inner for statement in loop.body for inner in ast.walk(statement)]
    gathers = any(
        isinstance(n, ast.AugAssign)
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in _GATHERERS)
        for n in inside
    )
    return gathers and any(
        isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.Lt, ast.Gt, ast.LtE, ast.GtE)) for n in inside
    )


def _called(node: ast.Call) -> str:
    func = node.func
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _names_in(node: ast.AST) -> Iterator[str]:
    """Identifiers and literal keys in an expression."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str) and len(inner.value) < 40:
            yield inner.value


def _has_precision(spec: ast.expr) -> bool:
    values = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    return any(
        isinstance(v, ast.Constant) and isinstance(v.value, str) and _PRECISION.search(v.value) is not None
        for v in values
    )
