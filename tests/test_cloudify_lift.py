"""Blueprints to raw nodes, inputs, outputs: types, defaults, operations, constraints, and what is reported where."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.expressions import MISSING, Attribute, Concat, Foreign, Input, Property, Value, walk
from bpconvert.models.topology import Constraint, Topology
from bpconvert.translators.cloudify import neutral
from bpconvert.translators.cloudify.declarations import whole_pattern
from bpconvert.translators.cloudify.lift import lift
from bpconvert.translators.cloudify.neutral import RawNode
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import load

HEAD = "tosca_definitions_version: cloudify_dsl_1_4\nimports: [cloudify/types/types.yaml]\n"
OPENSTACK = HEAD.replace("]", ", plugin:cloudify-openstack-plugin]")
COMPAT = OPENSTACK.replace("]", ", 'https://example.org/cloudify-openstack-plugin/3.3.0/compat.yaml']")
OPEN = HEAD.replace("]", ", plugin:mine]")
Found = list[tuple[str, tuple[Any, ...]]]


class Lifted:
    """What came of a blueprint."""

    def __init__(self, topology: Topology, nodes: dict[str, RawNode], reporter: Reporter) -> None:
        self.topology = topology
        self.nodes = nodes
        self.diagnostics = reporter.diagnostics

    @property
    def found(self) -> Found:
        return [(d.code, d.path) for d in self.diagnostics]


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> dict[str, RawNode]:
    """The raw nodes that the next blueprint hands on."""
    kept: dict[str, RawNode] = {}
    monkeypatch.setattr(neutral, "neutralise", lambda topology, raw, catalogue, reporter: kept.update(raw))
    return kept


@pytest.fixture
def read(nodes: dict[str, RawNode]) -> Any:
    def run(text: str, head: str = HEAD, folder: Path | None = None) -> Lifted:
        nodes.clear()
        document = load(head + text, "main.yaml")
        reporter = Reporter(document)
        topology = lift(document, builtin(), reporter, Files(folder))
        return Lifted(topology, dict(nodes), reporter)

    return run


def one_node(properties: str = "{}", type_: str = "t", more: str = "") -> str:
    return f"node_templates:\n  n:\n    type: {type_}\n    properties: {properties}\n{more}"


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
    monkeypatch.setattr("bpconvert.translators.cloudify.branches.fold_branches", lambda *given: seen.append(given))
    done = read("inputs: {a: {type: integer}, b: {type: float}}\n")
    assert [(topology, integers) for topology, _, integers in seen] == [(done.topology, ["a"])]


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
    assert done.found == [("BPC140", ("imports", 1)), ("BPC120", ("imports", 1))]
    assert "inputs.a.label in 'a.yaml'" in done.diagnostics[1].message


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


# -- node types ---------------------------------------------------------------------------------------------

TYPES = """
node_types:
  base:
    derived_from: cloudify.nodes.Root
    properties:
      a: {default: 1}
      b: {default: {get_property: [SELF, a]}}
      c: {required: false}
      d: {default: base}
  t:
    derived_from: base
    properties:
      a: {default: 2}
      d: {type: string, required: false}
