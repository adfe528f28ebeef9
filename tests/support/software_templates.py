"""Templates with software configurations and deployments, and what their blueprints have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from bpconvert.api import Result, convert

VM = """
  vm:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}
"""
CONFIG = """
  config:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: "#!/bin/sh\\ntrue\\n"}
"""
DEPLOYMENT = """
  deployment:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: vm}}
"""
LIFECYCLE = "cloudify.interfaces.lifecycle"


def converted(*resources: str, folder: Path | None = None, head: str = "", **options: Any) -> Result:
    text = f"heat_template_version: 2018-08-31\n{head}resources:\n{''.join(resources)}"
    if folder is None:
        return convert(text, carry=False, **options)
    (folder / "hot.yaml").write_text(text, encoding="utf-8")
    return convert(folder / "hot.yaml", carry=False, **options)


def nodes(result: Result) -> Any:
    return yaml.safe_load(result.text)["node_templates"]


def created(result: Result, name: str = "deployment") -> Any:
    """The operation ``create`` of a node."""
    return nodes(result)[name]["interfaces"][LIFECYCLE]["create"]


def targets(result: Result, name: str) -> list[str]:
    return [relationship["target"] for relationship in nodes(result)[name].get("relationships", ())]


def whys(result: Result) -> dict[str, str]:
    """Stand-in -> why it is one."""
    found = [d for d in result.diagnostics if d.code in ("BPC720", "BPC799")]
    return {d.path[1]: d.message.rpartition("creates nothing: ")[2] for d in found}


def deployment(name: str = "deployment", **properties: str) -> str:
    """A deployment with other properties."""
    own = {"config": "{get_resource: config}", "server": "{get_resource: vm}", **properties}
    return f"\n  {name}:\n    type: OS::Heat::SoftwareDeployment\n    properties:\n" + "".join(
        f"      {key}: {value}\n" for key, value in own.items()
    )


def config(name: str = "config", **properties: str) -> str:
    """A configuration with other properties."""
    own = {"group": "script", "config": '"#!/bin/sh\\ntrue\\n"', **properties}
    return f"\n  {name}:\n    type: OS::Heat::SoftwareConfig\n    properties:\n" + "".join(
        f"      {key}: {value}\n" for key, value in own.items()
    )
