"""One test for each mistake that was found by trying odd templates. The names say what has to hold."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bpconvert.api import Result, convert

SERVER = "type: OS::Nova::Server, properties: {image: i, flavor: f"


def converted(body: str, **choices: Any) -> Result:
    """The conversion of a template with these sections."""
    return convert(f"heat_template_version: 2018-08-31\n{body}", **choices)


def codes(result: Result) -> set[str]:
    """The codes of all findings."""
    return {found.code for found in result.diagnostics}


# -- names are given once -----------------------------------------------------------------------------------


def test_outputs_that_are_alike_in_ascii_all_stay() -> None:
    outputs = converted("outputs:\n  é: {value: 1}\n  è: {value: 2}\n  e: {value: 3}").document["outputs"]
    assert sorted(data["value"] for data in outputs.values()) == [1, 2, 3]
    assert outputs["e"] == {"value": 3}


def test_carried_entries_that_are_alike_in_ascii_all_stay() -> None:
    result = converted("resources:\n  é: {type: OS::Foo}\n  è: {type: OS::Foo}\n  e: {type: OS::Foo}")
    assert result.document["node_templates"].keys() == {"e", "e_2", "e_3"}
    assert convert(result.text, "cloudify", "hot").document["resources"].keys() == {"é", "è", "e"}


def test_credentials_do_not_replace_a_parameter_of_that_name() -> None:
    body = f"""\
parameters:
  openstack_username: {{type: string, default: mine}}
resources:
  web: {{{SERVER}, name: {{get_param: openstack_username}}}}}}
"""
    document = converted(body, client_config="inputs").document
    assert document["inputs"]["openstack_username"] == {"type": "string", "default": "mine"}
    credentials = document["dsl_definitions"]["client_config"]
    assert credentials["username"] == {"get_input": "openstack_username_2"}


def test_no_inputs_for_credentials_that_the_old_plugin_does_not_have() -> None:
    document = converted(f"resources:\n  web: {{{SERVER}}}}}", client_config="inputs", plugin="v2").document
    asked = {call["get_input"] for call in document["dsl_definitions"]["client_config"].values()}
    assert asked == set(document["inputs"])


def test_barriers_of_the_same_name_all_stay() -> None:
    body = f"""\
resources:
  a: {{{SERVER}}}, depends_on: b_after_c}}
  a_after_b: {{{SERVER}}}, depends_on: c}}
  c: {{type: OS::Neutron::Port, properties: {{network: n}}}}
  b_after_c: {{type: OS::Neutron::Port, properties: {{network: n}}}}
"""
    nodes = converted(body).document["node_templates"]

    def waits_for(name: str) -> str:
        barrier = nodes[name]["relationships"][0]["target"]
        return str(nodes[barrier]["relationships"][0]["target"])

    assert (waits_for("a"), waits_for("a_after_b")) == ("b_after_c", "c")


def test_an_undeclared_parameter_gets_a_legal_name() -> None:
    document = converted(f"resources:\n  web: {{{SERVER}, name: {{get_param: a--é}}}}}}", carry=False).document
    assert document["inputs"] == {"a-e": {"description": "Not declared in the Heat template"}}
    assert document["node_templates"]["web"]["properties"]["resource_config"]["name"] == {"get_input": "a-e"}


# -- what cannot be said has its own place ------------------------------------------------------------------


def test_literal_maps_in_two_calls_do_not_share_an_input() -> None:
    body = f"""\
parameters:
  p: {{type: json, default: {{a: b}}}}
resources:
  one: {{{SERVER}, metadata: {{map_merge: [{{get_secret: x}}, {{get_param: p}}]}}}}}}
  two: {{{SERVER}, metadata: {{map_merge: [{{get_label: y}}, {{get_param: p}}]}}}}}}
