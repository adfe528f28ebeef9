"""Users' own mappings: they add types in both directions, change built-in ones, and each mistake is told with its
place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import CORPUS

from bpconvert import Options, Severity, SourceError, convert
from bpconvert.cli.main import FAILED, OK, main
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.read_nodes import kind_of
from bpconvert.translators.dialects import catalogue

EXAMPLE = CORPUS / "hot" / "types-of-a-site" / "site-types.yaml"
WIDGET = """\
kind: widget
heat: ["Acme::Widget"]
cloudify: {type: acme.nodes.Widget, plain: true, plugin: "plugin:acme"}
properties:
  title: {to: title, type: string}
  size: {to: shape.size, default: 3}
  network: {to: network, lift: {relationship: acme.relationships.on_network, targets: [net]}}
  settings: {flatten: shape.more}
attributes:
  serial: {to: serial_number}
"""
TEMPLATE = """\
heat_template_version: 2018-08-31
resources:
  private: {type: OS::Neutron::Net}
  one:
    type: Acme::Widget
    properties: {title: a, network: {get_resource: private}, settings: {deep: 1}}
  two: {type: Acme::Widget, depends_on: one, properties: {size: 4}}
outputs:
  serial: {value: {get_attr: [one, serial]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin, plugin:acme]
node_types:
  my.Widget: {derived_from: acme.nodes.Widget}
node_templates:
  private: {type: cloudify.nodes.openstack.Network}
  one:
    type: my.Widget
    properties: {title: a, shape: {size: 4, more: {deep: 1}}}
    relationships: [{type: acme.relationships.on_network, target: private}]
  two:
    type: acme.nodes.Widget
    relationships: [{type: cloudify.relationships.depends_on, target: private}]
outputs:
  serial: {value: {get_attribute: [one, serial_number]}}
"""


def write(folder: Path, text: str, name: str = "types.yaml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def to_blueprint(source: str, *files: str, **choices: Any) -> Any:
    return yaml.safe_load(convert(source, types=files, carry=False, **choices).text)


def to_template(source: str, *files: str) -> Any:
    return yaml.safe_load(convert(source, "cloudify", "hot", types=files, carry=False).text)


# -- new kinds ----------------------------------------------------------------------------------------------


def test_a_type_of_heat_is_one_of_another_plugin(tmp_path: Path) -> None:
    found = to_blueprint(TEMPLATE, write(tmp_path, WIDGET))
    assert found["imports"] == ["cloudify/types/types.yaml", "plugin:cloudify-openstack-plugin", "plugin:acme"]
    assert found["node_templates"]["one"] == {
        "type": "acme.nodes.Widget",
        "properties": {"title": "a", "shape": {"size": 3, "more": {"deep": 1}}},
        "relationships": [{"type": "acme.relationships.on_network", "target": "private"}],
    }
    assert found["node_templates"]["two"]["relationships"] == [
        {"type": "cloudify.relationships.depends_on", "target": "one"}
    ]
    assert found["outputs"]["serial"] == {"value": {"get_attribute": ["one", "serial_number"]}}


def test_a_plain_type_alone_needs_neither_credentials_nor_the_openstack_plugin(tmp_path: Path) -> None:
    source = "heat_template_version: 2018-08-31\nresources: {one: {type: 'Acme::Widget', properties: {title: a}}}\n"
    found = to_blueprint(source, write(tmp_path, WIDGET))
    assert found["imports"] == ["cloudify/types/types.yaml", "plugin:acme"]
    assert "dsl_definitions" not in found
    assert found["node_templates"]["one"]["properties"] == {"title": "a", "shape": {"size": 3}}


def test_a_node_type_and_what_is_derived_from_it_is_the_type_of_heat(tmp_path: Path) -> None:
    resources = to_template(BLUEPRINT, write(tmp_path, WIDGET))["resources"]
    assert resources["one"] == {
        "type": "Acme::Widget",
        "properties": {"title": "a", "size": 4, "settings": {"deep": 1}, "network": {"get_resource": "private"}},
    }
    # another plugin does nothing for a relationship that is not its own
    assert resources["two"] == {"type": "Acme::Widget", "depends_on": "private"}


def test_attributes_are_answered_both_ways(tmp_path: Path) -> None:
    found = to_template(BLUEPRINT, write(tmp_path, WIDGET))
    assert found["outputs"]["serial"] == {"value": {"get_attr": ["one", "serial"]}}


def test_without_the_file_the_type_is_unknown() -> None:
    found = to_blueprint(TEMPLATE)
    assert found["node_templates"]["one"]["type"] == "bpconvert.nodes.HeatResource"


def test_a_type_is_defined_in_the_blueprint(tmp_path: Path) -> None:
    text = WIDGET.replace('plugin: "plugin:acme"', "defines: {derived_from: cloudify.nodes.Root}")
    found = to_blueprint(TEMPLATE, write(tmp_path, text))
    assert found["node_types"] == {"acme.nodes.Widget": {"derived_from": "cloudify.nodes.Root"}}
    assert "plugin:acme" not in found["imports"]


def test_a_type_of_the_openstack_plugin_that_is_not_built_in(tmp_path: Path) -> None:
    """Credentials, settings in ``resource_config``, side effects and the names of plugin 2.x, as for built-in ones."""
    text = """\
- kind: box
  heat: ["OS::Acme::Box"]
  cloudify:
    type: cloudify.nodes.openstack.Box
    v2: {type: cloudify.openstack.nodes.Box, wrapper: box}
    accept: [acme.nodes.Box]
  properties:
    name: {to: resource_config.name}
  side_effects: {net: plugs it in}
"""
    source = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  box: {type: OS::Acme::Box, depends_on: net, properties: {name: b}}
"""
    file = write(tmp_path, text)
    nodes = to_blueprint(source, file)["node_templates"]
    assert nodes["box"]["properties"].keys() == {"client_config", "resource_config"}
    assert nodes["box"]["relationships"] == [{"type": "cloudify.relationships.depends_on", "target": "net_barrier"}]
    old = to_blueprint(source, file, plugin="v2")["node_templates"]["box"]
    assert old["type"] == "cloudify.openstack.nodes.Box"
    assert old["properties"]["box"] == {"name": "b"}
    for name in ("cloudify.nodes.openstack.Box", "cloudify.openstack.nodes.Box", "acme.nodes.Box"):
        found = kind_of(catalogue([file]), [name, "cloudify.nodes.Root"])
        assert found is not None
        assert found[0].heat == ["OS::Acme::Box"]


def test_two_kinds_for_one_node_type(tmp_path: Path) -> None:
    """It stays with the kind that has it; ``accept`` says that it is to be read otherwise."""
    server = "cloudify.nodes.openstack.Server"
    text = f"kind: own\nheat: ['Acme::Own']\ncloudify: {{type: {server}}}\n"
    found = catalogue([write(tmp_path, text)])
    assert found.types("cloudify")[server] == "server"
    text = f"kind: own\nheat: ['Acme::Own']\ncloudify: {{type: {server}, accept: [{server}]}}\n"
    assert catalogue([write(tmp_path, text, "other.yaml")]).types("cloudify")[server] == "own"


# -- changed kinds ------------------------------------------------------------------------------------------

SERVER = """\
heat_template_version: 2018-08-31
resources:
  web:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, availability_zone: west, networks: [{allocate_network: none}]}
outputs:
  v4: {value: {get_attr: [web, accessIPv4]}}
"""


def test_a_rule_replaces_that_of_the_built_in_kind(tmp_path: Path) -> None:
    text = "kind: server\nproperties:\n  availability_zone: {carry: zones are of one cloud}\n"
    result = convert(SERVER, types=[write(tmp_path, text)], carry=False)
    assert "zones are of one cloud" in next(d.message for d in result.diagnostics if d.code == "BPC302")
    nodes = yaml.safe_load(result.text)["node_templates"]
    assert nodes["web"]["properties"]["flavor"] == "f"
    assert "west" not in str(nodes)


def test_null_takes_a_rule_away(tmp_path: Path) -> None:
    text = "kind: server\nproperties: {availability_zone: null}\nattributes: {accessIPv4: null}\n"
    result = convert(SERVER, types=[write(tmp_path, text)], carry=False)
    assert {(d.code, d.path) for d in result.diagnostics} >= {
        ("BPC301", ("resources", "web", "properties", "availability_zone")),
    }
    kind = catalogue([write(tmp_path, text)]).kind("server")
    assert kind is not None
    assert "accessIPv4" not in kind.attributes
    assert "flavor" in kind.properties


def test_other_keys_are_replaced_as_a_whole(tmp_path: Path) -> None:
    kind = catalogue([write(tmp_path, "kind: server\nconstants: {os_family: windows}\n")]).kind("server")
    assert kind is not None
    assert kind.constants == {"os_family": "windows"}


def test_a_later_file_goes_before_an_earlier_one(tmp_path: Path) -> None:
    first = write(tmp_path, "kind: server\nproperties: {tags: {carry: one}, name: {carry: one}}\n", "1.yaml")
    second = write(tmp_path, "[{kind: server, properties: {tags: {carry: two}}}]\n", "2.yaml")
    kind = catalogue([first, second]).kind("server")
    assert kind is not None
    assert (kind.properties["tags"].carry, kind.properties["name"].carry) == ("two", "one")


def test_every_built_in_kind_can_be_changed(tmp_path: Path) -> None:
    """None has what would be a mistake in a file of a user, who would be blamed for it."""
    names = builtin().kinds()
    found = catalogue([write(tmp_path, "".join(f"- {{kind: {name}, note: changed}}\n" for name in names))])
    assert {name: kind.note for name in names if (kind := found.kind(name))} == dict.fromkeys(names, "changed")
    assert found.types("hot") == builtin().types("hot")
    assert found.written_only("hot") == builtin().written_only("hot")


def test_the_built_in_catalogue_stays_as_it_is(tmp_path: Path) -> None:
    before = builtin().types("hot")
    catalogue([write(tmp_path, WIDGET), write(tmp_path, "kind: server\nproperties: {tags: null}\n", "2.yaml")])
    kind = builtin().kind("server")
    assert builtin().types("hot") == before
    assert kind is not None
    assert "tags" in kind.properties


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = write(tmp_path, WIDGET)
    assert catalogue([file]) is catalogue([file])
    write(tmp_path, WIDGET.replace("Acme::Widget", "Acme::Gadget"))
    assert "Acme::Gadget" in catalogue([file]).types("hot")


def test_an_edited_blueprint_goes_back_with_the_same_mappings(tmp_path: Path) -> None:
    file = write(tmp_path, WIDGET)
    made = convert(TEMPLATE, types=[file]).text
    edited = made.replace("title: a\n", "title: b\n", 1)
    assert edited != made
    back = convert(edited.encode(), "cloudify", "hot", types=[file])
    assert yaml.safe_load(back.text) == yaml.safe_load(TEMPLATE.replace("title: a", "title: b"))
    assert [d.code for d in back.diagnostics if d.severity > Severity.INFO] == []


# -- the command line ---------------------------------------------------------------------------------------


def test_a_folder_is_converted_with_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, TEMPLATE, "app.yaml")
    options = ["--types", write(tmp_path, WIDGET, "w.yaml"), "--types", str(EXAMPLE)]
    out = tmp_path / "out"
    assert main(["hot2cfy", str(tmp_path / "app.yaml"), *options, "-o", f"{out}/"]) == OK
    assert "acme.nodes.Widget" in (out / "app.yaml").read_text()
    assert main(["cfy2hot", str(out), *options, "-o", str(tmp_path / "back")]) == OK
    assert (tmp_path / "back" / "app.yaml").read_text() == TEMPLATE
    assert main(["roundtrip", str(tmp_path / "app.yaml"), "--no-carry", *options]) == OK
    assert "same content" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["hot2cfy", "cfy2hot", "roundtrip", "check"])
