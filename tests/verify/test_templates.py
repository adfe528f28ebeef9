"""``bpconvert.verification.verify``: what is compared, under which values, and which differences are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models.expressions import MISSING
from bpconvert.verification import Verification, verify

HOT = "heat_template_version: 2018-08-31\n"
CFY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def whats(found: Verification) -> list[str]:
    return [one.what for one in found.differences]


def values(found: Verification) -> dict[str, tuple[Any, Any]]:
    return {one.what: (one.first, one.second) for one in found.differences}


# -- pairs --------------------------------------------------------------------------------------------------

VOLUME = HOT + "resources: {disk: {type: OS::Cinder::Volume, properties: {size: 1, name: data}}}\n"


def test_a_document_is_the_same_as_itself() -> None:
    found = verify(VOLUME, VOLUME)
    assert found.is_same
    assert found.compared == found.equal > 0
    assert not found.notes


def test_a_property_that_differs_with_both_places(tmp_path: Path) -> None:
    first, second = tmp_path / "a.yaml", tmp_path / "b.yaml"
    first.write_text(VOLUME)
    second.write_text(
        CFY
        + """\
node_templates:
  disk:
    type: cloudify.nodes.openstack.Volume
    properties:
      resource_config:
        name: data
        size: 2
"""
    )
    found = verify(first, second)
    (one,) = found.differences
    assert (one.what, one.first, one.second, one.codes, one.inputs) == ("disk.size", 1, 2, (), {})
    assert one.first_place == (str(first), 2, 59)
    assert one.second_place == (str(second), 9, 9)
    assert not one.is_reported
    assert (found.compared - found.equal, found.reported, found.reworded) == (6, 0, 0)


def test_nodes_of_another_name_are_paired_by_what_they_have() -> None:
    net = "{type: OS::Neutron::Net, properties: {name: %s}}"
    pair = f"resources: {{%s: {net % 'a'}, %s: {net % 'b'}}}\n"
    outputs = "outputs: {id: {value: {get_resource: %s}}}\n"
    first, second = HOT + pair % ("one", "two") + outputs % "two", HOT + pair % ("x", "y") + outputs % "y"
    assert verify(first, second).is_same
    other = HOT + pair % ("x", "y") + outputs % "x"
    assert values(verify(first, other)) == {"outputs.id": ("two-id", "one-id")}


@pytest.mark.parametrize("count", [3, 120])
def test_the_pair_that_has_most_in_common(count: int) -> None:
    def volumes(name: str) -> str:
        rows = [f"  {name}{n}: {{type: OS::Cinder::Volume, properties: {{size: {n}}}}}" for n in range(count)]
        return HOT + "resources:\n" + "\n".join(rows if name == "a" else reversed(rows)) + "\n"

    assert verify(volumes("a"), volumes("b"), draws=0).is_same


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("volume_id: v", "volume_id: v, boot_index: 0, delete_on_termination: false", True),
        ("volume_id: v", "volume_id: v, boot_index: 1", False),
        ("volume_id: v", "volume_id: v, delete_on_termination: true", False),
        ("swap_size: 1", "swap_size: 1, boot_index: -1, delete_on_termination: true", True),
        ("swap_size: 1", "swap_size: 1, delete_on_termination: false", False),
    ],
)
def test_block_devices_have_heats_defaults(first: str, second: str, same: bool) -> None:
    server = HOT + "resources: {s: {type: OS::Nova::Server, properties: {block_device_mapping_v2: [{%s}]}}}\n"
    assert verify(server % first, server % second, draws=0).is_same is same


def test_a_node_that_only_one_document_has() -> None:
    both = VOLUME.replace("disk:", "net: {type: OS::Neutron::Net}, disk:")
    assert values(verify(both, VOLUME)) == {"net": ("exists", MISSING)}
    assert values(verify(VOLUME, both)) == {"net": (MISSING, "exists")}


def test_a_node_of_another_kind() -> None:
    other = HOT + "resources: {disk: {type: OS::Neutron::Net, properties: {name: data}}}\n"
    assert values(verify(VOLUME, other)) == {"disk": ("volume", "net")}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("1", "true", False),
        ("1", "'1'", False),
        ("1", "1.0", True),
        ("[a, b]", "[b, a]", False),
        ("[a]", "[a, b]", False),
        ("{a: 1, b: 2}", "{b: 2, a: 1}", True),
        ("{a: 1}", "{a: 1, b: 2}", False),
        ("{}", "[]", False),
        ("null", "''", False),
    ],
)
def test_values_are_equal_in_kind(first: str, second: str, same: bool) -> None:
    shape = HOT + "outputs: {it: {value: %s}}\n"
    assert verify(shape % first, shape % second).is_same is same


def test_defaults_and_types_of_heat_are_its_own() -> None:
    written = (
        HOT
        + "resources: {disk: {type: OS::Cinder::Volume, properties: {size: '1', name: data, multiattach: 'False'}}}\n"
    )
    assert verify(VOLUME, written).is_same
    assert whats(verify(VOLUME, written.replace("'False'", "'True'"))) == ["disk.multiattach"]


# -- outputs ------------------------------------------------------------------------------------------------


def test_outputs_by_their_names() -> None:
    first = HOT + "outputs: {a: {value: 1}, b: {value: 2}, empty: {value: null}}\n"
    second = HOT + "outputs: {a: {value: 1}, c: {value: 2}}\n"
    assert values(verify(first, second)) == {"outputs.b": (2, MISSING), "outputs.c": (MISSING, 2)}


def test_the_innermost_place() -> None:
    shape = HOT + "outputs: {a: {value: {list: [1, {deep: %s}]}}}\n"
    found = verify(shape % "x", shape % "y", draws=0)
    assert values(found) == {"outputs.a.list.1.deep": ("x", "y")}
    assert found.differences[0].first_place.column == 34


# -- order --------------------------------------------------------------------------------------------------


def chain(*edges: str) -> str:
    names = "abc"
    waits = {name: [edge[1] for edge in edges if edge[0] == name] for name in names}
    rows = [
        f"  {n}: {{type: OS::Cinder::Volume, properties: {{size: 1}}, depends_on: [{', '.join(waits[n])}]}}\n"
        for n in names
    ]
    return HOT + "resources:\n" + "".join(rows)


@pytest.mark.parametrize(
    ("first", "second", "missing"),
    [
        (["ba", "cb"], ["ba", "cb", "ca"], []),
        (["ba", "cb", "ca"], ["ba", "cb"], []),
        (["ba", "cb"], ["ba"], ["c.waits for.b"]),
        (["ca"], ["ca", "ba"], []),
        (["ba"], ["ab"], ["b.waits for.a"]),
        (["ba"], ["ba", "ab"], ["a.waits for.a", "b.waits for.b"]),
        (["ba", "ab"], ["ba"], ["a.waits for.a", "a.waits for.b", "b.waits for.b"]),
    ],
)
def test_what_a_node_waits_for(first: list[str], second: list[str], missing: list[str]) -> None:
    assert sorted(whats(verify(chain(*first), chain(*second)))) == missing


def test_references_order_too() -> None:
    first = HOT + (
        "resources:\n"
        "  net: {type: OS::Neutron::Net}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
    )
    second = convert(first, "hot", "cloudify", carry=False).text
    assert verify(first, second).is_same
    without = second[: second.index("    relationships:")]
    found = verify(first, without)
    assert "port.waits for.net" in whats(found)


# -- conditions and scaling ---------------------------------------------------------------------------------

CONDITIONS = """\
parameters:
  env: {type: string, default: test, constraints: [{allowed_values: [test, lab, prod, spare]}]}
  tier: {type: string, default: web}
  big: {type: boolean, default: false}
