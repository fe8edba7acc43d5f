"""The commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from reduction_lint.cli.common import UsageError
from reduction_lint.report import FORMATS
from reduction_lint.report.inventory import FORMATS as INVENTORY_FORMATS
from reduction_lint.version import __version__

_LEVELS = ("info", "warning", "error")


class _Parser(argparse.ArgumentParser):
    """A parser that reports wrong usage as one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see `{self.prog} --help`)")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The parsed arguments; raises :class:`UsageError`. ``--help`` and ``--version`` print and exit."""
    parser, commands = _build()
    args, extra = parser.parse_known_args(argv)
    if extra:
        used = commands.choices[args.command] if args.command else parser
        options = [option for action in used._actions for option in action.option_strings]
        name = extra[0].partition("=")[0]
        close = get_close_matches(name, options, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        used.error(f"unknown argument {extra[0]}{hint}")
    if not args.command:
        parser.error("a command is needed, such as `reduction-lint check`")
    return args


def _build() -> tuple[argparse.ArgumentParser, argparse._SubParsersAction[_Parser]]:
    parser = _Parser(
        prog="reduction-lint",
        description="Find lossy reductions of LLM context that no capture of the original precedes.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"reduction-lint {__version__}")
    commands: argparse._SubParsersAction[_Parser] = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=_Parser
    )
    _add_check(commands)
    _add_rule(commands)
    _add_table(commands)
    _add_measure(commands)
    _add_inventory(commands)
    _add_trace(commands)
    _add_models(commands)
    _add_baseline(commands)
    _add_suppressions(commands)
    _add_config(commands)
    _add_clean(commands)
    _add_server(commands)
    return parser, commands


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "check", "Check files, folders, globs or standard input.")
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: the current folder")
    parser.add_argument("--stdin-filename", metavar="FILE", help="the file that `-` (standard input) stands for")
    _add_settings_options(parser)
    _add_file_options(parser)
    shown = parser.add_argument_group("what is shown, and what fails")
    shown.add_argument("--severity-level", choices=_LEVELS, default="warning", help="show from here up")
    shown.add_argument(
        "--fail-level",
        choices=(*_LEVELS, "never"),
        default="warning",
        help="status 1 from here up, shown or not",
    )
    shown.add_argument("--show-suppressed", action="store_true", help="show what comments silence, too")
    shown.add_argument("--output-format", choices=FORMATS, help="default: full")
    shown.add_argument("--output-file", metavar="FILE", help="write the report there")
    shown.add_argument(
        "--output", action="append", metavar="FORMAT=FILE", help="several formats in one run; - is standard output"
    )
    _add_color(shown)
    shown.add_argument("--statistics", action="store_true", help="count the findings of each code")
    shown.add_argument("-q", "--quiet", action="store_true", help="print findings and errors, nothing else")
    _add_verbose(shown)
    known = parser.add_argument_group("what is known")
    known.add_argument("--baseline", metavar="FILE", help="findings that are known and not shown")
    known.add_argument("--diff-base", metavar="REV", help="only findings that are new against a git revision")
    known.add_argument(
        "--add-suppressions", action="store_true", help="silence what is found today by comments in the code"
    )
    known.add_argument("--reason", metavar="TEXT", help="with --add-suppressions: why")
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="apply safe fixes, check again, write the files")
    fixes.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: apply unsafe fixes, too")
    fixes.add_argument("--diff", action="store_true", help="print what --fix would change, write nothing")
    run = parser.add_argument_group("how it runs")
    run.add_argument("--jobs", type=_positive, metavar="N", help="number of processes")
    run.add_argument("--no-cache", action="store_true", help="keep nothing between runs (nothing is kept yet)")


def _add_rule(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "rule", "Explain a rule: what, why, how to make it right, examples.")
    parser.add_argument("code", nargs="?", metavar="CODE", help="without it: list all rules")
    parser.add_argument("--all", action="store_true", help="explain every rule")
    _add_output_options(parser)
    _add_verbose(parser)


def _add_table(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "table", "Print the EXCLUDE table: techniques, verdicts and the codes for them.")
    _add_output_options(parser)
    _add_verbose(parser)


