"""Which chunks can matter? A cheap, over-approximating test on text, before anything is parsed."""

from __future__ import annotations

from reduction_lint.flow.relevance import libraries_of
from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.prefilter import Prefilter


class Selector:
    """Answers whether a chunk names context, a modelled reducer or an output cap at all.

    One automaton over the lower-cased text of a chunk: names of context, the libraries it comes from, reducers and caps.
    :class:`reduction_lint.flow.relevance.Relevance` then looks at the structure of what passes.
    """

    def __init__(self, models: Models) -> None:
        self.interesting = models.reducers.words | models.cap_words
        """Names of modelled reducers and cap arguments."""
        words = models.named_sources.words | models.reducers.words | models.cap_words | libraries_of(models)
        self._signals = Prefilter(word.lower() for word in words if len(word) > 3)

    def wants(self, text: str) -> bool:
        """Can this chunk hold a reduction of context or a capped call?"""
        return self._signals.matches(text.lower().encode("utf-8", "surrogatepass"))
