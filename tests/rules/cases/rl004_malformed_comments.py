# Comments that silence nothing because they are not understood.


class Chat:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def unknown_code(self) -> int:
        return len(self.messages)  # reduction-lint: ignore[RL999] -- no such rule  # expect: RL004

    def no_bracket(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore RL101 -- demo bot  # expect: RL004, RL101

    def no_codes(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore[] -- demo bot  # expect: RL004, RL101

    def unknown_word(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: allow[RL101] -- demo bot  # expect: RL004, RL101

    def in_a_string(self) -> str:
        return "# reduction-lint: ignore RL101"

    def understood(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore[RL101] -- demo bot
