"""``reduction-lint check``: what is checked, what is shown, and the exit status."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib.resources import files

import jsonschema
import pytest
from conftest import LEAKY, SOUND, Cli, Write
from reduction_lint.knowledge import catalogue

JSON = ("--output-format", "json")
SUPPRESSED = LEAKY.replace("[-20:]", "[-20:]  # reduction-lint: ignore[RL101] -- demo bot")


def test_finding(cli: Cli, write: Write) -> None:
    """A loss is reported at its place, and the status says so."""
    write("chat.py", LEAKY)
    result = cli("check", *JSON)
    assert (result.status, result.codes) == (1, [("chat.py", 6, "RL101")])


def test_no_finding(cli: Cli, write: Write) -> None:
    """A sound file gives status 0 and says how much was checked."""
    write("chat.py", SOUND)
    result = cli("check")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("No findings.\nChecked 1 file ")


def test_json_fits_the_schema(cli: Cli, write: Write) -> None:
    """What a real run prints is valid by the shipped schema."""
    write("chat.py", LEAKY)
    write("broken.py", "def f(:\n")
    schema = json.loads(files("reduction_lint").joinpath("schema/report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(cli("check", *JSON, "--severity-level", "info").data)


def test_full_output(cli: Cli, write: Write) -> None:
    """The default format shows place, code frame, remedy and summary, without colour in a pipe."""
    write("pkg/chat.py", LEAKY)
    out = cli("check").out
    assert out.startswith("pkg/chat.py:6:25 RL101 uncaptured-truncation [error]\n")
    assert "6 │         self.messages = self.messages[-20:]\n    │                         ^^^^" in out
    assert "\n  remedy  " in out
    assert "\nFound 1 error in 1 file.\n" in out
    assert "\x1b" not in out


def test_colour_on_request(cli: Cli, write: Write) -> None:
    """``--color always`` colours a pipe, ``NO_COLOR`` does not take that back."""
    write("chat.py", LEAKY)
    assert "\x1b[" in cli("check", "--color", "always").out


def test_forced_colour(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """``FORCE_COLOR`` colours a pipe and ``--color never`` wins over it."""
    write("chat.py", LEAKY)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in cli("check").out
    assert "\x1b[" not in cli("check", "--color", "never").out


def test_concise_keeps_the_summary_off_standard_output(cli: Cli, write: Write) -> None:
    """In the concise format standard output holds findings only."""
    write("chat.py", LEAKY)
    result = cli("check", "--output-format", "concise")
    assert [" ".join(line.split()[:3]) for line in result.out.splitlines()] == ["chat.py:6:25: RL101 [error]"]
    assert result.err.startswith("Found 1 error in 1 file.")


def test_quiet(cli: Cli, write: Write) -> None:
    """``--quiet`` prints findings only."""
    write("chat.py", LEAKY)
    result = cli("check", "--output-format", "concise", "-q")
    assert (len(result.out.splitlines()), result.err) == (1, "")


def test_github(cli: Cli, write: Write) -> None:
    """Findings become workflow commands."""
    write("chat.py", LEAKY)
    assert cli("check", "--output-format", "github").out.startswith("::error title=reduction-lint (RL101 ")


def test_fail_level(cli: Cli, write: Write) -> None:
    """Below the fail level the status is 0, and ``never`` never fails."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", '[severity]\nRL101 = "warning"\n')
    levels = ("info", "warning", "error", "never")
    assert [cli("check", "--fail-level", level).status for level in levels] == [1, 1, 0, 0]


def test_hidden_findings_fail_too(cli: Cli, write: Write) -> None:
    """A finding that is not shown still counts for the status, and the summary mentions it."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", '[severity]\nRL101 = "warning"\n')
    result = cli("check", "--severity-level", "error")
    assert (result.status, "1 finding below the shown level" in result.out) == (1, True)


def test_severity_level(cli: Cli, write: Write) -> None:
    """Info is shown when asked for."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", '[severity]\nRL101 = "info"\n')
    assert cli("check", *JSON).codes == []
    assert cli("check", *JSON, "--severity-level", "info").codes == [("chat.py", 6, "RL101")]


