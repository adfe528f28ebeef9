"""Imports of blueprints: which files, in which order, what wins, namespaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.expressions import Input, Property
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read import nodes as neutral
from bpconvert.translators.cloudify.read.blueprint import to_topology
from bpconvert.translators.cloudify.read.imports import combine, namespaced
from bpconvert.translators.toscalike.imports import Combined
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.yamlio.document import load

HEAD = "tosca_definitions_version: cloudify_dsl_1_4\n"
Found = list[tuple[str, tuple[Any, ...]]]


def combined(folder: Path | None, main: str, head: str = HEAD, **others: str) -> tuple[Combined, Reporter]:
    """``main`` with ``others`` (file name without ending, ``__`` for a slash -> text) beside it."""
    for name, text in others.items():
        assert folder is not None
        file = folder / f"{name.replace('__', '/')}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    document = load(head + main, "main.yaml")
    reporter = Reporter(document)
    result = combine(document, Files(folder), reporter)
    result.report(reporter)
    return result, reporter


def found(reporter: Reporter, *codes: str) -> Found:
    return [(d.code, d.path) for d in reporter.diagnostics if not codes or d.code in codes]


# -- known and unknown files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "library"),
    [
        ("cloudify/types/types.yaml", "core"),
        ("http://www.getcloudify.org/spec/cloudify/4.5.5/types.yaml", "core"),
        ("https://cloudify.co/spec/cloudify/6.2.0/types.yaml", "core"),
        ("plugin:cloudify-openstack-plugin", "openstack"),
        ("plugin:cloudify-openstack-plugin?version= >=3.2.2", "openstack"),
        ("https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/plugin.yaml", "openstack"),
        ("https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/compat.yaml", "compat"),
        ("https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/2.3.0/plugin.yaml", "openstack_2"),
        ("plugin:cloudify-openstack-plugin?version=2.14.26", "openstack_2"),
        ("http://www.getcloudify.org/spec/openstack-plugin/2.0.1/plugin.yaml", "openstack_2"),
    ],
)
def test_known_libraries(entry: str, library: str) -> None:
    result, reporter = combined(None, f"imports: ['{entry}']\n")
    assert result.libraries == [library]
    assert result.complete
    assert not reporter.diagnostics


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("plugin:cloudify-aws-plugin", "BPC141"),
        ("http://example.org/plugin.yaml", "BPC141"),
        ("ns--plugin:mine", "BPC141"),
        ("ns--blueprint:other", "BPC142"),
        ("missing.yaml", "BPC142"),
        ("../outside.yaml", "BPC142"),
    ],
)
def test_unknown_content(tmp_path: Path, entry: str, code: str) -> None:
    (tmp_path / "outside.yaml").write_text("{}")
    (tmp_path / "in").mkdir()
    result, reporter = combined(tmp_path / "in", f"imports: [cloudify/types/types.yaml, '{entry}']\n")
    assert found(reporter) == [(code, ("imports", 1))]
    assert not result.complete


def test_settings_of_a_plugin() -> None:
    _, reporter = combined(None, "imports: [{'plugin:cloudify-openstack-plugin': {a: 1}}]\n")
    assert found(reporter) == [("BPC146", ("imports", 0))]


def test_imported_twice(tmp_path: Path) -> None:
    _, reporter = combined(tmp_path, "imports: [a.yaml, a.yaml]\n", a="inputs: {}\n")
    assert found(reporter) == [("BPC140", ("imports", 0)), ("BPC121", ("imports", 1))]


@pytest.mark.parametrize("imports", ["5", "[5, {a: 1, b: 2}, [x]]", "{a: b}", "[{}]", "['']", "['--']"])
def test_odd_imports(tmp_path: Path, imports: str) -> None:
    result, _ = combined(tmp_path, f"imports: {imports}\ninputs: {{a: {{}}}}\n")
    assert result.data["inputs"] == {"a": {}}


# -- local files --------------------------------------------------------------------------------------------


def where(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """The place of an import, the file, and the place there."""
    *place, inner = path
    return (*place, inner.file, str(inner))


def test_merged_breadth_first(tmp_path: Path) -> None:
    """a and b before what a imports; c is reached twice and read once; the circle back to a ends."""
    result, reporter = combined(
        tmp_path,
        "imports: [a.yaml, sub/b.yaml]\ninputs: {main: {}}\n",
        a="imports: [sub/c.yaml]\ninputs: {a: {}}\ndescription: of a\n",
        sub__b="imports: [c.yaml]\ninputs: {b: {}}\ndescription: of b\n",
        sub__c="imports: [../a.yaml]\ninputs: {c: {}}\n",
    )
    assert list(result.data["inputs"]) == ["main", "a", "b", "c"]
    assert result.data["description"] == "of a"
    assert result.place(("inputs", "main", "type")) == ("inputs", "main", "type")
    assert where(result.place(("inputs", "b", "type"))) == ("imports", 1, "sub/b.yaml", "inputs.b.type")
    assert where(result.place(("inputs", "c"))) == ("imports", 0, "sub/c.yaml", "inputs.c")
    assert result.origin(("inputs", "c")) == (("imports", 0), "sub/c.yaml")
    assert found(reporter) == [("BPC140", ("imports", 0)), ("BPC140", ("imports", 1)), ("BPC140", ("imports", 0))]


def test_main_document_is_not_changed(tmp_path: Path) -> None:
    document = load(HEAD + "imports: [a.yaml]\ninputs: {main: {}}\n", "main.yaml")
    (tmp_path / "a.yaml").write_text("inputs: {a: {}}\n")
    combine(document, Files(tmp_path), Reporter(document))
    assert list(document.data["inputs"]) == ["main"]


def test_read_files_are_not_copied_along(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("inputs: {a: {}}\n")
    document = load(HEAD + "imports: [a.yaml]\n", "main.yaml")
    files = Files(tmp_path)
    combine(document, files, Reporter(document))
    assert not files.used


def test_version_in_the_name(tmp_path: Path) -> None:
    """From another folder, a file of the blueprint's folder is tried with the version in its name first."""
    result, _ = combined(
        tmp_path,
        "imports: [sub/b.yaml]\n",
        sub__b="imports: [c.yaml]\n",
        c="inputs: {plain: {}}\n",
        c_1_4="inputs: {versioned: {}}\n",
    )
    assert list(result.data["inputs"]) == ["versioned"]


