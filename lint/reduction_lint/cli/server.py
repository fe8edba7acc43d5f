"""``reduction-lint server``."""

from __future__ import annotations

import argparse
from importlib import import_module

from reduction_lint.cli.common import UsageError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(args: argparse.Namespace) -> int:
    """Run the language server until its client goes away."""
    address = None if args.tcp is None else _address(args.tcp)
    # By name, for the server lies in a package above this one.
    status: int = import_module("reduction_lsp.server").serve(address)  # ends the process by itself
    return status


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if host not in _LOOPBACK:
        raise UsageError(f'--tcp: "{host}" is not a loopback address; use 127.0.0.1:PORT')
    if not port.isdecimal() or int(port) > 65535:
        raise UsageError(f'--tcp: "{port}" is not a port number')
    return host, int(port)
