"""Requirements in place of properties and nodes where there are several servers, ports and volumes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert import convert

HOT = "heat_template_version: 2018-08-31\nresources:\n"
NET = "  net: {type: OS::Neutron::Net}\n"
TYPES = "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
BLUEPRINT = f"tosca_definitions_version: cloudify_dsl_1_3\n{TYPES}node_templates:\n"


def port(name: str, network: str = "{get_resource: net}") -> str:
    return f"  {name}: {{type: OS::Neutron::Port, properties: {{network: {network}}}}}\n"


def server(name: str, networks: str, more: str = "", keys: str = "") -> str:
    properties = f"{{image: i, flavor: f, networks: [{networks}]{more}}}"
    return f"  {name}: {{type: OS::Nova::Server, properties: {properties}{keys}}}\n"


def by(*names: str) -> str:
    """Networks by ports."""
    return ", ".join(f"{{port: {{get_resource: {name}}}}}" for name in names)


def volume(name: str) -> str:
    return f"  {name}: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}\n"


def attachment(name: str, volume: str, server: str, more: str = "") -> str:
    ends = f"volume_id: {{get_resource: {volume}}}, instance_uuid: {{get_resource: {server}}}"
    return f"  {name}: {{type: OS::Cinder::VolumeAttachment, properties: {{{ends}{more}}}}}\n"


def nodes(source: str, dialect: str = "hot") -> dict[str, Any]:
    made = convert(source, dialect, "tosca", carry=False)
    found: dict[str, Any] = yaml.safe_load(made.text)["topology_template"]["node_templates"]
    return found


def required(found: dict[str, Any], node: str, name: str) -> list[Any]:
    """What the requirements of this name of a node lead to."""
    return [row[name] for row in found[node].get("requirements", []) if name in row]


# -- ports --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "first",
    [
        server("a", "{network: out}"),
        server("a", ""),
        port("q") + server("a", by("q"), ", metadata: {k: {get_attr: [q, mac_address]}}"),
        port("q")
        + server("a", by("q"), keys=", depends_on: w")
        + "  w: {type: OS::Heat::RandomString, depends_on: q}\n",
    ],
    ids=["by a network", "without", "names its port", "waits for its port"],
)
def test_a_server_that_has_networks_is_beside_one_that_has_not(first: str) -> None:
    found = nodes(HOT + NET + port("p") + first + server("b", by("p")))
    assert "networks" in found["a"]["properties"]
    assert required(found, "p", "binding") == ["b"]
    assert "networks" not in found["b"]["properties"]
    assert "q" not in found or required(found, "q", "binding") == []


def test_what_waits_for_one_of_several_ports_keeps_all() -> None:
    wait = "  w: {type: OS::Heat::RandomString, depends_on: q}\n"
    found = nodes(HOT + NET + port("p") + port("q") + wait + server("s", by("p", "q"), keys=", depends_on: w"))
    assert len(found["s"]["properties"]["networks"]) == 2
    assert required(found, "p", "binding") == required(found, "q", "binding") == []


def test_a_server_that_keeps_its_ports_waits_for_them() -> None:
    """So that another one, whose port these wait for, cannot be turned round behind it."""
    random = "{type: OS::Heat::RandomString, depends_on: p}"
    first = f"  w: {random}\n" + server("a", by("p"), keys=", depends_on: w")
    second = port("p").replace("}}\n", "}, depends_on: q}\n") + port("q") + server("b", by("q"), keys=", depends_on: a")
    found = nodes(HOT + NET + first + second)
    assert required(found, "p", "binding") == required(found, "q", "binding") == []
    found = nodes(HOT + NET + first + second.replace("depends_on: a", "depends_on: net"))
    assert required(found, "q", "binding") == ["b"]


def test_a_port_that_is_listed_twice_is_not_bound() -> None:
    found = nodes(HOT + NET + port("p") + server("s", by("p", "p")))
    assert len(found["s"]["properties"]["networks"]) == 2
    assert required(found, "p", "binding") == []


@pytest.mark.parametrize("type", ["OS::Heat::RandomString", "Some::Port"])
def test_only_ports_are_bound(type: str) -> None:
    found = nodes(f"{HOT}  p: {{type: '{type}'}}\n{server('s', by('p'))}")
    assert found["s"]["properties"]["networks"] == [{"port": {"get_attribute": ["p", "tosca_id"]}}]
    assert required(found, "s", "dependency") == ["p"]


SCALED = """\
  s:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {flavor_id: a, image_id: b}}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_port, target: p}]
  p: {type: cloudify.nodes.openstack.Port, properties: {resource_config: {network_id: n}}}
