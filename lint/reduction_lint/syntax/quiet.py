"""``ast`` of the running interpreter without its side effects: no warnings on standard error, one kind of
exception.
"""

from __future__ import annotations

import ast
import warnings


def parse_ast(text: str) -> ast.Module:
    """Parse ``text``; raises :class:`SyntaxError` for whatever reason the interpreter does not take it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (ValueError, MemoryError, RecursionError) as error:
        raise SyntaxError(str(error) or type(error).__name__) from error
