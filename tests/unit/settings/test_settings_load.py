"""Resolving settings: files, inheritance, the command line, and mistakes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reduction_lint.findings import Severity
from reduction_lint.settings import (
    COMMAND_LINE,
    Phase,
    Settings,
    SettingsError,
    find_settings_file,
    forget_files,
    load_settings,
)

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file below a fresh working directory."""
    monkeypatch.chdir(tmp_path)
    forget_files()

    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def load(**options: Any) -> Settings:
    return load_settings(Path.cwd(), **options)


def mistake(**options: Any) -> str:
    with pytest.raises(SettingsError) as caught:
        load(**options)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_defaults(write: Write) -> None:
    """Without a file the built-in values hold and nothing has an origin."""
    assert load() == Settings()


def test_pyproject(write: Write) -> None:
    """The table in ``pyproject.toml`` is read, and its folder is what patterns are relative to."""
    file = write("pyproject.toml", '[tool.reduction-lint]\nprofile = "strict"\n')
    settings = load()
    assert ("strict", file, file.parent) == (settings.profile, settings.file, settings.folder)


def test_own_file(write: Write) -> None:
    """In ``reduction-lint.toml`` the keys stand at the top."""
    write("reduction-lint.toml", "preview = true\n")
    assert load().preview


def test_own_file_with_the_long_table(write: Write) -> None:
    """The table name of ``pyproject.toml`` is understood in ``reduction-lint.toml`` too."""
    write("reduction-lint.toml", "[tool.reduction-lint]\npreview = true\n")
    assert load().preview


def test_order_within_a_folder(write: Write) -> None:
    """The hidden file comes before the plain one, and both before ``pyproject.toml``."""
    write("pyproject.toml", "[tool.reduction-lint]\n")
    write("reduction-lint.toml", "")
    hidden = write(".reduction-lint.toml", "")
    assert hidden == find_settings_file(Path.cwd())


def test_nearest_file(write: Write) -> None:
    """The file nearest to what is checked applies, alone."""
    write("reduction-lint.toml", 'ignore = ["RL101"]\n')
    write("inner/reduction-lint.toml", "preview = true\n")
    settings = load_settings(Path("inner/deep/a.py"))
    assert (settings.ignore, settings.preview) == ((), True)


def test_pyproject_without_our_table_is_passed_over(write: Write) -> None:
    """A ``pyproject.toml`` that only names the tool is no settings file."""
    outer = write("reduction-lint.toml", "")
    write("inner/pyproject.toml", '[project]\nname = "x"\ndependencies = ["reduction-lint"]\n')
    assert outer == find_settings_file(Path("inner"))


def test_isolated(write: Write) -> None:
    """``isolated`` reads no file at all, not even a broken one."""
    write("reduction-lint.toml", "no toml")
    assert load(isolated=True).file is None


def test_config(write: Write) -> None:
    """A named file takes the place of the nearest one."""
    write("reduction-lint.toml", "no toml")
    other = write("conf/mine.toml", "preview = true\n")
    assert load(config=other).preview


def test_extend(write: Write) -> None:
    """A file adds to lists that extend, merges tables, and replaces everything else of its base."""
    write(
        "base.toml",
        'select = ["RL1"]\nextend-exclude = ["a"]\nprofile = "strict"\n'
        '[severity]\nRL101 = "info"\nRL102 = "info"\n'
        '[[captures]]\ncall = "base"\n',
    )
    write(
        "reduction-lint.toml",
        'extend = "base.toml"\nselect = ["RL4"]\nextend-exclude = ["b"]\n[severity]\nRL101 = "error"\n'
        '[[captures]]\ncall = "mine"\n',
    )
    settings = load()
    assert (settings.select, settings.extend_exclude, settings.profile) == (("RL4",), ("a", "b"), "strict")
    assert settings.severity == {"RL101": Severity.ERROR, "RL102": Severity.INFO}
    assert [entry["call"] for entry in settings.models["captures"]] == ["mine", "base"]
    assert settings.origins["profile"] == "base.toml"


def test_extend_in_a_circle(write: Write) -> None:
    """Files that extend each other are a mistake."""
    write("a.toml", 'extend = "reduction-lint.toml"\n')
    write("reduction-lint.toml", 'extend = "a.toml"\n')
    assert mistake() == 'a.toml:1: extend: "reduction-lint.toml" leads back to this file'


def test_extend_of_nothing(write: Write) -> None:
    """The file to extend must exist."""
    write("reduction-lint.toml", '\nextend = "../gone.toml"\n')
    assert mistake() == 'reduction-lint.toml:2: extend: there is no file "../gone.toml"'


def test_command_line_wins(write: Write) -> None:
    """A value of the command line replaces that of the file and is known as such."""
    write("reduction-lint.toml", 'select = ["RL1"]\nprofile = "strict"\n')
    settings = load(overrides={"select": ["RL4"]})
    assert (settings.select, settings.origins["select"]) == (("RL4",), COMMAND_LINE)
    assert settings.origins["profile"] == "reduction-lint.toml"


