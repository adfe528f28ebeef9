"""What nesting nodes hand on to documents whose inputs are texts in TOSCA, because they are used in texts only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert
from bpconvert.yamlio.document import load

INNER = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  flag: {type: boolean, default: false}
  need: {type: string}
  whole: {type: number, default: 1}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {list_join: ['-', [{get_param: size}, {get_param: flag},
                                                                      {get_param: need}]]}}}
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: whole}}}
outputs:
  made: {value: {get_attr: [net, name]}}
"""
OUTER = """\
heat_template_version: 2018-08-31
parameters: {{t: {{type: string, default: '4'}}, n: {{type: number, default: 2}}}}
resources:
  disk: {{type: OS::Cinder::Volume, properties: {{size: {{get_param: n}}}}}}
  a: {type}
outputs:
  made: {{value: {{get_attr: [a, made]}}}}
"""


def converted(folder: Path, properties: str, form: str = "{{type: inner.yaml, properties: {}}}") -> Result:
    (folder / "inner.yaml").write_text(INNER)
    (folder / "outer.yaml").write_text(OUTER.format(type=form.format(properties)))
    return convert(folder / "outer.yaml", "hot", "tosca", carry=False)


def given(made: Result) -> Any:
    return load(made.text).data["topology_template"]["node_templates"]["a"]["properties"]


def found(made: Result, code: str) -> list[tuple[str, tuple[Any, ...], str]]:
    return [(str(one.severity), one.path, one.message) for one in made.diagnostics if one.code == code]


PLACE = ("resources", "a", "properties")


def test_a_node_is_of_the_type_that_the_document_is(tmp_path: Path) -> None:
    made = converted(tmp_path, "{size: 1, need: w}")
    data = load(made.text).data["topology_template"]
    assert data["node_templates"]["a"]["type"] == "nested.inner"
    assert data["outputs"]["made"]["value"] == {"get_attribute": ["a", "made"]}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("{size: 3, need: w}", {"size": "3", "need": "w"}),
        ("{size: 1.5, need: w}", {"size": "1.5", "need": "w"}),
        ("{size: '3', need: w}", {"size": "3", "need": "w"}),
        ("{size: {get_param: t}, need: w}", {"size": {"get_input": "t"}, "need": "w"}),
        ("{size: 1, flag: true, need: w, whole: 7}", {"size": "1", "flag": "True", "need": "w", "whole": 7}),
        ("{size: 1, flag: false, need: w, whole: 7}", {"size": "1", "flag": "False", "need": "w", "whole": 7}),
        ("{size: many, need: w}", {"size": "many", "need": "w"}),  # which Heat refuses, and verify finds
    ],
)
def test_values(tmp_path: Path, values: str, expected: Any) -> None:
    properties = given(converted(tmp_path, values))
    assert {key: value for key, value in properties.items() if key in expected} == expected


def test_a_number_that_is_known_when_deploying_is_computed_by_a_node(tmp_path: Path) -> None:
    made = converted(tmp_path, "{size: {get_param: n}, need: w}")
    data = load(made.text).data["topology_template"]
    name, attribute = given(made)["size"]["get_attribute"]
    assert (name, attribute) == ("a_size", "result")
    assert "n" in str(data["node_templates"][name]["interfaces"])
    assert not found(made, "BPC768")


def test_a_value_that_becomes_its_text_is_reported(tmp_path: Path) -> None:
    made = converted(tmp_path, "{size: 3, need: w}")
    message = "written as '3', which is what Heat makes of it"
    assert found(made, "BPC509") == [("info", (*PLACE, "size"), message)]


def test_a_text_for_a_number_is_reported(tmp_path: Path) -> None:
    made = converted(tmp_path, "{size: {get_param: t}, need: w}")
    message = "'size' of 'inner.yaml' is of type number and gets text; Heat converts the value, TOSCA does not"
    assert found(made, "BPC768") == [("warning", (*PLACE, "size"), message)]


def test_what_the_document_has_no_input_for_and_what_it_lacks(tmp_path: Path) -> None:
    made = converted(tmp_path, "{size: 3, extra: 1}")
    assert found(made, "BPC763") == [("error", (*PLACE, "extra"), "'inner.yaml' has no parameter 'extra'")]
    assert found(made, "BPC764") == [("error", ("resources", "a"), "'inner.yaml' needs a value for 'need'")]
    assert "extra" not in given(made)
    fine = converted(tmp_path, "{size: 3, need: w}")
    assert not found(fine, "BPC763") + found(fine, "BPC764") + found(fine, "BPC768")


def test_members_of_groups(tmp_path: Path) -> None:
    member = "{{type: inner.yaml, properties: {}}}"
    form = f"{{{{type: OS::Heat::ResourceGroup, properties: {{{{count: 2, resource_def: {member}}}}}}}}}"
    made = converted(tmp_path, "{size: 3, extra: 1}", form)
    place = (*PLACE, "resource_def", "properties")
    assert [path for _, path, _ in found(made, "BPC763")] == [(*place, "extra")]
    assert [path[:4] for _, path, _ in found(made, "BPC764")] == [place[:4]]
    assert [path for _, path, _ in found(made, "BPC509")] == [(*place, "size")]
