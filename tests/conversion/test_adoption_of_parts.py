"""Taking over a part of what runs, and the steps that are written for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running_stacks import BLUEPRINT, exported, instances

from bpconvert.adoption import Wanted, adopt
from bpconvert.api import Result
from bpconvert.cli.main import main
from bpconvert.diagnostics import DocumentError, UsageError


def part(tmp_path: Path, target: str, *only: str, **more: Any) -> Result:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(exported()), "utf-8")
    return adopt(file, target, wanted=Wanted(only, **more))


def of_cloudify(tmp_path: Path, wanted: Wanted) -> Result:
    (tmp_path / "app.yaml").write_text(BLUEPRINT, "utf-8")
    (tmp_path / "rows.json").write_text(json.dumps(instances()), "utf-8")
    (tmp_path / "inputs.json").write_text('{"image": "debian", "token": "given-token"}', "utf-8")
    files = {"resources": tmp_path / "rows.json", "inputs": tmp_path / "inputs.json"}
    return adopt(tmp_path / "app.yaml", "hot", **files, wanted=wanted)


def test_the_rest_is_referred_to(tmp_path: Path) -> None:
    result = part(tmp_path, "hot", "port", "vol")
    resources = result.document["resources"]
    assert set(resources) == {"port", "vol", "net"}
    assert resources["net"] == {"type": "OS::Neutron::Net", "external_id": "net-id"}
    assert resources["port"]["properties"]["network"] == {"get_resource": "net"}
    made = json.loads(result.files["adopt.json"])
    assert made["template"]["resources"]["port"]["properties"]["network"] == "net-id"
    assert set(made["resources"]) == set(resources)
    assert [found.path for found in result.diagnostics if found.code == "BPC692"] == [("outputs", "pw")]


def test_all_but_one(tmp_path: Path) -> None:
    resources = part(tmp_path, "hot", without=("net",)).document["resources"]
    assert resources["net"] == {"type": "OS::Neutron::Net", "external_id": "net-id"}
    assert "properties" in resources["subnet"]


def test_a_part_for_cloudify(tmp_path: Path) -> None:
    nodes = part(tmp_path, "cloudify", "port").document["node_templates"]
    ids = [node["properties"]["resource_config"].get("id") for node in nodes.values()]
    assert sorted(filter(None, ids)) == ["default", "net-id", "port-id"]


def test_a_part_of_what_cloudify_created(tmp_path: Path) -> None:
    result = of_cloudify(tmp_path, Wanted(only=("volume", "subnet")))
    resources = result.document["resources"]
    assert resources["net"] == {"type": "OS::Neutron::Net", "external_id": "net-id"}
    assert resources["server"] == {"type": "OS::Nova::Server", "external_id": "server-id"}
    assert {body["type"] for body in resources.values()} == {
        "OS::Neutron::Net", "OS::Neutron::Subnet", "OS::Neutron::Router", "OS::Neutron::RouterInterface",
        "OS::Cinder::Volume", "OS::Cinder::VolumeAttachment", "OS::Nova::Server",
    }  # fmt: skip
    assert set(json.loads(result.files["adopt.json"])["resources"]) == set(resources)


def test_what_has_no_id_cannot_be_referred_to(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="'pw' is not taken over: it has no id by which the part that is taken"):
        part(tmp_path, "hot", "server")


@pytest.mark.parametrize(
    "wanted",
    [Wanted(only=("nobody",)), Wanted(without=("nobody",)), Wanted(notes="steps.txt"), Wanted(notes="../a.md")],
)
def test_what_there_is_not(tmp_path: Path, wanted: Wanted) -> None:
    with pytest.raises(UsageError):
        of_cloudify(tmp_path, wanted)


def test_the_steps(tmp_path: Path) -> None:
    page = part(tmp_path, "hot", notes="steps.md").files["steps.md"]
    titles = [line.partition(". ")[2] for line in page.splitlines() if line.startswith("## ")]
    assert titles == [
        "Look at the old stack",
        "Adopt what exists",
        "Give the stack its template",
        "The way back",
        "Let the old stack go",
    ]
    assert page.index("--dry-run") < page.index("update --existing -t template.yaml -e parameters.json --wait")
    script = part(tmp_path, "cloudify", notes="steps.sh").files["steps.sh"]
    assert "cfy install" in script or "cfy deployments create" in script
    assert "# openstack stack abandon" in script  # it goes on to own what it has created
    page = of_cloudify(tmp_path, Wanted(notes="steps.md")).files["steps.md"]
    assert "cfy deployments delete --force" in page
    assert "given-token" not in page


def test_the_options(tmp_path: Path) -> None:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(exported()), "utf-8")
    out = tmp_path / "out"
    options = ["--to", "hot", "-o", str(out), "--without", "net", "--deploy-notes", "steps.sh"]
    assert main(["adopt", str(file), *options]) == 0
    assert {one.name for one in out.iterdir()} == {"template.yaml", "adopt.json", "parameters.json", "steps.sh"}
    assert main(["adopt", str(file), "--check", "--only", "nobody"]) == 2
