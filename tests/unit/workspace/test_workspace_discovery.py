"""Which files are found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from reduction_lint.findings import ReportError
from reduction_lint.workspace.discovery import (
    FileSettings,
    discover,
    display_path,
    project_files,
    project_root,
)


def make(root: Path, *names: str, **contents: str) -> None:
    """Create empty files, and ignore files with content (``gitignore="…"``)."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    if "gitignore" in contents:
        (root / ".gitignore").write_text(contents["gitignore"])


def found(root: Path, *paths: str, base: Path | None = None, **settings: Any) -> list[str]:
    """The files found, relative to ``root``; errors fail the test."""
    result = discover(paths or ["."], cwd=root, settings=FileSettings(**settings), root=base)
    assert result.errors == []
    return [path.relative_to(root).as_posix() for path in result.files]


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    """Python files and notebooks at any depth are found, sorted, each once."""
    make(tmp_path, "b.py", "a/c.pyi", "a/d.ipynb", "a/e.txt", "a.py")
    assert found(tmp_path, ".", "a", "b.py") == ["a.py", "a/c.pyi", "a/d.ipynb", "b.py"]


def test_default_excludes_are_left_out(tmp_path: Path) -> None:
    """Environments, caches and build folders are not searched, at any depth."""
    make(tmp_path, "a.py", ".venv/x.py", "p/build/x.py", "p/node_modules/x.py", "p/builder/y.py")
    assert found(tmp_path) == ["a.py", "p/builder/y.py"]


def test_named_file_is_taken_though_excluded(tmp_path: Path) -> None:
    """A named file counts even if it is excluded, ignored or has another ending; force-exclude changes the first."""
    make(tmp_path, "build/x.py", "script", "y.py", gitignore="y.py\n")
    assert found(tmp_path, "build/x.py", "script", "y.py") == ["build/x.py", "script", "y.py"]
    assert found(tmp_path, "build/x.py", "script", force_exclude=True) == ["script"]


def test_named_folder_is_searched_though_excluded(tmp_path: Path) -> None:
    """A named folder counts even if it is excluded or ignored; patterns then apply within it."""
    make(tmp_path, "build/x.py", "build/dist/y.py", "gen/y.py", "gen/z.py", gitignore="gen/\n")
    make(tmp_path / "gen", gitignore="y.py\n")
    assert found(tmp_path, "build", "gen") == ["build/x.py", "gen/z.py"]
    assert found(tmp_path, "build", force_exclude=True) == []


def test_include_and_exclude_patterns(tmp_path: Path) -> None:
    """Names match at any depth, paths from the project root; ``!`` takes back."""
    make(tmp_path, "a.py", "p/a.py", "p/b.py", "p/q/c.py", "p/d.txt")
    assert found(tmp_path, extend_exclude=("p/a.py",)) == ["a.py", "p/b.py", "p/q/c.py"]
    assert found(tmp_path, extend_exclude=("./a.py",)) == ["p/a.py", "p/b.py", "p/q/c.py"]
    assert found(tmp_path, extend_exclude=("a.py", "q")) == ["p/b.py"]
    assert found(tmp_path, extend_exclude=("p/*.py", "!p/b.py")) == ["a.py", "p/b.py", "p/q/c.py"]
    assert found(tmp_path, extend_exclude=(f"{tmp_path}/p",)) == ["a.py"]
    assert found(tmp_path, include=("*.txt", "c.py")) == ["p/d.txt", "p/q/c.py"]


def test_patterns_are_anchored_at_the_project_root(tmp_path: Path) -> None:
    """In a subfolder, patterns still count from the root."""
    make(tmp_path, "p/a.py", "p/p/a.py")
    assert found(tmp_path / "p", base=tmp_path, extend_exclude=("/p/a.py",)) == ["p/a.py"]


def test_gitignore_nested_and_negated(tmp_path: Path) -> None:
    """Inner ignore files win over outer ones, also those above the folder that is searched."""
    make(tmp_path, "x.py", "a/x.py", "a/y.py", "a/b/y.py", gitignore="x.py\n/a/b\n")
    make(tmp_path / "a", gitignore="!x.py\ny.py\n")
    (tmp_path / ".git").mkdir()
    assert found(tmp_path) == ["a/x.py"]
    assert found(tmp_path, "a") == ["a/x.py"]
    assert found(tmp_path / "a", ".", base=tmp_path / "a") == ["x.py"]
    assert found(tmp_path, respect_gitignore=False) == ["a/b/y.py", "a/x.py", "a/y.py", "x.py"]


