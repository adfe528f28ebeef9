"""The node types of a service template: those of resources, as far as they are used, and the imported ones."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2018-08-31\n"
WORD = {"type": "string", "required": False}
WHOLE = {"type": "integer", "required": False}
MAP = {"type": "map", "entry_schema": {"type": "string"}, "required": False}
LIST = {"type": "list", "entry_schema": {"type": "string"}, "required": False}


def made_of(body: str, **choices: Any) -> Result:
    return convert(HOT + body, "hot", "tosca", carry=False, **choices)


def types(made: Result) -> dict[str, Any]:
    found: dict[str, Any] = made.document.get("node_types", {})
    return found


def type_of(made: Result, node: str) -> str:
    return str(made.document["topology_template"]["node_templates"][node]["type"])


@pytest.mark.parametrize(
    ("type", "name", "becomes", "definition"),
    [
        ("OS::Nova::Server", "name", "openstack.nova.Server", WORD),
        ("OS::Nova::Server", "config_drive", "openstack.nova.Server", {"type": "boolean", "required": False}),
        ("OS::Nova::Server", "metadata", "openstack.nova.Server", MAP),
        ("OS::Nova::Server", "security_groups", "openstack.nova.Server", LIST),
        ("OS::Cinder::Volume", "size", "openstack.cinder.Volume", WHOLE),
        ("OS::Cinder::Volume", "unknown", "openstack.cinder.Volume", WORD),
    ],
)
def test_a_property_is_of_the_type_that_the_resource_has(
    type: str, name: str, becomes: str, definition: dict[str, Any]
) -> None:
    """Where its value is a call."""
    made = made_of(
        "parameters: {p: {type: string}}\n"
        f"resources: {{x: {{type: '{type}', properties: {{{name}: {{get_param: p}}}}}}}}\n"
    )
    assert types(made)[becomes]["properties"] == {name: definition}


def test_only_what_is_used_is_defined() -> None:
    """Attributes that the parent has are its own, unless they are entered."""
    made = made_of(
        "resources:\n  a: {type: OS::Nova::Server, properties: {image: i}}\n"
        "  b: {type: OS::Nova::Server, properties: {flavor: f}}\n  k: {type: OS::Nova::KeyPair}\n"
        "outputs: {o: {value: {get_attr: [a, first_address]}}, p: {value: {get_attr: [b, networks]}}}\n"
    )
    assert types(made) == {
        "openstack.nova.Server": {
            "derived_from": "tosca.nodes.Compute",
            "metadata": {"heat_name": "OS::Nova::Server"},
            "properties": {"image": WORD, "flavor": WORD},
            "attributes": {"first_address": {"type": "string"}},
        },
        "openstack.nova.KeyPair": {
            "derived_from": "tosca.nodes.Root",
            "metadata": {"heat_name": "OS::Nova::KeyPair"},
        },
    }


@pytest.mark.parametrize("properties", ["{a: b}", "{get_param: p}", "{}"])
def test_a_stand_in_shows_a_type_properties_and_operations(properties: str) -> None:
    made = made_of(
        f"parameters: {{p: {{type: json}}}}\nresources: {{i: {{type: Some::Type, properties: {properties}}}}}\n"
    )
    assert types(made) == {
        "bpconvert.nodes.HeatNode": {
            "derived_from": "tosca.nodes.Root",
            "properties": {"heat_type": WORD, "heat_properties": MAP, "heat_operations": MAP},
        }
    }


def test_an_inherited_attribute_is_defined_where_a_part_of_it_is_read() -> None:
    """Beside the whole."""
    made = made_of(
        "resources: {a: {type: OS::Nova::Server, properties: {image: i}}, k: {type: OS::Nova::KeyPair}}\n"
        "outputs: {o: {value: {get_attr: [a, networks]}}, p: {value: {get_attr: [a, networks, n, 0]}}}\n"
    )
    assert types(made)["openstack.nova.Server"]["attributes"]["networks"]["type"] == "map"
    assert "attributes" not in types(made)["openstack.nova.KeyPair"]


def test_an_existing_resource_has_an_id_beside_what_is_read() -> None:
    made = made_of(
        "resources: {n: {type: OS::Neutron::Net, external_id: abc}, m: {type: OS::Neutron::Net}}\n"
        "outputs: {o: {value: {get_attr: [m, mtu]}}}\n"
    )
    assert types(made)["openstack.neutron.Net"] == {
        "derived_from": "tosca.nodes.network.Network",
        "metadata": {"heat_name": "OS::Neutron::Net"},
        "attributes": {"mtu": {"type": "string"}, "openstack_id": {"type": "string"}},
    }


VALUES = """resources:
  a: {type: OS::Heat::Value, properties: {value: 1}}
  b: {type: OS::Heat::Value, properties: {value: [x]}}
  c: {type: OS::Heat::Value, properties: {value: {k: v}}}
  d: {type: OS::Heat::Value, properties: {value: [y]}}
  e: {type: OS::Heat::Value, properties: {value: 2}}
  f: {type: OS::Heat::Value}
  g: {type: OS::Heat::Value, properties: {value: [x, {a: b}]}}
  h: {type: OS::Heat::Value, properties: {value: [y, {a: c}]}}
