"""Reports as JSON; :mod:`bpconvert.reports.model` is their shape, ``report.schema.json`` its JSON Schema."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from bpconvert.reports import Report, with_head

#: what JSON has in texts as it is, but a terminal, or a reader of lines, takes for something else
_CONTROLS: Final = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


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
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", written).encode("utf-8", errors).decode()
