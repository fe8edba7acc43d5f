"""Ways to print an inventory: one module each, behind one function ``emit(inventory, context, stream)``."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol, TextIO

from reduction_lint.findings import Inventory
from reduction_lint.report.base import Context

FORMATS = ("full", "json", "csv", "mermaid", "dot")
"""The names of the formats."""


class InventoryEmitter(Protocol):
    """One format."""

    def __call__(self, inventory: Inventory, context: Context, stream: TextIO) -> None:
        """Write the whole inventory to the stream."""


def inventory_emitter(name: str) -> InventoryEmitter:
    """The emitter of a format; only its own module is imported."""
    module = {"full": "people", "json": "data", "csv": "table"}.get(name, name)
    emit: InventoryEmitter = import_module(f"reduction_lint.report.inventory.{module}").emit
    return emit
