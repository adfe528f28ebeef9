"""The model of the Cloudify DSL: keys, short forms, versions, writing. Verdicts are those of cloudify-common 7.0.5."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml

from bpconvert.models import cloudify_rules
from bpconvert.models.cloudify_checks import check_blueprint, to_data
from bpconvert.models.plain import cloudify, validate
from bpconvert.models.plain import cloudify_declarations as dsl

BLUEPRINT = yaml.safe_load("""
tosca_definitions_version: cloudify_dsl_1_5
description: text
imports: [cloudify/types/types.yaml, {'plugin:x': {p: 1}}]
dsl_definitions: {a: 1}
inputs:
  a:
    type: string
    description: d
    default: x
    required: true
    constraints: [{pattern: x}, {min_length: 1, error_message: m}]
    display_label: l
    hidden: false
  b: {type: list, item_type: string}
  c: {type: textarea, display: {rows: 3}}
  d: {}
plugins:
  p:
    executor: central_deployment_agent
    source: x
    install: false
    install_arguments: x
    package_name: p
    package_version: '1'
    supported_platform: any
    distribution: d
    distribution_version: v
    distribution_release: r
    properties_description: x
    properties: {q: {type: string, description: d, display_label: x, value: 1}}
data_types:
  dt: {derived_from: base, description: d, version: v, properties: {x: {type: string, default: a, required: false}}}
node_types:
  t:
    derived_from: base
    properties: {x: {type: integer, description: d, default: 1, required: false}}
    runtime_properties: {r: {type: string}}
    interfaces: {i: {o: {implementation: p.f, inputs: {z: {type: string, default: v}}}, n: p.g, e: {}}}
relationships:
  rt:
    derived_from: cloudify.relationships.depends_on
    properties: {connection_type: {default: all_to_all}}
    source_interfaces: {i: {o: p.f}}
    target_interfaces: {i: {o: {}}}
node_templates:
  n:
    type: t
    properties: {x: 2}
    capabilities: {scalable: {properties: {default_instances: 1, min_instances: 0, max_instances: UNBOUNDED}}}
    interfaces:
      i:
        o:
          implementation: p.h
          executor: host_agent
          inputs: {k: 1}
          max_retries: 1
          retry_interval: 2.5
          timeout: 3
          timeout_recoverable: true
        n: p.g
        e: {}
    relationships:
    - type: rt
      target: m
      properties: {connection_type: all_to_one}
      source_interfaces: {i: {o: {inputs: {a: 1}}}}
      target_interfaces: {i: {o: p.f}}
  m: {type: t, instances: {deploy: 1}}
policy_types: {pt: {source: s, properties: {x: {default: 1}}}}
policy_triggers: {tr: {source: s, parameters: {x: {default: 1}}}}
groups:
  g: {members: [n, m], policies: {gp: {type: pt, properties: {x: 1}, triggers: {t: {type: tr, parameters: {x: 1}}}}}}
policies:
  s: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: {get_input: a}}}
workflows:
  w:
    mapping: p.w
    parameters: {x: {type: string, default: a, constraints: [{pattern: a}]}}
    is_cascading: true
    availability_rules: {available: true, node_instances_active: [all], node_types_required: [t]}
  v: p.v
outputs: {o: {description: d, value: 1}}
capabilities: {c: {description: d, value: false}}
labels: {l: {values: [a, {get_input: a}]}}
blueprint_labels: {l: {values: [a]}}
resource_tags: {r: 1}
deployment_settings:
  id_template: x
  display_name: {concat: [a]}
  default_groups: [a]
  default_schedules:
    s:
      workflow: w
      since: '+1h'
      until: '+2h'
      recurrence: 1 days
      timezone: UTC
      weekdays: [mo]
      count: 1
      default_enabled: true
      stop_after_fail: true
      slip: 1
      workflow_parameters: {a: 1}
      execution_arguments: {force: true, is_dry_run: true, wait_after_fail: 1, allow_custom_parameters: true}
