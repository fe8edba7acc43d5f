"""The resolved settings and what can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reduction_lint.findings import Severity

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


class SettingsError(Exception):
    """A mistake in a settings file or in a value given on the command line, as one line for people.

    ``file`` is the settings file, None for the command line; ``line`` is 1-based, None when none can be
    named.
    """

    def __init__(self, file: Path | None, line: int | None, key: str, message: str) -> None:
        self.file = file
        self.line = line
        self.key = key
        self.message = message
        place = "" if file is None else f"{shown_path(file)}:{line}: " if line else f"{shown_path(file)}: "
        super().__init__(f"{place}{key}: {message}" if key else f"{place}{message}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.file, self.line, self.key, self.message))


@dataclass(frozen=True)
class Phase:
    """How a project selects context for one phase of work."""

    excluded: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    recall: bool | None = None
    selectors: tuple[str, ...] = ()
    audit_sink: tuple[str, ...] = ()
    version_key: tuple[str, ...] = ()
    replace: bool = False


@dataclass(frozen=True)
class Settings:
    """Resolved settings. ``exclude`` and ``include`` are None where the built-in lists hold.

    ``models`` is what :func:`reduction_lint.knowledge.models.load_models` takes. ``file`` is the settings
    file that applies, ``folder`` what its patterns are relative to; ``origins`` says where a key was set.
    """

    select: tuple[str, ...] = ("RL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    profile: str = "default"
    preview: bool = False
    src: tuple[str, ...] = (".", "src")
    docs_url: str | None = None
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    baseline: str | None = None
    max_tokens: Mapping[str, Any] = field(default_factory=dict)
    notice: Mapping[str, Any] = field(default_factory=dict)
    opt_in_flags: tuple[str, ...] = ()
    imported_prefix_names: tuple[str, ...] = ()
    escalate_marker: str = "<<escalate>>"
    phases: Mapping[str, Phase] = field(default_factory=dict)
    unsuppressable: tuple[str, ...] = ()
    models: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    folder: Path | None = None
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def strict(self) -> bool:
        """Whether the strict profile is asked for."""
        return self.profile == "strict"

    @cached_property
    def codes(self) -> frozenset[str]:
        """The codes that are reported: selected, not ignored, and open to this profile and preview.

        Where both lists name a code the longer prefix wins, and ``ignore`` wins a tie. Strict-only codes
        need the strict profile and preview codes ``preview``, whether named or not.
        """
        from reduction_lint.knowledge import catalogue

        wanted = (*self.select, *self.extend_select)
        return frozenset(
            code
            for code, rule in catalogue.rules().items()
            if (self.strict or not rule.strict_only)
            and (self.preview or not rule.preview)
            and _longest(code, wanted) > _longest(code, self.ignore)
        )

    def ignored_in(self, path: Path) -> frozenset[str]:
        """The codes that ``per-file-ignores`` takes away from this file."""
        if not self.per_file_ignores:
            return frozenset()
        base = self.folder or Path.cwd()
        try:
            relative = path.absolute().relative_to(base).as_posix()
        except ValueError:
            relative = path.name
        prefixes = tuple(
            prefix
            for pattern, codes in self.per_file_ignores.items()
            if compile_pattern(pattern).match_file(relative)
            for prefix in codes
        )
        return frozenset(code for code in self.codes if code.startswith(prefixes)) if prefixes else frozenset()

    def severity_of(self, code: str, usual: Severity) -> Severity:
        """The severity that the settings give a code, else ``usual``."""
        return self.severity.get(code, usual)

    def is_unsuppressable(self, code: str) -> bool:
        """Whether comments cannot silence this code."""
        return bool(self.unsuppressable) and code.startswith(self.unsuppressable)


def _longest(code: str, prefixes: Sequence[str]) -> int:
    """The length of the longest prefix that fits, 0 when none does."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


@lru_cache(maxsize=256)
def compile_pattern(pattern: str) -> GitIgnoreSpec:
    """A ``per-file-ignores`` pattern, read as a line of a ``.gitignore``; ValueError when it is none."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines([pattern])


def shown_path(file: Path) -> str:
    """A path as people want to read it: relative to the working directory where it lies below it."""
    try:
        return file.absolute().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return str(file)
