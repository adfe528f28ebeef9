"""``bpconvert.check`` of blueprints: what Cloudify's parser refuses is found at its place."""

from __future__ import annotations

import pytest

from bpconvert import Diagnostic, check

HEAD = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
"""


def findings(text: str, head: str = HEAD) -> list[Diagnostic]:
    return check(head + text)


def network(properties: str, more: str = "") -> str:
    return f"node_templates:\n  net:\n    type: cloudify.nodes.openstack.Network\n    properties: {properties}\n{more}"


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ("{resource_confg: {}}", "there is no property 'resource_confg'"),
        ("{resource_config: {admin_state: true}}", "there is no property 'admin_state'"),
        ("{resource_config: {admin_state_up: 'yes'}}", "must be of type boolean, not the text 'yes'"),
        ("{resource_config: [a]}", "must be of type cloudify.types.openstack.Network, not a list"),
        ("{use_external_resource: maybe}", "must be of type boolean, not the text 'maybe'"),
    ],
)
def test_values_against_the_types_of_the_plugin(properties: str, message: str) -> None:
    found = [item for item in findings(network(properties)) if message in item.message]
    assert len(found) == 1
    assert (found[0].code, str(found[0].severity)) == ("BPC121", "error")
    assert found[0].path[:3] == ("node_templates", "net", "properties")


def test_what_fits_is_not_reported() -> None:
    assert findings(network("{resource_config: {name: a, admin_state_up: {get_secret: b}}}")) == []


def test_what_may_be_meant() -> None:
    found = findings(network("{resource_config: {admin_state_upp: true}}"))
    assert [item.message.rpartition("; ")[2] for item in found] == ["did you mean 'admin_state_up'?"]


def test_a_required_property() -> None:
    text = "node_templates: {zone: {type: cloudify.nodes.openstack.Zone, properties: {resource_config: {name: a.}}}}"
    assert any("the required property 'email' is missing" in found.message for found in findings(text))


def test_types_and_relationships() -> None:
    text = network("{}", "    relationships: [{type: cloudify.relationships.connectedto, target: net2}]\n")
    text += "  net2: {type: cloudify.nodes.openstack.Net}\n"
    assert {found.message for found in findings(text)} >= {
        "the relationship type 'cloudify.relationships.connectedto' is not defined; "
        "did you mean 'cloudify.relationships.connected_to'?",
        "the node type 'cloudify.nodes.openstack.Net' is not defined; did you mean 'cloudify.nodes.openstack.Network'?",
    }


def test_types_of_imports_that_are_not_known_are_taken_to_be_right() -> None:
    head = HEAD.replace("]", ", 'plugin:acme-plugin']")
    assert findings("node_templates: {a: {type: acme.nodes.Any, properties: {b: 1}}}", head) == []
    assert findings(network("{resource_confg: {}}"), head)[0].code == "BPC121"


def test_what_types_of_a_plugin_are_derived_from_may_be_in_an_import_that_is_not_read() -> None:
    head = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [{}, 'plugin:cloudify-utilities-plugin']\n"
    text = "node_templates: {a: {type: cloudify.nodes.DeploymentProxy}}"
    assert [item.code for item in findings(text, head.format("'a--blueprint:b'"))] == ["BPC142"]
    assert {item.code for item in findings(text, head.replace("{}, ", ""))} == {"BPC121"}


def test_types_of_the_plugin_need_its_import() -> None:
    head = HEAD.replace(", 'plugin:cloudify-openstack-plugin'", "")
    assert [found.code for found in findings(network("{}"), head)] == ["BPC121"]


def test_the_utilities_plugin_is_known() -> None:
    head = HEAD.replace("]", ", 'plugin:cloudify-utilities-plugin']")
    assert findings("node_templates: {a: {type: cloudify.nodes.CloudInit.CloudConfig}}", head) == []
    text = "node_templates: {a: {type: cloudify.nodes.CloudInit.CloudConfig, properties: {resource_confg: {}}}}"
    assert [found.code for found in findings(text, head)] == ["BPC121"]


def test_types_of_the_blueprint_inherit_the_properties_of_the_plugin() -> None:
    text = "node_types: {mine: {derived_from: cloudify.nodes.openstack.Network, properties: {more: {default: 1}}}}\n"
    text += "node_templates: {a: {type: mine, properties: {more: 2, resource_config: {nam: b}}}}\n"
    assert [found.path for found in findings(text)] == [("node_templates", "a", "properties", "resource_config", "nam")]


def test_references_and_circles() -> None:
    text = network("{resource_config: {name: {get_input: nobody}}}", _related("other"))
    text += "  other:\n    type: cloudify.nodes.Root\n" + _related("net")
    found = findings(text)
    assert [(item.code, item.message) for item in found] == [
        ("BPC180", "each waits for the next one: net -> other -> net"),
        ("BPC121", "there is no input 'nobody'"),
    ]


def _related(target: str) -> str:
    return f"    relationships: [{{type: cloudify.relationships.depends_on, target: {target}}}]\n"


def test_settings_that_openstacksdk_drops() -> None:
    found = findings(network("{resource_config: {kwargs: {mtu: 1400, mtuu: 1400}}}"))
    assert [(item.code, str(item.severity)) for item in found] == [("BPC185", "warning")]
    assert found[0].message.endswith("it is not sent; did you mean 'mtu'?")


@pytest.mark.parametrize(
    ("steps", "there"),
    [
        ("resource_config, name", True),
        ("use_external_resource", True),
        ("resource_config, mtu", False),
        ("speed", False),
    ],
)
def test_properties_that_are_asked_for(steps: str, there: bool) -> None:
    text = network("{resource_config: {name: a}}") + f"outputs: {{o: {{value: {{get_property: [net, {steps}]}}}}}}\n"
    found = [(item.code, item.message) for item in findings(text)]
    assert found == ([] if there else [("BPC178", f"there is no property 'net.{steps.replace(', ', '.')}'")])


def test_what_is_written_once_is_told_once() -> None:
    text = (
        "dsl_definitions: {shared: &shared {wanted: {get_input: none}}}\n"
        "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {wanted: {}}}}\n"
        "node_templates: {a: {type: t, properties: *shared}, b: {type: t, properties: *shared}}\n"
    )
    assert [found.message for found in findings(text)] == ["there is no input 'none'"]
