"""RL401 and RL402: output caps against runaway-guard rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from reduction_lint.checks.draft import Draft
from reduction_lint.findings import Confidence
from reduction_lint.flow.events import CappedCall
from reduction_lint.flow.unit import Unit
from reduction_lint.flow.values import Kind, Value
from reduction_lint.knowledge.models import MaxTokens, ModelCall

_DEMAND = re.compile(r"(\d[\d,.]*)\s*(?:-\s*)?(words?|tokens?|pages?)\b", re.I)
_AT_MOST = re.compile(
    r"(at most|no more than|fewer than|less than|under|maximum|max\.?|up to|within)\s*$|^\s*(or less|or fewer|at most|max)",
    re.I,
)
_TOKENS = {"word": 4 / 3, "token": 1.0, "page": 650.0}
_UNKNOWN = math.nan


def check_cap(call: CappedCall, rules: MaxTokens) -> list[Draft]:
    """Both findings for one capped call."""
    assert isinstance(call.function, Unit)
    texts = list(_texts(call.inputs))
    kind = _kind(call, texts, rules)
    floor = rules.kinds.get(kind, rules.floor) if kind else rules.floor
    drafts: list[Draft] = []
    if call.cap is not None and floor > 0:
        drafts += _check_value(call, floor, texts)
    if floor > 0 and call.unchecked and not call.escapes and _reports_stop(call):
        drafts.append(
            Draft(
                "RL402", call.place,
                f"the answer is capped by `{call.cap_name}` and used without a look at why the model stopped",
                call.cap_name, Confidence.HIGH, None, "output-cap", tuple(call.answer_uses),
            )
        )  # fmt: skip
    return drafts


def _reports_stop(call: CappedCall) -> bool:
    entry = call.entry
    return isinstance(entry, ModelCall) and not entry.constructor and not entry.raises and bool(entry.stops)


def _check_value(call: CappedCall, floor: int, texts: list[str]) -> list[Draft]:
    assert call.cap is not None
    if _is_ping(call):
        return []
    lowest = lower_bound(call.cap, call)
    demand = _demand(texts)
    if lowest == -math.inf:
        message = f"`{call.cap_name}` is computed and can shrink below the floor of {floor} tokens"
        confidence = Confidence.MEDIUM
    elif lowest < floor:
        message = f"`{call.cap_name}` allows {int(lowest)} tokens, below the floor of {floor} for content"
        confidence = Confidence.HIGH if call.cap.kind is Kind.CONST else Confidence.MEDIUM
    elif demand and lowest <= demand:
        message = f"`{call.cap_name}` allows {int(lowest)} tokens, but the prompt asks for about {int(demand)}"
        confidence = Confidence.MEDIUM
    else:
        return []
    return [Draft("RL401", call.place, message, call.cap_name, confidence, None, "output-cap")]


def _is_ping(call: CappedCall) -> bool:
    """A call whose answer nobody uses: a warm-up or a health check."""
    entry = call.entry
    if not isinstance(entry, ModelCall) or entry.constructor:
        return False
    return (
        not (call.unchecked or call.checked_uses or call.escapes or call.answer_uses)
        and lower_bound(call.cap, call) <= 16
    )


def lower_bound(value: Value | None, call: CappedCall, depth: int = 0) -> float:
    """The least a cap can be: a number, ``-inf`` when it is what something leaves over, NaN when unknown."""
    if value is None or depth > 8:
        return _UNKNOWN
    if value.kind is Kind.CONST:
        data = value.data
        return float(data) if isinstance(data, (int, float)) and not isinstance(data, bool) else _UNKNOWN
    if value.kind is Kind.PARAM and isinstance(call.function, Unit):
        for param in call.function.function.params:
            if param.name == value.name and param.default and isinstance(param.default[0], int):
                return _UNKNOWN if isinstance(param.default[0], bool) else float(param.default[0])
        return _UNKNOWN
    if value.kind is Kind.RENDERING:
        return lower_bound(value.ops[0], call, depth + 1)
    if value.kind is Kind.CHOICE:
        return _least(lower_bound(op, call, depth + 1) for op in value.ops)
    if value.kind is not Kind.DERIVED:
        return _UNKNOWN
    bounds = [lower_bound(op, call, depth + 1) for op in value.ops]
    if value.name == "int":
        return bounds[0] if bounds else _UNKNOWN
    if value.name == "min":
        return _least(bounds)
    if value.name == "max":
        known = [b for b in bounds if not math.isnan(b)]
        return max(known) if known else _UNKNOWN
    if value.name == "Subtract" and value.ops[0].kind is Kind.CONST and math.isnan(bounds[1]):
        return -math.inf
    return _UNKNOWN


def _least(bounds: Iterable[float]) -> float:
    """The least known bound: one small option is enough to cut."""
    known = [b for b in bounds if not math.isnan(b)]
    return min(known) if known else _UNKNOWN


def _texts(values: Iterable[Value]) -> Iterable[str]:
    stack, seen = list(values), set()
    while stack and len(seen) < 400:
        value = stack.pop()
        if value.id in seen:
            continue
        seen.add(value.id)
        if value.kind is Kind.CONST and isinstance(value.data, str):
            yield value.data
        elif value.kind in (Kind.BUILD, Kind.CONCAT, Kind.CHOICE, Kind.RENDERING):
            stack.extend(value.ops)


def _kind(call: CappedCall, texts: list[str], rules: MaxTokens) -> str:
    """The kind of answer (title, yes-no, score …) that the function's name or the prompt shows."""
    assert isinstance(call.function, Unit)
    name = call.function.function.name.replace("_", " ").lower()
    body = "\n".join(texts).lower()
    for kind, words in rules.kind_words.items():
        for word in words:
            pattern = rf"(?<![a-z]){re.escape(word)}(?![a-z])"
            if re.search(pattern, name) or re.search(pattern, body):
                return kind
    return ""


def _demand(texts: list[str]) -> float:
    """Tokens that the prompt asks for ("at least 3,000 words"); 0 when it asks for no length."""
    most = 0.0
    for text in texts:
        for match in _DEMAND.finditer(text):
            if _AT_MOST.search(text[: match.start()][-24:]) or _AT_MOST.search(text[match.end() : match.end() + 16]):
                continue
            number = float(re.sub(r"[,.](?=\d{3})", "", match.group(1)).rstrip(".,") or 0)
            most = max(most, number * _TOKENS[match.group(2).lower().rstrip("s")])
    return most
