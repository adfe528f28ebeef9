"""What the metadata of a service template keep for the way back, which no engine sees."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.translators.tosca.template_metadata import DOCUMENT_KEY, NODE_KEY, _plain, keeps, read, seen
from bpconvert.translators.tosca.vocabulary import EXISTING_ID
from bpconvert.yamlio.document import load

KEPT = {DOCUMENT_KEY: json.dumps({"asked": ["a"]}), "mine": "x"}
NODE = {"type": "t", "metadata": {NODE_KEY: json.dumps({"lacks": ["a"]}), "mine": "y"}}


def test_engines_see_metadata_without_what_is_kept() -> None:
    data = {"metadata": KEPT, "node_templates": {"a": NODE, "b": {"type": "t"}, "c": 1}, "x": 1}
    document = load(json.dumps(data))
    assert seen(document).data == {
        "metadata": {"mine": "x"},
        "node_templates": {"a": {"type": "t", "metadata": {"mine": "y"}}, "b": {"type": "t"}, "c": 1},
        "x": 1,
    }
    assert document.data == data
    for odd in ("[1]", "node_templates: 1\n", "metadata: 1\n"):
        assert seen(load(odd)).data == load(odd).data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"metadata": KEPT}, True),
        ({"node_templates": {"b": {"type": "t"}, "a": NODE}}, True),
        ({"metadata": {"mine": "x"}, "node_templates": {"b": {"type": "t"}, "c": 1}}, False),
        ({"metadata": {NODE_KEY: "x"}} if NODE_KEY != DOCUMENT_KEY else {}, False),
    ],
)
def test_whether_something_is_kept(data: Any, expected: bool) -> None:
    assert keeps(load(json.dumps(data))) is expected


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [(KEPT, {"asked": ["a"]}), ({"mine": "x"}, {}), (None, {}), ({DOCUMENT_KEY: "{"}, None), ({DOCUMENT_KEY: 1}, None)],
)
def test_what_is_kept_is_read_unless_it_is_damaged(metadata: Any, expected: Any) -> None:
    assert read(metadata, DOCUMENT_KEY) == expected


def test_what_is_written_is_compared_without_what_it_does_not_say() -> None:
    strict, existing = ex.Input("a", ("k",), strict=True), ex.Attribute("n", EXISTING_ID)
    assert _plain([strict, existing]) == [ex.Input("a", ("k",)), ex.Identity("n")]
    part = ex.Attribute("n", EXISTING_ID, ("k",))
    assert _plain(part) == part
