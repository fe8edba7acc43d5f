"""``ast`` of the running interpreter without its side effects: no warnings on standard error, one kind of
exception.
"""

from __future__ import annotations

import ast
import symtable
import warnings


def parse_ast(text: str) -> ast.Module:
    """Parse ``text``; raises :class:`SyntaxError` for whatever reason the interpreter does not take it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (ValueError, MemoryError, RecursionError) as error:
        raise SyntaxError(str(error) or type(error).__name__) from error


def is_accepted(text: str) -> bool:
    """Does the running interpreter take the text as Python? Makes no tree, which costs a third less."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            symtable.symtable(text, "<text>", "exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True
