"""Changes on disk: which files are watched, and what a change of one means."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from reduction_lsp.backend import Backend
from reduction_lsp.capabilities import Client
from reduction_lsp.folders import SETTINGS_FILES

BASELINE = ".reduction-lint-baseline.json"
_PATTERNS = ("**/*.{py,pyi,ipynb}", "**/*.toml", "**/.gitignore", f"**/{BASELINE}")
_RELOADING = (*SETTINGS_FILES, ".gitignore", BASELINE)

OPERATIONS = types.FileOperationRegistrationOptions(
    filters=[types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
)


def registrations(client: Client) -> list[types.Registration]:
    """What to register with a client that allows it after its start."""
    found: list[types.Registration] = []
    if client.watches_files:
        watchers = [types.FileSystemWatcher(pattern) for pattern in _PATTERNS]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        found.append(types.Registration("files", method, register_options=options))
    if client.registers_settings:
        changed = types.DidChangeConfigurationRegistrationOptions(section="reductionLint")
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        found.append(types.Registration("settings", method, register_options=changed))
    return found


def files_changed(backend: Backend, uris: Iterable[str]) -> bool:
    """Let the analysis take notice of files that changed on disk; whether settings were among them."""
    reload = False
    by_folder: dict[Path, list[Path]] = {}
    for uri in uris:
        path = backend.folders.path_of(uri)
        reload = reload or path.name in _RELOADING or _is_named(backend, path)
        by_folder.setdefault(backend.folders.of(path).path, []).append(path)
    for folder in backend.folders:
        if reload:
            backend.worker.post(folder.reload)
        paths = by_folder.get(folder.path)
        if paths:
            backend.worker.post(lambda live=folder.live, paths=paths: live.changed_on_disk(paths))  # type: ignore[misc]
    return reload


def _is_named(backend: Backend, path: Path) -> bool:
    """Any TOML file may be one that a settings file extends or the client names."""
    return path.suffix == ".toml"
