"""May a function put something into a transcript that does not belong there, or take the marker out of a text?

Asked of every chunk, so in stages: an automaton over words, then names and prompts in what is left. Over-approximates.
"""

from __future__ import annotations

import re

from reduction_lint.knowledge.models import Models
from reduction_lint.syntax.prefilter import Prefilter

_GROWS = re.compile(
    r"\.(?:append|extend|insert|update|setdefault)\(|(?:add|append|record|push|store|save|log|write|put|dump|capture)\w*\("
    r"|\+=|\]\s*=[^=]|\.\w+\s*=[^=]"
)
"""What adds to something, or writes onto it."""
_TALKS = re.compile(r"\brole\b|Message\(|[\"'](?:user|assistant|system)[\"']|messages|history|transcript|\bmessage\b")
_NAME = re.compile(r"[A-Za-z_]\w{3,}")


class Tainting:
    """Answers for texts of functions."""

    def __init__(self, models: Models) -> None:
        self._purity = models.transcript
        self._words = Prefilter(models.transcript.signals)
        self._plain = [word.lower() for word in models.transcript.words]
        self._named: dict[str, bool] = {}

    def may_taint(self, text: str) -> bool:
        """May this function do so?"""
        lowered = text.lower()
        if not self._words.matches(lowered.encode("utf-8", "surrogatepass")) or not self._grows(text):
            return False
        if any(word in lowered for word in self._plain):
            return True
        names = set(_NAME.findall(text))
        if any(self._purity.marker_names.match(name) for name in names):
            return True
        if _TALKS.search(text) is None:
            return False
        if any(self._tells(name) for name in names) or self._purity.probe_prompts.search(text) is not None:
            return True
        if any(self._purity.probe_weak_names.match(name) for name in names):
            return self._purity.verdicts.search(text) is not None
        return any(stem in lowered for stem in self._purity.request_stems)

    def _grows(self, text: str) -> bool:
        return _GROWS.search(text) is not None or any(f".{name}(" in text for name in self._purity.entering_methods)

    def _tells(self, name: str) -> bool:
        known = self._named.get(name)
        if known is None:
            purity = self._purity
            known = purity.probe_names.match(name) or purity.request_names.match(name)
            self._named[name] = known
        return known
