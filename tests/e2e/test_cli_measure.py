"""``reduction-lint measure`` as a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def views(folder: Path) -> None:
    """Two stored requests: 21 -> 12 characters, and 4 -> 4."""
    folder.mkdir()
    small = {"id": "a", "phase": "handoff", "before": {"a": "1234", "b": "12"}, "after": {"a": "1234"}}
    (folder / "a.json").write_text(json.dumps(small))
    (folder / "b.json").write_text(json.dumps({"before": "same", "after": "same"}))


def test_json(tmp_path: Path, cli: Run) -> None:
    """Figures of each request and of all together."""
    views(tmp_path / "stored")
    result = cli("measure", "stored", "--output-format", "json")
    data = json.loads(result.out)
    assert result.status == 0
    assert [r["request"] for r in data["requests"]] == ["a", "b"]
    assert data["requests"][0] == {
        "request": "a", "phase": "handoff", "before": 21, "after": 12, "removed": 9, "share": 0.428571, "excluded": ["b"],
    }  # fmt: skip
    assert data["total"] == {"before": 25, "after": 16, "removed": 9, "share": 0.36}


def test_table(tmp_path: Path, cli: Run) -> None:
    """The table shows the same and says what it does not claim."""
    views(tmp_path / "stored")
    result = cli("measure", "stored")
    assert "42.9%" in result.out
    assert "36.0%" in result.out
    assert "no price is claimed" in result.out


def test_broken_member_is_named(tmp_path: Path, cli: Run) -> None:
    """The sound ones are printed, the status says that not all were."""
    views(tmp_path / "stored")
    (tmp_path / "stored" / "c.json").write_text("{")
    result = cli("measure", "stored")
    assert result.status == 2
    assert "42.9%" in result.out
    assert "c.json: is not valid JSON" in result.err


def test_what_is_no_archive(tmp_path: Path, cli: Run) -> None:
    """One line, nothing on standard output."""
    result = cli("measure", "nothing.zip")
    assert (result.status, result.out) == (2, "")
    assert "nothing.zip: there is no such file or folder" in result.err
