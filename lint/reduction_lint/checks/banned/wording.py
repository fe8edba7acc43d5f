"""Does the text of a prompt order the model to hold back, and may it?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from reduction_lint.knowledge.models import Models

_SENTENCES = re.compile(r"(?<=[.!?;。！？])\s+|(?<=[。！？])|\n+")
_ADDRESSED = re.compile(
    r"\b(answer|respon[ds]|repl(?:y|ies)|write|explain|summar|describe|output|report|analy[sz]|review|your?|keep|be|plan)\b",
    re.I,
)
_FRAGMENT = 60
"""Characters up to which a sentence that caps a size is taken to speak of the answer."""
_HEAD = 240
"""Characters at the start of a prompt in which it says what it asks for."""
_SHORT = 500
"""Characters up to which a prompt asks for one thing only."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order to hold back: the words that give it, and whether it orders brevity outright."""

    words: str
    outright: bool


def terse_order(text: str, models: Models) -> Order | None:
    """The first order in a prompt to hold back on what matters; outright orders before caps and forbidden explanations."""
    if _is_disposable_task(text, models):
        return None
    sentences = [part for part in _SENTENCES.split(text) if part and part.strip()]
    weak: Order | None = None
    for number, sentence in enumerate(sentences):
        around = " ".join(sentences[max(0, number - 1) : number + 2])
        for order in models.terse.orders:
            words = order.found_in(sentence.strip())
            if not words or mentions(sentence, models.terse.disposable):
                continue
            if order.kind == "brief":
                return Order(words, True)
            if order.kind == "bare" and mentions(around, models.terse.forms):
                continue
            if order.kind == "size" and (
                mentions(around, models.terse.disposable) or not _caps_answer(sentence, models)
            ):
                continue
            weak = weak or Order(words, False)
    return weak


def _is_disposable_task(text: str, models: Models) -> bool:
    """Does the prompt as a whole ask for a title, a label, a score …?"""
    asked = text if len(text) <= _SHORT else text[:_HEAD]
    return models.max_tokens.kind_of(asked) is not None


def _caps_answer(sentence: str, models: Models) -> bool:
    if mentions(sentence, models.terse.forms):
        plain = re.sub(r"\bwords?\b|\bformat\b|\bnumbers?\b", " ", sentence, flags=re.I)
        if mentions(plain, models.terse.forms):
            return False
    return len(sentence.strip()) <= _FRAGMENT or _ADDRESSED.search(sentence) is not None


def mentions(text: str, words: Iterable[str]) -> bool:
    """Does a word of the text begin with one of ``words`` (lower case)?"""
    return bool(words) and _any_word(tuple(words)).search(text.lower()) is not None


@lru_cache(maxsize=16)
def _any_word(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, words)) + ")")


def words_of(name: str) -> str:
    """``TitleMaker.run_once`` as words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[._]", " ", name).lower()
