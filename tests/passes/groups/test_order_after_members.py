"""What refers to one member of a group that became single nodes waits for all of them, as Heat does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import verify

SOURCE = """heat_template_version: 2018-08-31
resources:
  g:
    type: OS::Heat::ResourceGroup
    properties: {count: 3, resource_def: {type: OS::Cinder::Volume, properties: {size: 1}}}
  user:
    type: USER
outputs: {o: {value: {get_attr: [g, resource.0]}}}
"""
VOLUME = "OS::Cinder::Volume\n    properties: {size: 1, name: {get_attr: [g, resource.1]}}"
VOLUMES = """OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: OS::Cinder::Volume, properties: {name: {get_attr: [g, refs, 2]}, size: 1}}
"""


@pytest.mark.parametrize("user", [VOLUME, VOLUMES])
def test_it_waits_for_all_members(user: str, tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(SOURCE.replace("USER", user))
    made = convert(source, "hot", "cloudify", carry=False)
    made.write(tmp_path / "b.yaml")
    compared = verify(source, tmp_path / "b.yaml", reported=made.diagnostics)
    assert [item.what for item in compared.differences if not item.is_reported] == []


def test_attached_members_do_not_wait_for_each_other() -> None:
    """An attachment is a part of its volume, and in Heat it is the attachment that waits for the whole group."""
    attachments = "".join(
        f"""
  attachment_{number}:
    type: OS::Cinder::VolumeAttachment
    properties: {{instance_uuid: {{get_resource: server}}, volume_id: {{get_attr: [g, resource.{number}]}}}}"""
        for number in range(2)
    )
    server = "OS::Nova::Server\n    properties: {flavor: f, image: i, networks: [{network: n}]}"
    source = SOURCE.replace("  user:", "  server:").replace("USER", server + attachments)
    made = convert(source, "hot", "cloudify", carry=False)
    nodes = made.document["node_templates"]
    targets = {name: [row["target"] for row in nodes[name].get("relationships", ())] for name in ("g_0", "g_1", "g_2")}
    assert targets == {"g_0": ["server"], "g_1": ["server"], "g_2": []}
    assert not [finding for finding in made.diagnostics if finding.severity != "info"]


def test_attachments_that_depend_on_each_other_order_their_volumes() -> None:
    """What the template says of parts of members holds for these."""
    attachments = """
  first:
    type: OS::Cinder::VolumeAttachment
    depends_on: second
    properties: {instance_uuid: {get_resource: server}, volume_id: {get_attr: [g, resource.0]}}
  second:
    type: OS::Cinder::VolumeAttachment
    properties: {instance_uuid: {get_resource: server}, volume_id: {get_attr: [g, resource.1]}}"""
    server = "OS::Nova::Server\n    properties: {flavor: f, image: i, networks: [{network: n}]}"
    source = SOURCE.replace("  user:", "  server:").replace("USER", server + attachments)
    nodes = convert(source, "hot", "cloudify", carry=False).document["node_templates"]
    targets = {name: [row["target"] for row in nodes[name].get("relationships", ())] for name in ("g_0", "g_1", "g_2")}
    assert targets == {"g_0": ["server", "g_1"], "g_1": ["server"], "g_2": []}
