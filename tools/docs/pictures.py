"""The pictures of the README: a topology, and what a run prints, both of documents of the corpus."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from bpconvert.cli.main import main
from bpconvert.graphs import graph

#: the template whose topology is drawn
DRAWN: Final = "corpus/hot/whole-application/hot.yaml"
#: the command whose messages are drawn, in a folder with these documents of the corpus
COMMAND: Final = "bpconvert hot2cfy templates/ -o blueprints/"
SOURCES: Final = {
    "shop.yaml": "corpus/hot/whole-application/hot.yaml",
    "zone.yaml": "corpus/hot/designate-first-api/hot.yaml",
    "typo.yaml": "corpus/hot/mistake-unknown-property/hot.yaml",
}
_COLORS: Final = {"error": "#ff7b72", "warning": "#e3b341", "info": "#79c0ff", "$": "#7ee787"}
_CELL, _LINE, _EDGE, _WIDTH = 7.8, 18, 16, 118


def topology(root: Path) -> str:
    """The picture of :data:`DRAWN`."""
    return graph(root / DRAWN, name=str(DRAWN)).text("svg")


def terminal(root: Path) -> str:
    """A terminal after :data:`COMMAND`."""
    lines = [f"$ {COMMAND}", *_printed(root).splitlines()]
    height = _LINE * len(lines) + 2 * _EDGE
    rows = "\n".join(_row(number, line) for number, line in enumerate(lines))
    width = round(_CELL * _WIDTH + 2 * _EDGE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img">\n<title>{escape(COMMAND)}</title>\n'
        "<style>text { font: 13px ui-monospace, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="#0d1117"/>\n{rows}\n</svg>\n'
    )


def _row(number: int, line: str) -> str:
    shown = line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."
    parts = re.split(r"(?<![\w-])(errors?|warnings?|infos?|^\$)(?![\w-])", escape(shown, quote=False))
    spans = "".join(_span(part) for part in parts)
    return f'<text x="{_EDGE}" y="{_EDGE + _LINE * number + 13}" xml:space="preserve">{spans}</text>'


def _span(part: str) -> str:
    color = _COLORS.get(part.rstrip("s"))
    return f'<tspan fill="{color}">{part}</tspan>' if color else part


def _printed(root: Path) -> str:
    """What the command prints on standard error."""
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder).resolve()):
        Path("templates").mkdir()
        for name, source in SOURCES.items():
            Path("templates", name).write_bytes((root / source).read_bytes())
        printed = io.StringIO()
        with contextlib.redirect_stderr(printed):
            main([*COMMAND.split()[1:], "--isolated", "--color", "never"])
        return printed.getvalue().replace(f"{Path().resolve()}/", "")


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before, columns = Path.cwd(), os.environ.get("COLUMNS")
    os.chdir(folder)
    os.environ["COLUMNS"] = str(_WIDTH)
    try:
        yield
    finally:
        os.chdir(before)
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns
