"""``bpconvert.evaluate``: what an engine computes for plain data."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bpconvert import EvaluationError, Severity, convert, evaluate
from bpconvert.limits import left, limits
from bpconvert.models import expressions as ex
from bpconvert.translators.evaluate import fold, scope
from bpconvert.translators.evaluate import yaql as evaluate_yaql

KNOWN: dict[str, Any] = {
    "inputs": {"name": "web", "port": 80, "zones": ["a", "b"], "big": {"size": "xl"}},
    "attributes": {"vm": {"ip": "10.0.0.1", "nets": {"lan": ["10.0.0.1"]}}},
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"list_join": ["-", [{"get_param": "name"}, "x"]]}, "web-x"),
        ({"get_param": ["zones", 1]}, "b"),
        ({"get_param": ["zones", 9]}, ""),
        ({"get_attr": ["vm", "nets", "lan", 0]}, "10.0.0.1"),
        ({"get_attr": ["vm", "gone"]}, None),
        ({"str_replace": {"template": "a: %m%", "params": {"%m%": {"b": 1, "a": True}}}}, 'a: {"a": true, "b": 1}'),
        ({"if": ["is_web", "yes", "no"]}, "yes"),
        ({"get_file": "motd"}, "hello"),
        ({"get_resource": "vm"}, "vm-1"),
        ([{"digest": ["md5", "a"]}, {"keep": ["me"]}], ["0cc175b9c0f1b6a831c399e269772661", {"keep": ["me"]}]),
    ],
)
def test_heat(value: Any, expected: Any) -> None:
    found = evaluate(
        value,
        dialect="hot",
        version="2018-08-31",
        **KNOWN,
        resources={"vm": "vm-1"},
        files={"motd": "hello"},
        conditions={"is_web": {"equals": [{"get_param": "name"}, "web"]}},
    )
    assert found == expected
    assert type(found) is type(expected)


NODES: dict[str, Any] = {"vm": {"name": {"concat": [{"get_input": "name"}, "!"]}, "nets": {"wan": 5}, "ip": "none"}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"concat": [{"get_input": "name"}, 1.50, True, None]}, "web1.5TrueNone"),
        ({"get_input": ["zones", -1]}, "b"),
        ({"get_attribute": ["vm", "ip"]}, "10.0.0.1"),
        ({"get_attribute": ["vm", "nets", "wan"]}, 5),
        ({"get_attribute": ["vm", "nets"]}, {"lan": ["10.0.0.1"]}),
        ({"get_attribute": ["vm", "name"]}, "web!"),
        ({"get_attribute": ["vm", "gone"]}, None),
        ({"get_property": ["vm", "name"]}, "web!"),
        ({"string_find": ["abc", "c"]}, 2),
        ({"merge": [{"a": 1}, {"get_input": "big"}]}, {"a": 1, "size": "xl"}),
        ({"get_secret": ["keys", "public"]}, "ssh-rsa"),
        ({"list_join": ["-", ["a"]]}, {"list_join": ["-", ["a"]]}),
    ],
)
def test_cloudify(value: Any, expected: Any) -> None:
    found = evaluate(
        value,
        dialect="cloudify",
        version="cloudify_dsl_1_4",
        **KNOWN,
        resources=NODES,
        secrets={"keys": '{"public": "ssh-rsa"}'},
    )
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("dialect", "version", "value", "code", "path", "message"),
    [
        ("hot", "2018-08-31", {"a": {"list_join": ["-", "text"]}}, "BPC220", ("a",), "list"),
        ("hot", "2018-08-31", {"get_param": "gone"}, "BPC220", (), "gone"),
        ("hot", "2018-08-31", [{"get_attr": ["gone", "ip"]}], "BPC220", (0,), "gone"),
        ("hot", "2018-08-31", {"get_resource": "vm"}, "BPC226", (), "nothing is given of 'vm'"),
        ("hot", "2018-08-31", {"get_file": "gone"}, "BPC226", (), "'gone' is not given"),
        ("cloudify", "1_3", {"get_input": ["zones", "0"]}, "BPC156", (), "indices"),
        ("cloudify", "1_3", {"get_input": "gone"}, "BPC156", (), "there is no input 'gone'"),
        ("cloudify", "1_3", {"x": {"get_secret": "gone"}}, "BPC226", ("x",), "'gone' is not given"),
        ("cloudify", "1_3", {"concat": "text"}, "BPC156", (), "concat"),
    ],
)
def test_refusals(dialect: str, version: str, value: Any, code: str, path: Any, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate(value, dialect=dialect, version=version, **KNOWN)
    found = caught.value.diagnostic
    assert (found.code, found.path) == (code, path)
    assert message in found.message


def test_functions_of_other_versions_are_data_or_refused() -> None:
    call = {"string_upper": "a"}
    assert evaluate({"filter": [["a"], ["a"]]}, dialect="hot", version="2015-04-30") == {"filter": [["a"], ["a"]]}
    assert evaluate(call, dialect="cloudify", version="1_5") == "A"
    with pytest.raises(ValueError, match="unknown dialect"):
        evaluate(call, dialect="nobody", version="1")


# -- yaql ---------------------------------------------------------------------------------------------------


def yaql(expression: str, data: Any = None) -> Any:
    return {"yaql": {"expression": expression, "data": data}}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (yaql("$.data.where($ > 1).select($ * 2)", [1, 2, 3]), [4, 6]),
        (yaql("$.data", {"get_param": "zones"}), ["a", "b"]),
        (yaql("$.data.keys().toList()", {"a": 1}), ["a"]),
        ({"if": [yaql("$.data = 80", {"get_param": "port"}), "web", "other"]}, "web"),
    ],
)
def test_queries(query: Any, expected: Any) -> None:
    assert evaluate(query, dialect="hot", version="2018-08-31", **KNOWN) == expected


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (yaql("1 +"), "BPC220"),
        ({"filter": [[yaql("1 +")], []]}, "BPC220"),  # Heat parses it although nothing needs it
        (yaql("range(0, 300).toList()"), "BPC220"),
        (yaql("$.data.len()", 5), "BPC220"),
        (yaql("$.data.keys()", {"a": 1}), "BPC226"),  # a set
        (yaql("datetime(2020, 1, 2)"), "BPC226"),
        (yaql("random()"), "BPC226"),
        (yaql("now().year"), "BPC226"),
        (yaql("call(random, [], {})"), "BPC226"),
        (yaql("$.data.toSet().toList()", ["a", "b"]), "BPC226"),
        (yaql("str($.data.select($))", [1]), "BPC226"),
    ],
)
def test_queries_that_have_no_value(query: Any, code: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate(query, dialect="hot", version="2018-08-31", **KNOWN)
    assert caught.value.diagnostic.code == code


def test_a_set_that_only_counts_is_computed() -> None:
    assert evaluate(yaql("$.data.toSet().len()", ["a", "b", "a"]), dialect="hot", version="2018-08-31") == 2


def test_a_method_of_maps_that_is_called_like_sets_keeps_the_order() -> None:
    made = evaluate(yaql("$.data.select($.set(b, $.a))", [{"a": 1}]), dialect="hot", version="2018-08-31")
    assert made == [{"a": 1, "b": 1}]
    with pytest.raises(EvaluationError):
        evaluate(yaql("set(b, a).toList()", []), dialect="hot", version="2018-08-31")


def test_a_query_of_the_same_data_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes as many steps each time; what is computed where fewer are left is not what was remembered; and what is
    done to one value is not done to another."""
    computed: list[str] = []
    plain = evaluate_yaql._computed
    monkeypatch.setattr(evaluate_yaql, "_ANSWERS", {})
    monkeypatch.setattr(evaluate_yaql, "_computed", lambda *query: computed.append(query[0]) or plain(*query))
    query = ex.Query("$.data.select($ * 2)", [1, 2, 3])
    with limits({"steps": 100_000}):
        first = fold(query, scope.Scope())
        steps = 100_000 - left("steps")
        assert isinstance(first, list)
        first.append(0)
        assert fold(query, scope.Scope()) == [2, 4, 6]
        assert left("steps") == 100_000 - 2 * steps
    assert len(computed) == 1
    for data in ("1", 1):
        with limits(None):
            assert fold(ex.Query("$.data", data), scope.Scope()) == data
    with limits({"steps": steps - 1}):
        assert fold(query, scope.Scope()) == query


