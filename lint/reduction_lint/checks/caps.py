"""RL401, RL402 and RL403: output caps against runaway-guard rules."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from reduction_lint.checks.draft import Draft
from reduction_lint.findings import Confidence
from reduction_lint.flow import ir
from reduction_lint.flow.events import CappedCall, Step
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
_WINDOW = re.compile(r"window|context|ctx|limit|max|budget|total|capacity", re.I)
_SPENT = re.compile(r"token|used|prompt|input|count|len", re.I)
_PROBABILITIES = frozenset({"logprobs", "top_logprobs"})
_NO_TEXT = frozenset({"bool", "int", "float"})
_FEW = 100
"""Tokens up to which an object is likely made for the short answers that the prompts beside it ask for."""
_SHORT_ANSWER = 16
"""Tokens up to which an answer with log-probabilities is a choice among labels."""


def check_cap(call: CappedCall, rules: MaxTokens) -> list[Draft]:
    """All findings for one model call, or one object or argument that carries a cap."""
    lowest = _lowest(call)
    floor = _floor(call, lowest, rules)
    if floor <= 0 or _is_probability_query(call):
        return []
    cut = [_cut_as_whole(call, step) for step in call.cut_uses]
    if call.restored or (not call.caps and not call.receivers):
        return cut
    drafts = cut + _check_value(call, lowest, floor, rules)
    if _is_known(call) and _is_unread(call, rules):
        named = f"`{call.cap_name}`" if call.cap_name else "a cap that was set before"
        drafts.append(
            Draft(
                "RL402", call.place,
                f"the answer is capped by {named} and used without a look at why the model stopped",
                call.cap_name, Confidence.HIGH if call.exact else Confidence.MEDIUM, None, "output-cap",
                tuple(_uses(call))[:4],
            )
        )  # fmt: skip
    return drafts


# -- RL403 ------------------------------------------------------------------------------------------------------------


def _cut_as_whole(call: CappedCall, use: Step) -> Draft:
    """The answer is known to be cut, and goes on as if it were whole."""
    certain = call.exact and call.cut_certain
    said = "says that the answer was cut" if call.cut_certain else "is not that of a whole answer"
    return Draft(
        "RL403",
        use.place,
        f"the stop reason {said} on this path; {use.message} without a label, retry or error",
        call.cap_name,
        Confidence.HIGH if certain else Confidence.MEDIUM,
        None,
        "output-cap",
        (Step(call.place, "the answer comes from {}"),),
    )


# -- RL402 ------------------------------------------------------------------------------------------------------------


def _is_known(call: CappedCall, depth: int = 0) -> bool:
    """Is the answer capped for certain? A cap that only comes from outside may be None."""
    bound = _least(lower_bound(value, call) for value in call.caps)
    if bound > 0 or bound == -math.inf:
        return True
    if any(call.numbers.get(attribute, 0) > 0 for attribute in call.attributes):
        return True
    return depth < 4 and any(_is_known(receiver, depth + 1) for receiver in call.receivers)


def _is_unread(call: CappedCall, rules: MaxTokens) -> bool:
    """Does the answer of the call, or of a call under this object, go on without a look at the stop reason?"""
    if _is_answer(call):
        return _taken_for_whole(call)
    if any(call in user.receivers for user in call.users):
        return any(True for _ in _repaired_here(call))
    return any(_taken_for_whole(user) and _floor(user, _UNKNOWN, rules) > 0 for user in _all_users(call))


def _taken_for_whole(call: CappedCall) -> bool:
    entry = call.entry
    reports = isinstance(entry, ModelCall) and not entry.constructor and not entry.raises and bool(entry.stops)
    if not reports or call.structured or call.escapes or not call.unchecked:
        return False
    return not (call.streamed and call.looked)


def _is_answer(call: CappedCall) -> bool:
    """Is this a model call itself, not an object or argument with a cap?"""
    return isinstance(call.entry, ModelCall) and not call.entry.constructor


def _is_object(call: CappedCall) -> bool:
    return isinstance(call.entry, ModelCall) and call.entry.constructor


def _all_users(call: CappedCall) -> list[CappedCall]:
    """The calls that run under an object, also through other objects."""
    found: list[CappedCall] = []
    stack = list(call.users)
    while stack and len(found) < 60:
        user = stack.pop()
        if user not in found:
            found.append(user)
            stack.extend(user.users)
    return found


def _repaired_here(call: CappedCall) -> Iterable[Step]:
    """Where the function that sets the cap has the answer parsed by something that repairs what is cut."""
    for user in _all_users(call):
        yield from (step for unit, step in user.repairs if unit is call.function)


def _uses(call: CappedCall) -> Iterable[Step]:
    yield from _repaired_here(call)
    for user in (call, *_all_users(call)):
        if _taken_for_whole(user):
            if user is not call:
                yield Step(user.place, "this call runs under the cap")
            yield from user.answer_uses


# -- RL401 ------------------------------------------------------------------------------------------------------------


def _lowest(call: CappedCall) -> float:
    """The least number of tokens that the cap allows; NaN when unknown or when it is no cap."""
    least = _least(lower_bound(value, call) for value in call.caps)
    return least if least > 0 or least == -math.inf else _UNKNOWN


def _check_value(call: CappedCall, lowest: float, floor: int, rules: MaxTokens) -> list[Draft]:
    if _is_unused(call):
        return []
    demand = _demand(_texts(call.inputs))
    expected = _expected(call, rules)
    confidence = (
        Confidence.HIGH if call.exact and all(cap.kind is Kind.CONST for cap in call.caps) else Confidence.MEDIUM
    )
    if lowest == -math.inf:
        message = f"`{call.cap_name}` is computed and can shrink below the floor of {floor} tokens"
        confidence = Confidence.MEDIUM
    elif lowest < floor:
        message = f"`{call.cap_name}` allows {int(lowest)} tokens, below the floor of {floor} for content"
    elif demand and lowest <= demand:
        message = f"`{call.cap_name}` allows {int(lowest)} tokens, but the prompt asks for about {int(demand)}"
        confidence = Confidence.MEDIUM
    elif lowest <= expected:
        message = f"`{call.cap_name}` allows {int(lowest)} tokens, no more than the {expected} that the answer needs"
    else:
        return []
    return [Draft("RL401", call.place, message, call.cap_name, confidence, None, "output-cap")]


def _is_unused(call: CappedCall) -> bool:
    """Does nobody use the answer: a warm-up or a health check? Objects and attributes have no answer themselves."""
    if _is_answer(call):
        return not call.used
    answering = [user for user in call.users if _is_answer(user)]
    return bool(answering) and not any(user.used for user in answering)


def _expected(call: CappedCall, rules: MaxTokens) -> int:
    """The tokens that settings say the answer of this call or function needs."""
    unit = call.function
    assert isinstance(unit, Unit)
    names = [f"{unit.module}.{unit.function.qualname}", *(value.qual for value in call.results if value.qual)]
    fitting = (need.tokens for need in rules.expected if any(fnmatchcase(name, need.call) for name in names))
    return max(fitting, default=0)


def _is_probability_query(call: CappedCall) -> bool:
    """Are the log-probabilities of a few tokens what the call is for?"""
    return bool(call.keywords & _PROBABILITIES) and _lowest(call) <= _SHORT_ANSWER


def lower_bound(value: Value | None, call: CappedCall, depth: int = 0) -> float:
    """The least a cap can be: a number, ``-inf`` when it is what something leaves over, NaN when unknown."""
    if value is None or depth > 8:
        return _UNKNOWN
    if value.kind is Kind.CONST:
        return _number(value.data)
    if value.kind is Kind.PARAM and isinstance(call.function, Unit):
        params = call.function.function.params
        return next((_number(p.default[0]) for p in params if p.name == value.name and p.default), _UNKNOWN)
    if value.id in call.bounds:
        return call.bounds[value.id]
    if value.id in call.defaults:
        return lower_bound(call.defaults[value.id], call, depth + 1)
    if value.kind is Kind.RENDERING:
        return lower_bound(value.ops[0], call, depth + 1)
    if value.kind is Kind.CHOICE:
        return _least(lower_bound(op, call, depth + 1) for op in value.ops)
    if value.kind is not Kind.DERIVED:
        return _UNKNOWN
    return _computed(value, [lower_bound(op, call, depth + 1) for op in value.ops])


def _computed(value: Value, bounds: list[float]) -> float:
    """The least value of an expression, given that of its operands."""
    if value.name == "int":
        return bounds[0] if bounds else _UNKNOWN
    if value.name == "min":
        return _least(bounds)
    if value.name == "max":
        known = [b for b in bounds if not math.isnan(b)]
        return max(known) if known else _UNKNOWN
    if value.name == "Subtract" and math.isnan(bounds[1]):
        left, right = value.ops
        if left.kind is Kind.CONST or (_WINDOW.search(_shown(left)) and _SPENT.search(_shown(right))):
            return -math.inf
    return _UNKNOWN


def _shown(value: Value) -> str:
    """Names of a value and of what it is computed from, for telling a window from what is spent of it."""
    return " ".join((value.name, value.qual.rpartition(".")[2], *sorted(value.hints), *(op.name for op in value.ops)))


def _number(data: object) -> float:
    return float(data) if isinstance(data, (int, float)) and not isinstance(data, bool) else _UNKNOWN


def _least(bounds: Iterable[float]) -> float:
    """The least known bound: one small option is enough to cut."""
    known = [b for b in bounds if not math.isnan(b)]
    return min(known) if known else _UNKNOWN


# -- the kind of answer -----------------------------------------------------------------------------------------------


def _floor(call: CappedCall, lowest: float, rules: MaxTokens) -> int:
    """The floor for the kind of answer that the call, or every call under the object, is for."""
    kind = _kind(call, lowest, rules)
    if kind is None and call.users:
        kinds = [_kind(user, lowest, rules) for user in _all_users(call)]
        kind = kinds[0] if kinds and None not in kinds else None
    return rules.floor if kind is None else rules.kinds.get(kind, rules.floor)


def _kind(call: CappedCall, lowest: float, rules: MaxTokens) -> str | None:
    """The short kind of answer (title, yes-no, score …) that names show, or the prompt of a call with a small cap."""
    unit = call.function
    assert isinstance(unit, Unit)
    names = [unit.function.qualname.rpartition("@")[0] or unit.function.qualname]
    names += [hint for value in call.results for hint in sorted(value.hints)]
    for name in names:
        kind = rules.kind_of(_words(name))
        if kind is not None:
            return kind
    if lowest >= rules.floor:
        return None
    if lowest <= _FEW and (call.entry is None or _is_object(call)):
        kind = rules.kind_of("\n".join(_constants(unit.function)))
        if kind is not None:
            return kind
    if unit.function.returns in _NO_TEXT and not call.unchecked and not call.escapes:
        return "yes-no"
    return rules.kind_of("\n".join(_texts(call.inputs)))


def _constants(function: ir.Function) -> Iterable[str]:
    """The literal texts of a function: the prompts that an object made there is likely to get."""
    for block in function.blocks:
        for instr in block.instrs:
            if isinstance(instr, ir.Const) and isinstance(instr.value, str):
                yield instr.value


def _words(name: str) -> str:
    """``TitleMaker.run`` as words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[._]", " ", name)


def _texts(values: Iterable[Value]) -> list[str]:
    """The literal texts inside the inputs of a call: prompts, parts of prompts, messages made of them."""
    found: list[str] = []
    stack, seen = list(values), set[int]()
    while stack and len(seen) < 400:
        value = stack.pop()
        if value.id in seen:
            continue
        seen.add(value.id)
        if value.kind is Kind.CONST and isinstance(value.data, str):
            found.append(value.data)
        elif value.kind in (Kind.BUILD, Kind.CONCAT, Kind.CHOICE, Kind.RENDERING, Kind.CALL, Kind.MAPPED):
            stack.extend(value.ops)
    return found


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
