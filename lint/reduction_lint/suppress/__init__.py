"""Comments that silence findings or declare what code does."""

from __future__ import annotations

from reduction_lint.suppress.apply import apply
from reduction_lint.suppress.directives import Declaration, Directives, Problem, Suppression
from reduction_lint.suppress.parse import parse_directives

__all__ = ["Declaration", "Directives", "Problem", "Suppression", "apply", "parse_directives"]
