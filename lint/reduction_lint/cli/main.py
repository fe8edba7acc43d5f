"""The entry point: runs one command, and turns every failure into one line and a status."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from reduction_lint.cli.common import FAILED, INTERRUPTED, UsageError, note
from reduction_lint.cli.parser import parse
from reduction_lint.settings import SettingsError


def run() -> None:
    """The console script."""
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return the exit status.

    Results go to standard output, all else to standard error. Wrong usage and wrong settings leave standard
    output empty.
    """
    for stream in (sys.stdout, sys.stderr):
        # Paths may hold bytes that no encoding knows, and a terminal may know few characters.
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    verbose = "--verbose" in (sys.argv if argv is None else argv)
    try:
        args = parse(argv)
        command = import_module(f"reduction_lint.cli.{args.command}")
        status: int = command.run(args)
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else FAILED
    except (UsageError, SettingsError) as error:
        note(f"error: {error}")
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except Exception as error:
        if verbose:
            import traceback

            traceback.print_exc()
        reason = " ".join(str(error).split()) or "no message"
        note(f"internal error: {type(error).__name__}: {reason} (a bug; --verbose shows where it happened)")
    return FAILED
