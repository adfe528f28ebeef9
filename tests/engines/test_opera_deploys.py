"""opera really deploys what blueprints and templates become: nodes that compute values, playbooks, and scripts (with
``--for opera``) on the machine that opera runs on. Values are those of the source's own engine.

It needs opera with Ansible: BPCONVERT_OPERA names the folder with the commands of both; for the scripts
BPCONVERT_CLOUDIFY_PYTHON, a Python with cloudify-common[dispatcher], which runs them, too."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from corpus_runs import ask_cloudify, cloudify_command, heat_command
from engine_processes import ask

from bpconvert import convert

pytestmark = [pytest.mark.engines, pytest.mark.deploys]

#: the environment variable
COMMANDS: Final = "BPCONVERT_OPERA"

TEMPLATE: Final = """
heat_template_version: 2021-04-16
parameters:
  env: {type: string, default: "prod,test,dev"}
  number: {type: number, default: 3}
  list: {type: comma_delimited_list, default: "a,b,c"}
  map: {type: json, default: {a: 1, b: {c: [x, "y: z", null, true]}}}
  flag: {type: boolean, default: true}
conditions:
  many: {equals: [{get_param: number}, 3]}
  both: {and: [many, {get_param: flag}]}
resources: {}
outputs:
  split: {value: {str_split: [",", {get_param: env}]}}
  as_json: {value: {list_join: [",", {get_param: list}]}}
  like_a_map: {value: {str_replace: {template: "%b", params: {"%b": {get_param: map}}}}}
  joined: {value: {list_join: ["-", {get_param: list}, {str_split: [",", {get_param: env}]}]}}
  replaced: {value: {str_replace: {template: "$a is %b", params: {$a: {get_param: number}, "%b": {get_param: map}}}}}
  digest: {value: {digest: [sha256, {get_param: env}]}}
  merged: {value: {map_merge: [{get_param: map}, {a: {get_param: env}, d: [1, 1.5]}]}}
  renamed: {value: {map_replace: [{get_param: map}, {keys: {a: z}}]}}
  chosen: {value: {if: [both, {get_param: list}, {get_param: map}]}}
  not_chosen: {value: {if: [{not: many}, 1, {get_param: [map, b, c]}]}}
  repeated: {value: {repeat: {for_each: {"%x%": {get_param: list}}, template: {name: "n-%x%"}}}}
  contained: {value: {contains: [b, {get_param: list}]}}
  filtered: {value: {filter: [[b], {get_param: list}]}}
  concatenated: {value: {list_concat_unique: [{get_param: list}, [c, d]]}}
  pairs: {value: {map_merge: {repeat: {for_each: {"%x%": {get_param: list}}, template: {"%x%": "%x%"}}}}}
"""
GIVEN: Final[dict[str, dict[str, Any]]] = {
    "defaults": {},
    "given": {"env": "0x1F, yes,~", "number": 2, "list": ["1", "on", "a b"], "map": {"b": {"c": []}}, "flag": False},
}

BLUEPRINT: Final = """
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
inputs:
  port: {type: integer, default: 8080}
node_templates:
  host:
    type: cloudify.nodes.Compute
    properties: {ip: localhost, agent_config: {install_method: none}}
outputs:
  pieces: {value: {string_split: [{concat: [x-, {get_input: port}, -y]}, "-"]}}
  lower: {value: {string_lower: {concat: [{get_input: port}, ABC]}}}
  found: {value: {string_find: [{concat: [{get_input: port}, ABC]}, B]}}
  whole: {value: {concat: [{get_input: port}, "/"]}}
