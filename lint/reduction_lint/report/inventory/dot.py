"""The inventory as a graph for Graphviz."""

from __future__ import annotations

from typing import TextIO

from reduction_lint.findings import Inventory
from reduction_lint.report.base import Context
from reduction_lint.report.inventory.graph import COLORS, graph_of


def emit(inventory: Inventory, context: Context, stream: TextIO) -> None:
    """Write the graph: one cluster for each file, one node for each site and each capture."""
    graph = graph_of(inventory)
    out = [
        "digraph reductions {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ]
    for number, (path, nodes) in enumerate(graph.files.items(), 1):
        out += [f"  subgraph cluster_{number} {{", f"    label={_quoted(path)};"]
        for node in nodes:
            fill, line = COLORS.get(node.kind, ("#ffffff", "#1b6e34"))
            shape = ", shape=cylinder, style=filled" if node.kind == "capture" else ""
            label = _quoted("\n".join(node.lines))
            out.append(f'    {node.name} [label={label}, fillcolor="{fill}", color="{line}"{shape}];')
        out.append("  }")
    out += [f"  {source} -> {target};" for source, target in graph.edges]
    stream.write("\n".join([*out, "}"]) + "\n")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
