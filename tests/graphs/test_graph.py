"""Pictures of topologies: what they show of each language, where things stand, and the command."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest
from corpus_cases import CASES, Case

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.diagnostics import UsageError
from bpconvert.graphs import FORMATS, graph, layout
from bpconvert.graphs.layout import Box, Picture, lay_out
from bpconvert.graphs.model import Arrow, Graph, Part

#: the formats that are text
TEXTS = [name for name in FORMATS if name != "png"]

HOT = """\
heat_template_version: 2021-04-16
conditions: {big: true}
resources:
  net: {type: OS::Neutron::Net}
  port: {type: OS::Neutron::Port, condition: big, properties: {network: {get_resource: net}}}
  web:
    type: OS::Nova::Server
    properties: {flavor: m1, networks: [{port: {get_resource: port}}], user_data: {get_attr: [net, name]}}
  late: {type: OS::Heat::Value, properties: {value: 1}, depends_on: [web]}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 3, resource_def: {type: inner.yaml, properties: {net: {get_resource: net}}}}
  alone: {type: "<script>alert('x')</script>\\"]"}
"""
INNER = """\
heat_template_version: 2021-04-16
parameters: {net: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  again: {type: inner.yaml}
"""
CFY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm: {type: cloudify.nodes.openstack.Server}
  disk:
    type: cloudify.nodes.openstack.Volume
    relationships: [{type: cloudify.relationships.openstack.volume_attached_to_server, target: vm}]
  app:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
groups: {tier: {members: [vm, app]}}
policies: {scaled: {type: cloudify.policies.scaling, targets: [tier], properties: {default_instances: 2}}}
"""
TOSCA = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute, requirements: [{local_storage: {node: disk}}]}
    disk: {type: tosca.nodes.Storage.BlockStorage, properties: {size: 1 GB}}
    server: {type: tosca.nodes.WebServer, requirements: [{host: vm}]}
  groups: {all: {type: tosca.groups.Root, members: [vm, server]}}
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"hot": HOT, "inner": INNER, "cfy": CFY, "tosca": TOSCA}.items():
        Path(f"{name}.yaml").write_text(text)


def arrows(made: Graph) -> set[tuple[str, str, str, str]]:
    return {(one.source, one.meaning, one.target, one.label) for one in made.arrows}


def test_a_template() -> None:
    made = graph(Path("hot.yaml"))
    parts = {part.key: part for part in made.walk()}
    assert [*parts] == ["net", "port", "web", "late", "group", "group/port", "group/again", "alone"]
    assert arrows(made) == {
        ("port", "refers", "net", "network"),
        ("web", "refers", "port", "networks"),
        ("web", "reads", "net", "user_data"),
        ("late", "waits", "web", ""),
        ("group", "refers", "net", "resource_def"),
    }
    assert (parts["web"].kind, parts["web"].type, parts["web"].line) == ("server", "OS::Nova::Server", 6)
    assert (parts["group"].detail, parts["port"].detail) == ("3 x inner.yaml", "conditional")
    assert (parts["group/port"].file, parts["group/port"].line) == ("inner.yaml", 4)


def test_a_blueprint() -> None:
    made = graph(Path("cfy.yaml"))
    assert arrows(made) == {
        ("disk", "connects", "vm", "cloudify.relationships.openstack.volume_attached_to_server"),
        ("app", "inside", "vm", "cloudify.relationships.contained_in"),
    }
    assert [(part.name, [one.name for one in part.parts]) for part in made.parts] == [
        ("disk", []),
        ("tier", ["vm", "app"]),
    ]


def test_a_service_template() -> None:
    made = graph(Path("tosca.yaml"))
    assert arrows(made) == {("vm", "connects", "disk", "local_storage"), ("server", "inside", "vm", "host")}
    assert {part.key: part.type for part in made.walk()} == {
        "disk": "tosca.nodes.Storage.BlockStorage",
        "group:all": "group",
        "vm": "tosca.nodes.Compute",
        "server": "tosca.nodes.WebServer",
    }


