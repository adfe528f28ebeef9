"""Pictures as text for other programs: Mermaid (which GitHub and GitLab draw in Markdown) and DOT of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpconvert.diagnostics.shown import without_controls
from bpconvert.graphs.grouping import grouped
from bpconvert.graphs.model import CONNECTS, INSIDE, READS, REFERS, WAITS, Graph, Part

#: meaning -> the arrow of Mermaid, the style of DOT
_ARROWS: Final = {
    INSIDE: ("==>", "bold"),
    CONNECTS: ("-->", "solid"),
    REFERS: ("-->", "solid"),
    READS: ("-.->", "dotted"),
    WAITS: ("-.->", "dashed"),
}


def mermaid(graph: Graph) -> str:
    """A flowchart."""
    graph = grouped(graph)
    keys = {part.key: f"n{number}" for number, part in enumerate(graph.walk(), 1)}
    lines = ["flowchart LR"]
    for part in graph.parts:
        lines += _mermaid_part(part, keys, "  ")
    for arrow in graph.arrows:
        label = f"|{_quoted(short(arrow.label))}|" if arrow.label else ""
        lines.append(f"  {keys[arrow.source]} {_ARROWS[arrow.meaning][0]}{label} {keys[arrow.target]}")
    return "\n".join(lines) + "\n"


def _mermaid_part(part: Part, keys: dict[str, str], indent: str) -> Iterator[str]:
    label = "<br>".join(_mermaid_text(text) for text in (part.name, part.type, part.detail) if text)
    if not part.parts:
        yield f'{indent}{keys[part.key]}["{label}"]'
        return
    yield f'{indent}subgraph {keys[part.key]}["{label}"]'
    for inner in part.parts:
        yield from _mermaid_part(inner, keys, indent + "  ")
    yield f"{indent}end"


def _quoted(text: str) -> str:
    return f'"{_mermaid_text(text)}"'


def _mermaid_text(text: str) -> str:
    """A text that is shown as it is: what is special is written as an entity."""
    shown = without_controls(" ".join(text.split()))
    return "".join(c if c.isalnum() or c in " _-.,:/" else f"#{ord(c)};" for c in shown)


def dot(graph: Graph) -> str:
    """A directed graph; a box with others in it is a cluster."""
    graph = grouped(graph)
    keys = {part.key: f"n{number}" for number, part in enumerate(graph.walk(), 1)}
    anchors = {part.key: keys[next(inner for inner in part.walk() if not inner.parts).key] for part in graph.walk()}
    lines = [
        f"digraph {_dot_text(graph.name)} {{",
        "  rankdir=LR; compound=true;",
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica", fontsize=10];',
    ]
    for part in graph.parts:
        lines += _dot_part(part, keys, "  ")
    boxes = {part.key for part in graph.walk() if part.parts}
    for arrow in graph.arrows:
        more = [f"style={_ARROWS[arrow.meaning][1]}"]
        more += [f"label={_dot_text(short(arrow.label))}"] if arrow.label else []
        more += [f"ltail=cluster_{keys[arrow.source]}"] if arrow.source in boxes else []
        more += [f"lhead=cluster_{keys[arrow.target]}"] if arrow.target in boxes else []
        lines.append(f"  {anchors[arrow.source]} -> {anchors[arrow.target]} [{', '.join(more)}];")
    return "\n".join(lines) + "\n}\n"


def _dot_part(part: Part, keys: dict[str, str], indent: str) -> Iterator[str]:
    label = "label=" + _dot_text("\n".join(text for text in (part.name, part.type, part.detail) if text))
    if not part.parts:
        yield f"{indent}{keys[part.key]} [{label}];"
        return
    yield f"{indent}subgraph cluster_{keys[part.key]} {{"
    yield f"{indent}  {label};"
    for inner in part.parts:
        yield from _dot_part(inner, keys, indent + "  ")
    yield f"{indent}}}"


def _dot_text(text: str) -> str:
    escaped = without_controls(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def short(label: str) -> str:
    """The last part of the name of a type."""
    return label.rpartition("::")[2].rpartition(".")[2].replace("_", " ")
