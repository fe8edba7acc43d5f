"""RL301: text that is turned into vectors which take its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Frame, Page, argument, last_name
from reduction_lint.findings import Confidence
from reduction_lint.knowledge.banned import SoftCompressor
from reduction_lint.knowledge.models import Models

_SAVERS = frozenset(
    ["torch.save", "pickle.dump", "pickle.dumps", "joblib.dump", "cloudpickle.dump", "numpy.save", "numpy.savez"]
)
_SAVER_NAMES = frozenset(["save_file", "save_kv", "save_kv_cache"])
_PARTS_OF_ONE_USE = ("tokenizer", "config", "processor")
_HIDDEN = frozenset(["last_hidden_state", "hidden_states", "encoder_last_hidden_state"])
_TEXT = frozenset(
    [
        "input_ids",
        "text",
        "texts",
        "prompt",
        "prompts",
        "passage",
        "passages",
        "document",
        "documents",
        "docs",
        "chunks",
        "context",
    ]
)


@dataclass(frozen=True, slots=True)
class _Use:
    """One use: the node, what is wrong with it, and whether it is the making of an object, a part of one, or an idiom."""

    node: ast.AST
    technique: str
    message: str
    role: str
    confidence: Confidence = Confidence.HIGH


def soft_compression(page: Page, models: Models) -> list[Draft]:
    """Drafts for one module: one for each use; an import only where nothing uses it."""
    uses = list(_uses(page, models))
    made = {use.technique for use in uses if use.role in ("object", "call", "keyword")}
    kept = [u for u in uses if not (u.role == "part" and u.technique in made)]
    taken: dict[ast.AST, _Use] = {}
    for use in kept:
        taken.setdefault(page.statement_of(use.node) if use.role == "literal" else use.node, use)
    found = list(taken.values())
    if not found:
        found = list(_imports(page, models))
    return [
        Draft("RL301", page.spot(u.node), u.message, u.technique, u.confidence, technique="soft-compression")
        for u in found
    ]


def _uses(page: Page, models: Models) -> Iterator[_Use]:
    for node in list(page.parents):
        if isinstance(node, ast.Call):
            yield from _call(node, page, models)
        elif isinstance(node, ast.ClassDef):
            yield from _subclass(node, page, models)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _literal(node, page, models)


def _entry(dotted: str, models: Models) -> tuple[SoftCompressor, str] | None:
    """The entry for a dotted name or for a name above it, and what of the name is left below the match."""
    names = dotted.split(".")
    for end in range(len(names), 0, -1):
        hit = models.banned.soft.find((".".join(names[:end]),), names[end - 1], ())
        if hit is not None:
            return hit.entry, ".".join(names[end:])
    return None


def _call(node: ast.Call, page: Page, models: Models) -> Iterator[_Use]:
    frame = page.frame_of(node)
    keyword = _by_keyword(node, models)
    known = _entry(page.name_of(node, frame), models)
    if known is not None:
        entry, rest = known
        constructor = rest == "" or rest.startswith("from_")
        if constructor or rest.rpartition(".")[2] in entry.methods or rest in ("__call__",):
            what = f"{entry.technique} turns text into vectors that only its own model can read"
            yield _Use(node, entry.technique, what, "object" if constructor else "call")
            return
        if rest[:1].isupper():
            yield _Use(node, entry.technique, f"{entry.technique} works on vectors in place of text", "object")
            return
    if keyword is not None:
        name, entry = keyword
        yield _Use(
            node, entry.technique, f"`{name}` takes or gives {entry.technique} vectors in place of text", "keyword"
        )
    elif any(_is_checkpoint(value, page, frame, models) for value in _arguments(node)):
        yield from _checkpoint(node, page, frame, models)
    else:
        yield from _idiom(node, page, frame, models)


def _arguments(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def _by_keyword(node: ast.Call, models: Models) -> tuple[str, SoftCompressor] | None:
    for keyword in node.keywords:
        for entry in models.banned.soft.entries:
            if keyword.arg in entry.keywords and not _switched_off(keyword.value):
                return str(keyword.arg), entry
    return None


def _switched_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and (value.value is None or value.value is False)


def _is_checkpoint(value: ast.expr, page: Page, frame: Frame, models: Models) -> SoftCompressor | None:
    text = page.constant(value, frame)
    if not isinstance(text, str) or "/" not in text:
        return None
    return next((entry for entry in models.banned.soft.entries if entry.is_checkpoint(text)), None)


def _checkpoint(node: ast.Call, page: Page, frame: Frame, models: Models) -> Iterator[_Use]:
    """A published checkpoint is loaded: the model counts, its tokenizer or configuration only where it is alone."""
    entry = next(e for e in (_is_checkpoint(v, page, frame, models) for v in _arguments(node)) if e is not None)
    name = f"{page.name_of(node, frame)} {ast.unparse(node.func)}".lower()
    part = any(word in name for word in _PARTS_OF_ONE_USE)
    yield _Use(
        node, entry.technique, f"this checkpoint is a {entry.technique} compressor", "part" if part else "object"
    )


def _subclass(node: ast.ClassDef, page: Page, models: Models) -> Iterator[_Use]:
    frame = page.frame_of(node)
    for base in node.bases:
        known = _entry(page.qualified(base, frame), models)
        if known is not None and known[1] == "":
            yield _Use(base, known[0].technique, f"a subclass of a {known[0].technique} model", "object")


def _literal(node: ast.Constant, page: Page, models: Models) -> Iterator[_Use]:
    """A checkpoint or special token that no call in the file takes directly."""
    text = str(node.value)
    parent = page.parents.get(node)
    for entry in models.banned.soft.entries:
        if text in entry.literals and not isinstance(parent, ast.Expr):
            yield _Use(node, entry.technique, f"`{text}` is the special token of {entry.technique}", "part")
        elif "/" in text and entry.is_checkpoint(text) and not isinstance(parent, (ast.Call, ast.keyword, ast.Expr)):
            yield _Use(node, entry.technique, f"this checkpoint is a {entry.technique} compressor", "part")


def _imports(page: Page, models: Models) -> Iterator[_Use]:
    for node in list(page.parents):
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or page.frame_of(node).is_function:
            continue
        for alias in node.names:
            dotted = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) and node.module else alias.name
            known = _entry(dotted, models)
            if known is not None:
                yield _Use(
                    node, known[0].technique, f"{known[0].technique} is imported: vectors in place of text", "import"
                )
                break


# -- home-made --------------------------------------------------------------------------------------------------------


def _idiom(node: ast.Call, page: Page, frame: Frame, models: Models) -> Iterator[_Use]:
    embeds = argument(node, "inputs_embeds", "decoder_inputs_embeds")
    if embeds is not None and _stands_for_text(embeds, page, frame, models):
        what = "`inputs_embeds` holds vectors made from a text, and the text itself is not given"
        yield _Use(node, "inputs_embeds", what, "idiom", Confidence.MEDIUM)
    elif _is_saver(node, page, frame) and node.args and _only_key_values(node.args[0], page, frame, models):
        what = "attention states are stored in place of the text they were made from"
        yield _Use(node, "past_key_values", what, "idiom", Confidence.MEDIUM)


def _stands_for_text(embeds: ast.expr, page: Page, frame: Frame, models: Models) -> bool:
    """Do the input embeddings come from vectors named as standing for text, or from hidden states of an encoded text?"""
    idioms = models.banned.idioms
    names = [
        (node, last_name(node))
        for node, _ in page.origins(embeds, frame)
        if isinstance(node, (ast.Name, ast.Attribute))
    ]
    if any(idioms.other_modality.match(name) for _, name in names):
        return False
    if any(idioms.soft_vectors.match(name) for _, name in names):
        return True
    hidden = any(name in _HIDDEN for _, name in names)
    keywords = {n.arg for n, _ in page.origins(embeds, frame) if isinstance(n, ast.keyword)}
    return hidden and bool(_TEXT.intersection({name for _, name in names} | keywords))


def _is_saver(node: ast.Call, page: Page, frame: Frame) -> bool:
    return page.name_of(node, frame) in _SAVERS or last_name(node) in _SAVER_NAMES


def _only_key_values(value: ast.expr, page: Page, frame: Frame, models: Models) -> bool:
    """Is what is stored attention states, with no text beside them?"""
    if isinstance(value, ast.Dict) and any(
        isinstance(key, ast.Constant) and str(key.value) in _TEXT for key in value.keys
    ):
        return False
    idioms = models.banned.idioms
    for node, scope in page.origins(value, frame, 120):
        if isinstance(node, (ast.Name, ast.Attribute)) and idioms.key_values.match(last_name(node)):
            return True
        if isinstance(node, ast.Call) and page.name_of(node, scope).endswith(".DynamicCache"):
            return True
    return False
