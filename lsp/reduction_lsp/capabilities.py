"""What the client can do, asked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types


@dataclass(frozen=True, slots=True)
class Client:
    """The client's abilities that change what the server does."""

    pulls_diagnostics: bool = False
    related_information: bool = False
    code_descriptions: bool = False
    tags: bool = False
    diagnostic_data: bool = False
    literal_actions: bool = False
    resolves_edits: bool = False
    preferred_actions: bool = False
    document_changes: bool = False
    creates_files: bool = False
    applies_edits: bool = False
    pulls_settings: bool = False
    watches_files: bool = False
    registers_settings: bool = False
    refreshes_diagnostics: bool = False
    refreshes_lenses: bool = False
    refreshes_hints: bool = False
    progress: bool = False
    shows_documents: bool = False
    fetches_content: bool = False
    markdown: bool = False
    snippets: bool = False
    encoding: types.PositionEncodingKind | str = types.PositionEncodingKind.Utf16


def client_of(asked: types.ClientCapabilities, encoding: types.PositionEncodingKind | str) -> Client:
    """Read the capabilities a client sent; what it does not mention it cannot do."""

    def has(path: str) -> bool:
        return bool(_at(asked, path))

    hovers = _at(asked, "text_document.hover.content_format") or ()
    resolvable = _at(asked, "text_document.code_action.resolve_support.properties") or ()
    operations = _at(asked, "workspace.workspace_edit.resource_operations") or ()
    published = "text_document.publish_diagnostics"
    pulled = "text_document.diagnostic"
    return Client(
        pulls_diagnostics=_at(asked, pulled) is not None,
        related_information=has(f"{published}.related_information") or has(f"{pulled}.related_information"),
        code_descriptions=has(f"{published}.code_description_support") or has(f"{pulled}.code_description_support"),
        tags=has(f"{published}.tag_support") or has(f"{pulled}.tag_support"),
        diagnostic_data=has(f"{published}.data_support") or has(f"{pulled}.data_support"),
        literal_actions=has("text_document.code_action.code_action_literal_support"),
        resolves_edits="edit" in resolvable and has("text_document.code_action.data_support"),
        preferred_actions=has("text_document.code_action.is_preferred_support"),
        document_changes=has("workspace.workspace_edit.document_changes"),
        creates_files=types.ResourceOperationKind.Create in operations,
        applies_edits=has("workspace.apply_edit"),
        pulls_settings=has("workspace.configuration"),
        watches_files=has("workspace.did_change_watched_files.dynamic_registration"),
        registers_settings=has("workspace.did_change_configuration.dynamic_registration"),
        refreshes_diagnostics=has("workspace.diagnostics.refresh_support"),
        refreshes_lenses=has("workspace.code_lens.refresh_support"),
        refreshes_hints=has("workspace.inlay_hint.refresh_support"),
        progress=has("window.work_done_progress"),
        shows_documents=has("window.show_document.support"),
        fetches_content=_at(asked, "workspace.text_document_content") is not None,
        markdown=types.MarkupKind.Markdown in hovers,
        snippets=has("text_document.completion.completion_item.snippet_support"),
        encoding=encoding,
    )


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name, None)
        if value is None:
            return None
    return value