"""
POLICY = "policies: {more: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: 2}}}\n"


@pytest.mark.parametrize(("members", "is_bound"), [("", True), ("s", False), ("p", False), ("s, p", False)])
def test_a_server_or_port_of_which_there_are_several_is_not_bound(members: str, is_bound: bool) -> None:
    groups = f"groups: {{g: {{members: [{members}]}}}}\n{POLICY}" if members else ""
    found = nodes(BLUEPRINT + SCALED + groups, "cloudify")
    assert (required(found, "p", "binding") == ["s"]) is is_bound
    assert ("networks" in found["s"]["properties"]) is not is_bound


def test_a_comment_at_a_network_is_at_the_requirement() -> None:
    networks = "\n      networks:\n        # the way out\n        - port: {get_resource: p}\n"
    source = f"{HOT}{NET}{port('p')}  s:\n    type: OS::Nova::Server\n    properties:\n      image: i{networks}"
    lines = [line.strip() for line in convert(source, "hot", "tosca", carry=False).text.splitlines()]
    assert lines[lines.index("# the way out") + 1] == "- binding: s"


# -- links --------------------------------------------------------------------------------------------------


def test_each_port_is_linked_where_its_network_is_one_of_the_result() -> None:
    """Whatever the ports before it are."""
    found = nodes(HOT + NET + port("a", "out") + port("b", "null") + volume("v") + port("c") + port("d"))
    assert [required(found, name, "link") for name in "abcd"] == [[], [], ["net"], ["net"]]
    assert [found[name].get("properties") for name in "acd"] == [{"network": "out"}, None, None]


def test_a_network_of_a_provider_is_linked() -> None:
    net = "  net: {type: OS::Neutron::ProviderNet, properties: {network_type: flat, physical_network: p}}\n"
    found = nodes(HOT + net + port("p"))
    assert found["p"]["requirements"] == [{"link": "net"}]


@pytest.mark.parametrize("type", ["OS::Neutron::Subnet", "OS::Heat::RandomString"])
def test_nothing_else_is_linked(type: str) -> None:
    found = nodes(f"{HOT}  net: {{type: '{type}'}}\n{port('p')}")
    assert found["p"]["requirements"] == [{"dependency": "net"}]
    assert "network" in found["p"]["properties"]


def test_a_subnet_has_a_property() -> None:
    subnet = "  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}\n"
    found = nodes(HOT + NET + subnet)
    assert found["sub"]["requirements"] == [{"dependency": "net"}]
    assert found["sub"]["properties"]["network"] == {"get_attribute": ["net", "tosca_id"]}


def test_a_link_stands_where_the_order_stood() -> None:
    wait = "  w: {type: OS::Heat::RandomString}\n"
    properties = "{name: {get_attr: [w, value]}, network: {get_resource: net}}"
    found = nodes(f"{HOT}{NET}{wait}  p: {{type: OS::Neutron::Port, properties: {properties}}}\n")
    assert found["p"]["requirements"] == [{"dependency": "w"}, {"link": "net"}]


def test_a_comment_at_a_property_is_at_the_link() -> None:
    inside = "      # inside\n      network: {get_resource: net}\n"
    source = f"{HOT}{NET}  p:\n    type: OS::Neutron::Port\n    properties:\n{inside}"
    lines = [line.strip() for line in convert(source, "hot", "tosca", carry=False).text.splitlines()]
    assert lines[lines.index("# inside") + 1] == "- link: net"


# -- volumes ------------------------------------------------------------------------------------------------


def test_servers_require_their_own_volumes() -> None:
    both = server("a", "") + server("b", "")
    found = nodes(HOT + volume("v") + volume("w") + both + attachment("y", "w", "b"))
    assert required(found, "b", "volume") == [{"node": "w", "relationship": "y"}]
    assert required(found, "a", "volume") == []
    assert "y" not in found


def test_all_volumes_before_a_server_are_required() -> None:
    first = volume("v") + volume("w") + server("s", "")
    found = nodes(HOT + first + attachment("x", "v", "s") + attachment("y", "w", "s"))
    rows = [{"node": "v", "relationship": "x"}, {"node": "w", "relationship": "y"}]
    assert required(found, "s", "volume") == rows


@pytest.mark.parametrize("order", ["sts", "ts", "tst"])
def test_attachments_of_several_servers_are_read_back_in_their_order(order: str) -> None:
    """As requirements or as nodes."""
    rows = "".join(attachment(f"{name}{place}", f"v{place}", name) for place, name in enumerate(order))
    volumes = "".join(volume(f"v{place}") for place in range(len(order)))
    text = HOT + server("t", "") + volumes + server("s", "") + rows
    back = convert(convert(text, "hot", "tosca", carry=False).text, "tosca", "hot", carry=False)
    names = [name for name in back.document["resources"] if name[1:].isdecimal() and name[0] != "v"]
    assert names == [f"{name}{place}" for place, name in enumerate(order)]


@pytest.mark.parametrize(("order", "placed"), [("st", ["st", "tt"]), ("ts", ["tt"])])
def test_attachments_of_one_volume_are_requirements_in_the_order_of_its_servers(order: str, placed: list[str]) -> None:
    """Those that would come back at another place are nodes."""
    rows = "".join(attachment(f"{name}t", "v", name) for name in order)
    found = nodes(HOT + server("s", "") + server("t", "") + volume("v") + rows)
    assert [row["relationship"] for name in "st" for row in required(found, name, "volume")] == placed
    assert [name for name in found if name in ("st", "tt")] == [name for name in ("st", "tt") if name not in placed]


def test_comments_at_an_attachment_stay_where_it_is() -> None:
    text = f"""{HOT}{volume("v")}{server("s", "")}  a:  # attaches
    type: OS::Cinder::VolumeAttachment
    properties:
      volume_id: {{get_resource: v}}  # the disk
      instance_uuid: {{get_resource: s}}
      mountpoint: /dev/vdb  # the device
