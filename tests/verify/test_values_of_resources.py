"""What an attribute of a resource, its id or its number is while documents are compared: what the document says of it,
else a value that is drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.verification import Verification, verify

HOT = "heat_template_version: 2018-08-31\n"
CFY = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def whats(found: Verification) -> list[str]:
    return [one.what for one in found.differences]


# -- attributes and ids -------------------------------------------------------------------------------------

RESOURCES = """\
  kind: {type: OS::Cinder::VolumeType, properties: {name: fast}}
  nameless: {type: OS::Cinder::VolumeType}
  typed: {type: OS::Cinder::Volume, properties: {size: 1, volume_type: {get_resource: kind}}}
  literal: {type: OS::Cinder::Volume, properties: {size: '1', volume_type: slow}}
  unknown: {type: OS::Cinder::Volume, properties: {size: 2, volume_type: {get_resource: nameless}}}
  plain: {type: OS::Cinder::Volume, properties: {size: 1}}
  key: {type: OS::Nova::KeyPair, properties: {name: mine, public_key: k}}
  unnamed: {type: OS::Nova::KeyPair, properties: {public_key: k}}
  held: {type: OS::Heat::Value, properties: {value: [a, {b: c}]}}
  net: {type: OS::Neutron::Net}
  share: {type: OS::Manila::ShareNetwork}
  pool: {type: OS::Octavia::Pool, properties: {lb_algorithm: ROUND_ROBIN, protocol: HTTP}}
  config: {type: OS::Heat::SoftwareConfig, properties: {config: echo}}
  router: {type: OS::Neutron::Router}
  routes:
    type: OS::Neutron::ExtraRouteSet
    properties: {router: {get_resource: router}, routes: [{destination: 10.0.0.0/24, nexthop: 10.0.0.1}]}
  joined: {type: OS::Neutron::RouterInterface, properties: {router: {get_resource: router}, subnet: s}}
  there: {type: OS::Neutron::Net, external_id: some-id}
"""


def compared(first: str, second: str, **more: Any) -> Verification:
    """The same resources with an output that is ``first``, and ``second``."""
    shape = f"{HOT}resources:\n{RESOURCES}outputs: {{o: {{value: %s}}}}\n"
    return verify(shape % first, shape % second, **more)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("{get_attr: [typed, volume_type]}", "fast"),
        ("{get_attr: [literal, volume_type]}", "slow"),
        ("{get_attr: [typed, size]}", "1"),
        ("{get_attr: [held, value, 1, b]}", "c"),
        ("{get_attr: [config, config]}", "echo"),
        ("{get_resource: config}", "echo"),
        ("{get_resource: key}", "mine"),
        ("{get_resource: routes}", "{get_resource: router}"),
        ("{get_resource: there}", "some-id"),
    ],
)
def test_what_follows_from_the_document(attribute: str, value: str) -> None:
    found = compared(attribute, value)
    assert found.is_same
    assert not found.notes
    assert whats(compared(attribute, "other")) == ["outputs.o"]


@pytest.mark.parametrize(
    "attribute",
    [
        "{get_attr: [unknown, volume_type]}",
        "{get_attr: [plain, volume_type]}",
        "{get_attr: [plain, display_description]}",
        "{get_attr: [there, name]}",
        "{get_attr: [plain, name]}",
    ],
)
def test_what_does_not_is_a_text_that_is_drawn(attribute: str) -> None:
    (one,) = compared(attribute, "known").differences
    assert one.what == "outputs.o"
    assert isinstance(one.first, str)
    assert one.first.isascii()
    assert len(one.first) >= 6
    assert compared(attribute, attribute).is_same
    (other,) = compared(attribute, "known", seed=1).differences
    assert other.first != one.first


@pytest.mark.parametrize("resource", ["unnamed", "joined", "plain"])
def test_an_id_that_nobody_knows_is_called_after_its_resource(resource: str) -> None:
    (one,) = compared(f"{{get_resource: {resource}}}", "known").differences
    assert one.first == f"{resource}-id"


def test_a_list_has_two_items_and_a_map_two_values_where_no_part_is_asked_for() -> None:
    (one,) = compared("{get_attr: [pool, members]}", "known", draws=0).differences
    assert len(set(one.first)) == 2
    (one,) = compared("{get_attr: [share, show]}", "known", draws=0).differences
    assert len(set(one.first.values())) == 2
    joined = "{list_join: ['%s', {get_attr: [pool, members]}]}"
    assert whats(compared(joined % ",", joined % ";")) == ["outputs.o"]


def test_an_attribute_has_its_parts_under_whatever_name_it_is_drawn() -> None:
    part = "{get_attr: [plain, display_name, a, 1]}"
    assert not compared(part, part).notes
    assert whats(compared(part, "known")) == ["outputs.o"]


def test_what_depends_on_the_members_of_a_later_group_is_computed_with_them() -> None:
    shape = f"""\
{HOT}resources:
  first:
    type: OS::Heat::ResourceGroup
    properties: {{count: 1, resource_def: {{type: OS::Cinder::Volume, properties: {{name: {{get_attr: [v, value]}}}}}}}}
  v: {{type: OS::Heat::Value, properties: {{value: {{get_attr: [second, current_size]}}}}}}
  second:
    type: OS::Heat::AutoScalingGroup
    properties: {{min_size: 3, max_size: 4, resource: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}}}
