"""The one place that talks to the model provider."""

from __future__ import annotations

from openai import OpenAI

client = OpenAI()
MODEL = "gpt-4o"
MAX_ANSWER = 8192


class AnswerCut(RuntimeError):
    """The model was stopped by the cap before it had finished."""


def complete(messages: list[dict[str, str]]) -> str:
    """The model's next message, whole; a cut one raises AnswerCut."""
    reply = client.chat.completions.create(model=MODEL, messages=messages, max_tokens=MAX_ANSWER)
    choice = reply.choices[0]
    if choice.finish_reason == "length":
        raise AnswerCut(f"the answer did not fit into {MAX_ANSWER} tokens")
    return choice.message.content or ""
