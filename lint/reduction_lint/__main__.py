"""``python -m reduction_lint``."""

from __future__ import annotations

from reduction_lint.cli.main import run

if __name__ == "__main__":
    run()
