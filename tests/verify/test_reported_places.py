"""At which places a finding names a difference: for each, all places of the document, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from reported_places import finding, naming, places_of, result_of

from bpconvert import convert
from bpconvert.diagnostics import Elsewhere, Fidelity, Severity
from bpconvert.verification import verify

HOT = "heat_template_version: 2018-08-31\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
"""
SCRIPT = {"a.sh": "#!/bin/sh\necho 1\n", "b.sh": "#!/bin/sh\necho 2\n"}
LIFECYCLE = "cloudify.interfaces.lifecycle"


def named(
    tmp_path: Path, source: str, text: str, target: str, changes: dict[str, str], files: dict[str, str] | None = None
) -> dict[str, list[str]]:
    """Each difference, with the places at which a finding names it: ``/`` between keys, ``*`` behind a place with all
    that is in it, where that are several."""
    file = tmp_path / "a.yaml"
    file.write_text(text, "utf-8")
    for name, content in (files or {}).items():
        (tmp_path / name).write_text(content, "utf-8")
    places = places_of(yaml.safe_load(text))
    if source == "tosca":
        places = [place[1:] if place[0] == "topology_template" else place for place in places if len(place) > 1]
    found = naming(file, result_of(file, source, target, changes), places)
    return {what: _short(places, those) for what, those in found.items()}


def _short(places: list[tuple[Any, ...]], those: set[tuple[Any, ...]]) -> list[str]:
    short: list[str] = []
    whole: list[tuple[Any, ...]] = []
    for place in places:
        if place not in those or any(place[: len(outer)] == outer for outer in whole):
            continue
        inner = {other for other in places if other[: len(place)] == place}
        if len(inner) > 1 and inner <= those:
            whole.append(place)
        short.append("/".join(map(str, place)) + "*" * (len(inner) > 1 and inner <= those))
    return short


# -- values and nodes ---------------------------------------------------------------------------------------

SERVER = f"""\
{HOT}parameters:
  f: {{type: string, default: a, label: l, constraints: [{{length: {{max: 9}}}}]}}
conditions:
  c: {{equals: [{{get_param: f}}, a]}}
resources:
  net: {{type: OS::Neutron::Net}}
  web:
    type: OS::Nova::Server
    depends_on: net
    condition: c
    properties: {{image: i, flavor: {{get_param: f}}, metadata: {{a: b, c: d}}}}
  disks:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      removal_policies: []
      resource_def: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}
outputs:
  o: {{value: {{get_attr: [web, name]}}}}
"""
INPUT = ["parameters/f", "parameters/f/type", "parameters/f/default"]
EXISTENCE = ["resources/web", "resources/web/type", "resources/web/condition"]
DEPENDS = "    relationships:\n      - type: cloudify.relationships.depends_on\n        target: net_barrier\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"flavor: {get_input: f}": "flavor: z"}, {"web.flavor": [*INPUT, "resources/web/properties/flavor*"]}),
        ({"a: b": "a: z"},
         {"web.metadata.a": ["resources/web/properties/metadata", "resources/web/properties/metadata/a"]}),
        ({"      image: i\n": ""}, {"web.image": ["resources/web/properties/image"]}),
        ({"    metadata:\n": "    key_name: x\n        metadata:\n"},
         {"web.key_name": ["resources/web", "resources/web/properties"]}),
        ({"type: cloudify.nodes.openstack.Server": "type: cloudify.nodes.Root"},
         {"web": [*INPUT, "conditions/c*", *EXISTENCE]}),
        ({"'|a|'": "'|z|'"}, {"web": [*INPUT, "conditions/c*", *EXISTENCE]}),
        ({DEPENDS: ""}, {"web.waits for.net": ["resources/web", "resources/web/depends_on"]}),
        ({"default_instances: 2": "default_instances: 3"},
         {"disks.2": ["resources/disks", "resources/disks/type", "resources/disks/properties/count",
                      "resources/disks/properties/resource_def*"]}),
        ({"value: {get_attribute: [web, name]}": "value: z"}, {"outputs.o": ["outputs/o*"]}),
        ({"outputs:\n": "outputs:\n  p: {value: 1}\n"}, {"outputs.p": []}),
        ({"node_templates:\n": "node_templates:\n  other: {type: cloudify.nodes.openstack.Port}\n"}, {"other": []}),
        ({"node_templates:\n": "node_templates:\n  web_port_7: {type: cloudify.nodes.openstack.Port}\n"},
         {"web_port_7": [*INPUT, "conditions/c*", *EXISTENCE]}),
        ({"node_templates:\n": "node_templates:\n  port_of_net: {type: cloudify.nodes.openstack.Port}\n"},
         {"port_of_net": ["resources/net*"]}),
    ],
)  # fmt: skip
def test_values_nodes_and_their_order(tmp_path: Path, changes: dict[str, str], expected: dict[str, list[str]]) -> None:
    """A value has what is said of it, of what it is part of, up to the property, and of what it comes from; a node what
    is said of whether it is there; an input its type and default, not what is for people."""
    assert named(tmp_path, "hot", SERVER, "cloudify", changes) == expected


def test_each_member_of_a_group_has_what_is_said_of_them_all(tmp_path: Path) -> None:
    found = named(tmp_path, "hot", SERVER, "cloudify", {"size: 1": "size: 2"})
    definition = "resources/disks/properties/resource_def"
    own = [definition, f"{definition}/properties*"]
    assert found == {"disks.0.size": own, "disks.1.size": own}


def test_a_key_that_is_not_written_has_what_is_said_of_its_item(tmp_path: Path) -> None:
    """And of all around it."""
    addresses = "fixed_ips: [{ip_address: 10.0.0.3}]"
    text = f"{HOT}resources:\n  p: {{type: OS::Neutron::Port, properties: {{network: a, {addresses}}}}}\n"
    address = "- ip_address: 10.0.0.3"
    found = named(tmp_path, "hot", text, "cloudify", {address: f"{address}\n            subnet_id: x"})
    around = ["resources/p", "resources/p/properties", "resources/p/properties/fixed_ips*"]
    assert found == {"p.fixed_ips.0.subnet": around}


# -- where values come from ---------------------------------------------------------------------------------

SOURCES = f"""\
{HOT}parameters: {{f: {{type: string, default: a}}}}
conditions: {{c: {{equals: [{{get_param: f}}, a]}}}}
resources:
  n: {{type: OS::Neutron::Net, properties: {{name: {{get_param: f}}}}}}
  s: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: n}}, cidr: 10.0.0.0/24}}}}
  v: {{type: OS::Heat::Value, properties: {{value: {{if: [c, {{get_attr: [s, cidr]}}, z]}}}}}}
  k: {{type: OS::Nova::KeyPair, properties: {{name: kk}}}}
  w: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {{a: {{get_attr: [v, value]}}}}}}}}
  e: {{type: OS::Neutron::Net, external_id: {{get_param: f}}}}
  se: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: e}}, cidr: 10.0.0.0/24}}}}
  p: {{type: OS::Neutron::Port, properties: {{network: {{get_resource: n}}}}}}
  ip: {{type: OS::Neutron::FloatingIP, properties: {{floating_network: pub, port_id: {{get_resource: p}}}}}}
outputs:
  attribute: {{value: {{get_attr: [n, name]}}}}
  property: {{value: {{get_attr: [s, cidr]}}}}
  held: {{value: {{get_attr: [v, value]}}}}
  name: {{value: {{get_resource: k}}}}
  reference: {{value: {{get_attr: [ip, port_id]}}}}
"""
OF_VALUE = ["parameters/f*", "conditions/c*", "resources/s/properties/cidr", "resources/v/properties/value*"]


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        ("value: {get_attribute: ['n', name]}", {"outputs.attribute": ["outputs/attribute*"]}),
        ("value: {get_property: [s, resource_config, cidr]}",
         {"outputs.property": ["resources/s/properties/cidr", "outputs/property*"]}),
        ("held:\n    value: {get_attribute: [v, value]}", {"outputs.held": [*OF_VALUE, "outputs/held*"]}),
        ("value: {get_attribute: [k, id]}", {"outputs.name": ["resources/k/properties/name", "outputs/name*"]}),
        ("value: {get_attribute: [p, id]}",
         {"outputs.reference": ["resources/ip/properties/port_id*", "outputs/reference*"]}),
        ("a: {get_attribute: [v, value]}", {"w.metadata.a": [*OF_VALUE, "resources/w/properties/metadata*"]}),
        ("id: {get_input: f}",
         {"e.id": ["parameters/f*", "resources/e/external_id*"],
          "se.network": ["parameters/f*", "resources/e/external_id*", "resources/se/properties/network*"]}),
    ],
)  # fmt: skip
def test_a_value_has_what_is_said_of_what_it_comes_from(
    tmp_path: Path, old: str, expected: dict[str, list[str]]
) -> None:
    """An input, a condition, a property that is an attribute as well, a name that identifies, the id of what exists."""
    key = old.rpartition(": {")[0]
    found = named(tmp_path, "hot", SOURCES, "cloudify", {old: f"{key}: zz"})
    found.pop("k.save_private_key", None)
    assert found == expected


