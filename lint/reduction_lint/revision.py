"""The findings of an older git revision, read with ``git cat-file``: nothing is checked out.

The Python files of the revision are put into a temporary folder with the settings as they are now, so that only code counts as
a difference.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from reduction_lint.findings import Finding, Report
from reduction_lint.session import Session

_SUFFIXES = (".py", ".pyi", ".ipynb")
_SETTINGS = (".toml", ".gitignore")


class RevisionError(Exception):
    """The revision cannot be compared with; the message is one line."""


@dataclass(slots=True)
class Older:
    """What was found then, and the files that have another name now (old -> new, relative to the git root)."""

    report: Report
    top: Path
    renamed: dict[str, str] = field(default_factory=dict)

    def path_now(self, finding: Finding, cwd: Path) -> str:
        """The path that the file of an old finding has now, relative to the working directory with ``/``."""
        from os.path import relpath

        old = PurePosixPath(Path(relpath(cwd / finding.path, self.top)).as_posix()).as_posix()
        new = self.renamed.get(old, old)
        return Path(relpath(self.top / new, cwd)).as_posix()


def findings_at(revision: str, session: Session, paths: Sequence[str]) -> Older:
    """Check the same paths as they were at a revision; raises :class:`RevisionError`.

    For a revision that is no ancestor the point where the histories parted counts, as on a pull request.
    """
    git = _Git(session.cwd)
    top = Path(git.text("rev-parse", "--show-toplevel").strip()).resolve()
    base = git.base(revision)
    with _exported(git, base, top) as folder:
        cwd = folder / session.cwd.resolve().relative_to(top)
        cwd.mkdir(parents=True, exist_ok=True)
        there = [
            path for path in (_moved(path, session.cwd, cwd, top, folder) for path in paths) if (cwd / path).exists()
        ]
        config = session.config and (
            folder / session.config.resolve().relative_to(top)
            if _inside(session.config, top)
            else session.config.resolve()
        )
        then = Session(
            settings=session.settings, config=config, isolated=session.isolated, overrides=session.overrides, cwd=cwd
        )
        report = then.check(there) if there else Report()
    return Older(report, top, git.renames(base))


def _inside(path: Path, top: Path) -> bool:
    return path.resolve().is_relative_to(top)


def _moved(path: str, cwd: Path, there: Path, top: Path, folder: Path) -> str:
    """A given path in terms of the temporary folder."""
    full = (cwd / path).resolve()
    if not full.is_relative_to(top):
        raise RevisionError(f'--diff-base: "{path}" lies outside the repository')
    return str(folder / full.relative_to(top))


@contextmanager
def _exported(git: _Git, base: str, top: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="reduction-lint-") as name:
        folder = Path(name).resolve()
        (folder / ".git").mkdir()  # the project root, as it is in the repository
        wanted = [(blob, path) for blob, path in git.files(base) if path.endswith(_SUFFIXES)]
        for (_, path), content in zip(wanted, git.contents([blob for blob, _ in wanted]), strict=True):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        for path in git.present():
            if path.endswith(_SETTINGS) and (top / path).is_file():
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((top / path).read_bytes())
        yield folder


@dataclass(frozen=True, slots=True)
class _Git:
    folder: Path

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Standard output of a git command."""
        try:
            done = subprocess.run(["git", *arguments], cwd=self.folder, input=stdin, capture_output=True, check=False)
        except OSError as error:
            raise RevisionError(f"--diff-base needs git: {error.strerror}") from None
        if done.returncode:
            said = " ".join(done.stderr.decode("utf-8", "replace").split()) or "git failed"
            raise RevisionError(f"--diff-base: {said}")
        return done.stdout

    def text(self, *arguments: str) -> str:
        """The same as text."""
        return self.run(*arguments).decode("utf-8", "surrogateescape")

    def base(self, revision: str) -> str:
        """The commit to compare with: the best common ancestor of the revision and HEAD."""
        self.run("rev-parse", "--git-dir")
        if revision.startswith("-"):
            raise RevisionError(f'--diff-base: "{revision}" is no revision')
        try:
            commit = self.text("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
        except RevisionError:
            raise RevisionError(f'--diff-base: there is no revision "{revision}" here{self._shallow()}') from None
        try:
            return self.text("merge-base", commit, "HEAD").split("\n")[0]
        except RevisionError:
            hint = self._shallow() or "; the histories have nothing in common"
            raise RevisionError(f'--diff-base: no common ancestor of "{revision}" and HEAD{hint}') from None

    def _shallow(self) -> str:
        if self.text("rev-parse", "--is-shallow-repository").strip() != "true":
            return ""
        return "; this clone is shallow: run `git fetch --unshallow` (actions/checkout: `fetch-depth: 0`)"

    def files(self, commit: str) -> list[tuple[str, str]]:
        """(blob, path) of all files of a commit, relative to the root; no links, no submodules."""
        found = []
        for entry in self.text("ls-tree", "-r", "-z", "--full-tree", commit).split("\0"):
            head, _, path = entry.partition("\t")
            parts = head.split()
            if len(parts) == 3 and parts[1] == "blob" and parts[0] != "120000":
                found.append((parts[2], path))
        return found

    def contents(self, blobs: Sequence[str]) -> list[bytes]:
        """The contents of blobs, read in one go."""
        raw = self.run("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode())
        found, at = [], 0
        for _ in blobs:
            end = raw.index(b"\n", at)
            size = int(raw[at:end].split()[-1])
            found.append(raw[end + 1 : end + 1 + size])
            at = end + 1 + size + 1
        return found

    def present(self) -> list[str]:
        """All files in the working tree, relative to the root, that git does not ignore."""
        top = self.text("rev-parse", "--show-toplevel").strip()
        return self.text("-C", top, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")

    def renames(self, commit: str) -> dict[str, str]:
        """Old name -> new name of files renamed since, in the working tree as it is."""
        parts = self.text("diff", "--name-status", "-z", "-M", "--diff-filter=R", commit).split("\0")
        return {parts[i + 1]: parts[i + 2] for i in range(0, len(parts) - 2, 3)}
