"""Which chunks are interpreted at all: the structural test lets through what can matter and little else."""

from __future__ import annotations

import pytest
from reduction_lint.flow.relevance import Relevance
from reduction_lint.knowledge.models import load_models
from reduction_lint.syntax.chunks import split

RELEVANCE = Relevance(load_models())


def selected(code: str, imports: str = "") -> bool:
    """Is the last chunk of a file selected?"""
    text = f"{imports}\n{code}"
    return RELEVANCE.can_reduce(split(text)[-1], RELEVANCE.reducing.mentioned(text))


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("def f(self):\n    self.messages = self.messages[-3:]\n", ""),
        ("def f(self):\n    self.messages = shorter(self.messages)\n", ""),
        ("def f(self):\n    self.messages = []\n", ""),
        ("def f(self):\n    kept = self.shorter()\n    self.messages = kept\n", ""),
        ("def f(store, key):\n    store.messages[key] = other(key)\n", ""),
        ("def f(x):\n    return x.get()\n", "from llama_index.core.memory import ChatMemoryBuffer"),
        ("def f(chat_memory):\n    return chat_memory.get()\n", ""),
        ("def f(tokenizer, prompt):\n    return tokenizer.encode(prompt, truncation=True)\n", "import transformers"),
        ("def f(messages):\n    return trim_messages(messages, max_tokens=9)\n", ""),
        ("def f(history):\n    return random.sample(history, 3)\n", "import random"),
        ("def f(q, most):\n    out = []\n    while True:\n        if len(out) > most:\n            continue\n"
         "        out.append(q.get())\n", ""),
    ],
)  # fmt: skip
def test_selected(code: str, imports: str) -> None:
    """Cuts, clears, helpers whose result is stored, modelled reducers where their library or class is named."""
    assert selected(code, imports)


@pytest.mark.parametrize(
    ("code", "imports"),
    [
        ("def f(message):\n    return message.get('content')\n", ""),
        ("def f(message):\n    return message.get('content')\n", "import openai"),
        ("def __init__(self, messages):\n    self.messages = messages\n    self.history = []\n", ""),
        ("def f(self, text):\n    self.text = text\n", ""),
        ("def f(tokenizer, prompt):\n    return tokenizer.encode(prompt)\n", "import transformers"),
        ("def f(rows):\n    return random.sample(rows, 3)\n", "import random"),
        ("def f(table, key):\n    table[key] = other(key)\n", ""),
    ],
)
def test_not_selected(code: str, imports: str) -> None:
    """Look-ups named like reducers, plain assignments, and reducers of what is no context."""
    assert not selected(code, imports)
