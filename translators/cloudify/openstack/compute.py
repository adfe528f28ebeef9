"""Servers, flavors, images and key pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.generation2 import runs_as_second
from bpconvert.translators.cloudify.openstack.property_paths import Reading
from bpconvert.translators.evaluate.parameters import is_false
from bpconvert.translators.passes.expressions.choices import each_outcome, outcomes
from bpconvert.translators.passes.expressions.kinds import STRUCTURES

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing


def is_public(flavor: Mapping[Any, Value]) -> bool:
    """True for a flavor that is sure to be public, as one is that says nothing. ``flavor``: its properties."""
    values = outcomes(flavor.get("is_public", MISSING))
    return not any(isinstance(value, ex.Expr) or is_false(value) for value in values)


def _is_private(flavor: Mapping[Any, Value]) -> bool:
    """True for a flavor that is sure to be private."""
    return all(map(is_false, outcomes(flavor.get("is_public", MISSING))))


def write_tenants(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat gives projects access to private flavors only, the plugin to any (and Nova refuses that for public ones)."""
    report = writing.report
    if value == []:
        report("BPC306", source, name=source[-1], value=value)
        own_access(writing, draft, source)
    elif is_public(draft.node.properties):
        report("BPC341", source, name=source[-1], why="everybody has access to a public flavor")
    else:
        if not _is_private(draft.node.properties):
            report("BPC268", source, name=draft.node.name)
        value = writing.looked_up(draft, "tenants", value, source)
        draft.put(("tenants",), writing.rewriter.value(value, source), source)


def own_access(writing: Writing, draft: NodeDraft, source: Path) -> None:
    """Heat gives its own project access to a private flavor that names no others."""
    if not is_public(draft.node.properties):
        writing.report("BPC342", source, name=draft.node.name)


