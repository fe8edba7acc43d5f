"""Lowering: the shapes of the flow graph that the analysis relies on."""

from __future__ import annotations

import libcst as cst
import pytest
from reduction_lint.flow import ir
from reduction_lint.flow.lower import lower_function, lower_statements


def lowered(source: str) -> ir.Function:
    """The first function of a source text."""
    definition = cst.parse_module(source).body[0]
    assert isinstance(definition, cst.FunctionDef)
    return lower_function(definition, definition.name.value, "module")


def calls(function: ir.Function) -> list[str]:
    """Names of all called methods, in block order."""
    return [i.method for block in function.blocks for i in block.instrs if isinstance(i, ir.Call) and i.method]


def test_every_block_is_ended() -> None:
    """The interpreter never meets an open block."""
    function = lowered(
        "def f(x):\n    while x:\n        if x.a():\n            break\n        continue\n    else:\n        x.b()\n"
    )
    assert all(block.end is not None for block in function.blocks)


def test_finally_runs_on_every_way_out() -> None:
    """A return inside ``try`` runs its own copy of the ``finally`` suite; the site stays one."""
    function = lowered("def f(x):\n    try:\n        return x.a()\n    finally:\n        x.cleanup()\n")
    copies = [i for block in function.blocks for i in block.instrs if isinstance(i, ir.Call) and i.method == "cleanup"]
    assert len(copies) >= 2
    assert len({copy.site for copy in copies}) == 1


def test_a_raising_call_leads_to_the_handler() -> None:
    """Blocks inside ``try`` know where control goes when they raise."""
    function = lowered("def f(x):\n    try:\n        x.a()\n        x.b()\n    except OSError:\n        x.c()\n")
    guarded = [b for b in function.blocks if any(isinstance(i, ir.Call) and i.method in "ab" for i in b.instrs)]
    assert len(guarded) == 2
    assert all(block.exc is not None and block.may_raise for block in guarded)


def test_suppress_swallows() -> None:
    """``contextlib.suppress`` gives the body an edge to what follows."""
    function = lowered("def f(x):\n    with suppress(OSError):\n        x.a()\n    x.b()\n")
    body = next(b for b in function.blocks if any(isinstance(i, ir.Call) and i.method == "a" for i in b.instrs))
    assert body.exc is not None


def test_comprehension_variables_do_not_leak() -> None:
    """A comprehension's target is renamed, so an outer variable of that name stays what it was."""
    function = lowered("def f(m, ms):\n    xs = [m for m in ms]\n    return m\n")
    names = [i.name for block in function.blocks for i in block.instrs if isinstance(i, ir.SetName)]
    assert "m" not in names


@pytest.mark.parametrize("prefix", ["await ", ""])
def test_awaited_calls_are_told_apart(prefix: str) -> None:
    """``await f(x)`` is one call with ``awaited`` set."""
    function = lowered(f"async def f(x):\n    {prefix}x.capture()\n")
    call = next(i for block in function.blocks for i in block.instrs if isinstance(i, ir.Call))
    assert call.awaited is bool(prefix)
    assert call.used is False


def test_precision_in_a_format_is_a_slice() -> None:
    """``f"{text:.200}"`` cuts, ``f"{number:.2f}"`` does not."""
    function = lowered('def f(text, number):\n    return f"{text:.200} {number:.2f}"\n')
    slices = [i for block in function.blocks for i in block.instrs if isinstance(i, ir.Slice)]
    assert len(slices) == 1


def test_long_sums_do_not_recurse() -> None:
    """A sum of 5,000 terms is lowered without deep recursion."""
    tree = cst.BinaryOperation(cst.Name("a"), cst.Add(), cst.Name("a"))
    for _ in range(5000):
        tree = cst.BinaryOperation(tree, cst.Add(), cst.Name("a"))
    statement = cst.SimpleStatementLine([cst.Expr(tree)])
    function = lower_statements([statement], "module")
    assert sum(isinstance(i, ir.Bin) for block in function.blocks for i in block.instrs) == 5001


def test_match_binds_and_falls_through() -> None:
    """A ``match`` with a catch-all has no way past it."""
    function = lowered(
        "def f(x):\n    match x:\n        case 'a':\n            x.a()\n        case other:\n            other.b()\n    x.c()\n"
    )
    assert set(calls(function)) == {"a", "b", "c"}
