"""A small language server: checks a document when it is opened, changed or saved.

It holds no rule logic: settings and findings come from the same :class:`Session` that the command line
uses. The position encoding is the client's choice; conversion from code points is left to pygls.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument
from reduction_lint.findings import Finding, Range, Severity
from reduction_lint.session import Session
from reduction_lint.settings import SettingsError
from reduction_lint.version import __version__

SOURCE = "reduction-lint"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}


@dataclass
class Checker:
    """Turns documents into published diagnostics."""

    server: LanguageServer
    session: Session = field(default_factory=Session)

    def check(self, uri: str) -> None:
        """Check the open document and publish what is found; a failure is logged and clears it."""
        document = self.server.workspace.get_text_document(uri)
        try:
            diagnostics = self.diagnostics(document)
        except SettingsError as error:
            self._log(str(error))
            diagnostics = []
        except Exception as error:
            self._log(f"internal error in {uri}: {type(error).__name__}: {error}")
            diagnostics = []
        self.publish(uri, diagnostics, document.version)

    def diagnostics(self, document: TextDocument) -> list[types.Diagnostic]:
        """The findings of a document that no comment silences."""
        path = to_fs_path(document.uri) or "untitled.py"
        report = self.session.check_text(document.source, path)
        return [_diagnostic(f, document) for f in report.findings if f.suppressed is None]

    def publish(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None = None) -> None:
        """Replace the diagnostics of a document."""
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics, version=version)
        )

    def _log(self, text: str) -> None:
        self.server.window_log_message(types.LogMessageParams(type=types.MessageType.Error, message=text))


def _diagnostic(finding: Finding, document: TextDocument) -> types.Diagnostic:
    described = types.CodeDescription(href=finding.help_uri) if finding.help_uri else None
    return types.Diagnostic(
        range=_range(finding.range, document),
        message=finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=described,
        source=SOURCE,
    )


def _range(span: Range, document: TextDocument) -> types.Range:
    start = types.Position(span.start.line - 1, span.start.column - 1)
    end = types.Position(span.end.line - 1, span.end.column - 1)
    return document.position_codec.range_to_client_units(document.lines, types.Range(start, end))


def create_server() -> LanguageServer:
    """A server with its handlers registered, not yet started."""
    server = LanguageServer(SOURCE, __version__)
    checker = Checker(server)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        checker.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        checker.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: types.DidSaveTextDocumentParams) -> None:
        checker.check(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        checker.publish(params.text_document.uri, [])

    return server


def serve(address: tuple[str, int] | None = None) -> None:
    """Serve on standard input and output, or on a loopback address."""
    server = create_server()
    if address is None:
        server.start_io()
    else:
        server.start_tcp(*address)