"""
    made = convert(text, "hot", "tosca", carry=False).text
    lines = {line.partition("  # ")[0].strip(): line.partition("  # ")[2] for line in made.splitlines()}
    assert {line: words for line, words in lines.items() if words} == {
        "- volume:": "the disk", "a:": "attaches", "mountpoint: /dev/vdb": "the device",
    }  # fmt: skip


def test_an_attachment_before_its_server_and_volume_is_a_node() -> None:
    found = nodes(HOT + attachment("x", "v", "s") + volume("v") + server("s", ""))
    assert found["x"]["type"] == "openstack.cinder.VolumeAttachment"


def test_an_attachment_is_a_node_beside_one_that_is_not() -> None:
    """The later one of its server and its volume is right before the one that is a requirement."""
    found = nodes(
        HOT + volume("v") + volume("w") + server("s", "") + attachment("x", "v", "s") + attachment("Y", "w", "s")
    )
    assert "Y" in found
    assert required(found, "s", "volume") == []  # Y waits for the server, and would wait for its volume
    found = nodes(
        HOT + volume("v") + server("s", "") + attachment("x", "v", "s")
        + volume("w") + server("t", "") + attachment("Y", "w", "t")
    )  # fmt: skip
    assert required(found, "s", "volume") == [{"node": "v", "relationship": "x"}]
    assert "Y" in found


@pytest.mark.parametrize(
    ("resource", "rest"),
    [
        (volume("v").replace("}}\n", "}, external_id: there}\n"), ""),
        ("  v: {type: OS::Heat::RandomString}\n", ""),
        (volume("v"), ", mountpoint: {get_attr: [s, name]}"),
    ],
    ids=["a volume that exists", "no volume", "a computed device"],
)
def test_what_is_more_than_an_attachment_is_a_node(resource: str, rest: str) -> None:
    found = nodes(HOT + resource + server("s", "") + attachment("x", "v", "s", rest))
    assert required(found, "s", "volume") == []
    assert found["x"]["type"] == "openstack.cinder.VolumeAttachment"


def test_the_device_is_a_property_of_the_relationship() -> None:
    source = HOT + volume("v") + server("s", "") + attachment("x", "v", "s", ", mountpoint: /dev/vdb")
    data = yaml.safe_load(convert(source, "hot", "tosca", carry=False).text)
    assert data["topology_template"]["relationship_templates"] == {
        "x": {"type": "openstack.relationships.VolumeAttachment", "properties": {"mountpoint": "/dev/vdb"}}
    }
    assert data["relationship_types"] == {
        "openstack.relationships.VolumeAttachment": {
            "derived_from": "tosca.relationships.AttachesTo",
            "properties": {
                "location": {"type": "string", "default": ""},
                "mountpoint": {"type": "string", "required": False},
            },
        }
    }


def test_comments_at_an_attachment_are_at_its_template() -> None:
    source = (
        f"{HOT}{volume('v')}{server('s', '')}  # held\n  x:\n    type: OS::Cinder::VolumeAttachment\n    properties:\n"
        "      volume_id: {get_resource: v}\n      instance_uuid: {get_resource: s}\n"
        "      # there\n      mountpoint: /dev/vdb\n"
    )
    lines = [line.strip() for line in convert(source, "hot", "tosca", carry=False).text.splitlines()]
    below = {line: lines[place + 1] for place, line in enumerate(lines) if line.startswith("#")}
    assert below == {"# held": "x:", "# there": "mountpoint: /dev/vdb"}


# -- types that the service template itself defines ----------------------------------------------------------

DEFINED = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.neutron.Port:
    derived_from: tosca.nodes.Root
    metadata: {heat_name: 'OS::Neutron::Port'}
    properties: {network: {type: string, required: false}, name: {type: string, required: false}ORDER}
    requirements:
      - binding: {capability: tosca.capabilities.network.Bindable, node: tosca.nodes.Compute}
      - other: {capability: tosca.capabilities.Node}
  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    metadata: {heat_name: 'OS::Nova::Server'}
    properties: {image: {type: string, required: false}, flavor: {type: string, required: false}}
topology_template:
  node_templates:
    net: {type: openstack.neutron.Net}
    v: {type: openstack.cinder.Volume, properties: {size: 1}}
    p: {type: openstack.neutron.Port, properties: {network: a}}
    q: {type: openstack.neutron.Port, properties: {network: b}}
    s: {type: openstack.nova.Server, properties: {flavor: f, image: i}}
"""
ORDER = ", order: {type: integer, required: false}"


