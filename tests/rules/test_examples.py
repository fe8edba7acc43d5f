"""The two example agents: one shows the usual losses, its twin shows none."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from reduction_lint import check_paths
from reduction_lint.findings import Report, Severity

EXAMPLES = Path(__file__).parents[2] / "examples"


def shown(report: Report) -> Counter[tuple[str, str]]:
    """File name and code of everything at warning or above."""
    return Counter(
        (Path(finding.path).name, finding.code) for finding in report.findings if finding.severity is not Severity.INFO
    )


def test_leaky_agent_shows_every_planted_loss() -> None:
    """Each loss that was planted is reported, once, and nothing else."""
    report = check_paths([EXAMPLES / "leaky_agent"])
    assert report.errors == []
    assert shown(report) == Counter(
        {
            ("agent.py", "RL105"): 1,
            ("history.py", "RL101"): 1,
            ("history.py", "RL106"): 1,
            ("model.py", "RL401"): 1,
            ("model.py", "RL402"): 1,
            ("summary.py", "RL102"): 1,
            ("tools.py", "RL101"): 2,
            ("tools.py", "RL201"): 1,
        }
    )


def test_sound_agent_is_clean() -> None:
    """The repaired twin has no finding and no error."""
    report = check_paths([EXAMPLES / "sound_agent"])
    assert report.errors == []
    assert shown(report) == Counter()
