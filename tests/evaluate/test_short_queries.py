"""Short queries of yaql, as the script in a result computes them: what it takes, it computes as the package does."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models.expressions import Query
from bpconvert.translators import evaluate
from bpconvert.translators.cloudify import computed
from bpconvert.translators.evaluate import Refused, Scope, fold, plain, queries
from bpconvert.translators.evaluate.query_kinds import kind_of_query
from bpconvert.translators.passes.expressions.kinds import literal_kind
from bpconvert.translators.tosca import computed as tosca_computed

DATA = {"name": "a-b-c", "zone": "se-1", "count": 7, "half": 2.5, "is": True, "none": None, "image": "x:5000/a/b:1",
        "list": ["x", "y"]}  # fmt: skip
#: query -> what it yields
YIELDED = {
    '$.data.name+"-"+str($.data.count+1+int($.data.is))+"-"+$.data.zone.split("-", 1)[1]': "text",
    'concat($.data.image.rightSplit(separator => ":", maxSplits => 1)[0], ":tag")': "text",
    "int(max(6 + $.data.count, 20))": "number",
    "str($.data.count+int(not $.data.is)*40)": "text",
    "(($.data.count - 1) / 2) + (($.data.count - 1) mod 2)": "number",
    "$.data.half * $.data.count / 2": "number",
    "-$.data.count - -2 * 3 + 1": "number",
    "7 - 2 - 1": "number",
    "$.data.name.replace('-', '+', 1).toUpper()": "text",
    "$.data.name.split('-')": "list",
    "$.data.name.indexOf('b') > 1 and not $.data.is or $.data.none = null": "boolean",
    "not $.data.count = 7": "boolean",
    "str($.data.none) + str($.data.is) + str($.data.half)": "text",
    "min($.data.count, $.data.half)": "number",
    "$.data.zone > $.data.name": "boolean",
    "null < 0": "boolean",
    "'ab' * 2": "any",
    "$.data.list[1]": "any",
    "float('1.5') + abs(-2) + 0.5": "number",
    " $.data.name.trim().startsWith( 'a' ) ": "boolean",
}
REFUSED = ["$.data.name + 1", "$.data.list[2]", "$.data.count.toUpper()", "true + 1", "1 / 0", "int('x')", "concat(1)"]
UNREAD = [
    "$.data.where($.size > 1).name.first()", "$.data.gone", "$", "$.data", "$.data.name.first", "now()", "a", "1 +",
    "$.data.name.split()", "$.data.list[$.data.count]", "$.data.list[0].toUpper()", "'a\\n'", "1 in [1]", "(1", "$1",
    "str(1, 2)", "$.data.name.split(maxSplits => 1, separator => '-')", "2 * not 1", "", "1.2.3", "a" * 600,
    "(" * 30 + "1" + ")" * 30,
]  # fmt: skip


def program(name: str) -> dict[str, Any]:
    """The names that the script of a result has."""
    texts = {"cloudify": computed.program(has_queries=True), "tosca": tosca_computed.programs(has_queries=True)}
    text = texts[name] if name == "cloudify" else texts[name][tosca_computed.SCRIPT]
    names: dict[str, Any] = {"__name__": "script"}
    exec(compile(text, name, "exec"), names)
    return names


@pytest.mark.parametrize("expression", YIELDED)
def test_a_query_yields_what_the_package_yields(expression: str) -> None:
    pytest.importorskip("yaql")
    theirs = fold(Query(expression, DATA), Scope())
    for language in ("cloudify", "tosca"):
        mine = program(language)["computed"]({"$Query": {"expression": expression, "data": DATA}}, {})
        assert (mine, type(mine)) == (theirs, type(theirs))
    kind = kind_of_query(Query(expression, DATA), literal_kind)
    assert kind == YIELDED[expression]
    assert kind in ("any", literal_kind(theirs))


@pytest.mark.parametrize("expression", REFUSED)
def test_what_the_package_refuses_is_refused(expression: str) -> None:
    with pytest.raises((TypeError, ValueError, LookupError, ZeroDivisionError)):
        queries.query(expression, DATA)
    pytest.importorskip("yaql")
    with pytest.raises(Refused):
        fold(Query(expression, DATA), Scope())


@pytest.mark.parametrize("expression", UNREAD)
def test_other_queries_are_not_read(expression: str) -> None:
    with pytest.raises(queries.UnreadError):
        queries.read_query(expression, DATA)


@pytest.mark.parametrize(("expression", "data"), [("$.data + 1", 2), ("$.data.toUpper()", "a")])
def test_data_may_be_no_map(expression: str, data: Any) -> None:
    assert queries.query(expression, data) in (3, "A")


def test_both_parts_of_the_script_have_their_own_names() -> None:
    folder = Path(evaluate.__file__).parent
    names = []
    for file in ("plain.py", "queries.py"):
        for node in ast.parse((folder / file).read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.append(node.name)
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names += [ast.unparse(target) for target in targets]
    assert len(names) == len(set(names))
    assert queries.KEY not in plain.KEYS


TEMPLATE = """\
heat_template_version: 2018-08-31
parameters: {zone: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {name: QUERY}}
"""


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_query_comes_back(target: str) -> None:
    query = '{yaql: {expression: \'concat($.data.z.split("-", 1)[1], "a")\', data: {z: {get_param: zone}}}}'
    made = convert(TEMPLATE.replace("QUERY", query), "hot", target, carry=False)
    assert {one.code for one in made.diagnostics if one.severity.name != "INFO"} == set()
    assert any("UnreadError" in text for text in made.files.values())
    back = convert(made.text, target, "hot", carry=False, beside=dict(made.files))
    name = back.document["resources"]["net"]["properties"]["name"]
    assert name == {
        "yaql": {"expression": 'concat($.data.z.split("-", 1)[1], "a")', "data": {"z": {"get_param": "zone"}}}
    }


TWICE = """\
heat_template_version: 2018-08-31
parameters: {zone: {type: string}}
resources:
  a: {type: OS::Neutron::Net, properties: {name: QUERY}}
  b: {type: OS::Neutron::Net, properties: {name: QUERY}}
"""


def test_each_place_of_a_call_has_its_findings() -> None:
    query = "{yaql: {expression: '$.data.s + \"-db\"', data: {s: {get_param: 'OS::stack_name'}}}}"
    made = convert(TWICE.replace("QUERY", query), "hot", "tosca", carry=False)
    places = [("resources", "a"), ("resources", "b")]
    for code in ("BPC215", "BPC262"):
        assert [one.path[:2] for one in made.diagnostics if one.code == code] == places
