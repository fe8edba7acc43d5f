"""Which code is repaired how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from reduction_lint.findings import Fix
from reduction_lint.fixes import captures, copies, notices
from reduction_lint.fixes.request import Request

_MAKERS: Mapping[str, Callable[[Request], list[Fix]]] = MappingProxyType(
    {
        "RL101": captures.record_first,
        "RL107": captures.keep_a_copy,
        "RL108": captures.await_it,
        "RL201": notices.add_notice,
        "RL202": notices.true_notice,
        "RL502": copies.copy_for_the_wire,
        "RL601": copies.copy_for_the_view,
    }
)
FIXED = frozenset(_MAKERS)
"""Codes that are repaired here; unused suppressions (RL002) bring their own fix."""


def fixes_for(request: Request) -> tuple[Fix, ...]:
    """The repairs of a finding, none where one would be a guess."""
    maker = _MAKERS.get(request.finding.code)
    return () if maker is None or request.parsed.module is None else tuple(maker(request))
