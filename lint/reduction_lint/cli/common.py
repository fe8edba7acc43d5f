"""What several commands need: errors in one line, colour, and the options that choose settings."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from reduction_lint.session import Session

OK, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130


class UsageError(Exception):
    """Wrong usage, as one line for people; the exit status is 2."""


def note(text: str) -> None:
    """A line on standard error."""
    print(text, file=sys.stderr)


def session_from(args: argparse.Namespace) -> Session:
    """The session that the options of :func:`add_settings_options` ask for."""
    config = None if args.config is None else Path(args.config)
    return Session(config=config, isolated=args.isolated, overrides=_overrides(args))


def _overrides(args: argparse.Namespace) -> dict[str, Any]:
    names = (
        *("select", "ignore", "extend-select", "profile", "preview", "exclude", "extend-exclude"),
        *("force-exclude", "respect-gitignore"),
    )
    given = {name: getattr(args, name.replace("-", "_"), None) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def wants_color(choice: str, stream: TextIO) -> bool:
    """Whether to print in colour: as asked for, else on a terminal unless the environment forbids it."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


@contextmanager
def output() -> Iterator[TextIO]:
    """Standard output for results; a reader that goes away early ends the output, not the command."""
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at exit; let that go nowhere.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
