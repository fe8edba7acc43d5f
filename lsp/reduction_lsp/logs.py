"""Log records go to the client's output channel, at the level it asks for; errors are told to the user once."""

from __future__ import annotations

import asyncio
import logging

from lsprotocol import types
from pygls.lsp.server import LanguageServer

log = logging.getLogger("reduction_lsp")

_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}


def set_level(level: str) -> None:
    """Take over the client's log level: error, warning, info or debug."""
    log.setLevel(_LEVELS[level])


class ClientLog(logging.Handler):
    """Sends records as ``window/logMessage``, from whichever thread they come."""

    def __init__(self, server: LanguageServer, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._server = server
        self._loop = loop

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record; a connection that is gone is no reason to fail."""
        try:
            text = self.format(record)
            self._loop.call_soon_threadsafe(self._send, _type_of(record.levelno), text)
        except RuntimeError:  # the loop is closed
            return

    def _send(self, kind: types.MessageType, text: str) -> None:
        self._server.window_log_message(types.LogMessageParams(kind, text))


def _type_of(level: int) -> types.MessageType:
    if level >= logging.ERROR:
        return types.MessageType.Error
    if level >= logging.WARNING:
        return types.MessageType.Warning
    return types.MessageType.Info if level >= logging.INFO else types.MessageType.Log