outputs: {{o: {{value: %s}}}}
"""
    assert verify(shape % "{get_attr: [v, value]}", shape % 3).is_same
    assert whats(verify(shape % "{get_attr: [v, value]}", shape % 2)) == ["outputs.o"]


def test_members_are_called_after_the_group_of_the_first_document() -> None:
    group = "{type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Cinder::Volume}}}"
    shape = f"{HOT}resources: {{NAME: {group}}}\noutputs: {{o: {{value: {{get_attr: [NAME, refs, 1]}}}}}}\n"
    first, second = shape.replace("NAME", "own"), shape.replace("NAME", "other")
    assert verify(first, second).is_same
    (one,) = verify(first, second.replace("refs, 1", "refs, 0")).differences
    assert (one.what, one.first, one.second) == ("outputs.o", "own.1-id", "own.0-id")


def test_properties_that_stand_for_others_are_computed_to_the_end() -> None:
    shape = f"""\
{CFY}inputs: {{z: {{default: deep}}}}
node_types: {{mine.Node: {{derived_from: cloudify.nodes.Root, properties: {{x: {{default: ''}}}}}}}}
node_templates:
  a: {{type: mine.Node, properties: {{x: {{get_property: [b, x]}}}}}}
  b: {{type: mine.Node, properties: {{x: {{concat: [b, {{get_property: [c, x]}}]}}}}}}
  c: {{type: mine.Node, properties: {{x: {{get_input: z}}}}}}
