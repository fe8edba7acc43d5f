# Every message is written down when it arrives, so that the window may drop it later; one list has a second way in.
import json
from pathlib import Path


class Logged:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.messages: list[dict] = []

    def add(self, message: dict) -> None:
        with self.log.open("a") as fh:
            fh.write(json.dumps(message) + "\n")
        self.messages.append(message)

    def trim(self) -> None:
        self.messages = self.messages[-50:]


class LoggedAndTrimmed:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.history: list[dict] = []

    def add(self, message: dict) -> None:
        with self.log.open("a") as fh:
            fh.write(json.dumps(message) + "\n")
        self.history.append(message)
        while len(self.history) > 50:
            self.history.pop(0)


class TwoWaysIn:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.transcript: list[dict] = []

    def add(self, message: dict) -> None:
        with self.log.open("a") as fh:
            fh.write(json.dumps(message) + "\n")
        self.transcript.append(message)

    def add_quietly(self, message: dict) -> None:
        self.transcript.append(message)

    def trim(self) -> None:
        self.transcript = self.transcript[-50:]  # expect: RL101|RL105
