"""The rule catalogue: what every code means, why it matters and what the right code looks like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import reduction_rules
import tomli

from reduction_lint.findings import Severity
from reduction_lint.knowledge.schema import (
    KnowledgeError,
    Spec,
    boolean,
    nearest,
    one_of,
    read_fields,
    text,
    texts,
)

HELP_BASE: Final = "https://reduction-lint.readthedocs.io/rules/"
"""The documentation address of the project's metadata plus ``rules/``; with a code it links to that rule."""

TECHNIQUES: Final = (
    "truncation",
    "compaction",
    "hard-compression",
    "soft-compression",
    "output-cap",
    "terse-prompt",
    "semantic-cache",
    "distillation",
    "notice",
    "probe",
    "wire-annotation",
    "export",
    "selection",
    "tool",
)
"""All values of ``technique`` in findings and rules."""

_FILE = "catalogue.toml"


@dataclass(frozen=True, slots=True)
class Rule:
    """One code. ``rows`` name rows of the EXCLUDE table; ``technique`` is the usual one of its findings.

    ``family`` is the common prefix ("RL1"). ``preview`` rules run with ``--preview`` only, ``strict_only``
    ones under the strict profile only. ``checked`` tells whether this version looks for it. ``fix`` is
    "safe", "unsafe" or "". ``bad`` and ``good`` are complete Python sources.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    remedy: str
    technique: str
    family: str
    bad: str
    good: str
    rows: tuple[str, ...] = ()
    preview: bool = False
    strict_only: bool = False
    checked: bool = False
    fix: str = ""


def _severity(value: Any) -> Severity:
    return Severity(one_of(*(severity.value for severity in Severity))(value))


def _source(value: Any) -> str:
    return text(value).strip("\n") + "\n"


_RULE: Spec = {
    "name": ("name", text),
    "severity": ("severity", _severity),
    "summary": ("summary", text),
    "why": ("why", text),
    "remedy": ("remedy", text),
    "technique": ("technique", one_of(*TECHNIQUES)),
    "bad": ("bad", _source),
    "good": ("good", _source),
    "rows": ("rows", texts),
    "preview": ("preview", boolean),
    "strict-only": ("strict_only", boolean),
    "checked": ("checked", boolean),
    "fix": ("fix", one_of("safe", "unsafe")),
}
_NEEDED = ("name", "severity", "summary", "why", "remedy", "technique", "bad", "good")


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """All rules by code, sorted; raises :class:`KnowledgeError` for a mistake in the data."""
    return _catalogue()[0]


@lru_cache(maxsize=1)
def families() -> Mapping[str, str]:
    """The title of every family by its prefix: ``RL1`` is "capture discipline"."""
    return _catalogue()[1]


@lru_cache(maxsize=1)
def _catalogue() -> tuple[Mapping[str, Rule], Mapping[str, str]]:
    return read_catalogue(tomli.loads(reduction_rules.data(_FILE).decode("utf-8")))


def read_catalogue(document: Mapping[str, Any], file: str = _FILE) -> tuple[Mapping[str, Rule], Mapping[str, str]]:
    """Rules and family titles of a parsed document; raises :class:`KnowledgeError`."""
    document = dict(document)
    titles = document.pop("families", {})
    if type(titles) is not dict or not all(type(title) is str for title in titles.values()):
        raise KnowledgeError(file, "families", "", "must be a table of prefix = title")
    found = [_read_rule(code, table, titles, file) for code, table in document.items()]
    return (
        MappingProxyType({rule.code: rule for rule in sorted(found, key=lambda rule: rule.code)}),
        MappingProxyType(dict(titles)),
    )


def _read_rule(code: str, table: Any, titles: Mapping[str, str], file: str) -> Rule:
    family = code[:3]
    if family not in titles or not code[3:].isdigit():
        raise KnowledgeError(file, code, "", f"is no code of a known family{nearest(family, titles)}")
    if type(table) is not dict:
        raise KnowledgeError(file, code, "", f"must be a table ([{code}])")
    for key in _NEEDED:
        if key not in table:
            raise KnowledgeError(file, code, key, "is missing")
    return Rule(code=code, family=family, **read_fields(table, _RULE, file, code))


def is_known(code: str) -> bool:
    """Whether ``code`` is a code of the catalogue, written exactly."""
    return code in rules()


def expand(prefix: str) -> tuple[str, ...]:
    """All codes that begin with ``prefix`` (``RL1``, ``RL10``, ``RL101``); empty for none."""
    return tuple(code for code in rules() if code.startswith(prefix)) if prefix else ()
