"""The typed entries that the files in ``reduction_rules/models`` are turned into."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from reduction_lint.knowledge.names import NameGlobs

# An argument of a call: its position (from 0, without self), its name, "self" for the receiver, "*" for
# every argument.
Argument = int | str

UNKNOWN: Final = object()
"""Stands for an argument whose value is not a literal in :meth:`Condition.holds`."""


@dataclass(frozen=True, slots=True)
class Match:
    """How an entry is recognised: by qualified name (``calls``) or by shape (``method`` and ``receivers``).

    ``calls`` are dotted names without ``()``, globs allowed. ``method`` may hold alternatives separated by
    ``|``. ``receivers`` are name globs; with a method and no receivers every receiver fits, and a plain
    function call too.
    """

    calls: tuple[str, ...] = ()
    method: str | None = None
    receivers: tuple[str, ...] = ()

    @property
    def methods(self) -> tuple[str, ...]:
        """The alternatives of :attr:`method`."""
        return tuple(self.method.split("|")) if self.method else ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What an argument must look like for an entry to apply.

    ``argument`` lists the position and the names under which the argument may be given. ``starts`` are
    words, upper case, one of which a literal text must begin with; ``equals`` and ``differs`` are literal
    values; ``given`` asks whether the argument is there at all. Parts that are empty or None ask nothing.
    """

    argument: tuple[Argument, ...]
    starts: tuple[str, ...] = ()
    equals: tuple[object, ...] = ()
    differs: tuple[object, ...] = ()
    given: bool | None = None

    def holds(self, given: bool, literal: object = UNKNOWN) -> bool:
        """Whether the condition is met by an argument that is ``given`` with the value ``literal``.

        A literal None counts as not given. A value that is not a literal (:data:`UNKNOWN`) meets
        ``differs`` and neither ``starts`` nor ``equals``.
        """
        given = given and literal is not None
        if self.given is not None and given != self.given:
            return False
        if self.starts and not (isinstance(literal, str) and literal.lstrip().upper().startswith(self.starts)):
            return False
        if self.equals and not any(_same(literal, value) for value in self.equals):
            return False
        return not any(_same(literal, value) for value in self.differs)


def _same(literal: object, value: object) -> bool:
    """Equality that keeps True and 1 apart."""
    return type(literal) is type(value) and literal == value


