"""Pictures as PNG, of those as SVG: needs the package cairosvg."""

from __future__ import annotations

from bpconvert.diagnostics import UsageError
from bpconvert.graphs.model import Graph
from bpconvert.graphs.svg import drawing

#: dots for each unit of the SVG
SCALE = 2


def document(graph: Graph) -> bytes:
    """A picture in light colours. Raises UsageError where cairosvg, or the library cairo, is not installed."""
    try:
        import cairosvg
    except (ImportError, OSError):
        raise UsageError("PNG needs the package cairosvg: pip install cairosvg; or write .svg") from None
    picture: bytes = cairosvg.svg2png(bytestring=drawing(graph, alone=True, hover=False).encode(), scale=SCALE)
    return picture
