"""No value changes its type on the ways from HOT and from blueprints, to each of the other two languages: what software
is given, what properties and outputs are computed to. The ways from service templates: test_types_of_values.py.

A program that reads its variables from the environment gets texts in each engine, so there the text that the engine
makes of a value may stand in its place; what a playbook or a function of a plugin gets may not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from checkout import CORPUS, REALWORLD
from given_values import VALUES, as_json, is_call, of_other_types, texts

from bpconvert.api import Result, convert
from bpconvert.diagnostics import SourceError
from bpconvert.translators.dialects import load
from bpconvert.translators.tosca import coded
from bpconvert.verification import verify

pytestmark = pytest.mark.one_version

#: language -> its folder beside the checkout, its sources in the corpus
SOURCES = {"hot": ("hot", "hot/*/hot.yaml"), "cloudify": ("cfy", "cfy/*/blueprint.yaml")}
#: the name of a result
RESULTS = {"hot": "hot.yaml", "cloudify": "blueprint.yaml", "tosca": "tosca.yaml"}
WAYS = [(source, target) for source in SOURCES for target in RESULTS if source != target]
#: the function of Cloudify's Ansible plugin
PLAYBOOK = "ansible.cloudify_ansible.tasks.run"


class Given(NamedTuple):
    """What a program is given: name and value of a variable; whether the program reads texts only."""

    name: str
    value: Any
    reads_texts: bool


def sources(language: str) -> list[Path]:
    """The sources of the corpus, and the real ones that are there."""
    folder, pattern = SOURCES[language]
    found = [path for path in sorted(CORPUS.glob(pattern)) if not path.parent.name.startswith("mistake-")]
    root = REALWORLD / folder
    rows = json.loads((root / "manifest.json").read_text())["files"] if root.is_dir() else []
    return found + [root / row["path"] for row in rows if row["role"] == "primary"]


def entries(value: Any) -> dict[str, Any]:
    """The entries of a map that are maps."""
    rows = value.items() if isinstance(value, dict) else ()
    return {str(name): row for name, row in rows if isinstance(row, dict)}


# -- what programs are given ------------------------------------------------------------------------------------


def of_template(data: Any) -> Iterator[Given]:
    """What the deployments of a template are given."""
    resources = entries(data.get("resources"))
    groups = {name: (row.get("properties") or {}).get("group") for name, row in resources.items()}
    for row in resources.values():
        if str(row.get("type")).startswith("OS::Heat::SoftwareDeployment"):
            properties = row.get("properties") or {}
            config = properties.get("config")
            used = config.get("get_resource") if isinstance(config, dict) else None
            values = properties.get("input_values")
            for name, value in values.items() if isinstance(values, dict) else ():
                yield Given(str(name), value, groups.get(used) in (None, "script", "Heat::Ungrouped"))


def operations_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every operation of a node template and of its relationships."""
    found: Any = node.get("relationships")
    ends = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    sides = ("source_interfaces", "target_interfaces", "interfaces")
    holders = [node.get("interfaces"), *(row.get(side) for row in ends for side in sides)]
    for interfaces in holders:
        for rows in entries(interfaces).values():
            yield from entries(rows.get("operations", rows)).values()


def of_operations(nodes: Any) -> Iterator[Given]:
    """What the operations of node templates are given. The plugin of scripts writes everything in the environment."""
    for node in entries(nodes).values():
        for row in operations_of(node):
            program = row.get("implementation")
            program = program.get("primary") if isinstance(program, dict) else program
            inputs: Any = row.get("inputs")
            if program == PLAYBOOK and isinstance(inputs, dict):
                inputs = inputs.get("run_data")
            inputs = inputs if isinstance(inputs, dict) else {}
            if "process" in inputs:  # what the plugin takes for itself (script_runner/tasks.py)
                env = entries(inputs).get("process", {}).get("env")
                inputs = {**inputs, **(env if isinstance(env, dict) else {})}
            reads_texts = not str(program).endswith((".py", ".yaml", ".yml")) and program != PLAYBOOK
            yield from (Given(str(name), value, reads_texts) for name, value in inputs.items())


def of_result(made: Result, target: str) -> set[tuple[str, str]]:
    """Name and value (JSON) of everything that programs are given in a result, those that stand-ins show too."""
    document = made.document
    if target == "hot":
        return {(one.name, as_json(one.value)) for one in of_template(document)}
    body = document.get("topology_template", document)
    found = [(one.name, one.value) for one in of_operations(body.get("node_templates"))]
    types = entries(document.get("data_types"))
    for node in entries(body.get("node_templates")).values():
        kind = entries(document.get("node_types")).get(str(node.get("type")), {})
        for name, value in (node.get("properties") or {}).items():
            row = entries(kind.get("properties")).get(name)
            found += shown(coded.decoded(value, row, types))
            found += shown({name: value})
    return {(name, as_json(value)) for name, value in found}


