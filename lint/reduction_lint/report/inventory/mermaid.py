"""The inventory as a Mermaid flowchart, which GitHub and GitLab draw in Markdown."""

from __future__ import annotations

from typing import TextIO

from reduction_lint.findings import Inventory
from reduction_lint.report.base import Context
from reduction_lint.report.inventory.graph import COLORS, graph_of

_ENTITIES = str.maketrans({char: f"#{ord(char)};" for char in '"#&;<>`\\[]{}()|'})


def emit(inventory: Inventory, context: Context, stream: TextIO) -> None:
    """Write the flowchart: one box for each file, one node for each site and each capture."""
    graph = graph_of(inventory)
    out = ["flowchart LR"]
    for number, (path, nodes) in enumerate(graph.files.items(), 1):
        out.append(f'  subgraph f{number}["{_text(path)}"]')
        for node in nodes:
            label = "<br/>".join(_text(line) for line in node.lines)
            shape = f'[("{label}")]' if node.kind == "capture" else f'["{label}"]'
            out.append(f"    {node.name}{shape}:::{_class(node.kind)}")
        out.append("  end")
    out += [f"  {source} --> {target}" for source, target in graph.edges]
    for status, (fill, line) in COLORS.items():
        out.append(f"  classDef {_class(status)} fill:{fill},stroke:{line},color:#111111")
    out.append("  classDef capture fill:#ffffff,stroke:#1b6e34,color:#111111")
    stream.write("\n".join(out) + "\n")


def _class(status: str) -> str:
    return status.replace("-", "")


def _text(text: str) -> str:
    return text.translate(_ENTITIES)
