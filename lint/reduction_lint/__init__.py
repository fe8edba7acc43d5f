"""Find lossy reductions of LLM context that no capture of the original precedes.

``check_paths`` and ``check_source`` run the same analysis as the command line and return a :class:`Report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from reduction_lint.version import __version__

if TYPE_CHECKING:
    from reduction_lint.findings import Finding, Report
    from reduction_lint.settings import Settings, SettingsError

__all__ = ["Finding", "Report", "Settings", "SettingsError", "__version__", "check_paths", "check_source"]

_HOMES = {
    "Finding": "reduction_lint.findings",
    "Report": "reduction_lint.findings",
    "Settings": "reduction_lint.settings",
    "SettingsError": "reduction_lint.settings",
}


def check_paths(paths: Sequence[str | PathLike[str]], *, settings: Settings | None = None) -> Report:
    """Check files, folders and globs.

    Without ``settings`` the settings file nearest to each file applies, as on the command line. Findings
    that a comment silences are not in the report. Raises :class:`SettingsError` for wrong settings; a path
    that cannot be read is an entry of ``Report.errors``.
    """
    from reduction_lint.session import Session, visible

    return visible(Session(settings=settings).check([str(path) for path in paths]))


def check_source(text: str, path: str | PathLike[str], *, settings: Settings | None = None) -> Report:
    """Check one text as if it stood in the file ``path``, which need not exist."""
    from reduction_lint.session import Session, visible

    return visible(Session(settings=settings).check_text(text, str(path)))


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
