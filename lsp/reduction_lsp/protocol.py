"""The wire: pygls' protocol with the answers the specification wants for bad input, and without its leaks.

pygls 2.1.1 gives no answer to a request that does not fit its type, to one before ``initialize`` or after ``shutdown``,
and keeps the futures of finished notifications. Both are mended here and nowhere else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

log = logging.getLogger(__name__)
_OPENING = (types.INITIALIZE, types.EXIT)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message that is no valid one; ``id`` is that of the request, if it is one."""

    id: Any
    error: types.ResponseError


class Protocol(LanguageServerProtocol):
    """See the module."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Turn parsed JSON into a typed message, or into :class:`Malformed`. Called for every nested object."""
        if "jsonrpc" not in data:
            return data
        if "method" not in data and not {"result", "error"} & data.keys():
            return Malformed(data.get("id"), _error(types.ErrorCodes.InvalidRequest, "neither request nor response"))
        if not isinstance(data.get("method", ""), str):
            return Malformed(data.get("id"), _error(types.ErrorCodes.InvalidRequest, "the method is no string"))
        if "method" in data and self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)  # an unknown method is refused as such, with parameters or without
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method = data.get("method", "response")
            return Malformed(data.get("id"), _error(error.code or 0, f"{method}: the parameters do not fit"))

    def handle_message(self, message: Any) -> None:
        """Hand a message to its handler, or say why there is none."""
        if not isinstance(message, Malformed) and not hasattr(message, "jsonrpc"):
            message = Malformed(None, _error(types.ErrorCodes.InvalidRequest, "not a message"))
        if isinstance(message, Malformed):
            self._refuse(message)
            return
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        if method is not None and not self._may_handle(method):
            if number is not None:
                self._send_response(number, error=self._why_not())
            return
        if method == types.INITIALIZE and self._workspace is not None:
            error = _error(types.ErrorCodes.InvalidRequest, "the server is initialized already")
            self._send_response(number or 0, error=error)
            return
        super().handle_message(message)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Let the server end what it does, then cancel all requests but this one."""
        handler = self.fm.features.get(types.SHUTDOWN)
        if handler is not None:
            yield handler, args, None
        current = self.msg_id
        for number, future in list(self._request_futures.items()):
            if number != current and not future.done():
                future.cancel()
        self._shutdown = True

    def parse_failed(self) -> None:
        """Answer to bytes that are no JSON."""
        self._refuse(Malformed(None, _error(types.ErrorCodes.ParseError, "not JSON")))

    def _may_handle(self, method: str) -> bool:
        if self._shutdown:
            return method == types.EXIT
        return self._workspace is not None or method in _OPENING

    def _why_not(self) -> types.ResponseError:
        if self._shutdown:
            return _error(types.ErrorCodes.InvalidRequest, "the server is shut down")
        return _error(types.ErrorCodes.ServerNotInitialized, "the server is not initialized")

    def _refuse(self, message: Malformed) -> None:
        log.warning("refused a message: %s", message.error.message)
        # The types know no answer without an id, as it is owed where the request's cannot be told.
        error = {"code": int(message.error.code), "message": message.error.message}
        if message.id is None or isinstance(message.id, (int, str)):
            self._send_data({"jsonrpc": self.VERSION, "id": message.id, "error": error})

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        def finished(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, finished, args, kwargs)

    def _handle_response(
        self, msg_id: int | str, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():  # nobody waits any more
            self._request_futures.pop(msg_id, None)
            return
        super()._handle_response(msg_id, result, error)

    async def ask(self, method: str, params: Any, timeout: float = 30.0) -> Any:
        """Send a request to the client and wait for its answer; raises :class:`JsonRpcException`, TimeoutError.

        A cancelled caller leaves the request itself alone, for pygls stumbles over answers to cancelled ones.
        """
        answer = asyncio.wrap_future(self.send_request(method, params))
        return await asyncio.wait_for(asyncio.shield(answer), timeout)


def _error(code: int, message: str) -> types.ResponseError:
    return types.ResponseError(code=int(code), message=message)
