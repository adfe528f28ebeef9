"""An export of a stack and a list of its resources that is younger: they have to agree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from running_stacks import exported

from bpconvert.adoption import adopt
from bpconvert.diagnostics import DocumentError


def rows(data: Any, **changes: Any) -> list[dict[str, Any]]:
    """What is listed of the resources of an export. ``changes``: another id for one, None for one that is gone."""
    return [
        {
            "resource_name": name,
            "physical_resource_id": changes.get(name, row["resource_id"]),
            "resource_type": row["type"],
            "resource_status": "CREATE_COMPLETE",
            "stack_name": "app",
        }
        for name, row in data["resources"].items()
        if changes.get(name, "") is not None
    ]


@pytest.mark.parametrize(
    ("listed", "words"),
    [
        (rows(exported(), net="other"), "'net' is not taken over: it was replaced after the export: net-id by other"),
        (rows(exported(), vol=None), "'vol' is not taken over: it is in the export, and not in the list of what runs"),
        ([*rows(exported()), {**rows(exported())[0], "resource_name": "late"}],
         "'late' is not taken over: it is in the list of what runs, and not in the export"),
        ([{**row, "resource_status": "UPDATE_FAILED"} for row in rows(exported())[:1]] + rows(exported())[1:],
         "'net' is not taken over: it is UPDATE_FAILED now"),
    ],
)  # fmt: skip
def test_an_export_that_is_out_of_date(tmp_path: Path, listed: Any, words: str) -> None:
    (tmp_path / "stack.json").write_text(json.dumps(exported()), "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(listed), "utf-8")
    with pytest.raises(DocumentError) as caught:
        adopt(tmp_path / "stack.json", resources=tmp_path / "rows.json")
    assert [found.message for found in caught.value.diagnostics] == [words]


def test_an_export_that_agrees_with_the_list(tmp_path: Path) -> None:
    (tmp_path / "stack.json").write_text(json.dumps(exported()), "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(rows(exported())), "utf-8")
    found = adopt(tmp_path / "stack.json", resources=tmp_path / "rows.json")
    assert found.text == adopt(tmp_path / "stack.json").text


NESTED = """\
heat_template_version: 2018-08-31
resources:
  inner: {type: inner.yaml}
"""


@pytest.mark.parametrize("identity", ["deep-id", "another"])
def test_resources_of_a_nested_stack_are_compared_too(tmp_path: Path, identity: str) -> None:
    data = exported(NESTED)
    deep = exported("heat_template_version: 2018-08-31\nresources: {deep: {type: OS::Neutron::Net}}\n")
    data["resources"]["inner"] |= {**deep, "id": "inner-id", "resource_id": "inner-id", "name": "inner"}
    listed = rows(data) + [{**row, "stack_name": "app-inner"} for row in rows(deep, deep=identity)]
    (tmp_path / "stack.json").write_text(json.dumps(data), "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(listed), "utf-8")
    if identity == "deep-id":
        assert "deep" in adopt(tmp_path / "stack.json", resources=tmp_path / "rows.json").text
        return
    with pytest.raises(DocumentError, match="'deep' is not taken over: it was replaced after the export"):
        adopt(tmp_path / "stack.json", resources=tmp_path / "rows.json")


LISTED = """\
heat_template_version: 2018-08-31
parameters: {names: {type: comma_delimited_list}, place: {type: number}}
resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: [names, PLACE]}}}}
"""


@pytest.mark.parametrize("place", ["1", "{get_param: place}"])
def test_a_value_without_the_part_that_is_taken_is_an_error(place: str, tmp_path: Path) -> None:
    """Heat has nothing there, and Cloudify would refuse the deployment."""
    data, file = exported(LISTED.replace("PLACE", place)), tmp_path / "stack.json"
    data["environment"]["parameters"] |= {"names": "only", "place": "1"}
    file.write_text(json.dumps(data))
    with pytest.raises(DocumentError) as caught:
        adopt(file)
    (found,) = caught.value.diagnostics
    assert (found.code, found.path[:2]) == ("BPC677", ("resources", "net"))
    assert "BPC677" not in {one.code for one in adopt(file, "tosca").diagnostics}, "there it is an input of its own"
    data["environment"]["parameters"]["names"] = "first,second"
    file.write_text(json.dumps(data))
    assert yaml.safe_load(adopt(file).files["inputs.yaml"])["names"] == ["first", "second"]


def test_a_part_is_not_missed_in_a_branch(tmp_path: Path) -> None:
    """Cloudify computes the branch that is taken alone."""
    choice = "{if: [{equals: [{get_param: place}, 1]}, x, {get_param: [names, 1]}]}"
    data, file = exported(LISTED.replace("{get_param: [names, PLACE]}", choice)), tmp_path / "stack.json"
    data["environment"]["parameters"] |= {"names": "only", "place": "1"}
    file.write_text(json.dumps(data))
    assert "BPC677" not in {one.code for one in adopt(file).diagnostics}
