# A loop gathers a part of what it visits: a test against a budget leaves the rest out.
import subprocess

from myapp.recording import Recorder
from myapp.tokens import count_tokens


class CommandTool:
    def __init__(self, max_chars: int) -> None:
        self.max_chars = max_chars

    def run(self, command: str) -> str:
        output = subprocess.run(command, capture_output=True, text=True).stdout
        kept, total = [], 0
        for line in output.splitlines():
            total += len(line)
            if total > self.max_chars:  # expect: RL101
                break
            kept.append(line)
        return "\n".join(kept)

    def noted(self, command: str) -> str:
        output = subprocess.run(command, capture_output=True, text=True).stdout
        kept, total = [], 0
        for line in output.splitlines():
            total += len(line)
            if total > self.max_chars:  # expect: RL101
                kept.append("... output truncated")
                break
            kept.append(line)
        return "\n".join(kept)

    def without_empty_lines(self, command: str) -> str:
        output = subprocess.run(command, capture_output=True, text=True).stdout
        kept = []
        for line in output.splitlines():
            if not line:
                continue
            kept.append(line)
        return "\n".join(kept)


class Agent:
    def __init__(self, recorder: Recorder, budget: int) -> None:
        self.recorder = recorder
        self.budget = budget
        self.messages: list[dict] = []

    def fit(self) -> None:
        kept, total = [], 0
        for message in reversed(self.messages):
            total += count_tokens(message)
            if total > self.budget:  # expect: RL101
                continue
            kept.append(message)
        self.messages = kept[::-1]

    def fit_after_capture(self) -> None:
        self.recorder.record(self.messages)
        kept, total = [], 0
        for message in reversed(self.messages):
            total += count_tokens(message)
            if total > self.budget:
                break
            kept.append(message)
        self.messages = kept[::-1]

    def keep_images(self, images_to_remove: int) -> None:
        for message in self.messages:
            content = []
            for block in message["content"]:
                if block["type"] == "image":
                    if images_to_remove > 0:  # expect: RL101
                        images_to_remove -= 1
                        continue
                content.append(block)
            message["content"] = content

    def count(self) -> int:
        total = 0
        for message in self.messages:
            if total > self.budget:
                break
            total += count_tokens(message)
        return total

    def move(self) -> None:
        self.messages += self.messages_of_turn
        self.messages_of_turn = []
