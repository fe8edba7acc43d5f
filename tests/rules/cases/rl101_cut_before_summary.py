# The summariser sees only a part, and its summary replaces the whole.
from openai import OpenAI

from myapp.recording import Recorder

client = OpenAI()


def summarize(text: str) -> str:
    reply = client.responses.create(model="gpt-5", input=f"Summarize this conversation:\n{text}")
    return reply.output_text


class Agent:
    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.messages: list[dict] = []

    def compact(self) -> None:
        head = self.messages[:-10]
        shown = "\n".join(f"{m['role']}: {m['content']}" for m in head[-20:])  # expect: RL101
        summary = summarize(shown)
        self.messages = [{"role": "system", "content": summary}, *self.messages[-10:]]  # expect: RL102

    def compact_whole(self) -> None:
        head, tail = self.messages[:-10], self.messages[-10:]
        summary = summarize("\n".join(f"{m['role']}: {m['content']}" for m in head))
        self.messages = [{"role": "system", "content": summary}, *tail]  # expect: RL102

    def compact_after_capture(self) -> None:
        self.recorder.record(self.messages)
        head = self.messages[:-10]
        summary = summarize("\n".join(f"{m['role']}: {m['content']}" for m in head[-20:]))
        self.messages = [{"role": "system", "content": summary}, *self.messages[-10:]]
