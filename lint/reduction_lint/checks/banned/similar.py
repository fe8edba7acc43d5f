"""Where a function looks for something near to a prompt and hands back what was stored with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.banned.prompts import model_calls
from reduction_lint.checks.reading import Frame, last_name
from reduction_lint.knowledge.caches import SimilarNames
from reduction_lint.knowledge.models import Models

_ORDERS = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)


class Similar:
    """The similarity look-ups of one function and the answers that come from them."""

    def __init__(self, frame: Frame, models: Models) -> None:
        self.frame = frame
        self.page = frame.page
        self.models = models
        self.names: SimilarNames = models.caches.names
        self.nodes = list(_own_nodes(frame))

    def hits(self) -> list[ast.Return]:
        """The returns that hand out the stored answer of a near prompt."""
        if self.names.not_answers.match(self.frame.name):
            return []
        look_ups = [node for node in self.nodes if isinstance(node, ast.Call) and self.is_look_up(node)]
        scored = self._scored()
        if not look_ups and not scored:
            return []
        returns = [node for node in self.nodes if isinstance(node, ast.Return) and node.value is not None]
        found = [r for r in returns if self._is_stored(r, look_ups, scored)]
        return found if found and self._is_cache(found, returns) else []

    # -- looking up -------------------------------------------------------------------------------------------------

    def is_look_up(self, call: ast.Call) -> bool:
        """Does a call search by vector, or by its name for what is similar?"""
        name = last_name(call)
        if not self.names.look_ups.match(name):
            return self._is_own_look_up(call)
        if "similar" in name or "nearest" in name or name.startswith(("knn", "kneigh", "fuzzy")):
            return True
        return any(self._is_vector(value) for value in (*call.args, *(k.value for k in call.keywords)))

    def _is_own_look_up(self, call: ast.Call) -> bool:
        """A helper of the class that does the search and hands back its row."""
        helper = self._helper(call)
        if helper is None:
            return False
        inner = Similar(helper, self.models)
        calls = (n for n in inner.nodes if isinstance(n, ast.Call) and inner.names.look_ups.match(last_name(n)))
        searches = any(inner.is_look_up(node) for node in calls)
        return searches and any(isinstance(n, ast.Return) and n.value is not None for n in inner.nodes)

    def _helper(self, call: ast.Call) -> Frame | None:
        """The method of the same class that is called on ``self``."""
        if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
            return None
        if call.func.value.id not in ("self", "cls") or not self.frame.class_name:
            return None
        wanted = f"{self.frame.class_name}.{call.func.attr}"
        found = (f for f in self.page.functions() if f"{self.page.module.name}.{f.qualname}" == wanted)
        helper = next(found, None)
        return helper if helper is not self.frame else None

    def helpers(self) -> set[Frame]:
        """The methods of the class that the function calls: what they hand back is handed out here."""
        found = (self._helper(node) for node in self.nodes if isinstance(node, ast.Call))
        return {helper for helper in found if helper is not None}

    def _is_vector(self, value: ast.expr) -> bool:
        for node, _ in self.page.origins(value, self.frame, 60):
            if isinstance(node, (ast.Name, ast.Attribute)) and self.names.vectors.match(last_name(node)):
                return True
        return False

    def _scored(self) -> list[ast.Compare]:
        """Comparisons of how near two prompts are with a threshold."""
        return [node for node in self.nodes if isinstance(node, ast.Compare) and self._is_threshold(node)]

    def _is_threshold(self, node: ast.Compare) -> bool:
        if not isinstance(node.ops[0], _ORDERS):
            return False
        for side in (node.left, node.comparators[0]):
            for inner, _ in self.page.origins(side, self.frame, 80):
                if isinstance(inner, ast.Call) and self.names.measures.match(last_name(inner)):
                    return True
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.MatMult):
                    return True
        return False

    # -- handing out ------------------------------------------------------------------------------------------------

    def _is_stored(self, node: ast.Return, look_ups: list[ast.Call], scored: list[ast.Compare]) -> bool:
        """Does a returned value come from a look-up, or from the rows that were compared, and is it an answer?"""
        assert node.value is not None
        if isinstance(node.value, ast.Constant):
            return False
        nodes = [inner for inner, _ in self.page.origins(node.value, self.frame, 200)]
        names = [last_name(n) for n in nodes if isinstance(n, (ast.Name, ast.Attribute))]
        names += [str(n.value) for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        if any(self.names.not_answers.match(name) for name in _last_names(node.value)):
            return False
        if any(call in nodes for call in look_ups):
            return self._is_answer(node.value, names)
        guards = [test for test in scored if self._guards(test, node)]
        return bool(guards) and not isinstance(node.value, ast.Compare) and self._is_answer(node.value, names)

    def _is_answer(self, value: ast.expr, names: list[str]) -> bool:
        if any(call in list(ast.walk(value)) for call in self._model_calls):
            return False
        shown = [*_last_names(value), *names]
        return any(self.names.answers.match(name) for name in shown) or self._named_cache()

    def _guards(self, test: ast.Compare, node: ast.Return) -> bool:
        """Does a return stand under a test, or use what was chosen under it?"""
        for above in self.page.ancestors(node):
            if isinstance(above, (ast.If, ast.IfExp)) and test in list(ast.walk(above.test)):
                return True
        assert node.value is not None
        used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        for above in self.page.ancestors(test):
            if isinstance(above, ast.If) and test in list(ast.walk(above.test)):
                bound = {
                    n.id
                    for part in above.body
                    for n in ast.walk(part)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                }
                return bool(bound & used) or _leaves(above)
        return False

    @property
    def _model_calls(self) -> list[ast.Call]:
        own = set(self.nodes)
        return [call for call, _ in model_calls(self.page, self.models) if call in own]

    def asks_model(self) -> bool:
        """Does the function ask a model when nothing near is stored?"""
        if self._model_calls:
            return True
        calls = (node for node in self.nodes if isinstance(node, ast.Call))
        return any(self.names.askers.match(last_name(call)) for call in calls)

    def _named_cache(self) -> bool:
        names = [*self.frame.qualname.split("."), *(last_name(n) for n in self.nodes if isinstance(n, ast.Attribute))]
        return any(self.names.caches.match(name) for name in names)

    def _is_cache(self, found: list[ast.Return], returns: list[ast.Return]) -> bool:
        """A cache by name, or by asking a model where nothing is found."""
        return self._named_cache() or (self.asks_model() and len(returns) > len(found))


def _own_nodes(frame: Frame) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    stack = list(getattr(frame.node, "body", ()))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))


def _last_names(value: ast.expr) -> list[str]:
    """The names and literal keys by which a returned value is taken."""
    found: list[str] = []
    for node in ast.walk(value):
        if isinstance(node, (ast.Name, ast.Attribute)):
            found.append(last_name(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return found


def _leaves(node: ast.If) -> bool:
    """Does the branch of a test leave: ``if score < threshold: return None``?"""
    return bool(node.body) and isinstance(node.body[-1], (ast.Return, ast.Continue, ast.Raise))
