"""The work is bounded by the size of the code, whatever shape the calls have. Counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reduction_lint.analysis import Analysis
from reduction_lint.findings import Report
from reduction_lint.flow.work import Work
from reduction_lint.knowledge.models import load_models
from reduction_lint.settings import Settings

STEPS_PER_LINE = 60
"""Instructions interpreted for a line of code in the worst of these shapes: about 5 a line, on up to 8 paths."""


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., tuple[Report, Work]]:
    """Check files given by name and text."""

    def run(**files: str) -> tuple[Report, Work]:
        paths = []
        for name, text in files.items():
            paths.append(tmp_path / f"{name}.py")
            paths[-1].write_text(text)
        analysis = Analysis(Settings(), load_models(), tmp_path, tmp_path)
        return analysis.check(paths), analysis.work

    return run


Check = Callable[..., tuple[Report, Work]]


def clique(size: int) -> str:
    """Functions that call all others and cut what they get."""
    parts = []
    for i in range(size):
        calls = "".join(f"    messages = f{j}(messages)\n" for j in range(size) if j != i)
        parts.append(
            f"def f{i}(messages):\n    if not messages:\n        return messages\n{calls}    return messages[-{i + 1}:]\n"
        )
    return "\n".join(parts) + (
        "\n\nclass Agent:\n    def go(self):\n        self.messages = f0(self.messages)\n\n"
        "    def trim(self):\n        self.messages = self.messages[-3:]\n"
    )


def methods(size: int) -> str:
    """Methods that call all others behind a test each, capture on one path only, and cut in the end."""
    parts = ["class Agent:\n"]
    for i in range(size):
        calls = "".join(f"        if self.flag{j}:\n            self.f{j}(kind)\n" for j in range(size) if j != i)
        parts.append(f"    def f{i}(self, kind):\n        if kind == {i}:\n            self.log.write(self.messages)\n")
        parts.append(f"{calls}        self.messages = self.messages[-{i + 1}:]\n        return self.messages\n")
    return "".join(parts)


def pairs(depth: int) -> str:
    """Each function calls the next four times, with what the earlier calls gave."""
    parts = ["def f0(messages, other):\n    return [messages[-3:], other]\n"]
    for i in range(1, depth):
        inner = f"f{i - 1}"
        parts.append(
            f"def f{i}(messages, other):\n    a = {inner}(messages, other)\n    b = {inner}(other, a)\n"
            f"    return [{inner}(a, b), {inner}(b, a)]\n"
        )
    last = f"f{depth - 1}(self.messages, self.history)"
    return "\n".join(parts) + f"\n\nclass Agent:\n    def go(self):\n        self.messages = {last}\n"


def branching_calls(count: int) -> str:
    """One block with many calls of a function that has several exits."""
    helper = (
        "def keep(messages, log):\n    if log:\n        log.write(messages)\n        return messages\n"
        "    if len(messages) > 3:\n        return messages[:3]\n    return messages[1:]\n"
    )
    calls = "        self.messages = keep(self.messages, log)\n" * count
    return f"{helper}\n\nclass Agent:\n    def go(self, log):\n{calls}"


def chain(length: int) -> str:
    """A long chain of calls with a cut at its end."""
    parts = ["def f0(messages):\n    return messages[-3:]\n"]
    parts += [f"def f{i}(messages):\n    return f{i - 1}(messages)\n" for i in range(1, length)]
    last = f"f{length - 1}(self.messages)"
    return "\n".join(parts) + f"\n\nclass Agent:\n    def go(self):\n        self.messages = {last}\n"


def dispatch(width: int) -> str:
    """A call with many possible targets, all of which capture."""
    parts = ["import json\n"]
    for i in range(width):
        parts.append(
            f"class Sink{i}:\n    def write(self, messages):\n"
            f"        with open('log{i}', 'w') as file:\n            json.dump(messages, file)\n"
        )
    union = " | ".join(f"Sink{i}" for i in range(width))
    return "\n".join(parts) + (
        f"\n\nclass Agent:\n    def __init__(self, sink: {union}):\n        self.sink = sink\n        self.messages = []\n\n"
        "    def go(self):\n        self.sink.write(self.messages)\n        self.messages = self.messages[-3:]\n"
    )


@pytest.mark.parametrize(
    "source",
    [clique(5), clique(20), methods(5), methods(10), pairs(6), pairs(12), branching_calls(20), branching_calls(200)],
    ids=["clique-5", "clique-20", "methods-5", "methods-10", "pairs-6", "pairs-12", "calls-20", "calls-200"],
)
def test_calls_among_functions(check: Check, source: str) -> None:
    """Functions that call one another are interpreted once each, on few paths, and cuts are still found."""
    report, work = check(agent=source)
    assert report.errors == []
    assert {finding.code for finding in report.findings} & {"RL101", "RL105"}
    assert work.summaries <= source.count("def ")
    assert work.functions_lowered <= source.count("def ")
    assert work.steps <= STEPS_PER_LINE * source.count("\n")


def test_long_chain(check: Check) -> None:
    """A chain of 2,000 calls is followed up to the bound and no further."""
    report, work = check(agent=chain(2000))
    assert report.errors == []
    assert work.summaries < 50


def test_many_targets(check: Check) -> None:
    """500 targets of one call are all looked at, once each."""
    report, work = check(agent=dispatch(500))
    assert (report.errors, report.findings) == ([], [])
    assert work.summaries <= 510


def test_cyclic_bases(check: Check) -> None:
    """Classes that inherit from one another, or from themselves, end the search."""
    source = (
        "class A(B):\n    def __init__(self):\n        self.messages = []\n\n"
        "class B(C):\n    def trim(self):\n        self.messages = self.messages[-3:]\n\n"
        "class C(A):\n    def go(self):\n        self.trim()\n\n"
        "class D(D):\n    def go(self):\n        self.messages = self.messages[-3:]\n        self.gone(self.messages)\n"
    )
    report, work = check(agent=source)
    assert [finding.code for finding in report.findings] == ["RL101", "RL101"]
    assert work.summaries <= 4


def test_cyclic_imports(check: Check) -> None:
    """Modules that import everything from one another end the search for a name."""
    report, work = check(
        first="from second import *\nfrom second import cut\n\n\nclass A:\n    def go(self):\n"
        "        self.messages = self.messages[-3:]\n        return cut(self.messages)\n",
        second="from third import *\nfrom third import cut\n",
        third="from first import *\nfrom first import cut\nfrom second import *\n",
    )
    assert [finding.code for finding in report.findings] == ["RL101"]
    assert work.summaries <= 2