def test_all_mistakes_are_told_before_anything_is_converted(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = write(tmp_path, TEMPLATE, "app.yaml")
    first = write(tmp_path, "kind: a\nheat: 1\n", "1.yaml")
    second = write(tmp_path, "kind: b\nheat: ['X']\nclodify: {}\n", "2.yaml")
    assert main([command, app, "--types", first, "--types", second]) == FAILED
    told = capsys.readouterr()
    assert told.out == ""
    assert f"{first}:2:1: error BPC163" in told.err
    assert f"{second}:3:1: error BPC161" in told.err
    assert "clodify: {}\n    ^" in told.err
    assert "Traceback" not in told.err


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", write(tmp_path, TEMPLATE), "--types", str(tmp_path / "none.yaml")]) == FAILED
    assert "No such file or directory" in capsys.readouterr().err


def test_one_text_in_place_of_a_tuple_is_refused() -> None:
    text: Any = "one.yaml"
    with pytest.raises(ValueError, match="types: a tuple of files"):
        Options(types=text).check()
    with pytest.raises(ValueError, match="environments: a tuple of files"):
        Options(environments=text).check()


# -- mistakes -----------------------------------------------------------------------------------------------

#: the mistake stands behind its mark; what is said there
MISTAKES: list[tuple[str, str, str]] = [
    ("kind: a\n  §heat: x\n", "BPC101", ""),
    ("§text\n", "BPC160", "one kind (a map) or a list of kinds"),
    ("- kind: server\n- §text\n", "BPC160", ""),
    ("", "BPC160", ""),
    ("§kind: w\nheat: ['A::B']\n", "BPC162", "a kind needs 'cloudify'"),
    ("§kind: w\ncloudify: {type: a.B, plain: true}\n", "BPC162", "a kind needs 'heat'"),
    ("kind: w\n§heat: []\ncloudify: {type: a.B, plain: true}\n", "BPC162", "a kind needs 'heat'"),
    ("§heat: ['A::B']\ncloudify: {type: a.B}\n", "BPC162", "a kind needs 'kind'"),
    ("§kind: 5\n", "BPC163", "'kind' has to be a text"),
    ("kind: server\n§propertys: {}\n", "BPC161", "did you mean 'properties'"),
    ("kind: server\nproperties:\n  x: {§too: y}\n", "BPC161", "the rule of a property: did you mean 'to'"),
    ("kind: server\nproperties:\n  x: {to: y, lift: {relationship: r, targets: [net], §fil: a}}\n", "BPC161", "'lift'"),
    ("kind: server\nproperties:\n  x: {to: y, each: {z: {§hok: a}}}\n", "BPC161", "did you mean 'hook'"),
    ("kind: server\nattributes:\n  x: {§prop: y}\n", "BPC161", "did you mean 'property'"),
    ("kind: server\nonly:\n  x: {why: y, §harmles: true}\n", "BPC161", "did you mean 'harmless'"),
    ("kind: server\ncloudify: {type: a, §typ: b}\n", "BPC161", "a node type: did you mean 'type'"),
    ("kind: w\nheat: ['A::B']\ncloudify: {type: a, §foo: b}\n", "BPC161", "a node type: known are accept, "),
    ("kind: server\ncloudify: {type: a, v2: {type: a, wrapper: b, §wrap: b}}\n", "BPC161", "a node type of 2.x"),
    ("kind: server\nattributes:\n  x: {to: y, §property: z}\n", "BPC161", "give one of the two"),
    ("kind: server\nproperties:\n  §x: {type: string}\n", "BPC162", "needs 'to or carry or flatten or hook'"),
    ("kind: server\nproperties:\n  §x: {hook: router_gateway}\n", "BPC162", "'router_gateway' needs 'each.network'"),
    ("kind: server\nproperties:\n  x: {to: y, §lift: {targets: [net]}}\n", "BPC162", "'lift' needs 'relationship'"),
    ("kind: server\nattributes:\n  §x: {note: a}\n", "BPC162", "needs 'to or property or reference or hook'"),
    ("kind: server\n§properties: [a]\n", "BPC163", "'properties' has to be a map"),
    ("kind: server\nproperties:\n  x: {§to: 5}\n", "BPC163", "'to' has to be a text"),
    ("kind: server\nproperties:\n  §x: text\n", "BPC163", "'x' has to be a map"),
    ("kind: server\nproperties:\n  x: {to: y, §lookup: maybe}\n", "BPC163", "'lookup' has to be true or false"),
    ("kind: server\nproperties:\n  x: {to: y, §accept: z}\n", "BPC163", "'accept' has to be a list"),
    ("kind: server\nproperties:\n  x: {to: y, accept: [z, §1]}\n", "BPC163", "'1' has to be a text"),
    ("kind: server\nconstants: {§x: {get_input: a}}\n", "BPC163", "'x' has to be plain data, which is no call"),
    ("kind: server\nproperties:\n  x: {to: y, §default: {get_input: a}}\n", "BPC163", "plain data, which is no call"),
    ("kind: server\nproperties:\n  x: {to: y, ignore: [§{get_input: a}]}\n", "BPC163", "plain data, which is no call"),
    ("kind: server\nproperties:\n  §yes: {to: y}\n", "BPC163", "a name has to be a text"),
    ("kind: server\nproperties:\n  x: {to: y, §hook: server_network}\n", "BPC164", "did you mean 'server_networks'"),
    ("kind: server\nproperties:\n  x: {to: y, §type: text}\n", "BPC164", "known are 'string', 'integer' or 'boolean'"),
    ("kind: server\nproperties:\n  x: {to: y, absent: 1, §beside: user_dat}\n", "BPC164", "did you mean 'user_data'"),
    ("kind: server\nattributes:\n  x: {§hook: nothing}\n", "BPC164", "known are"),
    ("kind: server\nattributes:\n  x: {§reference: imag}\n", "BPC164", "did you mean 'image'"),
    ("kind: server\nanswers: {§ip: servr_ip}\n", "BPC164", "did you mean 'server_ip'"),
    ("kind: w\nheat: ['A::B']\n§merge: into_nothing\n", "BPC164", "known are"),
    (
        "kind: server\nproperties:\n  x: {to: y, lift: {relationship: r, targets: [net, §subnett]}}\n",
        "BPC165",
        "there is no kind 'subnett': did you mean 'subnet'",
    ),
    ("kind: server\nside_effects: {§nothing: sets it}\n", "BPC165", "'nothing'"),
    ("kind: server\nonly:\n  x: {why: y, §said_by: volume_attach}\n", "BPC165", "did you mean 'volume_attachment'"),
    (
        "kind: w\nheat: ['A::B', §'OS::Nova::Server']\ncloudify: {type: a.B, plain: true}\n",
        "BPC166",
        "'OS::Nova::Server' is a type of kind 'server' already",
    ),
    ("kind: server\nproperties:\n  x: {§to: image}\n", "BPC167", "'x' and 'image' both go to 'image'"),
    ("kind: server\nproperties:\n  x: {to: a}\n  y: {§to: b, accept: [a]}\n", "BPC167", "'y' and 'x' both go to 'a'"),
    ("kind: server\nproperties:\n  x: {to: y, each: {a: {to: c}, b: {§to: c}}}\n", "BPC167", "'b' and 'a'"),
    ("kind: server\nproperties: {§flavour: null}\n", "BPC168", "no 'flavour' that null could take away"),
    ("kind: server\n§note: null\n", "BPC168", "no 'note'"),
    ("kind: server\nproperties:\n  x: {to: y}\n  §x: {to: z}\n", "BPC169", "'x' is there twice"),
    ("- kind: server\n- §kind: server\n", "BPC169", "'server' is there twice"),
]


@pytest.mark.parametrize(("text", "code", "said"), MISTAKES)
def test_a_mistake_is_told_with_its_place(text: str, code: str, said: str, tmp_path: Path) -> None:
    before, _, after = text.partition("§")
    file = write(tmp_path, before + after)
    with pytest.raises(SourceError) as caught:
        convert(TEMPLATE, types=[file])
    found = caught.value.diagnostics
    assert [diagnostic.code for diagnostic in found] == [code]
    place = found[0].span
    line = before.count("\n") + 1
    assert (place.file, place.line) == (file, line)
    if code != "BPC101":
        assert place.column == len(before) - before.rfind("\n")
    assert said in found[0].message


def test_all_mistakes_of_a_file_are_told_in_order(tmp_path: Path) -> None:
    text = """\
- kind: server
  properties:
    a: {too: b}
    b: 5
- kind: own
  heat: ['A::B']
- kind: net
  properties:
    name: {to: name, lift: {relationship: r, targets: [own, other]}}
"""
    with pytest.raises(SourceError) as caught:
        catalogue([write(tmp_path, text)])
    found = [(d.code, d.span.line, d.span.column) for d in caught.value.diagnostics]
    assert found == [("BPC161", 3, 9), ("BPC163", 4, 5), ("BPC162", 5, 3), ("BPC165", 9, 61)]
    assert str(caught.value).count("\n") == 3


def test_the_example_of_the_documentation_is_right() -> None:
    found = catalogue([str(EXAMPLE)])
    kind = found.kind_of("hot", "Acme::DNS::Alias")
    server = found.kind("server")
    assert kind is not None
    assert server is not None
    assert server.properties["availability_zone"].carry
    assert "accessIPv6" not in server.attributes