outputs: {{o: {{value: %s}}}}
"""
    assert verify(shape % "{get_property: [a, x]}", shape % "{concat: [b, {get_input: z}]}").is_same
    assert whats(verify(shape % "{get_property: [a, x]}", shape % "{get_input: z}")) == ["outputs.o"]


@pytest.mark.parametrize(
    ("output", "place"),
    [
        ("[a, %s]", "outputs.o.0"),
        ("{k: a, l: %s}", "outputs.o.k"),
        ("[[a], {k: [%s]}]", "outputs.o.0.0"),
        ("[a, %s, {yaql: {expression: $.data.unknown(), data: {}}}]", "outputs.o.0"),
    ],
)
@pytest.mark.parametrize("nothing", ["{get_resource: gone}", "{get_param: gone}", "{get_attr: [itself, value]}"])
def test_beside_a_part_without_a_value_the_others_are_compared(output: str, place: str, nothing: str) -> None:
    shape = f"{HOT}resources: {{itself: {{type: OS::Heat::Value, properties: {{value: {nothing}}}}}}}\n"
    first = f"{shape}outputs: {{o: {{value: {output % nothing}}}}}\n"
    found = verify(first, first.replace("[a", "[b").replace("k: a", "k: b"), draws=0)
    assert whats(found) == [place]
    assert [(one.first, one.second) for one in found.differences] == [("a", "b")]
    assert len(found.notes) == 1
    assert "<input> has no value for " in found.notes[0]


# -- where values stand -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("resources: {v: {type: OS::Cinder::Volume, condition: CASE, properties: {size: 1}}}", "v"),
        ("resources: {v: {type: OS::Cinder::Volume, properties: {name: {if: [CASE, a, b]}}}}", "v.name"),
        ("resources: {v: {type: OS::Cinder::Volume, external_id: {if: [CASE, a, b]}}}", "v.id"),
        ("outputs: {o: {value: 1, condition: CASE}}", "outputs.o"),
        ("outputs: {o: {value: {if: [CASE, a, b]}}}", "outputs.o"),
        ("conditions: {c: CASE}\noutputs: {o: {value: 1, condition: c}}", "outputs.o"),
    ],
)
def test_an_input_takes_what_it_is_compared_with_wherever_that_is(text: str, what: str) -> None:
    head = f"{HOT}parameters: {{p: {{type: string, default: x}}}}\n"
    first = head + text.replace("CASE", "{equals: [{get_param: p}, special]}")
    (one,) = verify(first, first.replace("special", "other")).differences
    assert one.what == what
    assert one.inputs["p"] in ("special", "other")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("v: {type: OS::Cinder::Volume, external_id: PART}", "v.id"),
        ("v: {type: OS::Cinder::Volume, properties: {name: PART}}", "v.name"),
        ("v: {type: OS::Nova::Server, properties: {flavor: f, metadata: {a: PART}}}", "v.metadata.a"),
    ],
)
def test_attributes_have_the_parts_that_are_asked_for_wherever_that_is(text: str, what: str) -> None:
    part = "{get_attr: [p, data, a, 1]}"
    port = "p: {type: OS::Neutron::Port, properties: {network: n}}"
    first = f"{HOT}resources: {{{port}, {text.replace('PART', part)}}}\n"
    found = verify(first, first)
    assert found.is_same
    assert not found.notes
    assert set(whats(verify(first, first.replace("a, 1]", "a, 0]")))) == {what}


def test_the_default_of_an_input_may_ask_for_a_part_of_another_one() -> None:
    text = f"{CFY}inputs: {{data: {{}}, b: {{default: {{get_input: [data, part]}}}}}}\noutputs: {{o: {{value: %s}}}}\n"
    found = verify(text % "{get_input: b}", text % "{get_input: b}")
    assert found.compared
    assert not found.notes
    assert whats(verify(text % "{get_input: b}", text % "part")) == ["outputs.o"]


# -- how many -----------------------------------------------------------------------------------------------

DISKS = (
    CFY
    + """\
inputs: {n: {default: '2'}, many: {default: '99999'}}
node_templates:
  disk:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    capabilities: {scalable: {properties: {default_instances: %s}}}
"""
)


@pytest.mark.parametrize(("text", "number"), [("{get_input: n}", 2), ("{get_input: many}", 99999)])
def test_a_text_of_digits_is_a_number_of_nodes(text: str, number: int) -> None:
    assert verify(DISKS % text, DISKS % number, draws=0).is_same
    assert not verify(DISKS % text, DISKS % (number - 1), draws=0).is_same


@pytest.mark.parametrize(
    "policy", ["", "policies: {p: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: 3}}}"]
)
def test_a_node_in_a_group_has_its_own_number_of_instances(policy: str) -> None:
    text = f"{DISKS}groups: {{g: {{members: [disk]}}}}\n{policy}\n"
    assert verify(text % 2, text % 2).is_same
    assert not verify(text % 2, text % 1).is_same
    assert not verify(text % 2, text % 3).is_same


# -- what nested documents see ------------------------------------------------------------------------------

NESTED = (
    CFY
    + """\
capabilities:
  secret: {value: {get_secret: s}}
  tenant: {value: {get_sys: [tenant, name]}}
  deployment: {value: {get_sys: [deployment, id]}}
"""
)
NESTING = (
    CFY
    + """\