"""


def declared(done: Lifted, name: str = "n") -> dict[str, Value]:
    return done.nodes[name].declared


def test_defaults_along_derived_from(read: Any) -> None:
    done = read(TYPES + one_node())
    node = done.nodes["n"]
    assert node.ancestry == ["t", "base", "cloudify.nodes.Root"]
    assert node.properties == {}
    # a definition replaces the parent's whole: d has lost its default
    assert node.declared == {"a": 2, "b": Property("n", "a"), "use_external_resource": False}
    assert node.declared["b"].path == ("node_types", "base", "properties", "b", "default")
    assert done.found == [("BPC149", ("node_types", "base")), ("BPC149", ("node_types", "t"))]


def test_own_values_go_first(read: Any) -> None:
    node = read(TYPES + one_node("{a: 5, c: [{get_attribute: [SELF, ip]}]}")).nodes["n"]
    assert node.properties == {"a": 5, "c": [Attribute("n", "ip")]}
    assert node.declared["c"] == [Attribute("n", "ip")]
    assert node.declared["c"][0].path == ("node_templates", "n", "properties", "c", 0)
    assert node.declared["a"] == 5


def test_self_is_each_node_itself(read: Any) -> None:
    done = read(TYPES + "node_templates: {x: {type: t}, y: {type: t}}\n")
    assert (declared(done, "x")["b"], declared(done, "y")["b"]) == (Property("x", "a"), Property("y", "a"))
    assert declared(done, "x") is not declared(done, "y")


def test_self_deep_inside(read: Any) -> None:
    done = read(one_node("{p: {q: [{concat: [{get_property: [SELF, a, {get_attribute: [SELF, k]}]}]}]}}", "mine"), OPEN)
    assert done.nodes["n"].properties["p"] == {"q": [Concat((Property("n", "a", (Attribute("n", "k"),)),))]}


@pytest.mark.parametrize(
    ("types", "properties", "path"),
    [
        ("{p: {}}", "{x: 1}", ("properties", "x")),
        ("{p: {}}", "{}", ()),
        ("{p: {type: integer}}", "{p: '5'}", ("properties", "p")),
        ("{p: {type: boolean}}", "{p: 1}", ("properties", "p")),
        ("{p: {type: float}}", "{p: true}", ("properties", "p")),
        ("{p: {type: list}}", "{p: {}}", ("properties", "p")),
        ("{p: {type: dict}}", "{p: null}", ("properties", "p")),
        ("{p: {type: regex}}", "{p: '('}", ("properties", "p")),
        ("{p: {type: integer, default: null}}", "{}", ("properties", "p")),
        ("{use_external_resource: {default: {get_input: i}}}", "{}", ("properties", "use_external_resource")),
    ],
)
def test_properties_that_the_parser_refuses(read: Any, types: str, properties: str, path: tuple[Any, ...]) -> None:
    done = read(f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {types}}}}}\n" + one_node(properties))
    assert ("BPC121", ("node_templates", "n", *path)) in done.found


@pytest.mark.parametrize(
    ("types", "properties"),
    [
        ("{p: {}}", "{p: null}"),
        ("{p: {type: integer}}", "{p: {get_input: i}}"),
        ("{p: {type: float}}", "{p: 1}"),
        ("{p: {type: string}}", "{p: [1]}"),
        ("{p: {}, use_external_resource: {default: false}}", "{use_external_resource: true}"),
    ],
)
def test_properties_that_the_parser_takes(read: Any, types: str, properties: str) -> None:
    done = read(f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {types}}}}}\n" + one_node(properties))
    assert [code for code, _ in done.found] == ["BPC149"]


def test_wrong_default_is_reported_once(read: Any) -> None:
    done = read("node_types: {t: {properties: {p: {type: integer, default: x}}}}\n" + one_node())
    place = ("node_types", "t", "properties", "p", "default")
    assert done.found == [("BPC121", place), ("BPC149", ("node_types", "t"))]


@pytest.mark.parametrize(
    ("types", "path"),
    [
        ("{t: {derived_from: t}}", ("node_types", "t", "derived_from")),
        ("{t: {derived_from: u}, u: {derived_from: t}}", ("node_types", "t", "derived_from")),
        ("{t: {derived_from: nowhere}}", ("node_types", "t", "derived_from")),
        ("{t: {properties: {p: {type: nothing, required: false}}}}", ("node_types", "t", "properties", "p", "type")),
        ("{}", ("node_templates", "n", "type")),
    ],
)
def test_types_that_lead_nowhere(read: Any, types: str, path: tuple[Any, ...]) -> None:
    done = read(f"node_types: {types}\n" + one_node())
    assert ("BPC121", path) in done.found


def test_types_of_unknown_imports_may_exist(read: Any) -> None:
    done = read("node_types: {t: {derived_from: theirs}}\n" + one_node("{x: 1}"), OPEN)
    assert done.found == [("BPC141", ("imports", 1)), ("BPC149", ("node_types", "t"))]
    assert done.nodes["n"].ancestry == ["t", "theirs"]
    assert declared(done) == {"x": 1}


# -- built-in types -----------------------------------------------------------------------------------------


def test_openstack_3(read: Any) -> None:
    done = read(one_node("{resource_config: {name: web}}", "cloudify.nodes.openstack.Server"), OPENSTACK)
    node = done.nodes["n"]
    assert node.ancestry == [
        "cloudify.nodes.openstack.Server",
        "cloudify.nodes.Compute",
        "cloudify.nodes.Root",
    ]
    assert node.properties == {"resource_config": {"name": "web"}}
    assert node.declared["resource_config"] == {
        "name": "web",
        "kwargs": {},
        "metadata": {},
        "security_groups": [],
        "networks": [],
    }
    assert node.declared["agent_config"] == {"install_method": "remote", "network": "default", "port": 22}
    assert node.declared["client_config"]["logging"] == {"use_cfy_logger": True, "groups": {}}
    assert not done.diagnostics


def test_openstack_2_and_compatible_types(read: Any) -> None:
    text = one_node("{}", "cloudify.openstack.nodes.SecurityGroup")
    old = read(text, OPENSTACK)
    assert old.nodes["n"].ancestry[1:] == ["cloudify.nodes.SecurityGroup", "cloudify.nodes.Root"]
    assert declared(old)["rules"] == []
    assert "use_compact_node" not in declared(old)
    new = read(text, COMPAT)
    assert new.nodes["n"].ancestry[1] == "cloudify.nodes.openstack.SecurityGroup"
    assert declared(new)["use_compact_node"] is True
    assert declared(new)["security_group_rules"] == Property("n", "rules")
    assert declared(new)["security_group_rules"].path == ("node_templates", "n")


def test_own_type_of_a_builtin_one(read: Any) -> None:
    """The default of a property of the same data type is completed with the parent's."""
    types = """
node_types:
  t:
    derived_from: cloudify.nodes.openstack.Server
    properties:
      agent_config: {type: cloudify.datatypes.AgentConfig, default: {port: 5985}}
      resource_config: {type: cloudify.types.openstack.Server, default: {name: x}}
"""
    node = read(types + one_node("{resource_config: {kwargs: {a: 1}}}"), OPENSTACK).nodes["n"]
    assert node.declared["agent_config"] == {"install_method": "remote", "network": "default", "port": 5985}
    assert node.declared["resource_config"]["name"] == "x"
    assert node.declared["resource_config"]["kwargs"] == {"a": 1}


def test_relationship_ancestry(read: Any) -> None:
    text = """
relationships: {mine: {derived_from: cloudify.relationships.openstack.server_connected_to_port}}
node_templates:
  a: {type: cloudify.nodes.Root}
  b:
    type: cloudify.nodes.Root
    relationships: [{type: mine, target: a}, {type: cloudify.relationships.contained_in, target: a}]
"""
    first, second = read(text, OPENSTACK).nodes["b"].relationships
    assert first.ancestry == [
        "mine",
        "cloudify.relationships.openstack.server_connected_to_port",
        "cloudify.relationships.connected_to",
        "cloudify.relationships.depends_on",
    ]
    assert (first.target, first.path) == ("a", ("node_templates", "b", "relationships", 0))
    assert second.ancestry == ["cloudify.relationships.contained_in", "cloudify.relationships.depends_on"]


@pytest.mark.parametrize(
    ("relationship", "code", "path"),
    [
        ("{type: cloudify.relationships.depends_on, target: nope}", "BPC120", ("target",)),
        ("{type: cloudify.relationships.depends_on, target: n}", "BPC120", ("target",)),
        ("{type: cloudify.relationships.no, target: a}", "BPC121", ("type",)),
        ("{type: cloudify.relationships.depends_on, target: a, properties: {x: 1}}", "BPC150", ("properties",)),
    ],
)
def test_relationship_diagnostics(read: Any, relationship: str, code: str, path: tuple[Any, ...]) -> None:
    done = read(
        one_node(
            "{}", "cloudify.nodes.Root", f"    relationships: [{relationship}]\n  a: {{type: cloudify.nodes.Root}}\n"
        )
    )
    assert done.found == [(code, ("node_templates", "n", "relationships", 0, *path))]
    assert len(done.nodes["n"].relationships) == (0 if code == "BPC120" else 1)


# -- data types ---------------------------------------------------------------------------------------------

DATA = """
data_types:
  inner: {properties: {x: {default: 1}, y: {required: false}}}
  outer:
    properties:
      i: {type: inner, default: {y: 2}}
      j: {type: inner}
      k: {type: integer}
  more: {derived_from: outer, properties: {k: {type: integer, default: 7}, i: {type: inner, default: {x: 5}}}}
"""


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("outer", "{k: 1}", {"i": {"x": 1, "y": 2}, "j": {"x": 1}, "k": 1}),
        ("outer", "{k: 1, i: {x: 9}}", {"i": {"x": 9, "y": 2}, "j": {"x": 1}, "k": 1}),
        ("more", "{}", {"i": {"x": 5, "y": 2}, "j": {"x": 1}, "k": 7}),
        ("more", "{j: {get_input: i}}", {"i": {"x": 5, "y": 2}, "j": Input("i", strict=True), "k": 7}),
        ("inner", "{get_input: i}", Input("i", strict=True)),
    ],
)
def test_data_types(read: Any, kind: str, value: str, expected: Any) -> None:
    types = f"inputs: {{i: {{}}}}\nnode_types: {{t: {{properties: {{p: {{type: {kind}}}}}}}}}\n"
    done = read(DATA + types + one_node(f"{{p: {value}}}"))
    assert declared(done)["p"] == expected
    assert {code for code, _ in done.found} == {"BPC149"}


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("{k: 1, z: 1}", ("p", "z")),
        ("{k: x}", ("p", "k")),
        ("{k: 1, i: {q: 1}}", ("p", "i", "q")),
        ("{k: 1, i: 5}", ("p", "i")),
        ("{}", ("p",)),
        ("[1]", ("p",)),
    ],
)
def test_data_that_does_not_fit(read: Any, value: str, path: tuple[Any, ...]) -> None:
    done = read(DATA + "node_types: {t: {properties: {p: {type: outer}}}}\n" + one_node(f"{{p: {value}}}"))
    assert ("BPC121", ("node_templates", "n", "properties", *path)) in done.found


def test_property_without_default_has_that_of_its_data_type(read: Any) -> None:
    done = read(DATA + "node_types: {t: {properties: {p: {type: inner, required: false}}}}\n" + one_node())
    assert declared(done)["p"] == {"x": 1}


def test_data_type_that_contains_itself(read: Any) -> None:
    data = "data_types: {d: {properties: {e: {type: d, required: false}}}}\n"
    done = read(data + "node_types: {t: {properties: {p: {type: d}}}}\n" + one_node())
    assert ("BPC121", ("data_types", "d", "properties", "e", "type")) in done.found


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
        (
            "capabilities: {scalable: {properties: {min_instances: 1, max_instances: 5}}}",
            MISSING,
            ["min_instances", "max_instances"],
        ),
    ],
)
def test_instances(read: Any, text: str, expected: Value, reported: list[str]) -> None:
    done = read("inputs: {i: {}}\n" + one_node("{}", "cloudify.nodes.Root", f"    {text}\n"))
    assert done.nodes["n"].instances == expected
    place = ("node_templates", "n", "capabilities", "scalable", "properties")
    assert done.found == [("BPC152", (*place, name)) for name in reported]


LIMIT = ("policies", "p", "properties", "max_instances")
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
        ("[n]", "{default_instances: 3, max_instances: 5}", 3, [("BPC152", LIMIT)]),
        ("[n]", "{default_instances: 1}", MISSING, [("BPC154", ("policies", "p"))]),
        ("[n, m]", "{}", MISSING, [("BPC154", ("policies", "p"))]),
        ("[n, m]", "{default_instances: 2}", MISSING, [("BPC151", ("policies", "p"))]),
        ("[s]", "{default_instances: 2}", MISSING, [("BPC151", ("policies", "p"))]),
        ("[h]", "{default_instances: 2}", MISSING, [("BPC151", ("policies", "p"))]),
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
    assert {path for _, path in done.found} == {("imports", 1)}


# -- inputs -------------------------------------------------------------------------------------------------


def one_input(read: Any, text: str, more: str = "") -> tuple[Any, Found]:
    done = read(f"inputs: {{i: {{{text}}}}}\n{more}")
    return done.topology.inputs["i"], done.found


@pytest.mark.parametrize(
    ("text", "expected", "reported"),
    [
        ("type: string", "string", False), ("type: textarea", "string", False), ("type: regex", "string", True),
        ("type: node_id", "string", True), ("type: integer", "number", True), ("type: float", "number", False),
        ("type: boolean", "boolean", False), ("type: list", "json", False), ("type: dict", "json", False),
        ("type: list, item_type: string", "list", False), ("type: list, item_type: integer", "json", True),
        ("", None, False), ("default: x", "string", False), ("default: true", "boolean", False),
        ("default: 1.5", "number", False), ("default: [1]", "json", False), ("default: {a: b}", "json", False),
        ("default: {get_secret: x}", None, False), ("constraints: [{pattern: a}]", "string", False),
        ("constraints: [{in_range: [1, 2]}]", "number", False), ("constraints: [{valid_values: [1]}]", None, False),
    ],
)  # fmt: skip
def test_input_types(read: Any, text: str, expected: str | None, reported: bool) -> None:
    lifted, found = one_input(read, text)
    assert lifted.type == expected
    assert found == ([("BPC520", ("inputs", "i", "type"))] if reported else [])


def test_input_keys(read: Any) -> None:
    text = "type: textarea, display_label: L, description: D, hidden: true, required: false, display: {rows: 3}"
    lifted, found = one_input(read, text)
    assert (lifted.label, lifted.description, lifted.hidden) == ("L", "D", True)
    assert lifted.extra == {"required": False, "display": {"rows": 3}}
    assert lifted.path == ("inputs", "i")
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("default: null", MISSING), ("type: string, default: ''", ""), ("type: integer, default: 0", 0),
        ("default: {get_secret: x}", "secret"), ("type: dict, default: {a: {get_secret: x}}", {"a": "secret"}),
        ("type: list, default: []", []), ("type: string, default: 5", 5),
    ],
)  # fmt: skip
def test_input_defaults(read: Any, text: str, expected: Value) -> None:
    lifted, found = one_input(read, text)
    default = lifted.default
    secrets = list(walk(default))
    if secrets:
        assert all(secret.path[:3] == ("inputs", "i", "default") for secret in secrets)
        default = "secret" if default is secrets[0] else dict.fromkeys(default, "secret")
    assert default == expected
    assert "BPC522" not in [code for code, _ in found]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("type: integer, default: '5'", ()), ("type: boolean, default: 1", ()), ("type: list, default: {}", ()),
        ("type: inner, default: 5", ()), ("type: inner, default: {z: 1}", ("z",)),
        ("type: outer, default: {}", ()), ("type: list, item_type: integer, default: [a]", ()),
        ("default: 5, constraints: [{in_range: [1, 3]}]", ()), ("default: 5, constraints: [{greater_than: 5}]", ()),
        ("default: ab, constraints: [{pattern: b}]", ()), ("default: ab, constraints: [{max_length: 1}]", ()),
        ("default: ab, constraints: [{length: 1}]", ()), ("default: ab, constraints: [{greater_than: 1}]", ()),
        ("default: ab, constraints: [{valid_values: [a]}]", ()),
        ("type: list, item_type: string, default: [a, b], constraints: [{valid_values: [a]}]", ()),
    ],
)  # fmt: skip
def test_defaults_that_the_parser_refuses(read: Any, text: str, path: tuple[Any, ...]) -> None:
    lifted, found = one_input(read, text, DATA)
    assert lifted.default is MISSING
    assert ("BPC522", ("inputs", "i", "default", *path)) in found


def test_data_typed_inputs(read: Any) -> None:
    lifted, _ = one_input(read, "type: outer, default: {k: 1}", DATA)
    assert (lifted.type, lifted.default) == ("json", {"k": 1, "i": {"x": 1, "y": 2}, "j": {"x": 1}})
    lifted, _ = one_input(read, "type: more", DATA)
    assert lifted.default == {"i": {"x": 5, "y": 2}, "j": {"x": 1}, "k": 7}
    lifted, found = one_input(read, "type: outer", DATA)  # k is required: no default
    assert lifted.default is MISSING
    assert "BPC522" not in [code for code, _ in found]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("hidden: true", "hidden"), ("type: string, display: {rows: 1}", "display"),
        ("type: string, item_type: string", "item_type"), ("type: list, item_type: thing", "item_type"),
        ("type: node_id, default: x", "default"), ("default: {get_secret: x}, constraints: [{pattern: a}]", "default"),
        ("type: thing", "type"), ("constraints: [{equal: 1, less_than: 5}]", "constraints"),
    ],
)  # fmt: skip
def test_inputs_that_the_parser_refuses(read: Any, text: str, key: str) -> None:
    _, found = one_input(read, text)
    assert ("BPC121", ("inputs", "i", key)) in [(code, path[:3]) for code, path in found]