def test_command_line_extends(write: Write) -> None:
    """``extend-select`` of the command line adds to that of the file."""
    write("reduction-lint.toml", 'extend-select = ["RL1"]\n')
    assert load(overrides={"extend-select": ["RL4"]}).extend_select == ("RL1", "RL4")


def test_every_key(write: Write) -> None:
    """Every documented key is accepted."""
    write(
        "reduction-lint.toml",
        """
select = ["RL1", "RL4"]
ignore = ["RL402"]
extend-select = ["RL201"]
profile = "strict"
preview = false
src = ["lib"]
docs-url = "https://example.org/"
exclude = ["a"]
extend-exclude = ["b"]
include = ["*.py"]
baseline = "known.json"
opt-in-flags = ["*_lossy"]
imported-prefix-names = ["frozen_*"]
escalate-marker = "<<up>>"
unsuppressable = ["RL101"]
[severity]
RL402 = "error"
[per-file-ignores]
"tests/*" = ["RL1"]
[max-tokens]
floor = 512
kinds = { title = 0 }
expected = [{ call = "app.write", tokens = 6000 }]
[notice]
retained = ["kept"]
not-retained = ["gone"]
[phases.triage]
excluded = ["catalog"]
protected = ["facts"]
recall = false
selectors = ["select_for_triage"]
audit-sink = "audit_out"
version-key = "context_selection"
[[captures]]
call = "app.SessionLog.append"
value = 0
durable = true
copies = true
async = false
matches = ["session_log.append(turn)"]
no-matches = ["errors.append(turn)"]
[[sidecars]]
type = "app.Sidecar"
[[reducers]]
call = "app.cut"
[[compressors]]
call = "app.squeeze"
[[calls]]
call = "app.ask"
cap = "max_tokens"
text = "reply.text"
stop = "reply.finish_reason"
cut-values = ["length"]
[[sources]]
call = "app.read"
[[sinks]]
call = "app.send"
[[caches]]
call = "app.cached"
[[probes]]
call = "app.judge"
[[wire]]
call = "app.post"
[[transcripts]]
name = "outbox"
""",
    )
    settings = load()
    assert settings.phases["triage"] == Phase(
        excluded=("catalog",),
        protected=("facts",),
        recall=False,
        selectors=("select_for_triage",),
        audit_sink=("audit_out",),
        version_key=("context_selection",),
    )
    assert (settings.src, settings.escalate_marker, settings.baseline) == (("lib",), "<<up>>", "known.json")


def test_models_reach_the_knowledge(write: Write) -> None:
    """What the settings say about calls and names is in the compiled models."""
    from reduction_lint.knowledge.models import load_models

    write(
        "reduction-lint.toml",
        'opt-in-flags = ["may_shrink"]\n[max-tokens]\nfloor = 77\n[[captures]]\ncall = "app.log.keep"\n',
    )
    models = load_models(load().models)
    assert models.max_tokens.floor == 77
    assert models.names.opt_in_flags.match("may_shrink")
    assert models.captures.find(["app.log.keep"], "keep", []) is not None


def test_settings_can_be_sent_to_other_processes(write: Write) -> None:
    """Settings survive pickling."""
    write("reduction-lint.toml", 'select = ["RL1"]\n[[captures]]\ncall = "a"\n')
    settings = load()
    assert pickle.loads(pickle.dumps(settings)) == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nselct = []", '2: selct: unknown key; did you mean "select"?'),
        ('select = "RL1"', '1: select: must be a list of codes, such as ["RL101", "RL4"]'),
        ("select = [1]", '1: select: must be a list of codes, such as ["RL101", "RL4"]'),
        ('src = "lib"', '1: src: must be a list of texts, such as ["a", "b"]'),
        ("preview = 1", "1: preview: must be true or false, not a number"),
        ("docs-url = 1", "1: docs-url: must be text, not a number"),
        ('profile = "strickt"', "1: profile: must be one of default, strict"),
        ('select = [\n "RL101",\n "RL999"]', '3: select: unknown code "RL999"'),
        ('[severity]\nRL1 = "error"', '2: severity.RL1: unknown code "RL1"'),
        ('[severity]\nRL101 = "fatal"', "2: severity.RL101: must be one of info, warning, error"),
        ('[per-file-ignores]\n"a/*" = ["RL9"]', '2: per-file-ignores.a/*: unknown code "RL9"'),
        ("severity = 3", "1: severity: must be a table"),
        ("[captures]\ncall = 'x'", "1: captures: must be an array of tables, written with [[ ]]"),
        ("[[captures]]\ncal = 'x'", '2: captures.cal: unknown key; did you mean "call"?'),
        (
            "[[captures]]\ncall = 'x'\n[[captures]]\ncall = 'y'\ndurable = 3",
            "5: captures.durable: must be true",
        ),
        ("[max-tokens]\nflor = 3", '2: max-tokens.flor: unknown key; did you mean "floor"?'),
        ("[notice]\nretaind = []", '2: notice.retaind: unknown key; did you mean "retained"?'),
        ("[phases]\ntriage = 1", "2: phases.triage: must be a table"),
        ("[phases.triage]\nexclude = []", '2: phases.triage.exclude: unknown key; did you mean "excluded"?'),
        ("[phases.triage]\n\nrecall = 'x'", "3: phases.triage.recall: must be true or false, not text"),
        ("extend = 3", "1: extend: must be the path of a settings file"),
    ],
)
def test_mistakes(write: Write, text: str, message: str) -> None:
    """A mistake names file, line, key and what was wanted, in one line."""
    write("reduction-lint.toml", text)
    assert mistake().startswith(f"reduction-lint.toml:{message}")


