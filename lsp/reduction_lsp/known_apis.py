"""What the models say about a call under the cursor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from reduction_lint.knowledge.models import Capture, ModelCall, Models, Reducer, Rendering, Sink, Source

_CALL = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?=\s*\()")


def call_at(line: str, column: int) -> tuple[str, int, int] | None:
    """The dotted name of the call at a column (from 1), up to the part under it, and its columns."""
    for match in _CALL.finditer(line):
        if match.start() < column <= match.end() + 1:
            return match[0], match.start() + 1, match.end() + 1
    return None


def qualified(name: str, imports: Mapping[str, str], lines: Sequence[str]) -> list[str]:
    """The dotted names that a name in the source may stand for: through imports, or an object made in the file."""
    head, _, rest = name.partition(".")
    if head == "self" and rest:
        head, _, rest = rest.partition(".")
        head = rf"self\.{re.escape(head)}"
    elif head in imports:
        return [f"{imports[head]}.{rest}" if rest else imports[head]]
    made = re.compile(rf"^\s*{head}\s*(?::[^=]+)?=\s*(?:await\s+)?([\w.]+)\s*\(")
    for line in lines:
        match = made.match(line)
        if match and rest:
            first, _, more = match[1].partition(".")
            owner = imports.get(first, first) + (f".{more}" if more else "")
            return [f"{owner}.{rest}"]
    return [name]


def about_call(models: Models, names: Sequence[str], name: str) -> list[str]:
    """A line of Markdown for everything the models know about a call."""
    method = name.rpartition(".")[2]
    receiver = name.split(".")[-2:-1]
    found = []
    tables: list[tuple[Any, Any]] = [
        (models.captures, _capture),
        (models.reducers, _reducer),
        (models.calls, _model_call),
        (models.sources, _source),
        (models.sinks, _sink),
        (models.renderings, _rendering),
    ]
    for table, describe in tables:
        hit = table.find(names, method, receiver)
        text = describe(hit.entry) if hit is not None else ""
        if text:
            how = "" if hit.exact else " (known by its shape: the method's and the receiver's name)"
            found.append(f"- {text}{how}")
    return found


def _capture(entry: Capture) -> str:
    if not entry.durable:
        return f"**no capture**: what it records is not durable. {entry.note}".strip()
    if not entry.lossless:
        return f"**no full capture**: it records less than the original. {entry.note}".strip()
    kept = "" if entry.copies else ", by reference only"
    awaited = ", once it is awaited" if entry.is_async else ""
    return f"**capture**: records {_arguments(entry.values)} as a whole{kept}{awaited}. {entry.note}".strip()


def _reducer(entry: Reducer) -> str:
    how = {
        "view": "returns the reduced form and leaves the original whole",
        "in-place": "changes the object it is given",
        "replaces": "puts the reduced form in the place of the original",
        "config": "switches on a reduction that happens later",
    }[entry.result]
    keeps = f" Keeps the raw form with `{'`, `'.join(entry.keeps_raw)}`." if entry.keeps_raw else ""
    return f"**{entry.technique}** of {_arguments(entry.values)}: {how}.{keeps} {entry.note}".strip()


def _model_call(entry: ModelCall) -> str:
    caps = f" Cap: `{'`, `'.join(entry.caps)}`." if entry.caps else ""
    if entry.raises:
        stop = " Raises when the answer is cut."
    elif entry.stops:
        values = f" ({', '.join(entry.cut_values)} when cut)" if entry.cut_values else ""
        stop = f" Stop reason: `{entry.stops[0]}`{values}."
    else:
        stop = " Gives no stop reason."
    what = "settings of model calls" if entry.constructor else "model call"
    return f"**{what}**.{caps}{'' if entry.constructor else stop} {entry.note}".strip()


def _source(entry: Source) -> str:
    return f"**source** of context: {entry.kind}."


def _sink(entry: Sink) -> str:
    if entry.kind == "ui":
        return "**for people**: what it is given is shown, and no model reads it."
    return f"**{entry.kind}**: takes {_arguments(entry.values)}."


def _rendering(entry: Rendering) -> str:
    kind = "the same value in another form" if entry.lossless else "another form that may hold less"
    return f"**rendering**: {kind}."


def _arguments(values: Sequence[int | str]) -> str:
    if "*" in values:
        return "every argument"
    if "self" in values:
        return "its object"
    words = [f"argument {value + 1}" if isinstance(value, int) else f"`{value}`" for value in values]
    return " or ".join(words) if words else "its input"
