# A summary by a model takes the place of the turns it was made from.
import json
from pathlib import Path

import anthropic
from openai import AsyncOpenAI, OpenAI

client = OpenAI()
async_client = AsyncOpenAI()
claude = anthropic.Anthropic()


def ask(prompt: str) -> str:
    return client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}]).choices[0].message.content


def summarise(messages: list[dict]) -> str:
    return ask("Summarise this conversation:\n" + "\n".join(m["content"] for m in messages))


class SoleCopy:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.documents: list[str] = []

    def all_at_once(self) -> None:
        self.messages = [{"role": "system", "content": summarise(self.messages)}]  # expect: RL102

    def keep_recent(self) -> None:
        older, recent = self.messages[:-8], self.messages[-8:]
        summary = summarise(older)  # or: RL102
        self.messages = [{"role": "system", "content": summary}, *recent]  # expect: RL102

    def splice(self, end: int) -> None:
        summary = summarise(self.messages[1:end])  # or: RL102
        self.messages[1:end] = [{"role": "system", "content": summary}]  # expect: RL102

    async def awaited(self) -> None:
        request = [{"role": "user", "content": f"Summarise this conversation: {json.dumps(self.messages)}"}]
        reply = await async_client.chat.completions.create(model="gpt-4o", messages=request)  # or: RL102
        self.messages = [{"role": "system", "content": reply.choices[0].message.content}]  # expect: RL102

    def each_document(self) -> None:
        self.documents = [ask(f"Summarise this document:\n{d}") for d in self.documents]  # expect: RL102


class Captured:
    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.messages: list[dict] = []
        self.documents: list[str] = []

    def all_at_once(self) -> None:
        self.archive.write_text(json.dumps(self.messages))
        self.messages = [{"role": "system", "content": summarise(self.messages)}]

    def keep_recent(self) -> None:
        older, recent = self.messages[:-8], self.messages[-8:]
        self.archive.write_text(json.dumps(older))
        summary = summarise(older)
        self.messages = [{"role": "system", "content": summary}, *recent]

    def splice(self, end: int) -> None:
        with self.archive.open("a") as fh:
            json.dump(self.messages[1:end], fh)
        summary = summarise(self.messages[1:end])
        self.messages[1:end] = [{"role": "system", "content": summary}]

    async def awaited(self) -> None:
        raw = json.dumps(self.messages)
        self.archive.write_text(raw)
        request = [{"role": "user", "content": f"Summarise this conversation: {raw}"}]
        reply = await async_client.chat.completions.create(model="gpt-4o", messages=request)
        self.messages = [{"role": "system", "content": reply.choices[0].message.content}]

    def each_document(self) -> None:
        for number, document in enumerate(self.documents):
            (self.archive / f"{number}.txt").write_text(document)
        self.documents = [ask(f"Summarise this document:\n{d}") for d in self.documents]


class NoCompaction:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.summary = ""
        self.plan = ""

    def summary_beside(self) -> None:
        self.summary = summarise(self.messages)

    def summary_appended(self) -> None:
        self.messages.append({"role": "system", "content": summarise(self.messages)})

    def summary_for_one_request(self) -> str:
        view = [{"role": "system", "content": summarise(self.messages[:-5])}, *self.messages[-5:]]
        return client.chat.completions.create(model="gpt-4o", messages=view).choices[0].message.content

    def new_plan(self) -> None:
        self.plan = ask(f"Rewrite the plan after these results:\n{self.plan}")

    def returned(self) -> list[dict]:
        return [{"role": "system", "content": summarise(self.messages)}]


class OnClaude:
    def __init__(self) -> None:
        self.transcript: list[dict] = []

    def fold(self) -> None:
        text = "\n".join(turn["content"] for turn in self.transcript)
        reply = claude.messages.create(model="claude-sonnet-4-5", max_tokens=8192, messages=[{"role": "user", "content": f"Summarise:\n{text}"}])  # or: RL102
        if reply.stop_reason == "max_tokens":
            raise RuntimeError("the summary was cut")
        self.transcript = [{"role": "user", "content": reply.content[0].text}]  # expect: RL102
