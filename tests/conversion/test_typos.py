"""What the source's engine refuses whatever is given is one error when a document is converted, in ``check``'s words;
a typo with the suggestion that it has."""

from __future__ import annotations

import pytest

from bpconvert import check, convert
from bpconvert.diagnostics import Severity

HOT = """\
heat_template_version: 2018-08-31
parameters: {x: {type: string}}
resources:
  b:
    type: OS::Nova::Server
    properties: {image: i, flavor: f}
outputs: {o: {value: {get_attr: [b, first_address]}}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  b: {type: cloudify.nodes.openstack.Server, properties: {flavor: f, image: i}}
"""
SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    b: {type: tosca.nodes.Compute, capabilities: {host: {properties: {num_cpus: 1}}}}
    c: {type: tosca.nodes.SoftwareComponent, properties: {component_version: '1'}, requirements: [{host: b}]}
"""
#: source, target, text, what is misspelt, the error
MISTAKES = [
    ("hot", "cloudify", HOT, ("Nova::Server", "Nova::Sever"), "BPC175", "did you mean 'OS::Nova::Server'?"),
    ("hot", "tosca", HOT, ("flavor:", "flavour:"), "BPC170", "did you mean 'flavor'?"),
    ("hot", "cloudify", HOT, ("first_address", "first_adress"), "BPC174", "did you mean 'first_address'?"),
    ("cloudify", "hot", BLUEPRINT, ("flavor:", "flavour:"), "BPC121", "did you mean 'flavor'?"),
    ("cloudify", "tosca", BLUEPRINT, ("openstack.Server", "openstack.Sever"), "BPC121", "openstack.Server'?"),
    ("tosca", "hot", SERVICE, ("nodes.Compute", "nodes.Compte"), "BPC856", "did you mean 'tosca.nodes.Compute'?"),
    ("tosca", "cloudify", SERVICE, ("{host: {p", "{hosst: {p"), "BPC178", "did you mean 'host'?"),
    ("tosca", "hot", SERVICE, ("component_version", "component_versio"), "BPC170", "'component_version'?"),
]


@pytest.mark.parametrize(("source", "target", "text", "typo", "code", "words"), MISTAKES)
def test_a_typo_is_one_error(source: str, target: str, text: str, typo: tuple[str, str], code: str, words: str) -> None:
    known = {found.code for found in convert(text, source, target, carry=False).diagnostics}
    assert code not in known
    made = convert(text.replace(*typo), source, target, carry=False)
    (error,) = [found for found in made.diagnostics if str(found.severity) == "error" and found.code == code]
    assert words in error.message
    places = (error.path, error.path[:-1] if error.path[-1] == "type" else error.path)
    assert [found.code for found in made.diagnostics if found.path in places and str(found.severity) == "warning"] == []


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_type_that_an_environment_may_define_is_no_error(target: str) -> None:
    made = convert(HOT.replace("OS::Nova::Server", "Acme::Pool"), "hot", target, carry=False)
    assert [found.code for found in made.diagnostics if str(found.severity) == "error"] in ([], ["BPC787"])


#: source, text, what stands there, what a person wrote instead, the errors of ``check``
REFUSED = [
    ("hot", HOT, "flavor: f", "key_name: k", ["BPC173"]),
    ("hot", HOT, "flavor: f", "flavor: {get_param: none}", ["BPC178"]),
    ("hot", HOT, "image: i,", "image: {get_resource: none},", ["BPC178"]),
    ("hot", HOT, "flavor: f", "flavor: f, config_drive: maybe", ["BPC171"]),
    ("hot", HOT, "flavor: f", "flavor: f, networks: [{tag: x}]", ["BPC182"]),
    ("tosca", SERVICE, "num_cpus: 1", "num_cpus: many", ["BPC171"]),
    ("tosca", SERVICE, "{host: b}", "{host: none}", ["BPC178"]),
]


@pytest.mark.parametrize(
    ("source", "text", "old", "new", "codes", "target"),
    [(*row, target) for row in REFUSED for target in ("hot", "cloudify", "tosca") if target != row[0]],
)
def test_what_is_refused_is_one_error(
    source: str, text: str, old: str, new: str, codes: list[str], target: str
) -> None:
    document = text.replace(old, new)
    errors = [found for found in check(document.encode()) if found.severity == Severity.ERROR]
    assert [found.code for found in errors] == codes
    findings = convert(document, source, target, carry=False).diagnostics
    for error in errors:
        there = [found for found in findings if found.path == error.path and found.severity > Severity.INFO]
        assert [(found.code, found.message) for found in there] == [(error.code, error.message)]
