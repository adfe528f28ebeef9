"""Pictures as SVG, by ``templates/graph.svg.j2`` and ``templates/graph.css``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpconvert import templates
from bpconvert.diagnostics.shown import without_controls
from bpconvert.graphs.grouping import grouped
from bpconvert.graphs.layout import BOLD, LINE, PADDING, Box, Line, lay_out, text_width
from bpconvert.graphs.model import MEANINGS, Graph, Part

if TYPE_CHECKING:
    from jinja2 import Environment

#: where the layouts of pictures and reports are
LAYOUTS: Final = Path(templates.__file__).parent
MARGIN: Final = 12
#: family (a colour) -> kinds
_FAMILIES: Final = {
    "net": (
        "net", "subnet", "port", "router", "router_interface", "router_gateway", "provider_net", "extra_route",
        "floating_ip", "floating_ip_association", "nova_floating_ip_association", "dns_zone", "dns_recordset",
        "rbac_policy",
    ),
    "guard": (
        "security_group", "security_group_rule", "keypair", "user", "project", "keystone_group", "keystone_role",
        "user_role_assignment", "group_role_assignment",
    ),
    "compute": ("server", "server_group", "flavor", "image", "host_aggregate"),
    "store": ("volume", "volume_attachment", "volume_type", "share", "share_network"),
    "soft": (
        "software_config", "software_deployment", "software_deployment_group", "cloud_config", "multipart_mime",
        "wait_condition", "wait_condition_handle", "random_string", "value",
    ),
    "stack": ("stack", "cfn_stack"),
}  # fmt: skip
FAMILY: Final = {kind: family for family, kinds in _FAMILIES.items() for kind in kinds}
Look = Callable[[Part], dict[str, str]]


def document(graph: Graph) -> str:
    """A picture that is a file of its own, in light or dark colours as the viewer prefers."""
    return drawing(graph, alone=True)


def drawing(graph: Graph, look: Look = lambda part: {}, alone: bool = False, hover: bool = True) -> str:
    """The picture as SVG.

    Args:
        look: part -> ``class`` (further classes) and ``href`` (where a click leads), as far as it has them.
        alone: it is a file of its own, with its colours.
        hover: of a file, a node that the pointer is on shows its arrows alone."""
    graph = grouped(graph)
    picture = lay_out(graph)
    boxes = [_box(box, look(box.part)) for box in picture.boxes]
    lines = [_line(line) for line in picture.lines]
    ends: dict[str, int] = {}
    if alone and hover:
        for made_of, line in zip(picture.lines, lines, strict=True):
            for end in (made_of.arrow.source, made_of.arrow.target):
                line["meaning"] += f" e{ends.setdefault(end, len(ends))}"
        for box, row in zip(picture.boxes, boxes, strict=True):
            row["classes"] += f" n{ends[box.part.key]}" if box.part.key in ends else ""
    svg = environment().get_template("graph.svg.j2").render(
        graph=graph,
        width=round(picture.width + 2 * MARGIN),
        height=round(picture.height + 2 * MARGIN),
        boxes=boxes,
        lines=lines,
        ends=len(ends),
        alone=alone,
        meanings=MEANINGS,
    )  # fmt: skip
    return svg.encode("utf-8", "backslashreplace").decode()


@cache
def environment() -> Environment:
    """Where the layouts are; what they put in is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(LAYOUTS), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        autoescape=True, keep_trailing_newline=True, finalize=_shown,
    )  # fmt: skip


def _shown(value: Any) -> Any:
    """What is put in: no control characters, which XML has no place for."""
    return without_controls(value) if isinstance(value, str) else value


def _box(box: Box, look: dict[str, str]) -> dict[str, Any]:
    part, room = box.part, box.width - 2 * PADDING - 4
    family = FAMILY.get(part.kind, "group" if part.type == "group" else "other")
    classes = " ".join(filter(None, ["box" if part.parts else "node", family, look.get("class")]))
    x, y = box.x + MARGIN, box.y + MARGIN
    texts = [("name", part.name), ("type", part.type), ("detail", part.detail)]
    shown = [
        (kind, fitting(text, room / BOLD if kind == "name" else room, kind != "name")) for kind, text in texts if text
    ]
    top = y + PADDING * 0.8 + LINE * 0.75
    title = "\n".join(text for _, text in texts if text) + (f"\nline {part.line}" if part.line else "")
    return {
        "x": _short(x), "y": _short(y), "width": _short(box.width), "height": _short(box.height),
        "inner": bool(part.parts), "classes": classes, "href": look.get("href", ""), "title": title,
        "texts": [
            (kind, _short(x + PADDING + 4), _short(top + number * LINE), text)
            for number, (kind, text) in enumerate(shown)
        ],
    }  # fmt: skip


def _line(line: Line) -> dict[str, str]:
    points = [(x + MARGIN, y + MARGIN) for x, y in line.points]
    path = f"M{_short(points[0][0])} {_short(points[0][1])}"
    for (x1, y1), (x2, y2) in pairwise(points):
        middle = (x1 + x2) / 2
        path += f"C{_short(middle)} {_short(y1)} {_short(middle)} {_short(y2)} {_short(x2)} {_short(y2)}"
    arrow = line.arrow
    title = f"{arrow.source} {MEANINGS[arrow.meaning]} {arrow.target}" + (f" ({arrow.label})" if arrow.label else "")
    return {"path": path, "meaning": arrow.meaning, "tip": arrow.meaning, "title": title}


def _short(number: float) -> str:
    """One digit behind the point, the same with any Python: sums of floats are exacter since 3.12."""
    return f"{round(number, 6):.1f}".removesuffix(".0")


def fitting(text: str, room: float, keep_end: bool = False) -> str:
    """A text cut to a width: its beginning, or its end where that is what tells it from others."""
    text = " ".join(text.split())
    if text_width(text) <= room:
        return text
    while text and text_width(text) + 7 > room:
        text = text[1:] if keep_end else text[:-1]
    return f"…{text}" if keep_end else f"{text}…"
