"""What runs, in a service template: every node is selected by the id that exists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running_stacks import IDS, exported

from bpconvert import convert
from bpconvert.adoption import adopt
from bpconvert.diagnostics import DocumentError


def test_a_service_template_selects_what_runs(tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text(json.dumps(exported()), "utf-8")
    result = adopt(tmp_path / "stack.json", "tosca")
    nodes = result.document["topology_template"]["node_templates"]
    assert all(node["directives"] == ["select"] for node in nodes.values())
    ids = {name: node["attributes"]["openstack_id"] for name, node in nodes.items()}
    assert ids == {name: IDS.get(name, f"{name}-id") for name in exported()["resources"] if name != "pw"}
    (tmp_path / "service.yaml").write_text(result.text, "utf-8")
    again = convert(tmp_path / "service.yaml", "tosca", "hot", carry=False).document["resources"]
    assert {name: one["external_id"] for name, one in again.items()} == ids
    blueprint = convert(tmp_path / "service.yaml", "tosca", "cloudify", carry=False).document["node_templates"]
    plugin = [one for one in blueprint.values() if one["type"].startswith("cloudify.nodes.openstack.")]
    assert all(one["properties"]["use_external_resource"] is True for one in plugin)


def test_what_a_service_template_would_make_is_refused(tmp_path: Path) -> None:
    data = exported()
    data["resources"]["vol"]["resource_id"] = None
    (tmp_path / "stack.json").write_text(json.dumps(data), "utf-8")
    with pytest.raises(DocumentError, match="BPC671 'vol' is not taken over: nothing that runs is recorded of it"):
        adopt(tmp_path / "stack.json", "tosca")
