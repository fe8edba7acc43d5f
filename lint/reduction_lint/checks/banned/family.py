"""Runs the checks of banned techniques over the modules whose text can hold them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from reduction_lint.checks.banned.caches import semantic_caches
from reduction_lint.checks.banned.distill import distillation
from reduction_lint.checks.banned.soft import soft_compression
from reduction_lint.checks.banned.terse import terse_output
from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Page
from reduction_lint.checks.scope import Scope
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.prefilter import Prefilter

_LOADERS = frozenset(["read_text", "open(", "get_template", "load_prompt", "joinpath"])
_PROMPT_FILES = frozenset(
    f"{extension}{quote}"
    for extension in (".txt", ".md", ".j2", ".jinja", ".jinja2", ".prompt", ".yaml", ".yml")
    for quote in "'\""
)
"""Ends of literal paths that a prompt may be loaded from."""
_ANSWERS = frozenset(["cache", "answer", "reply", "completion"])

Check = Callable[[Page, Models], list[Draft]]
Gate = Callable[[str, bytes], bool]
"""Is it worth reading the module? Asked with its text, and with that in lower case as UTF-8."""


def banned_techniques(scope: Scope) -> list[Draft]:
    """RL301-RL304 for every module of the scope."""
    checks = _gates(scope.models)
    drafts: list[Draft] = []
    for module in scope.modules:
        text = module.source.text
        lowered = text.lower().encode("utf-8", "surrogatepass")
        for gate, check in checks:
            if gate(text, lowered):
                drafts += check(scope.pages.of(module), scope.models)
    return drafts


@lru_cache(maxsize=4)
def _gates(models: Models) -> tuple[tuple[Gate, Check], ...]:
    """Each check with its gate; the cheap tests on raw text keep most modules from being read."""
    soft, distil = Prefilter(models.banned.soft_words), Prefilter(models.banned.distil_words)
    orders, parameters = Prefilter(models.terse.words), Prefilter(models.terse.parameter_names)
    files, loaders = Prefilter(_PROMPT_FILES), Prefilter(_LOADERS)
    library, similar, answers = (Prefilter(w) for w in (models.caches.library_words, models.caches.stems, _ANSWERS))

    def may_be_terse(text: str, lowered: bytes) -> bool:
        if parameters.matches(lowered) or (files.matches(lowered) and loaders.matches(lowered)):
            return True
        return orders.matches(lowered) and models.terse.may_order(text)

    def may_be_cache(text: str, lowered: bytes) -> bool:
        return library.matches(lowered) or (similar.matches(lowered) and answers.matches(lowered))

    return (
        (lambda text, lowered: soft.matches(lowered), soft_compression),
        (lambda text, lowered: distil.matches(lowered), distillation),
        (may_be_cache, semantic_caches),
        (may_be_terse, terse_output),
    )
