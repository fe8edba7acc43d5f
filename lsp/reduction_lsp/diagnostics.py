"""From findings to diagnostics. Made on the analysis' thread, from the very texts that were analysed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from lsprotocol import types
from lsprotocol.converters import get_converter
from reduction_lint.findings import Finding, Range, Severity, TraceStep
from reduction_lint.live import LiveSession, Result

from reduction_lsp.capabilities import Client
from reduction_lsp.positions import to_client
from reduction_lsp.settings import ServerSettings

SOURCE = "reduction-lint"
UriOf = Callable[[Path, "int | None"], str]
"""The URI of a file, or of one of its notebook cells (1-based)."""

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
_WANTED = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_UNNECESSARY = frozenset(["RL002"])
_converter = get_converter()


@dataclass
class Texts:
    """Lines of analysed texts, for turning places into the client's units."""

    live: LiveSession
    _lines: dict[Path, list[str]] = field(default_factory=dict)

    def lines(self, path: Path, cell: int | None = None) -> Sequence[str]:
        """The lines of a file or of one notebook cell, without line ends."""
        source = self.live.source(path)
        if source is None:
            return ()
        if path not in self._lines:
            self._lines[path] = source.text.split("\n")
        lines = self._lines[path]
        found = next((c for c in source.cells or () if c.number == cell), None)
        return lines if found is None else lines[found.start_line - 1 :][: found.line_count]


@dataclass
class Builder:
    """Makes the diagnostics of one folder's files."""

    live: LiveSession
    client: Client
    settings: ServerSettings
    uri_of: UriOf
    texts: Texts = field(init=False)

    def __post_init__(self) -> None:
        self.texts = Texts(self.live)

    def build(self, path: Path, result: Result) -> dict[str, list[types.Diagnostic]]:
        """The diagnostics of a file by the URI of the document, or cell, they stand in."""
        found: dict[str, list[types.Diagnostic]] = {}
        for finding in shown(result, self.settings):
            uri = self.uri_of(path, finding.cell)
            found.setdefault(uri, []).append(self.diagnostic(path, finding))
        return found

    def diagnostic(self, path: Path, finding: Finding) -> types.Diagnostic:
        """One finding as the client can take it."""
        client = self.client
        described = client.code_descriptions and finding.help_uri
        related = [self._related(step) for step in finding.trace] if client.related_information else None
        tags = [types.DiagnosticTag.Unnecessary] if client.tags and finding.code in _UNNECESSARY else None
        wanted = self.settings.severity_of(finding.code)
        return types.Diagnostic(
            range=self.range(finding.range, path, finding.cell),
            message=finding.message,
            severity=_WANTED.get(wanted, _SEVERITIES[finding.severity]),
            code=finding.code,
            code_description=types.CodeDescription(href=finding.help_uri) if described else None,
            source=SOURCE,
            related_information=related or None,
            tags=tags,
            data=data_of(finding) if client.diagnostic_data else None,
        )

    def range(self, where: Range, path: Path, cell: int | None = None) -> types.Range:
        """A range of a file, or of a cell, in the client's units."""
        return to_client(where, self.texts.lines(path, cell), self.client.encoding)

    def location(self, step: TraceStep) -> types.Location:
        """Where a step of a trace is."""
        path = self.live.path_of(step.path)
        return types.Location(self.uri_of(path, step.cell), self.range(step.range, path, step.cell))

    def _related(self, step: TraceStep) -> types.DiagnosticRelatedInformation:
        return types.DiagnosticRelatedInformation(self.location(step), step.message)


def shown(result: Result, settings: ServerSettings) -> list[Finding]:
    """The findings that the client wants to see."""
    if not settings.enable:
        return []
    least = Severity(settings.severity_level).rank
    wanted = ((finding, settings.severity_of(finding.code)) for finding in result.findings)
    return [f for f, want in wanted if want != "off" and (want or f.severity.rank >= least)]


def data_of(finding: Finding) -> dict[str, object]:
    """What a diagnostic remembers, so that a code action finds its finding again."""
    return {"fingerprint": finding.fingerprint, "fixes": [fix.applicability for fix in finding.fixes]}


def result_id(diagnostics: Sequence[types.Diagnostic]) -> str:
    """Names what a report says: equal diagnostics, equal ids, whatever the version of the text."""
    plain = _converter.unstructure(list(diagnostics), list[types.Diagnostic])
    return sha256(json.dumps(plain, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:24]