"""
    result = converted(body)
    merged = [
        result.document["node_templates"][name]["properties"]["resource_config"]["metadata"]["merge"][0]
        for name in ("one", "two")
    ]
    assert merged == [{"get_input": "one_metadata"}, {"get_input": "two_metadata"}]
    places = [found.path[:2] for found in result.diagnostics if found.code == "BPC206"]
    assert places == [("resources", "one"), ("resources", "two")]


def test_the_version_in_the_metadata_is_ascii() -> None:
    assert convert("heat_template_version: é\n").text.isascii()


def test_sections_and_types_beyond_ascii_are_written_in_ascii() -> None:
    source = "heat_template_version: 2018-08-31\né: 1\nè: 2\nresources:\n  a: {type: OS::é}\n"
    result = convert(source)
    assert convert(source, notes=False).text.isascii()
    assert result.text.encode("ascii", "ignore").decode().splitlines() == [
        line.replace("é", "") if line.lstrip().startswith("# BPC300") else line for line in result.text.splitlines()
    ]
    assert convert(result.text, "cloudify", "hot").text == source


def test_an_attribute_whose_name_is_beyond_ascii() -> None:
    body = "resources:\n  a: {type: OS::Foo}\noutputs:\n  o: {value: {get_attr: [a, é]}}"
    assert converted(body).text.isascii()


# -- odd templates convert ----------------------------------------------------------------------------------


def test_an_attribute_whose_name_is_a_map() -> None:
    output = "o: {value: {list_join: [x, [{get_attr: [a, {}]}]]}}"
    assert "BPC202" in codes(converted(f"resources:\n  a: {{{SERVER}}}}}\noutputs:\n  {output}"))


@pytest.mark.parametrize(
    ("keys", "found"),
    [
        ("[p, {a: b}]", {"BPC501"}),
        ("[p, {get_param: m}]", {"BPC501", "BPC215"}),
        ("[p, {get_param: m}, x]", {"BPC501", "BPC215"}),
    ],
)
def test_a_map_as_a_key(keys: str, found: set[str]) -> None:
    parameters = "parameters:\n  p: {type: json, default: {x: y}}\n  m: {type: json, default: {}}\n"
    assert codes(converted(f"{parameters}outputs:\n  o: {{value: {{get_param: {keys}}}}}")) == found


def test_a_port_whose_properties_are_computed() -> None:
    body = f"""\
parameters: {{p: {{type: json}}}}
resources:
  port: {{type: OS::Neutron::Port, properties: {{get_param: p}}}}
  web: {{{SERVER}, networks: [{{port: {{get_resource: port}}}}, {{network: n}}]}}}}
outputs:
  o: {{value: {{get_attr: [web, networks, n, 0]}}}}
"""
    assert {"BPC201", "BPC300"} <= codes(converted(body))


def test_infinity_where_a_whole_number_belongs() -> None:
    result = converted("resources:\n  v: {type: OS::Cinder::Volume, properties: {size: .inf}}")
    assert codes(result) == {"BPC171"}


def test_a_long_chain_of_conditions() -> None:
    links = [f"  c{i}: {{and: [c{i - 1}, {{equals: [{{get_param: p}}, v{i}]}}]}}\n" for i in range(1, 500)]
    parameters = "parameters: {p: {type: string}}\nconditions:\n  c0: {equals: [{get_param: p}, x]}\n"
    outputs = "outputs:\n  o: {value: {if: [c499, 1, 2]}}\n  q: {value: 1, condition: c499}\n"
    assert {"BPC202", "BPC406"} <= codes(converted(parameters + "".join(links) + outputs))


def test_a_file_name_that_is_no_url() -> None:
    result = converted('outputs:\n  o: {value: {get_file: "http://[x"}}', name="here.yaml")
    assert "BPC610" in codes(result)


def test_a_text_without_a_name_has_an_inputs_file_with_a_plain_name() -> None:
    assert list(converted("parameters:\n  p: {type: string, default: é}\n").files) == ["blueprint.inputs.yaml"]


def test_a_number_as_the_default_of_a_boolean_is_told() -> None:
    assert "BPC509" in codes(converted("parameters:\n  p: {type: boolean, default: 1}\n"))


@pytest.mark.parametrize("bound", [".inf", "-.inf", ".nan"])
@pytest.mark.parametrize(
    "constraint", ["length: {min: BOUND}", "modulo: {step: BOUND, offset: 0}", "range: {max: BOUND}"]
)
def test_bounds_that_are_no_numbers(constraint: str, bound: str) -> None:
    kind = "string" if "length" in constraint else "number"
    constraint = constraint.replace("BOUND", bound)
    result = converted(f"parameters:\n  p: {{type: {kind}, default: 1, constraints: [{{{constraint}}}]}}\n")
    assert ("BPC120" in codes(result)) == ("range" not in constraint)  # a range of numbers may end nowhere


@pytest.mark.parametrize(
    ("option", "value", "problem"),
    [
        ("dsl_version", "1_2", "too old"),
        ("dsl_version", "1_6", "choose from 1_3, 1_4, 1_5"),
        ("plugin", "v1", "choose from v3, v2"),
        ("files", "outline", "choose from"),
        ("client_config", [], "choose from"),
    ],
)
def test_the_library_checks_its_options(option: str, value: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        converted("", **{option: value})


# -- what findings say --------------------------------------------------------------------------------------


def messages(result: Result, code: str) -> list[str]:
    """The messages of the findings with this code."""
    return [found.message for found in result.diagnostics if found.code == code]


def test_a_condition_is_called_by_its_name() -> None:
    body = """\
