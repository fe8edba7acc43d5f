"""The original is safe, but pruned text is what the history holds from then on; in one request it may stand."""

import json
from pathlib import Path

from llmlingua import PromptCompressor
from selective_context import SelectiveContext

lingua = PromptCompressor()
selective = SelectiveContext()


class Chat:
    def __init__(self, sidecar: Path) -> None:
        self.sidecar = sidecar
        self.messages: list[dict] = []
        self.transcript = ""

    def squeeze(self, index: int) -> None:
        original = self.messages[index]["content"]
        self.sidecar.write_text(json.dumps(original))
        self.messages[index]["content"] = lingua.compress_prompt([original])["compressed_prompt"]  # expect: RL104

    def add(self, text: str) -> None:
        self.sidecar.write_text(text)
        short = lingua.compress_prompt([text], rate=0.4)
        self.messages.append({"role": "user", "content": short["compressed_prompt"]})  # expect: RL104

    def squeeze_transcript(self) -> None:
        self.sidecar.write_text(self.transcript)
        self.transcript, _ = selective(self.transcript)  # expect: RL104

    def squeeze_without_record(self, index: int) -> None:
        original = self.messages[index]["content"]
        self.messages[index]["content"] = lingua.compress_prompt([original])["compressed_prompt"]  # expect: RL103

    def view(self, index: int) -> list[dict]:
        original = self.messages[index]["content"]
        self.sidecar.write_text(json.dumps(original))
        short = lingua.compress_prompt([original])["compressed_prompt"]
        return [*self.messages[:index], {"role": "user", "content": short}, *self.messages[index + 1 :]]

    def view_of_transcript(self) -> str:
        self.sidecar.write_text(self.transcript)
        return lingua.compress_prompt([self.transcript])["compressed_prompt"]

    def add_whole(self, text: str) -> str:
        self.sidecar.write_text(text)
        self.messages.append({"role": "user", "content": text})
        return lingua.compress_prompt([text])["compressed_prompt"]


def squeeze_given(messages: list[dict], index: int, sidecar: Path) -> None:
    original = messages[index]["content"]
    sidecar.write_text(json.dumps(original))
    messages[index]["content"] = lingua.compress_prompt([original])["compressed_prompt"]  # expect: RL104


def count_only(messages: list[dict], sidecar: Path) -> int:
    sidecar.write_text(json.dumps(messages))
    return lingua.compress_prompt([json.dumps(messages)])["origin_tokens"]


class HomeMade:
    """Pruning by hand, over the stored text."""

    def __init__(self, scorer, sidecar: Path) -> None:
        self.scorer = scorer
        self.sidecar = sidecar
        self.context: list[str] = []

    def prune_context(self, context: list[str]) -> list[str]:
        return [chunk for chunk in context if self.scorer.score(chunk) > 0.3]

    def shrink(self) -> None:
        self.sidecar.write_text(json.dumps(self.context))
        self.context = self.prune_context(self.context)  # expect: RL104

    def request(self) -> str:
        self.sidecar.write_text(json.dumps(self.context))
        pruned = self.prune_context(self.context)
        return "\n".join(pruned)
