"""Finds the calls that run on an object with a cap which is kept in an attribute or a module-level variable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reduction_lint.flow.cap_table import Holder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reduction_lint.flow.project import Module, Project
    from reduction_lint.syntax.chunks import Chunk

MAX_CHUNKS = 40


def follow(project: Project) -> None:
    """Interpret what uses the kept objects in the same module (and, for attributes, in the same class), then join."""
    caps = project.events.caps
    for holder in list(caps.holders):
        if not any(carrier.caps for carrier in caps.held(holder)):
            continue
        for number, (module, chunk) in enumerate(_mentioning(project, holder)):
            if number >= MAX_CHUNKS:
                project.limits.append(
                    f"uses of {'.'.join(filter(None, holder))}: only the first {MAX_CHUNKS} were followed"
                )
                break
            unit = project.unit_of(module, chunk)
            if unit is not None:
                project.summarise(unit)
    caps.join()


def _mentioning(project: Project, holder: Holder) -> Iterator[tuple[Module, Chunk]]:
    owner, name = holder
    found = project.locate(owner or name)
    if found is None:
        return
    module = found[0]
    if owner:
        pattern = re.compile(rf"\.{re.escape(name)}\b")
    else:
        pattern = re.compile(rf"\b{re.escape(name.rpartition('.')[2])}\b")
    for chunk in module.chunks:
        if chunk.kind in ("function", "method", "statement") and pattern.search(chunk.text):
            yield module, chunk
