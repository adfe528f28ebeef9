"""Software components that come back as the deployments that they were made from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from corpus_cases import HOT, Case, cases_of

from bpconvert.api import convert

#: cases whose deployments all come back, and the names that configurations get
WHOLE = {
    "software-deployment": {"config": "deployment_config"},
    "software-at-all-actions": {},
    "software-outputs-passed-on": {},
    "software-one-script-for-many": {"config": "web_config"},
    "software-with-a-condition": {},
}
CASES = {case.name: case for case in cases_of(HOT)}


def resources(text: str) -> Any:
    return yaml.safe_load(text)["resources"]


def back(case: Case, folder: Path, change: Any = None) -> Any:
    """The template that a case's blueprint becomes, when nothing of the source is kept."""
    made = convert(case.source, name="hot.yaml", options=case.options._replace(carry=False))
    for name, text in made.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    blueprint = yaml.safe_load(made.text)
    if change is not None:
        change(blueprint["node_templates"])
    (folder / "blueprint.yaml").write_text(yaml.safe_dump(blueprint, sort_keys=False), encoding="utf-8")
    return convert(folder / "blueprint.yaml", "cloudify", "hot", carry=False)


def said(resource: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A deployment as Heat takes it: defaults and what the Heat agent does not need are left out."""
    properties = {
        key: value for key, value in resource["properties"].items() if key not in ("name", "signal_transport")
    }
    config = properties["config"]["get_resource"]
    properties["config"] = {"get_resource": names.get(config, config)}
    if sorted(properties.get("actions", [])) == ["CREATE", "UPDATE"]:
        del properties["actions"]
    return properties


@pytest.mark.parametrize("name", WHOLE)
def test_the_deployments_are_the_same(name: str, tmp_path: Path) -> None:
    old, new = resources(CASES[name].source.read_text(encoding="utf-8")), resources(back(CASES[name], tmp_path).text)
    compared = 0
    for key, resource in old.items():
        if resource["type"] == "OS::Heat::SoftwareDeployment":
            given = said(resource, WHOLE[name])
            config = old[resource["properties"]["config"]["get_resource"]]["properties"]
            defaults = {i["name"]: str(i["default"]) for i in config.get("inputs", ()) if "default" in i}
            if defaults:
                given["input_values"] = {**defaults, **given.get("input_values", {})}
            assert said(new[key], {}) == given
            assert ("condition" in new[key]) == ("condition" in resource)
            compared += 1
    assert compared > 0
    servers = [r["properties"] for r in new.values() if r["type"] == "OS::Nova::Server"]
    assert {properties.get("user_data_format") for properties in servers} == {"SOFTWARE_CONFIG"}


def test_scripts_and_outputs_are_the_same(tmp_path: Path) -> None:
    result = back(CASES["software-outputs-passed-on"], tmp_path)
    found = resources(result.text)
    join = found["join"]["properties"]
    assert sorted(join["outputs"], key=str) == [{"name": "problem", "error_output": True}, {"name": "token"}]
    assert (tmp_path / join["config"]["get_file"]).read_text().startswith("#!/bin/sh\ncluster-join")
    assert list(result.files) == [join["config"]["get_file"], found["quiet"]["properties"]["config"]["get_file"]]
    assert yaml.safe_load(result.text)["outputs"]["token"]["value"] == {"get_attr": ["second", "token"]}


def test_a_text_with_values_is_the_text_of_the_configuration(tmp_path: Path) -> None:
    found = resources(back(CASES["software-text-with-values"], tmp_path).text)
    text = found["application_config"]["properties"]["config"]["str_replace"]
    assert sorted(map(str, text["params"].values())) == [
        "{'get_attr': ['database', 'first_address']}", "{'get_param': 'release'}",
    ]  # fmt: skip
    assert text["template"].startswith('#!/bin/sh -e\ninstall-application --release "')
    assert found["computed"]["properties"]["config"]["get_file"].endswith(".py")


def test_values_are_what_they_were(tmp_path: Path) -> None:
    """Where a value of another kind was written as Python's text of it; booleans would be other texts."""

    def without_booleans(nodes: Any) -> None:
        for operation in nodes["deployment"]["interfaces"]["cloudify.interfaces.lifecycle"].values():
            operation["inputs"] = {k: v for k, v in operation["inputs"].items() if k not in ("ip", "mixed")}

    found = resources(back(CASES["software-variables-of-all-kinds"], tmp_path, without_booleans).text)
    values = found["deployment"]["properties"]["input_values"]
    assert values["of_settings"] == {"get_param": "settings"}
    assert (values["list"], values["nothing"], values["number"]) == ("['a', 1, False]", "None", "1.5")
    assert values["process"] == "a name that Cloudify uses itself"
    declared = {entry["name"]: entry.get("type") for entry in found["config"]["properties"]["inputs"]}
    assert (declared["as_json"], declared["as_list"], declared["of_settings"]) == ("Json", "Json", None)


@pytest.mark.parametrize("change", ["retries", "type", "other script", "plugin"])
def test_what_is_more_than_a_deployment_goes_the_ordinary_way(change: str, tmp_path: Path) -> None:
    def edit(nodes: Any) -> None:
        operations = nodes["greet"]["interfaces"]["cloudify.interfaces.lifecycle"]
        if change == "retries":
            operations["create"]["max_retries"] = 3
        elif change == "type":
            nodes["greet"]["type"] = "cloudify.nodes.WebServer"
        elif change == "other script":
            operations["update"] = {**operations["update"], "implementation": "scripts/other.sh"}
        else:
            operations["start"] = {"implementation": "scripts/guard.sh", "max_retries": 0}

    found = resources(back(CASES["software-at-all-actions"], tmp_path, edit).text)
    assert found["greet"]["type"] == "OS::Heat::None"
    assert found["watch"]["type"] == "OS::Heat::SoftwareDeployment"
