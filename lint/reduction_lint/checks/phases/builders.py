"""RL601 for request builders: a shallow copy of the caller's messages, and a write that reaches the messages through it."""

from __future__ import annotations

import re

from reduction_lint.checks.draft import Draft
from reduction_lint.findings import Confidence
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.state import Place
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.views.machine import Machine
from reduction_lint.flow.views.model import V
from reduction_lint.knowledge.models import Models
from reduction_lint.knowledge.phases import Words
from reduction_lint.syntax.chunks import Chunk

_COPY = re.compile(r"\blist\(|\[:\]|\bcopy\(|\[\*|\bdict\(|\{\*\*|\btuple\(|\bsorted\(|for \w+ in .*\]")
_WRITE = re.compile(
    r"\]\s*[+|]?=(?!=)|\.pop\(|\bdel |\.update\(|\.(?:append|extend|insert|clear|setdefault)\(|\.\w+\s*\+?=(?!=)"
)


class BuilderMachine(Machine):
    """A machine for which attributes named like a conversation are canonical."""

    models: Models

    def is_context(self, name: str) -> bool:
        """See :class:`Machine`."""
        return is_conversation(self.models, name)


def is_conversation(models: Models, name: str) -> bool:
    """Does something of this name hold messages?"""
    source = models.named_sources.find(name)
    return source is not None and source.kind == "conversation" and source.shape != "text"


def check_builder(project: Project, module: Module, chunk: Chunk, models: Models, words: Words) -> list[Draft]:
    """The writes of one function that reach the caller's messages through a copy which only copies the list."""
    if not _COPY.search(chunk.text) or not _WRITE.search(chunk.text):
        return []
    named = (name for name in set(re.findall(r"\w+", chunk.text)) if is_conversation(models, name))
    if next(named, None) is None:
        return []
    unit = project.unit_of(module, chunk)
    if unit is None:
        return []
    machine = BuilderMachine(project, words)
    machine.models = models
    found: dict[Place, V] = {}
    for state, _ in machine.run(unit, _params(unit, models)):
        for event in state.log:
            written = event.args[0].data if event.args else None
            if event.kind == "mutate" and event.value.shared and event.value.path:
                if not (isinstance(written, str) and words.wire.match(written)):
                    found.setdefault(event.place, event.value)
    return [_draft(place, value) for place, value in found.items()]


def _params(unit: Unit, models: Models) -> dict[str, V]:
    return {
        param.name: V("root", param.name, data="list")
        if is_conversation(models, param.name)
        else V("param", param.name)
        for param in unit.function.params
    }


def _draft(place: Place, value: V) -> Draft:
    top = value.top.name
    message = f"`{top}` was only copied as a list: this changes a message that still belongs to `{top}` itself"
    return Draft("RL601", place, message, top, Confidence.MEDIUM, None, "selection")