def edited(order: str, old: str, new: str) -> dict[str, Any]:
    """The node templates after an edit of the template that the service template became."""
    text = convert(DEFINED.replace("ORDER", order), "tosca", "hot").text
    assert text.count(old) == 1
    data = yaml.safe_load(convert(text.replace(old, new), "hot", "tosca").text)
    found: dict[str, Any] = data["topology_template"]["node_templates"]
    return found


@pytest.mark.parametrize(
    ("order", "names", "is_bound"),
    [("", "p", True), ("", "pq", False), (ORDER, "p", True), (ORDER, "pq", True)],
)
def test_ports_are_bound_where_their_type_has_what_that_needs(order: str, names: str, is_bound: bool) -> None:
    """The number of a port is needed where there are several."""
    found = edited(order, "      image: i\n", f"      image: i\n      networks: [{by(*names)}]\n")
    assert [required(found, name, "binding") for name in names] == [["s"] if is_bound else []] * len(names)
    assert ("networks" in found["s"]["properties"]) is not is_bound
    numbers = [found[name]["properties"].get("order") for name in "pq"]
    assert numbers == ([0, 1] if order and names == "pq" else [None, None])


def test_a_port_is_not_linked_where_its_type_has_no_link() -> None:
    found = edited(ORDER, "      network: a\n", "      network: {get_resource: net}\n")
    assert found["p"]["properties"] == {"network": {"get_attribute": ["net", "tosca_id"]}}
    assert found["p"]["requirements"] == [{"dependency": "net"}]


