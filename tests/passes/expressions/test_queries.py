"""Queries that are one function of a text are that function for languages without queries."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import convert
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.passes.expressions.queries import function
from bpconvert.verification import verify

TEXT = ex.Input("text")
DATA = {"v": TEXT, "old": "x"}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("$.data.v.toUpper()", ex.Upper(TEXT)),
        (" $.data.v.toLower() ", ex.Lower(TEXT)),
        ("switch($.data.v = null => null, true => $.data.v.toLower())", ex.Lower(TEXT)),
        ("$.data.v.indexOf('b')", ex.Find(TEXT, "b")),
        ("$.data.v.indexOf($.data.old)", ex.Find(TEXT, "x")),
        (r"$.data.v.replace('it\'s', '\\')", ex.StringReplace(TEXT, "it's", "\\", MISSING)),
        ("$.data.v.replace('a', \"b\", 2)", ex.StringReplace(TEXT, "a", "b", 2)),
        (
            "switch($.data.v = null or $.data.old = null => null, true => $.data.v.replace($.data.old, 'b'))",
            ex.StringReplace(TEXT, "x", "b", MISSING),
        ),
        ("$.data.v.toUpper().toLower()", None),
        ("$.data.v.toUpper(1)", None),
        ("$.data.v.indexOf()", None),
        ("$.data.v.indexOf('a', 1)", None),
        ("$.data.v.replace('a')", None),
        ("$.data.v.replace('a', 'b',)", None),
        ("$.data.v.replace('a', $.data.other)", None),
        ("$.data.v.replace('a', len($.data.v))", None),
        ("$.data.other.toUpper()", None),
        ("switch($.data.v = null => 1, true => $.data.v.toLower())", None),
        ("$.data.v + 1", None),
    ],
)
def test_function_that_a_query_is(expression: str, expected: Any) -> None:
    assert repr(function(ex.Query(expression, DATA))) == repr(expected)


@pytest.mark.parametrize("query", [ex.Query(TEXT, DATA), ex.Query("$.data.v.toUpper()", TEXT)])
def test_what_is_computed_is_no_function(query: ex.Query) -> None:
    assert function(query) is None


SOURCE = """
heat_template_version: 2018-08-31
parameters: {text: {type: string}}
resources:
  net:
    type: OS::Neutron::Net
    properties: {name: {yaql: {expression: $.data.v.toUpper(), data: {v: {get_param: text}}}}}
outputs:
  later: {value: {yaql: {expression: $.data.v.toLower(), data: {v: {get_attr: [net, name]}}}}}
  other: {value: {yaql: {expression: $.data.v.len(), data: {v: {get_param: text}}}}}
"""


def test_blueprint() -> None:
    """A function of a text takes no value that is only known at run time: a node computes that."""
    result = convert(SOURCE, "hot", "cloudify", carry=False)
    config = result.document["node_templates"]["net"]["properties"]["resource_config"]
    assert config["name"] == {"string_upper": {"get_input": "text"}}
    assert result.document["outputs"]["later"]["value"] == {"get_attribute": ["later", "result"]}
    assert "not converted" in result.document["outputs"]["other"]["value"]
    differences = verify(SOURCE, result.text, reported=result.diagnostics).differences
    assert [difference.what for difference in differences] == ["outputs.other"]


def test_service_template() -> None:
    result = convert(SOURCE, "hot", "tosca", carry=False)
    template = result.document["topology_template"]
    assert template["node_templates"]["net"]["properties"]["name"] == {"get_attribute": ["net_name", "result"]}
    assert "BPC201" not in {finding.code for finding in result.diagnostics}


def test_there_and_back() -> None:
    blueprint = convert(SOURCE, "hot", "cloudify", carry=False).text
    again = convert(convert(blueprint, "cloudify", "hot", carry=False).text, "hot", "cloudify", carry=False)
    config = again.document["node_templates"]["net"]["properties"]["resource_config"]
    assert config["name"] == {"string_upper": {"get_input": "text"}}