metadata: {a: {b: null}}
""")


def changed(place: str, value: Any) -> Any:
    path = [int(step) if step.isdigit() else step for step in place.split("/")]
    data = node = copy.deepcopy(BLUEPRINT)
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return data


def keys_of(data: Any) -> Any:
    """The order of all keys."""
    if isinstance(data, dict):
        return [(key, keys_of(value)) for key, value in data.items()]
    return [keys_of(item) for item in data] if isinstance(data, list) else None


def test_every_key_is_read_and_written_in_order() -> None:
    blueprint, problems = validate(cloudify.Blueprint, BLUEPRINT)
    assert problems + check_blueprint(blueprint) == []
    assert to_data(blueprint) == BLUEPRINT
    assert keys_of(to_data(blueprint)) == keys_of(BLUEPRINT)
    assert blueprint.node_templates["n"].properties is BLUEPRINT["node_templates"]["n"]["properties"]
    assert blueprint.metadata is BLUEPRINT["metadata"]
    assert blueprint.workflows["v"].mapping == "p.v"


def test_built_instances_are_validated_and_written() -> None:
    node = cloudify.NodeTemplate(
        type="cloudify.nodes.Root",
        properties={"a": {"concat": ["x", {"get_input": "i"}]}},
        interfaces={"i": {"create": dsl.Operation(implementation="p.f"), "delete": dsl.Operation()}},
        relationships=[cloudify.Relationship(type="t", target="m")],
    )
    blueprint = cloudify.Blueprint(
        tosca_definitions_version="cloudify_dsl_1_3",
        metadata={"x": None},
        inputs={"i": dsl.Input(type="string", default="")},
        node_templates={"n": node},
        outputs={"o": cloudify.Output(value={})},
    )
    data = to_data(blueprint)
    assert list(data) == ["tosca_definitions_version", "inputs", "node_templates", "outputs", "metadata"]
    assert data["inputs"] == {"i": {"type": "string", "default": ""}}
    assert data["node_templates"]["n"]["interfaces"] == {"i": {"create": "p.f", "delete": {}}}
    assert data["outputs"] == {"o": {"value": {}}}
    assert data["metadata"] == {"x": None}
    assert validate(cloudify.Blueprint, data) == (blueprint, [])


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("inputs", None),
        ("inputs/d", None),
        ("inputs/a/type", None),
        ("inputs/a/default", None),
        ("node_templates", None),
        ("node_templates/n/properties", None),
        ("node_templates/n/interfaces", None),
        ("node_templates/n/interfaces/i/o", None),
        ("node_templates/n/relationships", None),
        ("node_templates/n/interfaces/i/o/max_retries", -1),
        ("node_templates/n/interfaces/i/o/timeout", True),
        ("outputs/o/value", False),
        ("outputs/o/value", True),
        ("resource_tags", None),
        ("namespaces_mapping", {}),
    ],
)
def test_accepted(place: str, value: Any) -> None:
    assert validate(cloudify.Blueprint, changed(place, value))[1] == []


@pytest.mark.parametrize(
    ("place", "value", "text"),
    [
        ("upload_resources", {}, "unknown section 'upload_resources' of a blueprint"),
        ("inputs", [], "'inputs' of a blueprint must be a map, not a list"),
        ("inputs/a/label", "l", "unknown key 'label' of an input"),
        ("inputs/a/required", "yes", "'required' of an input must be true or false, not the text 'yes'"),
        ("inputs/a/type", 5, "'type' of an input must be text, not the number 5"),
        ("inputs/a/constraints/0", {"range": [1, 2]}, "has the unknown operator 'range'"),
        ("inputs/a/constraints/0", {"min_length": "1"}, "needs a number for 'min_length', not the text '1'"),
        ("inputs/a/constraints/0", {"greater_than": True}, "needs a number for 'greater_than', not the boolean true"),
        ("inputs/a/constraints/0", {"in_range": [1]}, "needs two numbers for 'in_range'"),
        ("inputs/a/constraints/0", {"valid_values": "a"}, "needs a list for 'valid_values'"),
        ("inputs/a/constraints/0", {"pattern": "("}, "no regular expression"),
        ("inputs/a/constraints/0", {}, "does not say what is allowed"),
        ("imports", "types.yaml", "'imports' of a blueprint must be a list"),
        ("imports/0", {"a": 1, "b": 2}, "must be texts, or maps of one text to properties, not a map"),
        ("plugins/p/executor", "me", "must be central_deployment_agent or host_agent"),
        ("plugins/p", {}, "'executor' of a plugin is missing"),
        ("plugins/p/install", "yes", "'install' of a plugin must be true or false"),
        ("data_types/dt/version", 1, "'version' of a data type must be text"),
        ("node_types/t/description", "d", "unknown key 'description' of a node type"),
        ("node_types/t/properties/x/constraints", [], "unknown key 'constraints' of a property"),
        ("relationships/rt/interfaces", {}, "unknown key 'interfaces' of a relationship type"),
        ("node_templates/n", {"properties": {}}, "'type' of a node template is missing"),
        ("node_templates/n/metadata", {}, "unknown key 'metadata' of a node template"),
        ("node_templates/n/properties", [], "'properties' of a node template must be a map, not a list"),
        ("node_templates/n/relationships", {}, "'relationships' of a node template must be a list, not a map"),
        ("node_templates/n/relationships/0", {"target": "m"}, "'type' of a relationship is missing"),
        ("node_templates/n/relationships/0", {"depends_on": "m"}, "unknown key 'depends_on' of a relationship"),
        ("node_templates/n/capabilities/endpoint", {}, "unknown key 'endpoint' of a node's capabilities"),
        ("node_templates/n/capabilities/scalable/properties/max_instances", 0, "must be 1 or more, or UNBOUNDED"),
        ("node_templates/n/capabilities/scalable/properties/min_instances", "1", "must be a whole number"),
        ("node_templates/m/instances", {}, "'deploy' of instances is missing"),
        ("node_templates/n/interfaces/i/o/executor", "x", "must be central_deployment_agent or host_agent"),
        ("node_templates/n/interfaces/i/o/max_retries", -2, "must be -1 (without end) or more"),
        ("node_templates/n/interfaces/i/o/timeout", "5", "must be a number, not the text '5'"),
        ("node_templates/n/interfaces/i/o", [], "operation 'o' must be a map, not a list"),
        ("groups/g/members", [], "must name one node or more"),
        ("groups/g/policies/gp", {}, "'type' of a group policy is missing"),
        ("policies/s/targets", None, "must be a list, not null"),
        ("workflows/w/mapping", None, "'mapping' of a workflow must be text, not null"),
        ("workflows/w/availability_rules/node_instances_active", ["x"], "must be all, partial or none"),
        ("outputs/o", "text", "output 'o' must be a map"),
        ("outputs/o/value", None, "'value' of an output must not be null"),
        ("capabilities/c", {}, "'value' of a capability is missing"),
        ("labels/l/values", [1], "must be texts or functions, not the number 1"),
        ("blueprint_labels/l/values", [{"get_input": "a"}], "must be texts, not a map"),
        ("deployment_settings/default_schedules/s/since", None, "'since' of a schedule must be text, not null"),
        ("deployment_settings/extra", 1, "unknown key 'extra' of the deployment settings"),
        ("metadata", "text", "'metadata' of a blueprint must be a map"),
    ],
)
def test_refused(place: str, value: Any, text: str) -> None:
    data = changed(place, value)
    before = copy.deepcopy(data)
    blueprint, problems = validate(cloudify.Blueprint, data)
    assert data == before
    [problem] = [p for p in problems if text in p.text]
    assert "/".join(map(str, problem.path)) in (place, place.rpartition("/")[0], f"{place}/depends_on")
    assert isinstance(blueprint, cloudify.Blueprint)


def test_a_node_without_type_is_kept() -> None:
    blueprint, problems = validate(cloudify.Blueprint, {"node_templates": {"n": {"properties": {"a": 1}}, "m": None}})
    assert {name: node.type for name, node in blueprint.node_templates.items()} == {"n": "", "m": ""}
    assert blueprint.node_templates["n"].properties == {"a": 1}
    assert [p.path for p in problems] == [("node_templates", "n"), ("node_templates", "m")]


@pytest.mark.parametrize(
    ("section", "since"),
    [
        ("metadata: {merge: []}", "1_0"),
        ("inputs: {a: {type: textarea, default: x, constraints: [{length: 1}], display: {rows: 2}}}", "1_0"),
        ("outputs: {o: {value: {get_secret: x}}}", "1_0"),
        ("outputs: {o: {value: {string_upper: x}}}", "1_0"),
        ("outputs: {o: {value: {concat: 1, other: 2}}}", "1_0"),
        ("labels: {l: {values: [a]}}", "1_0"),
        ("groups: {g: {members: [n]}}", "1_0"),
        ("node_templates: {n: {type: t, instances: {deploy: 2}}}", "1_0"),
        ("node_types: {t: {runtime_properties: {}}}", "1_0"),
        ("workflows: {w: {mapping: p.w, is_cascading: true}}", "1_0"),
        ("node_templates: {n: {type: t, interfaces: {i: {o: {timeout: 1}}}}}", "1_0"),
        ("outputs: {o: {value: {a: [{concat: [a]}]}}}", "1_1"),
        ("outputs: {o: {value: {concat: [a], type: string}}}", "1_1"),
        ("node_templates: {n: {type: t, interfaces: {i: {o: {max_retries: 1}}}}}", "1_1"),
        ("node_templates: {n: {type: t, interfaces: {i: {o: {retry_interval: 1}}}}}", "1_1"),
        ("plugins: {p: {executor: host_agent, install_arguments: x}}", "1_1"),
        ("description: text", "1_2"),
        ("dsl_definitions: {a: 1}", "1_2"),
        ("data_types: {t: {}}", "1_2"),
        ("inputs: {a: {required: false}}", "1_2"),
        ("node_types: {t: {properties: {a: {required: false}}}}", "1_2"),
        ("plugins: {p: {executor: host_agent, package_name: x}}", "1_2"),
        ("node_templates: {n: {type: t, properties: {a: {merge: []}}}}", "1_3"),
        ("node_templates: {n: {type: t, capabilities: {scalable: {}}}}", "1_3"),
        ("policies: {p: {type: cloudify.policies.scaling, targets: [g]}}", "1_3"),
        ("inputs: {a: {display_label: x}}", "1_3"),
        ("inputs: {a: {hidden: true}}", "1_3"),
        ("resource_tags: {a: b}", "1_3"),
        ("inputs: {a: {type: list, item_type: string}}", "1_4"),
        ("inputs: {a: {type: secret_key}}", "1_4"),
        ("node_types: {t: {properties: {a: {type: node_id}}}}", "1_4"),
        ("workflows: {w: {mapping: p.w, availability_rules: {available: true}}}", "1_4"),
        ("inputs: {a: {type: operation_name}}", "1_5"),
        ("inputs: {a: {constraints: [{length: 1, error_message: x}]}}", "1_5"),
        ("plugins: {p: {executor: host_agent, properties: {}}}", "1_5"),
        ("imports: ['plugin:x': {a: 1}]", "1_5"),
    ],
)
def test_since(section: str, since: str) -> None:
    blueprint, problems = validate(cloudify.Blueprint, yaml.safe_load(section))
    assert problems == []
    for version in cloudify_rules.VERSIONS:
        assert bool(check_blueprint(blueprint, f"cloudify_dsl_{version}")) == (version < since), version


@pytest.mark.parametrize(("version", "text"), [(None, "is missing"), ("cloudify_dsl_1_6", "unknown version")])
def test_unknown_version(version: str | None, text: str) -> None:
    blueprint, _ = validate(cloudify.Blueprint, {"tosca_definitions_version": version})
    assert [text in problem.text for problem in check_blueprint(blueprint)] == [True]