# -- constraints --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "argument"),
    [
        ("type: float, constraints: [{in_range: [1, 3]}]", "range", {"min": 1, "max": 3}),
        ("type: float, constraints: [{greater_or_equal: 1}]", "range", {"min": 1}),
        ("type: float, constraints: [{less_or_equal: 3}]", "range", {"max": 3}),
        ("type: float, constraints: [{equal: 3}]", "allowed_values", [3]),
        ("type: string, constraints: [{length: 3}]", "length", {"min": 3, "max": 3}),
        ("type: string, constraints: [{min_length: 3}]", "length", {"min": 3}),
        ("type: dict, constraints: [{max_length: 3}]", "length", {"max": 3}),
        ("type: string, constraints: [{valid_values: [a, b]}]", "allowed_values", ["a", "b"]),
        ("type: list, item_type: string, constraints: [{valid_values: [a]}]", "allowed_values", ["a"]),
        ("type: string, constraints: [{pattern: 'a\\Z'}]", "allowed_pattern", "a"),
    ],
)
def test_constraints(read: Any, text: str, kind: str, argument: Any) -> None:
    lifted, found = one_input(read, text)
    (constraint,) = lifted.constraints
    assert (constraint.kind, constraint.argument) == (kind, argument)
    assert constraint.path[:4] == ("inputs", "i", "constraints", 0)
    assert found == []


def test_error_message_describes_the_constraint(read: Any) -> None:
    head = HEAD.replace("1_4", "1_5")
    done = read("inputs: {i: {type: float, constraints: [{in_range: [1, 2], error_message: E}]}}\n", head)
    (constraint,) = done.topology.inputs["i"].constraints
    assert isinstance(constraint, Constraint)
    assert constraint.description == "E"
    assert done.found == []


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("type: float, constraints: [{greater_than: 1}]", "greater_than"),
        ("type: float, constraints: [{less_than: 1}]", "less_than"),
        ("type: deployment_id, constraints: [{labels: [{a: b}]}]", "labels"),
        ("type: deployment_id, constraints: [{name_pattern: {contains: a}}]", "name_pattern"),
        ("type: string, constraints: [{valid_values: {get_secret: x}}]", "valid_values"),
        ("type: list, constraints: [{valid_values: [[a]]}]", "valid_values"),
        ("default: [a], constraints: [{valid_values: [[a]]}]", "valid_values"),
        ("type: list, item_type: string, constraints: [{pattern: a}]", "pattern"),
        ("type: list, item_type: string, constraints: [{max_length: 3}]", "max_length"),
        ("type: boolean, constraints: [{in_range: [0, 1]}]", "in_range"),
        ("type: float, constraints: [{pattern: a}]", "pattern"),
    ],
)
def test_constraints_without_counterpart(read: Any, text: str, operator: str) -> None:
    lifted, found = one_input(read, text)
    assert lifted.constraints == []
    assert ("BPC521", ("inputs", "i", "constraints", 0, operator)) in found


TEXTS = ["", "a", "b", "ab", "ba", "aab", "a\n", "b\n", "abc\nd", "A", "a1", "1a", "a|b", "\n", "$", "a$", "aa$\n"]


def by_heat(pattern: str, text: str) -> bool:
    """Whether Heat's parameter constraint accepts ``text``."""
    match = re.match(pattern, text)
    return match is not None and match.end() == len(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "a", "^a", "a$", "^a$", "a|b", "^a|b$", "^(a|b)$", "a|ab$", "(a|ab)", "[a|b]", "[a|b]$", r"a\|b", r"a\$", "a*",
        "a*?", ".*", "(?i)a", "(?i)a|b", "(?x)a # c", "(?x)a$ # c", "(?x)a|b # c", "(?m)a$", r"a\Z", r"a|b\Z",
        r"(a|ab)\Z", r"a*?\Z", "[^]a]", "[]|a]", "(?=a)a", "$", "", "(?s:a.)",
    ],
)  # fmt: skip
def test_patterns_accept_the_same(pattern: str) -> None:
    """Heat's match has to reach the end of the text, Cloudify's (``re.match``) has not. A last line break, which ``$``
    stands before, is refused."""
    converted = whole_pattern(pattern)
    texts = [text for text in TEXTS if not (pattern.endswith("$") and text.endswith("\n"))]
    assert [by_heat(converted, text) for text in texts] == [re.match(pattern, text) is not None for text in texts]


@pytest.mark.parametrize("pattern", ["[a-z]+", "a|ab", "(?i)[a-z]*?", "(a|b)+", "(?x)a # c", "^a$", "(?x)a|b # c"])
def test_patterns_of_hot_come_back(pattern: str) -> None:
    from bpconvert.translators.cloudify.inputs import _whole

    written = _whole(pattern)
    assert written is not None
    again = whole_pattern(written)
    assert again.rstrip("$") == pattern.rstrip("$")
    assert [by_heat(again, text) for text in TEXTS] == [by_heat(pattern, text) for text in TEXTS]


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
    assert any(d.code == "BPC121" and "'more.yaml'" in d.message for d in done.diagnostics)