def test_the_same_in_every_language() -> None:
    """What a conversion yields has the nodes of its source in its picture. TOSCA binds a port to its server."""
    from bpconvert import convert

    text = HOT[: HOT.index("  late:")].replace(", condition: big", "").replace("conditions: {big: true}\n", "")
    names = {part.name for part in graph(text).walk()}
    for target, nic in (("cloudify", ("web", "port")), ("tosca", ("port", "web"))):
        made = graph(convert(text, "hot", target).text)
        assert names <= {part.name for part in made.walk()}
        assert {nic, ("port", "net")} <= {(one.source, one.target) for one in made.arrows}


def test_an_environment_gives_types_their_documents() -> None:
    Path("env.yaml").write_text("resource_registry: {My::Type: inner.yaml}\n")
    text = "heat_template_version: 2021-04-16\nresources: {one: {type: My::Type}}\n"
    made = graph(text, name="t.yaml", environments=["env.yaml"])
    assert [part.key for part in made.walk()] == ["one", "one/port", "one/again"]


# -- where things stand -------------------------------------------------------------------------------------


def overlaps(one: Box, other: Box) -> bool:
    apart = (
        one.x + one.width <= other.x or other.x + other.width <= one.x
        or one.y + one.height <= other.y or other.y + other.height <= one.y
    )  # fmt: skip
    return not apart


def assert_sound(picture: Picture, made: Graph) -> None:
    boxes = {box.part.key: box for box in picture.boxes}
    for box in picture.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= picture.width + 0.01
        assert box.y + box.height <= picture.height + 0.01
        for inner in box.part.parts:
            one = boxes[inner.key]
            assert one.x > box.x
            assert one.y > box.y
            assert one.x + one.width < box.x + box.width
            assert one.y + one.height < box.y + box.height
    for siblings in [made.parts, *(part.parts for part in made.walk())]:
        placed = [boxes[part.key] for part in siblings]
        assert not [1 for n, one in enumerate(placed) for other in placed[n + 1 :] if overlaps(one, other)]
    for line in picture.lines:
        ends = boxes[line.arrow.source], boxes[line.arrow.target]
        for (x, y), box in zip((line.points[0], line.points[-1]), ends, strict=True):
            assert x in (box.x, box.x + box.width)
            assert box.y < y < box.y + box.height


@pytest.mark.parametrize("case", [case for case in CASES if not case.is_mistake][::7], ids=lambda case: case.id)
def test_nothing_overlaps(case: Case) -> None:
    if case.outcome.text is None:
        pytest.skip("the source is refused")
    made = graph(case.source)
    assert_sound(lay_out(made), made)


@pytest.mark.parametrize("bends", [layout.MOST_BENDS, 0])
def test_circles_boxes_and_long_ways(monkeypatch: pytest.MonkeyPatch, bends: int) -> None:
    """Arrows in a circle, over several layers, out of boxes, between two in both directions, and to what is missing."""
    monkeypatch.setattr(layout, "MOST_BENDS", bends)
    names = "abcdefgh"
    parts = [Part(name, name) for name in names[:6]] + [Part("box", "box", parts=[Part("g", "g"), Part("h", "h")])]
    ends = ["ab", "bc", "ca", "ad", "de", "ef", "af", "fa", "gh", "ga", "bh", "gd", "aa", "ax"]
    made = Graph("x", parts, [Arrow(*pair) for pair in ends] + [Arrow("g", "box"), Arrow("box", "a")])
    picture = lay_out(made)
    assert_sound(picture, made)
    drawn = {line.arrow.source + line.arrow.target for line in picture.lines}
    assert drawn == {*ends, "boxa"} - {"aa", "ax"}


def test_long_arrows_pass_between_parts() -> None:
    """They run along gaps of the layers that they pass."""
    made = Graph("x", [Part(name, name) for name in "abcd"], [Arrow(*pair) for pair in ("ab", "bc", "cd", "ad", "bd")])
    picture = lay_out(made)
    boxes = {box.part.key: box for box in picture.boxes}
    for line in picture.lines:
        for x, y in line.points[1:-1]:
            assert not [
                box for box in boxes.values() if box.x < x < box.x + box.width and box.y < y < box.y + box.height
            ]
    bends = {line.arrow.source: line.points[-3:-1] for line in picture.lines if len(line.points) > 2}
    assert bends["a"][-1] == bends["b"][-1], "arrows to one target share the last part of their way"


