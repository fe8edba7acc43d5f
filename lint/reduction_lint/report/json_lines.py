"""One JSON object a line: findings, errors and limits, told apart by their key ``type``."""

from __future__ import annotations

import json
from typing import Any, TextIO

from reduction_lint.findings import Report
from reduction_lint.report.base import Context
from reduction_lint.report.json_format import report_data


def emit(report: Report, context: Context, stream: TextIO) -> None:
    """Write the findings as ``finding``, then ``error``, ``limit`` and one ``statistics``."""
    data = report_data(report, show_suppressed=context.show_suppressed)
    for kind, key in (("finding", "findings"), ("error", "errors"), ("limit", "limits")):
        for item in data[key]:
            _write({"type": kind, **item}, stream)
    _write({"type": "statistics", "version": data["version"], "schema": data["schema"], **data["statistics"]}, stream)


def _write(item: dict[str, Any], stream: TextIO) -> None:
    stream.write(json.dumps(item, separators=(",", ":")) + "\n")
