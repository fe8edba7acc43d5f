"""Which texts of a module are prompts, and what the answers to them are used for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reduction_lint.checks.banned.wording import mentions, words_of
from reduction_lint.checks.reading import Frame, Page, argument, last_name
from reduction_lint.knowledge.models import ModelCall, Models

FILE = re.compile(r"^[\w./ -]{0,100}\.(?:txt|md|j2|jinja2?|prompt|ya?ml|tmpl|tpl|mustache)$")
_ROLES = frozenset(["system", "developer", "user", "human", "instructions"])
_CARRIERS = re.compile(r"(?:Message|PromptTemplate|Prompt|Instructions)$")
_THROUGH = (
    ast.List,
    ast.Set,
    ast.BinOp,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.IfExp,
    ast.BoolOp,
    ast.Starred,
    ast.Await,
)
_TEXT_CALLS = frozenset(
    ["format", "strip", "lstrip", "rstrip", "join", "dedent", "replace", "cleandoc", "Template", "Field", "field", "str", "open",
     "read_text", "read", "Path", "joinpath", "get_template", "render", "safe_load", "load", "fill", "indent", "text", "format_map"]
)  # fmt: skip
_FOLDERS = ("", "prompts", "prompt", "templates", "resources", "data")
_MAX_USERS = 40
_NO_TEXT = frozenset(["bool", "int", "float"])


@dataclass(eq=False, slots=True)
class Prompt:
    """A text that a model reads: its node, the names it goes by, and the calls that send it, if any is known."""

    node: ast.expr
    page: Page
    text: str
    origin: str = ""
    """The file that the text was loaded from, "" for a literal."""
    names: list[str] = field(default_factory=list)
    calls: list[tuple[ast.Call, Page]] = field(default_factory=list)


def texts_of(page: Page) -> Iterator[tuple[ast.expr, str]]:
    """All maximal string expressions of a module with their literal text; docstrings only of prompt classes."""
    for node in list(page.parents):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parent = page.parents[node]
            if isinstance(parent, ast.Expr) and not _is_signature(parent, page):
                continue
            if not isinstance(parent, (ast.JoinedStr, ast.FormattedValue)) and not _is_sum(parent):
                yield node, node.value
        elif (isinstance(node, ast.JoinedStr) or _is_sum(node)) and not _is_sum(page.parents[node]):
            assert isinstance(node, ast.expr)
            yield node, joined(node)


def _is_sum(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def joined(node: ast.AST) -> str:
    """The literal text of an f-string or a sum; what is filled in stands as ``…``."""
    if isinstance(node, ast.Constant):
        return str(node.value) if isinstance(node.value, str) else "…"
    if isinstance(node, ast.JoinedStr):
        return "".join(joined(part) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return joined(node.left) + joined(node.right)
    return "…"


def _is_signature(statement: ast.Expr, page: Page) -> bool:
    """The docstring of a ``dspy.Signature`` is the instruction that a model gets."""
    owner = page.parents.get(statement)
    if not isinstance(owner, ast.ClassDef) or owner.body[0] is not statement:
        return False
    frame = page.frame_of(owner)
    return any(page.qualified(base, frame) in ("dspy.Signature", "dspy.signatures.Signature") for base in owner.bases)


# -- by place and name ------------------------------------------------------------------------------------------------


def named_prompt(node: ast.expr, page: Page, models: Models) -> list[str] | None:
    """The names under which a text is a prompt, from what stands around it; None when nothing shows that it is one."""
    current: ast.AST = node
    for above in page.ancestors(node):
        if isinstance(above, ast.keyword):
            call = page.parents[above]
            carrier = isinstance(call, ast.Call) and _CARRIERS.search(last_name(call)) is not None
            if above.arg in ("content", "template", "text") and carrier:
                return [last_name(call)]
            if above.arg is not None and _is_prompt_name(above.arg, models):
                return [above.arg]
            if not (isinstance(call, ast.Call) and last_name(call) in _TEXT_CALLS):
                return None
        elif isinstance(above, ast.Call):
            verdict = _in_call(current, above, models)
            if verdict is not None:
                return verdict or None
        elif isinstance(above, ast.Dict):
            return _in_dict(current, above, models)
        elif isinstance(above, ast.Tuple):
            first = above.elts[0] if above.elts else None
            if isinstance(first, ast.Constant) and first.value in _ROLES and current is not first:
                return [str(first.value)]
        elif isinstance(above, ast.stmt):
            return _in_statement(current, above, page, models)
        elif isinstance(above, ast.arguments):
            return _as_default(current, above, models)
        elif not isinstance(above, _THROUGH) and not isinstance(above, (ast.Attribute, ast.NamedExpr)):
            return None
        current = above
    return None


def _is_prompt_name(name: str, models: Models) -> bool:
    return models.terse.prompt_names.match(name) and not models.terse.not_prompts.match(name)


def _in_call(inner: ast.AST, call: ast.Call, models: Models) -> list[str] | None:
    """None to look further out, an empty list when a call shows that the text is no prompt."""
    name = last_name(call)
    if _CARRIERS.search(name):
        return [name]
    if name in ("append", "extend", "insert", "add", "from_messages", "from_template"):
        receiver = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        if name.startswith("from_") or _is_prompt_name(receiver, models):
            return [receiver or name]
        return None
    return None if name in _TEXT_CALLS or inner is call.func else []


def _in_dict(inner: ast.AST, node: ast.Dict, models: Models) -> list[str] | None:
    keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
    own = next((key for key, value in zip(keys, node.values, strict=True) if value is inner), None)
    if own in ("content", "text", "parts") and "role" in keys:
        role = node.values[keys.index("role")]
        return ["content"] if not isinstance(role, ast.Constant) or role.value in _ROLES else None
    return [own] if isinstance(own, str) and _is_prompt_name(own, models) else None


def _in_statement(inner: ast.AST, statement: ast.stmt, page: Page, models: Models) -> list[str] | None:
    names: list[str] = []
    if isinstance(statement, ast.Assign):
        names = [_target_name(target) for target in statement.targets]
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        names = [_target_name(statement.target)]
    elif isinstance(statement, (ast.Return, ast.Expr)):
        frame = page.frame_of(statement)
        if isinstance(statement, ast.Expr) and isinstance(inner, ast.Constant):
            return [frame.name]
        names = [frame.name, *_decorators(frame)] if frame.is_function else []
    return names if any(_is_prompt_name(name, models) for name in names) else None


def _target_name(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return last_name(target)


def _decorators(frame: Frame) -> list[str]:
    return [last_name(node) for node in getattr(frame.node, "decorator_list", ())]


def _as_default(inner: ast.AST, node: ast.arguments, models: Models) -> list[str] | None:
    plain = [*node.posonlyargs, *node.args]
    pairs = [
        *zip(reversed(plain), reversed(node.defaults), strict=False),
        *zip(node.kwonlyargs, node.kw_defaults, strict=True),
    ]
    name = next((arg.arg for arg, default in pairs if default is inner), "")
    return [name] if _is_prompt_name(name, models) else None


# -- by flow ----------------------------------------------------------------------------------------------------------


def model_calls(page: Page, models: Models) -> Iterator[tuple[ast.Call, ModelCall]]:
    """Calls of language models in a module, by resolved name or by shape."""
    for node in list(page.parents):
        if isinstance(node, ast.Call):
            frame = page.frame_of(node)
            dotted = page.name_of(node, frame)
            receiver = last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            hit = models.calls.find((dotted,) if dotted else (), last_name(node), (receiver,) if receiver else ())
            if hit is not None and not hit.entry.constructor:
                yield node, hit.entry


def sent_texts(call: ast.Call, entry: ModelCall, page: Page) -> set[ast.AST]:
    """The nodes whose text a model call sends, through names, constants and functions that build prompts."""
    frame = page.frame_of(call)
    found: set[ast.AST] = set()
    given = [argument(call, one) for one in entry.inputs] or list(call.args[:1])
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    for value in [*given, *spread]:
        if value is not None:
            _collect(value, frame, found, 0)
    return found


def _collect(value: ast.expr, frame: Frame, found: set[ast.AST], depth: int) -> None:
    for node, scope in frame.page.origins(value, frame):
        new = node not in found
        found.add(node)
        if new and depth < 3 and isinstance(node, ast.Call):
            target = frame.page.pages.locate(scope.page.name_of(node, scope))
            function = next((f for f in target[0].functions() if f.qualname == target[1]), None) if target else None
            for inner in ast.walk(function.node) if function is not None else ():
                if function is not None and isinstance(inner, ast.Return) and inner.value is not None:
                    _collect(inner.value, function, found, depth + 1)


# -- what the answer is for -------------------------------------------------------------------------------------------


def is_short_kind(name: str, models: Models) -> bool:
    """Does the name of a function, class or variable say that the answer is a title, a label, a score …?"""
    words = words_of(name)
    return models.max_tokens.kind_of(words) is not None or mentions(words, models.terse.disposable_names)


def answer_is_disposable(call: ast.Call, page: Page, models: Models) -> bool:
    """Is the answer of a call only used as a number, a truth value, or under a name of something short?"""
    frame = page.frame_of(call)
    if is_short_kind(".".join(frame.qualname.split(".")[-2:]), models):
        return True
    returns = getattr(frame.node, "returns", None)
    if isinstance(returns, ast.Name) and returns.id in _NO_TEXT:
        return True
    names = _answer_names(call, page, frame)
    return any(is_short_kind(name, models) for name in names)


def _answer_names(call: ast.Call, page: Page, frame: Frame) -> set[str]:
    """The variables and fields that the answer of a call ends up in."""
    names: set[str] = set()
    held: set[str] = set()
    for node in ast.walk(frame.node):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        inside = list(ast.walk(node.value))
        if call in inside or any(isinstance(n, ast.Name) and n.id in held for n in inside):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names.add(_target_name(target))
                if isinstance(target, ast.Name):
                    held.add(target.id)
    return names


def users_of(name: str, page: Page) -> Iterator[Frame]:
    """The functions that use a module-level or class-level name, in its module and in others that know the module."""
    yield from _users_in(page, name, page.top)
    project = page.project
    module = page.module.name.rpartition(".")[2]
    count = 0
    for other, (path, _) in project.files.items():
        if other == page.module.name:
            continue
        source = project.load(path)
        if source is None or name not in source.text or module not in source.text:
            continue
        loaded = project.module(other)
        if loaded is not None:
            yield from _users_in(page.pages.of(loaded), name, None)
        count += 1
        if count >= _MAX_USERS:
            return


def _users_in(page: Page, name: str, skipped: Frame | None) -> Iterator[Frame]:
    seen: set[ast.AST] = set()
    for node in list(page.parents):
        hit = (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)) or (
            isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load)
        )
        if hit:
            frame = page.frame_of(node)
            if frame.is_function and frame is not skipped and frame.node not in seen:
                seen.add(frame.node)
                yield frame


# -- files ------------------------------------------------------------------------------------------------------------


def file_text(name: str, page: Page) -> str | None:
    """The text of a file that code loads by a literal path: beside the module, or above it, or in a folder for prompts."""
    if not FILE.match(name) or name.startswith("/") or ".." in name:
        return None
    here = page.module.source.path.parent
    for base in (here, *list(here.parents)[:3]):
        for folder in _FOLDERS:
            path = Path(base, folder, name)
            source = page.project.load(path)
            if source is not None:
                return source.text
    return None
