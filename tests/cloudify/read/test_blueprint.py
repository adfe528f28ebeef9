"""A blueprint as a neutral template: the whole, operations, instances, other sections."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from blueprints_read import COMPAT, DATA, HEAD, OPEN, OPENSTACK, Found, Lifted, one_node

from bpconvert.diagnostics import Span
from bpconvert.models.expressions import MISSING, Attribute, Foreign, Input, Property, Value

# -- the whole ----------------------------------------------------------------------------------------------


def test_topology(read: Any) -> None:
    text = "outputs: {o: {value: 1, description: d}}\ncapabilities: {c: {value: {get_input: i}}}\n"
    done = read(f"description: text\ninputs: {{i: {{}}}}\n{text}")
    topology = done.topology
    assert (topology.dialect, topology.version, topology.description) == ("cloudify", "cloudify_dsl_1_4", "text")
    assert (topology.outputs["o"].value, topology.outputs["o"].description) == (1, "d")
    assert topology.capabilities["c"].value == Input("i", strict=True)
    assert topology.capabilities["c"].value.path == ("capabilities", "c", "value")
    assert topology.outputs["o"].path == ("outputs", "o")
    assert not done.diagnostics


def test_last_step_folds_branches(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("bpconvert.translators.cloudify.read.branches.fold_branches", lambda *given: seen.append(given))
    done = read("inputs: {a: {type: integer}, b: {type: float}}\n")
    assert [(topology, integers) for topology, _, integers, _ in seen] == [(done.topology, ["a"])]


@pytest.mark.parametrize(
    ("text", "path", "code"),
    [
        ("inputs: {a: {label: x}}\n", ("inputs", "a", "label"), "BPC120"),
        ("nodes: {}\n", ("nodes",), "BPC120"),
        ("node_templates: {n: {properties: {}}}\n", ("node_templates", "n"), "BPC121"),
        ("inputs: {a: {type: operation_name}}\n", ("inputs", "a", "type"), "BPC121"),
    ],
)
def test_mistakes(read: Any, text: str, path: tuple[Any, ...], code: str) -> None:
    assert (code, path) in read(text).found


def test_mistake_in_an_imported_file(read: Any, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("inputs: {a: {label: x}}\n")
    done = read("", HEAD.replace("]", ", a.yaml]"), tmp_path)
    assert set(done.found) == {("BPC120", ("inputs", "a", "label")), ("BPC140", ("imports", 1))}
    (found,) = (one for one in done.diagnostics if one.code == "BPC120")
    assert (found.span, found.importer) == (Span("a.yaml", 1, 14), "main.yaml")


@pytest.mark.parametrize(
    ("value", "path", "expected"),
    [
        ("{concat: 5}", (), Foreign("cloudify", "concat", 5)),
        ("{x: [{get_property: [n]}]}", ("x", 0), {"x": [Foreign("cloudify", "get_property", ["n"])]}),
    ],
)
def test_call_that_is_refused(read: Any, value: str, path: tuple[Any, ...], expected: Value) -> None:
    done = read(f"outputs: {{o: {{value: {value}}}}}\n")
    assert done.found == [("BPC156", ("outputs", "o", "value", *path))]
    assert done.topology.outputs["o"].value == expected


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("{get_input: nope}", True),
        ("{get_input: [nope, a]}", True),
        ("{concat: [{get_attribute: [nope, ip]}]}", True),
        ("{get_property: [nope, a]}", True),
        ("{get_attributes_dict: [nope, a]}", True),
        ("{get_input: {get_secret: x}}", False),
        ("{get_property: [{get_input: i}, a]}", False),
        ("{get_input: i}", False),
    ],
)
def test_references_to_nothing(read: Any, value: str, found: bool, tmp_path: Path) -> None:
    text = f"inputs: {{i: {{}}}}\noutputs: {{o: {{value: {value}}}}}\n"
    assert ("BPC121" in [code for code, _ in read(text).found]) is found
    # what a file that cannot be read defines is not known
    assert "BPC121" not in [code for code, _ in read(text, HEAD.replace("]", ", missing.yaml]"), tmp_path).found]


def test_facts_are_not_loaded_for_hot() -> None:
    """hot2cfy must not pay for the facts about node types."""
    program = "import sys, bpconvert; bpconvert.convert('heat_template_version: 2018-08-31\\n');"
    program += "print([m for m in sys.modules if m.endswith(('node_types', 'raw_nodes', 'cloudify.lift'))])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout.strip() == "[]"


# -- operations ---------------------------------------------------------------------------------------------

#: the parser writes the type of an input into a map that is its value
TYPED = {"x": Property("n", "q"), "type": "dict"}
Z = Attribute("n", "z")
OPERATIONS = """
node_types:
  base:
    interfaces:
      life:
        create:
          implementation: p.create
          inputs: {a: {default: 1}, b: {type: dict, default: {x: {get_property: [SELF, q]}}}}
          max_retries: 3
        start: p.start
        stop: {}
  t:
    derived_from: base
    interfaces: {life: {start: {implementation: p.other, executor: host_agent}, heal: p.heal}}