conditions:
  is_prod: {equals: [{get_param: env}, prod]}
  is_db: {equals: [{get_param: tier}, db]}
resources:
  disk: {type: OS::Cinder::Volume, condition: is_prod, properties: {size: 1}}
  spare: {type: OS::Cinder::Volume, condition: {get_param: big}, properties: {size: 2}}
outputs:
  chosen: {value: {if: [is_db, yes it is, 'no']}}
"""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[{get_param: env}, prod]", "[{get_param: env}, lab]", "disk"),
        ("[{get_param: tier}, db]", "[{get_param: tier}, cache]", "outputs.chosen"),
        ("condition: {get_param: big}", "condition: {not: {get_param: big}}", "spare"),
        ("condition: {get_param: big}, ", "", "spare"),
        ("[is_db, yes it is, 'no']", "[is_db, 'no', yes it is]", "outputs.chosen"),
        ("is_db: {equals", "is_db: {not: {equals", "outputs.chosen"),
    ],
)
@pytest.mark.parametrize("seed", range(6))
def test_both_sides_of_a_condition_are_tried(old: str, new: str, what: str, seed: int) -> None:
    changed = CONDITIONS.replace(old, new).replace(
        "tier}, db]}\nres", "tier}, db]}}\nres" if "not: {equals" in new else "tier}, db]}\nres"
    )
    assert whats(verify(HOT + CONDITIONS, HOT + changed, seed=seed)) == [what]


@pytest.mark.parametrize("seed", range(4))
def test_converted_conditions(seed: int) -> None:
    blueprint = convert(HOT + CONDITIONS, "hot", "cloudify", carry=False).text
    assert verify(HOT + CONDITIONS, blueprint, seed=seed).is_same
    assert "|prod" in blueprint
    assert not verify(HOT + CONDITIONS, blueprint.replace("prod|", "other|"), seed=seed).is_same


def test_members_of_a_group_are_nodes() -> None:
    shape = HOT + (
        "resources:\n  disks:\n    type: OS::Heat::ResourceGroup\n"
        "    properties:\n      count: %s\n"
        "      resource_def: {type: OS::Cinder::Volume, properties: {size: 1, name: disk-%%index%%}}\n"
    )
    assert whats(verify(shape % 3, shape % 2)) == ["disks.2"]
    singles = "".join(
        f"  disks{n}: {{type: OS::Cinder::Volume, properties: {{size: 1, name: disk-{n}}}}}\n" for n in range(2)
    )
    assert verify(shape % 2, HOT + "resources:\n" + singles).is_same
    assert len(whats(verify(shape % 2, HOT + "resources:\n" + singles.replace("disk-1", "disk-2")))) == 1


def test_instances_of_a_blueprint() -> None:
    shape = CFY + (
        "node_templates:\n  disk:\n    type: cloudify.nodes.openstack.Volume\n"
        "    properties: {resource_config: {size: 1}}\n"
        "    capabilities: {scalable: {properties: {default_instances: %s}}}\n"
    )
    assert whats(verify(shape % 2, shape % 1)) == ["disk.1"]
    assert whats(verify(shape % 0, shape % 1)) == ["disk"]


# -- runtime values -----------------------------------------------------------------------------------------

SERVER = (
    "resources:\n"
    "  web: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
    "  app: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("{get_attr: [web, first_address]}", "{get_attr: [app, first_address]}"),
        ("{get_attr: [web, name]}", "{get_attr: [web, instance_name]}"),
        ("{get_attr: [web, networks, private, 0]}", "{get_attr: [web, networks, private, 1]}"),
        ("{get_attr: [web, networks, private]}", "{get_attr: [web, networks, public]}"),
        ("{get_resource: web}", "{get_resource: app}"),
        ("{get_attr: [web, metadata, {get_param: 'OS::stack_name'}]}", "x"),
    ],
)
def test_attributes_are_values_of_their_own(first: str, second: str) -> None:
    shape = HOT + SERVER + "outputs: {o: {value: %s}}\n"
    assert verify(shape % first, shape % first).is_same
    found = verify(shape % first, shape % second)
    assert {what.split(".")[1] for what in whats(found)} <= {"o"}
    assert not found.is_same or found.notes


def test_attributes_have_the_shape_that_is_asked_for() -> None:
    shape = HOT + SERVER + "outputs: {o: {value: %s}}\n"
    path = "{get_attr: [web, addresses, net, 0, addr]}"
    found = verify(shape % path, shape % "{list_join: ['', [%s]]}" % path)
    assert found.is_same
    assert found.compared
    assert not found.notes


def test_values_that_the_engine_refuses_are_noted() -> None:
    shape = HOT + "outputs: {bad: {value: {list_join: ['', {get_param: 'OS::stack_name'}]}}, good: {value: %s}}\n"
    found = verify(shape % 1, shape % 1)
    assert found.is_same
    assert len(found.notes) == 1
    assert "outputs.bad" in found.notes[0]
    assert "good" not in found.notes[0]


def test_circles_end() -> None:
    values = "".join(
        f"  v{n}:\n    type: OS::Heat::Value\n    properties:\n"
        f"      value: [{{get_attr: [v{(n + 1) % 8}, value]}}, {{get_attr: [v{(n + 3) % 8}, value]}}]\n"
        for n in range(8)
    )
    assert verify(HOT + "resources:\n" + values, HOT + "resources:\n" + values, draws=0).is_same


ADDRESS = HOT + (
    "resources: {server: {type: OS::Nova::Server, properties: {image: i, flavor: f}}}\n"
    "outputs: {ip: {value: {get_attr: [server, networks, private, 0]}}}\n"
)


def test_the_first_address_of_a_server_is_that_of_its_only_network() -> None:
    first = ADDRESS.replace("networks, private, 0", "first_address")
    assert verify(ADDRESS, first).is_same
    assert whats(verify(ADDRESS, first.replace("first_address", "accessIPv4"))) == ["outputs.ip"]
    both = "flavor: f, networks: [{network: a}, {network: b}]"
    two = ADDRESS.replace("flavor: f", both), first.replace("flavor: f", both)
    assert whats(verify(*two)) == ["outputs.ip"]
    asked = "outputs: {other: {value: {get_attr: [server, networks, public, 0]}}, "
    more = [text.replace("outputs: {", asked) for text in (ADDRESS, first)]
    assert whats(verify(*more)) == ["outputs.ip"]


def test_a_server_without_user_data_may_look_for_deployments_that_nobody_makes() -> None:
    plain = ADDRESS.replace("flavor: f", "flavor: f, user_data_format: RAW")
    agent = plain.replace("RAW", "SOFTWARE_CONFIG")
    assert verify(plain, agent).is_same
    with_data = [text.replace("flavor: f", "flavor: f, user_data: text") for text in (plain, agent)]
    assert whats(verify(*with_data)) == ["server.user_data_format"]
    address = "get_attr: [server, networks, private, 0]"
    known = [text.replace(address, "get_resource: server") for text in (plain, agent)]
    assert whats(verify(*known)) == ["server.user_data_format"]


def test_a_reference_to_a_resource_that_is_missing_has_no_value() -> None:
    source = VOLUME + "outputs: {lost: {value: {get_resource: gone}}, kept: {value: {get_resource: disk}}}\n"
    found = verify(source, source.replace("get_resource: gone", "get_resource: disk"))
    assert found.is_same
    assert found.notes == ["<input> has no value for outputs.lost"]


# -- what a conversion has told -----------------------------------------------------------------------------


def test_a_told_place_says_by_what(tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(HOT + SERVER.replace("flavor: f", "flavor: f, reservation_id: r", 1))
    made = convert(source, "hot", "cloudify", carry=False)
    silent = verify(source, made.text)
    told = verify(source, made.text, reported=made.diagnostics)
    assert whats(silent) == whats(told)
    assert told.differences
    assert all(one.codes for one in told.differences)
    assert not any(one.codes for one in silent.differences)


def test_what_is_told_of_one_place_is_not_of_another(tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(
        HOT
        + "parameters: {l: {type: string}}\n"
        + SERVER
        + "outputs:\n  joined: {value: {digest: [md5, {get_param: l}]}}\n  plain: {value: 1}\n"
    )
    made = convert(source, "hot", "cloudify", carry=False, asked="inputs")
    assert any(one.path[:2] == ("outputs", "joined") for one in made.diagnostics)
    changed = made.text.replace("value: 1\n", "value: 2\n").replace("flavor: f", "flavor: g", 1)
    assert changed != made.text
    found = {one.what: one.codes for one in verify(source, changed, reported=made.diagnostics).differences}
    assert found.pop("outputs.joined")
    assert found.pop("outputs.plain") == ()
    assert list(found.values()) == [()]


# -- what means the same ------------------------------------------------------------------------------------

GROUP = HOT + "resources: {group: {type: OS::Neutron::SecurityGroup, properties: {rules: [RULES]}}}\n"
IN = "{protocol: tcp, port_range_min: 22, port_range_max: 22}"
OUT = "{direction: egress}, {direction: egress, ethertype: IPv6}"


def test_default_egress_rules_may_be_written() -> None:
    given, written = GROUP.replace("RULES", IN), GROUP.replace("RULES", f"{IN}, {OUT}")
    assert verify(given, written).is_same
    for other in (f"{IN}, {{direction: egress}}", f"{IN}, {OUT}, {{direction: egress, protocol: tcp}}"):
        assert whats(verify(given, GROUP.replace("RULES", other))) == ["group.rules"]


def test_all_addresses_are_those_of_a_rule_without_one() -> None:
    without, to_all = "{protocol: tcp}", "{protocol: tcp, remote_ip_prefix: %s}"
    given = GROUP.replace("RULES", without)
    assert verify(given, GROUP.replace("RULES", to_all % "0.0.0.0/0")).is_same
    for other in ("10.0.0.0/8", "'::/0'"):
        assert not verify(given, GROUP.replace("RULES", to_all % other)).is_same


def test_an_input_of_the_second_document_alone_keeps_its_default() -> None:
    """Who deploys the first one gives no such value; one that only the first one has is given."""
    other = VOLUME.replace("size: 1", "size: {get_param: size}")
    other = other.replace("resources", "parameters: {size: {type: number, default: 1}}\nresources")
    assert verify(VOLUME, other, draws=5).is_same
    assert whats(verify(other, VOLUME, draws=5)) == ["disk.size"]


@pytest.mark.parametrize("end", ["subnet", "port"])
def test_the_id_of_a_router_interface_is_made_of_its_ends(end: str) -> None:
    """heat: neutron/router.py, ``RouterInterface.handle_create``."""
    text = f"""\
heat_template_version: 2018-08-31
resources:
  net: {{type: OS::Neutron::Net}}
  subnet: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: net}}, cidr: 10.0.0.0/24}}}}
  port: {{type: OS::Neutron::Port, properties: {{network: {{get_resource: net}}}}}}
  router: {{type: OS::Neutron::Router}}
  interface:
    type: OS::Neutron::RouterInterface
    properties: {{router: {{get_resource: router}}, {end}: {{get_resource: {end}}}}}
outputs: {{id: {{value: {{get_resource: interface}}}}}}
"""
    composed = f"{{list_join: [':{end}_id=', [{{get_resource: router}}, {{get_resource: {end}}}]]}}"
    assert verify(text, text.replace("{get_resource: interface}", composed)).is_same
    other = composed.replace(f":{end}_id", ":other_id")
    assert whats(verify(text, text.replace("{get_resource: interface}", other))) == ["outputs.id"]
    assert verify(text, convert(text, carry=False).text).is_same
