"""RL601-RL604: what a selector does to its context and what its view leaves out."""

from __future__ import annotations

from dataclasses import dataclass

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.phases.audit import copied_contents, is_noted
from reduction_lint.checks.phases.policy import (
    field_of,
    filters_facts,
    holding,
    is_protected,
    lost_from_allow_list,
)
from reduction_lint.checks.phases.recognise import Recogniser, Selector
from reduction_lint.findings import Confidence
from reduction_lint.flow.project import Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.views.machine import Machine
from reduction_lint.flow.views.model import ANY, Drop, State, V, reach, same, sub
from reduction_lint.knowledge.phases import Policy, Words


class SelectorMachine(Machine):
    """A machine that knows the fields of one policy."""

    policy: Policy

    def is_field(self, key: str) -> bool:
        """See :class:`Machine`."""
        return self.policy.protected.match(key) or self.policy.excluded.match(key)

    def is_context(self, name: str) -> bool:
        """See :class:`Machine`."""
        return self.words.context.match(name)


@dataclass(slots=True)
class _Path:
    """One way through a selector."""

    state: State
    result: V
    drops: list[Drop]
    indexes: list[V]
    shut: bool


def check_selector(project: Project, selector: Selector, recogniser: Recogniser) -> list[Draft]:
    """All findings inside one selector."""
    words = recogniser.phases.words
    machine = SelectorMachine(project, words)
    machine.policy = selector.policy
    params = recogniser.params(selector.unit)
    fields = known_fields(project, selector)
    paths = [_path(state, result, words) for state, result in machine.run(selector.unit, params)]
    mutations = {e.place: e.value for path in paths for e in path.state.log if e.kind == "mutate"}
    drafts = [_mutated(place, value, selector) for place, value in mutations.items()]
    found: dict[tuple[str, Place], Draft] = {}
    for path in paths:
        policy = holding(selector.policy, path.state, words)
        for drop in path.drops:
            if drop.place not in mutations:
                for draft in _judge(path, drop, policy, fields, selector):
                    found.setdefault((draft.code, draft.place), draft)  # type: ignore[arg-type]
        for event in path.state.log:
            copied = copied_contents(path.state, event, words) if event.kind == "audit" else None
            if copied is not None:
                found.setdefault(("RL602", event.place), _copied(event.place, copied, selector))
    better = {place for code, place in found if code in ("RL603", "RL604")}
    drafts += [draft for (code, place), draft in found.items() if code != "RL602" or place not in better]
    return drafts


def _path(state: State, result: V, words: Words) -> _Path:
    """What is left out of a result, and by which lists of ids it can be found again."""
    drops: dict[Drop, None] = {}
    indexes: list[V] = []
    shut = True
    for value in reach(state, result):
        made = state.obj(value)
        if value.kind == "root" and value.is_part:
            shut = False
        if made is None:
            continue
        drops.update(dict.fromkeys(made.drops))
        shut = shut and not any(base.kind == "root" for base in made.bases)
        indexes += [entry for key, entry in made.entries if words.indexes.match(key)]
    allow = _allow_list(state, result) if shut else None
    if allow is not None:
        drops[allow] = None
    return _Path(state, result, list(drops), indexes, shut)


def _allow_list(state: State, result: V) -> Drop | None:
    """A new object that names the fields it takes from a context."""
    keep: dict[V, set[str]] = {}
    for value in reach(state, result):
        top = value.top
        if top.kind == "root" and value.path:
            keep.setdefault(top, set()).add(value.path[0])
    made = state.obj(result)
    if not keep or made is None or made.kind != "dict" or made.place is None:
        return None
    root, keys = max(keep.items(), key=lambda item: len(item[1]))
    if ANY in keys:
        return None
    return Drop(root, "allow", made.place, frozenset(keys))


def _judge(path: _Path, drop: Drop, policy: Policy, fields: frozenset[str], selector: Selector) -> list[Draft]:
    name = field_of(drop)
    if drop.how == "allow":
        lost = lost_from_allow_list(policy, drop, fields)
        if lost:
            return [_protected(drop, lost[0], policy, selector)]
    elif drop.how == "key" and is_protected(policy, drop.part.name):
        return [_protected(drop, name, policy, selector)]
    elif drop.is_filter:
        whole = drop.part.ops[0]
        indexed = any(_lists_all(path.state, index, whole) for index in path.indexes)
        if filters_facts(policy, drop, indexed, bool(path.indexes), path.shut):
            return [_filtered(drop, name, policy, selector)]
    return [] if is_noted(path.state, drop) else [_unnoted(drop, name, selector)]


def _lists_all(state: State, index: V, whole: V) -> bool:
    """Is an index made from all items of a collection?"""
    parts = list(reach(state, index))
    cut = any(
        drop.is_filter and same(drop.part, sub(whole, ANY))
        for part in parts
        if (made := state.obj(part)) is not None
        for drop in made.drops
    )
    about = any(part.top == whole.top and (same(part, whole) or len(part.path) > len(whole.path)) for part in parts)
    return not cut and (about or any(part.is_part and part.kind == "sub" for part in parts))


def known_fields(project: Project, selector: Selector) -> frozenset[str]:
    """Fields that the context is known to have: those of its annotated class."""
    found: set[str] = set()
    for param in selector.unit.function.params:
        dotted = project.resolve_type(selector.unit, param.annotation) if param.annotation else ""
        for info in project.bases(dotted) if dotted else ():
            for chunk in info.statements:
                head, colon, _ = chunk.text.strip().partition(":")
                if colon and head.isidentifier():
                    found.add(head)
    return frozenset(found)


def _confidence(selector: Selector) -> Confidence:
    return Confidence.HIGH if selector.declared else Confidence.MEDIUM


def _draft(code: str, place: Place, message: str, value: str, selector: Selector) -> Draft:
    return Draft(code, place, message, value, _confidence(selector), None, "selection")


def _mutated(place: Place, value: V, selector: Selector) -> Draft:
    through = ", through a shallow copy" if value.shared else ""
    message = f"`{value.shown}` belongs to the context that the selector was given and is changed in place{through}"
    return _draft("RL601", place, message, value.shown, selector)


def _phase(policy: Policy) -> str:
    return f"phase {policy.name}" if policy.name else "this phase"


def _protected(drop: Drop, name: str, policy: Policy, selector: Selector) -> Draft:
    message = f"`{name}` is left out, but the policy of {_phase(policy)} protects it"
    return _draft("RL603", drop.place, message, name, selector)


def _filtered(drop: Drop, name: str, policy: Policy, selector: Selector) -> Draft:
    if policy.whole.match(name):
        tail = f"{_phase(policy)} keeps all of them, unless the stored marker names an older policy"
    elif policy.recall:
        tail = "the rest is no longer listed by id, so it cannot be asked for"
    else:
        tail = f"{_phase(policy)} cannot ask for the rest"
    return _draft("RL604", drop.place, f"only some items of `{name}` are kept, and {tail}", name, selector)


def _unnoted(drop: Drop, name: str, selector: Selector) -> Draft:
    if drop.how == "allow":
        what = f"everything but {', '.join(f'`{key}`' for key in sorted(drop.keep))} is left out"
    else:
        what = f"{'items of ' if drop.is_filter else ''}`{name or '…'}` {'are' if drop.is_filter else 'is'} left out"
    return _draft("RL602", drop.place, f"{what} on a path that does not note it in the audit", name, selector)


def _copied(place: Place, value: V, selector: Selector) -> Draft:
    message = f"the contents of `{value.shown}` are copied into the audit, which lists paths only"
    return _draft("RL602", place, message, value.field, selector)
