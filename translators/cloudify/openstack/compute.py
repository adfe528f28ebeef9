"""Flavors, images and key pairs."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack import protocols
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.openstack.protocols import NodeReader, Writing


def _is_private(node: Node) -> bool:
    """True for a flavor that is sure to be private."""
    return str(node.properties.get("is_public")).lower() in ("false", "0", "no", "off", "n", "f")


def _write_tenants(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat gives projects access to private flavors only, the plugin to any (and Nova refuses that for public ones)."""
    report = writing.report
    if value == []:
        report("BPC306", source, name=source[-1], value=value)
        _own_access(writing, draft, source)
    elif not _is_private(draft.node) and not isinstance(draft.node.properties.get("is_public"), ex.Expr):
        report("BPC341", source, name=source[-1], why="everybody has access to a public flavor")
    else:
        writing.looked_up("tenants", value, source)
        draft.put(("tenants",), writing.rewriter.value(value, source), source)


def _own_access(writing: Writing, draft: Draft, source: Path) -> None:
    """Heat gives its own project access to a private flavor that names no others."""
    if _is_private(draft.node):
        writing.report("BPC342", source, name=draft.node.name)


def _write_location(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The 3.x plugin has a property for the image's URL, which it does not read (image.py)."""
    draft.put(("image_url",), writing.rewriter.value(value, source), source)
    if not writing.generation2:
        writing.report("BPC343", source, name=draft.node.name)


def _save_private_key(writing: Writing, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The plugin always keeps the private key that it gets, and it gets none for a given public key."""
    if value is True or draft.node.properties.get("public_key") is not None:
        writing.report("BPC306", source, name=source[-1], value=value)
    else:
        writing.report("BPC337", source, name=draft.node.name)


def _private_key(writing: Writing, draft: Draft, source: Path) -> None:
    if draft.node.properties.get("public_key") is None:
        writing.report("BPC337", source, name=draft.node.name)


def _read_tenants(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat adds its own project to a private flavor that names no others, the plugin does not."""
    entry = reading.entry(rule)
    if entry is not None and entry.value != []:
        reading.put(name, entry.value, entry.place)
    elif _is_private(reading.node):
        reading.report("BPC342", reading.node.origin("is_public"), name=reading.node.name)


def _read_location(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat loads the image from the URL that the 3.x plugin does not read."""
    entry = reading.entry(rule)
    if entry is not None:
        reading.put(name, entry.value, entry.place)
        if not reading.written.old:
            reading.report("BPC343", entry.place, name=reading.node.name)


PRESENT: Final[dict[str, protocols.WriteHook]] = {
    "flavor_tenants": _write_tenants,
    "image_location": _write_location,
    "save_private_key": _save_private_key,
}
ABSENT: Final[dict[str, protocols.AbsentHook]] = {
    "flavor_tenants": _own_access,
    "save_private_key": _private_key,
}
READ: Final[dict[str, protocols.ReadHook]] = {
    "flavor_tenants": _read_tenants,
    "image_location": _read_location,
}
