"""RL304: a similarity cache answers another prompt and nothing marks the turn."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reduction_lint.checks.banned.marks import callers_mark, function_of, is_marked, returns_of, stores_library_flag
from reduction_lint.checks.banned.similar import Similar
from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Frame, Page, argument, is_none, last_name
from reduction_lint.findings import Confidence
from reduction_lint.knowledge.caches import Cache
from reduction_lint.knowledge.entries import UNKNOWN, Condition
from reduction_lint.knowledge.models import Models

_UNFLAGGED = "and no substitution flag is stored for the turn"


def semantic_caches(page: Page, models: Models) -> list[Draft]:
    """Drafts for one module: library caches, converters of hits, home-made caches."""
    found: dict[ast.AST, tuple[str, Confidence]] = {}
    for node, message, confidence in [*_home_made(page, models), *_library(page, models)]:
        found.setdefault(node, (message, confidence))
    return [
        Draft("RL304", _page_of(node, page).spot(node), message, "", confidence, technique="semantic-cache")
        for node, (message, confidence) in found.items()
    ]


def _page_of(node: ast.AST, page: Page) -> Page:
    """The page a node stands in: a converter may be imported."""
    if node in page.parents:
        return page
    known = (p for p in page.pages.known() if node in p.parents)
    return next(known, page)


# -- home-made --------------------------------------------------------------------------------------------------------


def _home_made(page: Page, models: Models) -> Iterator[tuple[ast.AST, str, Confidence]]:
    handing = [
        (similar, hits) for similar in (Similar(f, models) for f in page.functions()) if (hits := similar.hits())
    ]
    helpers = {helper for similar, _ in handing for helper in similar.helpers()}
    for similar, hits in handing:
        frame = similar.frame
        unmarked = [hit for hit in hits if not is_marked(hit, frame, models)]
        if frame in helpers or (unmarked and not similar.asks_model() and callers_mark(frame, models)):
            continue
        for hit in unmarked:
            yield hit, f"the answer to a similar prompt is handed out {_UNFLAGGED}", Confidence.MEDIUM


# -- libraries --------------------------------------------------------------------------------------------------------


def _library(page: Page, models: Models) -> Iterator[tuple[ast.AST, str, Confidence]]:
    objects: list[ast.Call] = []
    asked = False
    for node in list(page.parents):
        if not isinstance(node, ast.Call):
            continue
        frame = page.frame_of(node)
        entry = _entry(node, page, frame, models)
        if entry is None or not entry.semantic:
            continue
        if entry.use == "install":
            if not stores_library_flag(page, entry.flags, models):
                yield node, f"a similarity cache is put before the model {_UNFLAGGED}", Confidence.HIGH
        elif entry.use == "object":
            objects.append(node)
        elif entry.use == "look-up":
            asked = True
            yield from _look_up(node, page, frame, models)
        else:
            yield from _converted(node, entry, frame, models)
    if not asked:
        for node in objects:
            yield node, f"answers are looked up by similarity {_UNFLAGGED}", Confidence.MEDIUM


def _entry(node: ast.Call, page: Page, frame: Frame, models: Models) -> Cache | None:
    dotted = page.name_of(node, frame)
    if not dotted:
        return None
    owner, _, method = dotted.rpartition(".")
    own = page.project.is_class(dotted)
    bases = tuple(page.project.base_names(dotted)) if own else tuple(page.project.base_names(owner)) if owner else ()
    above = tuple(bases) if own else tuple(f"{base}.{method}" for base in bases)
    receivers = (last_name(node.func.value),) if isinstance(node.func, ast.Attribute) else ()
    hit = models.caches.table.find((*(() if own else (dotted,)), *above), last_name(node), receivers)
    if hit is None or (hit.entry.when is not None and not _holds(hit.entry.when, node, page, frame)):
        return None
    return hit.entry


def _holds(when: Condition, node: ast.Call, page: Page, frame: Frame) -> bool:
    value = argument(node, *when.argument)
    literal = page.constant(value, frame) if value is not None else None
    if literal is None and not is_none(value):
        named = last_name(value) if value is not None else ""
        literal = named.lower().replace("_", "-") if named.isupper() else UNKNOWN
    return when.holds(value is not None, literal)


def _look_up(node: ast.Call, page: Page, frame: Frame, models: Models) -> Iterator[tuple[ast.AST, str, Confidence]]:
    """The returns of what a look-up found; the look-up itself where its result goes elsewhere."""
    message = f"the answer to a similar prompt is handed out {_UNFLAGGED}"
    if not frame.is_function:
        yield node, message, Confidence.HIGH
        return
    returned = [r for r in returns_of(frame) if r.value is not None and _comes_from(r.value, node, frame)]
    for hit in returned:
        if not is_marked(hit, frame, models):
            yield hit, message, Confidence.HIGH
    if not returned and not stores_library_flag(page, ("response",), models) and not callers_mark(frame, models):
        yield node, message, Confidence.MEDIUM


def _comes_from(value: ast.expr, call: ast.Call, frame: Frame) -> bool:
    return any(node is call for node, _ in frame.page.origins(value, frame))


def _converted(node: ast.Call, entry: Cache, frame: Frame, models: Models) -> Iterator[tuple[ast.AST, str, Confidence]]:
    """The function that turns a hit into an answer: what it returns must tell the hit."""
    converter, model = argument(node, *entry.converter), argument(node, *entry.model)
    function = function_of(converter, frame) if converter is not None else None
    asks = function_of(model, frame) if model is not None else None
    if function is None or (asks is not None and not returns_of(asks)):
        return
    for returned in returns_of(function):
        place, owner = _made_in(returned, function)
        if not is_marked(returned, function, models) and not is_marked(place, owner, models):
            yield (
                place,
                "a hit of a similarity cache is turned into an answer that does not tell that it is one",
                Confidence.HIGH,
            )


def _made_in(returned: ast.Return, function: Frame, depth: int = 0) -> tuple[ast.Return, Frame]:
    """The return that makes the answer: followed into the one function that a return calls."""
    if depth < 3 and isinstance(returned.value, ast.Call):
        made = function_of(returned.value.func, function)
        inner = returns_of(made) if made is not None else []
        if made is not None and len(inner) == 1:
            return _made_in(inner[0], made, depth + 1)
    return returned, function
