"""Which files are checked: folders, names and patterns, less what is excluded or ignored by git."""

from __future__ import annotations
