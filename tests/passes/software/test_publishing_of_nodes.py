"""Scripts of nodes that ask and set values with the command ``ctx``: what they become, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.options import Options

PLAIN = Options(carry=False)
HEAD = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {n: {type: integer, default: 4}}
node_types:
  types.App:
    derived_from: cloudify.nodes.ApplicationModule
    properties: {port: {default: 5432}, size: {default: {get_input: n}}, path: {default: /srv}}
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {client_config: {}, image: i, flavor: f}}
"""
SH = "#!/bin/sh\n"
SETS = f"{SH}ctx instance runtime_properties x 1\n"
ASKS = f"{SH}echo $(ctx instance runtime_properties x)\n"
LOGS = f"{SH}ctx logger info there\n"
LIFECYCLE = ("interfaces", "cloudify.interfaces.lifecycle")


def node(name: str = "app", more: str = "", properties: str = "", **steps: str) -> str:
    """A node on the machine, with a script at each step."""
    operations = ", ".join(f"{step}: {file}" for step, file in steps.items())
    return f"""  {name}:
    type: types.App
    properties: {{{properties}}}
    interfaces: {{cloudify.interfaces.lifecycle: {{{operations}}}}}
    relationships:
      - {{type: cloudify.relationships.contained_in, target: vm}}
{more}"""


def converted(to: str, nodes: str, carry: bool = False, head: str = HEAD, **files: str) -> Result:
    """A blueprint with nodes; ``files``: a_sh is a.sh."""
    beside = {name.replace("_", "."): text for name, text in files.items()}
    return convert(head + nodes, "cloudify", to, beside=beside, options=Options(carry=carry))


def messages(result: Result, *codes: str) -> list[str]:
    return [str(row.message) for row in result.diagnostics if row.code in codes]


def functions(result: Result) -> set[str]:
    """The scripts that got a function."""
    return {message.split("'")[1] for message in messages(result, "BPC431")}


def outputs(result: Result, step: str) -> list[str]:
    """What the deployment of a step publishes."""
    properties = result.document["resources"][f"app_{step}_config"]["properties"]
    return [row["name"] for row in properties.get("outputs", [])]


def inputs(result: Result, step: str) -> Any:
    return result.document["resources"][f"app_{step}_deploy"]["properties"].get("input_values")


def operation(result: Result, step: str) -> Any:
    nodes = result.document["topology_template"]["node_templates"]
    return nodes["app"]["interfaces"]["Standard"]["operations"][step]


# -- what is there when it is asked for ----------------------------------------------------------------------


def test_a_value_that_two_steps_set_is_that_of_the_last_and_nobody_may_ask() -> None:
    """Which of them is meant is known in Cloudify only."""
    made = converted(
        "hot", node(create="a.sh", configure="b.sh", start="c.sh", poststart="d.sh"),
        a_sh=SETS, b_sh=SETS, c_sh=ASKS, d_sh=LOGS,
    )  # fmt: skip
    assert (outputs(made, "create"), outputs(made, "configure")) == ([], ["x"])
    assert functions(made) == {"a.sh", "b.sh", "d.sh"}


def test_a_related_node_may_not_ask_for_what_two_steps_set() -> None:
    join = """      - type: cloudify.relationships.connected_to
        target: db
        source_interfaces: {cloudify.interfaces.relationship_lifecycle: {preconfigure: join.sh}}
"""
    asks = f"{SH}echo $(ctx target instance runtime_properties x)\n"
    once = converted("hot", node(more=join) + node("db", create="a.sh"), a_sh=SETS, join_sh=asks)
    assert functions(once) == {"a.sh", "join.sh"}
    twice = converted(
        "hot", node(more=join) + node("db", create="a.sh", start="b.sh"), a_sh=SETS, b_sh=SETS, join_sh=asks
    )
    assert functions(twice) == {"a.sh", "b.sh"}


def test_what_a_source_sets_is_not_what_it_asks_its_target_for() -> None:
    """Values of the same name of both sides are two."""
    join = """      - type: cloudify.relationships.connected_to
        target: db
        source_interfaces: {cloudify.interfaces.relationship_lifecycle: {preconfigure: join.sh}}
"""
    script = f"{SH}ctx source instance runtime_properties x $(ctx target instance runtime_properties x)\n"
    nodes = node(more=join, start="c.sh") + node("db", create="a.sh")
    made = converted("tosca", nodes, a_sh=SETS, c_sh=ASKS, join_sh=script)
    run = made.document["topology_template"]["relationship_templates"]["app_db"]["interfaces"]["Configure"]
    (row,) = run["operations"].values()
    assert row["inputs"] == {"ctx_target_instance_x": {"get_attribute": ["db", "x"]}}
    assert row["outputs"] == {"x": ["SOURCE", "x"]}
    assert functions(made) == {"a.sh", "c.sh", "join.sh"}