def shown(value: Any) -> Iterator[tuple[str, Any]]:
    """Every entry of a map in a value."""
    for name, item in value.items() if isinstance(value, dict) else ():
        yield str(name), item
        yield from shown(item)
    for item in value if isinstance(value, list) else ():
        yield from shown(item)


def retyped(given: Given, there: set[tuple[str, str]]) -> bool:
    """True where something of the name of what was given is there, and nothing has its value and type."""
    found = {value for name, value in there if name == given.name}
    if not found or is_call(given.value) or as_json(given.value) in found:
        return False
    as_text = found & texts(given.value)
    as_other = {one for one in found - as_text if given.value in (str(json.loads(one)), one)}
    return bool(as_other) or bool(as_text and not given.reads_texts)


# -- the tests --------------------------------------------------------------------------------------------------


CASES = [(source, *way) for way in WAYS for source in sources(way[0])]


@pytest.mark.parametrize(
    ("source", "language", "target"), CASES, ids=[f"{a}-{b}-{path.parent.name}/{path.name}" for path, a, b in CASES]
)
def test_nothing_changes_its_type(source: Path, language: str, target: str) -> None:
    try:
        made = convert(source, language, target, carry=False, allow_outside=True)
        data = load(source.read_bytes(), str(source)).data
    except SourceError as error:
        pytest.skip(f"cannot be read: {error}")
    given = of_template(data) if language == "hot" else of_operations(data.get("node_templates"))
    there = of_result(made, target)
    assert [one for one in given if retyped(one, there)] == []
    with TemporaryDirectory() as folder:
        for name, text in {**made.files, RESULTS[target]: made.text}.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        found = verify(source, Path(folder, RESULTS[target]), draws=1, reported=made.diagnostics)
    assert of_other_types(found.differences) == []


def template(value: Any) -> str:
    """A template that gives a value to a playbook, a value of its own and outputs."""
    text = json.dumps(value)
    return f"""heat_template_version: 2018-08-31
resources:
  box:
    type: OS::Nova::Server
    properties: {{image: i, flavor: f, networks: [{{network: n}}], user_data_format: SOFTWARE_CONFIG}}
  play:
    type: OS::Heat::SoftwareConfig
    properties: {{group: ansible, config: "- hosts: all", inputs: [{{name: given}}]}}
  run:
    type: OS::Heat::SoftwareDeployment
    properties: {{config: {{get_resource: play}}, server: {{get_resource: box}}, input_values: {{given: {text}}}}}
  own: {{type: OS::Heat::Value, properties: {{value: {text}}}}}
outputs:
  plain: {{value: {text}}}
  property: {{value: {{get_attr: [own, value]}}}}
"""


def blueprint(value: Any) -> str:
    """A blueprint that gives a value to a playbook and a Python program, and has it in a property and in outputs."""
    text = json.dumps(value)
    return f"""tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin', 'plugin:cloudify-ansible-plugin']
node_types:
  own.App: {{derived_from: cloudify.nodes.SoftwareComponent, properties: {{p: {{default: {text}}}}}}}
node_templates:
  box:
    type: cloudify.nodes.openstack.Server
    properties: {{resource_config: {{image_id: i, flavor_id: f, kwargs: {{networks: [{{uuid: n}}]}}}}}}
  app:
    type: own.App
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: {PLAYBOOK}
          inputs:
            playbook_path: play.yaml
            run_data: {{given: {text}}}
            sources: {{all: {{hosts: {{box: {{ansible_host: {{get_attribute: [box, ip]}}}}}}}}}}
    relationships: [{{type: cloudify.relationships.contained_in, target: box}}]
outputs:
  plain: {{value: {text}}}
  property: {{value: {{get_property: [app, p]}}}}
"""


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(("language", "target"), WAYS)
def test_values_that_are_taken_for_others(value: Any, language: str, target: str, tmp_path: Path) -> None:
    (tmp_path / "play.yaml").write_text("- hosts: all\n")
    source = tmp_path / f"source-{RESULTS[language]}"
    source.write_text((template if language == "hot" else blueprint)(value))
    made = convert(source, language, target, carry=False)
    result = tmp_path / RESULTS[target]
    result.write_text(made.text)
    assert ("given", as_json(value)) in of_result(made, target)
    found = verify(source, result, draws=1)
    assert [one for one in found.differences if one.what.startswith(("outputs.", "own."))] == []


def test_a_changed_type_is_seen() -> None:
    given = Given("given", False, reads_texts=False)
    assert retyped(given, {("given", '"false"')})
    assert retyped(Given("given", "3", reads_texts=True), {("given", "3")})
    assert not retyped(Given("given", False, reads_texts=True), {("given", '"False"')})
    assert retyped(Given("given", [], reads_texts=False), {("given", '"[]"')})
    assert not retyped(given, {("given", "false"), ("given", '"false"')})
