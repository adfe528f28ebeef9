"""A server that loses what it boots from is an error."""

from __future__ import annotations

import pytest

from bpconvert import convert

SOURCE = """\
heat_template_version: 2018-08-31
parameters:
  devices: {{type: json, default: []}}
resources:
  gone: {{type: Acme::Volume}}
  kept: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}
  server:
    type: OS::Nova::Server
    properties: {{flavor: small, networks: [{{network: net}}], {more}}}
"""
OLD = "block_device_mapping: {get_param: devices}"


def new(volume: str, index: int = 0) -> str:
    return f"block_device_mapping_v2: [{{volume_id: {{get_resource: {volume}}}, boot_index: {index}}}]"


@pytest.mark.parametrize(
    ("properties", "is_lost"),
    [
        (OLD, True),
        (f"image: debian, {OLD}", False),
        (new("gone"), True),
        (f"image: debian, {new('gone', 1)}", False),
        (new("kept"), False),
    ],
)
def test_a_server_without_its_boot_volume_is_an_error(properties: str, is_lost: bool) -> None:
    found = convert(SOURCE.format(more=properties)).diagnostics
    assert [one.severity for one in found if one.code == "BPC756"] == ["error"] * is_lost
