"""The Python interface: the same results as the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
import reduction_lint
from conftest import LEAKY, Cli, Write
from reduction_lint import Finding, Report, Settings, SettingsError, check_paths, check_source

SUPPRESSED = LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo bot")


def places(report: Report) -> list[tuple[str, int, str]]:
    return [(finding.path, finding.range.start.line, finding.code) for finding in report.findings]


def test_check_paths(cli: Cli, write: Write) -> None:
    """Paths may be texts or path objects, and the findings are those of the command line."""
    write("chat.py", LEAKY)
    report = check_paths([Path("chat.py")])
    assert places(report) == cli("check", "--output-format", "json").codes
    assert isinstance(report.findings[0], Finding)
    assert report.statistics.files == 1


def test_check_paths_uses_the_settings_file(write: Write) -> None:
    """Without settings the nearest file applies, as it is at the time of the call."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", 'ignore = ["RL101"]\n')
    assert places(check_paths(["chat.py"])) == []
    write("reduction-lint.toml", "")
    assert places(check_paths(["chat.py"])) == [("chat.py", 6, "RL101")]


def test_given_settings_win(write: Write) -> None:
    """Given settings are used in place of any file."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", "no toml")
    assert places(check_paths(["chat.py"], settings=Settings(ignore=("RL101",)))) == []


def test_wrong_settings(write: Write) -> None:
    """Wrong settings raise."""
    write("reduction-lint.toml", "selct = []\n")
    with pytest.raises(SettingsError, match=r"reduction-lint.toml:1: selct: unknown key"):
        check_paths(["."])


def test_unreadable_path(folder: Path) -> None:
    """A path that does not exist is an error of the report."""
    assert [error.path for error in check_paths(["gone.py"]).errors] == ["gone.py"]


def test_check_source(folder: Path) -> None:
    """A text is checked under the name of a file that need not exist, shown relative to the working directory."""
    assert places(check_source(LEAKY, folder / "pkg" / "chat.py")) == [("pkg/chat.py", 6, "RL101")]


def test_check_source_of_a_notebook(folder: Path) -> None:
    """A text that is no notebook under the name of one is an error of the report."""
    assert [error.path for error in check_source("{", "a.ipynb").errors] == ["a.ipynb"]


def test_suppressed_findings_are_left_out(folder: Path) -> None:
    """What a comment silences is not in the report."""
    assert places(check_source(SUPPRESSED, "chat.py")) == []


def test_version_is_that_of_the_distribution() -> None:
    """The constant in the package and the metadata agree."""
    from importlib.metadata import version

    assert reduction_lint.__version__ == version("reduction-lint")


def test_unknown_name() -> None:
    """The package has no other names."""
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        reduction_lint.nothing  # noqa: B018
