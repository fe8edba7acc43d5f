"""``config`` and ``clean``."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from conftest import Cli, Write


def test_config(cli: Cli, write: Write) -> None:
    """Every key with its value and where it was set: default, file, base file or command line."""
    write("base.toml", 'unsuppressable = ["RL102"]\n')
    write("reduction-lint.toml", 'extend = "base.toml"\nignore = ["RL4"]\n')
    data = cli("config", "--profile", "strict", "--output-format", "json").data["settings"]
    assert data["ignore"] == {"value": ["RL4"], "from": "reduction-lint.toml"}
    assert data["unsuppressable"] == {"value": ["RL102"], "from": "base.toml"}
    assert data["profile"] == {"value": "strict", "from": "command line"}
    assert data["preview"] == {"value": False, "from": "default"}
    assert 'ignore = ["RL4"]  # reduction-lint.toml' in cli("config").out


def test_schema_takes_what_the_loader_takes(cli: Cli) -> None:
    """The schema for editors knows the same keys as the loader and the types of their values."""
    from reduction_lint.settings.values import READERS

    schema = cli("config", "--schema").data
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["properties"]) == {*READERS, "extend"}
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate({"select": ["RL1"], "severity": {"RL101": "error"}, "captures": [{"call": "a.b", "value": 0}]})
    for wrong in ({"select": "RL1"}, {"nope": 1}, {"severity": {"RL101": "loud"}}, {"captures": {"call": "x"}}):
        assert not validator.is_valid(wrong)


def test_clean(cli: Cli, write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache folder of the user is deleted; when there is none that is fine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    assert "nothing to delete" in cli("clean").out
    kept = write("cache/reduction-lint/x", "1")
    result = cli("clean")
    assert (result.status, kept.parent.exists()) == (0, False)


def test_clean_spares_other_folders(cli: Cli, write: Write) -> None:
    """A folder that is no cache is not deleted, whatever was typed."""
    kept = write("src/chat.py", "x = 1\n")
    assert cli("clean", "--cache-dir", "src").status == 2
    assert kept.exists()
    write("c/CACHEDIR.TAG", "")
    assert cli("clean", "--cache-dir", "c").status == 0
    assert json.dumps([path.name for path in kept.parent.parent.iterdir()]) == '["src"]'
