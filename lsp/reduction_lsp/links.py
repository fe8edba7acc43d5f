"""Document links on codes in our comments and in settings files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsprotocol import types
from reduction_lint.findings import Range
from reduction_lint.knowledge import catalogue

from reduction_lsp.backend import Backend
from reduction_lsp.folders import SETTINGS_FILES
from reduction_lsp.hover import RULE_CODE
from reduction_lsp.positions import to_client

_COMMENT = re.compile(r"#\s*(?:reduction-lint|noqa)\s*:")


@dataclass(frozen=True)
class Links:
    """Answers ``textDocument/documentLink``."""

    backend: Backend

    def of(self, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        """A link from every code to its rule's page."""
        document = self.backend.document(params.text_document.uri)
        if document is None:
            return []
        in_settings = self.backend.folders.path_of(document.uri).name in SETTINGS_FILES
        found = []
        for number, line in enumerate(document.lines, 1):
            comment = None if in_settings else _COMMENT.search(line)
            if not in_settings and comment is None:
                continue
            for match in RULE_CODE.finditer(line, comment.end() if comment else 0):
                if not catalogue.is_known(match[0]):
                    continue
                where = Range.of(number, match.start() + 1, number, match.end() + 1)
                span = to_client(where, document.lines, self.backend.client.encoding)
                found.append(types.DocumentLink(span, target=f"{catalogue.HELP_BASE}{match[0]}", tooltip=match[0]))
        return found