@dataclass(frozen=True, slots=True)
class Capture:
    """A call that records a value, or looks as if it did (``durable`` or ``lossless`` false).

    ``copies`` is false where only a reference is kept (RL107). ``lossless`` is false where less than the
    original is recorded, such as extracted facts (RL106).
    """

    match: Match
    values: tuple[Argument, ...] = (0,)
    durable: bool = True
    copies: bool = True
    lossless: bool = True
    is_async: bool = False
    when: Condition | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reducer:
    """A call that makes a reduced form of a value.

    ``result``: ``view`` leaves the given object whole and returns the reduced form, ``in-place`` changes
    the given object (or what the receiver stores), ``replaces`` puts the reduced form where the original is
    kept, ``config`` switches on a reduction that happens later. ``technique`` is truncation, compaction or
    hard-compression. ``keeps_raw`` names arguments that, when given, keep the raw form.
    """

    match: Match
    values: tuple[Argument, ...] = (0,)
    result: str = "view"
    technique: str = "truncation"
    note: str = ""
    keeps_raw: tuple[str, ...] = ()
    when: Condition | None = None
    installs: bool = False
    """An object of the class prunes as soon as it is handed to a retriever or an engine."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a language model, or (``constructor``) an object that carries its cap.

    ``caps`` are argument paths (``max_tokens``, ``config.max_output_tokens``); ``texts`` and ``stops`` are
    paths on the result to the answer's text and to the reason why it ended; ``cut_values`` are the reasons
    that mean "cut". With ``raises`` the library itself raises on a cut answer. ``inputs`` are the arguments
    the model reads. No ``stops`` means that the API does not tell the reason.
    """

    match: Match
    caps: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    cut_values: tuple[str, ...] = ()
    raises: bool = False
    inputs: tuple[Argument, ...] = ()
    is_async: bool = False
    constructor: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where context comes from: a call (``result`` are paths on what it returns) or a telling name
    (``names``).

    ``kind``: conversation, tool-output, document, model-output or prompt. ``shape``: list, text or any.
    """

    match: Match
    names: tuple[str, ...] = ()
    result: tuple[str, ...] = ()
    kind: str = "document"
    shape: str = "any"
    is_async: bool = False
    rereadable: bool = False
    """Read from a durable place that can be read again from any offset (a file, not a web page)."""


@dataclass(frozen=True, slots=True)
class Sink:
    """Where a value goes: an argument of a call, or what a tool function returns.

    ``kind``: model, message (an object that a model will read), store, tool-return, embedding, tokenizer or
    ui. Tool functions are known by ``decorators`` (qualified names) or as ``methods`` of subclasses of
    ``bases``. A dict that has the key ``beside`` carries context under ``keys``.
    """

    match: Match
    values: tuple[Argument, ...] = (0,)
    kind: str = "model"
    decorators: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    beside: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendering:
    """A call that gives the same value in another form.

    ``lossless`` is false where part of the value may be lost (``repr`` of a large array). ``copy`` says
    what the result shares with the value: ``none`` (all of it), ``shallow`` (the items) or ``deep``
    (nothing).
    """

    match: Match
    values: tuple[Argument, ...] = (0,)
    lossless: bool = True
    copy: str = "deep"


@dataclass(frozen=True, slots=True)
class TypeOf:
    """What class a function returns or an attribute has: ``open`` gives ``io.TextIOBase``."""

    match: Match
    returns: str = ""


@dataclass(frozen=True, slots=True)
class SidecarHint:
    """Classes (``types``, qualified) and names (``names``, globs) of objects that captures go into."""

    types: tuple[str, ...] = ()
    names: NameGlobs = field(default_factory=lambda: NameGlobs(()))


@dataclass(frozen=True, slots=True)
class Names:
    """Names that carry meaning by themselves. Each is asked with ``.match(name)``.

    ``opt_in_flags`` accept loss, ``imported_prefix`` mark where an imported history ends,
    ``command_handlers`` are functions a person starts by an explicit command, ``beginnings`` start a run or
    session anew, ``context_classes`` are classes that hold a conversation in lists with the plain names
    ``members``, ``summarisers`` are functions that make a summary of what they are given and
    ``summaries`` variables that hold one, ``loggers`` are receivers of log calls, ``not_context`` never
    hold context, ``ui`` hold text for a person's eye.
    """

    opt_in_flags: NameGlobs
    imported_prefix: NameGlobs
    command_handlers: NameGlobs
    beginnings: NameGlobs
    context_classes: NameGlobs
    members: NameGlobs
    summarisers: NameGlobs
    summaries: NameGlobs
    loggers: NameGlobs
    not_context: NameGlobs
    ui: NameGlobs


@dataclass(frozen=True, slots=True)
class Notice:
    """Phrases (lower case) of notices: where the rest is kept, that it is not kept, that something was cut.

    ``weak`` are signs that barely say so, such as a bare ellipsis.
    """

    retained: tuple[str, ...]
    not_retained: tuple[str, ...]
    cut: tuple[str, ...]
    weak: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExpectedTokens:
    """How many tokens the answer of a call or function (``call``, a qualified-name glob) needs."""

    call: str
    tokens: int


@dataclass(frozen=True, slots=True)
class MaxTokens:
    """Floors for output caps, in tokens.

    ``floor`` holds for content; ``kinds`` gives the floor of short kinds of answers (0: any cap is fine), and
    ``kind_words`` the words (lower case) in prompts and function names by which such a kind is known.
    ``whole_reasons`` are stop reasons (lower case) of answers that came to their natural end; ``cut_labels``
    name fields and functions that tell that an answer was cut; ``repairing_parsers`` are modules and functions
    that parse cut text without a complaint.
    """

    floor: int
    kinds: dict[str, int]
    kind_words: dict[str, tuple[str, ...]]
    expected: tuple[ExpectedTokens, ...] = ()
    whole_reasons: frozenset[str] = frozenset()
    cut_labels: NameGlobs = field(default_factory=lambda: NameGlobs(()))
    repairing_parsers: NameGlobs = field(default_factory=lambda: NameGlobs(()))

    def kind_of(self, text: str) -> str | None:
        """The short kind of answer that a prompt or the name of a function or variable speaks of, if any."""
        plain = text.lower().replace("_", " ")
        kinds = ((kind, words) for kind, words in self.kind_words.items() if words)
        return next((kind for kind, words in kinds if _any_word(words).search(plain)), None)


@lru_cache(maxsize=64)
def _any_word(words: tuple[str, ...]) -> re.Pattern[str]:
    """Matches where a word of the text begins with one of ``words``."""
    return re.compile(r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, words)) + ")")
