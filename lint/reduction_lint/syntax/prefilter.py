"""A quick look for literal words in raw text: files without any are done without being read further."""

from __future__ import annotations

from collections.abc import Iterable

from ahocorasick_rs import AhoCorasick, BytesAhoCorasick

_FIRST_BLOCK = 2048
"""Bytes of the first block; a file with any signal usually has one near its top."""


class Prefilter:
    """All occurrences of a set of words, found in one pass (Aho-Corasick), also inside longer words."""

    __slots__ = ("_bytes", "_longest", "_text", "_words")

    def __init__(self, signals: Iterable[str]) -> None:
        self._words = sorted({signal for signal in signals if signal})
        self._bytes = BytesAhoCorasick([word.encode() for word in self._words]) if self._words else None
        self._longest = max((len(word.encode()) for word in self._words), default=0)
        self._text: AhoCorasick | None = None  # built when first needed: many runs look at bytes only

    def matches(self, data: bytes) -> bool:
        """Whether any of the words occurs in ``data``, which is taken as UTF-8.

        Looks at one block after the other, because the automaton lists all matches and the first one is enough.
        """
        if self._bytes is None:
            return False
        find, start, size = self._bytes.find_matches_as_indexes, 0, _FIRST_BLOCK
        while start < len(data):
            if find(data[max(0, start - self._longest) : start + size]):
                return True
            start, size = start + size, size * 4
        return False

    def found(self, text: str) -> set[str]:
        """The words that occur in ``text``, overlapping ones included."""
        if self._text is None:
            if not self._words:
                return set()
            self._text = AhoCorasick(self._words)
        words = self._words
        hits = {hit[0] for hit in self._text.find_matches_as_indexes(text, overlapping=True)}
        return {words[index] for index in hits}
