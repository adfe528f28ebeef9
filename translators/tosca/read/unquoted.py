"""Versions that are written without quotes: YAML makes numbers of them, and 1.10 is 1.1 (Simple Profile 1.3, 3.3.2; all
engines read the number)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.places import entries
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.tree import Map

#: properties of normative types that are versions
_NAMES: Final = ("version", "component_version")
_TYPE: Final = "version"


def report_versions(document: Document, findings: Reports) -> None:
    """Report each version that is another one as a number."""
    for map, name, path in _versions(document.data):
        value = map[name]
        if isinstance(value, float) and isinstance(map, Map):
            text = getattr(map.entry(name)[2], "value", None)
            if isinstance(text, str) and text != str(value):
                findings.report("BPC878", (*path, name), name=name, text=text, value=value)


def _versions(data: dict[Any, Any]) -> Iterator[tuple[dict[Any, Any], str, Path]]:
    """The maps that have versions, by which name and where."""
    for name, declared in entries(data, "inputs").items():
        if isinstance(declared, dict) and declared.get("type") == _TYPE and "default" in declared:
            yield declared, "default", ("inputs", name)
    for name, node in entries(data, "node_templates").items():
        owners: list[tuple[Any, Path]] = [(node, ("node_templates", name))]
        capabilities = entries(node, "capabilities") if isinstance(node, dict) else {}
        owners += [
            (row, ("node_templates", name, "capabilities", capability)) for capability, row in capabilities.items()
        ]
        for owner, path in owners:
            properties = entries(owner, "properties") if isinstance(owner, dict) else {}
            yield from ((properties, key, (*path, "properties")) for key in _NAMES if key in properties)