def test_why_a_query_is_refused_is_remembered_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_yaql, "_ANSWERS", {})
    for path in (("a",), ("b",)):
        with limits(None), pytest.raises(scope.Refused) as caught:
            fold(ex.Query("$.data.sum(", [1], path=path), scope.Scope())
        assert caught.value.path == path
        with limits(None), pytest.raises(scope.Refused, match="The yaql expression fails") as caught:
            fold(ex.Query("$.data / 0", 1, path=path), scope.Scope())
        assert caught.value.path == path


@pytest.fixture
def without_yaql(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the package were not installed."""
    looked_up = (evaluate_yaql._yaql, scope.is_installed)
    for one in looked_up:
        one.cache_clear()
    monkeypatch.setitem(sys.modules, "yaql", None)
    yield
    for one in looked_up:
        one.cache_clear()


@pytest.mark.usefixtures("without_yaql")
def test_without_the_package_a_query_says_what_to_install() -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluate([1, yaql("$.data", 1)], dialect="hot", version="2018-08-31")
    found = caught.value.diagnostic
    assert (found.code, found.path, found.severity) == ("BPC229", (1,), Severity.ERROR)
    assert "pip install 'yaql>=3.1.0'" in found.hint


TEMPLATE = """\
heat_template_version: 2018-08-31
parameters: {p: {type: json}}
outputs:
  known: {value: {yaql: {expression: $.data.sum(), data: [1, 2]}}}
  runtime: {value: {yaql: {expression: $.data.sum(), data: {get_param: p}}}}
"""


def test_conversion_computes_queries() -> None:
    result = convert(TEMPLATE)
    assert result.document["outputs"]["known"] == {"value": 3}
    assert [d.code for d in result.diagnostics if d.path[:2] == ("outputs", "known")] == ["BPC222"]


@pytest.mark.usefixtures("without_yaql")
def test_conversion_without_the_package_tells_of_each_query_that_it_would_have_computed() -> None:
    result = convert(TEMPLATE)
    assert str(result.document["outputs"]["known"]["value"]).startswith("not converted: ")
    told = [(d.code, d.path[1]) for d in result.diagnostics if d.code == "BPC229"]
    assert told == [("BPC229", "known")]


def test_the_package_is_not_imported_before_it_is_needed() -> None:
    text = TEMPLATE.replace("[1, 2]", "{get_param: p}")
    program = f"import sys\nfrom bpconvert import convert\nconvert({text!r})\nprint('yaql' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd="/")
    assert run.stdout == "False\n"


# -- what is known of the deployment ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "version", "expected"),
    [
        ({"get_param": "OS::stack_name"}, "rocky", "stack"),
        ({"get_param": ["OS::stack_name", 0]}, "rocky", "s"),
        ({"resource_facade": "metadata"}, "2013-05-23", {"k": "v"}),
        ({"Fn::ResourceFacade": "DeletionPolicy"}, "2013-05-23", "Delete"),
        ({"Fn::GetAZs": ""}, "2013-05-23", ["nova"]),
        ({"Fn::MemberListToMap": ["N", "V", [".member.1.V=b", ".member.1.N=a"]]}, "2013-05-23", {"a": "b"}),
        ({"Fn::GetAZs": ""}, "2014-10-16", EvaluationError),
        ({"Fn::Base64": {"get_attr": ["vm", "gone"]}}, "2013-05-23", EvaluationError),
        ({"get_attr": ["vm", "nets", ["lan"]]}, "2013-05-23", None),
        ({"get_attr": ["vm", "nets", ["lan"]]}, "2014-10-16", EvaluationError),
        ("text", "2016-10-15", EvaluationError),
    ],
)
def test_facts_of_a_stack(value: Any, version: str, expected: Any) -> None:
    system = {"deployment.name": "stack", "availability_zones": ["nova"]}
    found = outcome(value, dialect="hot", version=version, system=system, parent={"metadata": {"k": "v"}}, **KNOWN)
    assert found == expected


def outcome(value: Any, **facts: Any) -> Any:
    """The value, or EvaluationError."""
    try:
        return evaluate(value, **facts)
    except EvaluationError:
        return EvaluationError


@pytest.mark.parametrize(
    ("value", "here", "expected"),
    [
        ({"get_capability": ["dep", "ip", 0]}, None, "1.2.3.4"),
        ({"get_capability": ["dep", "gone"]}, None, EvaluationError),
        ({"get_group_capability": ["group", "deployment_id:ip"]}, None, {"d1": "1", "d2": "2"}),
        ({"get_group_capability": ["group", ["ip", "x"]]}, None, [["1", None], ["2", None]]),
        ({"get_environment_capability": "ip"}, None, "5.6.7.8"),
        ({"get_label": "env"}, None, ["prod"]),
        ({"get_label": ["env", "0"]}, None, "prod"),
        ({"get_sys": ["deployment", "id"]}, None, "d1"),
        ({"get_sys": ["deployment", "owner"]}, None, EvaluationError),
        ({"get_consumers": "count"}, None, 1),
        ({"get_attributes_list": ["many", "ip"]}, None, ["a", None]),
        ({"get_attributes_dict": ["many", "ip"]}, None, {"m1": {"ip": "a"}, "m2": {"ip": None}}),
        ({"get_attribute": ["many", "ip"]}, None, EvaluationError),
        ({"get_property": ["SELF", "name"]}, {"SELF": "vm"}, "web!"),
        ({"get_property": ["SELF", "name"]}, None, EvaluationError),
        ({"get_attribute": ["TARGET", "ip"]}, {"SOURCE": "many", "TARGET": "vm"}, "10.0.0.1"),
        ({"string_upper": {"get_attribute": ["vm", "ip"]}}, None, EvaluationError),  # refused when it is deployed
        ({"concat": [{"get_attribute": ["vm", "ip"]}, "!"]}, None, "10.0.0.1!"),
        ({"concat": [[{"get_attribute": ["vm", "ip"]}]]}, None, "[{'get_attribute': ['vm', 'ip']}]"),
        ({"get_property": ["vm", "late", 1]}, None, ["10.0.0.1", 1]),  # the call and the key, as a list
        ({"get_input": "name", "type": "integer"}, None, EvaluationError),
        ({"merge": [{"a": 1}, {"get_input": "pairs"}]}, None, {"a": 1, "b": 2}),
        ("\u00e9", None, EvaluationError),
    ],
)
def test_facts_of_a_deployment(value: Any, here: Any, expected: Any) -> None:
    found = outcome(
        value,
        dialect="cloudify",
        version="1_5",
        inputs={**KNOWN["inputs"], "pairs": [["b", 2]]},
        attributes={**KNOWN["attributes"], "many": [{"ip": "a", "node_instance_id": "m1"}, {"node_instance_id": "m2"}]},
        resources={"vm": {**NODES["vm"], "late": {"get_attribute": ["vm", "ip"]}}, "many": {}},
        here=here,
        capabilities={"dep": {"ip": ["1.2.3.4"]}},
        group_capabilities={"group": {"d2": {"ip": "2"}, "d1": {"ip": "1"}, "d3": {}}},
        environment_capabilities={"ip": "5.6.7.8"},
        labels={"env": ["prod"]},
        system={"deployment.id": "d1"},
        consumers={"ids": ["c"], "names": ["one"]},
    )
    assert found == expected


def test_an_unknown_version_of_the_dsl_is_refused() -> None:
    assert outcome("x", dialect="cloudify", version="cloudify_dsl_1_6") is EvaluationError
