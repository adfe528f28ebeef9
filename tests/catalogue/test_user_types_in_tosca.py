"""TOSCA's column in users' own mappings: their types are written and read, and each mistake is told with its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS

from bpconvert import Options, Result, SourceError, convert
from bpconvert.cli.main import main
from bpconvert.verification import verify

FOLDER = CORPUS / "hot" / "types-of-a-site"
TYPES = [str(FOLDER / "site-types.yaml")]
HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Alias: {derived_from: acme.dns.Alias, properties: {ttl: {type: integer, default: 5}}}
topology_template:
  node_templates:
    web: {type: openstack.nova.Server, properties: {flavor: a, image: b}}
"""


def read(nodes: str, target: str = "hot", types: list[str] = TYPES) -> Result:
    return convert(HEAD + nodes, "tosca", target, types=types, carry=False)


def resource(nodes: str, types: list[str] = TYPES) -> Any:
    return read(f"    a: {nodes}\n", types=types).document["resources"]["a"]


def test_a_type_of_a_site_is_written_and_comes_back() -> None:
    there = convert(FOLDER / "hot.yaml", "hot", "tosca", types=TYPES, carry=False)
    assert there.document["node_types"]["acme.dns.Alias"]["metadata"] == {"heat_name": "Acme::DNS::Alias"}
    nodes = there.document["topology_template"]["node_templates"]
    assert nodes["alias"]["type"] == "acme.dns.Alias"
    assert nodes["ticket"]["type"] == "bpconvert.nodes.HeatNode"  # the file says nothing of it
    assert nodes["alias"]["requirements"] == [{"target": "web"}]
    assert "server" not in nodes["alias"]["properties"]
    (target,) = there.document["node_types"]["acme.dns.Alias"]["requirements"]
    assert target["target"]["node"] == "openstack.nova.Server"
    back = convert(there.text.encode(), "tosca", "hot", types=TYPES, carry=False).document["resources"]
    assert back["second"]["type"] == "Acme::DNS::Alias"
    assert back["second"]["properties"] == nodes["second"]["properties"]
    assert back["alias"]["properties"]["server"] == {"get_resource": "web"}
    assert verify((FOLDER / "hot.yaml").read_text(), there.text, options=Options(types=tuple(TYPES))).differences == []


def test_it_is_read_where_nothing_defines_it() -> None:
    assert resource("{type: acme.dns.Alias, properties: {name: x, ttl: 3}}") == {
        "type": "Acme::DNS::Alias", "properties": {"name": "x", "ttl": 3},
    }  # fmt: skip
    found = read("    a: {type: acme.dns.Alias, properties: {name: x, odd: 4}}\n")
    assert [one.code for one in found.diagnostics if one.path[:1] == ("node_templates",)] == ["BPC810"]


def test_a_type_that_is_derived_from_it_gives_its_properties() -> None:
    assert resource("{type: my.Alias, properties: {name: x}}")["properties"] == {"ttl": 5, "name": "x"}


def test_another_type_has_other_names() -> None:
    other = "{type: other.nodes.Alias, properties: {alias: x}, requirements: [{target: web}]}"
    assert resource(other) == {
        "type": "Acme::DNS::Alias", "properties": {"name": "x", "server": {"get_resource": "web"}},
    }  # fmt: skip
    blueprint = read(f"    a: {other}\n", "cloudify").document["node_templates"]["a"]
    assert blueprint["type"] == "acme.dns.nodes.Alias"
    assert blueprint["relationships"] == [{"type": "acme.dns.relationships.alias_of_server", "target": "web"}]
    assert resource(other, [])["type"] == "OS::Heat::None"


def test_a_requirement_of_it_is_a_property() -> None:
    there = resource("{type: acme.dns.Alias, properties: {name: x}, requirements: [{target: web}]}")
    assert there["properties"] == {"name": "x", "server": {"get_resource": "web"}}
    other = read("    a: {type: acme.dns.Alias, requirements: [{target: b}]}\n    b: {type: openstack.neutron.Net}\n")
    assert other.document["resources"]["a"] == {"type": "Acme::DNS::Alias", "depends_on": "b"}


def test_attributes_are_answered() -> None:
    rest = "    a: {type: acme.dns.Alias}\n  outputs: {o: {value: {get_attribute: [a, fqdn]}}}\n"
    assert read(rest).document["outputs"]["o"] == {"value": {"get_attr": ["a", "fqdn"]}}


def test_the_command_shows_its_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["types", "acme.dns.Alias", "--types", *TYPES]) == 0
    assert "TOSCA         acme.dns.Alias" in capsys.readouterr().out


MORE = """\
kind: server
tosca:
  accept:
    acme.Machine: {names: {size: flavor}}
    openstack.VM: {networks: [net]}
    tosca.nodes.nfv.VDU: null
"""


def test_a_built_in_kind_has_one_more_type(tmp_path: Path) -> None:
    """What the file does not name stays as it is."""
    (tmp_path / "types.yaml").write_text(MORE)
    types = [str(tmp_path / "types.yaml")]
    assert resource("{type: acme.Machine, properties: {size: m}}", types)["properties"]["flavor"] == "m"
    virtual = "{type: openstack.VM, properties: {net: n, security_groups: 'x, y', flavor: f, image: i}}"
    assert resource(virtual, types)["properties"] == {
        "flavor": "f", "image": "i", "security_groups": ["x", "y"], "networks": [{"network": "n"}],
    }  # fmt: skip
    assert resource("{type: tosca.nodes.Compute}", types)["type"] == "OS::Nova::Server"
    assert resource("{type: tosca.nodes.nfv.VDU}", types)["type"] == "OS::Heat::None"
    assert resource("{type: tosca.nodes.nfv.VDU}")["type"] == "OS::Nova::Server"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ("{typ: a.B}", "'typ' has no meaning in 'tosca': did you mean 'type'?"),
        ("{accept: {a.B: {name: {x: y}}}}", "'name' has no meaning in 'a.B': did you mean 'names'?"),
        ("{accept: {a.B: {hook: machin}}}", "'machin' is unknown here: did you mean 'machine'?"),
        ("{accept: {a.B: {requirements: {r: {to: x}}}}}", "'r' needs 'targets'"),
        ("{attributes: {a: {t: x}}}", "'t' has no meaning in 'a': did you mean 'to'?"),
        ("[x]", "'tosca' has to be a map"),
    ],
)
def test_mistakes(part: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(f"kind: net\ntosca: {part}\n")
    with pytest.raises(SourceError) as caught:
        resource("{type: a.B}", [str(tmp_path / "types.yaml")])
    assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [message]
    assert caught.value.diagnostics[0].span.line == 2
