"""``reduction-lint clean``: delete what is kept between runs."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from reduction_lint.cli.common import OK, UsageError, output

MARK = "CACHEDIR.TAG"


def run(args: argparse.Namespace) -> int:
    """Delete the cache folder. A named folder is only deleted if it is one of ours."""
    folder = cache_folder(args.cache_dir)
    if not folder.is_dir():
        said = f"{folder}: nothing to delete"
    else:
        if args.cache_dir is not None and any(folder.iterdir()) and not (folder / MARK).is_file():
            raise UsageError(f"{folder}: is no cache folder (it has no {MARK}); delete it by hand")
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise UsageError(f"{folder}: cannot be deleted: {error.strerror}") from None
        said = f"{folder}: deleted"
    with output() as stream:
        stream.write(f"{said}\n")
    return OK


def cache_folder(given: str | None) -> Path:
    """The folder for what is kept between runs: the one named, else that of the user."""
    if given is not None:
        return Path(given).absolute()
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("reduction-lint", appauthor=False))