def test_an_attribute_that_is_no_property_has_what_is_said_where_it_is_taken(tmp_path: Path) -> None:
    """Nothing that is said of its resource."""
    text = f"{HOT}resources:\n  n: {{type: OS::Neutron::Net}}\noutputs:\n  o: {{value: {{get_attr: [n, show]}}}}\n"
    assert named(tmp_path, "hot", text, "cloudify", {}) == {"outputs.o": ["outputs/o*"]}


def test_devices_of_the_first_version_have_what_is_said_of_these(tmp_path: Path) -> None:
    devices = "block_device_mapping: [{volume_id: x, device_name: vda}]"
    text = f"{HOT}resources:\n  vm: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, {devices}}}}}\n"
    found = named(tmp_path, "hot", text, "cloudify", {"boot_index: -1": "boot_index: 0"})
    around = ["resources/vm", "resources/vm/properties", "resources/vm/properties/block_device_mapping*"]
    assert found["vm.block_device_mapping_v2.0.boot_index"] == around


CONFIGS = f"""\
{HOT}resources:
  vm: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}}}
  conf: {{type: OS::Heat::SoftwareConfig, properties: {{group: script, config: "#!/bin/sh\\necho 1\\n"}}}}
  dep:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: conf}}, server: {{get_resource: vm}}, actions: [CREATE]}}
  init: {{type: OS::Heat::SoftwareConfig, properties: {{config: "#!/bin/sh\\necho 2\\n"}}}}
  web:
    type: OS::Nova::Server
    properties: {{image: i, flavor: f, user_data_format: RAW, user_data: {{get_resource: init}}}}
"""


def test_a_text_of_a_configuration_has_what_is_said_of_that(tmp_path: Path) -> None:
    found = named(tmp_path, "hot", CONFIGS, "cloudify", {"echo 2": "echo 3"})
    assert found["web.user_data"] == ["resources/init/properties/config", "resources/web/properties/user_data*"]
    assert found["dep.create.script"] == ["resources/conf/properties/config"]


def test_an_attribute_of_an_unknown_type_has_what_is_said_of_the_property_of_its_name(tmp_path: Path) -> None:
    text = (
        f"{HOT}resources:\n  vip: {{type: OS::Vip, properties: {{addresses: [{{ip: 10.0.0.9}}], name: n}}}}\n"
        "outputs: {o: {value: {get_attr: [vip, addresses, 0, ip]}}}\n"
    )
    found = named(tmp_path, "hot", text, "cloudify", {"ip: 10.0.0.9": "ip: 10.0.0.8"})
    assert "resources/vip/properties/addresses" in {place.rstrip("*") for place in found["outputs.o"]}
    assert "resources/vip/properties/name" not in found["outputs.o"]


# -- circles and groups -------------------------------------------------------------------------------------


def test_each_node_of_a_circle_has_what_is_said_of_the_order_in_it(tmp_path: Path) -> None:
    """What waits for one of them without being in it has not."""
    text = f"{HOT}resources:\n" + "".join(
        f"  {name}: {{type: OS::Neutron::Net, depends_on: {other}, properties: {{name: n}}}}\n"
        for name, other in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"))
    )
    found = named(tmp_path, "hot", text, "cloudify", {})
    order = [f"resources/{name}/depends_on" for name in "abc"]
    circle = {f"{name}.waits for.{name}": sorted([f"resources/{name}", *order]) for name in "abc"}
    assert {what: sorted(places) for what, places in found.items()} == {
        "a.waits for.b": ["resources/a", "resources/a/depends_on"],
        **circle,
    }


def test_a_circle_has_nothing_of_what_is_said_of_another_one(tmp_path: Path) -> None:
    text = f"{HOT}resources:\n" + "".join(
        f"  {name}: {{type: OS::Neutron::Net, depends_on: {other}, properties: {{name: n}}}}\n"
        for name, other in (("a", "b"), ("b", "a"), ("x", "y"), ("y", "x"))
    )
    found = named(tmp_path, "hot", text, "cloudify", {})
    for name, other in (("a", "b"), ("b", "a"), ("x", "y"), ("y", "x")):
        own = {f"resources/{name}", f"resources/{name}/depends_on", f"resources/{other}/depends_on"}
        places = found[f"{name}.waits for.{name}"]
        assert {place.rstrip("*") for place in places} == own