def test_what_is_set_when_a_node_goes_is_no_output() -> None:
    made = converted("hot", node(create="a.sh", start="c.sh", stop="d.sh"), a_sh=SETS, c_sh=ASKS, d_sh=SETS)
    assert (outputs(made, "create"), outputs(made, "stop")) == (["x"], [])
    assert functions(made) == {"a.sh", "c.sh", "d.sh"}
    assert inputs(made, "start") == {"ctx_instance_x": {"get_attr": ["app_create_deploy", "x"]}}


def test_what_a_script_sets_itself_it_needs_no_variable_for() -> None:
    made = converted("hot", node(create="a.sh"), a_sh=f"{SETS}echo $(ctx instance runtime_properties x)\n")
    assert (outputs(made, "create"), inputs(made, "create")) == (["x"], None)


@pytest.mark.parametrize(
    ("address", "value"), [("    properties: {ip: 192.0.2.1}\n", "192.0.2.1"), ("", None)], ids=["known", "unknown"]
)
def test_the_address_of_a_machine_that_is_there(address: str, value: str | None) -> None:
    """Without one, nothing else knows it."""
    head = HEAD.partition("  vm:")[0] + "  vm:\n    type: cloudify.nodes.Compute\n" + address
    made = converted("tosca", node(create="a.sh"), head=head, a_sh=f"{SH}echo $(ctx instance host_ip)\n")
    assert operation(made, "create").get("inputs") == ({"ctx_host_ip": value} if value else None)
    assert functions(made) == ({"a.sh"} if value else set())


def test_operations_that_are_not_run_keep_their_scripts() -> None:
    own = node(precreate="a.sh").replace("{precreate: a.sh}}", "{precreate: a.sh}, my: {x: b.sh}}")
    made = converted("tosca", own, a_sh=SETS, b_sh=ASKS)
    assert functions(made) == {"a.sh"}
    assert made.files["b.sh"] == ASKS
    assert len(messages(made, "BPC831")) == 1


# -- what is told --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (LOGS, "for messages"),
        (f"{SH}echo $(ctx instance host_ip) $(ctx node name) $(ctx node name)\n", "for 'host_ip', 'name'"),
        (f"{SETS}ctx instance runtime_properties y $(ctx node properties path)\n", "for 'x', 'y', 'path'"),
        (f"{SH}cp $(ctx download-resource f.txt) /tmp\n", "for 'f.txt'"),
    ],
)
def test_what_a_function_is_for_is_told(script: str, message: str) -> None:
    made = converted("hot", node(create="a.sh"), a_sh=script, f_txt="text\n")
    place = ("node_templates", "app", *LIFECYCLE, "create")
    (row,) = [row for row in made.diagnostics if row.code == "BPC431"]
    assert (row.path, str(row.message)) == (
        place, f"script 'a.sh' gets a function in place of Cloudify's command ctx, {message}"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "script", "line", "code"),
    [
        ("a.py", "import os\n", "#!/usr/bin/env python3", "BPC957"),
        ("a.py", "print 'there'\n", "#!/usr/bin/env python2", "BPC958"),
        ("a.sh", "echo there\n", "#!/bin/sh", "BPC433"),
    ],
)
@pytest.mark.parametrize("to", ["hot", "tosca"])
def test_a_script_names_what_runs_it(to: str, name: str, script: str, line: str, code: str) -> None:
    """The finding is about the file that the operation names."""
    made = convert(HEAD + node(create=name), "cloudify", to, beside={name: script}, options=PLAIN)
    if to == "hot":
        text = made.document["resources"]["app_create_config"]["properties"]["config"]
    else:
        text = made.files[f"scripts/app_create.{name.partition('.')[2]}"]
    assert text == f"{line}\n{script}"
    (row,) = [row for row in made.diagnostics if row.code == code]
    assert row.path == ("node_templates", "app", *LIFECYCLE, "create", "implementation")


@pytest.mark.parametrize(
    ("file", "script"),
    [("a.py", "from cloudify import ctx\n"), ("https://a.example/a.sh", "echo a\n"), ("a.sh", None), ("a.py", None)],
    ids=["of_the_agent", "at_a_url", "missing", "missing_python"],
)
def test_other_scripts_stay(file: str, script: str | None) -> None:
    beside = {} if script is None else {file: script}
    made = convert(HEAD + node(create=file), "cloudify", "hot", beside=beside, options=PLAIN)
    assert made.document["resources"]["app_create_config"]["properties"]["config"] == {"get_file": file}
    assert not messages(made, "BPC431", "BPC433", "BPC957", "BPC958")


def test_python_that_names_what_runs_it_stays_a_file() -> None:
    made = converted("hot", node(create="a.py"), a_py="#!/usr/bin/env python3\nimport os\n")
    assert made.document["resources"]["app_create_config"]["properties"]["config"] == {"get_file": "a.py"}
    assert len(messages(made, "BPC957")) == 1


