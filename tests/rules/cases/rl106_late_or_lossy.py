# The capture comes after the cut, or what it records is the cut, filtered or digested form.
import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mem0 import Memory

from myapp.models import summarise
from myapp.recording import Sidecar


class Late:
    def __init__(self, sidecar: Sidecar, log: Path) -> None:
        self.sidecar = sidecar
        self.log = log
        self.messages: list[dict] = []

    def after_slice(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL106
        self.sidecar.capture(self.messages)

    def after_delete(self) -> None:
        del self.messages[:-10]  # expect: RL106
        self.log.write_text(json.dumps(self.messages))

    def in_finally(self) -> None:
        try:
            self.messages = self.messages[-10:]  # expect: RL106
        finally:
            self.sidecar.capture(self.messages)

    @contextlib.contextmanager
    def recorded(self) -> Iterator[None]:
        yield
        self.sidecar.capture(self.messages)

    def in_context(self) -> None:
        with self.recorded():
            self.messages = self.messages[-10:]  # expect: RL106

    def by_helper(self) -> None:
        self.messages = self.messages[-10:]  # expect: RL106
        self._save()

    def _save(self) -> None:
        self.sidecar.capture(self.messages)

    def before_slice(self) -> None:
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]

    def before_and_after(self) -> None:
        self.sidecar.capture(self.messages)
        self.messages = self.messages[-10:]
        self.log.write_text(json.dumps(self.messages))


class Lossy:
    def __init__(self, sidecar: Sidecar, log: Path) -> None:
        self.sidecar = sidecar
        self.log = log
        self.memory = Memory()
        self.messages: list[dict] = []

    def kept_part_only(self) -> None:
        self.sidecar.capture(self.messages[-10:])
        self.messages = self.messages[-10:]  # expect: RL106

    def one_role_only(self) -> None:
        self.sidecar.capture([m for m in self.messages if m["role"] == "user"])
        self.messages = self.messages[-10:]  # expect: RL106

    def cut_rendering(self) -> None:
        self.log.write_text(json.dumps(self.messages)[:5000] + "\n[truncated]")
        self.messages = self.messages[-10:]  # expect: RL106

    def summary_recorded(self) -> None:
        summary = summarise(self.messages)  # or: RL106
        self.sidecar.capture(summary)
        self.messages = [{"role": "system", "content": summary}]  # expect: RL106

    def facts_extracted(self) -> None:
        self.memory.add(self.messages, user_id="u")
        self.messages = self.messages[-10:]  # expect: RL106

    def dropped_part(self) -> None:
        self.sidecar.capture(self.messages[:-10])
        self.messages = self.messages[-10:]

    def dropped_part_by_name(self) -> None:
        older = self.messages[:-10]
        self.log.write_text(json.dumps(older))
        del self.messages[:-10]

    def raw_beside_summary(self) -> None:
        summary = summarise(self.messages)
        self.sidecar.capture({"summary": summary, "raw": self.messages})
        self.messages = [{"role": "system", "content": summary}]

    def oldest_peeked(self) -> None:
        self.sidecar.capture(self.messages[0])
        self.messages.pop(0)


def cut_text_recorded(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    output = output[:8000] + "\n[truncated]"  # expect: RL106
    sidecar.capture(output)
    return {"role": "tool", "content": output}


def whole_text_recorded(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    sidecar.capture(output)
    output = output[:8000] + "\n[truncated]"
    return {"role": "tool", "content": output}


def whole_text_recorded_by_other_name(command: list[str], sidecar: Sidecar) -> dict:
    output = subprocess.check_output(command, text=True)
    shown = output[:8000] + "\n[truncated]"
    sidecar.capture(output)
    return {"role": "tool", "content": shown}
