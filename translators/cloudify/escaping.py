"""Data that a stand-in shows in another form, and back: what would be a call in Cloudify, or is nested deeper than it
evaluates, is JSON text there (:meth:`~.rewriter.DslRewriter.collision`, ``too_deep``), and so is text beyond ASCII.

The forms are unambiguous: a text that looks like one of them already is JSON text itself.
"""

from __future__ import annotations

import json
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.vocabulary import DEEPEST

#: from here on JSON text may be what is too deep (the steps to the properties count, and those of a group around them)
_DEEP = DEEPEST - 8
_NOTHING = object()


def guarded(value: Value, path: Path, reporter: Reporter, depth: int = 0) -> Value:
    """The properties at ``path`` of a stand-in, the texts in which could be taken for another form of data written as
    JSON, which is reported."""
    if isinstance(value, dict):
        return {key: guarded(item, (*path, key), reporter, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [guarded(item, (*path, index), reporter, depth + 1) for index, item in enumerate(value)]
    if isinstance(value, str) and _meant(value, depth) is not _NOTHING:
        reporter.report("BPC793", path)
        return json.dumps(value)
    return value


def opened(value: Value, depth: int = 0, inside: bool = False) -> Value:
    """The data that the properties of a stand-in stand for. ``inside``: it was JSON text as a whole, in which no text
    is data again."""
    if isinstance(value, dict):
        return {key: opened(item, depth + 1, inside) for key, item in value.items()}
    if isinstance(value, list):
        return [opened(item, depth + 1, inside) for item in value]
    meant = _meant(value, depth) if isinstance(value, str) else _NOTHING
    if isinstance(meant, str):
        return meant
    return value if inside or meant is _NOTHING else opened(meant, depth, inside=True)


def _meant(text: str, depth: int) -> Any:
    """What a text stands for: a map or list, or another text; nothing where it is just a text."""
    if text[:1] not in ("{", "[", '"'):
        return _NOTHING
    try:
        content = json.loads(text)
    except ValueError:
        return _NOTHING
    if isinstance(content, str):
        return content if not content.isascii() or _meant(content, depth) is not _NOTHING else _NOTHING
    data = isinstance(content, (dict, list)) and (depth > _DEEP or collides(content))
    return content if data else _NOTHING
