"""Runs the checks of banned techniques over the modules whose text can hold them."""

from __future__ import annotations

from reduction_lint.checks.banned.caches import semantic_caches
from reduction_lint.checks.banned.distill import distillation
from reduction_lint.checks.banned.soft import soft_compression
from reduction_lint.checks.banned.terse import terse_output
from reduction_lint.checks.draft import Draft
from reduction_lint.checks.scope import Scope
from reduction_lint.syntax.prefilter import Prefilter

_PROMPT_FILES = frozenset(
    f"{extension}{quote}"
    for extension in (".txt", ".md", ".j2", ".jinja", ".jinja2", ".prompt", ".yaml", ".yml")
    for quote in "'\""
)
"""Ends of literal paths that a prompt may be loaded from."""


def banned_techniques(scope: Scope) -> list[Draft]:
    """RL301-RL304 for every module of the scope."""
    banned = scope.models.banned
    checks = (
        (Prefilter(banned.soft_words), soft_compression),
        (Prefilter(banned.distil_words), distillation),
        (Prefilter(scope.models.caches.words), semantic_caches),
        (Prefilter(scope.models.terse.words | _PROMPT_FILES), terse_output),
    )
    drafts: list[Draft] = []
    for module in scope.modules:
        text = module.source.text.lower().encode("utf-8", "surrogatepass")
        for words, check in checks:
            if words.matches(text):
                drafts += check(scope.pages.of(module), scope.models)
    return drafts