"""


def operations(done: Lifted, name: str = "n") -> dict[str, tuple[Any, ...]]:
    found = done.nodes[name].operations
    return {f"{o.interface}.{o.name}": (o.implementation, o.inputs, o.extra) for o in found}


def test_operations_of_types(read: Any) -> None:
    done = read(OPERATIONS + one_node())
    inputs = {"a": 1, "b": TYPED}
    assert operations(done) == {
        "life.create": ("p.create", inputs, {"max_retries": 3}),
        "life.start": ("p.other", {}, {"executor": "host_agent"}),
        "life.heal": ("p.heal", {}, {}),
    }
    assert done.nodes["n"].operations[0].path == ("node_types", "base", "interfaces", "life", "create")


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        # the type's implementation: its inputs, completed
        ("create: {inputs: {a: 5, c: 6}}", ("p.create", {"a": 5, "b": TYPED, "c": 6}, {"max_retries": 3})),
        ("create: {inputs: {a: 5, b: 0}, max_retries: 0}", ("p.create", {"a": 5, "b": 0}, {"max_retries": 0})),
        # another one: nothing of the type's
        ("create: {implementation: q.create, inputs: {a: {get_attribute: [SELF, z]}}}", ("q.create", {"a": Z}, {})),
        ("create: scripts/create.sh", ("scripts/create.sh", {}, {})),
        ("create: {}", None),
        ("create: null", None),
    ],
)  # fmt: skip
def test_own_operations(read: Any, own: str, expected: Any) -> None:
    done = read(OPERATIONS + one_node(more=f"    interfaces: {{life: {{{own}}}}}\n"))
    assert operations(done).get("life.create") == expected
    assert operations(done)["life.heal"] == ("p.heal", {}, {})
    assert "BPC153" not in [code for code, _ in done.found]


@pytest.mark.parametrize(
    ("declared", "own", "place"),
    [
        ("{a: {}}", "", ("node_types", "t", "interfaces", "i", "go")),
        ("{a: {}}", "{inputs: {b: 1}}", ("node_templates", "n", "interfaces", "i", "go")),
        (
            "{a: {type: integer, default: x}}",
            "",
            ("node_types", "t", "interfaces", "i", "go", "inputs", "a", "default"),
        ),
    ],
)
def test_inputs_of_operations_that_the_parser_refuses(read: Any, declared: str, own: str, place: Any) -> None:
    types = f"node_types: {{t: {{interfaces: {{i: {{go: {{implementation: p.x, inputs: {declared}}}}}}}}}}}\n"
    done = read(types + one_node(more=f"    interfaces: {{i: {{go: {own}}}}}\n" if own else ""))
    assert done.found == [("BPC121", place), ("BPC149", ("node_types", "t"))]


def test_data_typed_inputs_of_operations(read: Any) -> None:
    types = "node_types: {t: {interfaces: {i: {go: {implementation: p.x, inputs: {a: {type: inner, default: {}}}}}}}}\n"
    done = read(DATA + types + one_node())
    assert operations(done)["i.go"][1] == {"a": {"x": 1, "type": "inner"}}


GIVEN = "    interfaces: {cloudify.interfaces.lifecycle: {create: {inputs: {args: {a: 1}}}, start: {}}}\n"


@pytest.mark.parametrize(
    ("kind", "head", "module"),
    [
        ("cloudify.nodes.openstack.Server", OPENSTACK, "openstack.openstack_plugin.resources.compute.server"),
        ("cloudify.openstack.nodes.Server", COMPAT, "openstack.openstack_plugin.resources.compute.server"),
        ("cloudify.openstack.nodes.Server", OPENSTACK, "openstack.nova_plugin.server"),
    ],
)
def test_inputs_for_an_operation_of_the_plugin(read: Any, kind: str, head: str, module: str) -> None:
    """An operation of a built-in type is there when the node gives it something; otherwise it goes without saying."""
    done = read(one_node("{}", kind, GIVEN), head)
    assert operations(done) == {"cloudify.interfaces.lifecycle.create": (f"{module}.create", {"args": {"a": 1}}, {})}
    assert done.found == []


def test_operation_that_the_plugin_does_not_have(read: Any) -> None:
    """Without an implementation nothing runs, whatever is given."""
    text = "    interfaces: {cloudify.interfaces.lifecycle: {start: {inputs: {a: 1}}}}\n"
    done = read(one_node("{}", "cloudify.nodes.openstack.Port", text), OPENSTACK)
    assert operations(done) == {}
    assert done.found == []


def test_inputs_for_an_unknown_operation(read: Any) -> None:
    done = read(one_node("{}", "theirs", GIVEN), OPEN)
    place = ("node_templates", "n", "interfaces", "cloudify.interfaces.lifecycle", "create")
    assert done.found == [("BPC141", ("imports", 1)), ("BPC153", place)]
    assert done.nodes["n"].operations == []


def test_relationship_operations(read: Any) -> None:
    text = """