"""


@pytest.fixture(scope="module")
def opera() -> Path:
    folder = os.environ.get(COMMANDS)
    if not folder or not (Path(folder) / "opera").exists() or not (Path(folder) / "ansible-playbook").exists():
        pytest.skip(f"set {COMMANDS} to a folder with opera and ansible-playbook to deploy with opera")
    return Path(folder)


def deployed(opera: Path, folder: Path, inputs: dict[str, Any]) -> dict[str, Any]:
    """The outputs of the service template in a folder, which opera has deployed."""
    (folder / "inputs.yaml").write_text(yaml.safe_dump(inputs), "utf-8")
    paths = os.pathsep.join([str(opera), os.environ.get("PATH", "")])
    settings = {**os.environ, "PATH": paths, "LC_ALL": "C.UTF-8", "ANSIBLE_LOCAL_TEMP": str(folder / "ansible")}

    def run(*words: str) -> str:
        done = subprocess.run([str(opera / "opera"), *words], cwd=folder, env=settings, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    run("deploy", "-i", "inputs.yaml", "service.yaml")
    found: dict[str, dict[str, Any]] = json.loads(run("outputs", "--format", "json"))
    return {name: one["value"] for name, one in found.items()}


def converted(folder: Path, text: str, source: str) -> str:
    """The codes that the conversion reports; its result is in the folder."""
    made = convert(text.lstrip(), source, "tosca", carry=False)
    made.write(folder / "service.yaml")
    return " ".join(one.code for one in made.diagnostics)


@pytest.mark.parametrize("given", GIVEN)
def test_values_of_a_template(given: str, opera: Path, engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    converted(tmp_path, TEMPLATE, "hot")
    source = tmp_path / "hot.yaml"
    source.write_text(TEMPLATE, "utf-8")
    request = {"template": str(source), "params": GIVEN[given], "fake_attrs": True}
    (answer,) = ask(heat_command(engines_python, heat_engine.parent), [request])
    assert answer["ok"], answer
    expected = {name: one["value"] for name, one in answer["outputs"].items()}
    assert len(expected) > 10
    assert deployed(opera, tmp_path, GIVEN[given]) == expected


@pytest.mark.parametrize("given", [{}, {"port": 10}])
def test_values_of_a_blueprint(
    given: dict[str, Any], opera: Path, engines_python: str, heat_engine: Path, tmp_path: Path
) -> None:
    converted(tmp_path, BLUEPRINT, "cloudify")
    source = tmp_path / "blueprint.yaml"
    source.write_text(BLUEPRINT, "utf-8")
    request = {"blueprint": str(source), "inputs": given}
    (answer,) = ask_cloudify(cloudify_command(engines_python, heat_engine.parent), [request])
    assert answer["ok"], answer
    found = answer["result"]["outputs"]
    assert len(found) > 3
    texts = {name: str(value) for name, value in given.items()}  # a number that only texts take is a text (BPC875)
    assert deployed(opera, tmp_path, texts) == found


PLAYS: Final = """
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, "plugin:cloudify-ansible-plugin"]
inputs:
  port: {type: integer, default: 8080}
  place: {type: string}
node_templates:
  host:
    type: cloudify.nodes.Compute
    properties: {ip: localhost, agent_config: {install_method: none}}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: ansible.cloudify_ansible.tasks.run
          inputs:
            playbook_path: plays/app.yaml
            sources: {all: {hosts: {localhost: {ansible_connection: local}}}}
            run_data:
              place: {get_input: place}
              port: {get_input: port}
              flags: {up: true, down: false}
              words: [a, "no", "1.10", "[x]"]
              nothing: []
              part: 1.5
              text: '{"a": 1}'
    relationships: [{type: cloudify.relationships.contained_in, target: host}]
"""
PLAY: Final = """\
- hosts: all
  gather_facts: false
  tasks:
    - copy:
        dest: "{{ place }}"
        content: >-
          {{ {'port': port, 'flags': flags, 'words': words, 'nothing': nothing, 'part': part, 'text': text} | to_json }}
"""


def test_playbooks_get_the_values_of_the_blueprint(opera: Path, tmp_path: Path) -> None:
    """Each with its type: a text that looks like a list is one, and false is not true."""
    (tmp_path / "plays").mkdir()
    (tmp_path / "plays" / "app.yaml").write_text(PLAY, "utf-8")
    source = tmp_path / "blueprint.yaml"
    source.write_text(PLAYS.lstrip(), "utf-8")
    there, place = tmp_path / "there", tmp_path / "seen.json"
    there.mkdir()
    convert(source, "cloudify", "tosca", carry=False).write(there / "service.yaml")
    deployed(opera, there, {"place": str(place)})
    assert json.loads(place.read_text("utf-8")) == {
        "port": 8080,
        "flags": {"up": True, "down": False},
        "words": ["a", "no", "1.10", "[x]"],
        "nothing": [],
        "part": 1.5,
        "text": '{"a": 1}',
    }


SCRIPTS: Final = """
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
inputs:
  port: {type: integer, default: 8080}
