"""Answers to similar prompts, with and without a mark for the turn; exact caches and retrieval are neither."""

import difflib

import numpy as np
from openai import OpenAI
from rapidfuzz import fuzz

client = OpenAI()


def embed(text: str) -> np.ndarray:
    return np.array(client.embeddings.create(model="text-embedding-3-small", input=text).data[0].embedding)


def call_model(prompt: str) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
    return reply.choices[0].message.content


class Loop:
    """Cosine similarity over all rows, by hand."""

    def __init__(self, sidecar) -> None:
        self.rows: list[tuple[np.ndarray, str]] = []
        self.sidecar = sidecar

    def ask(self, prompt: str) -> str:
        vector = embed(prompt)
        for known, answer in self.rows:
            similarity = np.dot(known, vector) / (np.linalg.norm(known) * np.linalg.norm(vector))
            if similarity > 0.92:
                return answer  # expect: RL304
        return call_model(prompt)

    def ask_and_mark(self, prompt: str, turn_id: str) -> str:
        vector = embed(prompt)
        for known, answer in self.rows:
            if np.dot(known, vector) > 0.92:
                self.sidecar.set_metadata(turn_id, {"substituted": True})
                return answer
        return call_model(prompt)

    def ask_and_mark_sometimes(self, prompt: str, turn_id: str, audit: bool) -> str:
        vector = embed(prompt)
        for known, answer in self.rows:
            if np.dot(known, vector) > 0.92:
                if audit:
                    self.sidecar.set_metadata(turn_id, {"substituted": True})
                return answer  # expect: RL304
        return call_model(prompt)

    def ask_and_mark_where_attached(self, prompt: str, turn_id: str) -> str:
        vector = embed(prompt)
        for known, answer in self.rows:
            if np.dot(known, vector) > 0.92:
                if self.sidecar is not None:
                    self.sidecar.set_metadata(turn_id, {"substituted": True})
                return answer
        return call_model(prompt)


class Store:
    """A vector store holds the prompts, and answers lie beside them."""

    def __init__(self, store, log, model) -> None:
        self.store = store
        self.log = log
        self.model = model

    def ask(self, prompt: str) -> str:
        found = self.store.similarity_search_with_score(prompt, k=1)
        if found and found[0][1] < 0.1:
            self.log.info("cache hit: substituted")
            return found[0][0].metadata["answer"]  # expect: RL304
        return self.model.generate(prompt)

    def ask_with_flag(self, prompt: str) -> dict:
        found = self.store.similarity_search_with_score(prompt, k=1)
        if found and found[0][1] < 0.1:
            return {"text": found[0][0].metadata["answer"], "cache_hit": True}
        return {"text": self.model.generate(prompt), "cache_hit": False}

    def context_for(self, prompt: str) -> str:
        found = self.store.similarity_search_with_score(prompt, k=4)
        passages = [passage.page_content for passage, score in found if score < 0.3]
        return "\n\n".join(passages)


class FuzzyCache:
    """No vectors at all: edit distance over the prompts."""

    def __init__(self) -> None:
        self.answers: dict[str, str] = {}

    def get(self, prompt: str) -> str | None:
        for known, answer in self.answers.items():
            if difflib.SequenceMatcher(None, known, prompt).ratio() >= 0.9:
                return answer  # expect: RL304
        return None

    def best(self, prompt: str) -> str | None:
        nearest = max(self.answers, key=lambda known: fuzz.ratio(known, prompt), default=None)
        if nearest is None or fuzz.ratio(nearest, prompt) < 90:
            return None
        return self.answers[nearest]  # expect: RL304

    def exact(self, prompt: str) -> str | None:
        return self.answers.get(prompt)


class HelperCache:
    """The search is in a helper."""

    def __init__(self, index) -> None:
        self.index = index

    def _nearest(self, prompt: str):
        rows = self.index.query(vector=embed(prompt), top_k=1)
        return rows[0] if rows else None

    async def ask(self, prompt: str) -> str:
        hit = self._nearest(prompt)
        if hit is not None and hit.score > 0.95:
            return hit.payload["response"]  # expect: RL304
        return call_model(prompt)

    async def ask_marked(self, prompt: str, turn) -> str:
        hit = self._nearest(prompt)
        if hit is not None and hit.score > 0.95:
            turn.metadata["substituted"] = hit.payload["prompt"]
            return hit.payload["response"]
        return call_model(prompt)


class VectorCache:
    """A cache of vectors answers nothing."""

    def __init__(self) -> None:
        self.vectors: dict[str, np.ndarray] = {}

    def embedding(self, text: str) -> np.ndarray:
        if text not in self.vectors:
            self.vectors[text] = embed(text)
        return self.vectors[text]


def is_duplicate(left: str, right: str) -> bool:
    if fuzz.ratio(left, right) > 95:
        return True
    return False


def best_tool(prompt: str, tools: list) -> object:
    for tool in tools:
        if np.dot(embed(tool.description), embed(prompt)) > 0.8:
            return tool
    return call_model(prompt)
