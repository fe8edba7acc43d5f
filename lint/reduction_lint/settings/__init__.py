"""What a project asks for: the defaults, then its settings file, then the command line.

Settings stand in ``[tool.reduction-lint]`` of ``pyproject.toml`` or at the top of ``reduction-lint.toml`` or
``.reduction-lint.toml``; the file nearest to what is checked applies, and ``extend`` names a file it
inherits from. Every mistake is a :class:`SettingsError` that names file, line and key.
"""

from __future__ import annotations

from reduction_lint.settings.load import COMMAND_LINE, find_settings_file, forget_files, load_settings
from reduction_lint.settings.model import Phase, Settings, SettingsError
from reduction_lint.settings.values import check_code, nearest_code

__all__ = [
    "COMMAND_LINE",
    "Phase",
    "Settings",
    "SettingsError",
    "check_code",
    "find_settings_file",
    "forget_files",
    "load_settings",
    "nearest_code",
]