def test_a_volume_is_not_attached_where_the_type_of_the_server_has_no_requirement() -> None:
    ends = "{volume_id: {get_resource: v}, instance_uuid: {get_resource: s}}"
    more = f"      image: i\n\n  x:\n    type: OS::Cinder::VolumeAttachment\n    properties: {ends}\n"
    found = edited(ORDER, "      image: i\n", more)
    assert found["x"]["type"] == "openstack.cinder.VolumeAttachment"
    assert required(found, "s", "volume") == []


# -- edits of the template that a service template became ----------------------------------------------------

ATTACHMENT = "  x:\n    type: OS::Cinder::VolumeAttachment\n    properties:\n"
ENDS = "      volume_id: {get_resource: v}\n      instance_uuid: {get_resource: s}\n"
VOLUME_REQUIREMENT = [{"volume": {"node": "v", "relationship": "x"}}]


def topology_after(old: str, new: str) -> dict[str, Any]:
    """The topology after an edit of what a server with an attached volume became."""
    source = HOT + volume("v") + volume("w") + server("s", "") + attachment("x", "v", "s")
    there = convert(convert(source, "hot", "tosca", carry=False).text, "tosca", "hot").text
    assert there.count(old) == 1
    found: dict[str, Any] = yaml.safe_load(convert(there.replace(old, new), "hot", "tosca").text)["topology_template"]
    return found


def test_an_attachment_that_is_removed_is_no_requirement() -> None:
    found = topology_after(ATTACHMENT + ENDS, "")
    assert list(found["node_templates"]) == ["v", "w", "s"]
    assert "requirements" not in found["node_templates"]["s"]


def test_an_attachment_of_another_volume_is_another_requirement() -> None:
    found = topology_after(ENDS, ENDS.replace("resource: v", "resource: w"))
    assert found["node_templates"]["s"]["requirements"] == [{"volume": {"node": "w", "relationship": "x"}}]


def test_an_attachment_with_a_device_has_it() -> None:
    found = topology_after(ENDS, f"{ENDS}      mountpoint: /dev/vdb\n")
    assert found["node_templates"]["s"]["requirements"] == VOLUME_REQUIREMENT
    assert found["relationship_templates"]["x"]["properties"] == {"mountpoint": "/dev/vdb"}


@pytest.mark.parametrize("name", ["w", "k"])
def test_an_attachment_that_something_waits_for_is_a_node(name: str) -> None:
    """A resource that was there, or one that is added."""
    if name == "w":
        found = topology_after(
            "  w:\n    type: OS::Cinder::Volume\n", "  w:\n    type: OS::Cinder::Volume\n    depends_on: x\n"
        )
    else:
        found = topology_after(ENDS, f"{ENDS}\n  k: {{type: OS::Heat::RandomString, depends_on: x}}\n")
    templates = found["node_templates"]
    assert templates[name]["requirements"] == [{"dependency": "x"}]
    assert templates["x"]["type"] == "openstack.cinder.VolumeAttachment"
    assert "requirements" not in templates["s"]
    assert "relationship_templates" not in found