def test_large_pictures_take_little_time() -> None:
    """A thousand parts whose arrows would have a million bends."""
    names = [f"n{number}" for number in range(1000)]
    chain = [Arrow(one, other) for one, other in pairwise(names)]
    jumps = [Arrow(names[number], names[-1 - number]) for number in range(0, 400, 2)]
    made = Graph("x", [Part(name, name) for name in names], [*chain, *jumps])
    assert len(lay_out(made).lines) == len(made.arrows)


def test_what_is_needed_stands_to_the_right() -> None:
    places = {box.part.key: box.x for box in lay_out(graph(Path("hot.yaml"))).boxes}
    assert places["late"] < places["web"] < places["port"] < places["net"]


def test_an_empty_picture() -> None:
    made = graph("heat_template_version: 2021-04-16\n")
    assert [made.text(format) for format in TEXTS]


# -- how it is written --------------------------------------------------------------------------------------


def test_svg_is_xml_and_texts_are_inert() -> None:
    root = ET.fromstring(graph(Path("hot.yaml")).text("svg"))
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "title", "style", "rect", "defs", "marker", "path", "g", "text",
    }  # fmt: skip
    texts = [element.text for element in root.iter() if element.tag.endswith("}text")]
    assert {"web", "OS::Nova::Server", "3 x inner.yaml"} <= {*texts}
    assert any("<script>" in (text or "") for text in texts)


def test_mermaid_and_dot_escape() -> None:
    made = graph(Path("hot.yaml"))
    assert "script>" not in made.text("mermaid")
    assert '  n2 -->|"network"| n1\n' in made.text("mermaid")
    assert re.search(r'label="alone\\n<script>alert\(\'x\'\)</script>\\"\]"', made.text("dot"))
    with pytest.raises(UsageError):
        made.text("png")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "cfy.yaml"]) == OK
    assert capsys.readouterr().out.startswith("flowchart LR\n")
    for name, start in {"a.svg": "<svg ", "b/a.dot": "digraph", "a.gv": "digraph", "a.MMD": "flowchart"}.items():
        assert main(["graph", "cfy.yaml", "-o", name]) == OK
        assert Path(name).read_text("utf-8").startswith(start)
    assert main(["graph", "cfy.yaml", "-o", "a.txt", "--format", "dot"]) == OK
    assert main(["graph", "cfy.yaml", "-o", "a.pdf"]) == FAILED
    assert ".svg" in capsys.readouterr().err


def test_the_command_writes_over_nothing_that_it_reads(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cfy.svg").symlink_to("cfy.yaml")
    assert main(["graph", "cfy.yaml", "-o", "cfy.svg"]) == FAILED
    assert "that the command reads" in capsys.readouterr().err
    assert Path("cfy.yaml").read_text() == CFY


@pytest.mark.parametrize("text", ["", "a: 1\n", "heat_template_version: [\n"])
def test_what_is_no_document(capsys: pytest.CaptureFixture[str], text: str) -> None:
    Path("t.yaml").write_text(text)
    assert main(["graph", "t.yaml"]) == FAILED
    assert capsys.readouterr().err.startswith("t.yaml:")


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "none.yaml"]) == FAILED
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("format", TEXTS)
def test_controls_of_documents_are_in_no_picture(format: str, tmp_path: Path) -> None:
    steering = "x\\u0000\\r\\u001b\\u0007\\u009b\\u202e\\ufffe"
    place = tmp_path / "a.yaml"
    place.write_text(f'heat_template_version: 2021-04-16\nresources: {{"{steering}": {{type: "{steering}"}}}}\n')
    shown = graph(place).text(format)
    assert [one for one in "\x00\r\x1b\x07\x9b\u202e\ufffe" if one in shown] == []
    if format == "svg":
        assert ET.fromstring(shown).tag.endswith("svg")


def test_a_name_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / "inner.yaml").write_text(INNER)
    place = tmp_path / "a.yaml"
    place.write_text("heat_template_version: 2021-04-16\nresources: {'': {type: inner.yaml}, b: {type: inner.yaml}}\n")
    assert ET.fromstring(graph(place).text("svg")).tag.endswith("svg")
