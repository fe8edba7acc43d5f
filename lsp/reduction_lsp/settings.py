"""The client's settings: how the server behaves, not what is reported, which the settings files say.

They come as initialization options, are pulled with ``workspace/configuration`` or pushed with
``workspace/didChangeConfiguration``; always the same keys, those of the VS Code extension below ``reductionLint``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

SECTION = "reductionLint"
_LEVELS = ("error", "warning", "info", "debug")
_SEVERITIES = ("error", "warning", "information", "hint", "off")
_KEYS = {
    "enable": "enable",
    "configuration": "configuration",
    "profile": "profile",
    "preview": "preview",
    "run": "run",
    "diagnosticMode": "diagnostic_mode",
    "codeLens": "code_lens",
    "inlayHints": "inlay_hints",
    "severity": "severity",
    "severityLevel": "severity_level",
    "logLevel": "log_level",
}
_CHOICES = {
    "profile": ("default", "strict"),
    "run": ("onType", "onSave"),
    "diagnostic_mode": ("openFilesOnly", "workspace"),
    "severity_level": ("error", "warning", "info"),
    "log_level": _LEVELS,
}
_ELSEWHERE = ("path", "interpreter", "trace", "nativeServer")
"""Keys that only the extension reads."""


@dataclass(frozen=True)
class ServerSettings:
    """How the server works for one folder.

    ``configuration`` is a settings file to use in place of the nearest one, ``profile`` and ``preview`` override the
    settings file; "" and None leave it alone. ``severity_level`` is the least severity that is shown. ``severity`` maps
    codes or prefixes to error, warning, information, hint or off.
    """

    enable: bool = True
    configuration: str = ""
    profile: str = ""
    preview: bool | None = None
    run: str = "onType"
    diagnostic_mode: str = "openFilesOnly"
    code_lens: bool = False
    inlay_hints: bool = False
    severity: Mapping[str, str] = field(default_factory=dict)
    severity_level: str = "warning"
    log_level: str = "info"

    @property
    def overrides(self) -> dict[str, Any]:
        """What of the settings file is overridden, as the command line would."""
        found: dict[str, Any] = {}
        if self.profile:
            found["profile"] = self.profile
        if self.preview is not None:
            found["preview"] = self.preview
        return found

    def severity_of(self, code: str) -> str:
        """What the client wants for a code: the longest prefix decides; "" when it says nothing."""
        fitting = [prefix for prefix in self.severity if code.startswith(prefix)]
        return self.severity[max(fitting, key=len)] if fitting else ""


def read_settings(given: Any, base: ServerSettings | None = None) -> tuple[ServerSettings, list[str]]:
    """The settings that a client's JSON asks for, and a line for each value that makes no sense.

    The keys may stand at the top or below ``reductionLint`` or ``settings``; keys that are missing keep the value
    of ``base``.
    """
    settings = base or ServerSettings()
    for name in ("settings", SECTION):
        if isinstance(given, Mapping) and isinstance(given.get(name), Mapping):
            given = given[name]
    if given is None:
        return settings, []
    if not isinstance(given, Mapping):
        return settings, ["the settings must be an object"]
    found: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in given.items():
        name = _KEYS.get(key, "")
        if not name:
            if key not in _ELSEWHERE:
                problems.append(f"unknown setting {SECTION}.{key}")
        elif value is None:
            found[name] = _default(name)
        elif (problem := _problem(name, value)) is not None:
            problems.append(f"{SECTION}.{key}: {problem}")
        else:
            found[name] = value
    return replace(settings, **found), problems


def _default(name: str) -> Any:
    return getattr(ServerSettings(), name)


def _problem(name: str, value: Any) -> str | None:
    """What is wrong with a value, if anything."""
    if name in _CHOICES:
        fits = value in _CHOICES[name] or (name == "profile" and value == "")
        return None if fits else f"must be one of {', '.join(_CHOICES[name])}"
    if name == "severity":
        if isinstance(value, Mapping) and all(level in _SEVERITIES for level in value.values()):
            return None
        return f"must map codes to one of {', '.join(_SEVERITIES)}"
    wanted = {part.name: part.type for part in fields(ServerSettings)}[name]
    if "bool" in str(wanted):
        return None if isinstance(value, bool) else "must be true or false"
    return None if isinstance(value, str) else "must be a text"
