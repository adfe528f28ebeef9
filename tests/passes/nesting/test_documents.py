"""Nodes that nest documents: what the passes leave on the topology."""

from __future__ import annotations

from pass_requests import codes, node, request, topology

from bpconvert.models import expressions as ex
from bpconvert.translators.passes.nesting import as_stacks, open_documents


def test_a_node_whose_type_is_a_document_nests_it() -> None:
    asked = request()
    found = as_stacks(open_documents(topology(node("app", "a.toy", size=1)), asked), asked).nodes["app"]
    assert found.nested is not None
    assert (found.nested.file, found.kind) == ("made/a.toy", "stack")
    assert found.properties == {"template": "made/a.toy", "parameters": {"size": 1}}
    assert (found.origin("template"), found.origin("parameters", "size")) == (
        ("nodes", "app", "type"),
        ("nodes", "app", "properties", "size"),
    )
    assert codes(asked) == []


def test_a_stack_with_a_file_nests_that() -> None:
    asked = request()
    found = as_stacks(open_documents(topology(node("s", "t", "stack", template=ex.File("a.yaml"))), asked), asked)
    assert found.nodes["s"].properties == {"template": "a.yaml", "parameters": {}}
    assert found.nodes["s"].nested is not None


def test_a_document_that_is_not_there_is_reported() -> None:
    asked = request()
    found = open_documents(topology(node("app", "b.toy"), node("s", "t", "stack", template="text")), asked)
    assert found.nodes["app"].not_nested
    assert found.nodes["s"].kind is None
    assert codes(asked) == ["BPC610", "BPC773"]
