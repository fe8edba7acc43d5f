"""Bad input: one clear line, the right status, and never a traceback."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import LEAKY, SOUND, Cli, Result, Write

JSON = ("--output-format", "json")


def refused(result: Result) -> str:
    """The one line of a run that was refused."""
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    return result.err.strip()


def errors(result: Result) -> list[tuple[str, str]]:
    return [(error["path"], error["message"]) for error in result.data["errors"]]


def test_missing_path(cli: Cli, write: Write) -> None:
    """A path that does not exist is an error beside the findings of the others."""
    write("chat.py", LEAKY)
    result = cli("check", "gone.py", "chat.py", *JSON)
    assert (result.status, result.codes) == (2, [("chat.py", 6, "RL101")])
    assert [path for path, _ in errors(result)] == ["gone.py"]


def test_missing_path_for_people(cli: Cli) -> None:
    """The error is one line on standard error."""
    result = cli("check", "gone.py", "-q")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("error: gone.py: ")


def test_folder_without_python(cli: Cli, write: Write) -> None:
    """A folder with nothing to check is a clean result that says so."""
    write("notes.txt", "x")
    result = cli("check")
    assert (result.status, result.out, result.err) == (0, "No Python files to check.\n", "")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(cli: Cli, write: Write) -> None:
    """A file that may not be read is an error beside the findings of the others."""
    write("secret.py", LEAKY).chmod(0)
    write("chat.py", LEAKY)
    result = cli("check", *JSON)
    assert (result.status, result.codes) == (2, [("chat.py", 6, "RL101")])
    assert [path for path, _ in errors(result)] == ["secret.py"]


def test_link_to_itself(cli: Cli, folder: Path) -> None:
    """A named file that cannot be opened is an error."""
    (folder / "loop.py").symlink_to("loop.py")
    result = cli("check", "loop.py", *JSON)
    assert (result.status, [path for path, _ in errors(result)]) == (2, ["loop.py"])


def test_undecodable_file(cli: Cli, write: Write) -> None:
    """A file that is not text in its encoding is an error beside the findings of the others."""
    write("latin.py", b"name = '\xff\xfe\xfa'\n" + LEAKY.encode())
    write("chat.py", LEAKY)
    result = cli("check", *JSON)
    assert (result.status, result.codes) == (2, [("chat.py", 6, "RL101")])
    assert [path for path, _ in errors(result)] == ["latin.py"]


def test_unknown_encoding(cli: Cli, write: Write) -> None:
    """A coding comment that names no encoding is an error."""
    write("odd.py", "# -*- coding: klingon -*-\n")
    result = cli("check", *JSON)
    assert (result.status, [path for path, _ in errors(result)]) == (2, ["odd.py"])


def test_undecodable_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input that cannot be decoded is an error under its name."""
    import io

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x = '\xff'\n")))
    result = cli("check", "-", "--stdin-filename", "a.py", *JSON)
    assert (result.status, [path for path, _ in errors(result)]) == (2, ["a.py"])


def test_empty_file(cli: Cli, write: Write) -> None:
    """An empty file is a clean result."""
    write("empty.py", "")
    result = cli("check", *JSON)
    assert (result.status, result.data["statistics"]["files"], errors(result)) == (0, 1, [])


def test_huge_file(cli: Cli, write: Write) -> None:
    """A file beyond the size limit is said in the limits and the summary, and is no error."""
    write("huge.py", "x = 1\n" * 1_900_000)
    write("chat.py", SOUND)
    result = cli("check", *JSON)
    assert (result.status, errors(result)) == (0, [])
    assert [limit["path"] for limit in result.data["limits"]] == ["huge.py"]
    assert "\nlimit: huge.py: " in cli("check").out


def test_nul_bytes(cli: Cli, write: Write) -> None:
    """NUL bytes are a syntax error or an unreadable file, never a crash."""
    write("nul.py", b"x = 1\n\0\0\n" + LEAKY.encode())
    result = cli("check", *JSON)
    assert result.status in (1, 2)
    assert errors(result) or "RL001" in {code for _, _, code in result.codes}
    assert "internal error" not in result.err


