"""Finding and reading settings files, and putting the layers together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from reduction_lint.settings.model import Settings, SettingsError, shown_path
from reduction_lint.settings.values import JOINED, MODEL_TABLES, READERS, WrongValue, joined

FILE_NAMES = (".reduction-lint.toml", "reduction-lint.toml", "pyproject.toml")
COMMAND_LINE = "command line"

# What knowledge.load_models understands besides the arrays of tables.
_MODEL_SETTINGS = ("max-tokens", "notice", "opt-in-flags", "imported-prefix-names", "escalate-marker")


def load_settings(
    start: Path,
    *,
    config: Path | None = None,
    isolated: bool = False,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """The settings for what lies at ``start`` (a folder or a file); raises :class:`SettingsError`.

    ``config`` is used in place of the nearest settings file, ``isolated`` uses none. ``overrides`` are values
    from the command line under the keys of the file.
    """
    if config is not None and isolated:
        raise SettingsError(None, None, "--isolated", "cannot be used together with --config")
    file = None if isolated else config if config is not None else find_settings_file(start)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    layers = _layers(file.absolute(), ()) if file is not None else []
    for layer in layers:
        for key, value in layer.read().items():
            values[key] = joined(key, values[key], value) if key in values else value
            origins[key] = shown_path(layer.file)
    for key, value in (overrides or {}).items():
        parsed = _override(key, value)
        values[key] = values.get(key, ()) + parsed if key in JOINED else parsed
        origins[key] = COMMAND_LINE
    settings = _settings(values, file.absolute() if file else None, origins)
    _check_preview(settings, layers)
    return settings


@lru_cache(maxsize=8192)
def _file_in(folder: Path) -> Path | None:
    """The settings file in this very folder. A ``pyproject.toml`` without a word of us is none."""
    for name in FILE_NAMES:
        file = folder / name
        try:
            if file.is_file() and (name != "pyproject.toml" or _has_table(file)):
                return file
        except OSError as error:
            raise SettingsError(file, None, "", f"cannot be read: {error.strerror}") from None
    return None


def _has_table(file: Path) -> bool:
    """Whether a ``pyproject.toml`` holds ``[tool.reduction-lint]``, and not just the name in a list."""
    if b"reduction-lint" not in file.read_bytes():
        return False
    tool = _parse(file)[1].get("tool")
    return isinstance(tool, dict) and "reduction-lint" in tool


def find_settings_file(start: Path) -> Path | None:
    """The settings file in the folder of ``start`` or the nearest one above it."""
    start = start.absolute()
    folder = start if start.is_dir() else start.parent
    return next((file for place in (folder, *folder.parents) if (file := _file_in(place))), None)


def forget_files() -> None:
    """Look for settings files anew: for a server that lives through edits of them."""
    _file_in.cache_clear()


@dataclass(frozen=True)
class _Layer:
    """One settings file: its text, and the table with our keys, which lies at ``prefix``."""

    file: Path
    text: str
    data: Mapping[str, Any]
    prefix: tuple[str, ...]

    def error(self, path: Sequence[str | int], message: str, value: str | None = None) -> SettingsError:
        from reduction_lint.settings.places import find_line

        line = find_line(self.text, (*self.prefix, *path), value)
        return SettingsError(self.file, line, ".".join(str(part) for part in path if isinstance(part, str)), message)

    def read(self) -> dict[str, Any]:
        """Every key read by its reader."""
        from reduction_lint.knowledge.schema import nearest

        for key in self.data:
            if key not in READERS and key != "extend":
                raise self.error([key], f"unknown key{nearest(key, [*READERS, 'extend'])}")
        found: dict[str, Any] = {}
        for key, value in self.data.items():
            if key == "extend":
                continue
            try:
                found[key] = READERS[key](value)
            except WrongValue as wrong:
                raise self.error([key, *wrong.path], wrong.message, wrong.value) from None
            except ValueError as error:
                raise self.error([key], str(error)) from None
        self._check_models(found)
        return found

    def _check_models(self, found: Mapping[str, Any]) -> None:
        """Let the knowledge loader judge the entries that share its format."""
        models = {key: found[key] for key in (*MODEL_TABLES, *_MODEL_SETTINGS[:2]) if key in found}
        if not models:
            return
        from reduction_lint.knowledge.loading import Raw, read_document
        from reduction_lint.knowledge.schema import KnowledgeError

        try:
            read_document(models, self.file.name, Raw())
        except KnowledgeError as error:
            table, _, number = error.entry.partition("[")
            path: list[str | int] = [table, *([int(number.rstrip("]"))] if number else [])]
            raise self.error([*path, *([error.key] if error.key else [])], error.message) from None


def _layers(file: Path, seen: tuple[Path, ...]) -> list[_Layer]:
    """The file and what it extends, base first."""
    text, data = _parse(file)
    prefix: tuple[str, ...] = ()
    tool = data.get("tool")
    if file.name == "pyproject.toml" or (set(data) == {"tool"} and isinstance(tool, dict)):
        prefix = ("tool", "reduction-lint")
        data = tool.get("reduction-lint", {}) if isinstance(tool, dict) else {}
        if not isinstance(data, dict):
            raise _Layer(file, text, {}, ()).error(prefix, "must be a table")
    layer = _Layer(file, text, data, prefix)
    base = data.get("extend")
    if base is None:
        return [layer]
    if not isinstance(base, str):
        raise layer.error(["extend"], "must be the path of a settings file")
    target = (file.parent / base).resolve()
    if target in (*seen, file.resolve()):
        raise layer.error(["extend"], f'"{base}" leads back to this file')
    if not target.is_file():
        raise layer.error(["extend"], f'there is no file "{base}"')
    return [*_layers(target, (*seen, file.resolve())), layer]


def _parse(file: Path) -> tuple[str, dict[str, Any]]:
    """The text and the parsed document."""
    import tomli

    try:
        text = file.read_bytes().decode("utf-8-sig")
        return text, tomli.loads(text)
    except OSError as error:
        raise SettingsError(file, None, "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(file, None, "", "is not UTF-8 text") from None
    except tomli.TOMLDecodeError as error:
        reason = re.sub(r" \(at [^)]*\)$", "", str(error))
        raise SettingsError(file, getattr(error, "lineno", None), "", f"is not valid TOML: {reason}") from None
    except RecursionError:
        raise SettingsError(file, None, "", "is not valid TOML: nested too deeply") from None


def _override(key: str, value: Any) -> Any:
    """Read a value of the command line; a mistake names the flag."""
    try:
        return READERS[key](value)
    except ValueError as error:
        raise SettingsError(None, None, f"--{key}", str(error)) from None


def _settings(values: Mapping[str, Any], file: Path | None, origins: Mapping[str, str]) -> Settings:
    known = {part.name for part in fields(Settings)}
    plain = {name: value for key, value in values.items() if (name := key.replace("-", "_")) in known}
    models = {key: values[key] for key in (*MODEL_TABLES, *_MODEL_SETTINGS) if values.get(key)}
    models.update({key: list(value) for key, value in models.items() if isinstance(value, tuple)})
    return Settings(**plain, models=models, file=file, folder=file.parent if file else None, origins=origins)


def _check_preview(settings: Settings, layers: Sequence[_Layer]) -> None:
    """Naming a preview code without ``preview`` is a mistake, at the place that names it."""
    if settings.preview:
        return
    from reduction_lint.knowledge import catalogue

    rules = catalogue.rules()
    for key, codes in (("select", settings.select), ("extend-select", settings.extend_select)):
        for code in codes:
            if code not in rules or not rules[code].preview:
                continue
            message = f"{code} is a preview code; it needs --preview (in settings: preview = true)"
            for layer in layers:
                if code in layer.data.get(key, ()):
                    raise layer.error([key], message, code)
            raise SettingsError(None, None, f"--{key}", message)
