"""The hooks of flavors and images (see :mod:`hooks` and, for the way back, :mod:`unhooks`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
    from bpconvert.translators.cloudify.openstack.protocols import NodeReader
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes


def is_private(node: Node) -> bool:
    """True for a flavor that is sure to be private."""
    return str(node.properties.get("is_public")).lower() in ("false", "0", "no", "off", "n", "f")


def tenants(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat gives projects access to private flavors only, the plugin to any (and Nova refuses that for public ones)."""
    report = nodes.context.reporter.report
    if value == []:
        report("BPC306", source, name=source[-1], value=value)
        own_access(nodes, draft, source)
    elif not is_private(draft.node) and not isinstance(draft.node.properties.get("is_public"), ex.Expr):
        report("BPC341", source, name=source[-1], why="everybody has access to a public flavor")
    else:
        nodes.looked_up("tenants", value, source)
        draft.put(("tenants",), nodes.rewriter.value(value, source), source)


def own_access(nodes: Nodes, draft: Draft, source: Path) -> None:
    """Heat gives its own project access to a private flavor that names no others."""
    if is_private(draft.node):
        nodes.context.reporter.report("BPC342", source, name=draft.node.name)


def location(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The 3.x plugin has a property for the image's URL, which it does not read (image.py)."""
    draft.put(("image_url",), nodes.rewriter.value(value, source), source)
    if nodes.context.options.plugin != "v2":
        nodes.context.reporter.report("BPC343", source, name=draft.node.name)


# -- the way back -------------------------------------------------------------------------------------------


def tenants_back(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat adds its own project to a private flavor that names no others, the plugin does not."""
    entry = reading.entry(rule)
    if entry is not None and entry.value != []:
        reading.put(name, entry.value, entry.place)
    elif is_private(reading.node):
        reading.report("BPC342", reading.node.origin("is_public"), name=reading.node.name)


def location_back(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat loads the image from the URL that the 3.x plugin does not read."""
    entry = reading.entry(rule)
    if entry is not None:
        reading.put(name, entry.value, entry.place)
        if not reading.written.old:
            reading.report("BPC343", entry.place, name=reading.node.name)