conditions: {a: {not: b}, b: {not: a}}
resources:
  one: {type: OS::Neutron::Net, condition: a}
  two: {type: OS::Neutron::Net, condition: nowhere}
"""
    one, two = messages(converted(body), "BPC401")
    assert "condition 'a'" in one
    assert "condition 'nowhere'" in two


def test_a_call_that_heat_refuses_is_not_called_missing() -> None:
    body = (
        "outputs:\n  a: {value: {list_join: 5}}\n  b: {value: {str_split: [x]}}\n  c: {value: {list_join: [1, [a]]}}\n"
    )
    assert set(messages(converted(body), "BPC202")) == {"not converted: Heat refuses the call"}


@pytest.mark.parametrize(
    ("policy", "external", "code"),
    [
        ("Delete", False, "BPC321"),
        ("Retain", False, "BPC322"),
        ("Snapshot", False, "BPC322"),
        ("Retain", True, "BPC321"),
    ],
)
def test_what_becomes_of_a_resource_that_is_to_stay(policy: str, external: bool, code: str) -> None:
    given = ", external_id: x" if external else ""
    result = converted(f"resources:\n  v: {{type: OS::Cinder::Volume, deletion_policy: {policy}{given}}}\n")
    assert codes(result) & {"BPC320", "BPC321", "BPC322"} == {code}


def test_a_value_of_a_stand_in_is_told_once() -> None:
    body = "resources:\n  x: {type: OS::Foo}\noutputs:\n  o: {value: {list_join: ['', [a, {get_attr: [x, y]}]]}}\n"
    result = converted(body)
    assert "BPC203" not in codes(result)
    assert "None" in messages(result, "BPC305")[0]


def test_branches_of_text_are_text() -> None:
    body = """\
parameters: {p: {type: string}}
outputs:
  o: {value: {list_join: ["-", [a, {if: [{equals: [{get_param: p}, x]}, b, {get_param: p}]}]]}}
"""
    assert "BPC203" not in codes(converted(body))


def test_only_the_outermost_rewritten_call_is_told() -> None:
    body = """\
parameters: {p: {type: string}}
outputs:
  o: {value: [{list_join: ["-", [{list_join: ["+", [a, {get_param: p}]]}]]}]}