def test_mistake_in_pyproject(write: Write) -> None:
    """In ``pyproject.toml`` the line is that of the key within our table."""
    write("pyproject.toml", "[project]\nselect = 1\n\n[tool.reduction-lint]\npreview = 3\n")
    assert mistake() == "pyproject.toml:5: preview: must be true or false, not a number"


def test_table_of_the_wrong_type(write: Write) -> None:
    """``tool.reduction-lint`` must be a table."""
    write("pyproject.toml", "[tool]\nreduction-lint = 3\n")
    assert mistake() == "pyproject.toml:2: tool.reduction-lint: must be a table"


def test_wrong_toml(write: Write) -> None:
    """Text that is not TOML names its line."""
    write("reduction-lint.toml", "preview = true\nselect = [\n")
    assert mistake().startswith("reduction-lint.toml:")
    assert "is not valid TOML" in mistake()


def test_wrong_encoding(write: Write) -> None:
    """A settings file that is not UTF-8."""
    write("reduction-lint.toml", "").write_bytes(b"# \xff\n")
    assert mistake() == "reduction-lint.toml: is not UTF-8 text"


def test_missing_config(write: Write) -> None:
    """A named settings file that does not exist."""
    assert mistake(config=Path("gone.toml")) == "gone.toml: cannot be read: No such file or directory"


def test_unknown_code_on_the_command_line(write: Write) -> None:
    """A mistake on the command line names the flag."""
    assert mistake(overrides={"select": ["RL10x"]}).startswith('--select: unknown code "RL10x"; did you mean "RL10')


def test_name_in_place_of_a_code(write: Write) -> None:
    """The name of a rule leads to its code."""
    text = mistake(overrides={"ignore": ["uncaptured-truncation"]})
    assert text == '--ignore: unknown code "uncaptured-truncation"; did you mean "RL101"?'


def test_preview_code_without_preview(write: Write) -> None:
    """Naming a preview code needs ``preview``; a prefix that covers it does not."""
    message = "RL115 is a preview code; it needs --preview (in settings: preview = true)"
    assert mistake(overrides={"select": ["RL115"]}) == f"--select: {message}"
    assert "RL115" in load(overrides={"select": ["RL115"], "preview": True}).codes
    assert "RL115" not in load(overrides={"select": ["RL11"]}).codes


def test_preview_code_in_a_file(write: Write) -> None:
    """The mistake is placed in the file that names the code."""
    write("reduction-lint.toml", 'select = [\n  "RL101",\n  "RL115",\n]\n')
    assert mistake().startswith("reduction-lint.toml:3: select: RL115 is a preview code")


def test_default_codes() -> None:
    """By default neither strict-only nor preview codes are reported."""
    codes = Settings().codes
    assert {"RL001", "RL101", "RL402"} <= codes
    assert not {"RL003", "RL112", "RL115"} & codes


def test_strict_codes() -> None:
    """The strict profile adds its codes."""
    assert Settings(profile="strict").codes - Settings().codes >= {"RL003", "RL112"}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (("RL1",), (), True),
        (("RL1",), ("RL101",), False),
        (("RL101",), ("RL1",), True),
        (("RL1",), ("RL1",), False),
        (("RL4",), (), False),
        ((), (), False),
    ],
)
def test_selection(select: tuple[str, ...], ignore: tuple[str, ...], expected: bool) -> None:
    """The longer prefix wins, and ``ignore`` wins a tie."""
    assert expected == ("RL101" in Settings(select=select, ignore=ignore).codes)


def test_per_file_ignores(tmp_path: Path) -> None:
    """Patterns are relative to the settings file and name codes by prefix."""
    settings = Settings(per_file_ignores={"tests/": ("RL1",), "*_demo.py": ("RL402",)}, folder=tmp_path)
    assert "RL101" in settings.ignored_in(tmp_path / "tests/unit/a.py")
    assert settings.ignored_in(tmp_path / "pkg/x_demo.py") == {"RL402"}
    assert settings.ignored_in(tmp_path / "pkg/a.py") == frozenset()


def test_unsuppressable() -> None:
    """Unsuppressable codes may be given by prefix."""
    settings = Settings(unsuppressable=("RL1",))
    assert (settings.is_unsuppressable("RL101"), settings.is_unsuppressable("RL201")) == (True, False)
