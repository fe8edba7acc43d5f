"""The loop: ask the model, run the tool it names, tell it the result."""

from __future__ import annotations

import json
import logging
from functools import partial
from pathlib import Path

from sound_agent import tools
from sound_agent.history import History
from sound_agent.model import complete
from sound_agent.sidecar import Sidecar
from sound_agent.summary import Compactor

log = logging.getLogger(__name__)
PROMPT = (
    "You are a careful assistant. Answer with a JSON object that names a tool and its arguments, or with plain text."
)
MAX_STEPS = 25


class Agent:
    """One agent with its conversation, its notes and the sidecar that keeps the originals."""

    def __init__(self, archive_dir: Path) -> None:
        self.archive_dir = archive_dir
        self.sidecar = Sidecar(archive_dir / "sidecar.jsonl")
        self.history = History(PROMPT, self.sidecar)
        self.notes = Compactor(self.sidecar)
        self.transcript: list[dict[str, str]] = []
        self.tools = {
            "shell": partial(tools.run_command, sidecar=self.sidecar),
            "fetch": partial(tools.fetch_page, sidecar=self.sidecar),
            "read_file": tools.read_file,
        }

    def run(self, task: str) -> str:
        """Work on a task until the model answers in plain text."""
        self.remember({"role": "user", "content": task})
        for _ in range(MAX_STEPS):
            answer = complete(self.history.messages)
            self.remember({"role": "assistant", "content": answer})
            try:
                call = json.loads(answer)
            except ValueError:
                return answer
            self.remember(self.tools[call["tool"]](**call["arguments"]))
        return "No answer within the allowed number of steps."

    def remember(self, message: dict[str, str]) -> None:
        """Add a message to everything that keeps messages."""
        self.transcript.append(message)
        self.history.add(message)
        self.notes.add(message)

    def next_episode(self, name: str) -> None:
        """Archive the transcript and begin a new one; a transcript that cannot be archived stays."""
        try:
            (self.archive_dir / f"{name}.json").write_text(json.dumps(self.transcript), encoding="utf-8")
        except OSError as error:
            log.error("episode %s was not archived: %s", name, error)
            raise
        self.transcript.clear()
        self.history.rotate()
