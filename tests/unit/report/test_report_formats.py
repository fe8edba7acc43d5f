"""The output formats on reports made by hand."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from reduction_lint.findings import (
    Confidence,
    Edit,
    Finding,
    Fix,
    Limit,
    Range,
    Report,
    ReportError,
    Severity,
    Statistics,
    TraceStep,
)
from reduction_lint.report import FORMATS, Context, emitter

SOURCE = [
    "class Agent:",
    "    def __init__(self):",
    "        self.messages = []",
    "",
    "    def compact(self, keep):",
    "        self.messages = self.messages[-keep:]",
]
CUT = Finding(
    code="RL101",
    name="uncaptured-truncation",
    message="self.messages is cut and no path records the rest first",
    path="pkg/agent.py",
    range=Range.of(6, 25, 6, 46),
    symbol="Agent.compact",
    value="self.messages",
    technique="truncation",
    trace=(
        TraceStep("pkg/agent.py", Range.of(3, 9, 3, 22), "self.messages holds the conversation"),
        TraceStep("pkg/agent.py", Range.of(6, 25, 6, 46), "the cut list takes its place"),
    ),
    fingerprint="abc",
    help_uri="https://example.org/rules/RL101",
)
CAP = replace(
    CUT,
    code="RL401",
    name="max-tokens-as-compression",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    message="answers are capped at 50 tokens",
    path="pkg/ask.py",
    range=Range.of(2, 1, 4, 2),
    rows=("#40",),
    technique="output-cap",
    trace=(),
    fixes=(Fix("raise the cap", "unsafe", (Edit("pkg/ask.py", Range.of(2, 1, 2, 3), "1024"),)),),
)
REPORT = Report(
    findings=[CUT, CAP],
    errors=[ReportError("gone.py", "does not exist")],
    limits=[Limit("big.py", "larger than 10 MB, not checked"), Limit(None, "the solver stopped early")],
    statistics=Statistics(files=14, files_parsed=2, functions=31, reductions=9, captured=4, seconds=0.2149),
)


def lines_of(path: str, cell: int | None) -> list[str] | None:
    return SOURCE if path == "pkg/agent.py" else None


def emit(name: str, report: Report = REPORT, **options: Any) -> str:
    stream = io.StringIO()
    emitter(name)(report, Context(**{"lines_of": lines_of, **options}), stream)
    return stream.getvalue()


def schema() -> Any:
    return json.loads(files("reduction_lint").joinpath("schema/report.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("name", FORMATS)
def test_empty_report(name: str) -> None:
    """Every format can say that there is nothing."""
    text = emit(name, Report())
    assert json.loads(text)["findings"] == [] if name == "json" else "RL" not in text


def test_json_fits_the_schema() -> None:
    """What is printed is valid by the shipped schema."""
    jsonschema.Draft202012Validator(schema()).validate(json.loads(emit("json")))


def test_schema_is_valid() -> None:
    """The shipped schema is a schema."""
    jsonschema.Draft202012Validator.check_schema(schema())


def test_json_of_a_finding() -> None:
    """A finding in JSON, key by key."""
    expected = {
        "code": "RL101",
        "name": "uncaptured-truncation",
        "severity": "error",
        "rows": [],
        "technique": "truncation",
        "message": "self.messages is cut and no path records the rest first",
        "path": "pkg/agent.py",
        "range": {"start": {"line": 6, "column": 25}, "end": {"line": 6, "column": 46}},
        "cell": None,
        "symbol": "Agent.compact",
        "value": "self.messages",
        "confidence": "high",
        "trace": [
            {
                "path": "pkg/agent.py",
                "range": {"start": {"line": 3, "column": 9}, "end": {"line": 3, "column": 22}},
                "message": "self.messages holds the conversation",
            },
            {
                "path": "pkg/agent.py",
                "range": {"start": {"line": 6, "column": 25}, "end": {"line": 6, "column": 46}},
                "message": "the cut list takes its place",
            },
        ],
        "fixes": [],
        "fingerprint": "abc",
        "help_uri": "https://example.org/rules/RL101",
    }
    assert expected == json.loads(emit("json"))["findings"][0]


def test_json_around_the_findings() -> None:
    """Tool, schema number, errors, limits and counts in JSON."""
    data = json.loads(emit("json"))
    assert (data["tool"], data["schema"]) == ("reduction-lint", 1)
    assert data["errors"] == [{"path": "gone.py", "message": "does not exist"}]
    assert [limit["path"] for limit in data["limits"]] == ["big.py", None]
    counts = {
        "files": 14,
        "files_parsed": 2,
        "functions": 31,
        "reductions": 9,
        "captured": 4,
        "seconds": 0.215,
    }
    assert counts == data["statistics"]


def test_json_of_a_fix() -> None:
    """A fix in JSON carries its edits."""
    (fix,) = json.loads(emit("json"))["findings"][1]["fixes"]
    span = {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 3}}
    edits = [{"path": "pkg/ask.py", "range": span, "content": "1024"}]
    assert {"title": "raise the cap", "applicability": "unsafe", "edits": edits} == fix


def test_json_of_a_suppressed_finding() -> None:
    """``suppressed`` is there only when it was asked for."""
    report = Report(findings=[replace(CUT, suppressed="demo")])
    assert "suppressed" not in json.loads(emit("json", report))["findings"][0]
    shown = json.loads(emit("json", report, show_suppressed=True))
    assert shown["findings"][0]["suppressed"] == {"reason": "demo"}
    jsonschema.Draft202012Validator(schema()).validate(shown)


def test_json_is_ascii() -> None:
    """JSON can be printed whatever the encoding of the terminal, odd paths included."""
    report = Report(findings=[replace(CUT, path="b\udcff.py", message="gekürzt")])
    text = emit("json", report)
    assert text.isascii()
    assert json.loads(text)["findings"][0]["path"] == "b\udcff.py"


def test_concise() -> None:
    """One line for each finding."""
    assert emit("concise").splitlines() == [
        "pkg/agent.py:6:25: RL101 [error] self.messages is cut and no path records the rest first",
        "pkg/ask.py:2:1: RL401 [warning] answers are capped at 50 tokens",
    ]


def test_concise_stays_on_one_line() -> None:
    """Line breaks and control characters of a message cannot break the format."""
    report = Report(findings=[replace(CUT, message="cut\nhere\x1b[31m")])
    assert emit("concise", report) == "pkg/agent.py:6:25: RL101 [error] cut here\\x1b[31m\n"


def test_cell_of_a_notebook() -> None:
    """The place of a finding in a notebook names its cell."""
    report = Report(findings=[replace(CUT, path="a.ipynb", cell=3)])
    assert emit("concise", report).startswith("a.ipynb:cell 3:6:25: RL101")


def test_concise_statistics() -> None:
    """Counts follow the findings when asked for, the most frequent code first."""
    report = Report(findings=[CAP, CUT, CUT])
    expected = ["2  RL101  uncaptured-truncation", "1  RL401  max-tokens-as-compression"]
    assert expected == emit("concise", report, statistics=True).splitlines()[3:]


def test_github_on_one_line() -> None:
    """A finding on one line has its columns."""
    text = "pkg/agent.py:6:25: RL101 self.messages is cut and no path records the rest first"
    where = "file=pkg/agent.py,line=6,endLine=6,col=25,endColumn=46"
    title = "title=reduction-lint (RL101 uncaptured-truncation)"
    assert f"::error {title},{where}::{text}" == emit("github").splitlines()[0]


def test_github_over_several_lines() -> None:
    """A finding over several lines has lines only."""
    line = emit("github").splitlines()[1]
    assert (line[:10], "line=2,endLine=4" in line, "col=" in line) == ("::warning ", True, False)


def test_github_levels() -> None:
    """Info becomes a notice, an error of the run an error."""
    report = Report(findings=[replace(CUT, severity=Severity.INFO)], errors=[ReportError("gone.py", "is gone")])
    lines = emit("github", report).splitlines()
    assert lines[0].startswith("::notice ")
    assert lines[1] == "::error file=gone.py,title=reduction-lint::is gone"


def test_github_escapes() -> None:
    """Characters with a meaning for the runner are escaped."""
    report = Report(findings=[replace(CUT, path="a,b:c.py", message="100% cut")])
    line = emit("github", report)
    assert ("file=a%2Cb%3Ac.py," in line, "100%25 cut" in line) == (True, True)


def test_github_leaves_out_suppressed() -> None:
    """A silenced finding annotates nothing."""
    assert emit("github", Report(findings=[replace(CUT, suppressed="")]), show_suppressed=True) == ""


def test_full_report() -> None:
    """Header, frame with carets, message and numbered trace of a finding."""
    expected = """\
