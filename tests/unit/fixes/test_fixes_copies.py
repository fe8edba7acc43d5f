"""Deep copies for wire annotations (RL502) and selectors (RL601), and true notices (RL202), made from hand-made requests."""

from __future__ import annotations

import textwrap

import libcst as cst
import pytest
from reduction_lint.findings import Finding, Range
from reduction_lint.fixes import Request, fixes_for
from reduction_lint.syntax.chunks import split
from reduction_lint.syntax.imports import import_table
from reduction_lint.syntax.parser import parse
from reduction_lint.workspace.edits import edited_text


def fixed(code: str, source: str, marked: str, captured: bool = False) -> str | None:
    """The source after the fix of a finding whose expression or statement is ``marked``; None without a fix."""
    text = textwrap.dedent(source)
    chunk = next(c for c in split(text) if marked in c.text)
    parsed = parse(chunk)
    assert parsed.module is not None
    nodes: list[cst.CSTNode] = [parsed.module]
    for node in nodes:
        nodes += node.children
    code_of = parsed.module.code_for_node
    candidates = (n for n in nodes if isinstance(n, (cst.BaseExpression, cst.BaseSmallStatement)))
    node = next(n for n in candidates if code_of(n) == marked)
    finding = Finding(code, "", "a.py", Range.of(1, 1, 1, 1))
    names = import_table(split(text), "", False).names
    request = Request(finding, parsed, text, node, None, captured=captured, names=names)
    fixes = fixes_for(request)
    return edited_text(text, fixes[0].edits) if fixes else None


def test_shallow_copy_becomes_deep() -> None:
    """RL502: the copy for the wire is made deep, and what that needs is imported."""
    before = """\
    import json


    def send(history: list[dict]) -> None:
        wire = list(history)
        wire[-1]["content"].append({"cachePoint": {"type": "default"}})
        post(json.dumps(wire), wire)
    """
    after = before.replace("list(history)", "copy.deepcopy(history)").replace(
        "    import json", "    import copy\n    import json"
    )
    assert fixed("RL502", before, 'wire[-1]["content"].append({"cachePoint": {"type": "default"}})') == textwrap.dedent(
        after
    )


def test_parameter_is_copied_first() -> None:
    """RL601: a selector that returns what it was given works on a copy of it."""
    before = '''\
    """Selectors."""
    from copy import deepcopy


    def select(context: dict) -> dict:
        """The view."""
        context.pop("catalog", None)
        return context
    '''
    line = '        """The view."""\n'
    after = before.replace(line, f"{line}        context = deepcopy(context)\n")
    assert fixed("RL601", before, 'context.pop("catalog", None)') == textwrap.dedent(after)


def test_loop_variable_leads_to_the_list() -> None:
    """RL502: annotating each message in a loop needs a copy of the list."""
    before = """\
    import copy


    def annotate(messages: list[dict]) -> list[dict]:
        for message in messages:
            message["cache_control"] = {"type": "ephemeral"}
        return messages
    """
    start = "-> list[dict]:\n"
    after = before.replace(start, f"{start}        messages = copy.deepcopy(messages)\n")
    assert fixed("RL502", before, 'message["cache_control"] = {"type": "ephemeral"}') == textwrap.dedent(after)


@pytest.mark.parametrize(
    "source",
    [
        'def mark(messages: list[dict]) -> None:\n    messages[-1]["cache_control"] = {}\n',
        'def copy(x):\n    return x\n\n\ndef mark(m):\n    m[-1]["cache_control"] = {}\n    return m\n',
    ],
    ids=["whose caller wants the change", "where copy means something else"],
)
def test_no_copy(source: str) -> None:
    """No fix is offered where a copy would change what the code does."""
    marked = next(line.strip() for line in source.splitlines() if "cache_control" in line)
    assert fixed("RL502", source, marked) is None


@pytest.mark.parametrize(
    ("notice", "captured", "true"),
    [
        ("[truncated; full output saved to disk]", False, "[truncated; full output not retained]"),
        ("[cut, rest not retained]", True, "[cut, full output in session sidecar]"),
    ],
)
def test_true_notice(notice: str, captured: bool, true: str) -> None:
    """RL202: the claim is replaced, the rest of the notice stays."""
    source = 'def cut(text):\n    return text[:100] + "\\n%s"\n'
    assert fixed("RL202", source % notice, "text[:100]", captured) == source % true
