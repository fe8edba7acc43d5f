"""Cutting files into chunks."""

from __future__ import annotations

import textwrap

from reduction_lint.syntax.chunks import MAX_CLASSES, Chunk, split


def cut(text: str) -> list[Chunk]:
    """The chunks of an indented test text."""
    return split(textwrap.dedent(text).lstrip("\n"))


def summary(chunks: list[Chunk]) -> list[tuple[int, str, str, tuple[str, ...]]]:
    """Line, kind, name and classes of each chunk."""
    return [(chunk.start_line, chunk.kind, chunk.name, chunk.class_path) for chunk in chunks]


def test_top_level_statements() -> None:
    """Each top-level statement is a chunk of its own kind."""
    chunks = cut(
        """
        import os
        from a import b

        X = 1
        def f():
            return 1
        async def g(): ...
        """
    )
    assert summary(chunks) == [
        (1, "import", "", ()),
        (2, "import", "", ()),
        (4, "statement", "", ()),
        (5, "function", "f", ()),
        (7, "function", "g", ()),
    ]


def test_class_is_cut_into_header_and_body() -> None:
    """The header, each statement of the body and each method is a chunk; nested classes are cut up, too."""
    chunks = cut(
        '''
        class A(B, metaclass=M):
            """Doc."""
            x: int = 1
            class Inner(C):
                def f(self):
                    pass
            def g(self):
                pass
        '''
    )
    assert summary(chunks) == [
        (1, "class", "A", ()),
        (2, "statement", "", ("A",)),
        (3, "statement", "", ("A",)),
        (4, "class", "Inner", ("A",)),
        (5, "method", "f", ("A", "Inner")),
        (7, "method", "g", ("A",)),
    ]
    assert chunks[0].text == "class A(B, metaclass=M):\n"
    assert [chunk.bases for chunk in chunks if chunk.kind == "class"] == [("B",), ("C",)]


def test_decorators_and_comments_belong_to_a_definition() -> None:
    """What stands directly above a definition is part of its chunk; a blank line separates."""
    chunks = cut(
        """
        # far

        # near
        @dec(
            1
        )
        # between
        @other
        def f():
            pass
        """
    )
    assert [(chunk.start_line, chunk.kind, chunk.name) for chunk in chunks] == [(3, "function", "f")]


def test_last_line_of_a_string_is_no_comment() -> None:
    """A line that looks like a comment but ends a string above stays there."""
    chunks = split('x = """\n# no comment"""\ndef f(): pass\n')
    assert [chunk.start_line for chunk in chunks] == [1, 3]


def test_branches_belong_to_their_statement() -> None:
    """``else``, ``except`` and their like do not start a chunk."""
    chunks = cut(
        """
        try:
            import a
        except ImportError:
            a = None
        else:
            pass
        finally:
            pass
        if x:
            pass
        elif y:
            pass
        match x:
            case 1:
                pass
        """
    )
    assert [(chunk.start_line, chunk.kind) for chunk in chunks] == [
        (1, "statement"),
        (9, "statement"),
        (13, "statement"),
    ]


def test_branch_without_statement_stands_alone() -> None:
    """A branch that belongs to nothing is a chunk that will not parse, and spoils no other."""
    chunks = split("def f():\n    pass\nelse:\n    pass\n")
    assert summary(chunks) == [(1, "function", "f", ()), (3, "statement", "", ())]


def test_decorator_without_definition_stands_alone() -> None:
    """A decorator above something else is a broken statement of its own."""
    assert summary(split("@dec\nx = 1\n")) == [(1, "statement", "", ()), (2, "statement", "", ())]


def test_broken_function_does_not_swallow_the_next() -> None:
    """Recovery: an open bracket or string costs the definition it stands in."""
    chunks = split('def f(:\n    foo(\n\nclass A:\n    def g(self):\n        x = """\n\ndef h():\n    pass\n')
    assert [chunk.name for chunk in chunks] == ["f", "A", "g", "h"]


def test_wrong_dedent_in_a_class_is_a_problem() -> None:
    """A statement between two levels of indentation is refused, at its place."""
    chunks = split("class A:\n    x = 1\n  y = 2\n")
    assert chunks[2].problem is not None
    assert (chunks[2].problem.line, chunks[2].problem.column) == (3, 3)


def test_class_without_body_is_a_problem() -> None:
    """A header alone is refused, since a parser would be given a made-up body."""
    chunks = split("class A:\n\ndef f():\n    pass\n")
    assert [chunk.problem is not None for chunk in chunks] == [True, False]


def test_class_on_one_line_is_whole() -> None:
    """A class whose body stands on its header's line is no problem."""
    assert [chunk.problem for chunk in split("class A: pass\nclass B(A): ...\n")] == [None, None]


def test_null_character_is_a_problem_of_its_chunk() -> None:
    """Each chunk with a null character is refused, the others are not."""
    chunks = split("a = 1\nb = '\0'\nc = 3\nd = \0\n")
    assert [chunk.problem and chunk.problem.line for chunk in chunks] == [None, 2, None, 4]


def test_too_many_brackets_are_a_problem_of_their_chunk() -> None:
    """Brackets nested beyond Python's own bound are never given to a parser."""
    chunks = split("a = 1\nb = " + "(" * 202 + "1" + ")" * 202 + "\nc = 1\n")
    problem = chunks[1].problem
    assert problem is not None
    assert (problem.line, problem.limit) == (2, False)
    assert [chunks[0].problem, chunks[2].problem] == [None, None]


def test_classes_nested_too_deeply_are_not_cut_up() -> None:
    """Beyond a bound a class stays whole; nothing recurses without end."""
    text = "".join(" " * i + "class A:\n" for i in range(300)) + " " * 300 + "pass\n"
    chunks = split(text)
    assert max(len(chunk.class_path) for chunk in chunks) == MAX_CLASSES
    assert chunks[-1].problem is not None


def test_end_line() -> None:
    """A chunk knows its last line, with or without a line end."""
    assert [chunk.end_line for chunk in split("x = (1,\n 2)\ndef f():\n    pass")] == [2, 4]


def test_empty_file_has_no_chunks() -> None:
    """Nothing in, nothing out."""
    assert split("") == split("# comment\n\n") == []
