"""Notes of a long investigation, folded into a summary when there are too many."""

from __future__ import annotations

from sound_agent.model import complete
from sound_agent.sidecar import Sidecar

FOLD_ABOVE = 40
REQUEST = "Summarise this conversation. Keep decisions, file names and open questions."


def summarise(messages: list[dict[str, str]]) -> str:
    """A model-written summary of some messages."""
    text = "\n".join(f"{message['role']}: {message['content']}" for message in messages)
    return complete([{"role": "system", "content": REQUEST}, {"role": "user", "content": text}])


class Compactor:
    """Holds a side conversation and keeps it short. The raw messages stay in the sidecar."""

    def __init__(self, sidecar: Sidecar, keep: int = 10) -> None:
        self.sidecar = sidecar
        self.keep = keep
        self.messages: list[dict[str, str]] = []

    def add(self, message: dict[str, str]) -> None:
        """Append a message; fold the older ones when there are too many."""
        self.messages.append(message)
        if len(self.messages) > FOLD_ABOVE:
            self.fold()

    def fold(self) -> None:
        """Put a summary in the place of the older messages, which are captured first."""
        older, recent = self.messages[: -self.keep], self.messages[-self.keep :]
        record = self.sidecar.capture(older)
        summary = summarise(older)
        self.messages = [{"role": "system", "content": f"Earlier (raw: record {record}): {summary}"}, *recent]
