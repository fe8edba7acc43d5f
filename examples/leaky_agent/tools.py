"""What the agent can do in the world. Every tool answers with one message for the model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx

MAX_OUTPUT = 10_000
MAX_PAGE = 20_000
CHUNK = 16_000


def run_command(command: str) -> dict[str, str]:
    """Run a shell command; a long output is cut to the first characters."""
    done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True, timeout=120)
    output = done.stdout + done.stderr
    return {"role": "tool", "name": "shell", "content": output[:MAX_OUTPUT]}


def fetch_page(url: str) -> dict[str, str]:
    """Fetch a page; a long one is cut, and the text says that the rest is gone."""
    page = httpx.get(url, follow_redirects=True, timeout=30).text
    if len(page) > MAX_PAGE:
        page = page[:MAX_PAGE] + "\n[page cut: full output not retained]"
    return {"role": "tool", "name": "fetch", "content": page}


def read_file(path: str, offset: int = 0) -> dict[str, str]:
    """Read a part of a file; the text says how to read on."""
    text = Path(path).read_text(encoding="utf-8")
    part = text[offset : offset + CHUNK]
    end = offset + CHUNK
    if end < len(text):
        part += f"\n[cut here: call read_file with path={path!r}, offset={end} for the rest]"
    return {"role": "tool", "name": "read_file", "content": part}