relationships:
  r:
    derived_from: cloudify.relationships.connected_to
    source_interfaces: {est: {pre: {implementation: p.pre, inputs: {x: {default: {get_attribute: [TARGET, ip]}}}}}}
node_templates:
  a: {type: cloudify.nodes.Root}
  b:
    type: cloudify.nodes.Root
    relationships:
      - type: r
        target: a
        target_interfaces: {est: {post: {implementation: p.post, inputs: {y: {get_property: [SOURCE, z]}}}}}
"""
    pre, post = read(text).nodes["b"].relationships[0].operations
    assert (pre.implementation, pre.host, pre.target, pre.inputs) == (
        "p.pre",
        "source",
        "a",
        {"x": Attribute("a", "ip")},
    )
    assert (post.implementation, post.host, post.target, post.inputs) == (
        "p.post",
        "target",
        "a",
        {"y": Property("b", "z")},
    )
    place = ("node_templates", "b", "relationships", 0, "target_interfaces", "est", "post")
    assert (post.path, post.inputs["y"].path) == (place, (*place, "inputs", "y"))


# -- instances ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "reported"),
    [
        ("instances: {deploy: 3}", 3, []),
        ("instances: {deploy: 1}", MISSING, []),
        ("capabilities: {scalable: {properties: {default_instances: 2}}}", 2, []),
        ("capabilities: {scalable: {properties: {default_instances: 0}}}", 0, []),
        ("capabilities: {scalable: {properties: {default_instances: 1}}}", MISSING, []),
        ("capabilities: {scalable: {}}", MISSING, []),
        ("capabilities: {scalable: {properties: {default_instances: {get_input: i}}}}", Input("i", strict=True), []),
        ("capabilities: {scalable: {properties: {min_instances: 0, max_instances: UNBOUNDED}}}", MISSING, []),
        ("capabilities: {scalable: {properties: {min_instances: 1, max_instances: 5}}}", MISSING, []),
        ("capabilities: {scalable: {properties: {min_instances: 1}}}", MISSING, ["min_instances"]),
    ],
)
def test_instances(read: Any, text: str, expected: Value, reported: list[str]) -> None:
    done = read("inputs: {i: {}}\n" + one_node("{}", "cloudify.nodes.Root", f"    {text}\n"))
    assert done.nodes["n"].instances == expected
    place = ("node_templates", "n", "capabilities", "scalable", "properties")
    assert done.found == [("BPC152", (*place, name)) for name in reported]


LIMIT = ("policies", "p", "properties", "min_instances")
GROUPS = """
inputs: {i: {}}
node_templates:
  n: {type: cloudify.nodes.Root}
  m: {type: cloudify.nodes.Root}
  s: {type: cloudify.nodes.Root, instances: {deploy: 2}}