"""
    told = [found.path for found in converted(body).diagnostics if found.code == "BPC223"]
    assert told == [("outputs", "o", "value", 0)]


def test_a_hidden_parameter_is_told() -> None:
    hidden = "{type: string, default: x, hidden: true}"
    assert len(messages(converted(f"parameters:\n  p: {hidden}\n  q: {hidden}\n"), "BPC511")) == 2


@pytest.mark.parametrize(("written", "path"), [("a", ("depends_on",)), ("[b, a]", ("depends_on", 1))])
def test_a_resource_that_depends_on_itself(written: str, path: tuple[Any, ...]) -> None:
    network = "type: OS::Neutron::Net"
    result = converted(f"resources:\n  a: {{{network}, depends_on: {written}}}\n  b: {{{network}}}\n")
    found = next(found for found in result.diagnostics if found.code == "BPC121")
    assert found.path == ("resources", "a", *path)
    assert str(found.severity) == "error"


# -- values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("(?x) a b # c", "ab", "a"),
        ("(?x) a | ab # first", "a", "ab"),
        ("(?i)a|ab", "A", "AB"),
        ("(?P<whole>a|b)", "a", "ab"),
        (r"a\$", "a$", "a"),
        (r"(a)\1", "aa", "a"),
    ],
)
def test_patterns_match_whole_values(pattern: str, good: str, bad: str) -> None:
    document = converted(
        f"parameters:\n  p: {{type: string, constraints: [{{allowed_pattern: '{pattern}'}}]}}\n"
    ).document
    written = document["inputs"]["p"]["constraints"][0]["pattern"]
    assert re.match(written, good)
    assert not re.match(written, bad)
    assert not re.match(written, good + "\n")


def test_a_pattern_that_cannot_be_said_is_kept() -> None:
    result = converted(r"parameters: {p: {type: string, constraints: [{allowed_pattern: '(a|b)\1'}]}}")
    assert "constraints" not in result.document["inputs"]["p"]
    assert "BPC502" in codes(result)


PORT = "resources:\n  port: {type: OS::Neutron::Port, properties: {network: NETWORK}}\noutputs:\n  o: {value: VALUE}\n"


def test_the_network_of_a_port_is_a_map_in_heat() -> None:
    body = PORT.replace("NETWORK", "n").replace("VALUE", "{get_attr: [port, network]}")
    assert converted(body).document["outputs"]["o"]["value"].startswith("not converted")


UUID = "7d0f4ac2-9f35-4e36-a3c6-3b2a8e5f1c11"


@pytest.mark.parametrize(
    ("network", "written"),
    [
        ("n", {"get_attribute": ["external_n", "id"]}),
        ("{get_param: p}", {"get_attribute": ["external_p", "id"]}),
        (UUID, UUID),
    ],
)
def test_the_id_of_a_network_that_is_given(network: str, written: Any) -> None:
    body = PORT.replace("NETWORK", network).replace("VALUE", "{get_attr: [port, network_id]}")
    result = converted(f"parameters: {{p: {{type: string}}}}\n{body}")
    assert result.document["outputs"]["o"]["value"] == written
    assert "BPC309" not in codes(result)


def test_text_is_no_index_of_an_address() -> None:
    """Heat yields null for it (heat/engine/attributes.py, ``select_from_attribute``)."""
    server = f"{SERVER}, networks: [{{network: n}}]"
    body = f"resources:\n  web: {{{server}}}}}\noutputs:\n  o: {{value: {{get_attr: [web, networks, n, '0']}}}}\n"
    result = converted(body)
    assert "BPC716" in codes(result)
    assert "outputs" not in result.document


def test_a_number_that_selects_an_address_is_whole() -> None:
    parameters = "parameters: {i: {type: number, default: 0.0}}\n"
    body = PORT.replace("NETWORK", "n").replace("VALUE", "{get_attr: [port, fixed_ips, {get_param: i}, ip_address]}")
    result = converted(parameters + body)
    assert result.document["inputs"]["i"] == {"type": "integer", "default": 0}
    assert "BPC508" in codes(result)


@pytest.mark.parametrize(
    "value",
    [
        "{list_join: ['-', [a, {yaql: {expression: $, data: {get_param: p}}}]]}",
        "{str_replace: {template: é X, params: {X: {get_param: p}}}}",
        "{list_join: [é, [a, {get_param: p}]]}",
        "{if: [{equals: [{get_param: p}, é]}, 1, 2]}",
        "{get_param: 'OS::region'}",
    ],
)
def test_an_output_asks_for_nothing(value: str) -> None:
    parameters = "parameters: {p: {type: string}}\n"
    for body in (
        f"outputs:\n  o: {{value: {value}}}",
        f"resources:\n  x: {{type: OS::Foo, properties: {{y: {value}}}}}",
    ):
        document = converted(parameters + body).document
        assert [name for name, data in document["inputs"].items() if "default" not in data] == ["p"]


def test_an_output_uses_what_a_node_asks_for() -> None:
    body = f"resources:\n  web: {{{SERVER}, name: {{get_param: 'OS::region'}}}}}}\noutputs:\n  o: {{value: VALUE}}\n"
    document = converted(body.replace("VALUE", "{get_param: 'OS::region'}")).document
    assert document["outputs"]["o"]["value"] == {"get_input": "os_region"}


# -- comments -----------------------------------------------------------------------------------------------


def test_the_end_of_the_file_stays_its_end() -> None:
    text = converted("outputs:\n  o: {value: 1}\n  # of the outputs\n# of the file\n", carry=False).text
    assert text.endswith("  # of the outputs\n\n# of the file\n")


def test_comments_follow_what_became_a_relationship() -> None:
    body = """\
