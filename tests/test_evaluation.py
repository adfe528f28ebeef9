"""``bpconvert.evaluate``: what an engine computes for plain data."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import EvaluationError, evaluate

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
        evaluate(call, dialect="tosca", version="1")
