"""One test for each mistake that was found by trying odd templates. The names say what has to hold."""

from __future__ import annotations

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
    assert len(result.document["metadata"]["bpconvert"]["resources"]) == 3


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
    result = converted("é: 1\nè: 2\nresources:\n  a: {type: OS::é}\n")
    assert result.text.isascii()
    assert {"e", "e_2"} <= result.document["metadata"]["bpconvert"].keys()


def test_an_attribute_whose_name_is_beyond_ascii() -> None:
    body = "resources:\n  a: {type: OS::Foo}\noutputs:\n  o: {value: {get_attr: [a, é]}}"
    assert converted(body).text.isascii()


# -- odd templates convert ----------------------------------------------------------------------------------


def test_an_attribute_whose_name_is_a_map() -> None:
    output = "o: {value: {list_join: [x, [{get_attr: [a, {}]}]]}}"
    converted(f"resources:\n  a: {{{SERVER}}}}}\noutputs:\n  {output}")


@pytest.mark.parametrize("keys", ["[p, {a: b}]", "[p, {get_param: m}]", "[p, {get_param: m}, x]"])
def test_a_map_as_a_key(keys: str) -> None:
    parameters = "parameters:\n  p: {type: json, default: {x: y}}\n  m: {type: json, default: {}}\n"
    converted(f"{parameters}outputs:\n  o: {{value: {{get_param: {keys}}}}}")


def test_a_port_whose_properties_are_computed() -> None:
    body = f"""\
parameters: {{p: {{type: json}}}}
resources:
  port: {{type: OS::Neutron::Port, properties: {{get_param: p}}}}
  web: {{{SERVER}, networks: [{{port: {{get_resource: port}}}}, {{network: n}}]}}}}
outputs:
  o: {{value: {{get_attr: [web, networks, n, 0]}}}}
"""
    converted(body)


def test_infinity_where_a_whole_number_belongs() -> None:
    converted("resources:\n  v: {type: OS::Cinder::Volume, properties: {size: .inf}}")


def test_a_long_chain_of_conditions() -> None:
    links = [f"  c{i}: {{and: [c{i - 1}, {{equals: [{{get_param: p}}, {i}]}}]}}\n" for i in range(1, 500)]
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
