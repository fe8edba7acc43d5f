# Cuts of text that take nothing from the conversation.
import hashlib
import logging
import re
from pathlib import Path

import httpx

log = logging.getLogger(__name__)
CHUNK = 4000


def logged(url: str) -> str:
    page = httpx.get(url).text
    log.debug("got %s", page[:200])
    print(f"{url}: {page[:60]}...")
    return page


def raised(url: str) -> str:
    page = httpx.get(url).text
    if not page.startswith("<"):
        raise ValueError(f"not a page: {page[:100]!r}")
    return page


def tested(url: str) -> bool:
    page = httpx.get(url).text
    return "<!doctype html" in page[:500].lower()


def named(page: str) -> str:
    return hashlib.sha256(page.encode()).hexdigest()[:12]


def titled(messages: list[dict]) -> str:
    title = messages[0]["content"][:40].strip() or "New chat"
    return title


def without_prefix(reply: str) -> str:
    if reply.startswith("Answer:"):
        return reply[len("Answer:") :].strip()
    return reply


def without_fence(reply: str) -> str:
    match = re.search(r"```(?:json)?\n(.*?)```", reply, re.DOTALL)
    return match.group(1) if match else reply


def in_pieces(document: str) -> list[str]:
    return [document[start : start + CHUNK] for start in range(0, len(document), CHUNK)]


def in_batches(documents: list[str], client) -> list[list[float]]:
    vectors: list[list[float]] = []
    for start in range(0, len(documents), 64):
        batch = documents[start : start + 64]
        vectors.extend(row.embedding for row in client.embeddings.create(model="m", input=batch).data)
    return vectors


def re_readable(path: str, offset: int = 0) -> str:
    text = Path(path).read_text()
    part = text[offset : offset + CHUNK]
    if offset + CHUNK < len(text):
        part += f"\n[more of {path} from offset {offset + CHUNK}]"
    return part


class Reply:
    def __init__(self, output: str) -> None:
        self.output = output

    def __repr__(self) -> str:
        return f"Reply({self.output[:30]!r})"
