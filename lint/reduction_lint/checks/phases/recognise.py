"""Which functions are selectors, and for which phase."""

from __future__ import annotations

from dataclasses import dataclass, field

from reduction_lint.flow.project import Module
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.model import V
from reduction_lint.knowledge.phases import Phases, Policy
from reduction_lint.syntax.chunks import Chunk

_RESULTS = ("None", "bool", "int", "float", "str")


@dataclass(frozen=True, slots=True)
class Selector:
    """A function that selects; ``policy`` has an empty name where its phase is unknown.

    ``declared`` is false for a function that only has the shape of a selector.
    """

    unit: Unit
    policy: Policy
    declared: bool


@dataclass(slots=True)
class Recogniser:
    """Answers whether a function is a selector: by comment, by settings, or by shape."""

    phases: Phases
    _known: dict[str, Selector | None] = field(default_factory=dict)

    def selector(self, unit: Unit) -> Selector | None:
        """The function as a selector, or None."""
        if unit.key not in self._known:
            self._known[unit.key] = self._judge(unit)
        return self._known[unit.key]

    def policy(self, unit: Unit) -> Policy | None:
        """The policy of a selector, for those who call it."""
        found = self.selector(unit)
        return found.policy if found is not None else None

    def known(self, key: str) -> Selector | None:
        """A selector that was recognised before, by the key of its unit."""
        return self._known.get(key)

    def may_hold(self, module: Module, chunk: Chunk) -> bool:
        """Can a chunk be a selector, by its text alone?"""
        if "reduction-lint" in chunk.text and "selector(" in chunk.text:
            return True
        name = chunk.name
        dotted = f"{module.name}.{'.'.join((*chunk.class_path, name))}"
        return self.phases.selected_by(name, dotted) is not None or self._has_telling_name(name)

    def names_any(self, module: Module) -> bool:
        """Is a function of the module named like a selector, here or in settings?"""
        return any(self.may_hold(module, chunk) for chunk in module.functions.values())

    def _has_telling_name(self, name: str) -> bool:
        return self.phases.words.selectors.match(name.lstrip("_"))

    def _judge(self, unit: Unit) -> Selector | None:
        function = unit.function
        phase = unit.declarations.get("selector")
        if phase:
            known = self.phases.policies.get(str(phase))
            return Selector(unit, known or Policy(str(phase)), True)
        policy = self.phases.selected_by(function.name, f"{unit.module}.{function.qualname}")
        if policy is not None:
            return Selector(unit, policy, True)
        if not self._has_telling_name(function.name) or function.returns in _RESULTS:
            return None
        words = self.phases.words
        names = [param.name for param in function.params if param.name != unit.self_name]
        if not any(words.context.match(name) for name in names):
            return None
        policy = self.phases.named_in(function.name)
        audited = any(words.audit.match(name) for name in names)
        return Selector(unit, policy or Policy(""), False) if policy is not None or audited else None

    def params(self, unit: Unit) -> dict[str, V]:
        """What a selector is given: canonical contexts, the audit, and other things."""
        words = self.phases.words
        plain = [p for p in unit.function.params if p.name != unit.self_name and p.kind in ("positional", "keyword")]
        roots = {p.name for p in plain if words.context.match(p.name) and not words.audit.match(p.name)}
        if not roots:
            roots = {p.name for p in [p for p in plain if not words.audit.match(p.name)][:1]}
        found: dict[str, V] = {}
        for param in unit.function.params:
            if param.name == unit.self_name:
                found[param.name] = V("param", param.name)
            elif words.audit.match(param.name):
                found[param.name] = V("audit", param.name)
            else:
                listed = param.annotation.lower().startswith(("list", "sequence", "iterable", "tuple"))
                root = V("root", param.name, data="list" if listed else None)
                found[param.name] = root if param.name in roots else V("param", param.name)
        return found
