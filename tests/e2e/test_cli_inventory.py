"""``reduction-lint inventory``: every reduction with its status and what covers it, in all formats."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files

import jsonschema
import pytest
from conftest import LEAKY, SOUND, Cli, Write

CAPTURED = """\
import json
from pathlib import Path


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        Path("log.json").write_text(json.dumps(self.messages))
        self.messages = self.messages[-20:]
"""
JSON = ("--output-format", "json")


def test_statuses(cli: Cli, write: Write) -> None:
    """A captured reduction, one that is not, and one that a comment excuses."""
    write("captured.py", CAPTURED)
    write("leaky.py", LEAKY)
    write("excused.py", LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo bot"))
    write("none.py", SOUND)
    result = cli("inventory", *JSON)
    sites = [(s["path"], s["range"]["start"]["line"], s["status"]) for s in result.data["sites"]]
    assert (result.status, sites) == (
        0,
        [("captured.py", 11, "captured"), ("excused.py", 6, "excused"), ("leaky.py", 6, "violation")],
    )


def test_what_covers_a_site(cli: Cli, write: Write) -> None:
    """The capture is named with its place, the comment with its reason."""
    write("captured.py", CAPTURED)
    write("excused.py", LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo bot"))
    captured, excused = (site["covered_by"] for site in cli("inventory", *JSON).data["sites"])
    assert (captured["path"], captured["range"]["start"]["line"]) == ("captured.py", 10)
    assert excused["message"] == "suppressed by a comment: demo bot"


def test_a_rule_that_is_off_hides_no_site(cli: Cli, write: Write) -> None:
    """What settings ignore is not reported by ``check`` and is a violation all the same."""
    write("leaky.py", LEAKY)
    sites = cli("inventory", *JSON, "--ignore", "RL1").data["sites"]
    assert [site["status"] for site in sites] == ["violation"]


def test_json_fits_the_schema(cli: Cli, write: Write) -> None:
    """What a real run prints is valid by the shipped schema."""
    write("captured.py", CAPTURED)
    write("leaky.py", LEAKY)
    schema = json.loads(files("reduction_lint").joinpath("schema/inventory.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(cli("inventory", *JSON).data)


def test_a_path_that_does_not_exist(cli: Cli, write: Write) -> None:
    """The others are listed, the status says that something is missing."""
    write("leaky.py", LEAKY)
    result = cli("inventory", "leaky.py", "gone.py", *JSON)
    assert (result.status, len(result.data["sites"]), result.data["errors"][0]["path"]) == (2, 1, "gone.py")
    assert result.err.startswith("error: gone.py: ")


def test_notebook_places(cli: Cli, write: Write) -> None:
    """In a notebook places count within the cell."""
    cells = [{"cell_type": "code", "source": ["import json\n"]}, {"cell_type": "code", "source": [LEAKY]}]
    write("chat.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    (site,) = cli("inventory", *JSON).data["sites"]
    assert (site["cell"], site["range"]["start"]["line"]) == (2, 6)


def test_people(cli: Cli, write: Write) -> None:
    """For people: by file, with counts."""
    write("captured.py", CAPTURED)
    write("leaky.py", LEAKY)
    out = cli("inventory").out
    assert "leaky.py\n      6:25  violation truncation of self.messages RL101\n" in out
    assert out.endswith("2 reductions: 1 violation, 1 captured\n")


def test_csv(cli: Cli, write: Write) -> None:
    """One line for each site under a heading."""
    write("leaky.py", LEAKY)
    (row,) = csv.DictReader(io.StringIO(cli("inventory", "--output-format", "csv").out))
    assert (row["path"], row["line"], row["status"], row["code"]) == ("leaky.py", "6", "violation", "RL101")


@pytest.mark.parametrize(
    ("name", "edge", "label"),
    [
        ("mermaid", "  c1 --> s1\n", 's1["line 11: self.messages<br/>truncation, captured"]:::captured'),
        ("dot", "  c1 -> s1;\n", 's1 [label="line 11: self.messages\\ntruncation, captured"'),
    ],
)
def test_graphs(cli: Cli, write: Write, name: str, edge: str, label: str) -> None:
    """In the graphs the capture points at the site that it covers, and texts are escaped."""
    write("captured.py", CAPTURED)
    out = cli("inventory", "--output-format", name).out
    assert edge in out
    assert label in out
    assert ("Path#40;#34;log.json#34;#41;" in out) if name == "mermaid" else ('Path(\\"log.json\\")' in out)
