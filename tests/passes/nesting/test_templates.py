"""Nodes that nest documents, for a language in which a node's type may be one: what they and their users become."""

from __future__ import annotations

from typing import Any

import pytest
from pass_requests import codes, node, request, topology

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Input, NestedInterface, Node, Topology
from bpconvert.translators.passes.handing_on import as_templates


def nesting(written: str = "a.toy", kind: str | None = None, **values: Any) -> tuple[Node, Topology]:
    """A node that nests a document with an input and an output that have other names in the result, and one that uses
    its output."""
    app = node("app", written, kind, **values)
    inputs = {"size": Input("size", "number"), "name": Input("name", "string", default="x")}
    names = {"size": "size_2", "name": "name"}
    app.nested = NestedInterface("made/a.toy", "d", inputs, names, {"out": "out_2"}, {"size_2": "float"})
    return app, topology(app, node("user", "t", value=[ex.Attribute("app", "out"), ex.Attribute("other", "out")]))


def test_its_type_is_the_document_and_its_properties_are_the_inputs() -> None:
    app, found = nesting(size=1)
    asked = request()
    as_templates(found, asked)
    assert (app.kind, app.source_type, app.properties) == ("stack", "made/a.toy", {"size_2": 1})
    assert app.origin("size_2") == ("nodes", "app", "properties", "size")
    assert codes(asked) == []


def test_its_outputs_are_read_by_their_names_in_the_result() -> None:
    _, found = nesting(size=1)
    as_templates(found, request())
    assert found.nodes["user"].properties["value"] == [ex.Attribute("app", "out_2"), ex.Attribute("other", "out")]


@pytest.mark.parametrize(
    "value",
    [
        ex.Attribute("app", "unknown"), ex.Attribute("app", MISSING), ex.Identity("app"), ex.Input("app"),
        ex.Attribute(ex.Input("app"), "out"),
    ],
)  # fmt: skip
def test_what_is_no_output_stays(value: ex.Expr) -> None:
    _, found = nesting(size=1)
    found.nodes["user"].properties = {"value": value}
    as_templates(found, request())
    assert found.nodes["user"].properties == {"value": value}


@pytest.mark.parametrize(
    ("written", "expected"),
    [("made/a.toy", "made/a.toy"), ("./made/a.toy", "./made/a.toy"), ("made/../made/a.toy", "made/../made/a.toy"),
     ("a.toy", "made/a.toy")],
)  # fmt: skip
def test_the_same_file_keeps_its_words(written: str, expected: str) -> None:
    app, found = nesting(written, size=1)
    as_templates(found, request())
    assert app.source_type == expected


def test_a_node_of_a_kind_and_one_whose_properties_a_call_yields_stay() -> None:
    app, found = nesting(kind="stack", size=1)
    as_templates(found, request())
    assert (app.source_type, app.properties) == ("a.toy", {"size": 1})
    app, found = nesting()
    call: Any = ex.Input("all")
    app.properties = call
    assert as_templates(found, request()) is found
    assert app.kind is None
    assert app.properties is call
    assert found.nodes["user"].properties["value"][0] == ex.Attribute("app", "out")


def test_only_a_required_input_has_to_be_there() -> None:
    _, found = nesting(more=1)
    asked = request()
    as_templates(found, asked)
    assert codes(asked) == ["BPC763", "BPC764"]
