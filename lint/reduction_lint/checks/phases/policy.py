"""What a policy says about something that is left out."""

from __future__ import annotations

from fnmatch import fnmatchcase

from reduction_lint.flow.views.conditions import keys_in
from reduction_lint.flow.views.model import ANY, Drop, State, V, reach
from reduction_lint.knowledge.names import NameGlobs
from reduction_lint.knowledge.phases import Policy, Words

_PICKED = frozenset({"keyword", "rank", "top"})


def holding(policy: Policy, state: State, words: Words) -> Policy:
    """The policy that holds on a path: an older one where the stored marker was found to name it."""
    frozen = policy.frozen
    if frozen is None:
        return policy
    for test, truth in state.atoms.items():
        if truth and test.kind == "der" and test.name in ("==", "in", "startswith", "endswith"):
            parts = list(reach(state, test))
            marked = any(part.kind in ("sub", "param") and words.versions.match(part.name) for part in parts)
            named = [key.lower() for part in parts for key in keys_in(part) or ()]
            if marked and any(fnmatchcase(key, glob) for key in named for glob in frozen.markers.patterns):
                return Policy(policy.name, frozen.excluded, frozen.protected, NameGlobs(()), policy.recall)
    return policy


def field_of(drop: Drop) -> str:
    """The name of the field that is left out, or whose items are."""
    return drop.part.field


def may_leave_out(policy: Policy, part: V) -> bool:
    """Does the policy list this part, or what it belongs to, as working information?"""
    return any(policy.excluded.match(key) for key in part.path if key != ANY)


def is_protected(policy: Policy, name: str) -> bool:
    """Does the policy protect a field of this name?"""
    return bool(name) and policy.protected.match(name)


def lost_from_allow_list(policy: Policy, drop: Drop, known_fields: frozenset[str]) -> list[str]:
    """Protected fields that an allow-list over a context forgets: those known to exist."""
    if drop.part.kind != "root" or ANY in drop.keep:
        return []
    keep = NameGlobs(drop.keep)
    fields = dict.fromkeys((*policy.demanded, *sorted(f for f in known_fields if is_protected(policy, f))))
    return [name for name in fields if not keep.match(name)]


def filters_facts(policy: Policy, drop: Drop, indexed: bool, has_index: bool, shut: bool) -> bool:
    """Does a filter drop items that a phase of this kind has to see, or be able to ask for?

    ``indexed`` says that the view lists the ids of all items, ``has_index`` that it has a list of ids at all, and
    ``shut`` that the view holds nothing but what the selector names.
    """
    name = field_of(drop)
    protected = is_protected(policy, name)
    if not name or drop.how == "bare" or (not protected and may_leave_out(policy, drop.part)):
        return False
    if policy.whole.match(name):
        return True
    if policy.recall:
        return not indexed and (has_index or (shut and protected))
    return drop.how in _PICKED or (protected and drop.how in ("field", "some"))
