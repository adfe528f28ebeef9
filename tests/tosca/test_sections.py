"""What a service template has besides its topology: every section is read, or reported with the reason."""

from __future__ import annotations

import pytest

from bpconvert import Diagnostic, convert
from bpconvert.models.tosca import ServiceTemplate
from bpconvert.translators.tosca.read import sections

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\n"


def found(text: str, target: str = "hot") -> list[Diagnostic]:
    return convert(HEAD + text, "tosca", target, carry=False).diagnostics


def test_every_section_of_the_model_is_in_one_table() -> None:
    tables = [
        set(sections.READ), set(sections.WITHOUT_EFFECT), set(sections.MISSING), set(sections.DEFINITIONS),
        {sections.ALIASED}, set(sections.BODIES),
    ]  # fmt: skip
    known = {field.alias or name for name, field in ServiceTemplate.model_fields.items()}
    assert set().union(*tables) == known
    assert sum(map(len, tables)) == len(known)


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("namespace: http://x\n", "BPC147", ("namespace",)),
        ("template_name: x\n", "BPC147", ("template_name",)),
        ("metadata: {a: b}\n", "BPC147", ("metadata", "a")),
        ("metadata: {a: b, c: d}\n", "BPC147", ("metadata",)),
        ("repositories: {hub: 'https://x'}\n", "BPC147", ("repositories", "hub")),
        ("node_types: {my.T: {derived_from: tosca.nodes.Root}}\n", "BPC149", ("node_types", "my.T")),
        ("policy_types: {my.P: {}}\n", "BPC149", ("policy_types", "my.P")),
        ("data_types: {my.D: {}}\n", "BPC149", ("data_types", "my.D")),
        ("topology_template: {workflows: {w: {steps: {}}}}\n", "BPC837", ("workflows", "w")),
        ("dsl_definitions: {a: &a {k: v}, b: {k: w}}\n", "BPC147", ("dsl_definitions", "a")),
        ("dsl_definitions: [&a {k: v}]\n", "BPC147", ("dsl_definitions", 0)),
        (
            "topology_template:\n  relationship_templates: {r: {type: tosca.relationships.DependsOn}}\n",
            "BPC147",
            ("relationship_templates", "r"),
        ),
    ],
)
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_what_is_not_converted_is_reported(text: str, code: str, path: tuple[object, ...], target: str) -> None:
    reported = found(text, target)
    assert (code, path) in [(one.code, one.path) for one in reported]


def test_used_definitions_are_not_reported() -> None:
    text = (
        "dsl_definitions: {a: &a {name: k}}\n"
        "topology_template:\n  node_templates:\n    key: {type: openstack.nova.KeyPair, properties: *a}\n"
    )
    assert "BPC147" not in {one.code for one in found(text)}


def test_types_that_a_conversion_writes_are_not_reported() -> None:
    hot = "heat_template_version: 2021-04-16\nresources:\n  k: {type: OS::Nova::KeyPair, properties: {name: x}}\n"
    made = convert(hot, "hot", "tosca", carry=False).text
    assert "BPC149" not in {one.code for one in convert(made, "tosca", "hot", carry=False).diagnostics}


def test_the_description_of_the_topology_is_that_of_the_document_where_that_has_none() -> None:
    text = "topology_template: {description: inner}\n"
    assert convert(HEAD + text, "tosca", "hot", carry=False).document["description"] == "inner"
    reported = found("description: outer\n" + text)
    assert ("topology_template", "description") in {one.path for one in reported}


def test_an_input_that_may_be_left_out() -> None:
    text = "topology_template:\n  inputs: {a: {type: string, required: false}, b: {type: string}}\n"
    parameters = convert(HEAD + text, "tosca", "hot", carry=False).document["parameters"]
    assert "default" in parameters["a"]
    assert "default" not in parameters["b"]


