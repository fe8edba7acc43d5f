"""An inventory as a graph: files hold sites, and captures point at the sites they cover."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from reduction_lint.findings import Inventory, Site, TraceStep
from reduction_lint.report.base import one_line

COLORS = {
    "violation": ("#fde0dc", "#b3261e"),
    "captured": ("#dcf3e0", "#1b6e34"),
    "view": ("#e0ecfb", "#1c5aa6"),
    "opt-in": ("#fbf0d3", "#8a5a00"),
    "excused": ("#ececec", "#555555"),
}
"""Fill and line for each status."""


@dataclass(frozen=True, slots=True)
class Node:
    """A site or a capture: its name in the graph, its label in lines, and the status or "capture"."""

    name: str
    lines: tuple[str, ...]
    kind: str


@dataclass(slots=True)
class Graph:
    """Nodes by file, and edges (from, to) between their names."""

    files: dict[str, list[Node]] = field(default_factory=dict)
    edges: list[tuple[str, str]] = field(default_factory=list)


def graph_of(inventory: Inventory) -> Graph:
    """The graph of an inventory; names are stable for the same sites in the same order."""
    graph = Graph()
    captures: dict[TraceStep, str] = {}
    for number, site in enumerate(inventory.sites, 1):
        name = f"s{number}"
        graph.files.setdefault(site.finding.path, []).append(Node(name, tuple(_label(site)), site.status))
        step = site.covered_by
        if step is not None and site.status == "captured":
            if step not in captures:
                captures[step] = f"c{len(captures) + 1}"
                label = (f"line {step.range.start.line}", one_line(step.message))
                graph.files.setdefault(step.path, []).append(Node(captures[step], label, "capture"))
            graph.edges.append((captures[step], name))
    return graph


def _label(site: Site) -> Iterator[str]:
    finding = site.finding
    yield f"line {finding.range.start.line}: {one_line(finding.value) or finding.technique}"
    code = f" {finding.code}" if site.status == "violation" else ""
    yield f"{finding.technique}, {site.status}{code}"
