# An open bracket does not swallow what stands below.
def open_call(messages):  # or: RL001
    print(len(messages  # expect: RL001


class After:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL101
