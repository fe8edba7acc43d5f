"""The loop: ask the model, run the tool it names, tell it the result."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from leaky_agent import tools
from leaky_agent.history import History
from leaky_agent.model import complete
from leaky_agent.summary import Compactor

log = logging.getLogger(__name__)
PROMPT = (
    "You are a careful assistant. Answer with a JSON object that names a tool and its arguments, or with plain text."
)
TOOLS = {"shell": tools.run_command, "fetch": tools.fetch_page, "read_file": tools.read_file}
MAX_STEPS = 25


class Agent:
    """One agent with its conversation and its notes."""

    def __init__(self, archive_dir: Path) -> None:
        self.archive_dir = archive_dir
        self.history = History(PROMPT, archive_dir / "session.json")
        self.notes = Compactor()
        self.transcript: list[dict[str, str]] = []

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
            self.remember(TOOLS[call["tool"]](**call["arguments"]))
        return "No answer within the allowed number of steps."

    def remember(self, message: dict[str, str]) -> None:
        """Add a message to everything that keeps messages."""
        self.transcript.append(message)
        self.history.add(message)
        self.notes.add(message)

    def next_episode(self, name: str) -> None:
        """Archive the transcript and begin a new one."""
        try:
            (self.archive_dir / f"{name}.json").write_text(json.dumps(self.transcript), encoding="utf-8")
        except OSError as error:
            log.warning("episode %s was not archived: %s", name, error)
        self.transcript.clear()
        self.history.rotate()
