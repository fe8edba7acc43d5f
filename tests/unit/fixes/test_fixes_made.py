"""What the fixes write, on small sources."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from reduction_lint.fixing import fix_all
from reduction_lint.session import Session

HEAD = """
import httpx
from httpx import get

from myapp.recording import AsyncSidecar, Sidecar

LIMIT = 4000
"""


def repaired(source: str, head: str = HEAD) -> str:
    """The source below ``head`` after all fixes, safe and unsafe."""
    path = Path.cwd() / "agent.py"
    old = {path: (head + textwrap.dedent(source)).encode()}
    result = fix_all(
        lambda contents: Session(isolated=True, contents=contents).check_text(contents[path].decode(), "agent.py"),
        Path.cwd(),
        unsafe=True,
        old=old,
    )
    return result.new[path].decode().removeprefix(head)


def test_capture_first_with_the_method_in_use() -> None:
    """RL101: the sidecar at hand records the value with the method that the file uses."""
    before = """
    class Chat:
        def __init__(self, sidecar: Sidecar) -> None:
            self.sidecar = sidecar
            self.messages: list[dict] = []

        def close(self) -> None:
            self.sidecar.record(self.messages)

        def trim(self) -> None:
            if len(self.messages) > 40:
                self.messages = self.messages[-40:]
    """
    assert """
        if len(self.messages) > 40:
            self.sidecar.record(self.messages)
            self.messages = self.messages[-40:]
""" in repaired(before)


def test_capture_first_awaits() -> None:
    """RL101: an asynchronous method is awaited, and a list that is emptied in place is copied."""
    before = """
    class Chat:
        def __init__(self, sidecar: AsyncSidecar) -> None:
            self.sidecar = sidecar
            self.messages: list[dict] = []

        async def close(self) -> None:
            await self.sidecar.record(self.messages)

        async def trim(self) -> None:
            self.messages.clear()

        def trim_now(self) -> None:
            self.messages.clear()
    """
    after = repaired(before)
    assert "        await self.sidecar.record(list(self.messages))\n        self.messages.clear()\n" in after
    assert after.endswith("    def trim_now(self) -> None:\n        self.messages.clear()\n")


def test_no_capture_through_a_sidecar_that_may_be_missing() -> None:
    """RL101 and RL110: a sidecar that may be None is no sidecar at hand."""
    before = """
    class Chat:
        def __init__(self, sidecar: Sidecar | None = None) -> None:
            self.sidecar = sidecar
            self.messages: list[dict] = []

        def trim(self) -> None:
            self.messages = self.messages[-40:]
    """
    assert repaired(before) == textwrap.dedent(before)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("page[:LIMIT]", 'page if len(page) <= LIMIT else page[:LIMIT] + "\\n[truncated; full output not retained]"'),
        (
            "page[-LIMIT:]",
            'page if len(page) <= LIMIT else "[truncated; full output not retained]\\n" + page[-LIMIT:]',
        ),
        (
            'f"{url}: {page[:LIMIT]}"',
            'f"{url}: {page[:LIMIT]}" + ("" if len(page) <= LIMIT else "\\n[truncated; full output not retained]")',
        ),
    ],
)
def test_notice_in_the_text(before: str, after: str) -> None:
    """RL201: only a text that is cut gets the notice, at the end where something is missing."""
    source = """
    def fetch(url: str) -> dict:
        page = get(url).text
        return {"role": "tool", "content": %s}
    """
    assert repaired(source % before) == textwrap.dedent(source % after)


def test_notice_beside_json() -> None:
    """RL201: a notice inside would break JSON, so it stands beside it."""
    source = """
    def fetch(url: str) -> dict:
        page_json = httpx.get(url).text
        return {"role": "tool", "content": page_json[:LIMIT]%s}
    """
    notice = ', "notice": "truncated; full output not retained" if len(page_json) > LIMIT else ""'
    assert repaired(source % "") == textwrap.dedent(source % notice)


def test_no_notice_for_what_cannot_be_named_twice() -> None:
    """RL201: a call must not be made twice for the sake of a notice."""
    source = """
    def fetch(url: str) -> dict:
        return {"role": "tool", "content": get(url).text[:LIMIT]}
    """
    assert repaired(source) == textwrap.dedent(source)
