# A list of turns that lives on an object is shortened where it lives, and nothing was written anywhere.
from collections import deque
from itertools import islice


class SliceAssigned:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def rebind(self) -> None:
        self.messages = self.messages[-20:]  # expect: RL101

    def in_place(self) -> None:
        self.messages[:] = self.messages[-20:]  # expect: RL101

    def delete_range(self) -> None:
        del self.messages[1:-20]  # expect: RL101

    def delete_one(self) -> None:
        if len(self.messages) > 50:
            del self.messages[0]  # expect: RL101

    def head_and_tail(self) -> None:
        self.messages = [self.messages[0], *self.messages[-20:]]  # expect: RL101

    def islice_window(self) -> None:
        self.messages = list(islice(self.messages, 0, 20))  # expect: RL101

    def only_some_roles(self) -> None:
        self.messages = [m for m in self.messages if m["role"] != "tool"]  # expect: RL101


class Popped:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.history: list[dict] = []
        self.turns: deque[dict] = deque()

    def add(self, turn: dict) -> None:
        self.history.append(turn)
        if len(self.history) > self.limit:
            self.history.pop(0)  # expect: RL101

    def add_to_queue(self, turn: dict) -> None:
        self.turns.append(turn)
        while len(self.turns) > self.limit:
            self.turns.popleft()  # expect: RL101


class Bounded:
    def __init__(self) -> None:
        self.conversation: deque[dict] = deque(maxlen=50)  # expect: RL101
        self.latencies: deque[float] = deque(maxlen=50)
        self.seen_ids: deque[str] = deque(maxlen=1000)


class Untouched:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def copy(self) -> list[dict]:
        return self.messages[:]

    def last(self) -> dict:
        return self.messages[-1]

    def newest(self, count: int) -> list[dict]:
        return self.messages[-count:]

    def show(self) -> None:
        for message in self.messages[-5:]:
            print(message["role"], message["content"])

    def reorder(self) -> None:
        self.messages = sorted(self.messages, key=lambda m: m["time"])

    def extend(self, more: list[dict]) -> None:
        self.messages = [*self.messages, *more]

    def decorate(self) -> None:
        self.messages = [{**m, "seen": True} for m in self.messages]
