"""Silencing findings by comments, and the findings about those comments (RL002, RL003, RL004)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from reduction_lint.findings import Edit, Finding, Fix, Range, Severity
from reduction_lint.suppress.directives import LINE_KINDS, Directives, ListedCode, Suppression

Lines = Callable[[Finding], "tuple[int, int]"]
"""First and last line of the statement that a finding lies in."""

_OWN_CODES = ("RL002", "RL003", "RL004")


def apply(
    findings: Sequence[Finding],
    directives: Directives,
    *,
    path: str,
    ran: Collection[str],
    statement_lines: Lines | None = None,
    is_unsuppressable: Callable[[str], bool] | None = None,
) -> list[Finding]:
    """The findings of one file with ``suppressed`` set where a comment silences them, and RL002-RL004 added.

    ``path`` is the file as shown in findings and ``ran`` the codes that were looked for: only those can be
    unused, and RL002-RL004 themselves are added only if they are among them. Without ``statement_lines`` a
    finding's own lines count. All places are in the same coordinates as the directives. The result is
    sorted.
    """
    if directives.skip_file is not None:
        return [replace(finding, suppressed=directives.skip_file) for finding in findings]
    if not directives.suppressions and not directives.problems:
        return sorted(findings, key=lambda finding: finding.sort_key)
    silencer = _Silencer(directives, statement_lines or _own_lines, is_unsuppressable or (lambda code: False))
    result = [silencer.silence(finding) for finding in findings]
    result += [silencer.silence(finding) for finding in _about_comments(directives, path) if finding.code in ran]
    if "RL002" in ran:
        unused = silencer.unused(path, {code for code in ran if code != "RL002"})
        result += [silencer.silence(finding) for finding in unused]
        result += silencer.unused(path, {"RL002"})
    return sorted(result, key=lambda finding: finding.sort_key)


def _own_lines(finding: Finding) -> tuple[int, int]:
    return finding.range.start.line, finding.range.end.line


@dataclass(slots=True)
class _Silencer:
    """Which comment silences what; remembers the listed codes that did."""

    directives: Directives
    lines: Lines
    is_unsuppressable: Callable[[str], bool]
    used: set[Range] = field(default_factory=set)

    def silence(self, finding: Finding) -> Finding:
        """The finding, marked if a comment silences it. The nearest comment counts as the one that does."""
        if finding.suppressed is not None or self.is_unsuppressable(finding.code):
            return finding
        first, last = _own_lines(finding) if finding.code in _OWN_CODES else self.lines(finding)
        fitting = [
            (_nearness(suppression), suppression, entry)
            for suppression in self.directives.suppressions
            for entry in suppression.codes
            if entry.code == finding.code and _covers(suppression, entry, finding, first, last)
        ]
        if not fitting:
            return finding
        _, suppression, entry = min(fitting, key=lambda fit: fit[0])
        self.used.add(entry.place)
        return replace(finding, suppressed=suppression.reason)

    def unused(self, path: str, codes: Collection[str]) -> list[Finding]:
        """One RL002 for each listed code, out of ``codes``, that silenced nothing."""
        return [
            _unused(path, entry, self.is_unsuppressable(entry.code))
            for suppression in self.directives.suppressions
            for entry in suppression.codes
            if entry.code in codes and entry.place not in self.used
        ]


def _nearness(suppression: Suppression) -> int:
    return 0 if suppression.kind in LINE_KINDS else 1 if suppression.kind == "disable" else 2


def _covers(suppression: Suppression, entry: ListedCode, finding: Finding, first: int, last: int) -> bool:
    if suppression.kind == "ignore-file":
        return True
    if suppression.kind == "disable":
        line = finding.range.start.line
        return suppression.line <= line and (entry.until is None or line < entry.until)
    if suppression.line in (first, last):
        return True
    return suppression.kind == "ignore" and suppression.target == first


def _about_comments(directives: Directives, path: str) -> list[Finding]:
    """RL003 for every suppression without a reason, RL004 for what is not understood."""
    missing = [
        Finding(
            code="RL003",
            message=f"suppression of {_listed(suppression)} without a reason: add ` -- reason`",
            path=path,
            range=suppression.place,
            severity=Severity.WARNING,
        )
        for suppression in directives.suppressions
        if not suppression.reason
    ]
    wrong = [
        Finding(code="RL004", message=problem.message, path=path, range=problem.place, severity=Severity.WARNING)
        for problem in directives.problems
    ]
    return missing + wrong


def _unused(path: str, entry: ListedCode, barred: bool) -> Finding:
    if barred:
        message = f"the settings do not allow comments to silence {entry.code} (unsuppressable)"
    else:
        message = f"this suppression of {entry.code} silences nothing"
    fix = Fix(f"Remove the suppression of {entry.code}", "safe", (Edit(path, entry.removal, ""),))
    return Finding(
        code="RL002",
        message=message,
        path=path,
        range=entry.place,
        severity=Severity.WARNING,
        fixes=(fix,),
    )


def _listed(suppression: Suppression) -> str:
    return ", ".join(entry.code for entry in suppression.codes)