def _add_measure(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(
        commands, "measure", "Measure what selection removed from stored requests: characters and paths, nothing else."
    )
    parser.add_argument("archive", metavar="ARCHIVE", help="a zip file or folder of JSON with views before and after")
    _add_output_options(parser)
    _add_verbose(parser)


def _add_inventory(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "inventory", "List every reduction, right or wrong: its status and what covers it.")
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: the current folder")
    _add_settings_options(parser)
    _add_file_options(parser)
    _add_output_options(parser, INVENTORY_FORMATS)
    _add_verbose(parser)


def _add_trace(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "trace", "Show why something is or is not reported on a line.")
    parser.add_argument("place", metavar="FILE:LINE")
    _add_settings_options(parser)
    _add_output_options(parser)
    _add_verbose(parser)


def _add_models(commands: argparse._SubParsersAction[_Parser]) -> None:
    text = "Check the models: where each entry matches, and whether its own examples hold."
    group = _command(commands, "models", text)
    parts: argparse._SubParsersAction[_Parser] = group.add_subparsers(
        dest="what", metavar="check", required=True, parser_class=_Parser
    )
    parser = _command(parts, "check", text)
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: the current folder")
    parser.add_argument("--all", action="store_true", help="list shipped entries that match nothing here, too")
    _add_settings_options(parser)
    _add_output_options(parser)
    _add_verbose(parser)


def _add_baseline(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "baseline", "Take all present findings for known; only new ones are reported then.")
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: the current folder")
    parser.add_argument("--prune", action="store_true", help="only take out findings that are gone")
    parser.add_argument("--baseline", metavar="FILE", help="default: that of the settings, or beside them")
    _add_settings_options(parser)
    _add_file_options(parser)
    _add_output_options(parser)
    _add_verbose(parser)


def _add_suppressions(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "suppressions", "List every suppression: code, reason, and whether it is used.")
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="default: the current folder")
    _add_settings_options(parser)
    _add_file_options(parser)
    _add_output_options(parser)
    _add_verbose(parser)


def _add_config(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "config", "Show the settings that apply and where each came from.")
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the file or folder that they apply to")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of the settings, for editors")
    _add_settings_options(parser)
    _add_output_options(parser)
    _add_verbose(parser)


def _add_clean(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "clean", "Delete what is kept between runs.")
    parser.add_argument("--cache-dir", metavar="DIR", help="the folder that was used instead of the usual one")
    _add_verbose(parser)


def _add_server(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = _command(commands, "server", "Run the language server on standard input and output.")
    parser.add_argument("--tcp", metavar="HOST:PORT", help="listen here instead; loopback addresses only")
    _add_verbose(parser)


def _command(commands: argparse._SubParsersAction[_Parser], name: str, text: str) -> _Parser:
    return commands.add_parser(name, help=text, description=text, allow_abbrev=False)


def _add_settings_options(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("which rules")
    rules.add_argument("--select", action="extend", type=_list, metavar="CODES", help="only these; prefixes allowed")
    rules.add_argument("--ignore", action="extend", type=_list, metavar="CODES", help="all but these")
    rules.add_argument("--extend-select", action="extend", type=_list, metavar="CODES", help="these as well")
    rules.add_argument("--profile", choices=("default", "strict"), help="strict reports more")
    rules.add_argument("--preview", action="store_true", default=None, help="report preview codes as well")
    settings = parser.add_argument_group("settings").add_mutually_exclusive_group()
    settings.add_argument("--config", metavar="FILE", help="use this settings file")
    settings.add_argument("--isolated", action="store_true", help="use no settings file")


def _add_file_options(parser: argparse.ArgumentParser) -> None:
    files = parser.add_argument_group("which files")
    files.add_argument("--exclude", action="extend", type=_list, metavar="PATTERNS", help="leave these out")
    files.add_argument("--extend-exclude", action="extend", type=_list, metavar="PATTERNS", help="and these")
    files.add_argument(
        "--force-exclude", action="store_true", default=None, help="leave them out even when named as PATH"
    )
    files.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="leave out what .gitignore files name (default: yes)",
    )


def _add_output_options(parser: argparse._ActionsContainer, formats: Sequence[str] = ("full", "json")) -> None:
    parser.add_argument("--output-format", choices=formats, default="full", help="default: full")
    _add_color(parser)


def _add_color(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")


def _add_verbose(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--verbose", action="store_true", help="say more about the run on standard error")


def _list(text: str) -> list[str]:
    """Values separated by commas."""
    parts = [part for part in (part.strip() for part in text.split(",")) if part]
    if not parts:
        raise argparse.ArgumentTypeError("needs at least one value")
    return parts


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1, not {text!r}")
    return number