@pytest.mark.parametrize("text", ["a: [", "- just\n- a list\n", "a: b: c\n", "text"])
def test_broken_file(tmp_path: Path, text: str) -> None:
    result, reporter = combined(tmp_path, "imports: [a.yaml]\ninputs: {x: {}}\n", a=text)
    assert found(reporter) == [("BPC143", ("imports", 0))]
    assert "a.yaml" in reporter.diagnostics[0].message
    assert result.data["inputs"] == {"x": {}}


def test_empty_file(tmp_path: Path) -> None:
    _, reporter = combined(tmp_path, "imports: [a.yaml]\n", a="# nothing\n")
    assert not found(reporter, "BPC143")


def test_repeated_key_of_an_imported_file(tmp_path: Path) -> None:
    _, reporter = combined(tmp_path, "imports: [a.yaml]\n", a="inputs: {a: {}, a: {}}\n")
    assert ("BPC135", ("imports", 0)) in found(reporter)


def test_newer_version_than_the_blueprint(tmp_path: Path) -> None:
    _, reporter = combined(tmp_path, "imports: [a.yaml]\n", a="tosca_definitions_version: cloudify_dsl_1_5\n")
    assert ("BPC121", ("imports", 0)) in found(reporter)


# -- what is defined twice ----------------------------------------------------------------------------------


def test_first_definition_counts(tmp_path: Path) -> None:
    result, reporter = combined(
        tmp_path, "imports: [a.yaml]\ninputs: {x: {default: 1}}\n", a="inputs: {x: {default: 2}, y: {}}\n"
    )
    assert result.data["inputs"] == {"x": {"default": 1}, "y": {}}
    assert found(reporter, "BPC144") == [("BPC144", ("imports", 0))]


def test_builtin_names_are_overwritten(tmp_path: Path) -> None:
    text = "node_types: {cloudify.mine: {properties: {a: {}}}}\n"
    result, reporter = combined(tmp_path, "imports: [a.yaml]\nnode_types: {cloudify.mine: {}}\n", a=text)
    assert result.data["node_types"] == {"cloudify.mine": {"properties": {"a": {}}}}
    assert not found(reporter, "BPC144")


