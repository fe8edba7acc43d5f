"""What the agent can do in the world. Every tool answers with one message for the model."""

from __future__ import annotations

import subprocess
from pathlib import Path

import httpx

from sound_agent.sidecar import Sidecar

MAX_OUTPUT = 10_000
MAX_PAGE = 20_000
CHUNK = 16_000


def run_command(command: str, sidecar: Sidecar) -> dict[str, str]:
    """Run a shell command; a long output is captured, cut, and says where the rest is."""
    done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True, timeout=120)
    output = done.stdout + done.stderr
    if len(output) > MAX_OUTPUT:
        record = sidecar.capture(output)
        output = output[:MAX_OUTPUT] + f"\n[truncated: full output in session sidecar, record {record}]"
    return {"role": "tool", "name": "shell", "content": output}


def fetch_page(url: str, sidecar: Sidecar | None) -> dict[str, str]:
    """Fetch a page. The cap holds with and without a sidecar; the notice says which of the two it was."""
    page = httpx.get(url, follow_redirects=True, timeout=30).text
    if len(page) > MAX_PAGE:
        if sidecar is not None:
            record = sidecar.capture(page)
            page = page[:MAX_PAGE] + f"\n[truncated: full output in session sidecar, record {record}]"
        else:
            page = page[:MAX_PAGE] + "\n[truncated: full output not retained]"
    return {"role": "tool", "name": "fetch", "content": page}


def read_file(path: str, offset: int = 0) -> dict[str, str]:
    """Read a part of a file; the text says how to read on."""
    text = Path(path).read_text(encoding="utf-8")
    part = text[offset : offset + CHUNK]
    end = offset + CHUNK
    if end < len(text):
        part += f"\n[cut here: call read_file with path={path!r}, offset={end} for the rest]"
    return {"role": "tool", "name": "read_file", "content": part}