def test_a_server_that_something_waits_for_has_a_node_that_attaches() -> None:
    found = topology_after(ENDS, f"{ENDS}\n  k: {{type: OS::Heat::RandomString, depends_on: s}}\n")
    assert found["node_templates"]["x"]["requirements"] == [{"dependency": "v"}, {"dependency": "s"}]
    assert "requirements" not in found["node_templates"]["s"]


# -- attachments beside others ------------------------------------------------------------------------------

SCALED_VOLUME = """\
  s: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {flavor_id: a, image_id: b}}}
  v:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    relationships: [{type: cloudify.relationships.openstack.volume_attached_to_server, target: s}]
"""


@pytest.mark.parametrize(("members", "is_attached"), [("", True), ("s", False), ("v", False), ("s, v", False)])
def test_a_server_or_volume_of_which_there_are_several_has_a_node(members: str, is_attached: bool) -> None:
    groups = f"groups: {{g: {{members: [{members}]}}}}\n{POLICY}" if members else ""
    found = nodes(BLUEPRINT + SCALED_VOLUME + groups, "cloudify")
    assert required(found, "s", "volume") == [{"node": "v", "relationship": "v_attachment"}] * is_attached
    assert ("v_attachment" in found) is not is_attached


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("X", volume("v")),
        ("x", volume("v").replace("}}\n", "}, external_id: a}\n")),
        ("x", "  v: {type: OS::Heat::RandomString}\n"),
    ],
    ids=["a name in capitals", "a volume that exists", "no volume"],
)
def test_an_attachment_that_is_a_node_is_before_one_that_is_none(name: str, first: str) -> None:
    rest = volume("w") + server("t", "") + attachment("y", "w", "t")
    found = nodes(HOT + first + server("s", "") + attachment(name, "v", "s") + rest)
    assert list(found) == ["v", "s", name, "w", "t"]
    assert required(found, "t", "volume") == [{"node": "w", "relationship": "y"}]


# -- edits that turn ports round ----------------------------------------------------------------------------


def ports_after(old: str, new: str) -> dict[str, Any]:
    """The node templates after an edit of what a server became that has two ports, and waits for something."""
    wait = "  w: {type: OS::Heat::RandomString}\n"
    source = HOT + NET + port("p") + port("q") + wait + server("s", by("p", "q"), keys=", depends_on: w")
    there = convert(convert(source, "hot", "tosca", carry=False).text, "tosca", "hot").text
    assert there.count(old) == 1
    data = yaml.safe_load(convert(there.replace(old, new), "hot", "tosca").text)
    found: dict[str, Any] = data["topology_template"]["node_templates"]
    return found


def test_ports_that_a_server_has_no_longer_are_not_bound() -> None:
    """Though nothing of theirs was edited."""
    networks = "      networks:\n        - port: {get_resource: p}\n        - port: {get_resource: q}\n"
    found = ports_after(networks, "")
    assert required(found, "p", "binding") == required(found, "q", "binding") == []
    assert "order" not in str(found)
    found = ports_after(networks, networks.replace("        - port: {get_resource: q}\n", ""))
    assert (required(found, "p", "binding"), required(found, "q", "binding")) == (["s"], [])
    assert "order" not in str(found)


def test_a_server_has_networks_again_where_what_it_waits_for_needs_a_port() -> None:
    """Though nothing of its own was edited."""
    word = "  w:\n    type: OS::Heat::RandomString\n"
    found = ports_after(word, f"{word}    depends_on: p\n")
    assert len(found["s"]["properties"]["networks"]) == 2
    assert required(found, "p", "binding") == required(found, "q", "binding") == []
    assert found["w"]["requirements"] == [{"dependency": "p"}]
