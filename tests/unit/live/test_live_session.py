"""The live session: the findings of a fresh run, whatever was edited before."""

from __future__ import annotations

from pathlib import Path

import pytest
from reduction_lint.live import LiveSession, Stopped

AGENT = """\
from store import keep


class Agent:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def compact(self) -> None:
        keep(self.messages)
        self.messages = self.messages[-20:]
"""
STORE = """\
import json
from pathlib import Path


def keep(messages: list[dict]) -> None:
    Path("log.json").write_text(json.dumps(messages))
"""
CARELESS = STORE.replace("Path(", "print(Path(").replace("))\n", ")))\n").replace(".write_text", ".joinpath")


@pytest.fixture
def live(tmp_path: Path) -> LiveSession:
    """A session over an agent and the module that captures for it."""
    (tmp_path / "agent.py").write_text(AGENT)
    (tmp_path / "store.py").write_text(STORE)
    (tmp_path / "other.py").write_text("messages = []\n")
    return LiveSession(tmp_path)


def codes(live: LiveSession, name: str) -> list[str]:
    """The codes found in a file."""
    return [finding.code for finding in live.result(live.folder / name).findings]


def test_open_text_replaces_the_file_and_closing_brings_it_back(live: LiveSession) -> None:
    """What is analysed is the open text; what is on disk counts again after closing."""
    agent = live.folder / "agent.py"
    assert codes(live, "agent.py") == []
    live.set_text(agent, AGENT.replace("        keep(self.messages)\n", ""))
    assert codes(live, "agent.py") == ["RL101"]
    live.close(agent)
    assert codes(live, "agent.py") == []


def test_edit_of_a_helper_makes_its_users_stale_and_nothing_else(live: LiveSession) -> None:
    """The helper lost its capture: the finding appears in the file that trusts it."""
    assert codes(live, "agent.py") == codes(live, "other.py") == []
    live.set_text(live.folder / "store.py", CARELESS)
    assert not live.is_fresh(live.folder / "agent.py")
    assert live.is_fresh(live.folder / "other.py")
    assert codes(live, "agent.py") == ["RL101"]


def test_helper_that_did_not_exist_is_noticed(live: LiveSession) -> None:
    """A name that was looked for in vain is a dependency, too."""
    store = live.folder / "store.py"
    store.unlink()
    live.changed_on_disk([store])
    assert codes(live, "agent.py") == ["RL101"]
    store.write_text(STORE)
    live.changed_on_disk([store])
    assert codes(live, "agent.py") == []
    assert store in live.files()


def test_reload_reads_settings_anew(live: LiveSession) -> None:
    """Settings are read once and again on demand."""
    live.set_text(live.folder / "agent.py", AGENT.replace("        keep(self.messages)\n", ""))
    assert codes(live, "agent.py") == ["RL101"]
    (live.folder / "reduction-lint.toml").write_text('ignore = ["RL1"]\n')
    live.reload()
    assert codes(live, "agent.py") == []


def test_stopping_leaves_the_session_usable(live: LiveSession) -> None:
    """A stopped check raises, keeps nothing half done, and the next one gives the result."""
    with pytest.raises(Stopped):
        live.result(live.folder / "agent.py", stop=lambda: True)
    assert not live.is_fresh(live.folder / "agent.py")
    assert codes(live, "agent.py") == []


def test_excluded_files_are_not_covered(live: LiveSession) -> None:
    """An editor may open what a run over the folder leaves out."""
    hidden = live.folder / "venv" / "agent.py"
    hidden.parent.mkdir()
    hidden.write_text(AGENT)
    assert live.covers(live.folder / "agent.py")
    assert live.covers(live.folder / "new.py")
    assert not live.covers(hidden)


def test_malformed_notebook_is_an_error_of_that_file(live: LiveSession) -> None:
    """Bad JSON is said for the notebook; other files are checked."""
    notebook = live.folder / "n.ipynb"
    notebook.write_text("{")
    assert "not a notebook" in live.result(notebook).report.errors[0].message
    assert codes(live, "agent.py") == []
