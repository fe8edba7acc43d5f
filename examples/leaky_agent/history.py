"""The conversation and its two limits: a budget in characters and a number of messages."""

from __future__ import annotations

import json
from pathlib import Path

BUDGET = 120_000
KEEP = 60


def size(messages: list[dict[str, str]]) -> int:
    """Length of all messages in characters."""
    return sum(len(message["content"]) for message in messages)


class History:
    """The messages of one session; the first one is the system prompt."""

    def __init__(self, system_prompt: str, log_path: Path) -> None:
        self.log_path = log_path
        self.messages: list[dict[str, str]] = [{"role": "system", "content": system_prompt}]

    def add(self, message: dict[str, str]) -> None:
        """Append a message and make room for it."""
        self.messages.append(message)
        while size(self.messages) > BUDGET and len(self.messages) > 2:
            self.messages.pop(1)

    def rotate(self) -> None:
        """Keep the newest messages and write the session log."""
        self.messages = self.messages[:1] + self.messages[1:][-KEEP:]
        self.log_path.write_text(json.dumps(self.messages), encoding="utf-8")
