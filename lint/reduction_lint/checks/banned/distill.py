"""RL302: a model is trained on another model's logits or answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Frame, Page, argument, is_none, last_name
from reduction_lint.findings import Confidence
from reduction_lint.knowledge.banned import Distiller
from reduction_lint.knowledge.models import Models

_KL = frozenset(["kl_div", "kldivloss", "kl_loss", "kl_divergence"])
_PAIR_LOSSES = frozenset(
    [
        "mse_loss",
        "mseloss",
        "cross_entropy",
        "crossentropyloss",
        "soft_cross_entropy",
        "cosine_embedding_loss",
        "smooth_l1_loss",
    ]
)
_SOFTMAX = frozenset(["softmax", "log_softmax", "logsoftmax"])
_WRITERS = frozenset(
    ["write", "write_text", "writelines", "dump", "writerow", "write_bytes", "to_json", "save_to_disk", "write_all"]
)
_TEACHER_WORDS = ("teacher_model", "teacher", "teacher_model_name_or_path")


def distillation(page: Page, models: Models) -> list[Draft]:
    """Drafts for one module: one for each trainer, loss or job."""
    found: list[tuple[ast.AST, str, Confidence]] = []
    for node in list(page.parents):
        if isinstance(node, ast.Call):
            found += _call(node, page, models)
    trainers = [f for f in found if not _is_config(f[0])]
    return [
        Draft("RL302", page.spot(node), message, last_name(node), confidence, technique="distillation")
        for node, message, confidence in trainers or found
    ]


def _is_config(node: ast.AST) -> bool:
    """A configuration is a part of the trainer that it flows into."""
    return last_name(node).endswith(("Config", "Arguments", "Args"))


def _call(node: ast.Call, page: Page, models: Models) -> Iterator[tuple[ast.AST, str, Confidence]]:
    frame = page.frame_of(node)
    dotted = page.name_of(node, frame)
    entry = _entry(dotted, models)
    if entry is not None and not entry.data and not entry.teacher:
        yield node, f"`{last_name(node)}` trains one model to imitate another", Confidence.HIGH
    elif (entry is not None or _is_trainer(node)) and _has_teacher(node, entry):
        yield node, "the training is given a teacher model", Confidence.HIGH
    elif entry is not None and any(_written_by_model(value, page, frame, models) for value in _data(node, entry)):
        yield node, "the training data were written by a model", Confidence.MEDIUM
    elif _declares_distillation(node, page, frame):
        yield node, "answers of a model are kept to train another one on them", Confidence.MEDIUM
    elif _is_loss(node, page, frame, models):
        yield node, "the loss draws a student towards the outputs of a teacher", Confidence.HIGH


def _entry(dotted: str, models: Models) -> Distiller | None:
    hit = models.banned.distillers.find((dotted,), dotted.rpartition(".")[2], ()) if dotted else None
    return hit.entry if hit is not None else None


def _is_trainer(node: ast.Call) -> bool:
    name = last_name(node).lower()
    return name.endswith(("trainer", "distiller", "finetune", "fine_tune", "learner"))


def _has_teacher(node: ast.Call, entry: Distiller | None) -> bool:
    return any(not is_none(argument(node, name)) for name in (*_TEACHER_WORDS, *(entry.teacher if entry else ())))


def _data(node: ast.Call, entry: Distiller) -> list[ast.expr]:
    found = (argument(node, name) for name in entry.data)
    return [value for value in found if value is not None]


def _declares_distillation(node: ast.Call, page: Page, frame: Frame) -> bool:
    """``create(…, store=True, metadata={"purpose": "distillation"})``."""
    metadata = argument(node, "metadata")
    if metadata is None or argument(node, "store") is None:
        return False
    texts = (n.value for n, _ in page.origins(metadata, frame) if isinstance(n, ast.Constant))
    return any(isinstance(text, str) and "distil" in text.lower() for text in texts)


# -- losses -----------------------------------------------------------------------------------------------------------


def _is_loss(node: ast.Call, page: Page, frame: Frame, models: Models) -> bool:
    """A loss between two sides that are a student's and a teacher's by name, or by the shape of a softened KL term."""
    kind = _loss_kind(node, page, frame)
    sides = [*node.args[:2], *(k.value for k in node.keywords if k.arg in ("input", "target"))][:2]
    if not kind or len(sides) < 2:
        return False
    names = [_names(side, page, frame) for side in sides]
    if any(any(models.banned.idioms.references.match(n) for n in side) for side in names):
        return False
    taught = [any(models.banned.idioms.teachers.match(n) for n in side) for side in names]
    learning = [any(models.banned.idioms.students.match(n) for n in side) for side in names]
    if any(taught) and not all(taught):
        return kind == "kl" or learning[taught.index(False)] or any(_softened(side, page, frame) for side in sides)
    return kind == "kl" and _two_softened_models(sides, page, frame)


def _loss_kind(node: ast.Call, page: Page, frame: Frame) -> str:
    name = last_name(node).lower()
    if isinstance(node.func, (ast.Name, ast.Attribute)) and name not in _KL | _PAIR_LOSSES:
        made = page.definitions(node.func, frame)
        name = last_name(made[0][0]).lower() if made else name
    elif isinstance(node.func, ast.Call):
        name = last_name(node.func).lower()
    if name in ("kldivloss", "mseloss", "crossentropyloss") and node.func is not None and len(node.args) < 2:
        return ""
    return "kl" if name in _KL else "pair" if name in _PAIR_LOSSES else ""


def _names(value: ast.expr, page: Page, frame: Frame) -> set[str]:
    nodes = (n for n, _ in page.origins(value, frame) if isinstance(n, (ast.Name, ast.Attribute)))
    return {last_name(node) for node in nodes}


def _softened(value: ast.expr, page: Page, frame: Frame) -> ast.expr | None:
    """The divisor inside ``softmax(logits / temperature)``, if there is one."""
    for node, scope in page.origins(value, frame):
        if isinstance(node, ast.Call) and last_name(node).lower() in _SOFTMAX:
            given = node.args[0] if node.args else argument(node, "input")
            if given is None and isinstance(node.func, ast.Attribute):
                given = node.func.value
            for inner, _ in page.origins(given, scope, 60) if given is not None else ():
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div):
                    return inner.right
    return None


def _two_softened_models(sides: list[ast.expr], page: Page, frame: Frame) -> bool:
    """Both sides are softened by one temperature, and different models made them, one of them without gradients."""
    temperatures = [_softened(side, page, frame) for side in sides]
    if temperatures[0] is None or temperatures[1] is None:
        return False
    if ast.dump(temperatures[0]) != ast.dump(temperatures[1]):
        return False
    makers = [_models_of(side, page, frame) for side in sides]
    return bool(makers[0]) and bool(makers[1]) and not makers[0] & makers[1]


def _models_of(value: ast.expr, page: Page, frame: Frame) -> set[str]:
    """The objects that are called to make the logits of a value."""
    found: set[str] = set()
    for node, _ in page.origins(value, frame):
        if isinstance(node, ast.Attribute) and node.attr == "logits" and isinstance(node.value, ast.Call):
            found.add(ast.unparse(node.value.func))
    return found


# -- training data ----------------------------------------------------------------------------------------------------


def _written_by_model(value: ast.expr, page: Page, frame: Frame, models: Models) -> bool:
    """Do training data hold answers of a model: directly, or through a file that the module writes them to?"""
    paths: set[str] = set()
    for node, scope in page.origins(value, frame, 800):
        if isinstance(node, ast.Call) and _is_answer(node, page, scope, models):
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            paths.add(node.value)
        elif isinstance(node, ast.Name) and node.id in scope.params:
            paths.add(node.id)
    return bool(paths) and any(
        _writes_answer(call, paths, page, models) for call in page.parents if isinstance(call, ast.Call)
    )


def _is_answer(node: ast.Call, page: Page, frame: Frame, models: Models) -> bool:
    dotted = page.name_of(node, frame)
    if dotted and models.calls.find((dotted,), dotted.rpartition(".")[2], ()):
        return not _is_constructor(dotted, models)
    found = page.pages.locate(dotted) if dotted else None
    if found is None:
        return False
    owner, name = found
    function = next((f for f in owner.functions() if f.qualname == name), None)
    return function is not None and _returns_answer(function, models)


def _is_constructor(dotted: str, models: Models) -> bool:
    hit = models.calls.find((dotted,), dotted.rpartition(".")[2], ())
    return hit is not None and hit.entry.constructor


def _returns_answer(function: Frame, models: Models) -> bool:
    """Does a function of the project return what a model call in it gave?"""
    page = function.page
    for node in ast.walk(function.node):
        if isinstance(node, ast.Return) and node.value is not None:
            for inner, scope in page.origins(node.value, function, 200):
                if isinstance(inner, ast.Call):
                    dotted = page.name_of(inner, scope)
                    hit = models.calls.find((dotted,), dotted.rpartition(".")[2], ()) if dotted else None
                    if hit is not None and not hit.entry.constructor:
                        return True
    return False


def _writes_answer(call: ast.Call, paths: set[str], page: Page, models: Models) -> bool:
    """Does a call write a model's answer into one of the files?"""
    if last_name(call) not in _WRITERS:
        return False
    frame = page.frame_of(call)
    target = {
        n.value for n, _ in page.origins(call, frame, 300) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    }
    target |= {n.id for n, _ in page.origins(call, frame, 300) if isinstance(n, ast.Name)}
    if not target & paths:
        return False
    return any(isinstance(n, ast.Call) and _is_answer(n, page, s, models) for n, s in page.origins(call, frame, 300))