def test_loop_of_folders(cli: Cli, write: Write, folder: Path) -> None:
    """A folder that contains itself through a link is walked once."""
    write("pkg/chat.py", LEAKY)
    (folder / "pkg" / "again").symlink_to(folder / "pkg", target_is_directory=True)
    assert cli("check", *JSON).codes == [("pkg/chat.py", 6, "RL101")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipe(cli: Cli, folder: Path) -> None:
    """A named pipe among the files does not block the run."""
    os.mkfifo(folder / "pipe.py")
    assert cli("check", *JSON).codes == []


def test_wrong_notebook(cli: Cli, write: Write) -> None:
    """A notebook that is no JSON is an error."""
    write("a.ipynb", "{")
    result = cli("check", *JSON)
    assert (result.status, [path for path, _ in errors(result)]) == (2, ["a.ipynb"])


def test_wrong_toml(cli: Cli, write: Write) -> None:
    """Settings that are no TOML name file and line."""
    write("reduction-lint.toml", "preview = true\nselect = [\n")
    line = refused(cli("check", *JSON))
    assert line.startswith("error: reduction-lint.toml:")
    assert "is not valid TOML" in line


def test_wrong_toml_in_pyproject(cli: Cli, write: Write) -> None:
    """The same for ``pyproject.toml``."""
    write("pyproject.toml", "[tool.reduction-lint\n")
    assert refused(cli("check")).startswith("error: pyproject.toml:1: is not valid TOML: ")


def test_unknown_key(cli: Cli, write: Write) -> None:
    """An unknown key names file, line, key and the nearest valid one."""
    write("pyproject.toml", "[tool.reduction-lint]\n\nselct = []\n")
    expected = 'error: pyproject.toml:3: selct: unknown key; did you mean "select"?'
    assert expected == refused(cli("check", *JSON))


def test_wrong_type(cli: Cli, write: Write) -> None:
    """A value of the wrong type says what was wanted."""
    write("reduction-lint.toml", 'preview = "yes"\n')
    assert refused(cli("check")) == "error: reduction-lint.toml:1: preview: must be true or false, not text"


def test_wrong_settings_of_an_inner_project(cli: Cli, write: Write) -> None:
    """Wrong settings anywhere below what is checked stop the run."""
    write("chat.py", LEAKY)
    write("inner/reduction-lint.toml", "preview = 3\n")
    write("inner/chat.py", LEAKY)
    assert refused(cli("check", *JSON)).startswith("error: inner/reduction-lint.toml:1: preview: ")


def test_unknown_code_in_settings(cli: Cli, write: Write) -> None:
    """An unknown code in the settings names its line and the nearest code."""
    write("reduction-lint.toml", 'select = [\n  "RL101",\n  "RL019",\n]\n')
    line = refused(cli("check"))
    assert line.startswith('error: reduction-lint.toml:3: select: unknown code "RL019"; did you mean "RL')


@pytest.mark.parametrize("flag", ["--select", "--ignore", "--extend-select"])
def test_unknown_code_on_the_command_line(cli: Cli, flag: str) -> None:
    """An unknown code names its flag."""
    assert refused(cli("check", flag, "RL1,RL999", *JSON)).startswith(f'error: {flag}: unknown code "RL999"')


def test_preview_code(cli: Cli) -> None:
    """A preview code that is named without ``--preview``."""
    assert "needs --preview" in refused(cli("check", "--select", "RL115"))


def test_missing_config(cli: Cli) -> None:
    """A settings file that does not exist."""
    line = refused(cli("check", "--config", "gone.toml"))
    assert line == "error: gone.toml: cannot be read: No such file or directory"


@pytest.mark.parametrize(
    ("argv", "start"),
    [
        ((), "a command is needed"),
        (("chekc",), "argument COMMAND: invalid choice: 'chekc'"),
        (("check", "--selct", "RL1"), "unknown argument --selct; did you mean --select?"),
        (("check", "--profile", "hard"), "argument --profile: invalid choice: 'hard'"),
        (("check", "--output-format", "xml"), "argument --output-format: invalid choice: 'xml'"),
        (("check", "--jobs", "0"), "argument --jobs: must be a whole number from 1, not '0'"),
        (("check", "--select", ","), "argument --select: needs at least one value"),
        (("check", "--jobs"), "argument --jobs: expected one argument"),
        (("check", "--isolated", "--config", "x"), "argument --config: not allowed with argument --isolated"),
        (("check", "-", "a.py"), "`-` (standard input) cannot be checked together with other paths"),
        (("check", "--stdin-filename", "a.py"), "--stdin-filename goes with `-` as the only path"),
        (("rule", "RL10"), 'unknown code "RL10"; did you mean RL10'),
        (("rule", "RL101", "--all"), "give a CODE or --all, not both"),
        (("trace", "agent.py"), '"agent.py" is not FILE:LINE, such as agent.py:12'),
        (("trace", "agent.py:0"), '"agent.py:0" is not FILE:LINE, such as agent.py:12'),
        (("trace", "agent.py:3"), 'there is no file "agent.py"'),
        (("server", "--tcp", "0.0.0.0:80"), '--tcp: "0.0.0.0" is not a loopback address'),
        (("server", "--tcp", "127.0.0.1:x"), '--tcp: "x" is not a port number'),
    ],
)
def test_wrong_usage(cli: Cli, argv: tuple[str, ...], start: str) -> None:
    """Wrong usage is one line on standard error, and standard output stays empty."""
    assert refused(cli(*argv)).startswith(f"error: {start}")


def test_internal_error(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is one line; the traceback is for those who ask."""
    from reduction_lint.session import Session

    def fail(self: Session, *args: object, **options: object) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr(Session, "check", fail)
    line = refused(cli("check"))
    assert line.startswith("internal error: RuntimeError: first second (a bug;")
    assert "Traceback" in cli("check", "--verbose").err


def test_interrupt(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with one word."""
    from reduction_lint.session import Session

    def interrupt(self: Session, *args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "check", interrupt)
    result = cli("check")
    assert (result.status, result.out, result.err) == (130, "", "interrupted\n")
