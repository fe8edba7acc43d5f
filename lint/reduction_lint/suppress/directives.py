"""What comments say to the tool: suppressions, and declarations about the code they stand next to.

Suppressions are ``ignore[CODES]``, ``ignore-file[CODES]``, ``disable[CODES]`` … ``enable[CODES]`` and
``skip-file`` after ``# reduction-lint:``, and ``# noqa: CODES``; a reason follows ``--``. Declarations are
``captures(x)``, ``reduces(x)``, ``selector(phase=NAME)``, ``view``, ``disposable``, ``probe`` and
``transcript``. A ``#`` inside a comment starts the next comment.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from reduction_lint.findings import Range

LINE_KINDS = ("ignore", "noqa")
"""Suppressions that stand at the statement they silence."""


@dataclass(frozen=True, slots=True)
class ListedCode:
    """One code in a suppression.

    ``removal`` is what to delete when it is not needed: the code, or the whole comment when it lists
    nothing else. ``until`` is the line of the ``enable`` that ends its block, if any does.
    """

    code: str
    place: Range
    removal: Range
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment that silences codes.

    ``kind`` is ignore, noqa, ignore-file or disable. ``target`` is the line of code that a comment alone on
    its line stands above (None when a blank line follows), and the comment's own line otherwise.
    """

    kind: str
    codes: tuple[ListedCode, ...]
    reason: str
    place: Range
    target: int | None

    @property
    def line(self) -> int:
        """The line of the comment."""
        return self.place.start.line


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a comment declares about code.

    ``kind`` is captures, reduces, selector, view, disposable, probe or transcript; ``names`` are the
    parameters of captures and reduces, ``phase`` the phase of a selector. ``target`` is the line of code it
    is about: its own, or the line below for a comment that stands alone.
    """

    kind: str
    place: Range
    target: int | None
    names: tuple[str, ...] = ()
    phase: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A comment, or a code in one, that is not understood and silences nothing (RL004)."""

    place: Range
    message: str


@dataclass(frozen=True, slots=True)
class Directives:
    """All that the comments of one text say; ``skip_file`` holds its reason ("" without one)."""

    suppressions: tuple[Suppression, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    problems: tuple[Problem, ...] = ()
    skip_file: str | None = None
    _by_target: dict[int, list[Declaration]] = field(default_factory=dict, repr=False, compare=False)

    def declared(self, first_line: int, last_line: int | None = None) -> list[Declaration]:
        """The declarations about the code on a line, or on any of the lines from first to last (inclusive).

        For a ``def`` ask with the first line of its decorators and the last line of its signature.
        """
        if not self.declarations:
            return []
        if not self._by_target:
            for declaration in self.declarations:
                if declaration.target is not None:
                    self._by_target.setdefault(declaration.target, []).append(declaration)
        lines = range(first_line, (last_line or first_line) + 1)
        return [declaration for line in lines for declaration in self._by_target.get(line, ())]
