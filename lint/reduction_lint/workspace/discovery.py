"""Which files are checked: folders, names and patterns, less what is excluded or ignored by git."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reduction_lint.findings import ReportError
from reduction_lint.workspace.patterns import Patterns, is_below

DEFAULT_INCLUDE = ("*.py", "*.pyi", "*.ipynb")
DEFAULT_EXCLUDE = (
    ".git",
    ".hg",
    ".svn",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    "build",
    "dist",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".eggs",
    "site-packages",
)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """Which files count. All patterns are read as in ``.gitignore``, anchored at the project root.

    ``force_exclude`` makes exclusion hold for paths that are named, too.
    """

    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False


@dataclass(slots=True)
class Discovered:
    """The files found (absolute, sorted, each once) and the paths that could not be used."""

    files: list[Path] = field(default_factory=list)
    errors: list[ReportError] = field(default_factory=list)


def discover(paths: Sequence[str], *, cwd: Path, settings: FileSettings, root: Path | None = None) -> Discovered:
    """Find the files that ``paths`` (relative to ``cwd``) stand for.

    A file that is named is taken even if it is excluded, unless ``force_exclude``. A folder is searched; one
    that is named though it is excluded or ignored is searched all the same. A path with wildcards that does
    not exist is expanded. Links to folders are followed only when named. ``root`` is the project root, where
    patterns are anchored (default ``cwd``).
    """
    search = _Search(os.path.abspath(cwd), os.path.abspath(root or cwd), settings)
    for path in paths:
        search.add(path)
    return Discovered([Path(name) for name in sorted(search.files)], search.errors)


def project_files(root: Path, settings: FileSettings) -> list[Path]:
    """All files of the project at ``root``, sorted."""
    return discover(["."], cwd=root, settings=settings, root=root).files


def project_root(cwd: Path, settings_file: Path | None) -> Path:
    """The folder of ``settings_file``, else the nearest one from ``cwd`` up with ``.git``, else ``cwd``."""
    if settings_file is not None:
        return settings_file.absolute().parent
    git = _git_root(os.path.abspath(cwd))
    return Path(git) if git is not None else cwd.absolute()


def display_path(path: str | Path, cwd: str | Path) -> str:
    """``path`` as it is shown: relative to ``cwd`` where both are on one drive, with ``/``."""
    try:
        shown = os.path.relpath(path, cwd)
    except ValueError:  # different drives
        shown = str(path)
    return shown.replace(os.sep, "/")


class _Rules:
    """The include and exclude patterns of the settings, anchored at one folder."""

    def __init__(self, base: str, settings: FileSettings) -> None:
        self.base = base
        self.include = Patterns(base, settings.include)
        self.exclude = Patterns(base, [*settings.exclude, *settings.extend_exclude])

    def excludes(self, path: str, *, folder: bool) -> bool:
        """Whether ``path`` or a folder between it and the base is excluded."""
        return self.exclude.verdict(path, folder=folder) is True

    def includes(self, path: str) -> bool:
        """Whether the name of the file ``path`` says that it is one to check."""
        return self.include.verdict(path) is True


class _Search:
    """The state of one discovery; paths are plain absolute strings here, which is what costs least."""

    def __init__(self, cwd: str, root: str, settings: FileSettings) -> None:
        self.cwd = cwd
        self.root = root
        self.settings = settings
        self.rules = _Rules(root, settings)
        self.ignore_files: dict[str, Patterns | None] = {}
        self.files: set[str] = set()
        self.errors: list[ReportError] = []

    def add(self, given: str) -> None:
        """Take up one path of the command line."""
        path = os.path.normpath(os.path.join(self.cwd, given))
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            if glob.has_magic(given):
                self.expand(given)
            elif isinstance(error, FileNotFoundError):
                self.fail(path, "no such file or directory")
            else:
                self.fail(path, f"cannot be read: {getattr(error, 'strerror', None) or error}")
            return
        folder = stat.S_ISDIR(mode)
        if self.settings.force_exclude and self.rules.excludes(path, folder=folder):
            return
        if folder:
            self.walk(path)
        elif stat.S_ISREG(mode):
            self.files.add(path)
        else:
            self.fail(path, "not a regular file or directory")

    def expand(self, pattern: str) -> None:
        """Take up what ``pattern`` matches; it must be neither excluded nor ignored."""
        found = glob.glob(os.path.join(glob.escape(self.cwd), pattern), recursive=True)
        if not found:
            self.fail(os.path.join(self.cwd, pattern), "no file matches")
        for path in map(os.path.normpath, found):
            folder = os.path.isdir(path)
            rules = self.rules if is_below(path, self.root) else _Rules(os.path.dirname(path), self.settings)
            if rules.excludes(path, folder=folder) or self.is_ignored(path, folder=folder):
                continue
            if folder:
                self.walk(path)
            elif os.path.isfile(path) and rules.includes(path):
                self.files.add(path)

    def fail(self, path: str, message: str) -> None:
        """Note that ``path`` cannot be used."""
        self.errors.append(ReportError(display_path(path, self.cwd), message))

    def walk(self, top: str) -> None:
        """Search the folder ``top``. If it is itself excluded, patterns apply as if the project began there."""
        rules = self.rules
        inside = top == self.root or is_below(top, self.root)
        if not inside or rules.excludes(top, folder=True):
            rules = _Rules(top, self.settings)
        around = self.ignores_around(top)
        if self.is_ignored(top, folder=True):  # it was named, so it is wanted whatever is said above it
            around = [patterns for patterns in around if patterns.base == top]
        pending = [(top, around)]
        while pending:
            folder, ignores = pending.pop()
            own = self.ignore_file(folder) if folder != top else None
            if own is not None:
                ignores = [*ignores, own]
            for entry in self.entries(folder):
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not rules.includes(entry.path):
                    continue
                if rules.excludes(entry.path, folder=is_folder) or _ignored(entry.path, ignores, is_folder):
                    continue
                if is_folder:
                    pending.append((entry.path, ignores))
                elif _is_regular(entry):
                    self.files.add(entry.path)

    def entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What ``folder`` holds; nothing, with an error noted, if it cannot be read."""
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError as error:
            self.fail(folder, f"cannot be read: {error.strerror or error}")
            return []

    def is_ignored(self, path: str, *, folder: bool) -> bool:
        """Whether git ignores ``path``."""
        return _ignored(path, self.ignores_around(os.path.dirname(path)), folder)

    def ignores_around(self, folder: str) -> list[Patterns]:
        """The ignore files that hold in ``folder``, from the git root (else the project root) down to its own."""
        if not self.settings.respect_gitignore:
            return []
        git = _git_root(folder)
        top = git or self.root
        found = [self.ignore_file(folder)]
        while is_below(folder, top):
            folder = os.path.dirname(folder)
            found.append(self.ignore_file(folder))
        if git is not None:
            found.append(self.ignore_file(git, os.path.join(".git", "info", "exclude")))
        return [patterns for patterns in reversed(found) if patterns is not None]

    def ignore_file(self, folder: str, name: str = ".gitignore") -> Patterns | None:
        """The patterns of the ignore file ``name`` of ``folder``, if there is one and it counts."""
        if not self.settings.respect_gitignore:
            return None
        path = os.path.join(folder, name)
        if path not in self.ignore_files:
            self.ignore_files[path] = _read_patterns(path, folder)
        return self.ignore_files[path]


def _read_patterns(path: str, base: str) -> Patterns | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as lines:
            return Patterns(base, lines.read().splitlines())
    except OSError:
        return None


def _ignored(path: str, ignores: Sequence[Patterns], folder: bool) -> bool:
    """Whether git ignores ``path``: the innermost file that says anything decides."""
    for patterns in reversed(ignores):
        verdict = patterns.verdict(path, folder=folder)
        if verdict is not None:
            return verdict
    return False


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _git_root(folder: str) -> str | None:
    """The nearest folder from ``folder`` up that holds ``.git`` (a file in worktrees and submodules)."""
    while not os.path.exists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    return folder
