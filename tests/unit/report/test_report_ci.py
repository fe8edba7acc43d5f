"""The formats for machines: valid by their schemas, escaped, and small enough to read."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
from reduction_lint.findings import Edit, Fix, Limit, Range, Report, ReportError, TraceStep
from test_report_formats import CAP, CUT, REPORT, emit

SCHEMAS = Path(__file__).parents[2] / "schemas"
NASTY = "a, b: c; [d] % é |\r\nnew <b>`x`</b> \x1b \ud800"
ODD = replace(CUT, message=NASTY, path="dir with space/ü%,:;].py", symbol="<module>", suppressed=None)
EVERYTHING = replace(
    REPORT, findings=[replace(CUT, cell=2, path="a.ipynb"), CUT, replace(CUT, suppressed="why"), CAP, ODD]
)


def validate(name: str, data: Any) -> None:
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(data)


@pytest.mark.parametrize("report", [Report(), REPORT, EVERYTHING], ids=["empty", "usual", "everything"])
@pytest.mark.parametrize(
    ("name", "schema"),
    [("sarif", "sarif-2.1.0.json"), ("gitlab", "gitlab-code-quality.json"), ("rdjson", "rdjson.json")],
)
def test_schemas(name: str, schema: str, report: Report) -> None:
    """What is printed is valid by the schema of the format."""
    validate(schema, json.loads(emit(name, report)))


def sarif(report: Report = REPORT) -> Any:
    return json.loads(emit("sarif", report))["runs"][0]


def test_sarif_result() -> None:
    """A result names its rule, place, row of the table, path, fix and fingerprint."""
    result = sarif(replace(REPORT, findings=[CAP]))["results"][0]
    assert result == {
        "ruleId": "RL401",
        "ruleIndex": 0,
        "level": "warning",
        "message": {"text": "answers are capped at 50 tokens"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "pkg/ask.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 2, "startColumn": 1, "endLine": 4, "endColumn": 2},
                },
                "logicalLocations": [{"fullyQualifiedName": "Agent.compact"}],
            }
        ],
        "partialFingerprints": {"reductionLint/v1": "abc"},
        "properties": {
            "technique": "output-cap",
            "confidence": "medium",
            "precision": "high",
            "value": "self.messages",
        },
        "taxa": [{"id": "#40", "toolComponent": {"name": "EXCLUDE", "index": 0}}],
        "fixes": [
            {
                "description": {"text": "raise the cap (unsafe)"},
                "artifactChanges": [
                    {
                        "artifactLocation": {"uri": "pkg/ask.py", "uriBaseId": "%SRCROOT%"},
                        "replacements": [
                            {
                                "deletedRegion": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 3},
                                "insertedContent": {"text": "1024"},
                            }
                        ],
                    }
                ],
            }
        ],
    }


def test_sarif_path_and_suppression() -> None:
    """The trace is a code flow in order; a suppressed finding says why."""
    result = sarif(replace(REPORT, findings=[replace(CUT, suppressed="demo")]))["results"][0]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["message"]["text"] for step in steps] == [step.message for step in CUT.trace]
    assert result["suppressions"] == [{"kind": "inSource", "status": "accepted", "justification": "demo"}]


def test_sarif_rules_and_taxonomy() -> None:
    """Rules are those of the results, with help; the table of techniques is a taxonomy that they refer to."""
    run = sarif()
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    taxa = {taxon["id"] for taxon in run["taxonomies"][0]["taxa"]}
    assert set(rules) == {"RL101", "RL401"}
    assert "#40" in taxa
    assert {relation["target"]["id"] for relation in rules["RL401"]["relationships"]} <= taxa
    assert "```python" in rules["RL101"]["help"]["markdown"]


def test_sarif_addresses() -> None:
    """Odd file names are percent-encoded, absolute ones are file addresses; errors make the run fail."""
    run = sarif(replace(REPORT, findings=[ODD, replace(CUT, path="/abs/x.py")]))
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert (unquote(uris[0]), uris[1]) == (ODD.path, "file:///abs/x.py")
    assert run["invocations"][0]["executionSuccessful"] is False


def test_gitlab() -> None:
    """An issue, key by key."""
    issue = json.loads(emit("gitlab"))[0]
    assert {key: issue[key] for key in ("check_name", "severity", "fingerprint", "location")} == {
        "check_name": "RL101",
        "severity": "major",
        "fingerprint": "abc",
        "location": {"path": "pkg/agent.py", "lines": {"begin": 6, "end": 6}},
    }


def test_azure() -> None:
    """Logging commands are escaped: no text can end a property or begin another command."""
    lines = emit("azure", EVERYTHING).splitlines()
    commands = [re.fullmatch(r"##vso\[task\.logissue ((?:\w+=[^;\]\r\n]*;)+)\][^\r\n]*", line) for line in lines]
    assert all(commands)
    assert lines[1].startswith(
        "##vso[task.logissue type=error;sourcepath=pkg/agent.py;linenumber=6;columnnumber=25;code=RL101;]"
    )
    assert "%AZP25%2C".replace("%2C", ",") in lines[3]


def test_junit() -> None:
    """A suite for each file; the counts are those of the elements, and any text is valid XML."""
    root = ElementTree.fromstring(emit("junit", EVERYTHING))
    assert [suite.get("name") for suite in root] == ["a.ipynb", "pkg/agent.py", "pkg/ask.py", ODD.path, "errors"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "4", "1")
    failure = root.find("testsuite[@name='pkg/agent.py']/testcase/failure")
    assert failure is not None
    assert (failure.text or "").splitlines()[0] == "pkg/agent.py:3:9: self.messages holds the conversation"


def test_junit_without_findings() -> None:
    """An empty result is a test that passed: readers take no tests at all for a mistake."""
    root = ElementTree.fromstring(emit("junit", Report()))
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_rdjson_columns_are_bytes() -> None:
    """The format counts bytes of UTF-8, so a letter with an accent before the finding moves it."""
    report = replace(REPORT, findings=[replace(CUT, path="u.py", range=Range.of(1, 4, 1, 6))])
    data = json.loads(emit("rdjson", report, lines_of=lambda path, cell: ["éé = x[1]"] if path == "u.py" else None))
    where = data["diagnostics"][0]["location"]["range"]
    assert where == {"start": {"line": 1, "column": 6}, "end": {"line": 1, "column": 8}}


def test_rdjson_suggestion() -> None:
    """A fix of one edit is a suggestion; one of several is none."""
    two = Fix(
        "two", "safe", (Edit("pkg/ask.py", Range.of(1, 1, 1, 1), "x"), Edit("pkg/ask.py", Range.of(2, 1, 2, 1), "y"))
    )
    one, more = (
        json.loads(emit("rdjson", replace(REPORT, findings=[f])))["diagnostics"][0]
        for f in (CAP, replace(CAP, fixes=(two,)))
    )
    assert [suggestion["text"] for suggestion in one["suggestions"]] == ["1024"]
    assert "suggestions" not in more


def test_markdown() -> None:
    """A title, the counts against what is known, the table, and what was not checked."""
    lines = emit("markdown", known=3, gone=1).splitlines()
    assert lines[:5] == [
        "### reduction-lint",
        "",
        "Found new 1 error and 1 warning. 3 known from before. 1 gone since then.",
        "",
        "| where | rule | what | |",
    ]
    assert lines[6].startswith(
        "| `pkg/agent.py:6:25` | [RL101](https://example.org/rules/RL101) uncaptured-truncation | self."
    )
    assert "- **not checked:** gone.py: does not exist" in lines


def test_markdown_is_plain_text() -> None:
    """No message can break the table or bring markup of its own; code keeps its backquotes."""
    rows = [line for line in emit("markdown", replace(REPORT, findings=[ODD])).splitlines() if ODD.path in line]
    assert len(rows) == 1
    assert re.sub(r"\\\|", "", rows[0]).count("|") == 5
    assert "\\<b\\>`x`\\</b\\>" in rows[0]


def test_grouped() -> None:
    """Findings stand under their file."""
    assert emit("grouped", replace(REPORT, findings=[CUT]), quiet=True) == (
        "pkg/agent.py\n      6:25  RL101 error   self.messages is cut and no path records the rest first\n\n"
    )


def test_json_lines() -> None:
    """One object a line, told apart by their type."""
    lines = [json.loads(line) for line in emit("json-lines").splitlines()]
    assert [line["type"] for line in lines] == ["finding", "finding", "error", "limit", "limit", "statistics"]
    assert (lines[0]["code"], lines[2]["path"]) == ("RL101", "gone.py")


def test_steps_in_other_files_and_limits_without_a_path() -> None:
    """Nothing depends on a path that a limit does not have, nor on where a step lies."""
    far = replace(CUT, trace=(TraceStep("other.py", Range.of(1, 1, 1, 2), "far"), CUT.trace[1]))
    report = Report([far], [ReportError("x", "y")], [Limit(None, "z")])
    for name in ("sarif", "gitlab", "azure", "junit", "rdjson", "markdown", "grouped", "json-lines"):
        assert "RL101" in emit(name, report)
