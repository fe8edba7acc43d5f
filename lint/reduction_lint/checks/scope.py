"""What a family of checks sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from reduction_lint.checks.draft import Draft
from reduction_lint.checks.reading import Pages
from reduction_lint.flow.project import Module, Project
from reduction_lint.flow.solve import Solved
from reduction_lint.knowledge.models import Models
from reduction_lint.settings import Settings


@dataclass(frozen=True)
class Scope:
    """The solved facts, the program around them and the modules whose findings are wanted."""

    solved: Solved
    project: Project
    modules: Sequence[Module]
    models: Models
    settings: Settings

    @cached_property
    def pages(self) -> Pages:
        """The modules as ``ast`` trees, for checks that need no flow graph; each is read once."""
        return Pages(self.project)


Family: TypeAlias = Callable[[Scope], list[Draft]]
