"""Parts of a text are scored and only the best go on. Ranking whole documents, and cleaning, are something else."""

import zlib
from pathlib import Path

import numpy as np
from nltk.tokenize import sent_tokenize


def relevant_part(document: str, scorer, threshold: float = 0.4) -> str:
    sentences = sent_tokenize(document)
    scores = scorer(sentences)
    return " ".join(s for s, score in zip(sentences, scores) if score >= threshold)  # expect: RL103


def prune_by_percentile(context: str, info: list[float]) -> str:
    words = context.split()
    cutoff = np.percentile(info, 40)
    kept = []
    for word, self_info in zip(words, info):  # expect: RL103
        if self_info > cutoff:
            kept.append(word)
    return " ".join(kept)


def chosen_sentences(context: str, top_k_indices: list[int]) -> str:
    sentences = sent_tokenize(context)
    return " ".join([sentences[i] for i in top_k_indices])  # expect: RL103


def by_flags(prompt: str, keep_flags: list[bool]) -> str:
    tokens = prompt.split()
    return " ".join(token for i, token in enumerate(tokens) if keep_flags[i])  # expect: RL103


class Packer:
    """The pruned text takes the name of the original: that is where it is reported, not in the helper."""

    def __init__(self, model, sidecar: Path) -> None:
        self.model = model
        self.sidecar = sidecar

    def _drop_irrelevant(self, context: list[str], question: str) -> list[str]:
        chunk_scores = [self.model.similarity(chunk, question) for chunk in context]
        return [chunk for chunk, score in zip(context, chunk_scores) if score > 0.5]

    def request(self, context: list[str], question: str) -> str:
        context = self._drop_irrelevant(context, question)  # expect: RL103
        return "\n".join([*context, question])

    def recorded_request(self, context: list[str], question: str) -> str:
        self.sidecar.write_text("\n".join(context))
        context = self._drop_irrelevant(context, question)
        return "\n".join([*context, question])

    def recorded_half(self, context: list[str], question: str, audit: bool) -> str:
        if audit:
            self.sidecar.write_text("\n".join(context))
        context = self._drop_irrelevant(context, question)  # expect: RL103
        return "\n".join([*context, question])


def recorded_first(document: str, scorer, sidecar: Path, threshold: float) -> str:
    sidecar.write_text(document)
    sentences = sent_tokenize(document)
    return " ".join(s for s, score in zip(sentences, scorer(sentences)) if score >= threshold)


def best_documents(documents: list[str], scores: list[float], k: int) -> list[str]:
    ranked = sorted(zip(scores, documents), reverse=True)
    return [document for _, document in ranked[:k]]


def without_empty(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if line.strip())


def long_words(text: str) -> list[str]:
    return [word for word in text.split() if len(word) > 12]


def packed(text: str) -> bytes:
    compressed_text = zlib.compress(text.encode())
    return compressed_text


def confident_labels(text: str, labels: list[str], scores: list[float], threshold: float) -> list[str]:
    return [label for label, score in zip(labels, scores) if score >= threshold]
