"""The one place that talks to the model provider."""

from __future__ import annotations

from openai import OpenAI

client = OpenAI()
MODEL = "gpt-4o"


def complete(messages: list[dict[str, str]]) -> str:
    """The model's next message."""
    reply = client.chat.completions.create(model=MODEL, messages=messages, max_tokens=512)
    return reply.choices[0].message.content or ""