@pytest.mark.parametrize(
    ("constraint", "wanted"),
    [
        ("- greater_than: 3", {"range": {"min": 4}}),
        ("- less_than: 3", {"range": {"max": 2}}),
        ("{in_range: [1, UNBOUNDED]}", {"range": {"min": 1}}),
    ],
)
def test_limits_of_whole_numbers(constraint: str, wanted: dict[str, object]) -> None:
    text = f"topology_template:\n  inputs:\n    a:\n      type: integer\n      constraints:\n        {constraint}\n"
    parameters = convert(HEAD + text, "tosca", "hot", carry=False).document["parameters"]
    assert parameters["a"]["constraints"] == [wanted]


@pytest.mark.parametrize("operator", ["greater_than: 1.5", "schema: x", "unknown: 1"])
def test_constraints_without_counterpart_are_reported(operator: str) -> None:
    text = f"topology_template:\n  inputs: {{a: {{type: float, constraints: [{{{operator}}}]}}}}\n"
    assert ("BPC853", ("inputs", "a", "constraints")) in [(one.code, one.path) for one in found(text)]


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [("my.Port", "number"), ("my.Data", "json"), ("tosca.datatypes.Credential", "json"), ("PortDef", "number"),
     ("my.Nobody", None)],
)  # fmt: skip
def test_inputs_of_data_types(kind: str, wanted: str | None) -> None:
    text = (
        "data_types:\n  my.Port: {derived_from: integer}\n"
        "  my.Data: {derived_from: tosca.datatypes.Root, properties: {a: {type: string}}}\n"
        f"topology_template: {{inputs: {{a: {{type: {kind}}}}}}}\n"
    )
    parameters = convert(HEAD + text, "tosca", "hot", carry=False).document["parameters"]
    assert parameters["a"]["type"] == (wanted or "string")


def test_keys_of_outputs_that_change_nothing() -> None:
    text = "topology_template: {outputs: {o: {value: 1, type: integer, required: true, default: 2}}}\n"
    assert [one.path for one in found(text) if one.code == "BPC147"] == [
        ("outputs", "o", "required"), ("outputs", "o", "default"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "path"),
    [
        *(
            (f"{name}: 3\n", (name,))
            for name in ("data_types", "policy_types", "repositories", "imports", "dsl_definitions")
        ),
        ("capability_types: {my.C: [x]}\n", ("capability_types", "my.C")),
        (
            "node_types: {my.T: {derived_from: tosca.nodes.Root, capabilities: [x]}}\n",
            ("node_types", "my.T", "capabilities"),
        ),
        *(
            (f"topology_template: {{{name}: x}}\n", (name,))
            for name in ("policies", "workflows", "substitution_mappings")
        ),
    ],
)
def test_a_section_of_another_kind_is_an_error(text: str, path: tuple[object, ...]) -> None:
    """It was taken for an empty one."""
    assert [one.path[-len(path) :] for one in found(text) if one.code == "BPC120"] == [path]


@pytest.mark.parametrize("part", ["directives: x", "artifacts: 3", "node_filter: [x]", "interfaces: {Standard: x}"])
def test_a_part_of_a_node_of_another_kind_is_an_error(part: str) -> None:
    text = f"topology_template: {{node_templates: {{net: {{type: tosca.nodes.network.Network, {part}}}}}}}\n"
    assert [one.code for one in found(text) if one.severity == "error"] == ["BPC120"]


def test_artifacts_in_a_list_are_read() -> None:
    """A notation of drafts."""
    text = """\
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    app:
      type: tosca.nodes.SoftwareComponent
      artifacts: [{run: {file: https://example.org/a.sh, type: tosca.artifacts.File}}]
      requirements: [{host: vm}]
      interfaces: {Standard: {create: {implementation: run}}}
"""
    assert [one.code for one in found(text) if one.severity == "error"] == []
    assert "https://example.org/a.sh" in convert(HEAD + text, "tosca", "hot", carry=False).text
