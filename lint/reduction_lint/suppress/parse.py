"""Reading directives out of the comments of a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from reduction_lint.findings import Range
from reduction_lint.suppress.directives import Declaration, Directives, ListedCode, Problem, Suppression

if TYPE_CHECKING:
    from reduction_lint.syntax.chunks import Comment

_OURS = re.compile(r"\s*reduction-lint\s*:\s*(?P<body>.*)$")
_BODY = re.compile(
    r"(?P<verb>[A-Za-z]+(?:-[A-Za-z]+)*)\s*"
    r"(?:(?P<codes>\[[^\]]*\])|(?P<arguments>\([^)]*\)))?\s*"
    r"(?:--\s*(?P<reason>.*))?$"
)
_NO_COLON = re.compile(r"\s*reduction-lint\s+(?:ignore|ignore-file|disable|enable)\s*\[")
_NOQA = re.compile(
    r"\s*noqa\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*)[\s,]*(?:--\s*(?P<reason>.*))?",
    re.IGNORECASE,
)
_MENTIONED = re.compile(r"reduction-lint|noqa\s*:[^\n]*RL[0-9]", re.IGNORECASE)
_CODE = re.compile(r"[^\s,\[\]]+")
_OUR_CODE = re.compile(r"RL[0-9]+\Z")
_NAME = re.compile(r"\*{0,2}[^\W\d]\w*(?:\.\w+)*\Z")

_WITH_CODES = ("ignore", "ignore-file", "disable", "enable")
_WITH_NAMES = ("captures", "reduces")
_BARE = ("skip-file", "view", "disposable", "probe", "transcript")
_VERBS = (*_WITH_CODES, *_WITH_NAMES, *_BARE, "selector")


@dataclass(frozen=True, slots=True)
class _Piece:
    """One comment within a line's comment: from its ``#`` up to the next one or the end of the line."""

    line: int
    column: int
    text: str
    removal: Range
    target: int | None

    @property
    def place(self) -> Range:
        return self.span(0, len(self.text.rstrip()) + 1)

    def span(self, start: int, end: int) -> Range:
        """A range from offsets that count from the ``#``."""
        return Range.of(self.line, self.column + start, self.line, self.column + end)


@dataclass(slots=True)
class _Gathered:
    is_known: Callable[[str], bool]
    suppressions: list[Suppression] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skip_file: str | None = None
    # code -> the open disable that lists it: (index of the suppression, index of the code in it)
    open: dict[str, tuple[int, int]] = field(default_factory=dict)

    def problem(self, place: Range, message: str) -> None:
        self.problems.append(Problem(place, message))


def parse_directives(text: str, *, is_known: Callable[[str], bool] | None = None) -> Directives:
    """The directives in a Python text (lines end in ``\\n``), which need not parse.

    ``is_known`` says whether a code exists, by default by the catalogue.
    """
    if not _MENTIONED.search(text):
        return Directives()
    from reduction_lint.syntax.chunks import comments

    gathered = _Gathered(is_known or _in_catalogue)
    lines = text.split("\n")
    for comment in comments(text):
        if _MENTIONED.search(comment.text):
            for piece in _pieces(comment, lines):
                _read(piece, gathered)
    return Directives(
        tuple(gathered.suppressions),
        tuple(gathered.declarations),
        tuple(gathered.problems),
        gathered.skip_file,
    )


def _in_catalogue(code: str) -> bool:
    from reduction_lint.knowledge import catalogue

    return catalogue.is_known(code)


def _pieces(comment: Comment, lines: Sequence[str]) -> list[_Piece]:
    line, column, text = comment.line, comment.column, comment.text
    code = not comment.own_line
    target = _line_below(line, lines) if comment.own_line else line
    starts = [match.start() for match in re.finditer("#", text)]
    pieces = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if not text[start + 1 : end].strip():
            continue
        if len(starts) > 1 and end < len(text):
            removal = Range.of(line, column + start, line, column + end)
        elif code or start:
            kept = len(lines[line - 1][: column - 1 + start].rstrip())
            removal = Range.of(line, kept + 1, line, column + len(text))
        elif line < len(lines):
            removal = Range.of(line, 1, line + 1, 1)
        else:
            removal = Range.of(line, 1, line, column + len(text))
        pieces.append(_Piece(line, column + start, text[start + 1 : end], removal, target))
    return pieces


def _line_below(line: int, lines: Sequence[str]) -> int | None:
    """The line of code below a block of comment lines; None when a blank line or the end comes first."""
    for number in range(line + 1, len(lines) + 1):
        stripped = lines[number - 1].strip()
        if not stripped:
            return None
        if not stripped.startswith("#"):
            return number
    return None


def _read(piece: _Piece, gathered: _Gathered) -> None:
    ours = _OURS.match(piece.text)
    if ours is not None:
        _read_ours(piece, ours, gathered)
    elif _NO_COLON.match(piece.text):
        gathered.problem(piece.place, "a colon is missing: write `# reduction-lint: …`")
    elif (noqa := _NOQA.match(piece.text)) is not None:
        codes = _codes_between(piece.text, *noqa.span("codes"))
        _suppress(piece, "noqa", codes, (noqa["reason"] or "").strip(), gathered)