"""


def test_values_of_different_types_have_node_types_of_their_own() -> None:
    """Those of one type share it, and so do lists that are written as maps."""
    made = made_of(VALUES)
    ends = {name: type_of(made, name).removeprefix("openstack.heat.Value") for name in "abcdefgh"}
    assert ends == {"a": "", "b": ".2", "c": ".3", "d": ".2", "e": "", "f": "", "g": ".4", "h": ".4"}
    values = [types(made)[f"openstack.heat.Value{end}"]["properties"]["value"] for end in ("", ".2", ".3", ".4")]
    assert values == [WHOLE, LIST, MAP, {"type": "openstack.heat.Value.4.value", "required": False}]
    assert [one.path[1] for one in made.diagnostics if one.code == "BPC428"] == ["g", "h"]


def test_values_of_one_type_share_the_node_type() -> None:
    made = made_of(
        "resources:\n  a: {type: OS::Nova::KeyPair, properties: {name: x}}\n"
        "  b: {type: OS::Nova::KeyPair}\n  c: {type: OS::Nova::KeyPair, properties: {name: y, type: ssh}}\n"
    )
    assert list(types(made)) == ["openstack.nova.KeyPair"]
    assert types(made)["openstack.nova.KeyPair"]["properties"] == {"name": WORD, "type": WORD}


def test_a_single_value_of_any_shape_has_the_plain_node_type() -> None:
    made = made_of("resources: {g: {type: OS::Heat::Value, properties: {value: [x, {a: b}]}}}\n")
    assert list(types(made)) == ["openstack.heat.Value"]


def test_a_server_requires_volumes_of_several_types() -> None:
    """Any node fulfils it, then."""
    attached = "{type: OS::Cinder::VolumeAttachment, properties: {volume_id: {get_resource: v}, instance_uuid: "
    body = (
        "resources:\n  v: {type: OS::Cinder::Volume, properties: {size: 1}}\n%s"
        "  s: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
        f"  x: {attached}{{get_resource: s}}}}}}\n"
    )
    for more, node in (
        ("", "openstack.cinder.Volume"),
        ("  w: {type: OS::Cinder::Volume, properties: {size: {a: b}}}\n", "tosca.nodes.Root"),
    ):
        (row,) = types(made_of(body % more))["openstack.nova.Server"]["requirements"]
        assert row["volume"]["node"] == node


# -- values as Heat reads them ------------------------------------------------------------------------------


def test_a_value_that_no_type_fits_is_written_as_heat_reads_it() -> None:
    made = made_of("resources: {k: {type: OS::Nova::Server, properties: {image: i, tags: [a, 5]}}}\n")
    node = made.document["topology_template"]["node_templates"]["k"]
    assert node["properties"]["tags"] == ["a", "5"]
    assert types(made)["openstack.nova.Server"]["properties"]["tags"] == LIST
    made = made_of("resources: {k: {type: OS::Nova::Server, properties: {image: i, tags: [4, 5]}}}\n")
    node = made.document["topology_template"]["node_templates"]["k"]
    assert node["properties"]["tags"] == [4, 5]


# -- the profile --------------------------------------------------------------------------------------------

PLAIN = "k: {type: OS::Nova::KeyPair, properties: {name: x}}"


def test_the_types_of_the_profile_are_imported() -> None:
    made = made_of(f"resources: {{{PLAIN}, i: {{type: Some::Type}}}}\n", profile=True)
    assert made.document["imports"] == ["openstack-types.yaml"]
    assert list(types(made)) == ["bpconvert.nodes.HeatNode"]


@pytest.mark.parametrize(
    ("more", "lacks"),
    [
        ("n: {type: OS::Neutron::Net, external_id: abc}", "'openstack_id' of openstack.neutron.Net"),
        ("n: {type: OS::Nova::Server, properties: {odd: 5}}", "'odd' of openstack.nova.Server"),
    ],
)
def test_they_are_not_imported_where_they_lack_something(more: str, lacks: str) -> None:
    """All of them are defined here, then."""
    made = made_of(f"resources: {{{PLAIN}, {more}}}\n", profile=True)
    assert "imports" not in made.document
    assert len(types(made)) == 2
    words = f"the node types are not imported from 'openstack-types.yaml', which has not {lacks} as it is here"
    assert [(one.path, one.message) for one in made.diagnostics if one.code == "BPC881"] == [
        (("resources", "n"), words)
    ]


def test_without_the_option_nothing_is_imported() -> None:
    made = made_of(f"resources: {{{PLAIN}}}\n")
    assert "imports" not in made.document
    assert list(types(made)) == ["openstack.nova.KeyPair"]
