"""Scripts of deployments get the same environment and the same text from both engines, and user data in parts is what
Heat makes of it."""

from __future__ import annotations

import email
import json
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from corpus_cases import HOT, cases_of
from corpus_runs import SYSTEM, bundled, cloudify_command, heat_command, same
from engine_processes import ask

from bpconvert.translators.cloudify import runner

pytestmark = pytest.mark.engines

CASES: Final = {case.name: case for case in cases_of(HOT) if case.name.startswith("software-")}
#: case -> deployments whose variables or text are compared
COMPARED: Final = {
    "software-variables-of-all-kinds": ["deployment"],
    "software-text-with-values": ["application", "last"],
    "software-at-all-actions": ["watch", "greet"],
    "software-one-script-for-many": ["web", "cache", "other"],
}
#: the value that Heat invents for an attribute
ADDRESS: Final = "ATTR({}.first_address)"
#: what the runner of Cloudify makes of inputs (script_runner/tasks.py)
ENVIRONMENTS: Final = """
import json, sys
from script_runner.tasks import create_process_config
found = []
for inputs in json.load(sys.stdin):
    inputs.pop("script_path")
    found.append(create_process_config(inputs.pop("process", None) or {}, inputs)["env"])
print(json.dumps(found))
"""
#: Heat's own message of parts; configurations are texts already
MESSAGES: Final = """
import json, sys
from heat.engine.resources.openstack.heat.multi_part import MultipartMime as Real
def names(*wanted): return {name: getattr(Real, name) for name in wanted}
class Resource:
    message = None
    _append_multiparts = staticmethod(Real._append_multiparts)
    _append_part = staticmethod(Real._append_part)
    def __init__(self, parts): self.properties = {"parts": parts}
for name, value in names("PARTS", "CONFIG", "FILENAME", "TYPE", "SUBTYPE", "TEXT", "MULTIPART").items():
    setattr(Resource, name, value)
def message(parts):
    own = {"type": "text", "filename": "", "subtype": ""}
    whole = [{**own, **part} for part in parts]
    for part in whole:
        if isinstance(part["config"], list):
            part["config"] = message(part["config"])
    return Real.get_message(Resource(whole))
print(json.dumps(message(json.load(sys.stdin))))
"""


def told(python: str, program: str, data: Any) -> Any:
    """What a program prints, of data on its standard input."""
    command = [python, "-W", "ignore", "-c", program]
    done = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def heat(engines_python: str, heat_engine: Path) -> dict[str, Any]:
    """Case -> Heat's resources."""
    requests = [
        {"template": str(case.source), "files_root": str(case.folder), "fake_params": True, "fake_attrs": True}
        for case in CASES.values()
    ]
    answers = ask(heat_command(engines_python, heat_engine.parent), requests)
    return {name: answer["resources"] for name, answer in zip(CASES, answers, strict=True)}


@pytest.fixture(scope="module")
def cloudify(engines_python: str, heat_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Case -> Cloudify's nodes, with the same addresses of servers."""
    folder = tmp_path_factory.mktemp("bundles")
    requests = []
    for case in CASES.values():
        nodes = yaml.safe_load(case.target.read_bytes())["node_templates"]
        runtime = {"nodes": {name: {"ip": ADDRESS.format(name)} for name in nodes}, "sys": SYSTEM}
        blueprint = str(bundled(case, folder))
        requests.append({"blueprint": blueprint, "runtime": runtime, "options": {"synthesize": True}})
    command = cloudify_command(engines_python, heat_engine.parent, "--operations", "declared")
    return {name: answer["result"]["nodes"] for name, answer in zip(CASES, ask(command, requests), strict=True)}


def agents_texts(deployment: dict[str, Any], config: dict[str, Any]) -> dict[str, str]:
    """The environment that Heat's agent gives a script: values of type String by ``str``, structures of others as JSON
    (heat-agents: 55-heat-config, hook-script.py)."""
    declared = {entry["name"]: entry for entry in config.get("inputs") or ()}
    given = deployment.get("input_values") or {}
    found = {}
    for name in [*declared, *(name for name in given if name not in declared)]:
        entry = declared.get(name, {})
        value = given.get(name, entry.get("default"))
        structured = entry.get("type", "String") != "String" and isinstance(value, (dict, list))
        found[name] = json.dumps(value) if structured else str(value)
    return found


@pytest.mark.parametrize(("case", "name"), [(case, name) for case, names in COMPARED.items() for name in names])
def test_the_script_gets_the_same(
    case: str, name: str, heat: dict[str, Any], cloudify: dict[str, Any], engines_python: str
) -> None:
    source = yaml.safe_load(CASES[case].source.read_bytes())["resources"][name]["properties"]
    config = heat[case][source["config"]["get_resource"]]["properties"]
    operations = cloudify[case][name]["operations"]
    inputs = [json.loads(json.dumps(operation["inputs"])) for operation in operations.values()]
    for found in told(engines_python, ENVIRONMENTS, inputs):
        text = found.pop(runner.TEXT, None)
        assert text in (None, config["config"])
        derived = {key: found.pop(key) for key in list(found) if key.startswith("deploy_")}
        assert derived.get("deploy_resource_name", name) == name
        assert same(found, agents_texts(heat[case][name]["properties"], config))


def test_many_are_compared() -> None:
    assert sum(map(len, COMPARED.values())) >= 8


def test_the_parts_are_those_of_heat(engines_python: str) -> None:
    """The case ``user-data-in-parts``."""
    case = next(case for case in cases_of(HOT) if case.name == "user-data-in-parts")
    setup = (case.folder / "setup.sh").read_text()
    hello = "#!/bin/sh\necho größer\n"
    parts = [
        {"config": [{"config": setup, "filename": "setup.sh"}, {"config": hello}], "type": "multipart"},
        {"config": "#cloud-config\nmanage_etc_hosts: true\n", "subtype": "cloud-config"},
        {"config": "#!/bin/sh\nhostname web\n", "subtype": "x-shellscript", "filename": "name.sh"},
        {"config": hello},
        {"config": "web", "subtype": "plain"},
    ]
    nodes = yaml.safe_load(case.target.read_bytes())["node_templates"]
    pieces = nodes["vm"]["properties"]["resource_config"]["user_data"]["concat"]
    own = "".join("web" if piece == {"get_input": "host"} else piece for piece in pieces)
    assert read(own) == read(told(engines_python, MESSAGES, parts))


def read(text: str) -> list[tuple[str, str | None, bytes]]:
    """Type, file name and content of each part."""
    message = email.message_from_string(text)
    assert message.is_multipart()
    payloads: Any = message.get_payload()
    return [(part.get_content_type(), part.get_filename(), part.get_payload(decode=True)) for part in payloads]
