"""The worked examples of ``docs/teach-it.md`` do what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Cli, Write

PAGE = Path(__file__).parents[2] / "docs" / "teach-it.md"
EXAMPLE = re.compile(
    r"^## \d\. (?P<title>[^\n]+)\n.*?```python\n# (?P<name>\w+\.py)\n(?P<code>.*?)```.*?```toml\n(?P<toml>.*?)```"
    r"\s+Before: (?P<before>[^\n]+)\nAfter: (?P<after>[^\n]+)",
    re.S | re.M,
)
EXAMPLES = [match.groupdict() for match in EXAMPLE.finditer(PAGE.read_text(encoding="utf-8"))]


def said(text: str) -> list[tuple[str, int, str]]:
    """``chat.py:11 RL101`` as a finding; ``nothing`` as none."""
    found = re.findall(r"(\w+\.py):(\d+) (RL\d{3})", text)
    return [(name, int(line), code) for name, line, code in found]


def test_the_page_has_three_examples() -> None:
    """All worked examples are found, and each teaches something."""
    assert len(EXAMPLES) == 3
    assert all(example["before"] != example["after"] for example in EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_worked_example(example: dict[str, str], cli: Cli, write: Write) -> None:
    """The findings with and without the settings are those that the page names; lines count from the file's name on."""
    write(example["name"], f"# {example['name']}\n{example['code']}")
    write("reduction-lint.toml", example["toml"])
    for options, wanted in (("--isolated",), example["before"]), ((), example["after"]):
        data = cli("check", "--output-format", "json", "--fail-level", "never", *options).data
        assert [(f["path"], f["range"]["start"]["line"], f["code"]) for f in data["findings"]] == said(wanted)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["name"])
def test_models_check_finds_the_example(example: dict[str, str], cli: Cli, write: Write) -> None:
    """Each taught entry matches its code, so there is nothing to warn about."""
    write(example["name"], f"# {example['name']}\n{example['code']}")
    write("reduction-lint.toml", example["toml"])
    result = cli("models", "check")
    assert (result.status, result.err) == (0, "")
    assert " own " in result.out


def test_models_check_warns_about_an_entry_without_a_match(cli: Cli, write: Write) -> None:
    """An own entry that matches nothing is most likely a typing mistake."""
    write("chat.py", "import json\n")
    write("reduction-lint.toml", '[[captures]]\ncall = "acme.archive.kep"\n')
    result = cli("models", "check")
    assert (result.status, result.err) == (1, "warning: captures[1]: acme.archive.kep matches nothing here\n")


def test_models_check_verifies_examples(cli: Cli, write: Write) -> None:
    """An example that the entry does not fit is a warning that names the entry."""
    write("chat.py", "from acme.archive import keep\n\nkeep([])\n")
    write("reduction-lint.toml", '[[captures]]\ncall = "acme.archive.keep"\nmatches = ["acme.archive.kept(x)"]\n')
    result = cli("models", "check")
    assert result.status == 1
    assert "captures[1]: `acme.archive.kept(x)` should match and does not" in result.err
