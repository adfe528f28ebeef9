"""Imports of a service template: every notation, prefixes, what is not read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.translators.dialects import load
from bpconvert.translators.tosca.read.imports import CombinedTemplates, combine
from bpconvert.translators.tosca.read.types import NODE, Types

LIBRARY = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Base: {derived_from: tosca.nodes.Root, properties: {size: {type: my.Size}, age: integer}}
  my.Leaf:
    derived_from: my.Base
    capabilities: {c: my.Cap}
    requirements: [{host: {capability: my.Cap, node: my.Base, relationship: {type: tosca.relationships.HostedOn}}}]
capability_types:
  my.Cap: {derived_from: tosca.capabilities.Root}
data_types:
  my.Size: {derived_from: integer}
"""


def combined(tmp_path: Path, main: str, **files: str) -> tuple[CombinedTemplates, list[Diagnostic]]:
    for name, text in {"main": main, **files}.items():
        place = tmp_path / f"{name.replace('__', '/')}.yaml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    document = load(f"tosca_definitions_version: tosca_simple_yaml_1_3\n{main}")
    reporter = Reporter(document)
    found = combine(document, Files(tmp_path), reporter)
    found.report(reporter)
    return found, reporter.diagnostics


@pytest.mark.parametrize(
    "notation",
    [
        "[lib.yaml]",
        "[{mine: lib.yaml}]",
        "[{mine: {file: lib.yaml}}]",
        "[{file: lib.yaml}]",
        "[{url: lib.yaml}]",
        "[{file: yaml, repository: here}]",
        "lib.yaml",
    ],
)
def test_every_notation_imports_the_types(tmp_path: Path, notation: str) -> None:
    if "repository" in notation:
        main = f"imports: {notation.replace('yaml', 'lib.yaml', 1)}\nrepositories: {{here: {{url: .}}}}\n"
    else:
        main = f"imports: {notation}\n"
    found, reported = combined(tmp_path, main, lib=LIBRARY)
    assert "my.Leaf" in found.data["node_types"]
    assert found.complete
    assert {one.code for one in reported} == {"BPC140"}


@pytest.mark.parametrize("notation", ["{file: lib.yaml, namespace_prefix: p}", "{url: lib.yaml, namespace: p}"])
def test_types_of_a_file_with_a_prefix_have_it_everywhere(tmp_path: Path, notation: str) -> None:
    found, _ = combined(tmp_path, f"imports: [{notation}]\n", lib=LIBRARY)
    leaf: dict[str, Any] = found.data["node_types"]["p:my.Leaf"]
    assert leaf["derived_from"] == "p:my.Base"
    assert leaf["capabilities"] == {"c": "p:my.Cap"}
    assert leaf["requirements"][0]["host"]["node"] == "p:my.Base"
    assert leaf["requirements"][0]["host"]["relationship"] == {"type": "tosca.relationships.HostedOn"}
    base = found.data["node_types"]["p:my.Base"]
    assert base["properties"] == {"size": {"type": "p:my.Size"}, "age": "integer"}
    types = Types(found.data, found.standard)
    assert types.ancestry(NODE, "p:my.Leaf") == types.ancestry(NODE, "p.my.Leaf")
    assert types.ancestry(NODE, "p:my.Leaf") == ["p:my.Leaf", "p:my.Base", "tosca.nodes.Root"]


def test_a_file_is_looked_for_beside_the_one_that_imports_it(tmp_path: Path) -> None:
    first = "imports: [inner.yaml]\n"
    inner = "node_types: {my.Inner: {derived_from: tosca.nodes.Root}}\n"
    found, reported = combined(tmp_path, "imports: [sub/first.yaml]\n", sub__first=first, sub__inner=inner)
    assert list(found.data["node_types"]) == ["my.Inner"]
    assert {one.path for one in reported} == {("imports", 0)}