def test_select_and_ignore(cli: Cli, write: Write) -> None:
    """Codes are chosen by prefix; several may be given with commas or by repeating the flag."""
    write("chat.py", LEAKY)
    assert cli("check", *JSON, "--select", "RL2,RL4").codes == []
    assert cli("check", *JSON, "--ignore", "RL4", "--ignore", "RL101").codes == []
    assert len(cli("check", *JSON, "--select", "RL4", "--extend-select", "RL101").codes) == 1


def test_selecting_what_is_not_checked_yet_is_said(cli: Cli, write: Write) -> None:
    """A code that this version cannot find is named, for silence would look like a clean result."""
    write("chat.py", SOUND)
    open_ones = [r.code for r in catalogue.rules().values() if not (r.checked or r.preview or r.strict_only)]
    for code in open_ones[:1]:
        assert cli("check", "--select", code).err == f"note: {code} is not checked yet by this version\n"


def test_selecting_a_strict_code_is_said(cli: Cli, write: Write) -> None:
    """A code of the strict profile that is named without it is explained."""
    write("chat.py", SOUND)
    note = "note: RL112 is reported only with --profile strict\n"
    assert (note, "") == tuple(
        cli("check", "--select", "RL112", "--profile", profile).err for profile in ("default", "strict")
    )


def test_suppressed(cli: Cli, write: Write) -> None:
    """A silenced finding is neither shown nor counted, and shown with its reason on request."""
    write("chat.py", SUPPRESSED)
    result = cli("check", *JSON)
    assert (result.status, result.codes) == (0, [])
    shown = cli("check", *JSON, "--show-suppressed")
    assert (shown.status, shown.data["findings"][0]["suppressed"]) == (0, {"reason": "demo bot"})


def test_profile_strict(cli: Cli, write: Write) -> None:
    """A suppression without a reason is reported under the strict profile only."""
    write("chat.py", SUPPRESSED.replace(" -- demo bot", ""))
    assert cli("check", *JSON).codes == []
    assert cli("check", *JSON, "--profile", "strict").codes == [("chat.py", 6, "RL003")]


def test_statistics(cli: Cli, write: Write) -> None:
    """``--statistics`` counts the findings of each code."""
    write("chat.py", LEAKY)
    assert "\n1  RL101  uncaptured-truncation\n" in cli("check", "--statistics").out


def test_per_file_ignores(cli: Cli, write: Write) -> None:
    """Codes can be left out for some files."""
    write("chat.py", LEAKY)
    write("demo/chat.py", LEAKY)
    write("reduction-lint.toml", '[per-file-ignores]\n"demo/*" = ["RL1"]\n')
    assert cli("check", *JSON).codes == [("chat.py", 6, "RL101")]


def test_broken_function(cli: Cli, write: Write) -> None:
    """What does not parse is reported in its place, and the rest is checked."""
    write("chat.py", LEAKY + "\n\ndef broken(x):\n    if x > 3 return x\n")
    assert [(line, code) for _, line, code in cli("check", *JSON).codes] == [(6, "RL101"), (10, "RL001")]


def test_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """``-`` reads standard input, which need not have a name."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAKY.encode())))
    result = cli("check", "-", *JSON)
    assert (result.status, result.codes) == (1, [("<stdin>", 6, "RL101")])


def test_standard_input_with_a_name(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of standard input decides which settings apply."""
    write("demo/reduction-lint.toml", 'ignore = ["RL101"]\n')
    for name, codes in (("chat.py", [("chat.py", 6, "RL101")]), ("demo/chat.py", [])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAKY.encode())))
        assert codes == cli("check", "-", "--stdin-filename", name, *JSON).codes


