"""Big runs: cut into shards, solved in several processes, with the same findings for any number of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest
from reduction_lint import shards
from reduction_lint.analysis import Analysis
from reduction_lint.findings import Finding, Report
from reduction_lint.knowledge.models import load_models
from reduction_lint.settings import Settings
from reduction_lint.workspace.sources import Source, source_from_text

CUT = "class Agent{n}:\n    def trim(self):\n        self.messages = self.messages[-{n}:]\n"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of a few lines."""
    monkeypatch.setattr(shards, "LEAST", 100)
    monkeypatch.setattr(shards, "MOST", 200)


@pytest.fixture
def project(tmp_path: Path) -> list[Path]:
    """Files with a cut each; the cut of the last is seen through a call from the first only."""
    files = {f"agent{n:02}.py": CUT.format(n=n + 3) for n in range(12)}
    files["agent00.py"] = (
        "from zlast import shorter\n\nclass Agent:\n    def go(self):\n        self.messages = shorter(self.messages)\n"
    )
    files["broken.py"] = "def f(:\n    pass\n"
    files["zlast.py"] = "def shorter(xs):\n    return xs[-3:]\n\n" + "# padding\n" * 20
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return sorted(tmp_path / name for name in files)


def check(files: Sequence[Path], jobs: int) -> Report:
    """Check with a fresh analysis."""
    root = files[0].parent
    return Analysis(Settings(), load_models(), root, root).check(files, jobs=jobs)


def named(finding: Finding) -> tuple[str, str]:
    """File and code of a finding."""
    return finding.path, finding.code


def sources(*sizes: int) -> list[Source]:
    """Sources of these sizes."""
    return [source_from_text("#" * size, f"file{number}.py") for number, size in enumerate(sizes)]


def test_cut_by_size_and_name() -> None:
    """Shards keep the order, hold all files, and are no bigger than allowed plus one file."""
    given = sources(*[shards.LEAST // 3] * 40)
    cut = shards.shards_of(given)
    assert [source for shard in cut for source in shard] == given
    assert len(cut) > 3
    assert all(sum(len(s.text) for s in shard[:-1]) < shards.MOST for shard in cut)


def test_an_added_file_moves_few_cuts() -> None:
    """Cuts follow names, so most shards stay the same when a file appears."""
    given = sources(*[shards.LEAST // 3] * 200)
    extra = source_from_text("#" * shards.LEAST, "extra.py")
    before = {tuple(s.display for s in shard) for shard in shards.shards_of(given)}
    after = {tuple(s.display for s in shard) for shard in shards.shards_of([*given[:3], extra, *given[3:]])}
    assert len(before - after) <= 4


@pytest.mark.usefixtures("small")
def test_same_findings_for_any_number_of_processes(project: list[Path]) -> None:
    """One, two or three processes give equal findings, limits, errors and counts."""
    reports = [check(project, jobs) for jobs in (1, 2, 3)]
    for report in reports:
        report.statistics.seconds = 0
    assert reports[0] == reports[1] == reports[2]
    assert ("broken.py", "RL001") in map(named, reports[0].findings)
    assert len([f for f in reports[0].findings if f.code == "RL101"]) >= 11


def test_same_findings_with_and_without_shards(project: list[Path], request: pytest.FixtureRequest) -> None:
    """Cutting a run into shards neither loses nor doubles a finding."""
    whole = check(project, 1)
    request.getfixturevalue("small")
    assert check(project, 1).findings == whole.findings


@pytest.mark.usefixtures("small")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are told to die by patching before the fork")
def test_a_process_that_dies(project: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """What a killed worker leaves is solved by the parent."""
    expected = check(project, 1).findings
    parent = os.getpid()
    solve = Analysis.solve

    def dying(self: Analysis, shard: Sequence[Source]) -> shards.Outcome:
        if os.getpid() != parent and any(source.display == "agent03.py" for source in shard):
            os.kill(os.getpid(), signal.SIGKILL)
        return solve(self, shard)

    monkeypatch.setattr(Analysis, "solve", dying)
    assert check(project, 2).findings == expected
