"""What a template keeps in metadata: the resource that does nothing else, reading it, and that Heat sees nothing."""

from __future__ import annotations

import json
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.translators.hot.resource_metadata import resource, seen
from bpconvert.translators.provenance.metadata_text import KEY, digest
from bpconvert.yamlio.document import Document, load

WORD = {"type": "string"}
VM = {"type": "OS::Nova::KeyPair", "properties": {"name": {"get_param": "word"}}}
VALUE = {"$Identity": {"node": "vm"}}


def template(*texts: str, **more: Any) -> Document:
    """A template with a resource for each of the ``texts`` that are kept."""
    keeping = {f"kept_{number}": resource(text) for number, text in enumerate(texts)}
    data = {
        "heat_template_version": "2018-08-31",
        "parameters": {"word": WORD},
        "resources": {"vm": VM, **keeping, **more},
        "outputs": {"o": {"value": "a text"}},
    }
    return load(json.dumps(data))


def read(document: Document) -> tuple[Topology, list[tuple[str, ex.Path]]]:
    """The topology, and what is told of what was kept."""
    reporter = Reporter(document)
    found = to_topology(document, builtin(), reporter)
    return found, [(one.code, one.path) for one in reporter.diagnostics if one.code in ("BPC670", "BPC880")]


def place(name: str) -> ex.Path:
    return ("resources", name, "metadata", KEY)


def test_inputs_outputs_and_nodes_come_back() -> None:
    text = json.dumps(
        {
            "inputs": {"word": [digest(WORD), "front"]},
            "outputs": {"o": [digest("a text"), VALUE]},
            "nodes": {"vm": {"type": "OS::Nova::KeyPair", "properties": {"mine": 1}}},
        }
    )
    found, told = read(template(text))
    assert found.inputs == {}
    assert found.outputs["o"].value == ex.Identity("vm")
    assert found.nodes["vm"].properties == {"name": "front", "mine": 1}
    assert list(found.nodes) == ["vm"]
    vm, word = ("resources", "vm"), ("parameters", "word")
    paths = [vm, word, (*word, "description"), ("outputs", "o"), place("kept_0")]
    assert told == [("BPC670", path) for path in paths]


def test_what_is_damaged_is_told_and_the_rest_comes_back() -> None:
    text = json.dumps({"outputs": {"o": [digest("a text"), VALUE]}})
    found, told = read(template("no JSON", text))
    assert found.outputs["o"].value == ex.Identity("vm")
    assert told == [("BPC880", place("kept_0")), ("BPC670", ("outputs", "o")), ("BPC670", place("kept_1"))]


def test_a_resource_of_another_type_keeps_nothing() -> None:
    text = json.dumps({"nodes": {"vm": {"type": "OS::Nova::Server", "properties": {"mine": 1}}}})
    found, told = read(template(text))
    assert found.nodes["vm"].properties == {"name": ex.Input("word")}
    assert told == [("BPC670", place("kept_0"))]


def test_heat_sees_nothing_of_what_is_kept() -> None:
    other = {"type": "OS::Heat::None", "metadata": {KEY: "{}", "mine": 1}}
    alone = {"type": "OS::Heat::Value", "metadata": {KEY: "{}"}, "properties": {"value": 1}}
    document = template("{}", other=other, alone=alone, broken="no resource", third=7)
    assert seen(document).data["resources"] == {
        "vm": VM,
        "other": {"type": "OS::Heat::None", "metadata": {"mine": 1}},
        "alone": {"type": "OS::Heat::Value", "properties": {"value": 1}},
        "broken": "no resource",
        "third": 7,
    }
    assert seen(document).data["outputs"] == document.data["outputs"]
    assert "kept_0" in document.data["resources"]


def test_a_template_that_keeps_nothing_is_seen_as_it_is() -> None:
    for document in (template(broken="no resource"), template(broken=KEY, metadata={"metadata": KEY})):
        assert seen(document) is document