def test_standard_input_shows_code(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code frame of standard input comes from what was read."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAKY.encode())))
    assert "self.messages[-20:]\n" in cli("check", "-").out


def test_excluded_standard_input(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--force-exclude`` holds for the name of standard input too."""
    write("gen/chat.py", "")
    for flags, count in ((("--force-exclude",), 0), ((), 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LEAKY.encode())))
        found = cli("check", "-", "--stdin-filename", "gen/chat.py", "--extend-exclude", "gen", *flags, *JSON)
        assert count == len(found.codes)


def test_exclude(cli: Cli, write: Write) -> None:
    """Excluded folders are left out, a named file is not unless ``--force-exclude`` is given."""
    write("chat.py", LEAKY)
    write("gen/chat.py", LEAKY)
    assert [path for path, _, _ in cli("check", *JSON, "--extend-exclude", "gen").codes] == ["chat.py"]
    named = ("check", "gen/chat.py", *JSON, "--extend-exclude", "gen")
    assert [len(cli(*named).codes), len(cli(*named, "--force-exclude").codes)] == [1, 0]


def test_gitignore(cli: Cli, write: Write) -> None:
    """Ignored files are left out unless ``--no-respect-gitignore`` is given."""
    write("chat.py", LEAKY)
    write(".gitignore", "chat.py\n")
    assert [len(cli("check", *JSON, *flags).codes) for flags in ((), ("--no-respect-gitignore",))] == [0, 1]


def test_each_project_has_its_settings(cli: Cli, write: Write) -> None:
    """One run over several projects uses the settings nearest to each file."""
    for name, code in (("a", "RL1"), ("b", "RL4")):
        write(f"{name}/reduction-lint.toml", f'select = ["{code}"]\n')
        write(f"{name}/chat.py", LEAKY)
    assert [path for path, _, _ in cli("check", *JSON).codes] == ["a/chat.py"]
    assert [path for path, _, _ in cli("check", "b", "a", *JSON).codes] == ["a/chat.py"]


def test_inner_settings_exclude(cli: Cli, write: Write) -> None:
    """The excludes of an inner project hold when the outer folder is checked."""
    write("inner/reduction-lint.toml", 'extend-exclude = ["gen"]\n')
    write("inner/gen/chat.py", LEAKY)
    write("inner/chat.py", LEAKY)
    assert [path for path, _, _ in cli("check", *JSON).codes] == ["inner/chat.py"]


def test_isolated(cli: Cli, write: Write) -> None:
    """``--isolated`` ignores settings files."""
    write("chat.py", LEAKY)
    write("reduction-lint.toml", 'ignore = ["RL101"]\n')
    assert [cli("check").status, cli("check", "--isolated").status] == [0, 1]


def test_config(cli: Cli, write: Write) -> None:
    """``--config`` takes the place of the nearest settings file."""
    write("chat.py", LEAKY)
    write("conf/lint.toml", 'ignore = ["RL101"]\n')
    assert [cli("check").status, cli("check", "--config", "conf/lint.toml").status] == [1, 0]


def test_processes_change_nothing(cli: Cli, write: Write) -> None:
    """With several processes the output is the same."""
    for number in range(6):
        write(f"chat{number}.py", LEAKY)
    one, two = (cli("check", *JSON, "--jobs", jobs).data for jobs in ("1", "2"))
    for data in (one, two):
        data["statistics"].pop("seconds")
    assert (one, 6) == (two, len(two["findings"]))


def test_verbose(cli: Cli, write: Write) -> None:
    """``--verbose`` says which settings apply."""
    file = write("reduction-lint.toml", "preview = true\n")
    write("chat.py", SOUND)
    err = cli("check", "--verbose").err
    assert (f"settings: {file}" in err, "preview: from reduction-lint.toml" in err) == (True, True)


def test_as_a_module(write: Write) -> None:
    """``python -m reduction_lint`` is the command line."""
    write("chat.py", LEAKY)
    done = subprocess.run(
        [sys.executable, "-m", "reduction_lint", "check", *JSON], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["findings"][0]["code"] == "RL101"


def test_reader_that_goes_away(write: Write) -> None:
    """A pipe that closes early ends quietly."""
    write("chat.py", LEAKY * 200)
    command = f"{sys.executable} -m reduction_lint check --output-format concise -q | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (len(done.stdout.splitlines()), done.stderr) == (1, "")


def test_terminal_of_few_characters(write: Write) -> None:
    """Where the encoding has no line characters, the frame is drawn without them."""
    write("chat.py", LEAKY + "# Grüße\n")
    done = subprocess.run(
        [sys.executable, "-m", "reduction_lint", "check"],
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"6 |         self.messages" in done.stdout
