"""``workspace/executeCommand``. Every command takes one argument, an object or a text, and answers with plain JSON."""

from __future__ import annotations

import platform
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from reduction_lint.live import LiveSession, Site, Stop
from reduction_lint.report.json_format import finding_data
from reduction_lint.settings import SettingsError
from reduction_lint.version import __version__

from reduction_lsp.actions import Actions
from reduction_lsp.backend import Backend
from reduction_lsp.folders import Folder
from reduction_lsp.hover import link_of
from reduction_lsp.lifecycle import Lifecycle
from reduction_lsp.pages import finding_page, inventory_page, rule_page, site_page

SCHEME = "reduction-lint"
Command = Callable[..., Awaitable[Any]]


@dataclass
class Commands:
    """The commands by name, and the documents they showed."""

    backend: Backend
    actions: Actions
    lifecycle: Lifecycle

    def __post_init__(self) -> None:
        self._pages: dict[str, str] = {}

    @property
    def all(self) -> dict[str, Command]:
        """What is registered with the client."""
        return {
            "reductionLint.fixAll": self.fix_all,
            "reductionLint.explain": self.explain,
            "reductionLint.showTrace": self.show_trace,
            "reductionLint.inventory": self.inventory,
            "reductionLint.restart": self.restart,
            "reductionLint.debugInfo": self.debug_info,
        }

    async def fix_all(self, *arguments: Any) -> dict[str, Any]:
        """Apply all safe fixes of a document: ``{uri}``."""
        uri = _uri(arguments)
        edit = await self.actions.fix_all(uri)
        if edit is None:
            return {"applied": False, "reason": "nothing can be fixed safely"}
        if not self.backend.client.applies_edits:
            return {"applied": False, "reason": "the client applies no edits"}
        params = types.ApplyWorkspaceEditParams(edit, label="Fix all (reduction-lint)")
        answer = await self.backend.protocol.ask(types.WORKSPACE_APPLY_EDIT, params)
        return {"applied": answer.applied, "reason": answer.failure_reason or ""}

    async def explain(self, *arguments: Any) -> dict[str, Any]:
        """A page about a rule: its code."""
        code = _value(arguments, "code")
        page = rule_page(code) if isinstance(code, str) else None
        if page is None:
            raise JsonRpcInvalidParams(f"there is no rule {code!r}")
        return await self._show(f"rules/{code}.md", f"{code}", page)

    async def show_trace(self, *arguments: Any) -> dict[str, Any]:
        """The path of a finding, ``{uri, fingerprint}``, or all that is known of a line, ``{uri, line}`` (from 0)."""
        uri = _uri(arguments)
        given: Any = arguments[0]
        target = self.backend.target(uri)

        def work(live: LiveSession, stop: Stop) -> list[str]:
            result = live.result(target.path, stop)
            link = link_of(self.backend.builder(target.folder))
            found = [f for f in result.findings if f.cell == target.cell and _is_meant(f, given)]
            pages = [finding_page(finding, link) for finding in found]
            line = given.get("line") if isinstance(given, dict) else None
            if isinstance(line, int):
                fine = [s for s in result.sites if s.status != "violation" and s.finding.cell == target.cell]
                pages += [site_page(s, link) for s in fine if s.first_line <= line + 1 <= s.last_line]
            return pages

        pages = await self._ask(target.folder, work)
        text = "\n\n".join(pages) or "Nothing here reduces context or caps a model's answer."
        return await self._show(f"trace/{target.path.name}.md", f"Path in {target.path.name}", text + "\n")

    async def inventory(self, *arguments: Any) -> dict[str, Any]:
        """Every site of a file, ``{uri}``, or of all folders, with its status."""
        if arguments and arguments[0]:
            target = self.backend.target(_uri(arguments))
            places = [(target.folder, [target.path])]
            title = f"Reductions in {target.path.name}"
        else:
            places = [(folder, await self._ask(folder, _files)) for folder in self.backend.folders.workspace]
            title = "Reductions"
        found: list[tuple[Site, str]] = []
        for folder, paths in places:
            for path in paths:
                found += await self._ask(folder, lambda live, stop, f=folder, p=path: self._sites(live, f, p, stop))  # type: ignore[misc]
        sites = [{**finding_data(site.finding), "status": site.status, "uri": uri} for site, uri in found]
        shown = await self._show("inventory.md", title, inventory_page(title, found))
        return {**shown, "sites": sites}

    async def restart(self, *arguments: Any) -> None:
        """Read settings and files anew."""
        self.lifecycle.restart()

    async def debug_info(self, *arguments: Any) -> dict[str, Any]:
        """What to put into a bug report."""
        folders = []
        for folder in self.backend.folders:
            counts = await self._ask(folder, lambda live, stop: live.counts())
            folders.append({"path": str(folder.path), **counts, "settings": vars(folder.settings)})
        protocol = self.backend.protocol
        info = {
            "version": __version__,
            "python": sys.version.split()[0],
            "executable": sys.executable,
            "platform": platform.platform(),
            "encoding": str(self.backend.client.encoding),
            "waiting": self.backend.worker.waiting,
            "pending": len(protocol._request_futures),
            "progress": len(self.backend.server.work_done_progress.tokens),
            "folders": folders,
        }
        lines = [f"- {key}: `{value}`" for key, value in info.items() if key != "folders"]
        lines += [f"- folder: `{folder}`" for folder in folders]
        shown = await self._show("debug.md", "Debug information", "# reduction-lint\n\n" + "\n".join(lines) + "\n")
        return {**shown, "info": {**info, "folders": [{**f, "settings": None} for f in folders]}}

    def page(self, uri: str) -> str | None:
        """The text of a document that was shown."""
        return self._pages.get(uri)

    async def _show(self, name: str, title: str, text: str) -> dict[str, Any]:
        """Open a page in a client that can fetch it; any client gets the text with the answer."""
        uri = f"{SCHEME}:/{name}"
        self._pages[uri] = text
        if self.backend.client.shows_documents and self.backend.client.fetches_content:
            params = types.ShowDocumentParams(uri, take_focus=True)
            await self.backend.protocol.ask(types.WINDOW_SHOW_DOCUMENT, params)
        return {"title": title, "uri": uri, "markdown": text}

    async def _ask(self, folder: Folder, work: Callable[[LiveSession, Stop], Any]) -> Any:
        try:
            return await self.backend.ask(folder, work)
        except SettingsError as error:
            raise JsonRpcInvalidParams(str(error)) from None

    def _sites(self, live: LiveSession, folder: Folder, path: Path, stop: Stop) -> list[tuple[Site, str]]:
        if not live.covers(path):
            return []
        sites = sorted(live.result(path, stop).sites, key=lambda site: site.finding.sort_key)
        found = [site for site in sites if site.finding.code != "RL001"]
        return [(s, f"{self.backend.uri_of(path, s.finding.cell)}#L{s.finding.range.start.line}") for s in found]


def _files(live: LiveSession, stop: Stop) -> list[Path]:
    return live.files()


def _is_meant(finding: Any, given: Any) -> bool:
    if not isinstance(given, dict):
        return True
    if "fingerprint" in given:
        return bool(finding.fingerprint == given["fingerprint"])
    line = given.get("line")
    return not isinstance(line, int) or finding.range.start.line <= line + 1 <= finding.range.end.line


def _value(arguments: tuple[Any, ...], key: str) -> Any:
    """The first argument, or its value under a key."""
    first = arguments[0] if arguments else None
    return first.get(key) if isinstance(first, dict) else first


def _uri(arguments: tuple[Any, ...]) -> str:
    uri = _value(arguments, "uri")
    if not isinstance(uri, str):
        raise JsonRpcInvalidParams("the argument must be an object with the uri of a document")
    return uri