def test_library_replaces_definitions_before_it(tmp_path: Path) -> None:
    main = "node_types: {cloudify.nodes.Tier: {properties: {a: {default: 1}}}, mine: {}}\n"
    result, reporter = combined(tmp_path, f"imports: [cloudify/types/types.yaml]\n{main}")
    assert result.data["node_types"] == {"mine": {}}
    assert found(reporter) == [("BPC145", ("node_types", "cloudify.nodes.Tier"))]
    result, reporter = combined(tmp_path, main)
    assert "cloudify.nodes.Tier" in result.data["node_types"]


def test_labels_keep_the_first(tmp_path: Path) -> None:
    result, reporter = combined(
        tmp_path, "imports: [a.yaml]\nlabels: {x: {values: [a]}}\n", a="labels: {x: {values: [b]}, y: {values: [c]}}\n"
    )
    assert result.data["labels"] == {"x": {"values": ["a"]}, "y": {"values": ["c"]}}
    assert not found(reporter, "BPC144")


def test_workflows_are_completed(tmp_path: Path) -> None:
    result, _ = combined(
        tmp_path,
        "imports: [a.yaml]\nworkflows: {x: {mapping: a.b}}\n",
        a="workflows: {x: {mapping: c.d, is_cascading: true}}\n",
    )
    assert result.data["workflows"] == {"x": {"mapping": "a.b", "is_cascading": True}}


def test_sections_that_cannot_be_merged(tmp_path: Path) -> None:
    _, reporter = combined(
        tmp_path,
        "imports: [a.yaml]\ndeployment_settings: {id_template: a}\n",
        a="deployment_settings: {id_template: b}\n",
    )
    assert found(reporter, "BPC144") == [("BPC144", ("imports", 0))]


def test_old_versions_merge_less(tmp_path: Path) -> None:
    head = "tosca_definitions_version: cloudify_dsl_1_2\n"
    result, reporter = combined(tmp_path, "imports: [a.yaml]\ninputs: {x: {}}\n", head, a="inputs: {y: {}}\n")
    assert found(reporter, "BPC121") == [("BPC121", ("imports", 0))]
    assert list(result.data["inputs"]) == ["x", "y"]


def test_relationships_of_another_file(tmp_path: Path) -> None:
    """A node template with nothing but relationships adds to the one of its name, whichever comes first."""
    result, _ = combined(
        tmp_path,
        "imports: [a.yaml, b.yaml]\nnode_templates: {n: {relationships: [1]}}\n",
        a="node_templates: {n: {type: t, relationships: [2]}}\n",
        b="node_templates: {n: {relationships: [3]}}\n",
    )
    assert result.data["node_templates"]["n"] == {"type": "t", "relationships": [1, 2, 3]}
    places = [result.place(("node_templates", "n", "relationships", index))[:2] for index in range(3)]
    assert places == [("node_templates", "n"), ("imports", 0), ("imports", 1)]
    assert where(result.place(("node_templates", "n", "type")))[2:] == ("a.yaml", "node_templates.n.type")


