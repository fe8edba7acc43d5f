# What does not parse is named; the functions around it are checked.


class Before:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL101


def half_typed(messages):
    for message in messages print(message)  # expect: RL001


class Between:
    def __init__(self) -> None:
        self.history: list[dict] = []

    def broken(self) -> None:
        self.history = = []  # expect: RL001

    def trim(self) -> None:
        del self.history[:-10]  # expect: RL101


def unfinished(messages):
    return messages + +  # expect: RL001


class After:
    def __init__(self) -> None:
        self.turns: list[dict] = []

    def last(self) -> dict:
        return self.turns[-1]

    def trim(self) -> None:
        self.turns.pop(0)  # expect: RL101
