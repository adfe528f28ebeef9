"""Components: deployments of another blueprint, as nodes (cloudify_types: component)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import NestedInterface
from bpconvert.translators.support.findings import Reports
from bpconvert.urls import is_url


class NotHereError(Exception):
    """Why the blueprint of a component is not a file beside this one."""


def _exists(what: str, settings: Mapping[str, Any]) -> str:
    is_existing = settings["external_resource"] is True
    return f"the {what} exists already" if is_existing else f"a value decides whether the {what} exists already"


def file_of(properties: Mapping[str, Any]) -> str:
    """The file that a component with these properties is a deployment of; raises NotHereError."""
    config = properties.get("resource_config")
    blueprint = config.get("blueprint") if isinstance(config, dict) else None
    deployment = config.get("deployment", {}) if isinstance(config, dict) else None
    if not isinstance(blueprint, dict) or not isinstance(deployment, dict):
        raise NotHereError("its settings are not written out")
    file, archive = blueprint.get("main_file_name"), blueprint.get("blueprint_archive")
    if properties.get("client"):
        raise NotHereError("it is on another manager")
    if deployment.get("external_resource") not in (None, False):
        raise NotHereError(_exists("deployment", deployment))
    if not isinstance(deployment.get("inputs", {}), dict):
        raise NotHereError("its inputs are not written out")
    if blueprint.get("external_resource") not in (None, False):
        if not isinstance(file, str) or not is_made(blueprint.get("id"), file):
            raise NotHereError(_exists("blueprint", blueprint))
        return file
    if archive in (None, ""):
        if not isinstance(file, str):
            raise NotHereError("it names no file")
        return file
    if not isinstance(archive, str) or not isinstance(file or "", str):
        raise NotHereError("its file is only known when deploying")
    if is_url(archive):
        return f"{archive}/{file or 'blueprint.yaml'}"
    return posixpath.normpath(posixpath.join(archive, file or "blueprint.yaml"))


def attribute(nested: NestedInterface, expr: ex.Attribute) -> Value:
    """What a runtime property of a component is in Heat: an output of the template, or all, or the id of the stack."""
    if expr.name == "capabilities" and expr.keys and isinstance(expr.keys[0], str):
        name = nested.outputs.get(expr.keys[0])
        return expr if name is None else ex.Attribute(expr.node, name, expr.keys[1:], path=expr.path)
    if expr.name == "capabilities" and not expr.keys:
        return {key: ex.Attribute(expr.node, name, path=expr.path) for key, name in nested.outputs.items()}
    if expr.name == "deployment" and expr.keys == ("id",) and "OS::stack_id" not in nested.outputs.values():
        return ex.Identity(expr.node, path=expr.path)
    return expr


def of_capability(
    expr: ex.Capability, components: Mapping[str, tuple[NestedInterface, Mapping[str, Any]]], reporter: Reports
) -> Value:
    """The output that a capability is whose deployment is one of ``components`` (name -> its template and its
    properties). The manager appends a number to the id of a deployment where ``auto_inc_suffix`` asks for it
    (cloudify_types/component/component.py, ``create``)."""
    if expr.scope != "deployment" or not isinstance(expr.name, str):
        return expr
    for node, (nested, properties) in components.items():
        deployment = properties["resource_config"].get("deployment", {})
        deployment_id = deployment.get("id") if deployment.get("auto_inc_suffix") in (None, False) else None
        ids = [attribute(nested, ex.Attribute(node, "deployment", ("id",)))]
        ids += (
            [ex.Property(node, "resource_config", ("deployment", "id")), deployment_id]
            if deployment_id not in (None, "")
            else []
        )
        if expr.deployment in ids and expr.name in nested.outputs:
            reporter.report("BPC329", expr.path, name=expr.name, node=node)
            return ex.Attribute(node, nested.outputs[expr.name], expr.keys, path=expr.path)
    return expr


def blueprint_id(nested: NestedInterface) -> str:
    """The name of the blueprint: that of the file, and what differs with its content."""
    return f"{_stem(nested.file)}-{nested.digest}"


def is_made(name: Any, file: str) -> bool:
    """True for a blueprint's name that :func:`blueprint_id` may have made for ``file``."""
    return isinstance(name, str) and re.fullmatch(re.escape(_stem(file)) + "-[0-9a-f]{8}", name) is not None


def _stem(file: str) -> str:
    """The name of a file as the manager takes it for an id: letters first, no others than ``._-``."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "-", file.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    return stem if stem[:1].isalpha() else f"blueprint-{stem}"