def test_circles_of_imports_end(tmp_path: Path) -> None:
    one = "imports: [{file: two.yaml, namespace_prefix: a}]\nnode_types: {my.One: {derived_from: tosca.nodes.Root}}\n"
    two = "imports: [{file: one.yaml, namespace_prefix: b}, main.yaml]\n"
    found, reported = combined(tmp_path, "imports: [one.yaml]\n", one=one, two=two)
    assert "my.One" in found.data["node_types"]
    assert "BPC121" in {item.code for item in reported}


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("https://example.com/types.yaml", "BPC852"),
        ("{file: types.yaml, repository: far}", "BPC852"),
        ("{profile: 'com.example:1.0'}", "BPC852"),
        ("normative-types:1.0.0-X", "BPC852"),
        ("<own-types.yml>", "BPC852"),
        ("missing.yaml", "BPC142"),
        ("../outside.yaml", "BPC142"),
        ("{x: {namespace_prefix: p}}", "BPC121"),
    ],
)
def test_what_is_not_read_is_reported_at_its_place(tmp_path: Path, given: str, code: str) -> None:
    _, reported = combined(tmp_path, f"repositories: {{far: 'https://example.com'}}\nimports:\n  - {given}\n")
    assert [(one.code, one.path, one.span.line) for one in reported] == [(code, ("imports", 0), 4)]
    assert ("--map URL=DIR" in reported[0].hint) is (code == "BPC852" and ("https" in given or "far" in given))


@pytest.mark.parametrize(
    "given",
    [
        "{profile: 'org.oasis-open.simple:2.0', namespace: std}",
        "tosca-normative-types:1.0.0-ALIEN20",
        "<normative-types.yml>",
        "{normative: <normative-types.yml>}",
    ],
)
def test_the_types_of_the_standard_are_known(tmp_path: Path, given: str) -> None:
    found, reported = combined(tmp_path, f"imports: [{given}]\n")
    assert found.complete
    assert [one.code for one in reported] == ["BPC861"]
    if "std" in given:
        assert Types(found.data, found.standard).normal(NODE, "std:Compute") == "tosca.nodes.Compute"


def test_the_topology_of_an_imported_file_is_reported(tmp_path: Path) -> None:
    plain = "topology_template: {node_templates: {a: {type: tosca.nodes.Root}}}\n"
    stands = (
        "topology_template: {substitution_mappings: {node_type: my.T}, node_templates: {a: {type: tosca.nodes.Root}}}\n"
    )
    found, reported = combined(tmp_path, "imports: [plain.yaml, stands.yaml]\n", plain=plain, stands=stands)
    assert "node_templates" not in found.data
    assert [one.path for one in reported if one.code == "BPC851"] == [("imports", 0)]
    assert [(one.type, one.file, one.place) for one in found.topologies] == [("my.T", "stands.yaml", ("imports", 1))]


def test_of_two_definitions_the_first_counts_unless_they_are_equal(tmp_path: Path) -> None:
    same = "node_types: {my.Same: {derived_from: tosca.nodes.Root}, my.T: {derived_from: my.Same}}\n"
    other = same.replace("derived_from: my.Same", "derived_from: tosca.nodes.Root")
    found, reported = combined(tmp_path, "imports: [same.yaml, other.yaml]\n", same=same, other=other)
    assert found.data["node_types"]["my.T"]["derived_from"] == "my.Same"
    assert [(one.code, one.path) for one in reported if one.code != "BPC140"] == [("BPC144", ("imports", 1))]


def test_files_of_imported_types_are_beside_their_file(tmp_path: Path) -> None:
    (tmp_path / "lib" / "scripts").mkdir(parents=True)
    (tmp_path / "lib" / "scripts" / "create.sh").write_text("#!/bin/sh\necho there\n")
    (tmp_path / "lib" / "types.yaml").write_text(
        "node_types:\n  my.App:\n    derived_from: tosca.nodes.SoftwareComponent\n"
        "    interfaces: {Standard: {operations: {create: scripts/create.sh}}}\n"
    )
    main = tmp_path / "main.yaml"
    main.write_text(
        "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [lib/types.yaml]\ntopology_template:\n"
        "  node_templates:\n    server: {type: tosca.nodes.Compute}\n"
        "    app: {type: my.App, requirements: [{host: server}]}\n"
    )
    made = convert(main, "tosca", "hot", carry=False)
    assert "BPC610" not in {one.code for one in made.diagnostics}
    assert "echo there" in made.text or "lib/scripts/create.sh" in made.text


@pytest.mark.parametrize(
    ("version", "takers"), [("alien_dsl_3_0_0", "only Alien4Cloud takes"), ("tosca_simple_yaml_1_9", "no engine takes")]
)
def test_who_takes_a_version(version: str, takers: str) -> None:
    text = f"tosca_definitions_version: {version}\ntopology_template: {{node_templates: {{a: {{type: Compute}}}}}}\n"
    messages = [item.message for item in convert(text, "tosca", "hot").diagnostics if item.code == "BPC850"]
    assert [message.partition(" the version")[0] for message in messages] == [takers]
