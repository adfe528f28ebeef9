"""What of node and relationship templates has no counterpart: each is reported at its place, once."""

from __future__ import annotations

import pytest

from bpconvert import Diagnostic, convert

TEXT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
relationship_types:
  my.Uses: {{derived_from: tosca.relationships.ConnectsTo, properties: {{p: {{type: string, required: false}}}}}}
topology_template:
  relationship_templates:
    rel: {{type: my.Uses, description: text, metadata: {{m: x}}, properties: {{p: x}}}}
  node_templates:
    server: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements:
        - host: server
{0}
"""


def found(keys: str, target: str = "hot") -> list[Diagnostic]:
    return convert(TEXT.format(keys), "tosca", target, carry=False).diagnostics


APP = ("node_templates", "app")


@pytest.mark.parametrize(
    ("keys", "code", "path"),
    [
        ("      description: words", "BPC147", (*APP, "description")),
        ("      interfaces: {Standard: {create: {inputs: {a: b}}}}", "BPC147",
         (*APP, "interfaces", "Standard", "create")),
        ("      interfaces: {Standard: {operations: {create: {inputs: {a: b}}}}}", "BPC147",
         (*APP, "interfaces", "Standard", "operations", "create")),
        ("      interfaces: {Standard: {notifications: {n: {}}}}", "BPC147",
         (*APP, "interfaces", "Standard", "notifications", "n")),
        ("      artifacts: {a: {file: a.sh, repository: r}}\n      interfaces: {Standard: {operations: {create: a}}}",
         "BPC854", (*APP, "artifacts", "a", "repository")),
        ("      artifacts: {a: {file: a.sh, description: r}}\n      interfaces: {Standard: {operations: {create: a}}}",
         "BPC147", (*APP, "artifacts", "a", "description")),
        ("        - dependency: {node: server, relationship: {type: my.Uses, properties: {p: x}}}", "BPC150",
         (*APP, "requirements", 1, "dependency", "relationship", "properties")),
        ("        - dependency: {node: server, relationship: rel}", "BPC150",
         ("relationship_templates", "rel", "properties")),
        ("        - dependency: {node: server, relationship: rel}", "BPC147",
         ("relationship_templates", "rel", "description")),
        ("        - dependency: {node: server, relationship: rel}", "BPC147",
         ("relationship_templates", "rel", "metadata", "m")),
        ("      interfaces: {Standard: {notifications: {n: {implementation: n.sh}}}}", "BPC831",
         (*APP, "interfaces", "Standard", "notifications", "n")),
        ("      directives: [proxy]", "BPC823", (*APP, "directives")),
        ("    named: {type: tosca.nodes.Compute, capabilities: {host: {properties: {name: mine}}}}", "BPC823",
         ("node_templates", "named", "capabilities", "host")),
        ("", "BPC147", ("relationship_templates", "rel")),
        ("", "BPC859", APP),
    ],
)  # fmt: skip
def test_each_is_reported_at_its_place(keys: str, code: str, path: tuple[object, ...]) -> None:
    assert [(one.code, one.path) for one in found(keys)].count((code, path)) == 1


def test_software_without_operations_is_a_node_of_a_blueprint() -> None:
    assert "BPC859" not in {one.code for one in found("", "cloudify")}


def test_software_with_operations_is_created() -> None:
    keys = "      interfaces: {Standard: {operations: {create: a.sh}}}"
    assert "BPC859" not in {one.code for one in found(keys)}
    assert "BPC831" not in {one.code for one in found(keys)}


def test_a_group_for_a_policy_without_an_effect_has_none() -> None:
    more = (
        "  groups: {g: {type: tosca.groups.Root, members: [app]}}\n"
        "  policies: [{p: {type: tosca.policies.Update, targets: [g]}}]"
    )
    assert [one.path for one in found(more) if one.code == "BPC836"] == [("groups", "g")]


@pytest.mark.parametrize(("shared", "reported"), [("", 1), (", shared: false", 0)])
def test_a_provider_network_is_not_shared(shared: str, reported: int) -> None:
    """Heat shares such networks with all projects, which the service template does not ask for."""
    text = f"""
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    net: {{type: tosca.nodes.network.Network, properties: {{network_type: vlan, physical_network: p{shared}}}}}
"""
    made = convert(text, "tosca", "hot", carry=False)
    assert len([one for one in made.diagnostics if one.code == "BPC828"]) == reported
    assert made.document["resources"]["net"]["properties"]["shared"] is False


def test_words_for_readers_of_policies_with_an_effect() -> None:
    more = (
        "  groups: {g: {type: tosca.groups.Root, members: [server], description: words}}\n"
        "  policies:\n"
        "    - p: {type: tosca.policies.tacker.Placement, targets: [g], description: words}\n"
        "    - q: {type: tosca.policies.Update, targets: [app], description: words}"
    )
    paths = [one.path for one in found(more) if one.code == "BPC147"]
    assert ("groups", "g", "description") in paths
    assert ("policies", 0, "p", "description") in paths
    assert ("policies", 1, "q", "description") not in paths  # the policy itself is reported


DEFAULTS = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  mine.App:
    derived_from: tosca.nodes.SoftwareComponent
    interfaces: {Standard: {operations: {create: create.sh}}}
topology_template:
  node_templates:
    # about the server
    server: {type: tosca.nodes.Compute}
    # about the port
    port:
      type: tosca.nodes.network.Port
      properties: {is_default: %s, order: 0}
      requirements: [binding: server, link: net]
    net: {type: tosca.nodes.network.Network, properties: {network_name: outside}}
    # about the app
    app: {type: mine.App, requirements: [host: server]}
"""


@pytest.mark.parametrize(("value", "codes"), [("false", []), ("true", ["BPC810"])])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_property_with_its_default_needs_no_counterpart(target: str, value: str, codes: list[str]) -> None:
    findings = convert(DEFAULTS % value, "tosca", target, carry=False).diagnostics
    assert [one.code for one in findings if one.path[-1:] == ("is_default",)] == codes


@pytest.mark.parametrize(
    ("target", "entries"),
    [("hot", ("server", "port", "app_create_config")), ("cloudify", ("server", "port", "app"))],
)
def test_comments_stay_with_what_their_entry_becomes(target: str, entries: tuple[str, ...]) -> None:
    lines = convert(DEFAULTS % "false", "tosca", target, carry=False).text.splitlines()
    for words, entry in zip(("server", "port", "app"), entries, strict=True):
        assert lines[lines.index(f"  # about the {words}") + 1] == f"  {entry}:"
