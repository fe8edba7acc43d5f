"""Which calls in a tree can match a modelled reducer? Decided from the call and the words of its file alone.

Over-approximates what the tables answer once types are known: a method that many classes have (``get``, ``clear``) counts
only where the file names the library or the class, or where the receiver is named like the class.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass
from itertools import pairwise

from reduction_lint.knowledge.entries import Condition
from reduction_lint.knowledge.models import UNKNOWN, Models
from reduction_lint.knowledge.names import NameGlobs, split_name
from reduction_lint.syntax.prefilter import Prefilter

_SIGNS = frozenset("*?[{")
_CONSTANTS = (str, int, float, bool, bytes, type(None))


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to call a reducer: ``owner`` is the class or module it belongs to, "" for a shape."""

    always: bool
    """It matters wherever it stands; else only where it gets context."""
    when: Condition | None
    top: str = ""
    owner: str = ""
    of_class: bool = False
    telling: bool = False
    """The name alone says enough."""
    receivers: NameGlobs | None = None


class ReducingCalls:
    """Answers for call nodes, with the words that their file mentions."""

    def __init__(self, models: Models) -> None:
        self._ways: dict[str, list[_Way]] = {}
        owners: set[str] = set()
        for entry in models.reducers.entries:
            always = entry.result in ("config", "marker") or entry.technique != "truncation"
            for dotted in entry.match.calls:
                path, _, name = dotted.rpartition(".")
                top, owner = dotted.partition(".")[0], path.rpartition(".")[2]
                known = _SIGNS.isdisjoint(top) and _SIGNS.isdisjoint(owner)
                of_class = owner[:1].isupper() and name[:1].islower()
                telling = not known or (not of_class and ("_" in name.strip("_") or name[:1].isupper()))
                self._ways.setdefault(name, []).append(_Way(always, entry.when, top, owner, of_class, telling))
                owners |= {top, owner}
            for method in entry.match.methods if entry.match.method is not None else ():
                globs = NameGlobs(entry.match.receivers)
                self._ways.setdefault(method, []).append(_Way(always, entry.when, receivers=globs))
        self._owners = Prefilter(owner for owner in owners if len(owner) > 1)

    def mentioned(self, text: str) -> frozenset[str]:
        """The libraries and classes with reducers that a file names."""
        return frozenset(self._owners.found(text))

    def matters(self, call: ast.Call, name: str, mentioned: Container[str]) -> bool | None:
        """True: it matters by itself. None: it does if it gets context. False: no reducer."""
        answer: bool | None = False
        for way in self._ways.get(name, ()):
            if way.when is not None and _ruled_out(way.when, call):
                continue
            if self._fits(way, call, mentioned):
                if way.always:
                    return True
                answer = None
        return answer

    @staticmethod
    def _fits(way: _Way, call: ast.Call, mentioned: Container[str]) -> bool:
        if way.receivers is not None:
            return not way.receivers or any(way.receivers.match(name) for name in _receivers(call))
        if way.telling or way.top in mentioned or way.owner in mentioned:
            return True
        if not way.of_class:
            return False
        words = _words(way.owner)
        return any(not words.isdisjoint(_words(name)) for name in _receivers(call))


def _receivers(call: ast.Call) -> Iterator[str]:
    """Every name in the expression that the method is called on."""
    if isinstance(call.func, ast.Attribute):
        for node in ast.walk(call.func.value):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.Attribute):
                yield node.attr


def _words(name: str) -> frozenset[str]:
    """The words of a name, lower case; short ones say nothing."""
    text, offsets = split_name(name)
    marks = sorted(offsets)
    return frozenset(text[a:b] for a, b in pairwise(marks) if b - a > 3)


def _ruled_out(condition: Condition, call: ast.Call) -> bool:
    """Is a condition on an argument certainly not met by the call?"""
    if any(keyword.arg is None for keyword in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    given: ast.expr | None = None
    for argument in condition.argument:
        if isinstance(argument, int):
            given = given or (call.args[argument] if argument < len(call.args) else None)
        else:
            given = given or next((k.value for k in call.keywords if k.arg == argument), None)
    if given is None:
        return not condition.holds(False)
    if isinstance(given, ast.Constant) and isinstance(given.value, _CONSTANTS):
        return not condition.holds(True, given.value)
    return condition.given is not None and not condition.holds(True, UNKNOWN) and not condition.given
