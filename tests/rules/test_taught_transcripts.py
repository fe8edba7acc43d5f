"""What a project says about its own probes, wire keys, transcripts and marker is checked like what ships."""

from __future__ import annotations

from typing import Any

import pytest
from reduction_lint import check_source
from reduction_lint.knowledge.models import KnowledgeError, load_models
from reduction_lint.settings import Settings

HISTORY = """
class Agent:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def turn(self, text: str, model) -> None:
        {statement}
"""


def lines(source: str, **models: Any) -> list[tuple[int, str]]:
    """(line, code) of the findings of a source under own models."""
    report = check_source(source, "agent.py", settings=Settings(models=models))
    return [(finding.range.start.line, finding.code) for finding in report.findings]


def test_own_probe_by_name() -> None:
    """A function that is called like an own probe gives no conversation."""
    source = HISTORY.format(
        statement='self.messages.append({"role": "assistant", "content": model.plausibility(text)})'
    )
    assert lines(source) == []
    assert lines(source, probes=[{"name": "plausibility"}]) == [(7, "RL501")]


def test_own_probe_by_prompt() -> None:
    """A phrase that only the prompts of an own probe have."""
    source = HISTORY.format(statement='self.messages.append({"role": "user", "content": f"Rule 7 sweep: {text}"})')
    assert lines(source) == []
    assert lines(source, probes=[{"prompt": "rule \\d+ sweep", "stem": "sweep"}]) == [(7, "RL501")]


def test_own_wire_key() -> None:
    """A mark of an own gateway belongs to the wire as those of the providers do."""
    source = HISTORY.format(statement='self.messages[-1]["gateway_hint"] = "warm"')
    assert lines(source) == []
    assert lines(source, wire=[{"key": "gateway_hint"}]) == [(7, "RL502")]


def test_own_transcript_by_name() -> None:
    """A list that is a transcript by declaration takes no probes."""
    source = HISTORY.replace("messages", "case_notes").format(
        statement='self.case_notes.append({"role": "user", "content": "Rate the answer from 1 to 5."})'
    )
    assert lines(source) == []
    assert lines(source, transcripts=[{"name": "case_notes"}]) == [(7, "RL501")]


def test_own_transcript_by_method() -> None:
    """A method that adds to an own transcript object."""
    source = HISTORY.format(statement='model.ledger.enter("user", "Rate the answer from 1 to 5.")')
    assert lines(source) == []
    assert lines(source, transcripts=[{"method": "enter", "receiver": "ledger"}]) == [(7, "RL501")]


def test_own_marker_replaces_the_shipped_one() -> None:
    """The marker of the settings is the one that has to stay."""
    statement = 'self.messages.append({{"role": "assistant", "content": text.replace("{}", "")}})'
    own, shipped = (HISTORY.format(statement=statement.format(mark)) for mark in ("[[hand over]]", "<<escalate>>"))
    assert (lines(own), lines(shipped)) == ([], [(7, "RL503")])
    marker = {"escalate-marker": "[[hand over]]"}
    assert (lines(own, **marker), lines(shipped, **marker)) == ([(7, "RL503")], [])


@pytest.mark.parametrize("place", ["call", "function"])
def test_probe_declared_by_comment(place: str) -> None:
    """A comment on the call or on the function says that it is a probe."""
    marks = {"call": ("", "  # reduction-lint: probe"), "function": ("  # reduction-lint: probe", "")}
    on_function, on_call = marks[place]
    source = f"""
def second_look(text: str, model) -> str:{on_function}
    return model.invoke(text).content


class Agent:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def turn(self, text: str, model) -> None:
        opinion = second_look(text, model){on_call}
        self.messages.append({{"role": "assistant", "content": opinion}})
"""
    assert lines(source) == [(12, "RL501")]
    assert lines(source.replace("  # reduction-lint: probe", "")) == []


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"probes": [{"nme": "x"}]}, 'probes[1]: nme: unknown key; did you mean "name"?'),
        ({"probes": [{"prompt": "("}]}, "is no regular expression"),
        ({"wire": [{"note": "nothing else"}]}, "wire[1]: says nothing: give one of key, call, request"),
        ({"transcripts": [{"receiver": "ledger"}]}, 'receiver: stands with "method" only'),
        ({"wire": {"key": "x"}}, "must be an array of tables"),
    ],
)
def test_a_mistake_names_entry_and_key(entry: dict[str, Any], message: str) -> None:
    """Wrong entries are refused with one line."""
    with pytest.raises(KnowledgeError) as caught:
        load_models(entry, origin="team.toml")
    assert message in str(caught.value)
