"""Where a string literal ends: all prefixes, triple quotes, and f-strings with strings in their fields.

The fast path of the scanner swallows most literals with one regular expression (:func:`simple_literal`); the
rest come through :func:`string_end`, which knows nesting as PEP 701 allows it and falls back to the older
reading of f-strings.
"""

from __future__ import annotations

import re

_MAX_NESTING = 16
"""Strings within strings; every level costs a search again when the innermost turns out to be broken."""
_MAX_BRACKETS = 200
_MAX_FIELD = 20_000
"""Characters of a single-quoted f-string that are searched: bounds the work that broken text can cause."""


def simple_literal(quote: str) -> str:
    """A verbose pattern for the literals in ``quote`` that need no closer look.

    These are non-empty literals without escapes or braces, any literal that is not formatted or raw, and
    f-strings whose fields hold neither their own quote nor nested brackets.
    """
    other = "'" if quote == '"' else '"'
    plain = r"""[^"'{}()\[\]\\\n\#]"""
    inner = rf"{plain} | {other}[^\"'{{}}\\\n]*{other}"
    item = rf"{inner} | \((?:{inner})*\) | \[(?:{inner})*\]"
    return rf"""
        {quote}[^{quote}\\\n{{}}]+{quote}
      | {quote}{quote}(?!{quote})
      | (?<![fFtTrR]){quote}(?!{quote})[^{quote}\\\n]*(?:\\.[^{quote}\\\n]*)*{quote}
      | (?<=[fFtTrR]){quote}(?!{quote})[^{quote}\\\n{{}}]*
        (?:(?:\\. | \{{\{{ | \}}\}} | \{{(?:{item})*\}})[^{quote}\\\n{{}}]*)*{quote}
    """


def _literal_text(quote: str) -> re.Pattern[str]:
    """Literal text of an f-string in ``quote`` up to its next field or its end."""
    mark = quote[0]
    line = "" if len(quote) == 3 else r"\n"
    alone = rf"|{mark}(?!{mark}{mark})" if len(quote) == 3 else ""
    text = rf"[^{mark}\\{{}}{line}]*"
    special = rf"\\N\{{[^{{}}{mark}\n]*\}}|\\[^{{}}]|\\(?=[{{}}])|\{{\{{|\}}\}}"
    return re.compile(rf"{text}(?:(?:{special}{alone}){text})*", re.DOTALL)


def _plain_end(quote: str) -> re.Pattern[str]:
    """The rest of a string in ``quote``, its closing quotes included."""
    mark = quote[0]
    if len(quote) == 3:
        return re.compile(rf"[^{mark}\\]*(?:(?:\\.|{mark}(?!{mark}{mark}))[^{mark}\\]*)*{quote}", re.DOTALL)
    return re.compile(rf"[^{mark}\\\n]*(?:\\.[^{mark}\\\n]*)*{mark}", re.DOTALL)


_QUOTES = ('"""', "'''", '"', "'")
_END = {quote: _plain_end(quote) for quote in _QUOTES}
_TEXT = {quote: _literal_text(quote) for quote in _QUOTES}
_FIELD = re.compile(r"""[^"'\#()\[\]{}:]*(?:(\"\"\"|'''|"|')|\#[^\n]*|([(\[{])|([)\]}])|:)""")
_SPEC = re.compile(r"[^{}\"'\n]*")
_FORMATTED = re.compile(r"[fFtT][rR]?|[rR][fFtT]")


class _Broken(Exception):
    """An f-string that cannot be read as such; raised and caught in this module."""


def string_end(text: str, start: int, quote: str) -> int:
    """Offset just behind the string whose opening ``quote`` stands at ``start``.

    -1 when it is not closed: by the end of its line for a single quote, by the end of ``text`` for a triple.
    """
    body = start + len(quote)
    closed = _END[quote].match(text, body)
    if not is_formatted(text, start):
        return closed.end() if closed else -1
    if closed and text.count("{", body, closed.end()) == text.count("}", body, closed.end()) and len(quote) == 3:
        return closed.end()
    limit = len(text) if len(quote) == 3 else min(len(text), start + _MAX_FIELD)
    try:
        return _formatted_end(text, body, quote, limit, 0)
    except _Broken:
        return closed.end() if closed else -1


def is_formatted(text: str, start: int) -> bool:
    """Whether the quote at ``start`` has an ``f`` or ``t`` prefix; a keyword (``if"x"``) is none."""
    if text[start - 1 : start] not in ("f", "F", "t", "T", "r", "R"):
        return False
    word = start
    while word and start - word < 3 and (text[word - 1].isalnum() or text[word - 1] == "_"):
        word -= 1
    return _FORMATTED.fullmatch(text, word, start) is not None


def _formatted_end(text: str, pos: int, quote: str, limit: int, nesting: int) -> int:
    if nesting > _MAX_NESTING:
        raise _Broken
    literal = _TEXT[quote]
    while True:
        found = literal.match(text, pos, limit)
        pos = found.end() if found else limit
        if text.startswith(quote, pos):
            return pos + len(quote)
        if not text.startswith("{", pos):
            raise _Broken
        pos = _field_end(text, pos + 1, quote, limit, nesting)


def _field_end(text: str, pos: int, quote: str, limit: int, nesting: int) -> int:
    """Offset behind the ``}`` that closes the replacement field whose content starts at ``pos``."""
    depth = 0
    while True:
        token = _FIELD.match(text, pos, limit)
        if token is None:
            raise _Broken
        pos = token.end()
        if token[1]:
            pos = _nested_string_end(text, token.start(1), token[1], limit, nesting)
        elif token[2]:
            depth += 1
            if depth > _MAX_BRACKETS:
                raise _Broken
        elif token[3]:
            if not depth:
                if token[3] != "}":
                    raise _Broken
                return pos
            depth -= 1
        elif not depth and text[pos - 1] == ":" and text[pos - 2 : pos] != "#:":
            return _spec_end(text, pos, quote, limit, nesting)


def _nested_string_end(text: str, start: int, quote: str, limit: int, nesting: int) -> int:
    body = start + len(quote)
    if is_formatted(text, start):
        return _formatted_end(text, body, quote, limit, nesting + 1)
    closed = _END[quote].match(text, body, limit)
    if closed is None:
        raise _Broken
    return closed.end()


def _spec_end(text: str, pos: int, quote: str, limit: int, nesting: int) -> int:
    """Offset behind the ``}`` that ends the format specification at ``pos``, which may hold fields itself."""
    if nesting > _MAX_NESTING:
        raise _Broken
    while True:
        found = _SPEC.match(text, pos, limit)
        pos = found.end() if found else limit
        mark = text[pos : pos + 1] if pos < limit else ""
        if mark == "}":
            return pos + 1
        if mark == "{":
            pos = _field_end(text, pos + 1, quote, limit, nesting + 1)
        elif not mark or text.startswith(quote, pos) or (mark == "\n" and len(quote) == 1):
            raise _Broken
        else:
            pos += 1