# -- namespaces ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "value", "expected"),
    [
        ("inputs", {"a": {"type": "string"}}, {"n--a": {"type": "string"}}),
        ("inputs", {"a": {"type": "mine"}}, {"n--a": {"type": "n--mine"}}),
        ("inputs", {"a": {"default": {"get_input": "b"}}}, {"n--a": {"default": {"get_input": "n--b"}}}),
        # a list as default is not looked at, as in the parser
        ("inputs", {"a": {"default": [{"get_input": "b"}]}}, {"n--a": {"default": [{"get_input": "b"}]}}),
        ("outputs", {"o": {"value": {"get_input": ["b", 0]}}}, {"n--o": {"value": {"get_input": ["n--b", 0]}}}),
        ("outputs", {"o": {"value": "text"}}, {"n--o": {"value": "n--text"}}),
        (
            "outputs",
            {"o": {"value": {"concat": ["x", {"get_attribute": ["m", "ip"]}]}}},
            {"n--o": {"value": {"concat": ["x", {"get_attribute": ["n--m", "ip"]}]}}},
        ),
        # computed names and other functions stay
        (
            "outputs",
            {"o": {"value": {"get_property": [{"concat": ["m"]}, "p"]}}},
            {"n--o": {"value": {"get_property": [{"concat": ["m"]}, "p"]}}},
        ),
        (
            "outputs",
            {"o": {"value": {"get_attributes_list": ["m", "ip"]}}},
            {"n--o": {"value": {"get_attributes_list": ["m", "ip"]}}},
        ),
        (
            "node_templates",
            {"m": {"type": "t", "properties": {"p": [{"get_property": ["SELF", "q"]}]}}},
            {"n--m": {"type": "n--t", "properties": {"p": [{"get_property": ["SELF", "q"]}]}}},
        ),
        (
            "node_templates",
            {"m": {"type": "cloudify.nodes.Root", "relationships": [{"type": "r", "target": "o"}]}},
            {"n--m": {"type": "cloudify.nodes.Root", "relationships": [{"type": "n--r", "target": "n--o"}]}},
        ),
        (
            "node_types",
            {"t": {"derived_from": "u", "properties": {"p": {"type": "d", "default": {"get_input": "i"}}}}},
            {"n--t": {"derived_from": "n--u", "properties": {"p": {"type": "n--d", "default": {"get_input": "n--i"}}}}},
        ),
        ("node_types", {"cloudify.x": {}}, {"cloudify.x": {}}),
        ("groups", {"g": {"members": ["m"]}}, {"n--g": {"members": ["n--m"]}}),
        (
            "policies",
            {"p": {"type": "cloudify.policies.scaling", "targets": ["g"]}},
            {"n--p": {"type": "cloudify.policies.scaling", "targets": ["n--g"]}},
        ),
        ("plugins", {"p": {"executor": "host_agent"}}, {"n--p": {"executor": "host_agent"}}),
        ("inputs", [1], [1]),
        ("inputs", {"a": 5, 7: None}, {"n--a": 5, 7: None}),
    ],
)
def test_namespaced(section: str, value: Any, expected: Any) -> None:
    assert namespaced(section, value, "n") == expected


def lifted(folder: Path, main: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Topology, dict[str, RawNode]]:
    nodes: dict[str, RawNode] = {}
    monkeypatch.setattr(neutral, "neutralise", lambda topology, raw, *_: nodes.update(raw))
    document = load(HEAD + main, "main.yaml")
    return to_topology(document, builtin(), Reporter(document), Files(folder)), nodes


def test_one_file_in_two_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.yaml").write_text(
        """
inputs: {size: {type: integer, default: 3}}
node_types:
  thing: {derived_from: cloudify.nodes.Root, properties: {p: {default: {get_input: size}}}}
node_templates:
  n: {type: thing}
  m: {type: thing, properties: {p: {get_property: [n, p]}}}
"""
    )
    main = "imports: [cloudify/types/types.yaml, a--part.yaml, b--part.yaml]\n"
    topology, nodes = lifted(tmp_path, main, monkeypatch)
    assert list(topology.inputs) == ["a--size", "b--size"]
    assert list(nodes) == ["a--n", "a--m", "b--n", "b--m"]
    assert nodes["a--n"].ancestry == ["a--thing", "cloudify.nodes.Root"]
    assert nodes["b--n"].declared["p"] == Input("b--size", strict=True)
    assert nodes["b--m"].declared["p"] == Property("b--n", "p")
    # places are those in the file, whose names have no namespace
    assert where(nodes["b--m"].path) == ("imports", 2, "part.yaml", "node_templates.m")
    assert where(nodes["b--m"].declared["p"].path)[2:] == ("part.yaml", "node_templates.m.properties.p")
    assert where(topology.inputs["b--size"].path)[2:] == ("part.yaml", "inputs.size")


def test_nested_namespaces(tmp_path: Path) -> None:
    result, _ = combined(tmp_path, "imports: [a--x.yaml]\n", x="imports: [b--y.yaml]\n", y="inputs: {i: {}}\n")
    assert list(result.data["inputs"]) == ["a--b--i"]


def test_base_types_have_no_namespace(tmp_path: Path) -> None:
    text = "node_types: {cloudify.nodes.Root: {}, other: {}}\n"
    result, _ = combined(tmp_path, "imports: [a--x.yaml]\n", x=text)
    assert list(result.data["node_types"]) == ["cloudify.nodes.Root", "other"]