def test_private_excludes_of_git_count(tmp_path: Path) -> None:
    """``.git/info/exclude`` is read like an ignore file of the root."""
    make(tmp_path, "a.py", "b.py", ".git/info/exclude")
    (tmp_path / ".git/info/exclude").write_text("b.py\n")
    assert found(tmp_path) == ["a.py"]


def test_malformed_ignore_patterns_are_tolerated(tmp_path: Path) -> None:
    """Lines that git cannot use are passed over."""
    make(tmp_path, "a.py", "b.py", gitignore="[\n!\n\\\n/\nb.py\n")
    assert found(tmp_path) == ["a.py"]


def test_wildcards_are_expanded(tmp_path: Path) -> None:
    """A pattern as a path finds files that are not excluded; a file of that very name wins."""
    make(tmp_path, "a/x.py", "a/b/x.py", "build/x.py", "a/x.txt", "[odd].py")
    assert found(tmp_path, "**/x.*") == ["a/b/x.py", "a/x.py"]
    assert found(tmp_path, "[odd].py") == ["[odd].py"]
    assert found(tmp_path, "?") == ["a/b/x.py", "a/x.py"]


def test_missing_paths_are_errors_and_the_rest_is_found(tmp_path: Path) -> None:
    """Each path that cannot be used is an error; the others count."""
    make(tmp_path, "a.py")
    result = discover(["nope.py", "a.py", "no*.py", "a.py/b"], cwd=tmp_path, settings=FileSettings())
    assert [path.name for path in result.files] == ["a.py"]
    assert result.errors[:2] == [
        ReportError("nope.py", "no such file or directory"),
        ReportError("no*.py", "no file matches"),
    ]
    assert result.errors[2].path == "a.py/b"


def test_folder_without_python_is_empty(tmp_path: Path) -> None:
    """Nothing to check is no error."""
    make(tmp_path, "a.txt")
    assert found(tmp_path) == []


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    """A loop of links ends; links to files count, dead ones do not; a link that is named is followed."""
    make(tmp_path, "p/a.py")
    (tmp_path / "p/loop").symlink_to(tmp_path / "p")
    (tmp_path / "p/b.py").symlink_to(tmp_path / "p/a.py")
    (tmp_path / "p/c.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "p/self.py").symlink_to(tmp_path / "p/self.py")
    assert found(tmp_path) == ["p/a.py", "p/b.py"]
    assert found(tmp_path, "p/loop") == ["p/loop/a.py", "p/loop/b.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_are_skipped_or_refused(tmp_path: Path) -> None:
    """A pipe that is met is passed over, one that is named is an error."""
    os.mkfifo(tmp_path / "a.py")
    assert found(tmp_path) == []
    result = discover(["a.py"], cwd=tmp_path, settings=FileSettings())
    assert result.errors == [ReportError("a.py", "not a regular file or directory")]


def test_unreadable_folder_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed is reported, the rest is searched."""
    make(tmp_path, "a.py", "secret/b.py")
    scandir = os.scandir

    def refuse(path: str) -> Any:
        if path.endswith("secret"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    result = discover(["."], cwd=tmp_path, settings=FileSettings())
    assert [path.name for path in result.files] == ["a.py"]
    assert result.errors == [ReportError("secret", "cannot be read: Permission denied")]


def test_folder_outside_the_project(tmp_path: Path) -> None:
    """Names are excluded outside of the project, too; paths shown lead there."""
    make(tmp_path, "out/a.py", "out/build/b.py", "proj/c.py")
    result = discover(["../out"], cwd=tmp_path / "proj", settings=FileSettings())
    assert [display_path(path, tmp_path / "proj") for path in result.files] == ["../out/a.py"]


def test_project_files(tmp_path: Path) -> None:
    """All files of a project are found from its root."""
    make(tmp_path, "a.py", "src/b.py")
    assert project_files(tmp_path, FileSettings()) == [tmp_path / "a.py", tmp_path / "src/b.py"]


def test_project_root(tmp_path: Path) -> None:
    """The settings file's folder, else the git root (also a worktree's), else the working directory."""
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    assert project_root(inner, tmp_path / "pyproject.toml") == tmp_path
    (tmp_path / "a/.git").write_text("gitdir: elsewhere\n")
    assert project_root(inner, None) == tmp_path / "a"


def test_project_root_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without settings and git the working directory is the project."""
    monkeypatch.setattr(os.path, "exists", lambda path: False)
    assert project_root(tmp_path, None) == tmp_path
