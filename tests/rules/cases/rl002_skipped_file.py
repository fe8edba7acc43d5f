# reduction-lint: skip-file
# Nothing in this file is looked at.


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def trim(self) -> None:
        self.messages = self.messages[-10:]
