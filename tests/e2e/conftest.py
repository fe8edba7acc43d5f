"""Running the command line in a fresh folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

LEAKY = """\
class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.messages = self.messages[-20:]
"""
SOUND = """\
class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def add(self, message: dict) -> None:
        self.messages.append(message)
"""


@dataclass(frozen=True)
class Result:
    """What one run of the command line left behind."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    @property
    def codes(self) -> list[tuple[str, int, str]]:
        """Path, line and code of the findings in JSON."""
        return [(f["path"], f["range"]["start"]["line"], f["code"]) for f in self.data["findings"]]


Cli = Callable[..., Result]
Write = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def write(folder: Path) -> Write:
    """Write a text or bytes to a file below the working directory."""

    def write(name: str, content: str | bytes) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def cli(folder: Path, capfd: pytest.CaptureFixture[str]) -> Cli:
    """Run the command line in this process."""
    from reduction_lint.cli.main import main

    def cli(*argv: str) -> Result:
        capfd.readouterr()
        status = main(argv)
        captured = capfd.readouterr()
        return Result(status, captured.out, captured.err)

    return cli
