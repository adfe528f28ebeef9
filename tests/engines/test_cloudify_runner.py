"""The runner of Cloudify's parser: what it answers, refuses and assumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.engines.client import Engine
from bpconvert.files import Files
from bpconvert.translators.cloudify.comparing.engine import engine_imports

pytestmark = pytest.mark.engines

HEAD = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
UNKNOWN = HEAD.replace("]", ", 'plugin:unknown']")
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def engine(engines_python: str) -> Iterator[Engine]:
    with Engine("cloudify", python=engines_python) as running:
        yield running


@pytest.fixture
def ask(engine: Engine, tmp_path: Path) -> Ask:
    """The answer to a blueprint."""

    def asked(text: str, **request: Any) -> dict[str, Any]:
        document = tmp_path / "blueprint.yaml"
        document.write_text(text)
        imports = engine_imports(yaml.safe_load(text), Files(tmp_path))
        return engine.ask({"document": str(document), "imports": imports, **request})

    return asked


def outputs(**values: str) -> str:
    return "outputs:\n" + "".join(f"  {name}: {{value: {value}}}\n" for name, value in values.items())


def message(answer: dict[str, Any], *where: Any) -> str:
    """What was said about a value that the engine refuses."""
    return next(row["message"] for row in answer["errors"] if row["where"] == list(where))


def test_what_the_storage_gives(ask: Ask) -> None:
    found = ask(
        HEAD
        + "inputs: {i: {}}\nlabels: {env: {values: [prod]}}\n"
        + outputs(
            input="{get_input: i}", secret="{get_secret: s}", part="{get_secret: [j, k]}",
            id="{get_sys: [deployment, id]}",
            own="{get_label: [env, 0]}", all="{get_label: zone}", cap="{get_capability: [d, c, k]}",
            parent="{get_environment_capability: [e, k]}", group="{get_group_capability: [g, c]}",
            named="{get_group_capability: [g, 'deployment_id:c']}", some="{get_group_capability: [g, [c, x]]}",
            consumers="{get_consumers: count}",
        ),
        inputs={"i": [1]},
        secrets={"s": "S", "j": {"k": 2}},
        system={"deployment": {"id": "D"}},
        labels={"zone": ["a", "b"]},
        capabilities={"d": {"c": {"k": 3}}},
        environment_capabilities={"e": {"k": 4}},
        group_capabilities={"g": {"d2": {"c": 6, "x": 7}, "d1": {"c": 5}}},
        consumers={"ids": ["one"]},
    )  # fmt: skip
    assert found["errors"] == []
    assert found["outputs"] == {
        "input": [1], "secret": "S", "part": 2, "id": "D", "own": "prod", "all": ["a", "b"], "cap": 3, "parent": 4,
        "group": [5, 6], "named": {"d1": 5, "d2": 6}, "some": [[6, 7]], "consumers": 1,
    }  # fmt: skip


APPLICATION = """
node_templates:
  app:
    type: cloudify.nodes.ApplicationModule
    interfaces: {my.op: {run: {implementation: scripts/run.sh, inputs: {ip: {get_attribute: [web, ip]}}}}}
    relationships:
      - type: cloudify.relationships.connected_to
        target: web
        source_interfaces:
          my.link: {join: {implementation: scripts/join.sh, inputs: {to: {get_attribute: [TARGET, ip]}}}}
  web: {type: cloudify.nodes.Compute, properties: {ip: fallback}}
"""


def test_nodes(ask: Ask) -> None:
    found = ask(HEAD + APPLICATION + outputs(ip="{get_attribute: [web, ip]}"), nodes={"web": {"ip": "1.2.3.4"}})
    app = found["nodes"]["app"]
    assert app["operations"] == {"my.op.run": {"implementation": "scripts/run.sh", "inputs": {"ip": "1.2.3.4"}}}
    (related,) = app["relationships"]
    assert related["target"] == "web"
    assert related["properties"] == {"connection_type": "all_to_all"}
    assert related["source_operations"] == {"my.link.join": {"to": "1.2.3.4"}}
    assert found["nodes"]["web"]["properties"]["ip"] == "fallback"
    assert found["outputs"] == {"ip": "1.2.3.4"}
    assert found["assumed"] == ["scripts.scripts/join.sh", "scripts.scripts/run.sh"]


def test_attributes_fall_back_to_properties(ask: Ask) -> None:
    found = ask(HEAD + APPLICATION + outputs(ip="{get_attribute: [web, ip]}", none="{get_attribute: [web, other]}"))
    assert found["outputs"] == {"ip": "fallback", "none": None}
    assert found["errors"] == []


def test_scaling_groups(ask: Ask) -> None:
    found = ask(
        HEAD.replace("1_3", "1_4")
        + """