node_templates:
  part:
    type: cloudify.nodes.Component
    properties:
      resource_config:
        blueprint: {external_resource: false, id: part, blueprint_archive: nested}
        deployment: {id: part}
outputs: {o: {value: %s}}
"""
)


@pytest.mark.parametrize(
    ("name", "value", "same"),
    [
        ("secret", "{get_secret: s}", True),
        ("secret", "{get_secret: other}", False),
        ("tenant", "{get_sys: [tenant, name]}", True),
        ("deployment", "{get_sys: [deployment, id]}", False),
    ],
)
def test_a_nested_deployment_is_another_one_with_the_same_secrets(
    tmp_path: Path, name: str, value: str, same: bool
) -> None:
    published = f"{{get_attribute: [part, capabilities, {name}]}}"
    for folder, output in (("a", published), ("b", value)):
        (tmp_path / folder / "nested").mkdir(parents=True)
        (tmp_path / folder / "nested" / "blueprint.yaml").write_text(NESTED)
        (tmp_path / folder / "main.yaml").write_text(NESTING % output)
    found = verify(tmp_path / "a" / "main.yaml", tmp_path / "b" / "main.yaml")
    assert not found.notes
    assert whats(found) == ([] if same else ["outputs.o"])


# -- stand-ins ----------------------------------------------------------------------------------------------

SHOWN = (
    CFY
    + """\
node_types: {mine.Node: {derived_from: cloudify.nodes.Root, properties: {a: {}}}}
node_templates:
  lb:
    type: mine.Node
    properties: {a: b}
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: mine.plugin.task, inputs: {text: x}}
"""
)


def test_a_stand_in_with_all_that_it_shows_is_what_it_stands_for() -> None:
    text = convert(SHOWN, "cloudify", "hot", carry=False).text
    assert all(key in text for key in ("cloudify_type: ", "properties:", "interfaces:"))
    assert "lb" not in whats(verify(SHOWN, text))
    assert "lb.a" in whats(verify(SHOWN, text.replace("a: b", "a: c")))
    more = text.replace("      cloudify_type: ", "      more: x\n      cloudify_type: ")
    assert "lb" in whats(verify(SHOWN, more))


def test_a_truth_that_is_a_text_is_one_as_an_attribute() -> None:
    source = (
        f"{HOT}resources:\n  net: {{type: OS::Neutron::Net, properties: {{admin_state_up: 'False'}}}}\n"
        "outputs: {o: {value: {get_attr: [net, admin_state_up]}}}\n"
    )
    assert whats(verify(source, source.replace("'False'", "false"))) == []
    assert whats(verify(source, source.replace("'False'", "true"))) == ["net.admin_state_up", "outputs.o"]


def test_the_type_of_a_volume_is_reported_where_it_is_written() -> None:
    source = (
        f"{HOT}resources:\n  kind: {{type: OS::Cinder::VolumeType, properties: {{name: fast}}}}\n"
        "  v: {type: OS::Cinder::Volume, properties: {size: 1, volume_type: {get_resource: kind}}}\n"
        "outputs: {o: {value: {get_attr: [v, volume_type]}}}\n"
    )
    result = convert(source, "hot", "cloudify", carry=False, plugin="v2")
    compared = verify(source, result.text, reported=result.diagnostics)
    assert {row.what: row.codes for row in compared.differences}["outputs.o"] == ("BPC201",)


def test_routes_of_which_there_are_none_are_nothing() -> None:
    source = (
        f"{HOT}resources:\n  r: {{type: OS::Neutron::Router}}\n"
        "  x: {type: OS::Neutron::ExtraRouteSet, properties: {router: {get_resource: r}ROUTES}}\n"
    )
    without, empty = source.replace("ROUTES", ""), source.replace("ROUTES", ", routes: []")
    some = source.replace("ROUTES", ", routes: [{destination: 10.0.0.0/24, nexthop: 10.0.1.1}]")
    for text in (without, empty):
        made = convert(text, "hot", "cloudify", carry=False).text
        assert whats(verify(text, made)) == []
        assert "x.routes.0" in {what[:10] for what in whats(verify(some, made))}
