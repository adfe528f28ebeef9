"""References to software, components and groups in a template, and defaults that cannot be written there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bpconvert.api import Result, convert

V3 = "cloudify.nodes.openstack."
HEAD = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def messages(result: Result) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in result.diagnostics if one.path[:2] == ("outputs", "o")]


def output(call: str, rest: str) -> tuple[Any, list[tuple[str, str]], Result]:
    """What ``call`` becomes as an output, and what is reported there."""
    result = convert(f"{HEAD}{rest}outputs: {{o: {{value: {call}}}}}\n", "cloudify", "hot", carry=False)
    return result.document["outputs"]["o"]["value"], messages(result), result


# -- defaults -----------------------------------------------------------------------------------------------

LONG = "what input 'big' is by default is too long in the places that use it"


@pytest.mark.parametrize(("length", "fits"), [(9_900, True), (10_100, False)])
def test_a_default_is_written_where_it_is_used_unless_it_is_long(length: int, fits: bool) -> None:
    """Heat takes no template of any size. Nowhere, then, also where it comes again."""
    inputs = f"inputs: {{s: {{type: string}}, big: {{default: {{concat: ['{'x' * length}', {{get_input: s}}]}}}}}}\n"
    calls = "[{get_input: big}, {get_input: big}]"
    value, found, _ = output(calls, inputs)
    if fits:
        assert [list(one) for one in value] == [["if"], ["if"]]
        assert found == []
    else:
        assert value == ['{"get_input":"big"}'] * 2
        assert [message for _, message in found] == [f"not converted, written as text: {LONG}"] * len(found)


def test_a_default_that_needs_itself() -> None:
    types = "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {m: {}}}}\n"
    nodes = "node_templates: {t: {type: t, properties: {m: {get_input: a}}}}\n"
    value, found, _ = output("{get_input: a}", f"{types}inputs: {{a: {{default: {{get_property: [t, m]}}}}}}\n{nodes}")
    assert value == '{"get_input":"a"}'
    assert found == [("BPC232", "not converted, written as text: the default of input 'a' refers to itself")]


def test_what_a_default_cannot_say_is_told_at_the_default() -> None:
    """The place is that of the default."""
    result = output("{get_input: a}", "inputs: {a: {default: {concat: [x, {get_sys: [deployment, id]}]}}}\n")[2]
    assert [one.path for one in result.diagnostics if one.code == "BPC249"] == [("inputs", "a", "default", "concat", 1)]


def chain(length: int) -> str:
    """Properties each of which is two of the next."""
    names = [f"a{number}" for number in range(length + 1)]
    types = "".join(f"      {name}: {{}}\n" for name in names)
    pairs = pairwise(names)
    values = [f"      {name}: [{{get_property: [t, {two}]}}, {{get_property: [t, {two}]}}]\n" for name, two in pairs]
    head = "node_types:\n  t:\n    derived_from: cloudify.nodes.Root\n    properties:\n"
    return f"{head}{types}node_templates:\n  t:\n    type: t\n    properties:\n{''.join(values)}      {names[-1]}: x\n"


def test_what_a_property_says_is_not_copied_without_end() -> None:
    """A chain of doublings would fill the template."""
    assert output("{get_property: [t, a0]}", chain(2))[0] == [["x", "x"], ["x", "x"]]
    value, _, result = output("{get_property: [t, a0]}", chain(12))
    assert value == ['{"get_property":["t","a1"]}'] * 2
    assert len(result.text) < 20_000


# -- secrets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "type"), [("pw", "string"), ("[pw, a]", "json")])
def test_the_parameter_of_a_secret_is_a_text_or_has_parts(name: str, type: str) -> None:
    server = f"{{type: {V3}Server, properties: {{resource_config: {{name: {{get_secret: {name}}}, flavor: f}}}}}}"
    value, _, result = output(f"{{get_secret: {name}}}", f"node_templates: {{n: {server}}}\n")
    assert result.document["parameters"]["pw"]["type"] == type
    assert value == result.document["resources"]["n"]["properties"]["name"]


def test_a_secret_of_a_stand_in_is_data() -> None:
    types = "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {m: {}}}}\n"
    server = f"{{type: {V3}Server, properties: {{resource_config: {{name: {{get_secret: pw}}, flavor: f}}}}}}"
    nodes = f"node_templates: {{n: {server}, t: {{type: t, properties: {{m: {{get_secret: pw}}}}}}}}\n"
    result = output("x", types + nodes)[2]
    assert result.document["resources"]["t"]["properties"]["properties"]["m"] == {"get_secret": "pw"}


# -- groups -------------------------------------------------------------------------------------------------

SCALED = f"{{type: {V3}Network, capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}}}"


@pytest.mark.parametrize(
    ("call", "written", "version"),
    [
        ("{get_attributes_list: [many, name]}", ["many", "name"], "2013-05-23"),
        ("{get_attributes_list: [many, name, 0]}", ["many", "name", 0], "2014-10-16"),
    ],
)
def test_steps_into_the_values_of_members_need_a_later_version(call: str, written: Any, version: str) -> None:
    """Before, they select from the list of all."""
    value, _, result = output(call, f"node_templates: {{many: {SCALED}}}\n")
    assert value == {"get_attr": written}
    assert str(result.document["heat_template_version"]) == version


# -- components ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "written", "reason"),
    [
        ("[n, capabilities, c]", {"get_attr": ["n", "c"]}, None),
        ("[n, capabilities, c, 0]", {"get_attr": ["n", "c", 0]}, None),
        ("[n, capabilities]", {"c": {"get_attr": ["n", "c"]}}, None),
        ("[n, capabilities, other]", None, "inner.yaml has no output 'other'"),
        ("[n, other]", None, "inner.yaml has no attribute 'other'"),
    ],
)
def test_capabilities_of_a_component_are_outputs(tmp_path: Path, call: str, written: Any, reason: str | None) -> None:
    (tmp_path / "inner.yaml").write_text(f"{HEAD}capabilities: {{c: {{value: [1, 2]}}}}\n")
    component = (
        "{type: cloudify.nodes.Component, properties: {resource_config: {blueprint: {main_file_name: inner.yaml}}}}"
    )
    (tmp_path / "main.yaml").write_text(
        f"{HEAD}node_templates: {{n: {component}}}\noutputs: {{o: {{value: {{get_attribute: {call}}}}}}}\n"
    )
    result = convert(tmp_path / "main.yaml", "cloudify", "hot", carry=False)
    if reason is None:
        assert result.document["outputs"]["o"]["value"] == written
        assert messages(result) == []
    else:
        assert ("BPC232", f"not converted, written as text: {reason}") in messages(result)


# -- software -----------------------------------------------------------------------------------------------


def service(attribute: str, target: str = "app", outputs: str = "") -> str:
    """A service template with software whose operation yields ``outputs``."""
    return f"""tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{{host: vm}}]
      interfaces: {{Standard: {{operations: {{create: {{implementation: run.sh, {outputs}}}}}}}}}
  outputs: {{o: {{value: {{get_attribute: [{target}, {attribute}]}}}}}}
"""


@pytest.mark.parametrize("name", ["tosca_id", "color"])
def test_software_is_no_resource(name: str) -> None:
    """Its operations are some."""
    result = convert(service(name), "tosca", "hot", carry=False)
    reason = "'app' is software, which is no resource of its own"
    assert ("BPC232", f"not converted, written as text: {reason}") in messages(result)


@pytest.mark.parametrize(("steps", "written"), [("color", ["color"]), ("color, 0", ["color", 0])])
def test_what_a_program_publishes_is_an_attribute_of_its_deployment(steps: str, written: Any) -> None:
    result = convert(service(steps, outputs="outputs: {color: [SELF, color]}"), "tosca", "hot", carry=False)
    assert result.document["outputs"]["o"]["value"] == {"get_attr": ["app_create_deploy", *written]}
    told = "'color' is an output of 'app_create_deploy', which the program has to write to a file"
    assert messages(result) == [("BPC842", told)]
