"""``verify`` on documents that cannot be read, that are odd, and that are large."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_pace import within

from bpconvert import SourceError, convert
from bpconvert.verification import verify

HOT = "heat_template_version: 2018-08-31\n"
CFY = "tosca_definitions_version: cloudify_dsl_1_3\n"
VOLUME = HOT + "resources: {disk: {type: OS::Cinder::Volume, properties: {size: 1, name: data}}}\n"


@pytest.mark.parametrize("text", ["a: [b\n", "- a\n", "hello: world\n", "\n"])
def test_no_document(text: str) -> None:
    for pair in ((text, VOLUME), (VOLUME, text)):
        with pytest.raises(SourceError):
            verify(*pair)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        verify(VOLUME, tmp_path / "missing.yaml")


@pytest.mark.parametrize(
    "text",
    [
        HOT
        + "resources: {a: null, b: [1], c: {type: 5}, d: {type: OS::Nova::Server, properties: [1], depends_on: 5}}\n",
        HOT + "parameters: {a: null, b: {type: number, constraints: [{range: {min: x}}]}}\noutputs: {a: null, b: 5}\n",
        HOT + "parameters: {a: {type: string, constraints: [{length: {min: 1000000000}}]}}\n",
        HOT + "parameters: {l: {type: comma_delimited_list}}\noutputs: {o: {value: {get_param: [l, 1000000000]}}}\n",
        HOT + "resources: {a: {type: OS::Heat::ResourceGroup, properties: {count: -5, resource_def: {type: A}}}}\n",
        HOT + "conditions: {x: {not: y}, y: {not: x}}\nresources: {a: {type: OS::Cinder::Volume, condition: x}}\n",
        HOT
        + "resources:\n  a: {type: OS::Heat::ResourceGroup, properties: {count: 100000000, resource_def: {type: A}}}\n",
        CFY + "node_templates: {1: {type: cloudify.nodes.Root}, a: null, b: {type: a.b, relationships: [1]}}\n",
        CFY
        + "inputs: {a: {default: {get_input: b}}, b: {default: {get_input: a}}}\n"
        + "outputs: {o: {value: {get_input: a}}}\n",
        CFY + "node_templates: {a: {type: a.b, capabilities: {scalable: {properties: {default_instances: -3}}}}}\n",
        CFY + "node_templates: {a: {type: cloudify.nodes.openstack.Port, relationships: 1.5}}\n",
        HOT + "resources: {a: {type: OS::Nova::Server, external_id: {get_param: m}}}\nparameters: {m: {type: json}}\n",
        HOT
        + "resources: {a: {type: OS::Nova::Server, properties: {get_file: x}}}\n"
        + "outputs: {o: {value: {get_attr: [a, first_address]}}, i: {value: {get_resource: a}}}\n",
    ],
)
def test_odd_documents_are_the_same_as_themselves(text: str) -> None:
    assert verify(text, text, draws=2).is_same


def test_a_configuration_whose_text_has_its_own_id_takes_no_time() -> None:
    own = ", ".join(f"x{n}: {{get_resource: config}}" for n in range(4))
    params = f"{{template: x0 x1, params: {{a: {{b: {{{own}}}}}}}}}"
    config = f"{{type: OS::Heat::SoftwareConfig, properties: {{config: {{str_replace: {params}}}}}}}"
    deployment = "{type: OS::Heat::SoftwareDeployment, properties: {config: {get_resource: config}, server: s}}"
    document = f"{HOT}resources: {{config: {config}, run: {deployment}}}\n"
    with within(2):
        assert verify(document, document, draws=0).is_same


def test_what_is_reported_of_many_choices_in_an_output_takes_no_time() -> None:
    rows = "".join("    - if: [c, {get_param: a}, {get_param: b}]\n" for _ in range(300))
    document = (
        f"{HOT}parameters: {{a: {{type: string, default: x}}, b: {{type: string, default: y}}}}\n"
        f"conditions: {{c: {{equals: [{{get_param: a}}, x]}}}}\noutputs:\n  o:\n    value:\n{rows}"
    )
    result = convert(document, "hot", "tosca", asked="inputs")
    with within(5):
        found = verify(document, result.text, reported=result.diagnostics, draws=0)
    assert len(found.differences) == 300
    assert all(one.is_reported for one in found.differences)


def test_many_nodes_take_seconds() -> None:
    rows = [
        f"  v{n}: {{type: OS::Cinder::Volume, properties: {{size: 1}}, depends_on: v{max(0, n - 1)}}}\n"
        for n in range(1000)
    ]
    document = HOT + "resources:\n" + "".join(rows)
    found = verify(document, document, draws=0)
    assert found.compared < 10_000


def test_all_members_of_a_group_beside_many_nodes_are_compared() -> None:
    group = "{type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Cinder::Volume}}}"
    rows = [f"  net{n}: {{type: OS::Neutron::Net}}\n" for n in range(600)]
    document = f"{HOT}resources:\n  disks: {group}\n{''.join(rows)}"
    found = verify(document, document.replace("count: 2", "count: 3"), draws=0)
    assert [one.what for one in found.differences] == ["disks.2"]


def test_a_resource_that_looks_like_a_stand_in_of_an_unknown_language() -> None:
    resource = HOT + "resources: {a: {type: OS::Heat::None, properties: {volume_type: fast}}}\n"
    found = verify(resource, resource.replace("fast", "slow"))
    assert [one.what for one in found.differences] == ["a.volume_type"]
