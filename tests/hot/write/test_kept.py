"""What a template keeps of the source in a resource that does nothing, with the names of the template."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pass_requests import node, request, topology

from bpconvert.api import convert
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, Operation
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.hot.write.kept import portable, resource
from bpconvert.translators.provenance.metadata_text import digest

KEY = "bpconvert_kept"
SECTIONS: dict[str, Any] = {"parameters": {}, "outputs": {}}


def sample(folder: Path | None = None) -> Context:
    """Input ``vm`` and node ``vm`` have the same name, which Heat refuses; ``app`` is software, ``there`` exists."""
    found = topology(node("vm", "m"), node("app", "s"), node("there", "m"))
    found.inputs["vm"] = Input("vm", "string")
    found.nodes["there"].external_name = "front"
    return Context(found, replace(request(folder), target=DIALECTS["hot"].capabilities()))


def draft(context: Context, node: str, name: str = "", type: str = "T", **more: Any) -> ResourceDraft:
    return ResourceDraft(context.topology.nodes[node], name or node, type, **more)


def kept(context: Context, drafts: list[ResourceDraft], sections: dict[str, Any] = SECTIONS) -> Any:
    """What is kept, as data."""
    made = resource(context, drafts, sections)
    assert made.keys() == {KEY}
    assert made[KEY].keys() == {"type", "metadata"}
    assert made[KEY]["type"] == "OS::Heat::None"
    return json.loads(made[KEY]["metadata"][KEY])


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ex.Input("vm"), ex.Input("vm")),
        (ex.Identity("vm"), ex.Identity("vm_node")),
        (ex.Identity("app"), ex.Identity("app_deployment")),
        (ex.Identity("other_app"), ex.Identity("other_deployment")),
        (ex.Identity("there"), ex.MISSING),
        (ex.Identity("lost"), ex.MISSING),
        (ex.Input("image"), ex.Input("image")),
        (ex.Input("lost"), ex.MISSING),
    ],
)
def test_values_have_the_names_of_the_template(value: Any, expected: Any) -> None:
    context = sample()
    context.added.parameters["image"] = {"type": "string"}
    software = {"app": "app_deployment", "other_app": "other_deployment"}
    assert portable(context, software).value(value) == expected


def test_software_without_a_deployment_is_a_resource_by_itself() -> None:
    assert portable(sample()).value(ex.Identity("app")) == ex.Identity("app")


# -- the resource -------------------------------------------------------------------------------------------


def test_where_nothing_is_kept_there_is_no_resource() -> None:
    context = sample()
    assert resource(context, [draft(context, "vm")], SECTIONS) == {}


def test_the_resource_has_a_name_that_no_other_one_has() -> None:
    found = topology(node(KEY, "m"))
    context = Context(found, replace(request(), target=DIALECTS["hot"].capabilities()))
    found.nodes[KEY].unrun.append(Operation("life", "begin", "a.sh"))
    assert resource(context, [draft(context, KEY)], SECTIONS).keys() == {f"{KEY}_2"}


def test_what_parameters_ask_for_and_outputs_show_is_kept() -> None:
    context = sample()
    context.asked, context.shown = {"p": ex.Input("vm")}, {"o": ex.Identity("vm"), "gone": 1}
    sections = {"parameters": {"p": {"type": "string"}}, "outputs": {"o": {"value": "a text"}}}
    assert kept(context, [], sections) == {
        "inputs": {"p": [digest({"type": "string"}), {"$Input": {"name": "vm", "keys": [], "strict": False}}]},
        "outputs": {"o": [digest("a text"), {"$Identity": {"node": "vm_node"}}]},
    }


def test_operations_of_resources_of_nodes_are_kept() -> None:
    """Not those of what is made beside them, and of what stands for something else."""
    context = sample()
    for one in context.topology.nodes.values():
        one.unrun.append(Operation("life", "begin", f"{one.name}.sh"))
    drafts = [
        draft(context, "vm", "vm_node"),
        draft(context, "app", part=True),
        draft(context, "there", type="OS::Heat::None"),
    ]
    row = {"interface": "life", "name": "begin", "implementation": "vm.sh", "host": "source", "native": "toy"}
    assert kept(context, drafts) == {"nodes": {"vm_node": {"type": "T", "operations": [row]}}}


def test_files_of_operations_that_are_kept_go_along(tmp_path: Path) -> None:
    for name in ("a.sh", "scripts/b.sh", "scripts/c.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n")
    context = sample(tmp_path)
    context.topology.files["scripts/c.sh"] = "as it is"
    for name in ("a.sh", "scripts/b.sh", "scripts/c.sh", "scripts/lost.sh", "http://host/d.sh"):
        context.topology.nodes["vm"].unrun.append(Operation("life", "begin", name))
    kept(context, [draft(context, "vm")])
    found = {"a.sh": "# a.sh\n", "scripts/b.sh": "# scripts/b.sh\n", "scripts/c.sh": "as it is"}
    assert context.topology.files == found


# -- software -----------------------------------------------------------------------------------------------

DEPLOYMENT, GROUP = "OS::Heat::SoftwareDeployment", "OS::Heat::SoftwareDeploymentGroup"


@pytest.mark.parametrize(
    ("drafts", "expected"),
    [
        ([("a", ["CREATE"])], "a"),
        ([("a", ["UPDATE"]), ("b", ["DELETE"])], "b"),
        ([("a", ["CREATE"]), ("b", ["DELETE"])], "a"),
        ([("a", ["DELETE"]), ("b", ["CREATE"])], "b"),
        ([("a", ["CREATE"]), ("b", ["CREATE"]), ("c", ["CREATE", "UPDATE"])], "b"),
        ([("a", None), ("b", ["CREATE"]), ("c", None)], "b"),
        ([("a", None), ("b", None)], "b"),
    ],
)
def test_software_is_the_last_deployment_that_installs_it_else_the_last_one(
    drafts: list[tuple[str, list[str] | None]], expected: str
) -> None:
    for type in (DEPLOYMENT, GROUP):
        context = sample()
        context.asked = {"p": ex.Identity("app")}
        made = [
            draft(context, "app", name, type, part=True, properties={} if actions is None else {"actions": actions})
            for name, actions in drafts
        ]
        config = draft(context, "app", "z", "OS::Heat::SoftwareConfig", part=True, properties={"actions": ["CREATE"]})
        found = kept(context, [draft(context, "vm"), *made, config], {"parameters": {"p": 1}, "outputs": {}})
        assert found == {"inputs": {"p": [digest(1), {"$Identity": {"node": expected}}]}}


def test_software_with_a_resource_of_its_own_is_that() -> None:
    context = sample()
    context.asked = {"p": ex.Identity("app")}
    drafts = [draft(context, "app"), draft(context, "app", "a", DEPLOYMENT, part=True)]
    found = kept(context, drafts, {"parameters": {"p": 1}, "outputs": {}})
    assert found == {"inputs": {"p": [digest(1), {"$Identity": {"node": "app"}}]}}


@pytest.mark.parametrize(
    ("script", "own"),
    [("https://example.com/a.sh", True), ("a.sh", False)],
)
def test_the_role_of_software_at_a_url_is_kept(script: str, own: bool, tmp_path: Path) -> None:
    """Its text, which says in other languages what it is, is not known."""
    (tmp_path / "a.sh").write_text("#!/bin/sh\n")
    service = tmp_path / "service.yaml"
    service.write_text(f"""\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{{host: vm}}]
      interfaces: {{Standard: {{operations: {{create: {{implementation: '{script}'}}}}}}}}
