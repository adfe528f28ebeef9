"""``--param``, ``--params-file``, ``--assume-defaults``: decided parameters leave constants behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert
from bpconvert.cli.main import main

HOT = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string, constraints: [{allowed_values: [prod, dev]}]}
  count: {type: number, default: 3, constraints: [{range: {max: 9}}]}
  tags: {type: comma_delimited_list, default: [a, b]}
  extra: {type: json, default: {key: {deep: value}}}
  loud: {type: boolean, default: false}
conditions:
  is_prod: {equals: [{get_param: env}, prod]}
  both: {and: [is_prod, {get_param: loud}]}
resources:
  net: {type: OS::Neutron::Net, condition: is_prod, properties: {name: {get_param: env}}}
  other: {type: OS::Neutron::Net, condition: both}
outputs:
  name: {value: {str_replace: {template: e-x, params: {e: {get_param: env}, x: {get_param: [extra, key, deep]}}}}}
  size: {value: {if: [is_prod, big, small]}}
  list: {value: {list_join: [',', {get_param: tags}]}}
  net: {value: {get_attr: [net, name]}}
"""
CFY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs:
  env: {type: string}
  count: {type: integer, default: 2}
  data: {default: {k: [1, two]}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {resource_config: {name: {concat: [{get_input: env}, -, {get_input: [data, k, 1]}]}}}
    capabilities: {scalable: {properties: {default_instances: {get_input: count}}}}
outputs:
  upper: {value: {string_upper: {get_input: env}}}
  both: {value: [{get_input: env}, {get_attribute: [net, name]}]}
"""


def hot2cfy(**choices: Any) -> Result:
    return convert(HOT, "hot", "cloudify", carry=False, **choices)


def cfy2hot(**choices: Any) -> Result:
    return convert(CFY, "cloudify", "hot", carry=False, **choices)


def codes(result: Result) -> set[str]:
    return {d.code for d in result.diagnostics}


def test_conditions_are_decided_and_values_computed() -> None:
    result = hot2cfy(params={"env": "prod", "loud": "yes"})
    document = result.document
    assert document["inputs"].keys() == {"count", "tags", "extra"}
    assert "capabilities" not in document["node_templates"]["net"]
    assert "capabilities" not in document["node_templates"]["other"]
    assert document["node_templates"]["net"]["properties"]["resource_config"] == {"name": "prod"}
    assert document["outputs"]["size"]["value"] == "big"
    assert document["outputs"]["name"]["value"] == {"concat": ["prod-", {"get_input": ["extra", "key", "deep"]}]}
    decided = [d.path for d in result.diagnostics if d.code == "BPC514"]
    assert decided == [("parameters", "env"), ("parameters", "loud")]


def test_a_condition_that_does_not_hold_leaves_no_instance() -> None:
    document = hot2cfy(params={"env": "dev"}).document
    for name in ("net", "other"):
        scalable = document["node_templates"][name]["capabilities"]["scalable"]
        assert scalable["properties"]["default_instances"] == 0


def test_defaults_are_decided_when_asked() -> None:
    document = hot2cfy(params={"env": "dev", "count": 4}, assume_defaults=True).document
    assert "inputs" not in document
    assert document["outputs"]["name"]["value"] == "dev-value"
    assert document["outputs"]["list"]["value"] == "a,b"


@pytest.mark.parametrize(
    ("params", "what"),
    [({"env": "test"}, "allowed"), ({"count": 10}, "out of range"), ({"count": "many"}, "many"), ({"loud": 7}, "7")],
)
def test_a_value_that_heat_refuses_decides_nothing(params: dict[str, Any], what: str) -> None:
    result = hot2cfy(params=params)
    (found,) = (d for d in result.diagnostics if d.code == "BPC512")
    assert found.path == ("parameters", *params)
    assert what in found.message
    assert params.keys() <= result.document["inputs"].keys()


def test_a_name_that_is_not_there_is_told() -> None:
    assert [d.message for d in hot2cfy(params={"envv": 1}).diagnostics if d.code == "BPC513"] == [
        "a value is given for 'envv', which this document does not have"
    ]


def test_inputs_of_a_blueprint() -> None:
    document = cfy2hot(params={"env": "prod", "count": "4", "data": {"k": [0, "x"]}}).document
    assert "parameters" not in document
    group = document["resources"]["net"]
    assert (group["type"], group["properties"]["count"]) == ("OS::Heat::ResourceGroup", 4)
    assert group["properties"]["resource_def"]["properties"] == {"name": "prod-x"}
    assert document["outputs"]["upper"]["value"] == "PROD"
    assert "BPC512" in codes(cfy2hot(params={"count": "many"}))


def test_what_is_generated_is_specialised_too_and_goes_back_to_its_source() -> None:
    there = convert(HOT, "hot", "cloudify", params={"env": "prod"})
    assert "env" not in there.document["inputs"]
    assert convert(there.text, "cloudify", "hot").text == HOT
    plain = convert(HOT, "hot", "cloudify").text
    special = convert(plain, "cloudify", "hot", params={"env": "dev"}, carry=False)
    assert "env" not in special.document["parameters"]


def test_files_of_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.yaml").write_text(HOT)
    (tmp_path / "env.yaml").write_text("parameters: {env: prod}\nparameter_defaults: {env: dev, count: 5}\n")
    (tmp_path / "plain.yaml").write_text("tags: [x, y]\n")
    words = ["hot2cfy", str(tmp_path / "app.yaml"), "--no-carry", "-v", "--params-file", str(tmp_path / "env.yaml")]
    assert main([*words, "--params-file", str(tmp_path / "plain.yaml"), "--param", "loud=false"]) == 0
    out, err = capsys.readouterr()
    assert "value: x,y" in out
    assert "value: big" in out
    assert err.count("BPC514") == 4


@pytest.mark.parametrize(
    ("text", "place"), [("parameters: 5\n", "1:1"), ("[a]\n", "1:2"), ("a: [\n", "2:1"), ("5: a\n", "1:1")]
)
def test_files_that_are_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str) -> None:
    (tmp_path / "app.yaml").write_text(HOT)
    (tmp_path / "bad.yaml").write_text(text)
    assert main(["hot2cfy", str(tmp_path / "app.yaml"), "--params-file", str(tmp_path / "bad.yaml")]) == 2
    assert f"bad.yaml:{place}: error" in capsys.readouterr().err


def test_a_missing_file_and_a_wrong_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.yaml").write_text(HOT)
    assert main(["hot2cfy", str(tmp_path / "app.yaml"), "--params-file", str(tmp_path / "gone.yaml")]) == 2
    assert main(["hot2cfy", str(tmp_path / "app.yaml"), "--param", "env"]) == 2
    err = capsys.readouterr().err
    assert "gone.yaml" in err
    assert "'env' is not NAME=VALUE" in err


def test_limits_of_groups_are_decided() -> None:
    text = CFY.replace("{default_instances: {get_input: count}}}}", "{default_instances: 1}}}").replace(
        "outputs:",
        "groups: {g: {members: [net]}}\npolicies:\n  p: {type: cloudify.policies.scaling, targets: [g], "
        "properties: {default_instances: 2, min_instances: 1, max_instances: {get_input: count}}}\noutputs:",
    ).replace("    capabilities: {scalable: {properties: {default_instances: 1}}}\n", "")
    result = convert(text, "cloudify", "hot", carry=False, params={"env": "a", "count": 4, "data": {"k": [1, "b"]}})
    assert "get_param" not in result.text
    group = result.document["resources"]["net"]
    assert (group["type"], group["properties"]["max_size"]) == ("OS::Heat::AutoScalingGroup", 4)
