"""The conversation and its two limits: a budget in characters and a number of messages."""

from __future__ import annotations

from sound_agent.sidecar import Sidecar

BUDGET = 120_000
KEEP = 60


def size(messages: list[dict[str, str]]) -> int:
    """Length of all messages in characters."""
    return sum(len(message["content"]) for message in messages)


class History:
    """The messages of one session; the first one is the system prompt."""

    def __init__(self, system_prompt: str, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.messages: list[dict[str, str]] = [{"role": "system", "content": system_prompt}]

    def add(self, message: dict[str, str]) -> None:
        """Append a message and make room for it; what leaves is captured first."""
        self.messages.append(message)
        while size(self.messages) > BUDGET and len(self.messages) > 2:
            oldest = self.messages[1]
            self.sidecar.capture(oldest)
            self.messages.pop(1)

    def rotate(self) -> None:
        """Capture the whole conversation, then keep the newest messages and a note that finds the rest."""
        record = self.sidecar.capture(self.messages)
        note = {"role": "system", "content": f"Earlier messages are in the session sidecar, record {record}."}
        self.messages = [self.messages[0], note, *self.messages[1:][-KEEP:]]
