"""What a test says about the elements or keys that pass it."""

from __future__ import annotations

from collections.abc import Sequence

from reduction_lint.flow.state import Place
from reduction_lint.flow.views.model import ANY, Drop, State, V, key_of, mentions, reach, same, sub

_NEGATED = {"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is"}
_ORDER = frozenset({"<", "<=", ">", ">="})
_TEXT_TESTS = frozenset(
    ["search", "match", "fullmatch", "findall", "startswith", "endswith", "find", "count", "lower", "casefold", "upper"]
)
_READ = ("read", "readable", "unread", "is_read")

Restriction = tuple[str, frozenset[str]]
"""(keep, keys), (drop, keys), or how elements are picked and no keys."""


def keys_in(value: V) -> frozenset[str] | None:
    """The literal keys a value stands for: a text, or one of several."""
    if value.kind == "lit" and isinstance(value.data, str):
        return frozenset({value.data})
    if value.kind == "oneof" and isinstance(value.data, tuple):
        return frozenset(key for key in value.data if isinstance(key, str))
    return None


def restrictions(state: State, test: V, truth: bool, source: V) -> list[Restriction]:
    """What holds for the elements of ``source`` for which ``test`` comes out as ``truth``."""
    if test.kind == "der" and test.name == "not":
        return restrictions(state, test.ops[0], not truth, source)
    if test.kind == "der" and test.name in ("And", "Or"):
        left = restrictions(state, test.ops[0], truth, source)
        right = restrictions(state, test.ops[1], truth, source)
        if (test.name == "And") == truth:
            return left + right
        return _either(left, right)
    if not _concerns(state, test, source):
        return []
    by_key = _by_key(test, truth, source)
    return [by_key] if by_key is not None else [(_how(state, test, source), frozenset())]


def _either(left: list[Restriction], right: list[Restriction]) -> list[Restriction]:
    if not left or not right:
        return []
    (one, first), (two, second) = left[0], right[0]
    if one == two == "keep":
        return [("keep", first | second)]
    if one == two == "drop":
        both = first & second
        return [("drop", both)] if both else []
    return [(one if one not in ("keep", "drop") else two, frozenset())]


def _concerns(state: State, test: V, source: V) -> bool:
    return mentions(state, test, key_of(source)) or mentions(state, test, sub(source, ANY))


def _by_key(test: V, truth: bool, source: V) -> Restriction | None:
    """A test of the key alone: against literals, or by how it begins."""
    if test.kind != "der" or len(test.ops) < 2:
        return None
    left, right = test.ops[0], test.ops[1]
    is_key, other_is_key = (v.kind == "key" and same(v.ops[0], source) for v in (left, right))
    name = test.name if truth else _NEGATED.get(test.name, test.name)
    if is_key and test.name in ("startswith", "endswith"):
        keys = keys_in(right) or frozenset()
        globs = frozenset(f"{key}*" if test.name == "startswith" else f"*{key}" for key in keys)
        return ("keep" if truth else "drop", globs or frozenset({ANY}))
    if name in ("==", "!=") and other_is_key:
        left, right, is_key = right, left, True
    if not is_key or name not in ("==", "!=", "in", "not in", "is", "is not"):
        return None
    known = keys_in(right)
    keep = name in ("==", "in", "is")
    if known is None:
        return ("keep" if keep else "drop", frozenset({ANY}))
    return ("keep" if keep else "drop", known)


def _how(state: State, test: V, source: V) -> str:
    """By what a test picks elements: keyword, rank, top, some (of given ids), field or bare."""
    element = sub(source, ANY)
    parts = list(reach(state, test))
    for part in parts:
        if part.kind != "der":
            continue
        about = [mentions(state, op, element) for op in part.ops]
        if part.name in _TEXT_TESTS and any(about):
            return "keyword"
        if part.name in ("in", "not in") and len(about) == 2 and about[1] and not about[0]:
            return "keyword"
        if part.name in _ORDER:
            return "top" if any(op.kind == "der" and op.name == "position" for op in part.ops) else "rank"
    if any(part.kind == "sub" and part.name.lower() in _READ for part in parts):
        return "bare"
    if any(part.kind == "der" and part.name in ("in", "not in") for part in parts):
        return "some"
    fields = [part for part in parts if part.kind == "sub" and part.is_part and same(part, element)]
    deeper = [part for part in parts if part.kind == "sub" and len(part.path) > len(element.path)]
    calls = [part for part in parts if part.kind == "der" and part.name not in (*_NEGATED, "bool", "len")]
    return "field" if deeper or calls else "bare" if fields else "some"


def drops_for(
    found: Sequence[Restriction], source: V, place: Place, noted: bool = False, failing: bool = False
) -> list[Drop]:
    """What is left out of ``source`` where only what meets the restrictions is taken.

    With ``failing`` the restrictions are those of what is *not* taken.
    """
    drops: list[Drop] = []
    for how, keys in found:
        leaves = {"keep": "drop", "drop": "keep"}.get(how, how) if failing else how
        if leaves == "drop":
            drops += [Drop(sub(source, key), "key", place, noted=noted) for key in sorted(keys)]
        elif leaves == "keep":
            drops.append(Drop(source, "allow", place, keys, noted))
        else:
            drops.append(Drop(sub(source, ANY), how, place, noted=noted))
    return drops
