"""Reports as Markdown (GitHub's), laid out by ``templates/report.md.j2``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bpconvert import templates
from bpconvert.diagnostics.shown import without_controls
from bpconvert.reports import Report
from bpconvert.reports.estate import estate

if TYPE_CHECKING:
    from jinja2 import Environment

#: where the layouts of reports are
LAYOUTS: Final = Path(templates.__file__).parent
_MARKUP: Final = re.compile(r"([\\`*_\[\]<>|~#!&])")


def text(report: Report) -> str:
    """The report as Markdown text."""
    template = _environment().get_template("report.md.j2")
    done = "checked" if report.data["command"] == "check" else "converted"
    page = template.render(report=report.data, estate=estate(report), files=report.data["files"], done=done)
    return page.encode("utf-8", "backslashreplace").decode()


def inert(value: object) -> str:
    """A text that Markdown shows as it is, in one line: no markup, no link, no mention."""
    shown = _MARKUP.sub(r"\\\1", without_controls(" ".join(str(value).split())))
    return shown.replace("@", "&#64;").replace("://", "&#58;//")


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(LAYOUTS), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, finalize=inert,
    )  # fmt: skip
    return environment
