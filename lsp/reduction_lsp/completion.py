"""Completion: words and codes in our comments, keys and codes in settings files."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lsprotocol import types
from reduction_lint.knowledge import catalogue

from reduction_lsp.backend import Backend
from reduction_lsp.folders import SETTINGS_FILES
from reduction_lsp.pages import rule_summary
from reduction_lsp.positions import from_client
from reduction_lsp.settings_keys import KEYS, known_keys, place_at

OPTIONS = types.CompletionOptions(trigger_characters=["[", ",", ":", '"', "#", " "])
_IN_CODES = re.compile(r"#\s*reduction-lint\s*:\s*(?:ignore|ignore-file|disable|enable)\[[^\]]*$|#\s*noqa\s*:[^#]*$")
_AFTER_NAME = re.compile(r"#\s*reduction-lint\s*:\s*[\w-]*$")
_COMMENT = re.compile(r"#\s*[a-z-]*$")
_WORDS = {
    "ignore": ("ignore[${1:CODE}] -- ${2:reason}", "Silence a code at this statement"),
    "ignore-file": ("ignore-file[${1:CODE}] -- ${2:reason}", "Silence a code in this file"),
    "disable": ("disable[${1:CODE}] -- ${2:reason}", "Silence a code from here on"),
    "enable": ("enable[${1:CODE}]", "End of a disabled block"),
    "skip-file": ("skip-file", "Check nothing in this file"),
    "captures": ("captures(${1:parameter})", "Calls of this function capture that parameter"),
    "reduces": ("reduces(${1:parameter})", "This function reduces that parameter"),
    "view": ("view", "Only a view is reduced here, the original is kept"),
    "disposable": ("disposable", "Nobody relies on this output"),
    "probe": ("probe", "Verification traffic, no conversation"),
    "selector": ("selector(phase=${1:name})", "This function selects the context of a phase"),
    "transcript": ("transcript", "This attribute holds conversation"),
}


@dataclass(frozen=True)
class Completions:
    """Answers ``textDocument/completion``."""

    backend: Backend

    def at(self, params: types.CompletionParams) -> types.CompletionList | None:
        """What fits here; None where we have nothing to say."""
        uri = params.text_document.uri
        document = self.backend.document(uri)
        if document is None:
            return None
        lines = [line.rstrip("\r\n") for line in document.lines]
        position = from_client(params.position, lines, self.backend.client.encoding)
        before = lines[position.line - 1][: position.column - 1] if position.line <= len(lines) else ""
        path = self.backend.folders.path_of(uri)
        if path.name in SETTINGS_FILES:
            items = _in_settings(path.name, lines, position.line, position.column)
        elif self.backend.is_python(document):
            items = self._in_comment(before)
        else:
            items = []
        return types.CompletionList(is_incomplete=False, items=items) if items else None

    def _in_comment(self, before: str) -> list[types.CompletionItem]:
        if _IN_CODES.search(before):
            return _codes()
        if _AFTER_NAME.search(before):
            return [self._word(word, *texts) for word, texts in _WORDS.items()]
        if _COMMENT.search(before):
            item = types.CompletionItem("reduction-lint:", kind=types.CompletionItemKind.Keyword)
            item.insert_text = "reduction-lint: "
            return [item]
        return []

    def _word(self, word: str, snippet: str, meaning: str) -> types.CompletionItem:
        item = types.CompletionItem(word, kind=types.CompletionItemKind.Keyword, detail=meaning)
        if self.backend.client.snippets:
            item.insert_text = snippet
            item.insert_text_format = types.InsertTextFormat.Snippet
        return item


def _in_settings(name: str, lines: list[str], line: int, column: int) -> list[types.CompletionItem]:
    place = place_at(name, lines, line, column)
    if place is None:
        return []
    if place.wants_codes:
        return _codes()
    if place.on_key and not place.table:
        kind = types.CompletionItemKind.Property
        return [types.CompletionItem(key, kind=kind, documentation=KEYS.get(key)) for key in known_keys()]
    return []


def _codes() -> list[types.CompletionItem]:
    kind = types.CompletionItemKind.EnumMember
    found = []
    for rule in catalogue.rules().values():
        documentation = types.MarkupContent(types.MarkupKind.Markdown, rule_summary(rule.code) or "")
        found.append(types.CompletionItem(rule.code, kind=kind, detail=rule.name, documentation=documentation))
    return found