node_types:
  shop.App:
    derived_from: cloudify.nodes.ApplicationModule
    properties:
      color: {type: string, default: "red, '#1'"}
node_templates:
  host:
    type: cloudify.nodes.Compute
    properties: {ip: localhost, agent_config: {install_method: none}}
  app:
    type: shop.App
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: scripts/create.sh
          executor: central_deployment_agent
          inputs:
            port: {get_input: port}
            settings: {a: 1, b: [x, "no"], c: {"on": true}}
            flag: false
            words: '["a", 1]'
            color: {get_property: [SELF, color]}
        start:
          implementation: scripts/start.sh
          executor: central_deployment_agent
          inputs:
            process: {env: {part: 1.5, url: {concat: ["http://h:", {get_input: port}]}}}
    relationships: [{type: cloudify.relationships.contained_in, target: host}]
  next:
    type: cloudify.nodes.ApplicationModule
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: scripts/next.sh
          executor: central_deployment_agent
          inputs: {seen: {get_attribute: [app, seen]}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: host}
      - {type: cloudify.relationships.depends_on, target: app}
outputs:
  seen: {value: {get_attribute: [app, seen]}}
  words: {value: {get_attribute: [app, words_there]}}
  part: {value: {get_attribute: [app, part_there]}}
  next: {value: {get_attribute: [next, next_seen]}}
"""
FILES: Final = {
    "create.sh": """\
#!/bin/bash -e
ctx logger info "creating"
ctx instance runtime-properties seen "$port $settings $flag $color"
ctx instance runtime-properties words_there "$words"
""",
    "start.sh": '#!/bin/sh -e\nctx instance runtime-properties part_there "$part at $url"\n',
    "next.sh": '#!/bin/bash -e\nctx instance runtime-properties next_seen "after: $seen"\n',
}
#: Cloudify's own workflow install, on this machine; the agent of a machine that is there already has nothing to do
INSTALL: Final = """
import json, pathlib, sys
from cloudify.workflows import local
from dsl_parser.import_resolver.default_import_resolver import DefaultImportResolver

class Types(DefaultImportResolver):
    def fetch_import(self, url, **options):
        known = url.endswith("types.yaml")
        return pathlib.Path(sys.argv[3]).read_text() if known else super().fetch_import(url, **options)

agent = ["cloudify_agent.installer.operations", "cloudify_agent.operations"]
there = local.init_env(sys.argv[1], inputs=json.loads(sys.argv[2]), resolver=Types(), ignored_modules=agent)
there.execute("install", task_retries=0)
print("\\n" + json.dumps(there.outputs()))
"""


@pytest.mark.parametrize("given", [{}, {"port": 10}])
def test_scripts_publish_what_they_publish_in_cloudify(
    given: dict[str, Any], opera: Path, heat_engine: Path, tmp_path: Path
) -> None:
    python = os.environ.get("BPCONVERT_CLOUDIFY_PYTHON")
    if not python:
        pytest.skip("set BPCONVERT_CLOUDIFY_PYTHON to a Python with cloudify-common[dispatcher] to run the scripts")
    (tmp_path / "scripts").mkdir()
    for name, text in FILES.items():
        (tmp_path / "scripts" / name).write_text(text, "utf-8")
    source = tmp_path / "blueprint.yaml"
    source.write_text(SCRIPTS.lstrip(), "utf-8")
    types = heat_engine.parent / "imports" / "cloudify" / "types" / "types_1_3.yaml"
    paths = os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", "")])  # where the command ctx is
    done = subprocess.run(
        [python, "-c", INSTALL, str(source), json.dumps(given), str(types)],
        cwd=tmp_path, env={**os.environ, "PATH": paths}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    expected = json.loads(done.stdout.splitlines()[-1])
    assert len(expected) == 4
    there = tmp_path / "there"
    there.mkdir()
    convert(source, "cloudify", "tosca", carry=False, orchestrator="opera").write(there / "service.yaml")
    assert deployed(opera, there, given) == expected
