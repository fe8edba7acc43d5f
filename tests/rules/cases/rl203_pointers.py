# The original was captured: can it be found from what is left?
import subprocess
from pathlib import Path

from myapp.recording import Sidecar

LIMIT = 8000


def no_pointer(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT] + "\n[truncated]"}  # expect: RL203


def id_not_used(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    record = sidecar.capture(output)
    print(record)
    return {"role": "tool", "content": output[:LIMIT] + "\n[truncated]"}  # expect: RL203


def written_somewhere(command: list[str], folder: Path) -> dict:
    output = subprocess.check_output(command, text=True)
    (folder / "output.txt").write_text(output)
    return {"role": "tool", "content": output[:LIMIT] + "\n[output was cut]"}  # expect: RL203


def with_id(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    record = sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT] + f"\n[truncated, record {record}]"}


def with_id_beside(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    record = sidecar.capture(output)
    return {"role": "tool", "content": output[:LIMIT] + "\n[truncated]", "record": record}


def with_path(command: list[str], path: Path) -> dict:
    output = subprocess.check_output(command, text=True)
    path.write_text(output)
    return {"role": "tool", "content": f"{output[:LIMIT]}\n[truncated, all of it in {path}]"}


def whole(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    return {"role": "tool", "content": output}


class Views:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.messages: list[dict] = []

    def request(self, client) -> str:
        self.log.write_text(str(self.messages))
        return client.chat.completions.create(model="gpt-4o", messages=self.messages[-10:]).choices[0].message.content