inputs: {none: {default: 0}, many: {default: 3}}
node_templates:
  web: {type: cloudify.nodes.Compute, capabilities: {scalable: {properties: {default_instances: 2}}}}
  absent: {type: cloudify.nodes.Root, capabilities: {scalable: {properties: {default_instances: {get_input: none}}}}}
groups: {g: {members: [web]}}
policies:
  p: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: {get_input: many}}}
"""
        + outputs(all="{get_attributes_list: [web, ip]}", one="{get_attribute: [web, ip]}"),
        nodes={"web": [{"ip": number} for number in range(6)]},
    )
    assert found["nodes"]["web"]["instances"] == 6
    assert found["nodes"]["absent"]["instances"] == 0
    assert found["outputs"]["all"] == [0, 1, 2, 3, 4, 5]
    assert found["outputs"]["one"].startswith("<ERROR")  # as a manager shows it
    assert found["groups"]["g"]["members"] == ["web"]
    assert found["groups"]["g"]["scaling"]["default_instances"] == 3
    assert found["policies"]["p"]["properties"]["default_instances"] == 3


def test_single_values_that_are_refused(ask: Ask) -> None:
    found = ask(
        HEAD
        + """
inputs: {list: {default: [a]}}
node_templates:
  web:
    type: cloudify.nodes.Compute
    properties: {ip: {string_upper: {get_attribute: [web, other]}}, os_family: {get_input: [list, 0]}}
    interfaces: {my.op: {run: {implementation: run.sh, inputs: {bad: {get_input: [list, 5]}, good: 1}}}}
