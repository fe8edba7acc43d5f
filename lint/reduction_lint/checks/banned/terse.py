"""RL303: a prompt or a parameter orders terse output for content that matters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.banned.prompts import (
    FILE,
    Prompt,
    answer_is_disposable,
    file_text,
    is_short_kind,
    model_calls,
    named_prompt,
    sent_texts,
    texts_of,
    users_of,
)
from reduction_lint.checks.banned.wording import Order, terse_order
from reduction_lint.checks.draft import Draft, SpotStep
from reduction_lint.checks.reading import Frame, Page, last_name
from reduction_lint.findings import Confidence
from reduction_lint.knowledge.models import Models
from reduction_lint.knowledge.terse import TerseParameter

_LOADERS = frozenset(
    ["open", "read_text", "get_template", "joinpath", "load_prompt", "read_prompt", "files", "Path", "from_file"]
)
_MODEL_KEYWORDS = frozenset(
    [
        "model",
        "messages",
        "input",
        "prompt",
        "instructions",
        "temperature",
        "reasoning",
        "max_tokens",
        "model_name",
        "tools",
    ]
)


def terse_output(page: Page, models: Models) -> list[Draft]:
    """Drafts for one module: one for each prompt text and each call with such a parameter."""
    drafts = []
    for prompt in _prompts(page, models):
        order = terse_order(prompt.text, models)
        if order is not None and not _is_disposable(prompt, models):
            drafts.append(_draft(prompt, order))
    return drafts + _parameters(page, models)


def _draft(prompt: Prompt, order: Order) -> Draft:
    where = f"`{prompt.origin}`, which is loaded here, " if prompt.origin else "the prompt "
    sent = prompt.calls[:2]
    sure = Confidence.HIGH if order.outright and sent else Confidence.MEDIUM
    steps = tuple(SpotStep(page.spot(call), "the answer to the prompt is asked for here") for call, page in sent)
    message = f"{where}orders terse output (“{order.words}”) for content that matters"
    return Draft("RL303", prompt.page.spot(prompt.node), message, order.words, sure, None, "terse-prompt", steps)


# -- prompts ----------------------------------------------------------------------------------------------------------


def _prompts(page: Page, models: Models) -> Iterator[Prompt]:
    """The texts of a module that order something and are prompts, by name, by place or because they are sent."""
    suspects = [prompt for prompt in _suspects(page) if terse_order(prompt.text, models) is not None]
    if not suspects:
        return
    senders = [(call, page, sent_texts(call, entry, page)) for call, entry in model_calls(page, models)]
    for prompt in suspects:
        names = named_prompt(prompt.node, page, models)
        _note_senders(prompt, senders)
        if names is None and not prompt.calls:
            names = _sent_elsewhere(prompt, page, models)
        if names is not None or prompt.calls:
            prompt.names = names or []
            yield prompt


def _suspects(page: Page) -> Iterator[Prompt]:
    for node, text in texts_of(page):
        if FILE.match(text):
            loaded = file_text(text, page) if _is_loaded(node, page) else None
            if loaded is not None:
                yield Prompt(node, page, loaded, text)
        elif len(text) > 8:
            yield Prompt(node, page, text)


def _is_loaded(node: ast.expr, page: Page) -> bool:
    """Does the path flow into a call that reads a file, in its own statement or through a name?"""
    statement = page.statement_of(node)
    around = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    if any(last_name(call) in _LOADERS for call in around):
        return True
    names = [last_name(t) for t in getattr(statement, "targets", ())]
    calls = (n for n in page.parents if isinstance(n, ast.Call) and last_name(n) in _LOADERS)
    return any(isinstance(part, ast.Name) and part.id in names for call in calls for part in ast.walk(call))


def _note_senders(prompt: Prompt, senders: list[tuple[ast.Call, Page, set[ast.AST]]]) -> None:
    for call, page, sent in senders:
        if prompt.node in sent or any(part in sent for part in ast.walk(prompt.node) if isinstance(part, ast.Constant)):
            prompt.calls.append((call, page))


def _sent_elsewhere(prompt: Prompt, page: Page, models: Models) -> list[str] | None:
    """Is a module constant sent by a model call of another module?"""
    name = _constant_name(prompt, page)
    if not name:
        return None
    for frame in users_of(name, page):
        other = frame.page
        if other is not page:
            for call, entry in model_calls(other, models):
                if other.frame_of(call) is frame and prompt.node in sent_texts(call, entry, other):
                    prompt.calls.append((call, other))
                    return [name]
    return None


def _constant_name(prompt: Prompt, page: Page) -> str:
    """The module-level or class-level name that a text is bound to, "" for any other text."""
    statement = page.statement_of(prompt.node)
    if page.frame_of(statement).is_function or not isinstance(statement, (ast.Assign, ast.AnnAssign)):
        return ""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    return last_name(target)


# -- what may be terse ------------------------------------------------------------------------------------------------


def _is_disposable(prompt: Prompt, models: Models) -> bool:
    """Is the answer provably short by nature: by declaration, by the names around the prompt, by what it is used for?"""
    page = prompt.page
    if any(_declared(call, owner) for call, owner in prompt.calls) or _declared(prompt.node, page):
        return True
    frame = page.frame_of(prompt.node)
    around = [*prompt.names, ".".join(frame.qualname.split(".")[-2:]), _constant_name(prompt, page), prompt.origin]
    if any(is_short_kind(name, models) for name in around if name):
        return True
    calls = prompt.calls or [(call, page) for call in _calls_around(prompt, frame)]
    if calls:
        return all(_declared(call, owner) or answer_is_disposable(call, owner, models) for call, owner in calls)
    name = _constant_name(prompt, page)
    users = list(users_of(name, page)) if len(name) > 3 else []
    return bool(users) and all(_uses_for_short(user, name, models) for user in users)


def _calls_around(prompt: Prompt, frame: Frame) -> list[ast.Call]:
    """The outermost calls of a function that are given a text of it, directly or under a local name."""
    if not frame.is_function:
        return []
    page = prompt.page
    above = [
        node for node in page.ancestors(prompt.node) if isinstance(node, ast.Call) and page.frame_of(node) is frame
    ]
    if above:
        return above[-1:]
    names = {name for name, values in frame.bound.items() if prompt.node in values}
    return [
        call
        for call in ast.walk(frame.node)
        if isinstance(call, ast.Call) and any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(call))
    ]


def _uses_for_short(user: Frame, name: str, models: Models) -> bool:
    """Is a function that uses a prompt one for something short, or does it put the answer under such a name?"""
    if is_short_kind(".".join(user.qualname.split(".")[-2:]), models):
        return True
    calls = [
        call
        for call in ast.walk(user.node)
        if isinstance(call, ast.Call)
        and any(isinstance(n, (ast.Name, ast.Attribute)) and last_name(n) == name for n in ast.walk(call))
    ]
    return bool(calls) and all(answer_is_disposable(call, user.page, models) for call in calls)


def _declared(node: ast.AST, page: Page) -> bool:
    """Does a comment at the statement of a node say that the output is disposable?"""
    declarations = page.project.declarations
    if declarations is None or "disposable" not in page.module.source.text:
        return False
    spot = page.spot(node)
    table = declarations(page.module.source)
    statement = page.spot(page.statement_of(node))
    lines = range(min(spot.first_line, statement.range.start.line), max(spot.last_line, spot.range.end.line) + 1)
    return any("disposable" in table.get(line, {}) for line in lines)


# -- parameters -------------------------------------------------------------------------------------------------------


def _parameters(page: Page, models: Models) -> list[Draft]:
    """Calls with a parameter that makes answers terse, also inside dicts that are given to them."""
    if not any(name in page.module.source.text for name in models.terse.parameter_names):
        return []
    drafts = []
    taken: set[ast.AST] = set()
    for node in list(page.parents):
        if isinstance(node, ast.Call):
            found = _in_call(node, page, models)
            fresh = found is not None and found[1] not in taken
            if found is not None and fresh and not _is_short_answer(node, page, models):
                taken.add(found[1])
                message = f"`{found[0]}` makes the answer terse, though it is content that matters"
                drafts.append(Draft("RL303", page.spot(node), message, found[0], technique="terse-prompt"))
            elif found is not None:
                taken.add(found[1])
    return drafts


def _is_short_answer(node: ast.Call, page: Page, models: Models) -> bool:
    return answer_is_disposable(node, page, models) or _declared(node, page)


def _in_call(node: ast.Call, page: Page, models: Models) -> tuple[str, ast.AST] | None:
    """The parameter as it is written, and the node that sets it."""
    frame = page.frame_of(node)
    for parameter in models.terse.parameters:
        for keyword in node.keywords:
            found = _in_keyword(keyword, parameter, page, frame)
            if found is not None and _is_model_like(node, keyword, page, models):
                return found
    return None


def _in_keyword(
    keyword: ast.keyword, parameter: TerseParameter, page: Page, frame: Frame
) -> tuple[str, ast.AST] | None:
    if not parameter.inside and keyword.arg in parameter.names:
        value = page.constant(keyword.value, frame)
        return (f'{keyword.arg}="{value}"', keyword) if value in parameter.values else None
    if parameter.inside and keyword.arg not in (None, *parameter.inside):
        return None
    for node, scope in page.origins(keyword.value, frame, 60):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                name = key.value if isinstance(key, ast.Constant) else None
                if name in parameter.names and page.constant(value, scope) in parameter.values:
                    return f"{keyword.arg or name}={{{name}: {page.constant(value, scope)}}}", node
    return None


def _is_model_like(node: ast.Call, keyword: ast.keyword, page: Page, models: Models) -> bool:
    """Is this a call of a model, or the making of a model or its settings? ``verbosity`` alone may be that of a log."""
    if keyword.arg not in models.terse.parameter_names or "_" in str(keyword.arg):
        return True
    names = {k.arg for k in node.keywords}
    if names & _MODEL_KEYWORDS:
        return True
    dotted = page.name_of(node, page.frame_of(node))
    if dotted and models.calls.find((dotted,), last_name(node), ()) is not None:
        return True
    return last_name(node).endswith(("ModelSettings", "Model", "LLM", "ChatOpenAI"))
