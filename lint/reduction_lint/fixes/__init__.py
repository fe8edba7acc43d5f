"""Repairs for findings: edits of text found through libcst, so that everything else in the file stays as it is.

Each module makes the fixes of some codes out of a :class:`~reduction_lint.fixes.request.Request`. A fix that cannot be made
without guessing is not offered.
"""

from __future__ import annotations

from reduction_lint.fixes.make import FIXED, fixes_for
from reduction_lint.fixes.request import Request, Sidecar

__all__ = ["FIXED", "Request", "Sidecar", "fixes_for"]
