"""Servers: metadata and user data."""

from __future__ import annotations

import json
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack import protocols
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.openstack.protocols import NodeReader, Writing


def _write_metadata(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat sends values that are no text as JSON (``meta_serialize``)."""
    if isinstance(value, dict):
        value = {key: _metadata_text(writing, part, (*source, key)) for key, part in value.items()}
    draft.put(tuple((rule.to or "").split(".")), writing.rewriter.value(value, source), source)


def _metadata_text(writing: Writing, value: Value, path: Path) -> Value:
    if isinstance(value, str):
        return value
    if ex.is_constant(value):
        text = json.dumps(value)
        writing.report("BPC509", path, value=text)
        return text
    if isinstance(value, ex.Input) and writing.rewriter.kind(value) == "number":
        writing.report("BPC332", path)
        return ex.Concat((value,), path=value.path)
    if writing.rewriter.kind(value) not in ("text", "any"):
        writing.report("BPC334", path)
    return value


def _user_data_format(writing: Writing, draft: Draft, source: Path) -> None:
    """Heat wraps user data in a multipart text with its own tools unless it is told not to."""
    if draft.node.properties.get("user_data") is not None:
        writing.report("BPC339", source, name=draft.node.name)


def _read_metadata(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat writes numbers as text by itself."""
    entry = reading.entry(rule)
    if entry is None or (entry.value == {} and not entry.own):
        return
    value = entry.value
    if isinstance(value, dict):
        value = {key: _plain_number(reading, part) for key, part in value.items()}
    reading.put(name, value, entry.place)


def _plain_number(reading: NodeReader, value: Value) -> Value:
    if isinstance(value, ex.Concat) and len(value.items) == 1:
        inner = value.items[0]
        if isinstance(inner, ex.Input) and not inner.keys and inner.name in reading.numbers:
            return inner
    return value


PRESENT: Final[dict[str, protocols.WriteHook]] = {"metadata": _write_metadata}
ABSENT: Final[dict[str, protocols.AbsentHook]] = {"user_data_format": _user_data_format}
READ: Final[dict[str, protocols.ReadHook]] = {"metadata": _read_metadata}
