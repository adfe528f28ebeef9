"""Topologies of many nodes: boxes for networks, bundled arrows, what the pointer shows, and PNG."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from importlib.util import find_spec
from pathlib import Path

import pytest

from bpconvert.cli.main import main
from bpconvert.graphs import graph, layout
from bpconvert.graphs.grouping import MANY, grouped
from bpconvert.graphs.model import Graph


def template(networks: int, servers: int) -> str:
    lines = ["heat_template_version: 2018-08-31", "resources:"]
    lines.append("  key: {type: 'OS::Nova::KeyPair', properties: {name: k}}")
    for net in range(networks):
        lines.append(f"  net{net}: {{type: 'OS::Neutron::Net'}}")
        for number in range(servers):
            name = f"{net}_{number}"
            lines.append(f"  disk{name}: {{type: 'OS::Cinder::Volume', properties: {{size: 1}}}}")
            lines.append(
                f"  server{name}: {{type: 'OS::Nova::Server', properties: {{image: b, flavor: a, "
                f"key_name: {{get_resource: key}}, networks: [{{network: {{get_resource: net{net}}}}}], "
                f"block_device_mapping_v2: [{{volume_id: {{get_resource: disk{name}}}}}]}}}}"
            )
    lines.append(
        "  gateway: {type: 'OS::Nova::Server', properties: {image: b, flavor: a, networks: "
        "[{network: {get_resource: net0}}, {network: {get_resource: net1}}]}}"
    )
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def large() -> Graph:
    return graph(template(4, 13))


def test_each_network_is_a_box_with_what_belongs_to_it_alone(large: Graph) -> None:
    assert sum(1 for _ in large.walk()) > MANY
    parts = grouped(large).parts
    boxes = {part.name: {inner.name for inner in part.parts} for part in parts if part.parts}
    assert list(boxes) == ["net0", "net1", "net2", "net3"]
    assert boxes["net2"] == {"net2", *(f"{kind}2_{number}" for kind in ("disk", "server") for number in range(13))}
    assert {part.name for part in parts if not part.parts} == {"key", "gateway"}
    assert {part.name for part in large.walk()} <= {part.name for part in grouped(large).walk()}


def test_arrows_from_a_box_to_one_target_are_one(large: Graph) -> None:
    arrows = [arrow for arrow in grouped(large).arrows if arrow.target == "key"]
    assert [arrow.label for arrow in arrows] == ["13 nodes"] * 4
    assert len([arrow for arrow in grouped(large).arrows if arrow.target == "net2"]) == 13


def test_nothing_overlaps_in_a_large_picture(large: Graph) -> None:
    picture = layout.lay_out(grouped(large))
    leaves = [box for box in picture.boxes if not box.part.parts]
    for number, one in enumerate(leaves):
        for other in leaves[number + 1 :]:
            assert (
                one.x + one.width <= other.x or other.x + other.width <= one.x
                or one.y + one.height <= other.y or other.y + other.height <= one.y
            )  # fmt: skip


def test_a_small_topology_stays_as_it_is() -> None:
    small = graph(template(2, 5))
    assert grouped(small) is small


def test_a_node_under_the_pointer_shows_its_arrows_alone() -> None:
    root = ET.fromstring(graph(template(2, 2)).text("svg"))
    classes = [element.get("class", "").split() for element in root.iter()]
    nodes = {name for names in classes if "node" in names for name in names if re.fullmatch(r"n\d+", name)}
    pattern = r"\.graph:has\(\.(n\d+):hover\) \.line:not\(\.e(\d+)\) \{ opacity: \.12; \}"
    rules = re.findall(pattern, "".join(root.itertext()))
    assert {node for node, _ in rules} == nodes
    assert all(node == f"n{line}" for node, line in rules)
    lines = [names for names in classes if "line" in names]
    assert lines
    assert all(sum(bool(re.fullmatch(r"e\d+", name)) for name in names) == 2 for names in lines)


def test_png_without_cairosvg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    Path("t.yaml").write_text(template(2, 1))
    assert main(["graph", "t.yaml", "-o", "t.png"]) == 2
    assert "PNG needs the package cairosvg" in capsys.readouterr().err
    assert not Path("t.png").exists()


@pytest.mark.skipif(find_spec("cairosvg") is None, reason="cairosvg is not installed")
def test_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(template(2, 1))
    assert main(["graph", "t.yaml", "-o", "t.png"]) == 0
    assert Path("t.png").read_bytes().startswith(b"\x89PNG")
