"""Starting from today's state: ``baseline``, ``--baseline`` and ``--diff-base``."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from conftest import LEAKY, SOUND, Cli, Write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BASELINE = ".reduction-lint-baseline.json"
MORE = """
    def forget(self) -> None:
        self.messages.clear()
"""
JSON = ("--output-format", "json")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in CI, where baselines are left alone."""
    monkeypatch.delenv("CI", raising=False)


def git(*argv: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *argv], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_known_findings_are_not_shown(cli: Cli, write: Write, folder: Path) -> None:
    """What the baseline holds is not reported and does not fail; what is new is."""
    write("reduction-lint.toml", "")
    path = write("chat.py", LEAKY)
    assert cli("baseline").out == f"{BASELINE}: 1 finding (1 new, 0 gone)\n"
    assert json.loads((folder / BASELINE).read_text())["findings"][0]["path"] == "chat.py"
    result = cli("check")
    assert (result.status, result.out.splitlines()[0]) == (0, "No new findings.")
    assert "1 finding known from before and not shown" in result.out
    path.write_text(LEAKY + MORE)
    result = cli("check", *JSON)
    assert (result.status, result.codes) == (1, [("chat.py", 9, "RL101")])


def test_from_another_folder(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline beside the settings holds wherever the command runs."""
    write("reduction-lint.toml", "")
    path = write("pkg/chat.py", LEAKY)
    cli("baseline")
    monkeypatch.chdir(path.parent)
    assert cli("check").status == 0


def test_it_shrinks_by_itself(cli: Cli, write: Write, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repaired finding leaves the baseline, so that it cannot come back unseen; in CI nothing is written."""
    write("reduction-lint.toml", "")
    write("chat.py", LEAKY)
    cli("baseline")
    before = (folder / BASELINE).read_text()
    write("chat.py", SOUND)
    monkeypatch.setenv("CI", "true")
    assert (cli("check").status, (folder / BASELINE).read_text()) == (0, before)
    monkeypatch.delenv("CI")
    result = cli("check")
    assert "baseline: 1 of its findings are gone and were taken out" in result.err
    write("chat.py", LEAKY)
    assert cli("check").status == 1


def test_a_part_of_the_project_keeps_the_rest(cli: Cli, write: Write, folder: Path) -> None:
    """Checking one file, or one family of rules, says nothing about what else the baseline holds."""
    write("reduction-lint.toml", "")
    write("a.py", LEAKY)
    write("b.py", LEAKY)
    cli("baseline")
    before = (folder / BASELINE).read_text()
    cli("check", "a.py")
    cli("check", "--select", "RL4")
    assert (folder / BASELINE).read_text() == before


def test_prune(cli: Cli, write: Write) -> None:
    """``--prune`` takes out what is gone and adds nothing."""
    write("reduction-lint.toml", "")
    write("a.py", LEAKY)
    cli("baseline")
    write("a.py", SOUND)
    write("b.py", LEAKY.replace("messages", "history"))
    assert cli("baseline", "--prune").out == f"{BASELINE}: 0 findings (0 new, 1 gone)\n"
    assert cli("check").status == 1


def test_moved_to_another_file(cli: Cli, write: Write, folder: Path) -> None:
    """A class that moves to another file takes its known findings along."""
    write("reduction-lint.toml", "")
    write("a.py", LEAKY)
    cli("baseline")
    (folder / "a.py").rename(folder / "b.py")
    assert cli("check").status == 0


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(st.sampled_from(["x = 1", "# note", "", "def f():\n    return [1][:1]", '"""text"""']), max_size=5),
    after=st.lists(st.sampled_from(["y = 2", "# end", "class Other:\n    pass"]), max_size=3),
    cut=st.sampled_from(
        ["self.messages[-20:]", "self.messages[ -20 : ]", "(\n            self.messages[-20:]  # keep\n        )"]
    ),
    inside=st.lists(st.sampled_from(["        # why", "        count = 3", "        print('x')"]), max_size=3),
)
def test_fingerprints_survive_edits_elsewhere(
    cli: Cli, write: Write, before: list[str], after: list[str], cut: str, inside: list[str]
) -> None:
    """Whatever is written around it, and however it is laid out: the finding stays the one it was."""
    write("chat.py", LEAKY)
    (old,) = cli("check", "--isolated", *JSON).data["findings"]
    head, _, tail = LEAKY.partition("        self.messages = self.messages[-20:]")
    body = "\n".join([*inside, f"        self.messages = {cut}"])
    write("chat.py", "\n".join([*before, head + body + tail, *after, ""]))
    (new,) = cli("check", "--isolated", *JSON).data["findings"]
    assert new["fingerprint"] == old["fingerprint"]


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        ("{", "not valid JSON"),
        ('{"version": 9}', "of version 1"),
        ('{"version": 1, "findings": [{}]}', "entry 1 lacks"),
    ],
)
def test_a_broken_baseline(cli: Cli, write: Write, content: str, hint: str) -> None:
    """A baseline that cannot be read is one clear line and status 2."""
    write("chat.py", LEAKY)
    write("known.json", content)
    result = cli("check", "--baseline", "known.json")
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert hint in result.err


