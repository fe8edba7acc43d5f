"""Where the report goes: several formats in one run, files, and the summary of a GitHub job."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import LEAKY, Cli, Write

SUPPRESSED = LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo bot")


def test_several_outputs(cli: Cli, write: Write, folder: Path) -> None:
    """Each format goes to its file, one of them to standard output."""
    write("chat.py", LEAKY)
    result = cli("check", "--output", "sarif=out/x.sarif", "--output", "junit=x.xml", "--output", "github=-")
    assert (result.status, result.out[:8], result.err) == (1, "::error ", "")
    assert json.loads((folder / "out/x.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "RL101"
    assert ElementTree.parse(folder / "x.xml").getroot().get("failures") == "1"


def test_output_file(cli: Cli, write: Write, folder: Path) -> None:
    """``--output-file`` takes the report; people still get the summary on standard error."""
    write("chat.py", LEAKY)
    result = cli("check", "--output-format", "json", "--output-file", "report.json")
    assert (result.out, json.loads((folder / "report.json").read_text())["findings"][0]["code"]) == ("", "RL101")
    assert result.err.startswith("Found 1 error in 1 file.")


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (("--output", "sarif"), "write sarif=FILE"),
        (("--output", "nope=x"), 'unknown format "nope"'),
        (("--output", "json=-", "--output", "sarif=-"), "only one format"),
        (("--output", "json=x", "--output", "sarif=./x"), "the same file"),
        (("--output", "json=x", "--output-format", "json"), "--output goes alone"),
        (("--output-file", "chat.py/x"), "chat.py/x: "),
    ],
)
def test_wrong_usage(cli: Cli, write: Write, argv: tuple[str, ...], hint: str) -> None:
    """Mistakes are one line and status 2."""
    write("chat.py", LEAKY)
    result = cli("check", *argv)
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert hint in result.err


def test_job_summary(cli: Cli, write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The github format adds a table to the job's summary, behind what is there."""
    summary = write("summary.md", "before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    write("chat.py", LEAKY)
    cli("check", "--output-format", "github")
    text = summary.read_text("utf-8")
    assert text.startswith("before\n### reduction-lint\n\nFound 1 error.\n")
    assert "| `chat.py:6:25` |" in text


def test_sarif_keeps_suppressed_findings(cli: Cli, write: Write) -> None:
    """Code scanning has to tell a suppressed finding from one that is gone; the others do not show it."""
    write("chat.py", SUPPRESSED)
    result = cli("check", "--output-format", "sarif")
    assert result.data["runs"][0]["results"][0]["suppressions"][0]["justification"] == "demo bot"
    assert cli("check", "--output-format", "json").data["findings"] == []