def _read_ours(piece: _Piece, ours: re.Match[str], gathered: _Gathered) -> None:
    body = _BODY.match(ours["body"].strip())
    if body is None:
        gathered.problem(piece.place, f"malformed comment: {_wanted(ours['body'])}")
        return
    verb, codes, arguments = body["verb"], body["codes"], body["arguments"]
    if verb not in _VERBS:
        close = get_close_matches(verb, _VERBS, n=1)
        hint = f"; did you mean `{close[0]}`?" if close else f"; known are {', '.join(_VERBS)}"
        gathered.problem(piece.place, f"unknown word `{verb}` in a comment{hint}")
    elif verb in _WITH_CODES:
        start = piece.text.index(codes) if codes else 0
        listed = _codes_between(piece.text, start, start + len(codes or ""))
        if not listed:
            gathered.problem(piece.place, f"`{verb}` needs codes: write `{verb}[RL101] -- reason`")
        elif verb == "enable":
            _enable(piece, listed, gathered)
        else:
            _suppress(piece, verb, listed, (body["reason"] or "").strip(), gathered)
    elif codes or (arguments is not None) != (verb in (*_WITH_NAMES, "selector")):
        gathered.problem(piece.place, f"malformed comment: {_wanted(verb)}")
    elif verb == "skip-file":
        gathered.skip_file = (body["reason"] or "").strip()
    else:
        _declare(piece, verb, (arguments or "")[1:-1].strip(), gathered)


def _codes_between(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """Each code in that part of the text, with its offsets counted from the ``#`` before the text."""
    return [(code[0], code.start() + 1, code.end() + 1) for code in _CODE.finditer(text, start, end)]


def _suppress(
    piece: _Piece, kind: str, codes: Sequence[tuple[str, int, int]], reason: str, gathered: _Gathered
) -> None:
    listed = []
    for index, (code, start, end) in enumerate(codes):
        name = code.upper() if kind == "noqa" else code
        if kind == "noqa" and not _OUR_CODE.match(name):
            continue
        place = piece.span(start, end)
        if not gathered.is_known(name):
            gathered.problem(place, _unknown(name, gathered))
            continue
        if len(codes) == 1:
            removal = piece.removal
        elif index:
            removal = piece.span(codes[index - 1][2], end)
        else:
            removal = piece.span(start, codes[1][1])
        listed.append(ListedCode(name, place, removal))
    if not listed:
        return
    gathered.suppressions.append(Suppression(kind, tuple(listed), reason, piece.place, piece.target))
    if kind == "disable":
        for index, entry in enumerate(listed):
            gathered.open.setdefault(entry.code, (len(gathered.suppressions) - 1, index))


def _enable(piece: _Piece, codes: Sequence[tuple[str, int, int]], gathered: _Gathered) -> None:
    for code, start, end in codes:
        place = piece.span(start, end)
        if not gathered.is_known(code):
            gathered.problem(place, _unknown(code, gathered))
        elif code not in gathered.open:
            gathered.problem(place, f"`enable[{code}]` without a `disable[{code}]` before it")
        else:
            number, index = gathered.open.pop(code)
            suppression = gathered.suppressions[number]
            entries = list(suppression.codes)
            entries[index] = replace(entries[index], until=piece.line)
            gathered.suppressions[number] = replace(suppression, codes=tuple(entries))


def _declare(piece: _Piece, verb: str, arguments: str, gathered: _Gathered) -> None:
    names: tuple[str, ...] = ()
    phase = ""
    if verb in _WITH_NAMES:
        names = tuple(name.strip() for name in arguments.split(","))
        if not all(_NAME.match(name) for name in names):
            gathered.problem(piece.place, f"malformed comment: {_wanted(verb)}")
            return
    elif verb == "selector":
        key, _, value = arguments.partition("=")
        phase = value.strip().strip("\"'")
        if key.strip() != "phase" or not phase:
            gathered.problem(piece.place, f"malformed comment: {_wanted(verb)}")
            return
    gathered.declarations.append(Declaration(verb, piece.place, piece.target, names, phase))


def _unknown(code: str, gathered: _Gathered) -> str:
    if gathered.is_known(code.upper()):
        return f'unknown code "{code}"; did you mean "{code.upper()}"?'
    return f'unknown code "{code}"; it silences nothing'


def _wanted(body: str) -> str:
    """How the directive that ``body`` begins with is written."""
    verb = next((verb for verb in sorted(_VERBS, key=len, reverse=True) if body.strip().startswith(verb)), "")
    if verb in _WITH_NAMES:
        return f"write `{verb}(PARAMETER)`"
    if verb == "selector":
        return "write `selector(phase=NAME)`"
    if verb in _BARE:
        return f"write `{verb}`, with a reason after ` -- ` if there is one"
    return f"write `{verb or 'ignore'}[RL101] -- reason`"
