"""Notes of a long investigation, folded into a summary when there are too many."""

from __future__ import annotations

from leaky_agent.model import complete

FOLD_ABOVE = 40
REQUEST = "Summarise this conversation. Keep decisions, file names and open questions."


def summarise(messages: list[dict[str, str]]) -> str:
    """A model-written summary of some messages."""
    text = "\n".join(f"{message['role']}: {message['content']}" for message in messages)
    return complete([{"role": "system", "content": REQUEST}, {"role": "user", "content": text}])


class Compactor:
    """Holds a side conversation and keeps it short."""

    def __init__(self, keep: int = 10) -> None:
        self.keep = keep
        self.messages: list[dict[str, str]] = []

    def add(self, message: dict[str, str]) -> None:
        """Append a message; fold the older ones when there are too many."""
        self.messages.append(message)
        if len(self.messages) > FOLD_ABOVE:
            self.fold()

    def fold(self) -> None:
        """Put a summary in the place of everything but the newest messages."""
        older, recent = self.messages[: -self.keep], self.messages[-self.keep :]
        summary = summarise(older)
        self.messages = [{"role": "system", "content": f"Earlier: {summary}"}, *recent]
