"""Reports as JSON; :mod:`bpconvert.reports.model` is their shape, ``report.schema.json`` its JSON Schema."""

from __future__ import annotations

import json
from typing import Any

from bpconvert.reports import Report, with_head


def text(report: Report) -> str:
    """The report as JSON text."""
    return dumped(report.data)


def json_report(command: str, **parts: Any) -> str:
    """The report of one run of a command as JSON text; ``parts``: what it has besides the tool and the command."""
    return dumped(with_head(command, **parts))


def dumped(data: dict[str, Any], errors: str = "backslashreplace") -> str:
    """Plain data as JSON text; keys of YAML may be dates. ``errors``: what becomes of bytes in the names of files that
    are no text (see :meth:`str.encode`)."""
    written = json.dumps(data, ensure_ascii=False, indent=2, default=str) + "\n"
    return written.encode("utf-8", errors).decode()
