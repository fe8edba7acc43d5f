"""Readers of the settings' values: every key has one, and a mistake says what was wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reduction_lint.findings import Severity
from reduction_lint.settings.model import Phase, compile_pattern

MODEL_TABLES = (
    *("captures", "sidecars", "reducers", "compressors", "calls", "sources", "sinks", "renderings", "types"),
    *("caches", "probes", "wire", "transcripts", "soft-compressors", "distillers", "terse-orders", "terse-parameters"),
)
"""Arrays of tables in the format of the shipped model files."""


class WrongValue(ValueError):
    """A mistake below a key: in a table's key at ``path``, or in the element ``value`` of a list."""

    def __init__(self, message: str, path: tuple[str, ...] = (), value: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.value = value


def check_code(code: str, *, prefix: bool = True) -> str:
    """``code`` if the catalogue has it (or, with ``prefix``, codes that begin with it); else ValueError."""
    from reduction_lint.knowledge import catalogue

    known = catalogue.rules()
    if code in known or (prefix and code.startswith("RL") and any(name.startswith(code) for name in known)):
        return code
    close = nearest_code(code)
    hint = f'; did you mean "{close}"?' if close else "; `reduction-lint rule` lists all codes"
    raise WrongValue(f'unknown code "{code}"{hint}', value=code)


def nearest_code(text: str) -> str | None:
    """The code that goes by this name, or that begins most like ``text``; None when none is near."""
    from difflib import SequenceMatcher

    from reduction_lint.knowledge import catalogue

    known = catalogue.rules()
    upper = text.upper()
    named = next((code for code, rule in known.items() if rule.name == text.lower()), None)
    alike = [code for code in known if _shared(code, upper) > 2]
    return named or max(
        alike,
        key=lambda code: (_shared(code, upper), SequenceMatcher(None, code, upper).ratio()),
        default=None,
    )


def _shared(code: str, text: str) -> int:
    """How many characters both begin with."""
    return next((n for n in range(len(code)) if code[: n + 1] != text[: n + 1]), len(code))


def _strings(value: Any) -> tuple[str, ...]:
    if type(value) is not list or not all(type(part) is str for part in value):
        raise WrongValue('must be a list of texts, such as ["a", "b"]')
    return tuple(value)


def _codes(value: Any) -> tuple[str, ...]:
    if type(value) is not list or not all(type(part) is str for part in value):
        raise WrongValue('must be a list of codes, such as ["RL101", "RL4"]')
    return tuple(check_code(code) for code in value)


def _string(value: Any) -> str:
    from reduction_lint.knowledge.schema import text

    return text(value)


def _boolean(value: Any) -> bool:
    from reduction_lint.knowledge.schema import boolean

    return boolean(value)


def _names(value: Any) -> tuple[str, ...]:
    """One name or a list of names."""
    return (value,) if type(value) is str else _strings(value)


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        from reduction_lint.knowledge.schema import one_of

        return str(one_of(*choices)(value))

    return read


def _table(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise WrongValue("must be a table")
    return value


def _tables(value: Any) -> list[dict[str, Any]]:
    if type(value) is not list or not all(type(part) is dict for part in value):
        raise WrongValue("must be an array of tables, written with [[ ]]")
    return value


def _severities(value: Any) -> dict[str, Severity]:
    read = _one_of("info", "warning", "error")
    found: dict[str, Severity] = {}
    for code, name in _table(value).items():
        try:
            found[check_code(code, prefix=False)] = Severity(read(name))
        except ValueError as error:
            raise WrongValue(str(error), (code,)) from None
    return found


def _per_file(value: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pattern, codes in _table(value).items():
        try:
            found[pattern] = _codes(codes)
            compile_pattern(pattern)
        except WrongValue as wrong:
            raise WrongValue(wrong.message, (pattern,), wrong.value) from None
        except ValueError as error:
            raise WrongValue(f"is not a valid pattern: {error}", (pattern,)) from None
    return found


_PHASE: dict[str, Callable[[Any], Any]] = {
    "excluded": _strings,
    "protected": _strings,
    "recall": _boolean,
    "selectors": _strings,
    "audit-sink": _names,
    "version-key": _names,
    "replace": _boolean,
}


def _phases(value: Any) -> dict[str, Phase]:
    from reduction_lint.knowledge.schema import nearest

    found: dict[str, Phase] = {}
    for name, table in _table(value).items():
        if type(table) is not dict:
            raise WrongValue("must be a table", (name,))
        parts: dict[str, Any] = {}
        for key, part in table.items():
            if key not in _PHASE:
                raise WrongValue(f"unknown key{nearest(key, list(_PHASE))}", (name, key))
            try:
                parts[key.replace("-", "_")] = _PHASE[key](part)
            except ValueError as error:
                raise WrongValue(str(error), (name, key)) from None
        found[name] = Phase(**parts)
    return found


READERS: dict[str, Callable[[Any], Any]] = {
    "select": _codes,
    "ignore": _codes,
    "extend-select": _codes,
    "severity": _severities,
    "profile": _one_of("default", "strict"),
    "preview": _boolean,
    "src": _strings,
    "docs-url": _string,
    "include": _strings,
    "exclude": _strings,
    "extend-exclude": _strings,
    "respect-gitignore": _boolean,
    "force-exclude": _boolean,
    "per-file-ignores": _per_file,
    "baseline": _string,
    "max-tokens": _table,
    "notice": _table,
    "opt-in-flags": _strings,
    "imported-prefix-names": _strings,
    "escalate-marker": _string,
    "phases": _phases,
    "unsuppressable": _codes,
    **dict.fromkeys(MODEL_TABLES, _tables),
}
# A file adds to these keys of the file it extends; tables are merged by key; everything else is replaced.
JOINED = frozenset({"extend-select", "extend-exclude", "unsuppressable"})


def joined(key: str, base: Any, mine: Any) -> Any:
    """The value of a key that both a file and the one it extends set."""
    if key in JOINED:
        return base + mine
    if key in MODEL_TABLES:
        return mine + base
    return {**base, **mine} if isinstance(mine, dict) else mine
