"""The inventory in JSON; ``schema/inventory.schema.json`` describes it."""

from __future__ import annotations

import json
from typing import Any, TextIO

from reduction_lint.findings import Inventory, Site
from reduction_lint.report.base import Context
from reduction_lint.report.json_format import SCHEMA_VERSION, finding_data, step_data
from reduction_lint.version import __version__


def emit(inventory: Inventory, context: Context, stream: TextIO) -> None:
    """Write the inventory as one JSON document."""
    json.dump(inventory_data(inventory), stream, indent=1)
    stream.write("\n")


def inventory_data(inventory: Inventory) -> dict[str, Any]:
    """The inventory in plain values."""
    return {
        "tool": "reduction-lint",
        "version": __version__,
        "schema": SCHEMA_VERSION,
        "sites": [site_data(site) for site in inventory.sites],
        "errors": [{"path": error.path, "message": error.message} for error in inventory.errors],
        "limits": [{"path": limit.path, "message": limit.message} for limit in inventory.limits],
    }


def site_data(site: Site) -> dict[str, Any]:
    """One site in plain values: those of a finding, its status and what covers it."""
    covered = None if site.covered_by is None else step_data(site.covered_by)
    return {**finding_data(site.finding, show_suppressed=True), "status": site.status, "covered_by": covered}