resources:
  net: {type: OS::Neutron::Net}
  one: {type: OS::Neutron::SecurityGroup}
  port:
    type: OS::Neutron::Port
    properties:
      name: p
      # the network
      network: {get_resource: net}
      # the groups
      security_groups:
        # the first
        - {get_resource: one}
"""
    text = converted(body, carry=False, client_config="none").text
    assert text.endswith(
        "    # the network\n    # the groups\n    relationships:\n"
        "      - type: cloudify.relationships.connected_to\n        target: net\n"
        "      # the first\n"
        "      - type: cloudify.relationships.openstack.port_connected_to_security_group\n        target: one\n"
    )


@pytest.mark.parametrize(
    "resources",
    [
        'a: {type: "OS::Neutron::FloatingIP", properties: {floating_network: n, port_id: {get_resource: p}}}, '
        'p: {type: "OS::Neutron::Port", properties: {get_file: x}}',
        's: {type: "OS::Nova::Server", properties: {image: i, flavor: f, security_groups: true, '
        "networks: [{network: n, subnet: u}]}}",
        's: {type: "OS::Nova::Server", properties: {get_file: x}}, a: {type: "OS::Neutron::FloatingIP", properties: '
        '{floating_network: n}}, x: {type: "OS::Neutron::FloatingIPAssociation", properties: '
        "{floatingip_id: {get_resource: a}, port_id: {get_attr: [s, addresses, n, 0, port]}}}",
    ],
)
def test_properties_of_another_shape_do_not_crash(resources: str) -> None:
    assert convert(f"heat_template_version: 2016-10-14\nresources: {{{resources}}}\n").document["node_templates"]


def test_self_is_the_node_that_uses_it_beside_a_node_of_that_name() -> None:
    result = convert(
        """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs: {i: {default: {get_attribute: [SELF, name]}}}
node_templates:
  SELF: {type: cloudify.nodes.openstack.Network}
  disk: {type: cloudify.nodes.openstack.Volume, properties: {resource_config: {size: 1, description: {get_input: i}}}}
""",
        "cloudify",
        "hot",
        carry=False,
    )
    assert "get_attr" not in result.text
    assert "OS::Cinder::Volume has no attribute 'name'" in str([str(found) for found in result.diagnostics])


def test_nothing_is_said_of_the_type_of_an_input_whose_type_is_refused() -> None:
    text = "tosca_definitions_version: cloudify_dsl_1_3\ninputs: {size: {type: 1.5, default: 4}}\n"
    assert "BPC535" not in {found.code for found in convert(text, "cloudify", "hot").diagnostics}
    assert "BPC535" in {found.code for found in convert(text.replace("type: 1.5, ", ""), "cloudify", "hot").diagnostics}


def test_a_property_of_a_configuration_whose_name_is_a_number_is_reported() -> None:
    result = convert(
        """\
heat_template_version: 2018-08-31
resources:
  vm: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}
  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: "#!/bin/sh\\n", 1: lost}}
  run:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: vm}}
"""
    )
    assert ("BPC301", ("resources", "config", "properties", "1")) in [
        (one.code, one.path) for one in result.diagnostics
    ]
