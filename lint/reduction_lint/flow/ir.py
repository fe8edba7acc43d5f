"""The flow-graph IR: a function as basic blocks of three-address instructions.

Registers are small integers local to one function; a register may be written on several paths (conditional expressions), so
this is not SSA: value numbering happens in the interpreter. ``site`` is an index into :attr:`Function.sites`, the syntax
nodes that findings point at, or -1. Everything an instruction says is independent of libcst.

Exceptions: a block whose instructions may raise inside a ``try`` or ``with`` carries ``exc``, the block where control goes on;
the state there is the state at the *start* of the raising block, because what raised has not completed. Blocks are cut at each
statement so that completed statements count. ``finally`` bodies are copied for every way out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Reg = int
NO_SITE = -1


@dataclass(slots=True)
class Const:
    dst: Reg
    value: object
    site: int = NO_SITE


@dataclass(slots=True)
class Name:
    """Load a local, enclosing or module-level name."""

    dst: Reg
    name: str
    site: int = NO_SITE


@dataclass(slots=True)
class SetName:
    name: str
    src: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class Attr:
    dst: Reg
    obj: Reg
    name: str
    site: int = NO_SITE


@dataclass(slots=True)
class SetAttr:
    obj: Reg
    name: str
    src: Reg
    site: int = NO_SITE
    annotation: str = ""


@dataclass(slots=True)
class Item:
    dst: Reg
    obj: Reg
    key: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class SetItem:
    obj: Reg
    key: Reg
    src: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class DelItem:
    obj: Reg
    key: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class Slice:
    dst: Reg
    obj: Reg
    lower: Reg | None
    upper: Reg | None
    step: Reg | None
    site: int = NO_SITE


@dataclass(slots=True)
class SetSlice:
    obj: Reg
    lower: Reg | None
    upper: Reg | None
    step: Reg | None
    src: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class DelSlice:
    obj: Reg
    lower: Reg | None
    upper: Reg | None
    step: Reg | None
    site: int = NO_SITE


@dataclass(slots=True)
class DelAttr:
    obj: Reg
    name: str
    site: int = NO_SITE


@dataclass(slots=True)
class Call:
    """A call; ``recv``/``method`` for ``recv.method(...)``, else ``func``.

    ``args`` pairs a register with whether it is starred; ``kwargs`` pairs a name (None for ``**``) with a register.
    ``awaited`` is set for ``await f(...)``; ``used`` is False for an expression statement.
    """

    dst: Reg
    func: Reg | None
    recv: Reg | None
    method: str
    args: tuple[tuple[Reg, bool], ...]
    kwargs: tuple[tuple[str | None, Reg], ...]
    awaited: bool = False
    used: bool = True
    site: int = NO_SITE


@dataclass(slots=True)
class Build:
    """A display: list, tuple, set, dict or fstring. ``keys`` runs parallel to ``items`` for dicts (None for ``**``)."""

    dst: Reg
    kind: str
    items: tuple[Reg, ...]
    keys: tuple[Reg | None, ...] = ()
    starred: tuple[bool, ...] = ()
    site: int = NO_SITE


@dataclass(slots=True)
class Bin:
    dst: Reg
    op: str
    left: Reg
    right: Reg
    inplace: bool = False
    site: int = NO_SITE


@dataclass(slots=True)
class Compare:
    """A comparison or negation: ``op`` is ``==``, ``<``, ``is``, ``in``, …, or ``not`` (right is unused)."""

    dst: Reg
    op: str
    left: Reg
    right: Reg | None
    site: int = NO_SITE


@dataclass(slots=True)
class Move:
    """Copy a register; joins the arms of conditional expressions and of and/or."""

    dst: Reg
    src: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class Element:
    """One element of an iterable, outside a loop head (comprehensions, unpacking with ``index`` >= 0)."""

    dst: Reg
    src: Reg
    index: int = -1
    count: int = -1
    site: int = NO_SITE


@dataclass(slots=True)
class Comp:
    """A comprehension: ``elt`` built from elements of ``src``; ``filtered`` when it has an ``if``.

    The sites from ``first_site`` to ``site`` are those of its body.
    """

    dst: Reg
    kind: str
    src: Reg
    elt: Reg
    key: Reg | None
    filtered: bool
    conds: tuple[Reg, ...] = ()
    first_site: int = NO_SITE
    site: int = NO_SITE


@dataclass(slots=True)
class Await:
    dst: Reg
    src: Reg
    site: int = NO_SITE


@dataclass(slots=True)
class Yield:
    dst: Reg
    src: Reg | None
    site: int = NO_SITE


@dataclass(slots=True)
class Func:
    """A nested function, lambda or class body turned into a value."""

    dst: Reg
    function: Function
    site: int = NO_SITE


@dataclass(slots=True)
class Unknown:
    """A value the lowering does not model; ``hint`` says what it was."""

    dst: Reg
    hint: str
    site: int = NO_SITE


@dataclass(slots=True)
class Import:
    """A function-level import: local name -> qualified name."""

    names: dict[str, str]
    site: int = NO_SITE


Instr: TypeAlias = (
    Const | Name | SetName | Attr | SetAttr | Item | SetItem | DelItem | Slice | SetSlice | DelSlice | DelAttr | Call
    | Build | Bin | Compare | Move | Element | Comp | Await | Yield | Func | Unknown | Import
)  # fmt: skip


@dataclass(slots=True)
class Jump:
    target: int


@dataclass(slots=True)
class Branch:
    cond: Reg
    true: int
    false: int
    site: int = NO_SITE


@dataclass(slots=True)
class Fork:
    """Control may go to any target and nothing is known about which (``match`` cases, exception handlers, ``with``)."""

    targets: tuple[int, ...]
    site: int = NO_SITE


@dataclass(slots=True)
class ForNext:
    """Loop head: bind the next element of ``src`` to ``dst`` and enter ``body``, or leave to ``done``."""

    src: Reg
    dst: Reg
    body: int
    done: int
    site: int = NO_SITE


@dataclass(slots=True)
class Return:
    src: Reg | None
    site: int = NO_SITE


@dataclass(slots=True)
class Raise:
    src: Reg | None
    site: int = NO_SITE


Terminator: TypeAlias = Jump | Branch | Fork | ForNext | Return | Raise


@dataclass(slots=True)
class Block:
    instrs: list[Instr] = field(default_factory=list)
    end: Terminator | None = None
    exc: int | None = None
    may_raise: bool = False
    loop_head: bool = False


@dataclass(slots=True)
class Param:
    """A parameter; ``default`` is the literal default wrapped in a tuple, () when there is none or it is no literal."""

    name: str
    annotation: str = ""
    default: tuple[object, ...] = ()
    has_default: bool = False
    kind: str = "positional"


@dataclass(slots=True)
class Function:
    """One lowered function, or the statements of a module or class body (``name`` is ``<module>``)."""

    name: str
    qualname: str
    params: list[Param]
    blocks: list[Block]
    sites: list[Any]
    is_async: bool = False
    is_generator: bool = False
    decorators: tuple[str, ...] = ()
    returns: str = ""
    docstring: str = ""
    nested: list[Function] = field(default_factory=list)
    parent: Function | None = None
    globals: set[str] = field(default_factory=set)
