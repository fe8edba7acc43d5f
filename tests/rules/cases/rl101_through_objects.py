# The cut text travels in objects, dicts and arguments to where a model reads it.
import subprocess
from dataclasses import dataclass

import httpx
from myframework.tools import BaseTool


@dataclass
class Result:
    output: str
    code: int


class Shell:
    def execute(self, command: str) -> Result:
        done = subprocess.run(command, capture_output=True, text=True)
        output = (done.stdout + done.stderr).strip()
        if len(output) > 20000:
            output = output[:20000] + "\n[truncated]"  # expect: RL101
        return Result(output=output, code=done.returncode)


class FetchTool(BaseTool):
    def run(self, url: str) -> dict:
        response = httpx.get(url)
        result = {"status": "ok"}
        if response.is_success:
            result["content"] = response.text[:5000]  # expect: RL101, RL201
        return result

    def whole(self, url: str) -> dict:
        response = httpx.get(url)
        return {"preview": response.text[:200], "content": response.text}


class Assistant:
    def __init__(self) -> None:
        self.messages: list[dict] = []

    def add(self, text: str) -> None:
        self.messages.append({"role": "tool", "content": text})

    def observe(self, command: str) -> None:
        output = subprocess.run(command, capture_output=True, text=True).stdout
        self.add(output[-4000:])  # expect: RL101, RL201

    def observe_whole(self, command: str) -> None:
        output = subprocess.run(command, capture_output=True, text=True).stdout
        self.add(output)


class ConversationMemory:
    def __init__(self, max_runs: int) -> None:
        self.max_runs = max_runs
        self.runs: list[dict] = []

    def add(self, run: dict) -> None:
        self.runs.append(run)
        while len(self.runs) > self.max_runs:
            self.runs.pop(0)  # expect: RL101