"""
        + outputs(bad="[1, {get_input: [list, 5]}]", good="{get_input: list}", secret="{concat: [x, {get_secret: s}]}")
    )
    web = found["nodes"]["web"]
    assert web["properties"]["ip"] is None
    assert web["properties"]["os_family"] == "a"
    assert web["operations"]["my.op.run"]["inputs"] == {"bad": None, "good": 1}
    assert found["outputs"] == {"bad": [1, None], "good": ["a"], "secret": None}
    assert "should not be a function" in message(found, "nodes", "web", "properties", "ip")
    assert "index 5" in message(found, "nodes", "web", "operations", "my.op.run", "inputs", "bad")
    assert "index 5" in message(found, "outputs", "bad", 1)
    assert "s is not there" in message(found, "outputs", "secret")
    assert len(found["errors"]) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("node_templates: {a: {type: no.such.Type}}", "Could not locate node type: 'no.such.Type'"),
        ("node_templates: {a: {type: cloudify.nodes.Root, properties: {x: 1}}}", "'x' property is not part"),
        ("outputs: {o: {value: {get_input: missing}}}", "unknown input 'missing'"),
        ("inputs: {i: {}}", "Required inputs ['i']"),
        ("inputs: {i: {constraints: [{equal: 1}], default: 2}}", "constraint"),
        ("node_templates: {a: {type: cloudify.nodes.Root, interfaces: {i: {o: no.such.plugin}}}}", "Could not extract"),
        ("sections: 1", "'sections' is not in schema"),
        ("a: [", "Illegal yaml"),
    ],
)
def test_blueprints_that_are_refused(ask: Ask, engine: Engine, tmp_path: Path, text: str, said: str) -> None:
    document = tmp_path / "refused.yaml"
    document.write_text(HEAD + text)
    imports = engine_imports(yaml.safe_load(HEAD), Files(tmp_path))
    assert said in engine.ask({"document": str(document), "imports": imports})["error"]
    assert ask(HEAD)["nodes"] == {}  # the next request is answered


def test_versions_are_checked(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "new.yaml").write_text("tosca_definitions_version: cloudify_dsl_1_5\n")
    assert "different tosca_definitions_version" in ask(HEAD.replace("]", ", new.yaml]"))["error"]
    assert "cloudify_dsl_2_0" in ask(HEAD.replace("1_3", "2_0"))["error"]
    assert "not supported in version" in ask(HEAD.replace("1_3", "1_2") + "resource_tags: {a: b}\n")["error"]


def test_broken_requests(engine: Engine) -> None:
    for request in ({}, {"document": 5}, {"document": "/no/such/file"}):
        assert engine.ask(request)["error"]


def test_properties_in_a_circle_are_no_endless_wait(ask: Ask) -> None:
    found = ask(
        HEAD + "node_templates: {a: {type: cloudify.nodes.Compute, properties: {ip: {get_property: [SELF, ip]}}}}"
    )
    assert "error" in found or found["errors"]


def test_what_unknown_imports_may_define_is_assumed(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(
        "node_types: {my.App: {derived_from: other.Base, properties: {port: {default: 80}}}}\n"
        "node_templates:\n"
        "  side:\n"
        "    type: other.SideServer\n"
        "    properties: {a: 1}\n"
        "    interfaces: {i: {o: {implementation: fab.tasks.run, inputs: {x: {get_property: [SELF, a]}}}}}\n"
        "    relationships: [{type: other.contained_in_x, target: host, properties: {p: 1}}]\n"
        "  host: {type: cloudify.nodes.Compute}\n"
    )
    found = ask(
        UNKNOWN.replace("]", ", ns--part.yaml]")
        + "node_templates: {app: {type: ns--my.App, properties: {extra: 1}}}\n"
        + "groups: {g: {members: [app], policies: {p: {type: some.policy, properties: {x: 1}}}}}\n"
    )
    assert found["assumed"] == [
        "imports.plugin:unknown",
        "node_types.ns--other.Base",
        "node_types.ns--other.SideServer",
        "relationships.ns--other.contained_in_x",
        "policy_types.some.policy",
        "plugins.ns--fab",
    ]
    assert found["nodes"]["app"]["properties"].items() >= {"port": 80, "extra": 1}.items()
    side = found["nodes"]["ns--side"]
    assert side["properties"]["os_family"] == "linux"  # a server
    assert side["relationships"][0]["target"] == "ns--host"
    assert side["operations"]["i.o"]["inputs"] == {"x": 1}


def test_without_the_core_types(engine: Engine, tmp_path: Path) -> None:
    document = tmp_path / "blueprint.yaml"
    document.write_text(HEAD + APPLICATION)
    found = engine.ask({"document": str(document)})
    assert found["nodes"]["web"]["properties"] == {"ip": "fallback"}
    assert "node_types.cloudify.nodes.Compute" in found["assumed"]


def test_keys_are_texts_as_on_a_manager(ask: Ask) -> None:
    found = ask(HEAD + outputs(map="{5: five, yes: no, when: 2001-01-31}", text="{concat: [yes, 1.50]}"))
    assert found["outputs"] == {"map": {"5": "five", "true": False, "when": "2001-01-31"}, "text": "True1.5"}


def test_the_same_answer_again(ask: Ask) -> None:
    text = (
        HEAD
        + "node_templates: {a: {type: cloudify.nodes.Root}}\n"
        + outputs(o="{get_attribute: [a, node_instance_id]}")
    )
    assert ask(text) == ask(text)


def test_requests_in_a_row_about_the_same_files(ask: Ask, tmp_path: Path) -> None:
    """What was parsed is used again, and not where a file, or what is imported, is another one by now."""
    own = tmp_path / "own.yaml"
    text = HEAD.replace("]", ", own.yaml]") + "inputs: {i: {default: 1}}\n" + outputs(o="{get_input: i}")
    types = "node_types: {own: {derived_from: cloudify.nodes.Root, properties: {p: {default: %s}}}}\n"
    text += "node_templates: {one: {type: own}}\n"
    for default in (1, 2):
        own.write_text(types % default)
        for given in (1, 2):
            answer = ask(text, inputs={"i": given})
            assert (answer["outputs"]["o"], answer["nodes"]["one"]["properties"]["p"]) == (given, default)
    own.unlink()
    assert "own.yaml" in str(ask(text).get("error", ask(text).get("assumed")))
