# The conversation lives in a global, in a mapping, behind a property, in a base class, in a field of a dataclass.
from collections import deque
from dataclasses import dataclass, field

HISTORY: list[dict] = []


def shrink_global() -> None:
    global HISTORY
    HISTORY = HISTORY[-50:]  # expect: RL101


def shrink_global_in_place() -> None:
    HISTORY[:] = HISTORY[-50:]  # expect: RL101


def shrink_state(state: dict) -> None:
    state["messages"] = state["messages"][-10:]  # expect: RL101


def shrink_parameter(messages: list[dict], keep: int) -> None:
    while len(messages) > keep:
        messages.pop(0)  # expect: RL101


def newest(messages: list[dict], keep: int) -> list[dict]:
    return messages[-keep:]


class Threads:
    def __init__(self) -> None:
        self.state: dict[str, list[dict]] = {"messages": []}

    def trim(self) -> None:
        self.state["messages"] = self.state["messages"][-30:]  # expect: RL101

    def trim_alias(self) -> None:
        turns = self.state["messages"]
        del turns[:-30]  # expect: RL101

    def trim_copy(self) -> int:
        turns = list(self.state["messages"])
        del turns[:-30]
        return len(turns)


class Windowed:
    def __init__(self) -> None:
        self._messages: list[dict] = []

    @property
    def messages(self) -> list[dict]:
        return self._messages

    @messages.setter
    def messages(self, messages: list[dict]) -> None:
        self._messages = messages[-50:]  # expect: RL101


class History:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def add(self, message: dict) -> None:
        self.messages.append(message)


class CappedHistory(History):
    def add(self, message: dict) -> None:
        super().add(message)
        self.messages = self.messages[-50:]  # expect: RL101


class OpenHistory(History):
    def add(self, message: dict) -> None:
        super().add(message)
        print(len(self.messages))


@dataclass
class Thread:
    name: str
    turns: deque[dict] = field(default_factory=lambda: deque(maxlen=20))  # expect: RL101
    timings: deque[float] = field(default_factory=lambda: deque(maxlen=20))
