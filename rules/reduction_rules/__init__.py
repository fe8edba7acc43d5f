"""Data of reduction-lint: the EXCLUDE table, the rule catalogue and the API models. No logic lives here."""

from __future__ import annotations

import pkgutil

MODEL_FILES = (
    "models/banned.toml",
    "models/caches.toml",
    "models/calls.toml",
    "models/captures.toml",
    "models/compressors.toml",
    "models/names.toml",
    "models/reducers.toml",
    "models/renderings.toml",
    "models/sinks.toml",
    "models/sources.toml",
    "models/terse.toml",
    "models/transcript.toml",
    "models/types.toml",
)
"""All model files, in the order in which their entries take precedence."""


def data(name: str) -> bytes:
    """The bytes of a data file, named relative to this package with ``/``; raises FileNotFoundError."""
    # pkgutil rather than importlib.resources: it starts in a fraction of the time.
    content = pkgutil.get_data(__name__, name)
    if content is None:
        raise FileNotFoundError(name)
    return content
