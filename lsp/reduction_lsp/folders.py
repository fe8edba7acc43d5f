"""Which part of the workspace a document belongs to, and the live session of each part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path
from reduction_lint.live import LiveSession
from reduction_lint.settings import SettingsError, find_settings_file

from reduction_lsp.settings import ServerSettings

SETTINGS_FILES = ("pyproject.toml", "reduction-lint.toml", ".reduction-lint.toml")


@dataclass
class Folder:
    """A workspace folder, or the folder of a document outside of all of them."""

    path: Path
    settings: ServerSettings
    live: LiveSession
    in_workspace: bool = True

    def configure(self, settings: ServerSettings) -> Callable[[], None] | None:
        """Take over the client's settings; the answer, if any, has to be done by the analysis' thread."""
        old, self.settings = self.settings, settings
        if (old.configuration, old.overrides) == (settings.configuration, settings.overrides):
            return None
        return self.reload

    def reload(self) -> None:
        """Read the settings files anew."""
        self.live.reload(config=_configuration(self.path, self.settings), overrides=self.settings.overrides)


@dataclass
class Folders:
    """All folders, and the way from URIs to paths and back."""

    defaults: ServerSettings = field(default_factory=ServerSettings)
    _folders: dict[Path, Folder] = field(default_factory=dict)
    _uris: dict[Path, str] = field(default_factory=dict)

    def add(self, uri: str) -> Folder | None:
        """A folder that the client opened; None where the URI is no file."""
        path = to_fs_path(uri)
        return None if path is None else self._folder(_normal(path), in_workspace=True)

    def remove(self, uri: str) -> Folder | None:
        """A folder that the client closed."""
        path = to_fs_path(uri)
        return None if path is None else self._folders.pop(_normal(path), None)

    def __iter__(self) -> Iterator[Folder]:
        return iter(list(self._folders.values()))

    @property
    def workspace(self) -> list[Folder]:
        """The folders that the client opened."""
        return [folder for folder in self._folders.values() if folder.in_workspace]

    def of(self, path: Path) -> Folder:
        """The folder that a file belongs to: the deepest one of the workspace, else its own."""
        holding = [folder for folder in self._folders.values() if path.is_relative_to(folder.path)]
        if holding:
            return max(holding, key=lambda folder: len(folder.path.parts))
        return self._folder(path.parent, in_workspace=False)

    def path_of(self, uri: str) -> Path:
        """The path of a document. One that is no file gets a path of its own in the first folder."""
        found = to_fs_path(uri)
        if found is not None:
            return _normal(found)
        base = next((folder.path for folder in self.workspace), Path.cwd())
        suffix = ".ipynb" if uri.partition("#")[0].endswith(".ipynb") else ".py"
        name = f"untitled_{sha256(uri.encode()).hexdigest()[:8]}{suffix}"
        return base / name

    def note(self, path: Path, uri: str) -> None:
        """Remember how the client writes the URI of a path."""
        self._uris[path] = uri

    def uri_of(self, path: Path) -> str:
        """The URI of a file, as the client wrote it if it did."""
        return self._uris.get(path) or from_fs_path(str(path)) or path.as_uri()

    def _folder(self, path: Path, *, in_workspace: bool) -> Folder:
        known = self._folders.get(path)
        if known is None:
            settings = self.defaults
            config = _configuration(path, settings)
            shallow = not in_workspace and not _is_project(path)
            live = LiveSession(path, config=config, overrides=settings.overrides, shallow=shallow)
            known = self._folders[path] = Folder(path, settings, live, in_workspace)
        elif in_workspace and not known.in_workspace:
            self._folders.pop(path)
            return self._folder(path, in_workspace=True)
        return known


def _is_project(folder: Path) -> bool:
    """Whether a folder lies in something that says where it ends; a home folder must not be searched for one file."""
    try:
        return find_settings_file(folder) is not None or any((p / ".git").exists() for p in (folder, *folder.parents))
    except (SettingsError, OSError):
        return False


def _configuration(folder: Path, settings: ServerSettings) -> Path | None:
    return folder / os.path.expanduser(settings.configuration) if settings.configuration else None


def _normal(path: str) -> Path:
    return Path(os.path.abspath(path))
