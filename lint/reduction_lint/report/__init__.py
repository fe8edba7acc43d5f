"""Output formats: one module each, behind one function ``emit(report, context, stream)``."""

from __future__ import annotations

from reduction_lint.report.base import FORMATS, Context, Emitter, emitter

__all__ = ["FORMATS", "Context", "Emitter", "emitter"]