# -- and back ------------------------------------------------------------------------------------------------

WHOLE = f"{SETS}ctx logger info $(ctx instance runtime_properties x)\n"
START = f"{ASKS}echo $(ctx node properties port) $(ctx node properties size) $(ctx node properties path)\n"


def there_and_back(*changes: tuple[str, str], leave_out: str = "") -> tuple[Result, Any]:
    """A service template with changes, and without a file, as a blueprint; the node in it."""
    there = converted("tosca", node(create="a.sh", start="c.sh", properties="path: /opt"), a_sh=WHOLE, c_sh=START)
    text = str(there.text)
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    beside = {name: str(text) for name, text in there.files.items() if name != leave_out}
    back = convert(text, "tosca", "cloudify", beside=beside, options=PLAIN)
    return back, back.document["node_templates"]["app"]


def operations(app: Any) -> Any:
    return app["interfaces"]["cloudify.interfaces.lifecycle"]


def test_the_command_is_there_again_with_what_it_asks_for() -> None:
    """The type of the node is another one: what its defaults were, is a property of the node."""
    back, app = there_and_back()
    assert back.files == {"scripts/app_create.sh": WHOLE, "scripts/app_start.sh": START}
    assert app["properties"] == {"port": 5432, "size": {"get_input": "n"}, "path": "/opt"}
    assert "inputs" not in operations(app)["create"]
    assert "inputs" not in operations(app)["start"]
    assert not messages(back, "BPC844")
    rows = [(row.path, str(row.message).split("'")[1]) for row in back.diagnostics if row.code == "BPC959"]
    own = ("node_templates", "app", "interfaces", "Standard", "operations")
    assert rows == [((*own, step), f"scripts/app_{step}.sh") for step in ("create", "start")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ctx_node_port: 5432", "ctx_node_port: {get_attribute: [vm, name]}"),
        ("ctx_node_size: {get_input: 'n'}", "ctx_node_size: {concat: [a, {get_attribute: [vm, name]}]}"),
        ("                ctx_instance_x: {get_attribute: [app, x]}\n", ""),
        ("ctx_instance_x: {get_attribute: [app, x]}", "ctx_instance_x: one"),
        ("                ctx_node_port: 5432\n", ""),
    ],
    ids=["only_deployed", "partly_deployed", "none", "another", "no_property"],
)
def test_what_the_command_would_not_answer_stays_with_the_function(before: str, after: str) -> None:
    """No property can be what only a deployment knows."""
    back, _ = there_and_back((before, after))
    assert back.files["scripts/app_create.sh"] == WHOLE
    assert "# -- end of ctx" in back.files["scripts/app_start.sh"]
    assert len(messages(back, "BPC959")) == 1


def test_a_variable_for_what_a_script_sets_is_another_value() -> None:
    create = "implementation: scripts/app_create.sh\n"
    back, app = there_and_back((create, f"{create}              inputs: {{ctx_instance_x: 3}}\n"))
    assert operations(app)["create"]["inputs"] == {"ctx_instance_x": 3}
    assert "# -- end of ctx" in back.files["scripts/app_create.sh"]
    assert len(messages(back, "BPC844")) == 1


def test_what_else_an_operation_publishes_is_told() -> None:
    back, _ = there_and_back(
        ("x: [SELF, x]", "x: [SELF, x]\n                y: [SELF, y]"),
        ("ctx_node_port: 5432", "ctx_node_port: 5432\n                more: {get_attribute: [app, y]}"),
    )
    assert back.files["scripts/app_create.sh"] == WHOLE
    assert {message.split("'")[1] for message in messages(back, "BPC844")} == {"x", "y"}


def test_without_its_file_an_operation_stays() -> None:
    back, app = there_and_back(leave_out="scripts/app_start.sh")
    assert "ctx_node_port" in operations(app)["start"]["inputs"]
    assert len(messages(back, "BPC959")) == 1


def test_the_record_has_the_scripts_as_they_were() -> None:
    """And the files whose text is in them."""
    script = f"{SH}cp $(ctx download-resource f.txt) /tmp\n"
    there = converted("hot", node(create="a.sh"), carry=True, a_sh=script, f_txt="text\n")
    assert there.files == {}
    back = convert(str(there.text), "hot", "cloudify")
    assert back.files == {"a.sh": script, "f.txt": "text\n"}


def test_the_record_has_the_function_as_well() -> None:
    there = converted("tosca", node(create="a.sh"), a_sh=LOGS)
    files = {name: str(text) for name, text in there.files.items()}
    blueprint = convert(str(there.text), "tosca", "cloudify", beside=files)
    assert blueprint.files["scripts/app_create.sh"] == LOGS
    back = convert(str(blueprint.text), "cloudify", "tosca", beside=dict(blueprint.files))
    assert back.files == files
