"""Real editors, headless: the leaks of the example are shown, and a quick fix repairs the buffer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
FIX = "Suppress"


def run(command: list[str], home: Path) -> str:
    """What an editor prints about ``history.py`` of the leaky agent."""
    project = home / "leaky_agent"
    shutil.copytree(EXAMPLES / "leaky_agent", project)
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_STATE_HOME": str(home),
        "SERVER": f"{sys.executable} -m reduction_lint server",
        "ROOT": str(home),
        "FILE": str(project / "history.py"),
        "FIX": FIX,
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim(tmp_path: Path) -> None:
    """Diagnostics with their path; the action resolves lazily and takes one finding away."""
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE / 'diagnostics.lua'}"]
    lines = run(command, tmp_path).splitlines()
    shown = [line for line in lines if not line.startswith(("fixed", "left"))]
    assert any(line.startswith("28 ERROR reduction-lint RL101 ") for line in shown)
    assert all(not line.endswith("related=0") for line in shown)
    assert [line for line in lines if "# reduction-lint: ignore[" in line]
    assert lines[-1] == f"left {len(shown) - 1}"


def has_eglot() -> bool:
    """Whether Emacs is there and knows the protocol (Debian: emacs-nox and elpa-eglot)."""
    command = ["emacs", "--batch", "-q", "--eval", "(require 'eglot)"]
    return (
        shutil.which("emacs") is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )


@pytest.mark.skipif(not has_eglot(), reason="Emacs with eglot is not installed")
def test_emacs(tmp_path: Path) -> None:
    """The same through eglot."""
    lines = run(["emacs", "--batch", "-q", "-l", str(HERE / "diagnostics.el")], tmp_path).splitlines()
    shown = [line for line in lines if line.split(" ")[0].isdigit()]
    assert any("eglot-error reduction-lint [RL101]" in line for line in shown)
    assert [line for line in lines if line.startswith("fixed") and "# reduction-lint: ignore[" in line]
    assert lines[-1] == f"left {len(shown) - 1}"