pkg/agent.py:6:25 RL101 uncaptured-truncation [error]

  5 │     def compact(self, keep):
  6 │         self.messages = self.messages[-keep:]
    │                         ^^^^^^^^^^^^^^^^^^^^^

  self.messages is cut and no path records the rest first

  1. pkg/agent.py:3:9   self.messages holds the conversation
  2. pkg/agent.py:6:25  the cut list takes its place
"""
    assert emit("full").startswith(expected)


def test_full_report_has_remedy_and_row() -> None:
    """The remedy of the rule, and the row of the table that the finding names."""
    from reduction_lint.knowledge import catalogue

    text = " ".join(emit("full", Report(findings=[CAP])).split())
    assert " ".join(catalogue.rules()["RL401"].remedy.split()) in text
    assert "row #40" in text
    assert "fix raise the cap (unsafe)" in text
    assert "reduction-lint rule RL401" in text


def test_full_summary() -> None:
    """The last lines count, and name every limit."""
    lines = emit("full", hidden=2, suppressed=1).splitlines()[-8:]
    assert lines == [
        "Found 1 error and 1 warning in 2 files.",
        "1 fixable with --fix --unsafe-fixes.",
        "Checked 14 files (2 parsed), 31 functions, 9 reductions, 4 of them captured, in 0.21 s.",
        "2 findings below the shown level; --severity-level info shows all",
        "1 finding suppressed by comments; --show-suppressed shows them",
        "1 path could not be checked: see the errors",
        "limit: big.py: larger than 10 MB, not checked",
        "limit: the solver stopped early",
    ]


def test_full_quiet() -> None:
    """Quiet drops the summary."""
    assert "Found" not in emit("full", quiet=True)


def test_full_without_findings() -> None:
    """A clean run says so."""
    report = Report(statistics=Statistics(files=3, seconds=0.01))
    assert emit("full", report).splitlines()[0] == "No findings."


def test_full_without_files() -> None:
    """A run that found no files says so."""
    assert emit("full", Report()).splitlines() == ["No Python files to check."]


def test_full_in_colour_has_the_same_text() -> None:
    """Colour adds styles and nothing else."""
    import re

    colored = emit("full", color=True, width=100)
    assert "\x1b[" in colored
    assert emit("full", width=100) == re.sub(r"\x1b\[[0-9;]*m", "", colored)


def test_full_shows_the_reason_of_a_suppression() -> None:
    """A silenced finding says by which reason."""
    report = Report(findings=[replace(CUT, suppressed="demo")])
    assert "[error] (suppressed: demo)" in emit("full", report, show_suppressed=True)


def test_full_markup_is_text() -> None:
    """Square brackets in messages and code are no markup."""
    report = Report(findings=[replace(CUT, message="x[bold] is cut", value="x")])
    assert "x[bold] is cut" in emit("full", report)
