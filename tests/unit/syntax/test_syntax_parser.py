"""Parsing chunks and finding places."""

from __future__ import annotations

import gc

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from reduction_lint.findings import Range
from reduction_lint.syntax.chunks import Chunk, split
from reduction_lint.syntax.parser import Parsed, parse
from reduction_lint.syntax.positions import positions

SAMPLE = '''
@dec
class A(B):
    """Doc."""

    x: int = (
        1
    )

    # comment
    @property
    async def f(self, *, a=1):
        with open(a) as b, c:
            return [d async for d in (await self.g)[1:2] if not d]

    class N: pass

def g(é):
    return "é" + foo(1)[0]
'''


def parsed(text: str) -> list[Parsed]:
    """All chunks of ``text``, parsed."""
    return [parse(chunk) for chunk in split(text)]


def walk(node: cst.CSTNode) -> list[cst.CSTNode]:
    """``node`` and everything below it."""
    return [node, *(inner for child in node.children for inner in walk(child))]


def test_statements_are_those_of_the_chunk() -> None:
    """The wrapper that keeps a method's indentation does not show."""
    kinds = [type(result.statements[0]).__name__ for result in parsed(SAMPLE)]
    assert kinds == ["ClassDef", "SimpleStatementLine", "SimpleStatementLine", "FunctionDef", "ClassDef", "FunctionDef"]


def test_class_header_gets_a_body() -> None:
    """A header parses as a class, its own body on the same line is kept."""
    header, nested = parsed("class A(B):\n    class N: x = 1\n")
    for result, expected in ((header, "pass"), (nested, "x = 1")):
        node = result.statements[0]
        assert isinstance(node, cst.ClassDef)
        assert expected in cst.Module([node]).code


def test_ranges_are_places_in_the_file() -> None:
    """Lines count from the file's start, columns from one in code points, the end is exclusive."""
    function = parsed(SAMPLE)[-1]
    subscript = next(node for node in walk(function.statements[0]) if isinstance(node, cst.Subscript))
    line = SAMPLE.split("\n").index('    return "é" + foo(1)[0]') + 1
    assert function.range_of(subscript) == Range.of(line, 18, line, 27)


def test_ranges_in_methods_equal_those_of_the_whole_file() -> None:
    """Every node of every chunk is where libcst's own provider sees it in the whole file."""
    module = cst.parse_module(SAMPLE)
    provider = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    whole = {
        (type(node), Range.of(at.start.line, at.start.column + 1, at.end.line, at.end.column + 1))
        for node, at in provider.items()
        if isinstance(node, cst.BaseExpression)
    }
    pieces = {
        (type(node), result.range_of(node))
        for result in parsed(SAMPLE)
        for statement in result.statements
        for node in walk(statement)
        if isinstance(node, cst.BaseExpression)
    }
    assert pieces == whole


def test_positions_equal_those_of_libcst() -> None:
    """The quick pass over a tree agrees with libcst's provider on every node."""
    module = cst.parse_module(SAMPLE)
    own = positions(module)
    for node, at in MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider).items():
        if not isinstance(node, cst.Module):
            assert own[node] == ((at.start.line, at.start.column), (at.end.line, at.end.column))


def test_deep_tree_still_has_positions() -> None:
    """A chain that is just short enough to be parsed has places for all its parts."""
    (result,) = parsed("x = " + "not " * 900 + "y\n")
    innermost = next(node for node in walk_names(result) if node.value == "y")
    assert result.range_of(innermost).start.column == 4 + 4 * 900 + 1


def walk_names(result: Parsed) -> list[cst.Name]:
    """All names of a deep tree, found without recursion."""
    pending: list[cst.CSTNode] = list(result.statements)
    names = []
    while pending:
        node = pending.pop()
        if isinstance(node, cst.Name):
            names.append(node)
        pending.extend(node.children)
    return names


def test_node_of_another_tree_gets_the_start_of_the_chunk() -> None:
    """Asking for a node that is not in the tree is answered, not punished."""
    result = parsed("\n\nx = 1\n")[0]
    assert result.range_of(cst.Name("y")) == Range.of(3, 1, 3, 1)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("\nx = = 1\n", 2, 5),
        ("class A:\n    def f(self):\n        return 1 +\n", 3, 19),
        ("def f():\n    return (1\n\ndef g(): pass\n", 2, None),
        ("x = 'abc\n", 1, 5),
        ("  x = 1\n", 1, None),
        ("def f():\n    a\n  b\n", 3, None),
    ],
)
def test_problem_has_the_place_of_the_mistake(text: str, line: int, column: int | None) -> None:
    """A mistake is placed in the file, within its chunk."""
    problem = next(result.problem for result in parsed(text) if result.problem)
    assert problem.line == line
    assert column is None or problem.column == column
    assert "\n" not in problem.message


def test_broken_chunk_has_no_statements() -> None:
    """A broken chunk gives a problem and nothing else; its neighbours are whole."""
    first, second = parsed("def f(:\n    pass\ndef g():\n    pass\n")
    assert first.problem is not None
    assert (first.module, first.statements) == (None, ())
    assert second.problem is None


def test_refused_chunk_is_not_parsed() -> None:
    """What the splitter refused keeps its problem."""
    (chunk,) = split("x = " + "(" * 3000 + "\n")
    assert parse(chunk).problem is chunk.problem


def test_any_exception_of_the_parser_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that fails in an unexpected way costs its chunk only."""

    def fail(text: str) -> cst.Module:
        raise RuntimeError("no")

    monkeypatch.setattr(cst, "parse_module", fail)
    problem = parse(Chunk("x = 1\n", 7, "statement", "", ())).problem
    assert problem is not None
    assert (problem.line, problem.limit) == (7, True)


def test_garbage_collection_is_as_before() -> None:
    """Parsing leaves the collector as it was, on or off."""
    (chunk,) = split("x = 1\n")
    parse(chunk)
    assert gc.isenabled()
    gc.disable()
    try:
        parse(chunk)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_new_syntax_parses_on_every_interpreter() -> None:
    """libcst's grammar alone decides, not the running Python."""
    text = 'type X[T] = list[T]\nclass A[T = int]: ...\ny = f"{d["k"]}"\n'
    assert [result.problem for result in parsed(text)] == [None, None, None]