NESTED = f"""\
{BLUEPRINT}node_templates:
  net: {{type: cloudify.nodes.openstack.Network}}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{{type: cloudify.relationships.connected_to, target: net}}]
groups:
  inner: {{members: [port]}}
  outer: {{members: [inner]}}
policies:
  scale: {{type: cloudify.policies.scaling, targets: [inner], properties: {{default_instances: 2}}}}
  more: {{type: cloudify.policies.scaling, targets: [outer], properties: {{default_instances: 2}}}}
"""


def test_members_of_groups_have_what_is_said_of_the_groups(tmp_path: Path) -> None:
    found = named(tmp_path, "cloudify", NESTED, "hot", {})
    own = ["node_templates/port", "node_templates/port/type", "policies/more*"]
    members = {what: places for what, places in found.items() if what.startswith("port.") and what.count(".") == 2}
    assert members == dict.fromkeys(members, own)
    assert len(members) == 4


def test_a_node_in_no_group_has_nothing_of_what_is_said_of_groups(tmp_path: Path) -> None:
    found = named(tmp_path, "cloudify", NESTED, "hot", {"type: OS::Neutron::Net": "type: OS::Neutron::Router"})
    assert found["net"] == ["node_templates/net*"]
    assert found["outer.0"] == found["outer.1"] == ["policies/more", "policies/more/type"]


# -- programs -----------------------------------------------------------------------------------------------

PROGRAMS = f"""\
{BLUEPRINT}node_templates:
  vm: {{type: cloudify.nodes.openstack.Server, properties: {{image: i, flavor: f}}}}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      {LIFECYCLE}:
        create: {{implementation: a.sh, inputs: {{x: 1}}}}
        start: {{implementation: b.sh}}
    relationships: [{{type: cloudify.relationships.contained_in, target: vm}}]
"""


def test_a_program_has_what_is_said_of_its_operation(tmp_path: Path) -> None:
    found = named(tmp_path, "cloudify", PROGRAMS, "hot", {}, SCRIPT)
    around = f"node_templates/app/interfaces/{LIFECYCLE}"
    for step in ("create", "start"):
        own = [around, f"{around}/{step}", f"{around}/{step}/implementation"]
        short = [around, f"{around}/{step}*"] if step == "start" else own
        assert found[f"app.{step}.script"] == found[f"app.{step}.run by"] == short


def test_a_program_that_only_the_result_has_has_what_is_said_of_its_node(tmp_path: Path) -> None:
    """Not of its other operations."""
    start = "            start:\n"
    changes = {start: f"            stop: {{implementation: a.sh}}\n{start}"}
    found = named(tmp_path, "cloudify", PROGRAMS, "tosca", changes, SCRIPT)
    assert found["app.stop"] == ["node_templates/app", "node_templates/app/type"]


SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my: {derived_from: tosca.nodes.network.Network, properties: {network_name: {type: string, default: q}}}
topology_template:
  inputs: {i: {type: string, default: x}}
  node_templates:
    a: {type: my, properties: {cidr: {get_input: i}}}
  outputs:
    o: {value: {get_property: [a, cidr]}}
