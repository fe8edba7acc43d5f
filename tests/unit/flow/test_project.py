"""What the program around a function knows about its classes."""

from __future__ import annotations

import pytest
from reduction_lint import check_source


@pytest.mark.parametrize("keyword", ["if", "while"])
def test_compound_statement_that_looks_like_an_annotation(keyword: str) -> None:
    """``try: limit = 2`` begins like an annotated attribute and is none."""
    source = (
        f"class Agent:\n    {keyword} True:\n        limit: int = 3\n    try: limit = 2\n    finally: pass\n\n"
        "    def go(self):\n        self.messages = self.messages[-self.limit :]\n"
    )
    report = check_source(source, "agent.py")
    assert report.errors == []
    assert [finding.code for finding in report.findings] == ["RL101"]
