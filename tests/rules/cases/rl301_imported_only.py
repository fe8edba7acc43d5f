"""An import is reported where nothing in the file uses it."""

from gist_caching import GistActivations  # expect: RL301

__all__ = ["GistActivations"]
