"""``reduction-lint config``: the settings that apply, and where each came from."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import Enum
from importlib.resources import files
from pathlib import Path
from typing import Any

from reduction_lint.cli.common import OK, output, session_from, wants_color
from reduction_lint.settings import Settings

_INNER = ("file", "folder", "origins", "models")


def run(args: argparse.Namespace) -> int:
    """Print the resolved settings, or with ``--schema`` the JSON Schema of the settings."""
    with output() as stream:
        if args.schema:
            stream.write(files("reduction_lint").joinpath("schema/settings.schema.json").read_text("utf-8"))
            return OK
        session = session_from(args)
        settings = session.settings_for(session.cwd / args.path)
        root = session.root(settings)
        rows = resolved(settings)
        if args.output_format == "json":
            data = {
                "file": None if settings.file is None else str(settings.file),
                "root": str(root),
                "settings": {key: {"value": value, "from": origin} for key, value, origin in rows},
            }
            json.dump(data, stream, indent=1)
            stream.write("\n")
            return OK
        from reduction_lint.report.full import Printer, console

        printer = Printer(console(stream, wants_color(args.color, sys.stdout)))
        printer.line(f"settings file: {settings.file or 'none'}")
        printer.line(f"project root: {root}")
        for key, value, origin in rows:
            printer.line(
                f"{key} = {json.dumps(value, ensure_ascii=False)}  # {origin}", "dim" if origin == "default" else ""
            )
    return OK


def resolved(settings: Settings) -> list[tuple[str, Any, str]]:
    """(key, plain value, where it was set) of every key, models of the project's own last."""
    rows = []
    for part in fields(settings):
        if part.name not in _INNER:
            key = part.name.replace("_", "-")
            rows.append((key, _plain(getattr(settings, part.name)), settings.origins.get(key, "default")))
    known = {key for key, _, _ in rows}
    rows += [
        (key, _plain(v), settings.origins.get(key, "default")) for key, v in settings.models.items() if key not in known
    ]
    return rows


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key).replace("_", "-"): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner) for inner in value]
    return str(value) if isinstance(value, Path) else value