"""


def test_what_a_node_has_of_its_type_has_what_is_said_of_the_node(tmp_path: Path) -> None:
    changes = {"name: q": "name: z", "value: {get_param: i}": "value: z", "cidr: {get_param: i}": "cidr: z"}
    found = named(tmp_path, "tosca", SERVICE, "hot", changes)
    kind = ["node_types/my", "node_types/my/properties", "node_types/my/properties/network_name"]
    assert found["a.name"] == [*kind[:2], f"{kind[2]}", f"{kind[2]}/default", "node_templates/a"]
    cidr = "node_templates/a/properties/cidr*"
    assert found["a_subnet.cidr"] == ["inputs/i*", "node_templates/a/properties*"]
    assert found["outputs.o"] == ["inputs/i*", cidr, "outputs/o*"]


# -- which findings count -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("severity", "fidelity", "counts"),
    [
        (Severity.INFO, Fidelity.EXACT, False),
        (Severity.WARNING, Fidelity.EXACT, False),
        (Severity.ERROR, Fidelity.EXACT, True),
        (Severity.INFO, Fidelity.REWRITTEN, True),
        (Severity.WARNING, Fidelity.CARRIED, True),
    ],
)
def test_what_is_exact_names_no_difference(
    tmp_path: Path, severity: Severity, fidelity: Fidelity, counts: bool
) -> None:
    """Save an error."""
    file = tmp_path / "a.yaml"
    file.write_text(SERVER, "utf-8")
    result = result_of(file, "hot", "cloudify", {"flavor: {get_input: f}": "flavor: z"})
    place = ("resources", "web", "properties", "flavor")
    said = finding(file, place)._replace(severity=severity, fidelity=fidelity)
    (difference,) = verify(file, result, reported=[said]).differences
    assert difference.codes == (("BPC301",) if counts else ())


def test_codes_are_sorted_and_said_once(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(SERVER, "utf-8")
    result = result_of(file, "hot", "cloudify", {"flavor: {get_input: f}": "flavor: z"})
    place = ("resources", "web", "properties", "flavor")
    said = [finding(file, place, code) for code in ("BPC407", "BPC301", "BPC407", "BPC302")]
    (difference,) = verify(file, result, reported=said).differences
    assert difference.codes == ("BPC301", "BPC302", "BPC407")


MORE = """\
inputs: {j: {type: string, default: e}}
node_templates:
  z: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: m}}}
"""


@pytest.mark.parametrize("inside", [("node_templates", "z", "properties"), ("node_templates", "y")])
@pytest.mark.parametrize("is_elsewhere", [True, False])
def test_a_finding_in_an_imported_file_names_what_is_read_there(
    tmp_path: Path, inside: tuple[str, ...], is_elsewhere: bool
) -> None:
    """By the file that it is in, or by the import; what is said of another file, or entry, is not said of it."""
    file, more = tmp_path / "a.yaml", tmp_path / "more.yaml"
    text = BLUEPRINT.replace("plugin']", "plugin', more.yaml]")
    file.write_text(text + "node_templates:\n  a: {type: cloudify.nodes.openstack.Network}\n", "utf-8")
    more.write_text(MORE, "utf-8")
    result = result_of(file, "cloudify", "hot", {"name: m": "name: q"})
    place: tuple[Any, ...] = (*inside, "resource_config", "name") if inside[1] == "z" else inside
    said = finding(file, ("imports", 2, Elsewhere(str(more), place, lambda _: (1, 1))))
    if not is_elsewhere:
        said = finding(more, place)
    (difference,) = verify(file, result, reported=[said]).differences
    assert difference.what == "z.name"
    assert difference.codes == (("BPC301",) if inside[1] == "z" else ())


def test_a_finding_of_another_file_names_nothing_here(tmp_path: Path) -> None:
    file, other = tmp_path / "a.yaml", tmp_path / "other.yaml"
    for one in (file, other):
        one.write_text(SERVER, "utf-8")
    result = result_of(file, "hot", "cloudify", {"flavor: {get_input: f}": "flavor: z"})
    said = finding(other, ("resources", "web", "properties", "flavor"))
    (difference,) = verify(file, result, reported=[said]).differences
    assert difference.codes == ()


# -- other names in the result ------------------------------------------------------------------------------


def test_what_has_another_name_in_the_result_has_what_is_said_of_that(tmp_path: Path) -> None:
    """And not what is said of another one."""
    file = tmp_path / "a.yaml"
    file.write_text(
        f"{HOT}resources:\n  web: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {{ä: x}}}}}}\n"
        "  db: {type: OS::Nova::Server, properties: {image: i, flavor: f, metadata: {o: x}}}\n"
        "outputs:\n  ö: {value: 1}\n  u: {value: 2}\n",
        "utf-8",
    )
    made = convert(file, "hot", "cloudify", carry=False)
    text = made.text.replace("outputs:\n", "outputs:\n  e: {value: 3}\n").replace(
        "o: x", "o: x\n          a: y\n          n: z"
    )
    found = {one.what: one.codes for one in verify(file, text, reported=made.diagnostics).differences}
    assert found == {
        "web.metadata.ä": ("BPC603",),
        "web.metadata.a": ("BPC603",),
        "db.metadata.a": (),
        "db.metadata.n": (),
        "outputs.ö": ("BPC604",),
        "outputs.o": ("BPC604",),
        "outputs.e": (),
    }