""")
    result = convert(service, "tosca", "hot", carry=False).document["resources"]
    role = {"nodes": {"app_create_deploy": {"type": "OS::Heat::SoftwareDeployment", "role": "component"}}}
    assert (json.loads(result[KEY]["metadata"][KEY]) == role) if own else (KEY not in result)


def test_software_of_which_nothing_is_written_is_kept_whole() -> None:
    """Neither what has a resource or a deployment, nor what is no software, nor a resource of the cloud."""

    def whole(*drafts: tuple[str, str], kind: str | None = None) -> Any:
        context = sample()
        app = context.topology.nodes["app"]
        app.role, app.kind = "component", kind
        for one in context.topology.nodes.values():
            one.unrun.append(Operation("life", "begin", f"{one.name}.sh"))
        made = resource(context, [draft(context, "app", name, type, part=True) for name, type in drafts], SECTIONS)
        return json.loads(made[KEY]["metadata"][KEY])["gone"] if made else {}

    [(name, row)] = whole().items()
    assert (name, row["role"], row["operations"][0]["implementation"]) == ("app", "component", "app.sh")
    assert whole(("app", "OS::Heat::SoftwareConfig")) == {}
    assert whole(("app_run", "OS::Heat::SoftwareDeployment")) == {}
    assert whole(kind="server") == {}
