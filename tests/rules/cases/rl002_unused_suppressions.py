# Suppressions that silence something and others that silence nothing.
from myapp.recording import Sidecar


class Chat:
    def __init__(self, sidecar: Sidecar) -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []

    def used(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore[RL101] -- demo bot

    def used_above(self) -> None:
        # reduction-lint: ignore[RL101] -- demo bot
        self.messages = self.messages[-10:]

    def used_on_first_line(self) -> None:
        self.messages = [  # reduction-lint: ignore[RL101] -- demo bot
            self.messages[0],
            *self.messages[-10:],
        ]

    def used_on_last_line(self) -> None:
        self.messages = [
            self.messages[0],
            *self.messages[-10:],
        ]  # reduction-lint: ignore[RL101] -- demo bot

    def used_noqa(self) -> None:
        self.messages = self.messages[-10:]  # noqa: RL101

    def nothing_to_silence(self) -> int:
        return len(self.messages)  # reduction-lint: ignore[RL101] -- old  # expect: RL002

    def captured_since(self) -> None:
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]  # reduction-lint: ignore[RL101] -- old  # expect: RL002

    def wrong_code(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore[RL102] -- mixed up  # expect: RL101, RL002

    def one_of_two(self) -> None:
        self.messages = self.messages[-10:]  # reduction-lint: ignore[RL101, RL102] -- demo bot  # expect: RL002

    def unused_noqa(self) -> int:
        return len(self.messages)  # noqa: RL101  # expect: RL002

    def noqa_of_others(self) -> int:
        return len(self.messages)  # noqa: E501

    # reduction-lint: disable[RL101] -- playground
    def in_block(self) -> None:
        self.messages = self.messages[-10:]

    # reduction-lint: enable[RL101]
    def after_block(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL101