def write_location(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The 3.x plugin has a property for the image's URL, which it does not read (image.py)."""
    draft.put(("image_url",), writing.rewriter.value(value, source), source)
    if not writing.generation2:
        writing.report("BPC343", source, name=draft.node.name)


def prepare_made_up_name(arrangement: Reshaping, node: Node, name: str) -> None:
    """Heat makes up no name for a key pair, the plugin does (openstack_plugin/utils.py, ``get_resource_name``): one
    that is nothing but unique is left to it."""
    current, own = node.properties.get(name), ([ex.System("deployment.name"), node.name],)
    if isinstance(current, ex.Join) and (current.delimiter, current.lists) == ("-", own):
        arrangement.report("BPC684", node.origin(name), name=node.name)
        del node.properties[name]


def name_or_none(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> Value:
    """An empty text is left out, as Heat's client does (novaclient: ``ServerManager._boot``); Nova refuses it. So is
    the default of a parameter, where Cloudify can decide it."""
    if value == "":
        return MISSING
    declared = writing.topology.inputs.get(value.name) if isinstance(value, ex.Input) and not value.keys else None
    if declared is None or declared.default != "" or writing.generation2:
        return value
    return ex.If(ex.Not(ex.Equals(value, "", path=source), path=source), value, path=source)


def save_private_key(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The plugin always keeps the private key that it gets, and it gets none for a given public key."""
    if value is True or draft.node.properties.get("public_key") is not None:
        writing.report("BPC306", source, name=source[-1], value=value)
    else:
        writing.report("BPC337", source, name=draft.node.name)


def private_key(writing: Writing, draft: NodeDraft, source: Path) -> None:
    """Heat keeps the private key only when asked to, the plugin always."""
    if draft.node.properties.get("public_key") is None:
        writing.report("BPC337", source, name=draft.node.name)


def read_tenants(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Heat adds its own project to a private flavor that names no others, the plugin does not. Nova refuses to give
    access to a public one (nova: compute/flavor_access.py, ``_add_tenant_access``)."""
    entry = reading.entry(rule)
    if entry is not None and entry.value != []:
        reading.put(name, entry.value, entry.place)
        if is_public(reading.node.properties):
            reading.report("BPC682", entry.place, name=reading.node.name)
    elif _is_private(reading.node.properties):
        reading.report("BPC342", reading.node.origin("is_public"), name=reading.node.name)


def read_location(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Heat loads the image from the URL that the 3.x plugin does not read."""
    entry = reading.entry(rule)
    if entry is not None:
        reading.put(name, entry.value, entry.place)
        if not runs_as_second(reading.node.ancestry):
            reading.report("BPC343", entry.place, name=reading.node.name)


def texts_of_metadata(writing: Writing, draft: NodeDraft, value: Value, source: Path) -> Value:
    """Heat sends values that are no text as JSON (``meta_serialize``), the compute API takes texts only."""
    if isinstance(value, dict):
        return {key: _metadata_text(writing, part, (*source, key)) for key, part in value.items()}
    if isinstance(value, ex.If):
        return each_outcome(value, lambda part: texts_of_metadata(writing, draft, part, source))
    if isinstance(value, ex.Merge) and isinstance(value.maps, (list, tuple)):
        path = value.path or source
        maps = [texts_of_metadata(writing, draft, part, path) for part in value.maps]
        return ex.Merge(maps, strict=value.strict, path=value.path)
    usual = writing.rewriter.by_default(value) if isinstance(value, ex.Expr) else MISSING
    if not isinstance(usual, dict) or takes_metadata(usual):
        return value
    texts = {key: part if isinstance(part, str) else json.dumps(part) for key, part in usual.items()}
    return writing.rewriter.asked(value, value.path or source, "metadata has to be texts", texts)


def takes_metadata(value: Value) -> bool | None:
    """Whether Nova takes ``value`` as metadata: a map of texts. None for a map that only a call yields; other findings
    are about single values that do."""
    if value is None or isinstance(value, ex.Expr):
        return True if value is None else None
    return isinstance(value, dict) and all(isinstance(part, (str, ex.Expr)) for part in value.values())


def _metadata_text(writing: Writing, value: Value, path: Path) -> Value:
    if isinstance(value, str) or value is MISSING:
        return value
    if ex.is_constant(value):
        text = json.dumps(value)
        writing.report("BPC509", path, value=text)
        return text
    if isinstance(value, ex.If):
        return each_outcome(value, lambda part: _metadata_text(writing, part, path))
    kind = writing.rewriter.kind(value)
    if isinstance(value, ex.Input) and kind in ("number", "boolean"):
        writing.report("BPC332", path)
        path = value.path
        return ex.Concat((value,), path=path) if kind == "number" else ex.If(value, "true", "false", path=path)
    joined = ex.Join("", ([value],), path=path)  # of one structure: its JSON
    rewriter = writing.rewriter
    if kind in STRUCTURES and rewriter.has_data_elsewhere and rewriter.is_computed_elsewhere(joined):
        return joined
    usual = writing.rewriter.by_default(value)
    if kind == "text" or (kind == "any" and (usual is MISSING or isinstance(usual, str))):
        return value
    if usual is MISSING:
        writing.report("BPC334", path)
        return value
    text = usual if isinstance(usual, str) else json.dumps(usual)
    return writing.rewriter.asked(value, path, "metadata has to be texts", text)


def user_data_format(writing: Writing, draft: NodeDraft, source: Path) -> None:
    """Heat wraps user data in a multipart text with its own tools unless it is configured not to."""
    if draft.node.properties.get("user_data") is not None:
        writing.report("BPC339", source, name=draft.node.name)
        draft.assumed["user_data_format"] = "HEAT_CFNTOOLS"


def read_metadata(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Heat writes numbers as text by itself."""
    entry = reading.entry(rule)
    if entry is None or (entry.value == {} and not entry.own):
        return
    value = entry.value
    if isinstance(value, dict):
        value = {key: _plain_number(reading, part) for key, part in value.items()}
    reading.put(name, value, entry.place)


def _plain_number(reading: Reading, value: Value) -> Value:
    if isinstance(value, ex.Concat) and len(value.items) == 1:
        inner = value.items[0]
        if isinstance(inner, ex.Input) and not inner.keys and inner.name in reading.numbers:
            return inner
    return value
