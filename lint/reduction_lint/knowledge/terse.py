"""Entries about prompts and parameters that order terse output."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.schema import (
    KnowledgeError,
    Spec,
    alternatives,
    lowered,
    one_of,
    read_fields,
    text,
    texts,
    whole,
)

_JOINT = re.compile(r"""["']\s*\n\s*[frbu]{0,2}["']""")
"""Where one literal is continued by the next."""
_PIECES = re.compile(r"""[.!?;"'`\n。！？]+\s*""")
"""Ends of sentences and of literals."""
_AROUND = 120
"""Characters on either side of a stem within which a pattern fits."""
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class TerseOrder:
    """One way to order brevity, in one language.

    ``kind``: ``brief`` orders brevity, ``size`` caps the length of the answer, ``bare`` forbids explanation. ``stems`` are
    words (lower case) one of which is in every text that a pattern fits. ``most`` gives for a unit the largest number that
    still is an order to hold back.
    """

    kind: str
    patterns: tuple[re.Pattern[str], ...]
    stems: tuple[str, ...]
    language: str = "en"
    most: Mapping[str, int] = field(default_factory=dict)

    def found_in(self, sentence: str) -> str:
        """The words that give the order, "" when the sentence gives none."""
        for pattern in self.patterns:
            for match in pattern.finditer(sentence):
                if not self.most or self._is_small(match):
                    return match.group().strip(" \n\t:,;*•–([-")
        return ""

    def _is_small(self, match: re.Match[str]) -> bool:
        number = match["number"].lower()
        amount = _NUMBERS.get(number) or int(number)
        return amount <= self.most.get(match["unit"].lower(), 0)


@dataclass(frozen=True, slots=True)
class TerseParameter:
    """A request parameter (``names``, where given only ``inside`` another one) whose ``values`` make answers terse."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    inside: tuple[str, ...] = ()


@dataclass(slots=True)
class RawTerse:
    """Entries of this kind gathered so far, in order of precedence."""

    orders: list[TerseOrder] = field(default_factory=list)
    parameters: list[TerseParameter] = field(default_factory=list)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def behind(self, shipped: RawTerse) -> None:
        """Put the shipped entries behind those read so far."""
        self.orders += shipped.orders
        self.parameters += shipped.parameters
        names = {*self.lists, *shipped.lists}
        self.lists = {name: self.lists.get(name, ()) + shipped.lists.get(name, ()) for name in names}


@dataclass(frozen=True, eq=False)
class Terse:
    """What is known about orders to hold back, ready to be asked.

    ``disposable`` are words in a prompt that show output that can be thrown away, ``disposable_names`` the same for names.
    ``forms`` are words that demand a form of answer.
    """

    orders: tuple[TerseOrder, ...]
    parameters: tuple[TerseParameter, ...]
    prompt_names: NameGlobs
    not_prompts: NameGlobs
    disposable: tuple[str, ...]
    disposable_names: tuple[str, ...]
    forms: tuple[str, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """Words (lower case) without one of which nothing in a text orders brevity."""
        stems = {stem for order in self.orders for stem in order.stems}
        return frozenset(stems | {name for parameter in self.parameters for name in parameter.names})

    @cached_property
    def _by_stem(self) -> tuple[tuple[re.Pattern[str], tuple[TerseOrder, ...]], ...]:
        """Per language and kind, the stems as one expression with the orders they lead to."""
        return tuple((re.compile("|".join(map(re.escape, order.stems))), (order,)) for order in self.orders)

    def may_order(self, code: str) -> bool:
        """May a literal in this source text order brevity? Looks only around the stems, across joined string literals."""
        plain = _JOINT.sub("", code.lower()).replace("\\n", "\n")
        for stems, orders in self._by_stem:
            for match in stems.finditer(plain):
                around = plain[max(0, match.start() - _AROUND) : match.end() + _AROUND]
                pieces = (piece.strip() for piece in _PIECES.split(around))
                if any(order.found_in(piece) for piece in pieces if piece for order in orders):
                    return True
        return False

    @cached_property
    def parameter_names(self) -> frozenset[str]:
        """Names of all parameters that can make answers terse."""
        return frozenset(name for parameter in self.parameters for name in parameter.names)


def compiled(raw: RawTerse) -> Terse:
    """The entries, compiled."""
    return Terse(
        tuple(raw.orders),
        tuple(raw.parameters),
        NameGlobs(raw.lists.get("prompt_names", ())),
        NameGlobs(raw.lists.get("not_prompts", ())),
        raw.lists.get("disposable", ()),
        raw.lists.get("disposable_names", ()),
        raw.lists.get("forms", ()),
    )


def read_order(item: Mapping[str, Any], file: str, entry: str, raw: RawTerse) -> None:
    """Read one ``[[terse-orders]]`` table; raises :class:`KnowledgeError`."""
    fields = read_fields(item, _ORDER, file, entry)
    for key, name in (("pattern", "patterns"), ("stem", "stems")):
        if not fields.get(name):
            raise KnowledgeError(file, entry, key, "is missing")
    order = TerseOrder(**{"kind": "brief", **fields})
    if order.kind == "size" and not all({"number", "unit"} <= set(p.groupindex) for p in order.patterns):
        raise KnowledgeError(file, entry, "pattern", 'needs the groups "number" and "unit" for kind "size"')
    raw.orders.append(order)


def read_parameter(item: Mapping[str, Any], file: str, entry: str, raw: RawTerse) -> None:
    """Read one ``[[terse-parameters]]`` table; raises :class:`KnowledgeError`."""
    fields = read_fields(item, _PARAMETER, file, entry)
    for name in ("names", "values"):
        if not fields.get(name):
            raise KnowledgeError(file, entry, name.removesuffix("s") if name == "names" else name, "is missing")
    raw.parameters.append(TerseParameter(**fields))


def read_lists(value: Mapping[str, Any], file: str, entry: str, raw: RawTerse) -> None:
    """Read the ``[terse]`` table; raises :class:`KnowledgeError`."""
    for name, words in read_fields(value, _LISTS, file, entry).items():
        raw.lists[name] = raw.lists.get(name, ()) + words


def _patterns(value: Any) -> tuple[re.Pattern[str], ...]:
    try:
        return tuple(re.compile(pattern, re.IGNORECASE) for pattern in texts(value))
    except re.error as error:
        raise ValueError(f"is no regular expression: {error}") from None


def _most(value: Any) -> dict[str, int]:
    if type(value) is not dict:
        raise ValueError("must be a table of unit = number")
    return {text(unit): whole(number) for unit, number in value.items()}


_ORDER: Spec = {
    "language": ("language", text),
    "kind": ("kind", one_of("brief", "size", "bare")),
    "stem": ("stems", lowered),
    "pattern": ("patterns", _patterns),
    "most": ("most", _most),
}
_PARAMETER: Spec = {"name": ("names", texts), "values": ("values", texts), "inside": ("inside", texts)}
_LISTS: Spec = {
    "prompt-names": ("prompt_names", alternatives),
    "not-prompts": ("not_prompts", alternatives),
    "disposable": ("disposable", lowered),
    "disposable-names": ("disposable_names", lowered),
    "forms": ("forms", lowered),
}
