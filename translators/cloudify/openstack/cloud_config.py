"""Configurations of cloud-init: a map that both engines write as YAML after the line ``#cloud-config``.

Heat writes it with PyYAML (heat/engine/resources/openstack/heat/cloud_config.py), the utilities plugin with ruamel.yaml
(cloudify_cloudinit/__init__.py). The order of keys differs, and which texts get quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, Reading

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing

KIND = "cloud_config"
#: texts by YAML 1.2, something else by YAML 1.1
_AMBIGUOUS = (
    r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*"
)
#: the utilities plugin's form of a file that it puts into ``write_files``
_FILE = "file_resource"


def put(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Write the configuration."""
    report_texts(writing.report, value, source)
    draft.put((CONFIG,), writing.rewriter.value(value, source), source)


def report_texts(report: Callable[..., Any], value: Value, path: Path) -> None:
    """Report every text that only one of both engines writes with quotes."""
    if isinstance(value, dict):
        for key, item in value.items():
            report_texts(report, key, (*path, key))
            report_texts(report, item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            report_texts(report, item, (*path, index))
    elif isinstance(value, str) and re.fullmatch(_AMBIGUOUS, value):
        report("BPC717", path, value=value)


def takes_text(path: Path) -> bool:
    """True for a place where Heat takes the id of a configuration for its text (user data, parts, deployments), also as
    a branch of a choice, and for what becomes user data (``inject_files`` of ETSI's types)."""
    while path[-2:-1] == ("if",):
        path = path[:-2]
    last = path[-1] if path else None
    is_given = last == "config" and ("parts" in path or path[-2:-1] == ("properties",))
    return last in ("user_data", "userdata", "inject_files") or is_given


def read(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The configuration as it is written; its keys are no settings of a resource."""
    entries = reading.written.entries
    place = (*reading.node.path, "properties", CONFIG)
    for path in [path for path in entries if path.startswith(f"{CONFIG}.")]:
        del entries[path]
    reading.written.opaque.clear()
    value = reading.node.declared.get(CONFIG)
    if value is None:
        return
    files = value.get("write_files") if isinstance(value, dict) else None
    for index, item in enumerate(files if isinstance(files, list) else ()):
        content = item.get("content") if isinstance(item, dict) else None
        if isinstance(content, dict) and content.get("resource_type") == _FILE:
            why = "the plugin puts a file of the blueprint here, elsewhere it has to be written out"
            reading.lost("content", (*place, "write_files", index, "content"), why)
    report_texts(reading.report, value, place)
    reading.put(name, value, place)


def text(runtime: object, expr: ex.Attribute) -> Value:
    """The text of a configuration; where Heat takes its id for it, the id."""
    if takes_text(expr.path) and not expr.keys:
        return ex.Identity(expr.node, path=expr.path)
    return ex.Attribute(expr.node, "config", expr.keys, path=expr.path)