def test_a_missing_baseline(cli: Cli, write: Write) -> None:
    """A baseline that was named has to be there."""
    write("chat.py", LEAKY)
    result = cli("check", "--baseline", "gone.json")
    assert (result.status, "`reduction-lint baseline` writes one" in result.err) == (2, True)


@pytest.fixture
def repository(write: Write) -> Write:
    """A git repository with one committed file that has one finding."""
    git("init", "-q", "-b", "main")
    write("pkg/chat.py", LEAKY)
    git("add", ".")
    git("commit", "-qm", "one")
    return write


def test_diff_base(cli: Cli, repository: Write) -> None:
    """Only what is new in the working tree counts, committed or not."""
    assert cli("check", "--diff-base", "HEAD").status == 0
    repository("pkg/chat.py", LEAKY + MORE)
    repository("pkg/new.py", LEAKY)
    result = cli("check", "--diff-base", "HEAD", *JSON)
    assert (result.status, result.codes) == (1, [("pkg/chat.py", 9, "RL101"), ("pkg/new.py", 6, "RL101")])
    assert git("status", "--short") == "M pkg/chat.py\n?? pkg/new.py"


def test_diff_base_follows_renames(cli: Cli, repository: Write) -> None:
    """A renamed file brings nothing new."""
    git("mv", "pkg/chat.py", "pkg/talk.py")
    assert cli("check", "--diff-base", "HEAD").status == 0


def test_diff_base_after_a_merge(cli: Cli, repository: Write) -> None:
    """What came from the other branch is not ours: the point where the histories parted counts."""
    git("checkout", "-qb", "topic")
    repository("pkg/mine.py", LEAKY)
    git("add", ".")
    git("commit", "-qm", "mine")
    git("checkout", "-q", "main")
    repository("pkg/chat.py", SOUND)
    git("commit", "-qam", "repaired on main")
    git("checkout", "-q", "topic")
    assert cli("check", "--diff-base", "main", *JSON).codes == [("pkg/mine.py", 6, "RL101")]
    git("merge", "-q", "-m", "merge", "main")
    assert cli("check", "--diff-base", "main", *JSON).codes == [("pkg/mine.py", 6, "RL101")]


def test_diff_base_sees_effects_in_other_files(cli: Cli, write: Write) -> None:
    """An edit that takes away a capture makes a finding new in a file that nobody touched."""
    git("init", "-q")
    helper = (
        "import json\n\n\ndef keep(messages: list[dict]) -> None:\n    open('log', 'a').write(json.dumps(messages))\n"
    )
    write("store.py", helper)
    call = "        keep(self.messages)\n        self.messages = self.messages[-20:]"
    write(
        "chat.py", "from store import keep\n\n\n" + LEAKY.replace("        self.messages = self.messages[-20:]", call)
    )
    git("add", ".")
    git("commit", "-qm", "one")
    assert cli("check").status == 0
    write("store.py", helper.replace("    open('log', 'a').write(json.dumps(messages))", "    print(len(messages))"))
    assert cli("check", "--diff-base", "HEAD", *JSON).codes == [("chat.py", 10, "RL101")]


def test_new_settings_do_not_count(cli: Cli, repository: Write) -> None:
    """The old state is judged by the settings of today: only code makes a difference."""
    repository("reduction-lint.toml", 'profile = "strict"\n')
    assert cli("check", "--diff-base", "HEAD").status == 0


@pytest.mark.parametrize(("revision", "hint"), [("nope", 'no revision "nope"'), ("--all", "is no revision")])
def test_wrong_revision(cli: Cli, repository: Write, revision: str, hint: str) -> None:
    """A revision that is not there is one clear line."""
    result = cli("check", f"--diff-base={revision}")
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert hint in result.err


def test_no_repository(cli: Cli, write: Write) -> None:
    """Outside a repository git's own words are handed on."""
    write("chat.py", LEAKY)
    result = cli("check", "--diff-base", "HEAD")
    assert (result.status, "not a git repository" in result.err) == (2, True)


def test_shallow_clone(cli: Cli, repository: Write, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shallow clone lacks the history; the message says how to get it."""
    git("tag", "start")
    repository("pkg/new.py", LEAKY)
    git("add", ".")
    git("commit", "-qm", "two")
    git("clone", "-q", "--depth", "1", f"file://{folder}", str(folder / "shallow"))
    monkeypatch.chdir(folder / "shallow")
    result = cli("check", "--diff-base", "start")
    assert (result.status, "git fetch --unshallow" in result.err) == (2, True)
