"""Which chunks can matter? A cheap, over-approximating test on text: a reduction signal and a context signal."""

from __future__ import annotations

import re

from reduction_lint.knowledge.models import Models

_REDUCTION = (
    r"\[[^\[\]\n]{0,80}:[^\[\]\n]{0,80}\]|\.pop(?:left|item)?\(|\.clear\(|\bdel\s|\.remove\(|=\s*\[\s*\]|=\s*list\(\)"
    r"|=\s*(?:''|\"\"|None)\s*$|\bmaxlen\b|\bfor\b[^\n]*\bif\b|:\.\d+|:\.\{|=\s*\[[^\]\n]{0,60}\]\s*$|=\s*\[$|=\s*\[\{|\.set\("
)


class Selector:
    """Answers whether the text of a chunk is worth parsing."""

    def __init__(self, models: Models) -> None:
        words = sorted({w for w in models.context_words if len(w) > 3}, key=len, reverse=True)
        self._context = re.compile("|".join(map(re.escape, words)) or r"(?!)", re.I)
        reducers = sorted({w for w in models.reducers.words if len(w) > 3}, key=len, reverse=True)
        caps = sorted(models.cap_words, key=len, reverse=True)
        self._reduction = re.compile(
            _REDUCTION + "|" + r"summari[sz]e\w*|\w*compact\w*|" + "|".join(map(re.escape, reducers)), re.M
        )
        self._caps = re.compile(r"\b(?:" + "|".join(map(re.escape, caps)) + r")\b")
        self._library = re.compile(r"\b(?:" + "|".join(map(re.escape, reducers)) + r")\b")

        self.interesting = models.reducers.words | models.cap_words
        """Names of modelled reducers and cap arguments."""

    def wants(self, text: str) -> bool:
        """Can this chunk hold a reduction or a capped call?"""
        if self._caps.search(text) or self._library.search(text):
            return True
        return self._context.search(text) is not None and self._reduction.search(text) is not None
