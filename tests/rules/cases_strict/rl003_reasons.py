# Suppressions owe a reason under the strict profile.


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def without(self) -> None:
        self.messages = self.messages[-20:]  # reduction-lint: ignore[RL101]  # expect: RL003

    def above_without(self) -> None:
        # reduction-lint: ignore[RL101]  # expect: RL003
        self.messages = self.messages[-20:]

    def with_reason(self) -> None:
        self.messages = self.messages[-20:]  # reduction-lint: ignore[RL101] -- demo bot

    def above_with_reason(self) -> None:
        # reduction-lint: ignore[RL101] -- demo bot
        self.messages = self.messages[-20:]