"""


@pytest.mark.parametrize(
    ("members", "properties", "expected", "reported"),
    [
        ("[n]", "{default_instances: 3}", 3, []),
        ("[n]", "{default_instances: {get_input: i}}", Input("i", strict=True), []),
        ("[n]", "{default_instances: 3, max_instances: 5}", 3, []),
        ("[n]", "{default_instances: 3, min_instances: 2}", 3, [("BPC152", LIMIT)]),
        ("[n]", "{default_instances: 1}", MISSING, [("BPC154", ("policies", "p"))]),
        ("[n, m]", "{}", MISSING, [("BPC154", ("policies", "p"))]),
        ("[n, m]", "{default_instances: 2}", MISSING, []),
        ("[s]", "{default_instances: 2}", MISSING, []),
        ("[h]", "{default_instances: 2}", MISSING, []),
    ],
)  # fmt: skip
def test_scaling_groups(read: Any, members: str, properties: str, expected: Value, reported: Found) -> None:
    groups = f"groups: {{g: {{members: {members}}}, h: {{members: [m]}}}}\n"
    policies = f"policies: {{p: {{type: cloudify.policies.scaling, targets: [g], properties: {properties}}}}}\n"
    done = read(GROUPS + groups + policies)
    assert done.nodes["n"].instances == expected
    assert done.found == [*reported, ("BPC147", ("groups", "h"))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("groups: {g: {members: [n]}}", [("BPC147", ("groups", "g"))]),
        ("groups: {g: {members: [n], policies: {a: {type: x}}}}", [("BPC148", ("groups", "g"))]),
        ("groups: {g: {members: [x]}}", [("BPC120", ("groups", "g", "members")), ("BPC147", ("groups", "g"))]),
        ("policies: {p: {type: other, targets: [g]}}", [("BPC120", ("policies", "p", "type"))]),
        ("policies: {p: {type: cloudify.policies.scaling, targets: [g]}}", [("BPC120", ("policies", "p", "targets"))]),
    ],
)
def test_groups_and_policies(read: Any, text: str, expected: Found) -> None:
    assert read(f"{GROUPS}{text}\n").found == expected


# -- other sections -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("labels: {a: {values: [x]}}", [("BPC147", ("labels", "a"))]),
        ("blueprint_labels: {a: {values: [x]}}", [("BPC147", ("blueprint_labels", "a"))]),
        ("resource_tags: {a: b}", [("BPC147", ("resource_tags", "a"))]),
        ("metadata: {a: b, bpconvert: {c: d}}", [("BPC147", ("metadata", "a"))]),
        ("metadata: {a: b, e: f, bpconvert: {c: d}}", [("BPC147", ("metadata",))]),
        ("metadata: {bpconvert: {c: d}}", []),
        ("plugins: {a: {executor: host_agent, install: false}}", [("BPC147", ("plugins", "a"))]),
        ("policy_types: {a: {source: b}}", [("BPC147", ("policy_types", "a"))]),
        ("policy_triggers: {a: {source: b}}", [("BPC147", ("policy_triggers", "a"))]),
        ("imported_blueprints: [a]", [("BPC147", ("imported_blueprints",))]),
        ("workflows: {a: p.b, c: {mapping: p.d}}", [("BPC148", ("workflows", "a")), ("BPC148", ("workflows", "c"))]),
        ("deployment_settings: {id_template: a}", [("BPC147", ("deployment_settings", "id_template"))]),
        (
            "deployment_settings: {default_schedules: {s: {workflow: w, since: now}}}",
            [("BPC148", ("deployment_settings", "default_schedules"))],
        ),
        ("relationships: {r: {}}", [("BPC149", ("relationships", "r"))]),
        ("data_types: {d: {}}", [("BPC149", ("data_types", "d"))]),
        ("node_types: {bpconvert.nodes.HeatResource: {}}", []),
        ("dsl_definitions: {a: &a 5}\noutputs: {o: {value: *a}}", []),
        ("labels:\nmetadata:\nworkflows: {}", []),
    ],
)
def test_sections_without_neutral_form(read: Any, text: str, expected: Found) -> None:
    assert read(text + "\n").found == expected


def test_definitions_that_nothing_uses(read: Any) -> None:
    text = (
        "dsl_definitions:\n  a: &a 1\n  b: &b {c: 2}\n  d: &d {k: *b}\n"
        "  e: &e {f: &f 3}\n  g: &g {h: *e}\n  i: {j: 4}\n"
        "inputs: {x: {default: {y: *a, <<: *d}}, z: {default: *f}}\n"
    )
    found = [path for code, path in read(text).found if code == "BPC147"]
    assert found == [("dsl_definitions", "g"), ("dsl_definitions", "i")]


def test_sections_of_imported_files_are_reported_together(read: Any, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "labels: {a: {values: [x]}, b: {values: [y]}}\nnode_types: {t: {}, u: {}}\nworkflows: {w: p.x, v: p.y}\n"
    )
    done = read("", HEAD.replace("]", ", a.yaml]"), tmp_path)
    assert [code for code, _ in done.found] == ["BPC140", "BPC147", "BPC148", "BPC148"]
    assert {path[0] for _, path in done.found} == {"imports", "workflows"}


# -- more of what the parser refuses ------------------------------------------------------------------------


def test_defaults_in_a_circle(read: Any) -> None:
    text = "a: {default: {get_input: b}}, b: {default: {get_input: a}}, c: {default: {get_input: c}}, d: {default: 1}"
    done = read(f"inputs: {{{text}}}")
    assert [entry for entry in done.found if entry[0] == "BPC156"] == [
        ("BPC156", ("inputs", "a", "default")),
        ("BPC156", ("inputs", "b", "default")),
    ]


def test_two_containers(read: Any) -> None:
    inside = "{type: cloudify.relationships.contained_in, target: %s}"
    nodes = "a: {type: cloudify.nodes.Root}, b: {type: cloudify.nodes.Root}"
    relationships = f"relationships: [{inside % 'a'}, {inside % 'b'}]"
    done = read(f"node_templates: {{{nodes}, c: {{type: cloudify.nodes.Root, {relationships}}}}}")
    assert ("BPC121", ("node_templates", "c", "relationships", 1)) in done.found


def test_a_required_property_of_a_derived_type(read: Any) -> None:
    done = read(
        "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {p: {type: integer}, q: {required: false}}}}\n"
        "node_templates: {n: {type: t}}"
    )
    found = [(d.path, d.message) for d in done.diagnostics if d.code == "BPC121"]
    assert [path for path, _ in found] == [("node_templates", "n")]
    assert "'p'" in found[0][1]


def test_inputs_of_operations_that_nothing_implements(read: Any) -> None:
    interfaces = "interfaces: {cloudify.interfaces.lifecycle: {create: {inputs: {a: 1}}}}"
    done = read(f"node_templates: {{n: {{type: cloudify.nodes.Root, {interfaces}}}}}")
    place = ("node_templates", "n", "interfaces", "cloudify.interfaces.lifecycle", "create")
    assert ("BPC147", place) in done.found


def test_mistakes_in_imported_files_name_the_file(read: Any, tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text("node_templates: {n: {type: nowhere}}")
    done = read("", HEAD.replace("]", ", more.yaml]"), tmp_path)
    assert any(d.code == "BPC121" and d.file == "more.yaml" for d in done.diagnostics)
