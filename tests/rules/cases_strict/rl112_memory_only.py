# Request views whose original is kept in memory only, or on disk too.
import json
from pathlib import Path

from langchain_core.messages import BaseMessage, trim_messages
from langchain_openai import ChatOpenAI
from openai import OpenAI

client = OpenAI()
model = ChatOpenAI(model="gpt-4o")


class MemoryOnly:
    def __init__(self) -> None:
        self.messages: list[dict] = []
        self.history: list[BaseMessage] = []

    def window(self) -> object:
        recent = self.messages[-20:]  # expect: RL112
        return client.chat.completions.create(model="gpt-4o", messages=recent)

    def inline(self) -> object:
        return client.chat.completions.create(model="gpt-4o", messages=self.messages[-20:])  # expect: RL112

    def by_library(self) -> object:
        view = trim_messages(self.history, max_tokens=4000, token_counter=model)  # expect: RL112
        return str(model.invoke(view).content)

    def whole(self) -> object:
        return client.chat.completions.create(model="gpt-4o", messages=self.messages)


class OnDisk:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.messages: list[dict] = []

    def window(self) -> object:
        self.log.write_text(json.dumps(self.messages))
        recent = self.messages[-20:]
        return client.chat.completions.create(model="gpt-4o", messages=recent)
