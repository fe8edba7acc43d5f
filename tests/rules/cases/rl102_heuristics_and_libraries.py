# Summaries without a model, and ready-made ones that are switched on with nothing that keeps the raw turns.
import json
from pathlib import Path

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_classic.memory import ConversationBufferMemory, ConversationSummaryBufferMemory
from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="gpt-4o")


def first_sentences(messages: list[dict]) -> str:
    return " ".join(m["content"].split(". ")[0] for m in messages)


class Heuristic:
    def __init__(self, log: Path) -> None:
        self.log = log
        self.history: list[dict] = []

    def fold(self) -> None:
        summary = first_sentences(self.history[:-10])  # or: RL102
        self.history = [{"role": "system", "content": f"Summary: {summary}"}, *self.history[-10:]]  # expect: RL102

    def count_only(self) -> None:
        note = {"role": "system", "content": f"[{len(self.history) - 10} earlier messages summarised]"}
        self.history = [note, *self.history[-10:]]  # expect: RL101|RL102

    def fold_logged(self) -> None:
        with self.log.open("a") as fh:
            fh.write(json.dumps(self.history) + "\n")
        summary = first_sentences(self.history[:-10])
        self.history = [{"role": "system", "content": f"Summary: {summary}"}, *self.history[-10:]]


def with_middleware(tools: list) -> object:
    return create_agent(
        model,
        tools=tools,
        middleware=[
            SummarizationMiddleware(model=model, trigger=("tokens", 60000)),  # expect: RL102
        ],
    )


def with_memory() -> object:
    return ConversationSummaryBufferMemory(llm=model, max_token_limit=2000)  # expect: RL102


def with_plain_memory() -> object:
    return ConversationBufferMemory()
