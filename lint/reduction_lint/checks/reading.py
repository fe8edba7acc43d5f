"""Single expressions of a module: what they are called in full, what text they hold, where they come from.

For checks that need no flow graph. A :class:`Page` is one module, a :class:`Frame` one scope in it (a function, a class body, the
top level). Names are followed through local assignments, attributes of ``self``, imports and constants of other modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from reduction_lint.checks.draft import Spot
from reduction_lint.flow import ir
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.unit import Unit
from reduction_lint.syntax.trees import Columns, tree_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Module)
_FLUENT = frozenset(
    ["eval", "to", "cuda", "cpu", "half", "float", "bfloat16", "train", "requires_grad_", "bind", "with_config"]
)
"""Methods that hand back the object they are called on."""
_NO_FUNCTION = ir.Function("", "", [], [], [])
MAX_DEPTH = 10


@dataclass(eq=False, slots=True)
class Frame:
    """One scope: its node, the names that are bound in it and the imports that it makes."""

    page: Page
    node: ast.AST
    qualname: str
    class_name: str
    """Qualified name of the class around a method (or of the class itself), "" elsewhere."""
    parent: Frame | None
    bound: dict[str, list[ast.expr]] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    params: dict[str, ast.arg] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The bare name of the function or class, "" for the top level."""
        return self.qualname.rpartition(".")[2]

    @property
    def is_function(self) -> bool:
        """Is this the body of a function?"""
        return isinstance(self.node, _FUNCTIONS)


