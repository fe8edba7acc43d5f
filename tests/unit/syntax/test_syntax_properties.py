"""Properties of the splitter and of positions, for any text."""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path

import libcst as cst
import reduction_lint
from hypothesis import given, settings
from hypothesis import strategies as st
from reduction_lint.findings import Range
from reduction_lint.syntax.chunks import Chunk, comments, split
from reduction_lint.syntax.imports import import_table
from reduction_lint.syntax.parser import parse
from reduction_lint.syntax.quiet import parse_ast
from reduction_lint.syntax.scanner import logical_lines

FILES = sorted(Path(reduction_lint.__file__).parent.rglob("*.py"))

SPACES = ["\n", "\n    ", "\n        ", "\t", " ", "\f", "\\\n", "\u2028", "\0"]
MARKS = ['"', "'", '"""', "'''", 'f"', "f'{", 'rf"""', "{", "}", "(", ")", "[", "]", ":", ",", "#", "=", ";"]
WORDS = ["# c\n", "@d\n", "def f():", "class A(B):", "async def g():", "else:", "if x:", "try:", "except E:"]
NAMES = ["import a", "from . import b", "return ", "x", "é", "1"]
PIECES = st.sampled_from([*SPACES, *MARKS, *WORDS, *NAMES])
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=40).map("".join).map(lambda text: text.replace("\r", ""))


@st.composite
def programs(draw: st.DrawFn, depth: int = 0) -> str:
    """Python that parses: statements, functions and classes, nested a little."""
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 6 if depth < 3 else 3))
        if kind < 4:
            lines.append(draw(st.sampled_from(STATEMENTS)))
            continue
        head = draw(st.sampled_from(HEADS))
        body = draw(programs(depth + 1))
        lines.append(head + "\n" + "\n".join(f"    {line}" if line else "" for line in body.split("\n")))
    return "\n".join(lines)


STATEMENTS = [
    "x = 1",
    "y = [a,\n b]",
    "'''a\n  def b(): \"\n'''",
    "import a.b as c",
    "# only a comment\npass",
    "z = f\"{a['b']!r:>{w}} {{\"",
    "\npass; pass",
    "a = b + \\\n  c",
    "class One: pass",
    "if a: b",
]
HEADS = [
    "def f(a, b=1):",
    "@d\n@e(1)\nasync def g():",
    "class A(B, C[d]):",
    "if x:",
    "with a as b:",
    "for i in j:",
    "# c\ndef h(): # d",
]


def assert_covers(text: str, chunks: list[Chunk]) -> None:
    """The chunks lie in order in ``text``, as whole lines, and only blanks and comments lie between them."""
    lines = text.split("\n")
    done = 0
    for chunk in chunks:
        start = chunk.start_line - 1
        size = chunk.text.count("\n") + (not chunk.text.endswith("\n"))
        assert start >= done
        assert_is_gap(lines[done:start])
        assert "\n".join(lines[start : start + size]) == chunk.text.removesuffix("\n")
        done = start + size
    assert_is_gap(lines[done:])


def assert_is_gap(lines: list[str]) -> None:
    """All ``lines`` are blank or comments."""
    for line in lines:
        code = line.strip(" \t\f")
        assert not code or code.startswith("#")


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_chunks_cover_any_text(text: str) -> None:
    """Nothing raises, and every line of code is in exactly one chunk."""
    chunks = split(text)
    assert_covers(text, chunks)
    for name, target in import_table(chunks, "a.b", False).names.items():
        assert name
        assert target


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_any_chunk_parses_or_has_a_problem_within(text: str) -> None:
    """Parsing gives a tree or a problem that lies in the chunk."""
    for chunk in split(text):
        result = parse(chunk)
        assert (result.module is None) != (result.problem is None)
        if result.problem is not None:
            assert chunk.start_line <= result.problem.line <= chunk.end_line
            assert result.problem.column >= 1


@given(programs())
@settings(max_examples=150, deadline=None)
def test_chunks_of_sound_text_are_sound(text: str) -> None:
    """What Python accepts as a whole, libcst accepts chunk by chunk, with all definitions of the whole."""
    tree = parse_ast(text)
    chunks = split(text)
    assert_covers(text, chunks)
    assert [result.problem for result in map(parse, chunks) if result.problem] == []
    top = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    named = [chunk.name for chunk in chunks if chunk.kind in ("function", "class") and not chunk.class_path]
    assert named == top


@given(programs())
@settings(max_examples=50, deadline=None)
def test_ranges_hold_the_source_of_their_nodes(text: str) -> None:
    """The text at the range of a name is that name."""
    lines = text.split("\n")
    for result in map(parse, split(text)):
        pending: list[cst.CSTNode] = list(result.statements)
        while pending:
            node = pending.pop()
            pending.extend(node.children)
            if isinstance(node, cst.Name) and node.value != "_":
                assert source_at(lines, result.range_of(node)) == node.value


def source_at(lines: list[str], place: Range) -> str:
    """The text of a range within one line."""
    return lines[place.start.line - 1][place.start.column - 1 : place.end.column - 1]


@given(st.sampled_from(FILES), st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_files_are_covered(path: Path, data: st.DataObject) -> None:
    """A real file with a few characters lost or put in is still covered by its chunks."""
    text = path.read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        text = text[:start] + data.draw(PIECES) + text[start + data.draw(st.integers(0, 3)) :]
    assert_covers(text, split(text))


def test_logical_lines_of_real_files_equal_those_of_tokenize() -> None:
    """On this package's own files the scanner sees the lines and comments that Python's tokenizer sees."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        found = logical_lines(text)
        own = [(text.count("\n", 0, at) + 1, at - begin) for at, begin in zip(found.firsts, found.begins, strict=True)]
        starts, remarks = by_tokenize(text)
        assert own == starts, path
        assert [(comment.line, comment.column - 1) for comment in comments(text)] == remarks, path


def by_tokenize(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where logical lines and comments start, as the standard library sees it."""
    starts: list[tuple[int, int]] = []
    remarks: list[tuple[int, int]] = []
    fresh = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            remarks.append(token.start)
        elif token.type == tokenize.NEWLINE:
            fresh = True
        elif token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER) and fresh:
            starts.append(token.start)
            fresh = False
    return starts, remarks
