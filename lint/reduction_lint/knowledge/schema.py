"""Typed reading of the TOML tables: a mistake names the file, entry and key, and the nearest valid key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from reduction_lint.knowledge.entries import Argument, Condition, Match
from reduction_lint.knowledge.names import NameGlobs

Reader = Callable[[Any], Any]
Spec = Mapping[str, tuple[str, Reader]]
"""Key in the file -> (field of the dataclass, reader of the value that raises ValueError for a wrong one)."""


class KnowledgeError(ValueError):
    """A mistake in a data file or in the user's entries of the same format.

    ``file`` is the file's name ("settings" for entries of the user), ``entry`` the table with the 1-based
    number of the entry (``captures[3]``), ``key`` the key or "" when the entry as a whole is wrong.
    """

    def __init__(self, file: str, entry: str, key: str, message: str) -> None:
        self.file = file
        self.entry = entry
        self.key = key
        self.message = message
        place = f"{file}: {entry}" + (f": {key}" if key else "")
        super().__init__(f"{place}: {message}")


def nearest(key: str, valid: Mapping[str, object] | list[str]) -> str:
    """``; did you mean "…"?`` for the nearest valid key, or the list of all when none is near."""
    close = get_close_matches(key, list(valid), n=1, cutoff=0.5)
    return f'; did you mean "{close[0]}"?' if close else f"; valid keys: {', '.join(sorted(valid))}"


def read_fields(raw: Mapping[str, Any], spec: Spec, file: str, entry: str) -> dict[str, Any]:
    """Turn one table into keyword arguments for its dataclass."""
    fields: dict[str, Any] = {}
    for key, value in raw.items():
        known = spec.get(key)
        if known is None:
            raise KnowledgeError(file, entry, key, f"unknown key{nearest(key, spec)}")
        try:
            fields[known[0]] = known[1](value)
        except ValueError as error:
            raise KnowledgeError(file, entry, key, str(error)) from None
    return fields


def text(value: Any) -> str:
    """A string."""
    if type(value) is not str:
        raise ValueError(f"must be text, not {_kind(value)}")
    return value


def boolean(value: Any) -> bool:
    """true or false."""
    if type(value) is not bool:
        raise ValueError(f"must be true or false, not {_kind(value)}")
    return value


def whole(value: Any) -> int:
    """A whole number, not negative."""
    if type(value) is not int or value < 0:
        raise ValueError(f"must be a whole number from 0, not {_kind(value)}")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """A string or a list of strings."""
    if type(value) is str:
        return (value,)
    if type(value) is not list or not all(type(part) is str for part in value):
        raise ValueError(f"must be text or a list of texts, not {_kind(value)}")
    return tuple(value)


def lowered(value: Any) -> tuple[str, ...]:
    """Like :func:`texts`, lower-cased."""
    return tuple(part.lower() for part in texts(value))


def alternatives(value: Any) -> tuple[str, ...]:
    """A string with ``|`` between alternatives, or a list of such strings."""
    return tuple(part for whole_text in texts(value) for part in whole_text.split("|") if part)


def globs(value: Any) -> NameGlobs:
    """Name globs."""
    return NameGlobs(alternatives(value))


def arguments(value: Any) -> tuple[Argument, ...]:
    """A position, a name, or a list of them."""
    parts = value if type(value) is list else [value]
    if not all(type(part) is str or (type(part) is int and part >= 0) for part in parts):
        raise ValueError("must be a position (from 0) or a name of an argument, or a list of them")
    return tuple(parts)


def calls(value: Any) -> tuple[str, ...]:
    """Qualified names; ``()`` is dropped and ``{a,b}`` stands for each of its alternatives."""
    return tuple(name for part in texts(value) for name in expand_braces(part.replace("()", "")))


def expand_braces(name: str) -> list[str]:
    """``x.{a,b}.c`` -> ``x.a.c``, ``x.b.c``; several groups multiply, groups are not nested."""
    start = name.find("{")
    if start < 0:
        return [name]
    end = name.find("}", start)
    if end < 0:
        raise ValueError(f'"{name}" has a brace without its partner')
    rest = expand_braces(name[end + 1 :])
    return [name[:start] + middle + tail for middle in name[start + 1 : end].split(",") for tail in rest]


def one_of(*choices: str) -> Reader:
    """A string out of ``choices``."""

    def read(value: Any) -> str:
        if value not in choices:
            close = get_close_matches(str(value), choices, n=1)
            hint = f'; did you mean "{close[0]}"?' if close else ""
            raise ValueError(f"must be one of {', '.join(choices)}, not {value!r}{hint}")
        return str(value)

    return read


def condition(value: Any) -> Condition:
    """The inline table of a ``when`` key."""
    if type(value) is not dict:
        raise ValueError(f"must be a table, not {_kind(value)}")
    try:
        fields = read_fields(value, _CONDITION, "", "when")
    except KnowledgeError as error:
        raise ValueError(f'"{error.key}" in it: {error.message}') from None
    if "argument" not in fields or len(fields) < 2:
        raise ValueError('needs "argument" and one of starts, equals, differs, given')
    return Condition(**fields)


def _literals(value: Any) -> tuple[object, ...]:
    parts = value if type(value) is list else [value]
    if not all(type(part) in (str, int, bool) for part in parts):
        raise ValueError("must be a text, number or truth value, or a list of them")
    return tuple(parts)


def _upper(value: Any) -> tuple[str, ...]:
    return tuple(part.upper() for part in alternatives(value))


_CONDITION: Spec = {
    "argument": ("argument", arguments),
    "starts": ("starts", _upper),
    "equals": ("equals", _literals),
    "differs": ("differs", _literals),
    "given": ("given", boolean),
}


def take_match(fields: dict[str, Any], file: str, entry: str, needed: bool = True) -> Match:
    """Take the matching keys out of ``fields`` and check that they say something."""
    names = fields.pop("calls", ())
    method = fields.pop("method", None)
    receivers = fields.pop("receivers", ())
    if method is None and receivers:
        raise KnowledgeError(file, entry, "receiver", 'stands with "method" only')
    if needed and not names and method is None:
        raise KnowledgeError(file, entry, "", 'needs "call", or "method" with or without "receiver"')
    if "" in names or method == "":
        raise KnowledgeError(file, entry, "call" if "" in names else "method", "must not be empty")
    return Match(names, method, receivers)


def _kind(value: Any) -> str:
    """How a TOML value is called in messages."""
    kinds = {
        str: "text",
        bool: "a truth value",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "a table",
    }
    return kinds.get(type(value), type(value).__name__)
