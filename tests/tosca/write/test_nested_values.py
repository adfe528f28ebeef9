"""What a service template hands on to one that it nests, and what stands for the nested one."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2018-08-31\n"
WHOLE = "type: OS::Heat::Value, properties: {value: {get_param: p}}"


def nested(type: str, given: str, file: str = "inner.yaml", inside: str = WHOLE, parameters: str = "") -> Result:
    """A template with a resource that nests another one, whose parameter ``p`` has this type and is given this."""
    inner = f"{HOT}parameters: {{p: {{type: {type}}}}}\nresources: {{r: {{{inside}}}}}\noutputs: {{o: {{value: a}}}}\n"
    rows = f"t: {{type: string}}, n: {{type: number}}, b: {{type: boolean}}, j: {{type: json}}, l: {{type: {LIST}}}"
    outer = f"{HOT}parameters: {{{rows}{parameters}}}\nresources: {{x: {{type: {file}, properties: {{p: {given}}}}}}}\n"
    return convert(outer, "hot", "tosca", carry=False, beside={file: inner})


LIST = "comma_delimited_list"


def node(made: Result) -> Any:
    return yaml.safe_load(made.text)["topology_template"]["node_templates"]["x"]


def inner_of(made: Result, file: str = "inner.yaml") -> Any:
    return yaml.safe_load(made.files[file])


def messages(made: Result, code: str) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == code]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("inner.yaml", "inner"), ("inner.hot.yaml", "inner"), ("a-b.yaml", "a-b"), ("v1.2.yaml", "v1.2"),
        ("inner.template", "inner"), ("deep/inner.yaml", "inner"), ("in.tosca.yaml", "in"), ("in.yml.yaml", "in"),
    ],
)  # fmt: skip
def test_the_type_has_the_name_of_the_file(file: str, name: str) -> None:
    """Without what it ends with."""
    made = nested("string", "a", file)
    assert node(made)["type"] == f"nested.{name}"
    assert yaml.safe_load(made.text)["node_types"][f"nested.{name}"]["metadata"] == {"heat_name": file}


CHOICE = "{if: [c, %s, %s]}"


@pytest.mark.parametrize(
    ("type", "given", "kind"),
    [
        ("string", "{get_param: t}", None),
        ("string", "{get_param: n}", "number"),
        ("string", "{get_param: b}", "boolean"),
        ("string", "{get_param: l}", "list"),
        ("string", "{get_param: j}", "json"),
        ("string", "{get_param: [j, a]}", None),
        ("number", "{get_param: n}", None),
        ("number", "{get_param: t}", "text"),
        ("number", "{get_param: b}", "boolean"),
        ("boolean", "{get_param: b}", None),
        ("boolean", "{get_param: t}", "text"),
        ("boolean", "{get_param: n}", "number"),
        (LIST, "{get_param: l}", None),
        (LIST, "[{get_param: t}]", None),
        (LIST, "{get_param: t}", "text"),
        (LIST, "{get_param: j}", "json"),
        ("json", "{get_param: j}", None),
        ("json", "{get_param: l}", None),
        ("json", "{a: {get_param: t}}", None),
        ("json", "[{get_param: t}]", None),
        ("json", "{get_param: t}", "text"),
    ],
)
def test_a_value_of_another_kind_than_the_input_is_told(type: str, given: str, kind: str | None) -> None:
    """Heat converts it, TOSCA does not."""
    made = nested(type, given)
    neutral = {LIST: "list"}.get(type, type)
    words = f"'p' of 'inner.yaml' is of type {neutral} and gets {kind}; Heat converts the value, TOSCA does not"
    assert messages(made, "BPC768") == ([] if kind is None else [words])
    assert [one.path for one in made.diagnostics if one.code == "BPC768"] == (
        [] if kind is None else [("resources", "x", "properties", "p")]
    )


IN_TEXT = "type: OS::Heat::Value, properties: {value: {str_replace: {template: a-b, params: {b: {get_param: p}}}}}"


@pytest.mark.parametrize(("given", "is_told"), [("{get_param: n}", False), ("{get_param: t}", True), ("7", False)])
def test_an_input_in_texts_only_is_a_text(given: str, is_told: bool) -> None:
    """Heat writes what it makes a number of, and nothing else does."""
    made = nested("number", given, inside=IN_TEXT)
    assert bool(messages(made, "BPC768")) is is_told
    type = yaml.safe_load(made.text)["node_types"]["nested.inner"]["properties"]["p"]
    assert type == {"type": "string", "required": False}


@pytest.mark.parametrize(
    ("type", "given", "written", "told"),
    [
        ("string", "5", "5", ["written as '5', which is what Heat makes of it"]),
        ("string", "a", "a", []),
        ("number", "'7'", 7, ["written as 7, which is what Heat makes of it"]),
        ("number", "true", True, []),
        ("boolean", "'true'", True, ["written as True, which is what Heat makes of it"]),
        ("boolean", "1", True, ["written as True, which is what Heat makes of it"]),
        (LIST, "'a,b'", ["a", "b"], ["written as ['a', 'b'], which is what Heat makes of it"]),
        (LIST, "[a, b]", ["a", "b"], []),
        ("json", "'{\"a\": 1}'", {"a": 1}, ["written as {'a': 1}, which is what Heat makes of it"]),
    ],
)
def test_a_literal_is_what_the_input_makes_of_it(type: str, given: str, written: Any, told: list[str]) -> None:
    made = nested(type, given)
    value = node(made)["properties"]["p"]
    assert (value, isinstance(value, bool)) == (written, isinstance(written, bool))
    assert messages(made, "BPC509") == told


@pytest.mark.parametrize(
    ("type", "row"),
    [
        ("string", {"type": "string"}),
        ("number", {"type": "integer"}),
        (LIST, {"type": "list", "entry_schema": {"type": "string"}}),
        ("string, default: d", {"type": "string", "default": "d", "required": False}),
        (
            "json, default: {a: 1}",
            {"type": "map", "entry_schema": {"type": "integer"}, "default": {"a": 1}, "required": False},
        ),
    ],
)  # fmt: skip
def test_a_nested_document_defines_the_type_that_it_stands_for(type: str, row: dict[str, Any]) -> None:
    inner = inner_of(nested(type, "null"))
    assert inner["topology_template"]["substitution_mappings"] == {"node_type": "nested.inner"}
    assert inner["node_types"]["nested.inner"] == {
        "derived_from": "tosca.nodes.Root",
        "metadata": {"heat_name": "inner.yaml"},
        "properties": {"p": row},
        "attributes": {"o": {"type": "string"}},
    }
    assert list(inner["node_types"]) == ["nested.inner", "openstack.heat.Value"]


def test_an_outer_document_stands_for_nothing() -> None:
    assert "substitution_mappings" not in yaml.safe_load(nested("string", "a").text)["topology_template"]


def test_a_nested_document_may_have_no_inputs_and_outputs() -> None:
    outer = f"{HOT}resources: {{x: {{type: inner.yaml}}}}\n"
    inner = f"{HOT}resources: {{r: {{type: OS::Heat::RandomString}}}}\n"
    made = convert(outer, "hot", "tosca", carry=False, beside={"inner.yaml": inner})
    definition = {"derived_from": "tosca.nodes.Root", "metadata": {"heat_name": "inner.yaml"}}
    assert inner_of(made)["node_types"]["nested.inner"] == definition
