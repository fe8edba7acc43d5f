"""Where full originals go before anything is shortened: one JSON line each, on disk when the call returns."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path


class Sidecar:
    """An append-only file of originals, each under an id by which it can be found again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def capture(self, original: object) -> str:
        """Write the original and return its id; an original that cannot be written raises."""
        record = uuid.uuid4().hex
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": record, "original": original}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return record