class Pages:
    """The pages of a project, read on demand."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._pages: dict[str, Page] = {}

    def of(self, module: Module) -> Page:
        """The page of a module."""
        page = self._pages.get(module.name)
        if page is None or page.module is not module:
            page = self._pages[module.name] = Page(module, self)
        return page

    def known(self) -> list[Page]:
        """The pages that were read so far."""
        return list(self._pages.values())

    def locate(self, dotted: str) -> tuple[Page, str] | None:
        """(page, rest of the name) of a dotted name of the project, re-exports followed."""
        found = self.project.locate(dotted) if "." in dotted else None
        return (self.of(found[0]), found[1]) if found is not None else None


class Page:
    """One module as an ``ast`` tree with scopes."""

    def __init__(self, module: Module, pages: Pages) -> None:
        self.module = module
        self.pages = pages
        self.project = pages.project
        self.tree = tree_of(module.source.text, module.chunks)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.frames: dict[ast.AST, Frame] = {}
        self._fields: dict[str, dict[str, list[tuple[ast.expr, Frame]]]] = {}
        self._columns: Columns | None = None
        self.top = self._scan()

    # -- scopes -----------------------------------------------------------------------------------------------------

    def _scan(self) -> Frame:
        """Parents, scopes and bindings, in one walk."""
        top = Frame(self, self.tree, "", "", None)
        self.frames[self.tree] = top
        stack: list[tuple[ast.AST, Frame]] = [(self.tree, top)]
        while stack:
            node, frame = stack.pop()
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
                inner = frame
                if isinstance(child, _SCOPES):
                    inner = self.frames[child] = self._frame(child, frame)
                else:
                    self._bind(child, frame)
                stack.append((child, inner))
        return top

    def _frame(self, node: ast.AST, parent: Frame) -> Frame:
        name = getattr(node, "name", "<lambda>")
        qualname = f"{parent.qualname}.{name}" if parent.qualname else name
        in_class = isinstance(parent.node, ast.ClassDef)
        class_name = f"{self.module.name}.{qualname}" if isinstance(node, ast.ClassDef) else parent.class_name
        frame = Frame(self, node, qualname, class_name if in_class or class_name else "", parent)
        if isinstance(node, _FUNCTIONS):
            args = node.args
            extra = [a for a in (args.vararg, args.kwarg) if a is not None]
            frame.params = {a.arg: a for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)}
        return frame

    def _bind(self, node: ast.AST, frame: Frame) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind_target(target, node.value, frame)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            self._bind_target(node.target, node.value, frame)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            self._bind_target(node.target, node.iter, frame)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._bind_target(node.optional_vars, node.context_expr, frame)
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and frame.is_function:
            self._import(node, frame)

    def _bind_target(self, target: ast.expr, value: ast.expr, frame: Frame) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            same = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
            for index, element in enumerate(target.elts):
                self._bind_target(element, value.elts[index] if same else value, frame)  # type: ignore[attr-defined]
        elif isinstance(target, ast.Starred):
            self._bind_target(target.value, value, frame)
        elif isinstance(target, ast.Name):
            frame.bound.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and frame.class_name:
            if target.value.id in ("self", "cls"):
                fields = self._fields.setdefault(frame.class_name, {})
                fields.setdefault(target.attr, []).append((value, frame))

    def _import(self, node: ast.Import | ast.ImportFrom, frame: Frame) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.partition(".")[0]
                frame.imports[bound] = alias.name if alias.asname else bound
            return
        parts = self.module.name.split(".") if not self.module.is_package else [*self.module.name.split("."), ""]
        base = parts[: len(parts) - node.level] if node.level else []
        origin = ".".join([*base, *([node.module] if node.module else [])])
        for alias in node.names:
            frame.imports[alias.asname or alias.name] = f"{origin}.{alias.name}" if origin else alias.name

    def frame_of(self, node: ast.AST) -> Frame:
        """The scope that a node stands in."""
        current: ast.AST | None = node
        while current is not None:
            above = self.parents.get(current)
            if above is None:
                return self.top
            if above in self.frames:
                return self.frames[above]
            current = above
        return self.top

    def functions(self) -> Iterator[Frame]:
        """All function scopes, lambdas left out."""
        return (f for f in self.frames.values() if isinstance(f.node, (ast.FunctionDef, ast.AsyncFunctionDef)))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around a node, innermost first."""
        current = self.parents.get(node)
        while current is not None:
            yield current
            current = self.parents.get(current)

    def statement_of(self, node: ast.AST) -> ast.AST:
        """The innermost statement around a node (the node itself when it is one)."""
        if isinstance(node, ast.stmt):
            return node
        return next((above for above in self.ancestors(node) if isinstance(above, ast.stmt)), node)

    # -- places -----------------------------------------------------------------------------------------------------

    def spot(self, node: ast.AST) -> Spot:
        """The place of a node, for a draft."""
        if self._columns is None:
            self._columns = Columns(self.module.source.text)
        where = self._columns.range_of(node)
        statement = self.statement_of(node)
        simple = not hasattr(statement, "body") and not hasattr(statement, "cases")
        span = self._columns.range_of(statement) if simple else where
        symbol = self.frame_of(node).qualname.replace(".<lambda>", "") or "<module>"
        return Spot(self.module.source, where, span.start.line, max(span.end.line, where.end.line), symbol)

    # -- values -----------------------------------------------------------------------------------------------------

    def values(self, name: str, frame: Frame) -> list[tuple[ast.expr, Frame]]:
        """What is bound to a name in a scope or in the scopes around it; parameters answer with their default."""
        scope: Frame | None = frame
        while scope is not None:
            if name in scope.params and name not in scope.bound:
                default = _default(scope.node, name)
                return [(default, scope)] if default is not None else []
            if name in scope.bound and (scope is frame or not isinstance(scope.node, ast.ClassDef)):
                return [(value, scope) for value in scope.bound[name]]
            if name in scope.imports:
                return self._imported(scope.imports[name])
            scope = scope.parent
        return self._imported(self.module.imports.names[name]) if name in self.module.imports.names else []

    def _imported(self, dotted: str) -> list[tuple[ast.expr, Frame]]:
        """What a constant of another module is bound to."""
        found = self.pages.locate(dotted)
        if found is None:
            return []
        page, rest = found
        return [(value, page.top) for value in page.top.bound.get(rest, ())]

    def fields(self, class_name: str, attribute: str) -> list[tuple[ast.expr, Frame]]:
        """What an attribute of a class of the project is bound to, in its body and through ``self``."""
        for info in self.project.bases(class_name):
            page = self.pages.of(info.module)
            found = list(page._fields.get(info.qual, {}).get(attribute, ()))
            body = next((f for f in page.class_bodies if f.class_name == info.qual), None)
            if body is not None:
                found += [(value, body) for value in body.bound.get(attribute, ())]
            if found:
                return found
        return []

    @cached_property
    def class_bodies(self) -> list[Frame]:
        """The scopes of class bodies."""
        return [frame for node, frame in self.frames.items() if isinstance(node, ast.ClassDef)]

    def definitions(self, node: ast.expr, frame: Frame) -> list[tuple[ast.expr, Frame]]:
        """The expressions that a name or attribute stands for; nothing for any other expression."""
        if isinstance(node, ast.Name):
            return self.values(node.id, frame)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") and frame.class_name:
                return self.fields(frame.class_name, node.attr)
            dotted = self.qualified(node, frame)
            owner, _, attribute = dotted.rpartition(".")
            if owner and self.project.is_class(owner):
                return self.fields(owner, attribute)
            return self._imported(dotted) if dotted else []
        return []

    def origins(self, node: ast.AST, frame: Frame, limit: int = 400) -> Iterator[tuple[ast.AST, Frame]]:
        """All nodes below an expression and below what its names are bound to; at most ``limit`` of them."""
        stack: list[tuple[ast.AST, Frame]] = [(node, frame)]
        seen: set[ast.AST] = set()
        while stack and len(seen) < limit:
            current, scope = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            yield current, scope
            if isinstance(current, (ast.Name, ast.Attribute)):
                stack.extend(scope.page.definitions(current, scope))
            stack.extend((child, scope) for child in ast.iter_child_nodes(current))

    # -- names ------------------------------------------------------------------------------------------------------

    def qualified(self, node: ast.AST, frame: Frame, depth: int = 0) -> str:
        """The dotted name of a callable or object: imports resolved, objects named by their class, "" when unknown.

        ``client.chat.completions.create`` is ``openai.OpenAI.chat.completions.create`` where ``client = OpenAI()``.
        """
        if depth > MAX_DEPTH:
            return ""
        if isinstance(node, ast.Name):
            return self._named(node.id, frame, depth)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, frame, depth)
        if isinstance(node, ast.Await):
            return self.qualified(node.value, frame, depth + 1)
        if isinstance(node, ast.Call):
            return self._made_by(node, frame, depth)
        if isinstance(node, ast.BoolOp):
            return next((n for n in (self.qualified(v, frame, depth + 1) for v in node.values) if n), "")
        if isinstance(node, ast.IfExp):
            return self.qualified(node.body, frame, depth + 1) or self.qualified(node.orelse, frame, depth + 1)
        return ""

    def _named(self, name: str, frame: Frame, depth: int) -> str:
        scope: Frame | None = frame
        while scope is not None and scope is not self.top:
            if name in ("self", "cls") and scope.class_name and scope.is_function:
                return scope.class_name
            bound = scope.bound.get(name, ()) if scope is frame or not isinstance(scope.node, ast.ClassDef) else ()
            for value in bound:
                found = self.qualified(value, scope, depth + 1)
                if found:
                    return found
            if name in scope.params:
                return self._annotated(scope.params[name])
            if bound:
                return ""
            if name in scope.imports:
                return scope.imports[name]
            scope = scope.parent
        return self._global(name, depth)

    def _global(self, name: str, depth: int) -> str:
        module = self.module
        if name in module.functions or name in module.classes:
            return f"{module.name}.{name}"
        for value in self.top.bound.get(name, ()):
            found = self.qualified(value, self.top, depth + 1)
            if found:
                return found
        dotted = module.imports.names.get(name) or self.project.resolve_name(self._unit, name)
        return (self.project.variable_type(dotted) or dotted) if dotted else name

    def _annotated(self, arg: ast.arg) -> str:
        if arg.annotation is None:
            return ""
        return self.project.resolve_type(self._unit, ast.unparse(arg.annotation))

    @cached_property
    def _unit(self) -> Unit:
        return Unit("", self.module.name, _NO_FUNCTION)

    def _attribute(self, node: ast.Attribute, frame: Frame, depth: int) -> str:
        base = self.qualified(node.value, frame, depth + 1)
        if not base:
            return ""
        if self.project.is_class(base):
            kind = self.project.attribute_type(base, node.attr)
            if kind:
                return kind
            for value, scope in self.fields(base, node.attr):
                found = scope.page.qualified(value, scope, depth + 1)
                if found:
                    return found
        return f"{base}.{node.attr}"

    def _made_by(self, node: ast.Call, frame: Frame, depth: int) -> str:
        """The class of what a call gives: a constructor's own, or that of a fluent method's receiver."""
        dotted = self.qualified(node.func, frame, depth + 1)
        owner, _, last = dotted.rpartition(".")
        if owner and (last in _FLUENT or last.startswith("from_")):
            return owner
        hit = self.project.models.types.find((dotted,), last, ()) if dotted else None
        if hit is not None and hit.exact:
            return hit.entry.returns
        found = self.project.locate(dotted) if "." in dotted else None
        return "" if found is not None and found[1] in found[0].functions else dotted

    def name_of(self, call: ast.Call, frame: Frame) -> str:
        """The dotted name of what a call calls, as far as it is known."""
        return self.qualified(call.func, frame)

    # -- literals ---------------------------------------------------------------------------------------------------

    def constant(self, node: ast.AST | None, frame: Frame, depth: int = 0) -> object:
        """The literal that an expression always has, through names and constants; None when it has none."""
        if node is None or depth > MAX_DEPTH:
            return None
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            found = self.definitions(node, frame)
            if len(found) == 1:
                return found[0][1].page.constant(*found[0], depth + 1)
        return None


def argument(call: ast.Call, *names: str | int) -> ast.expr | None:
    """The argument of a call that is given under one of the names or at one of the positions."""
    for name in names:
        if isinstance(name, int):
            plain = call.args[: name + 1]
            if len(plain) > name and not any(isinstance(a, ast.Starred) for a in plain):
                return plain[name]
        else:
            for keyword in call.keywords:
                if keyword.arg == name:
                    return keyword.value
    return None


def last_name(node: ast.AST) -> str:
    """The last name of a name, an attribute or what a call calls, "" for anything else."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_none(node: ast.AST | None) -> bool:
    """Is the argument missing, or a plain None?"""
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _default(node: ast.AST, name: str) -> ast.expr | None:
    if not isinstance(node, _FUNCTIONS):
        return None
    args = node.args
    plain = [*args.posonlyargs, *args.args]
    for arg, default in zip(reversed(plain), reversed(args.defaults), strict=False):
        if arg.arg == name:
            return default
    for arg, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        if arg.arg == name:
            return given
    return None
