"""Do the entries' own examples hold: does each fit its ``matches`` and none of its ``no-matches``?"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from reduction_lint.knowledge.loading import Examples
from reduction_lint.knowledge.table import Table


def called(example: str) -> tuple[str, str, tuple[str, ...]]:
    """Dotted name, last name and receivers of the call that ``example`` is the source of; ValueError when it is no call."""
    try:
        node = ast.parse(example.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"`{example}` is no Python expression") from None
    if isinstance(node, ast.Await):
        node = node.value
    if not isinstance(node, ast.Call):
        raise ValueError(f"`{example}` is no call")
    func = node.func
    if isinstance(func, ast.Name):
        return func.id, func.id, ()
    if not isinstance(func, ast.Attribute):
        raise ValueError(f"`{example}` calls something without a name")
    receiver: ast.AST = func.value
    while isinstance(receiver, ast.Call):
        receiver = receiver.func
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "")
    return _dotted(func), func.attr, (name,)


def wrong_examples(examples: Iterable[Examples]) -> list[tuple[Examples, str]]:
    """Every example that does not hold, with what is wrong in one line."""
    found: list[tuple[Examples, str]] = []
    for example in examples:
        table = Table([example])
        for call, wanted in [*((c, True) for c in example.matches), *((c, False) for c in example.no_matches)]:
            try:
                dotted, method, receivers = called(call)
            except ValueError as error:
                found.append((example, str(error)))
                continue
            if (table.find((dotted,), method, receivers) is not None) != wanted:
                said = "should match and does not" if wanted else "should not match and does"
                found.append((example, f"`{call}` {said}"))
    return found


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        return _dotted(node.func)
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return f"{base}.{node.attr}" if base else ""
    return node.id if isinstance(node, ast.Name) else ""
