"""A diagnostic of a conversion is said of the differences at its place, and of no other ones."""

from __future__ import annotations

from pathlib import Path

from bpconvert import Result, convert
from bpconvert.diagnostics import Diagnostic
from bpconvert.verification import verify

HOT = """\
heat_template_version: 2018-08-31
parameters:
  f: {type: string, default: a, constraints: [{custom_constraint: nova.flavor}]}
  c: {type: number, default: 1, constraints: [{custom_constraint: a.b}]}
resources:
  net: {type: OS::Neutron::Net}
  web:
    type: OS::Nova::Server
    depends_on: net
    properties: {image: i, flavor: {get_param: f}, user_data_update_policy: IGNORE}
  disks:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: c}
      resource_def: {type: OS::Cinder::Volume, properties: {size: 1}}
"""
WAITS = "    relationships:\n      - type: cloudify.relationships.depends_on\n        target: net_barrier\n"


def told(tmp_path: Path, old: str, new: str) -> dict[str, tuple[str, ...]]:
    """The differences that a change makes in what the template becomes, with the codes that name their places."""
    source = tmp_path / "a.yaml"
    source.write_text(HOT)
    made = convert(source, "hot", "cloudify", carry=False)
    assert {(one.code, one.path[1]) for one in made.diagnostics} >= {("BPC250", "web"), ("BPC502", "f")}
    assert old in made.text
    found = verify(source, made.text.replace(old, new, 1), reported=made.diagnostics).differences
    return {one.what: one.codes for one in found}


def test_what_is_said_of_a_property_is_said_of_no_dependency(tmp_path: Path) -> None:
    assert told(tmp_path, WAITS, "")["web.waits for.net"] == ("BPC405",)


def test_what_is_said_of_a_property_is_said_of_no_other_kind(tmp_path: Path) -> None:
    found = told(tmp_path, "type: cloudify.nodes.openstack.Server\n", "type: cloudify.nodes.Root\n")
    assert found["web"] == ()


def test_what_is_said_of_a_constraint_is_not_said_of_the_value(tmp_path: Path) -> None:
    assert told(tmp_path, "default: a", "default: b")["web.flavor"] == ()
    assert "BPC502" not in told(tmp_path, "default: 1", "default: 2")["disks.1"]


def test_an_output_whose_condition_has_no_form_is_told_by_it(tmp_path: Path) -> None:
    """And an output that only the result has, of another name, is told by nothing."""
    source = tmp_path / "a.yaml"
    source.write_text(
        "heat_template_version: 2018-08-31\n"
        "parameters: {settings: {type: json, default: {mode: single}}}\n"
        "outputs:\n"
        "  replica:\n"
        "    condition: {equals: [{yaql: {expression: $.data.mode, data: {get_param: settings}}}, ha]}\n"
        "    value: 1\n"
    )
    made = convert(source, carry=False)
    assert "BPC406" in {one.code for one in made.diagnostics}
    changed = made.text.replace("  replica:\n", "  added: {value: 2}\n  replica:\n")
    found = {one.what: one.codes for one in verify(source, changed, reported=made.diagnostics).differences}
    assert found == {"outputs.replica": ("BPC406",), "outputs.added": ()}


EXISTING = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {networks: {type: string}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {id: {get_capability: [{get_input: networks}, net]}}}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.contained_in, target: net}]
"""


def test_what_is_said_of_the_id_of_an_existing_resource_is_said_where_it_is_used() -> None:
    made = convert(EXISTING.encode(), "cloudify", "hot", carry=False)
    found = verify(EXISTING.encode(), made.text.encode(), reported=made.diagnostics).differences
    assert sorted(one.what for one in found if "BPC230" in one.codes) == ["net.id", "port.network"]
    assert len(found) == 2


def test_the_source_is_converted_once_and_only_where_something_differs() -> None:
    source, conversions = "heat_template_version: 2018-08-31\noutputs: {a: {value: 1}, b: {value: 2}}\n", list[Result]()

    def reported() -> list[Diagnostic]:
        conversions.append(convert(source, "hot", "cloudify"))
        return conversions[0].diagnostics

    result = convert(source, "hot", "cloudify").text
    assert verify(source, result, reported=reported).is_same
    assert conversions == []
    changed = result.replace("value: 1", "value: 3").replace("value: 2", "value: 4")
    assert len(verify(source, changed, reported=reported).differences) == 2
    assert len(conversions) == 1


def test_what_is_reported_of_a_node_is_said_of_a_property_that_is_null() -> None:
    properties = "{image: i, flavor: f, networks: [{network: x}], user_data: abc, user_data_format: null}"
    resource = f"{{type: OS::Nova::Server, properties: {properties}}}"
    source = f"heat_template_version: 2018-08-31\nresources: {{s: {resource}}}\n"
    made = convert(source, "hot", "cloudify", carry=False)
    found = verify(source, made.text, reported=made.diagnostics).differences
    assert [(one.what, one.codes) for one in found] == [("s.user_data_format", ("BPC307", "BPC339"))]


def test_what_is_reported_of_a_property_by_its_name_is_said_of_that_one() -> None:
    """It has no place of its own in the blueprint."""
    properties = "{image: i, flavor: f, networks: [{network: x}], user_data: abc, user_data_format: HEAT_CFNTOOLS}"
    resource = f"{{type: OS::Nova::Server, properties: {properties}}}"
    source = f"heat_template_version: 2018-08-31\nresources: {{s: {resource}}}\n"
    blueprint = convert(source, "hot", "cloudify", carry=False).text
    made = convert(blueprint, "cloudify", "hot", carry=False)
    found = verify(blueprint, made.text, reported=made.diagnostics).differences
    assert [(one.what, one.is_reported, "BPC670" in one.codes) for one in found] == [("s.user_data_format", True, True)]


def test_what_is_reported_of_the_number_of_members_is_said_of_each() -> None:
    group = "{min_size: 1, max_size: 3, desired_capacity: DESIRED, resource: {type: OS::Neutron::Net}}"
    resource = f"{{type: OS::Heat::AutoScalingGroup, properties: {group}}}"
    source = f"heat_template_version: 2018-08-31\nresources: {{g: {resource}}}\n"
    there = convert(source, "hot", "cloudify", carry=False).text
    back = convert(there, "cloudify", "hot", carry=False)
    found = verify(there, back.text, reported=back.diagnostics).differences
    assert {one.what for one in found} >= {"g.0"}
    assert {one.codes for one in found} == {("BPC786",)}
