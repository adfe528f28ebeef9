"""A HOT template as a neutral topology: parameters, resources, outputs, and what Heat refuses of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files, Meant
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Constraint, Input, Node, Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.environment import Environment
from bpconvert.translators.hot.read.template import Read, to_topology
from bpconvert.yamlio.document import load

HEAD = "heat_template_version: 2021-04-16\n"


class Lifted(NamedTuple):
    """What was read of a template, and what was reported."""

    topology: Topology
    diagnostics: list[Diagnostic]
    read: Read

    def places(self, code: str) -> list[tuple[Any, ...]]:
        """Where ``code`` was reported."""
        return [one.path for one in self.diagnostics if one.code == code]

    def messages(self, code: str) -> list[str]:
        """The texts of ``code``."""
        return [one.message for one in self.diagnostics if one.code == code]


def lift(text: str, files: Files | None = None, head: str = HEAD) -> Lifted:
    document = load(head + text, "template.yaml")
    reporter = Reporter(document, engines=("Heat", "Cloudify"))
    seen: list[Read] = []
    topology = to_topology(document, builtin(), reporter, files, seen.append)
    (read,) = seen
    return Lifted(topology, reporter.diagnostics, read)


# -- parameters ---------------------------------------------------------------------------------------------


def parameter(text: str, files: Files | None = None) -> tuple[Input, Lifted]:
    lifted = lift(f"parameters: {{p: {{{text}}}}}\n", files)
    return lifted.topology.inputs["p"], lifted


@pytest.mark.parametrize(
    ("type", "written", "neutral", "default"),
    [
        ("string", "x", "string", "x"),
        ("number", "5", "number", 5),
        ("boolean", "true", "boolean", True),
        ("comma_delimited_list", "[a, b]", "list", ["a", "b"]),
        ("json", "{a: 1}", "json", {"a": 1}),
    ],
)
def test_the_type_of_a_parameter(type: str, written: str, neutral: str, default: Any) -> None:
    declared, lifted = parameter(f"type: {type}, default: {written}")
    assert (declared.type, declared.default, declared.path) == (neutral, default, ("parameters", "p"))
    assert lifted.diagnostics == []
    assert lifted.read.topology is lifted.topology


@pytest.mark.parametrize("text", ["type: odd, default: 5", "default: 5"])
def test_without_a_type_the_default_is_as_written(text: str) -> None:
    declared, _ = parameter(text)
    assert (declared.type, declared.default) == (None, 5)


@pytest.mark.parametrize(
    ("type", "written", "default"),
    [
        ("string", "5", "5"),
        ("number", "'3'", 3),
        ("boolean", "'true'", True),
        ("boolean", "1", True),
        ("comma_delimited_list", "'a,b'", ["a", "b"]),
        ("json", "'{\"a\": 1}'", {"a": 1}),
    ],
)
def test_a_default_is_what_heat_makes_of_it(type: str, written: str, default: Any) -> None:
    declared, lifted = parameter(f"type: {type}, default: {written}")
    assert declared.default == default
    assert lifted.places("BPC509") == [("parameters", "p", "default")]
    assert lifted.messages("BPC509") == [f"written as {default!r}, which is what Heat makes of it"]


def test_null_is_no_default() -> None:
    declared, lifted = parameter("type: string, default: null")
    assert (declared.default, declared.extra, lifted.diagnostics) == (MISSING, {"default": None}, [])
    assert parameter("type: string")[0].extra == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("type: number, default: many", "could not convert string to float: 'many'"),
        ("type: string, default: abc, constraints: [{length: {max: 2}}]",
         "length (3) is out of range (min: None, max: 2)"),
        ("type: number, default: 3, constraints: [{range: {max: 9}}, {modulo: {step: 2, offset: 0}}]",
         "3 is not a multiple of 2 with an offset of 0"),
        ("type: number, default: 1, constraints: [{allowed_values: [x, 1]}]",
         "could not convert string to float: 'x'"),
    ],
)  # fmt: skip
def test_a_default_that_does_not_fit_is_left_out(text: str, problem: str) -> None:
    declared, lifted = parameter(text)
    assert declared.default is MISSING
    assert lifted.places("BPC504") == [("parameters", "p", "default")]
    assert lifted.messages("BPC504") == [f"the default does not fit and is left out: {problem}"]


def test_a_default_that_fits_stays_with_the_constraints() -> None:
    declared, lifted = parameter("type: number, default: 2, constraints: [{range: {min: 1}}]")
    assert (declared.default, lifted.diagnostics) == (2, [])


def test_keys_of_a_parameter() -> None:
    declared, _ = parameter("type: string, label: 5, description: 6, immutable: true, tags: [a], schema: {b: 1}")
    assert (declared.label, declared.description, declared.hidden) == ("5", "6", None)
    assert declared.extra == {"immutable": True, "tags": ["a"], "schema": {"b": 1}}
    declared, _ = parameter("type: string, label: a, description: b")
    assert (declared.label, declared.description, declared.extra) == ("a", "b", {})
    declared, _ = parameter("type: string")
    assert (declared.label, declared.description) == (None, None)


@pytest.mark.parametrize("written", ["true", "'true'", "'True'", "'yes'", "'on'", "1"])
def test_what_is_hidden(written: str) -> None:
    assert parameter(f"type: string, hidden: {written}")[0].hidden is True


@pytest.mark.parametrize("written", ["false", "'false'", "'off'", "0", "null"])
def test_what_is_not_hidden(written: str) -> None:
    assert parameter(f"type: string, hidden: {written}")[0].hidden is False


def facts(constraint: Constraint) -> tuple[Any, ...]:
    return constraint.kind, constraint.argument, constraint.description, constraint.path, constraint.word


@pytest.mark.parametrize(
    ("type", "text", "kind", "argument"),
    [
        ("number", "range: {min: '1', max: 2.5}", "range", {"min": 1, "max": 2.5}),
        ("string", "length: {min: '1'}", "length", {"min": 1}),
        ("number", "modulo: {step: '2', offset: 0}", "modulo", {"step": 2, "offset": 0}),
        ("string", "allowed_pattern: '[a]'", "allowed_pattern", "[a]"),
        ("string", "allowed_values: [a, b]", "allowed_values", ["a", "b"]),
        ("string", "custom_constraint: nova.flavor", "custom", "nova.flavor"),
    ],
)
def test_constraints(type: str, text: str, kind: str, argument: Any) -> None:
    declared, lifted = parameter(f"type: {type}, constraints: [{{allowed_values: []}}, {{{text}, description: 5}}]")
    word = text.split(":", 1)[0]
    assert facts(declared.constraints[1]) == (kind, argument, "5", ("parameters", "p", "constraints", 1, word), word)
    assert lifted.places("BPC509") == []


@pytest.mark.parametrize(
    ("type", "written", "values", "places"),
    [
        ("number", "['1', 2]", [1, 2], [0]),
        ("string", "[a, 5, true]", ["a", "5", "True"], [1, 2]),
        ("comma_delimited_list", "[a, 5]", ["a", "5"], [1]),
        ("boolean", "[true, 'no', 1]", [True, False, True], [1, 2]),
        ("number", "[few, 1]", ["few", 1], []),
    ],
)
def test_allowed_values_are_what_heat_makes_of_them(type: str, written: str, values: Any, places: list[int]) -> None:
    declared, lifted = parameter(f"type: {type}, constraints: [{{allowed_values: {written}}}]")
    (constraint,) = declared.constraints
    assert [(value, value.__class__) for value in constraint.argument] == [(value, value.__class__) for value in values]
    place = ("parameters", "p", "constraints", 0, "allowed_values")
    assert lifted.places("BPC509") == [(*place, index) for index in places]


def test_a_default_of_the_environment() -> None:
    files = Files(None, environment=Environment({}, defaults={"p": 7, "other": 1}))
    declared, lifted = parameter("type: number, default: 1", files)
    assert declared.default == 7
    assert lifted.places("BPC650") == [("parameters", "p")]
    assert lifted.messages("BPC650") == ["the environment has the default of 'p'"]


@pytest.mark.parametrize(
    ("text", "defaults", "default"),
    [("type: number, default: 7", {"p": 7}, 7), ("type: number", {"q": 7}, MISSING), ("type: number", {}, MISSING)],
)
def test_an_environment_that_says_nothing_else(text: str, defaults: dict[str, Any], default: Any) -> None:
    declared, lifted = parameter(text, Files(None, environment=Environment({}, defaults=defaults)))
    assert (declared.default, lifted.diagnostics) == (default, [])


# -- resources ----------------------------------------------------------------------------------------------


def resource(text: str, more: str = "", files: Files | None = None) -> tuple[Node, Lifted]:
    others = "  other: {type: OS::Neutron::Net}\n  third: {type: OS::Neutron::Net}\n"
    lifted = lift(f"parameters: {{p: {{type: string}}}}\nresources:\n  a: {{{text}}}\n{others}{more}", files)
    return lifted.topology.nodes["a"], lifted


def test_a_resource_of_a_known_type() -> None:
    node, lifted = resource("type: OS::Neutron::Port, properties: {network_id: {get_resource: other}}")
    assert (node.source_type, node.kind, node.path) == ("OS::Neutron::Port", "port", ("resources", "a"))
    assert (node.properties, node.aliases) == ({"network": ex.Identity("other")}, {"network": "network_id"})
    assert node.properties["network"].path == ("resources", "a", "properties", "network_id")
    assert lifted.read.written["a"] == {"network_id": ex.Identity("other")}  # as the template has it
    assert lifted.diagnostics == []


def test_a_resource_of_another_type() -> None:
    node, _ = resource("type: 'Acme::Thing', properties: {x: [1, {y: {get_param: p}}]}")
    assert (node.source_type, node.kind, node.properties) == ("Acme::Thing", None, {"x": [1, {"y": ex.Input("p")}]})


def test_what_is_changed_of_a_node_is_not_changed_in_what_was_read() -> None:
    node, lifted = resource("type: 'Acme::Thing', properties: {x: [1, {y: [2]}]}")
    node.properties["x"][1]["y"].append(3)
    node.properties["x"].append(4)
    assert lifted.read.written["a"] == {"x": [1, {"y": [2]}]}


def test_a_property_that_is_null_is_what_heat_makes_of_it() -> None:
    node, lifted = resource("type: OS::Neutron::Port, properties: {network: n, port_security_enabled: null}")
    assert node.properties == {"network": "n", "port_security_enabled": False}
    assert lifted.places("BPC509") == [("resources", "a", "properties", "port_security_enabled")]


@pytest.mark.parametrize(
    ("written", "waits"),
    [
        ("depends_on: other", [("other", ("depends_on",))]),
        ("depends_on: [third, other]", [("third", ("depends_on", 0)), ("other", ("depends_on", 1))]),
        ("depends_on: []", []),
        ("properties: {}", []),
    ],
)
def test_what_a_resource_waits_for(written: str, waits: list[tuple[str, Any]]) -> None:
    node, lifted = resource(f"type: OS::Neutron::Net, {written}")
    assert [(wait.target, wait.path) for wait in node.waits] == [
        (target, ("resources", "a", *place)) for target, place in waits
    ]
    assert lifted.diagnostics == []


@pytest.mark.parametrize(("written", "place"), [("a", ()), ("[other, a]", (1,))])
def test_a_resource_that_waits_for_itself(written: str, place: Any) -> None:
    _, lifted = resource(f"type: OS::Neutron::Net, depends_on: {written}")
    assert lifted.places("BPC121") == [("resources", "a", "depends_on", *place)]
    assert lifted.messages("BPC121") == ["resource 'a' depends on itself"]


def test_only_the_metadata_and_the_deletion_policy_have_calls() -> None:
    node, _ = resource(
        "type: OS::Neutron::Net, description: d, metadata: {x: {get_resource: other}},"
        " update_policy: {x: {get_resource: other}}, deletion_policy: {get_param: p}"
    )
    assert node.extra == {
        "description": "d",
        "metadata": {"x": ex.Identity("other")},
        "update_policy": {"x": {"get_resource": "other"}},
        "deletion_policy": ex.Input("p"),
    }
    assert node.extra["metadata"]["x"].path == ("resources", "a", "metadata", "x")
    assert node.extra["deletion_policy"].path == ("resources", "a", "deletion_policy")
    assert resource("type: OS::Neutron::Net")[0].extra == {}


def test_conditions() -> None:
    text = "condition: {equals: [{get_param: p}, x]}"
    node, lifted = resource(f"type: OS::Neutron::Net, {text}", "conditions: {named: {not: {equals: [1, 2]}}}\n")
    assert node.condition == ex.Equals(ex.Input("p"), "x")
    assert node.condition.path == ("resources", "a", "condition")
    assert lifted.topology.conditions == {"named": ex.Not(ex.Equals(1, 2))}
    assert lifted.topology.conditions["named"].path == ("conditions", "named")
    assert lifted.topology.nodes["other"].condition is MISSING


def test_the_name_of_a_condition_is_no_definition_of_one() -> None:
    _, lifted = resource("type: OS::Neutron::Net, condition: named", "conditions: {named: true, again: named}\n")
    assert lifted.topology.nodes["a"].condition == ex.Condition("named")
    assert lifted.places("BPC220") == [("conditions", "again")]
    assert lifted.topology.uncomputable == {("conditions", "again")}


def test_a_resource_that_exists_already() -> None:
    text = "type: OS::Neutron::Subnet, external_id: {get_param: p}, properties: {ip_version: 7}"
    node, lifted = resource(text)
    assert node.external_id == ex.Input("p")
    assert node.external_id.path == ("resources", "a", "external_id")
    assert set(lifted.read.written) == {"other", "third"}
    assert lifted.diagnostics == []  # Heat looks at none of its properties


def test_a_stand_in_shows_a_node_of_another_language() -> None:
    node, _ = resource("type: OS::Heat::None, properties: {cloudify_type: my.Type, properties: {a: 1}}")
    assert node.shows is not None
    assert (node.shows.language, node.shows.type) == ("cloudify", "cloudify_type")
    assert resource("type: OS::Neutron::Net")[0].shows is None


def test_what_keeps_a_record_is_no_resource() -> None:
    text = "resources:\n  kept: {type: OS::Heat::None, metadata: {bpconvert: {source: x, digests: {}}}}\n"
    text += "  values: {type: OS::Heat::None, metadata: {bpconvert_kept: '{}'}}\n  none: {type: OS::Heat::None}\n"
    assert list(lift(text).topology.nodes) == ["none"]


def test_a_type_of_the_environment() -> None:
    environment = Environment({("OS::Neutron::Net",): "OS::Neutron::Subnet"})
    node, lifted = resource("type: OS::Neutron::Net", files=Files(None, environment=environment))
    assert (node.source_type, node.kind) == ("OS::Neutron::Subnet", "subnet")
    assert lifted.places("BPC771") == [("resources", name, "type") for name in ("a", "other", "third")]
    assert lifted.messages("BPC771")[0] == "'OS::Neutron::Net' is 'OS::Neutron::Subnet', by the environment"


def test_a_type_of_the_nearest_environment_is_reported_elsewhere() -> None:
    near = dict.fromkeys(("a", "third"), Meant("OS::Neutron::Subnet"))
    environment = Environment({("OS::Neutron::Net",): "OS::Neutron::Subnet"})
    node, lifted = resource("type: OS::Neutron::Net", files=Files(None, environment=environment, near=near))
    assert node.kind == "subnet"
    assert lifted.places("BPC771") == [("resources", "other", "type")]


def test_attributes_of_an_older_type_have_their_names_of_today() -> None:
    lifted = lift(
        "resources: {a: {type: 'OS::Heat::TestResource', properties: {value: v}}}\n"
        "outputs: {o: {value: {get_attr: [a, output]}}}\n"
    )
    assert lifted.topology.outputs["o"].value == ex.Attribute("a", "value")


# -- the rest -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("written", "description"), [("5", "5"), ("text", "text"), ("null", None)])
def test_a_description_is_a_text(written: str, description: str | None) -> None:
    lifted = lift(f"description: {written}\noutputs: {{o: {{value: 1, description: {written}}}}}\n")
    assert (lifted.topology.description, lifted.topology.outputs["o"].description) == (description, description)


def test_what_the_metadata_keep_comes_back() -> None:
    text = "resources: {a: {type: OS::Neutron::Net, external_id: x, metadata: {bpconvert_kept: %s}}}\n"
    lifted = lift(text % '\'{"otherwise": {"name": "n"}}\'')
    node = lifted.topology.nodes["a"]
    assert (node.otherwise, node.extra) == ({"name": "n"}, {})


def test_what_an_older_type_is_read_as_is_for_the_target_to_report() -> None:
    lifted = lift("resources: {a: {type: 'OS::Nova::FloatingIP'}}\n")
    assert [(one.code, one.path) for one in lifted.topology.features] == [("BPC345", ("resources", "a"))]
    assert lifted.diagnostics == []


def test_without_a_version() -> None:
    lifted = lift("outputs: {o: {value: 1}}\n", head="")
    assert lifted.topology.version == ""
    assert lifted.messages("BPC121") == ["'heat_template_version' is missing"]


def test_outputs() -> None:
    lifted = lift(
        "conditions: {c: true}\nresources: {a: {type: OS::Neutron::Net}}\n"
        "outputs: {o: {value: {get_attr: [a, name]}, condition: c, more: [1]}, plain: {value: x}}\n"
    )
    outputs = lifted.topology.outputs
    assert (outputs["o"].value, outputs["o"].path) == (ex.Attribute("a", "name"), ("outputs", "o"))
    assert outputs["o"].value.path == ("outputs", "o", "value")
    assert outputs["o"].condition == ex.Condition("c")
    assert outputs["o"].condition.path == ("outputs", "o", "condition")
    assert (outputs["o"].extra, outputs["plain"].extra, outputs["plain"].condition) == ({"more": [1]}, {}, MISSING)


@pytest.mark.parametrize("version", ["2013-05-23", "2018-08-31"])
def test_the_version_decides_what_is_a_call(version: str) -> None:
    head = f"heat_template_version: {version}\n"
    lifted = lift("outputs: {o: {value: {list_concat: [[1], [2]]}}}\n", head=head)
    assert lifted.topology.version == version
    assert isinstance(lifted.topology.outputs["o"].value, dict) is (version == "2013-05-23")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("parameters: {p: {type: odd}}", "BPC120", ("parameters", "p", "type")),
        ("parameters: {p: {default: 1}}", "BPC121", ("parameters", "p")),
        ("parameters: {a: {type: string}}\nresources: {a: {type: OS::Neutron::Net}}", "BPC121", ("resources", "a")),
        ("outputs: {o: {value: {digest: [md5, x, y]}}}", "BPC220", ("outputs", "o", "value")),
        ("outputs: {o: {value: {str_replace: {template: x, params: {1: y}}}}}", "BPC214",
         ("outputs", "o", "value", "str_replace", "params", 1)),
    ],
)  # fmt: skip
def test_what_heat_refuses_or_takes_otherwise(text: str, code: str, place: tuple[Any, ...]) -> None:
    lifted = lift(f"{text}\n")
    assert [(one.code, one.path) for one in lifted.diagnostics] == [(code, place)]


def test_what_a_version_does_not_have() -> None:
    lifted = lift("conditions: {c: true}\n", head="heat_template_version: 2013-05-23\n")
    assert lifted.places("BPC121") == [("conditions",)]


def test_a_key_that_is_no_text_is_reported_once() -> None:
    text = "outputs: {o: {value: {equals: [{contains: [{1: x}, [a]]}, true]}}}\n"
    lifted = lift(f"conditions: {{c: {{not: {{contains: [{{1: x}}, [a]]}}}}}}\n{text}")
    assert lifted.places("BPC214").count(("conditions", "c", "not", "contains", 0, 1)) == 1
    assert "the key is taken for the text '1', which Heat gets from its clients" in lifted.messages("BPC214")


def test_a_call_that_is_refused_cannot_be_computed_and_one_with_a_part_without_effect_can() -> None:
    lifted = lift("outputs: {bad: {value: {map_merge: {a: 1}}}, odd: {value: {str_split: [a, b, 0, 1]}}}\n")
    assert lifted.topology.uncomputable == {("outputs", "bad", "value")}
    assert lifted.messages("BPC220") == ['the argument of "map_merge" must be a list of maps']
    assert lifted.places("BPC221") == [("outputs", "odd", "value")]
    assert lifted.messages("BPC221") == ['"str_split" ignores everything after the index']


# -- values that Heat refuses -------------------------------------------------------------------------------


def refused(text: str, *, default: str = "{type: string, default: up}") -> Lifted:
    return lift(f"parameters: {{p: {default}}}\nresources: {{a: {{{text}}}}}\n")


RULE = "type: OS::Neutron::SecurityGroupRule, properties: "


def test_a_value_that_heat_refuses() -> None:
    lifted = refused(RULE + "{no_such: 1, port_range_max: 99999, direction: ingress, port_range_min: 70000}")
    place = ("resources", "a", "properties")
    assert lifted.places("BPC780") == [(*place, "port_range_max"), (*place, "port_range_min")]
    assert lifted.messages("BPC780")[0] == "Heat refuses this value: 'port_range_max' must be 0 to 65535, not 99999"
    assert lifted.topology.nodes["a"].properties["port_range_max"] == 99999


@pytest.mark.parametrize(
    "text",
    [
        "type: 'Acme::Rule', properties: {port_range_max: 99999}",
        RULE + "{port_range_max: 99999}, external_id: x",
        RULE + "{no_such: 99999}",
        RULE + "{port_range_max: {if: [{equals: [{get_param: p}, x]}, 99999, 5]}}",  # in one case only
        "type: OS::Nova::Server, properties: {networks: [{fixed_ip: 10.0.0.5, subnett: x}]}",  # told elsewhere
        "type: OS::Neutron::Subnet, properties: {allocation_pools: {if: [{equals: [{get_param: p}, x]}, [], []]}}",
    ],
)
def test_what_is_not_judged(text: str) -> None:
    lifted = refused(text)
    assert lifted.places("BPC780") == []
    assert lifted.places("BPC781") == []


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        (RULE + "{no_such: 1, direction: {get_param: p}}", ("direction",),
         "'direction' must be one of ingress, egress, not 'up'"),
        ("type: OS::Neutron::Subnet, properties: {allocation_pools: [{end: 10.0.0.9, start: {get_param: p}}]}",
         ("allocation_pools", 0, "start"), "'start' must be an IP address, not 'up'"),
        ("type: OS::Neutron::Subnet, properties: {allocation_pools: [{get_param: p}]}", ("allocation_pools", 0),
         "'allocation_pools' must be a map, not the text 'up'"),
        ("type: OS::Neutron::Subnet, properties: {value_specs: {get_param: p}}", ("value_specs",),
         "'value_specs' must be a map, not the text 'up'"),
    ],
)  # fmt: skip
def test_a_default_that_heat_refuses_where_it_is_used(text: str, place: tuple[Any, ...], problem: str) -> None:
    lifted = refused(text)
    assert lifted.places("BPC781") == [("resources", "a", "properties", *place)]
    assert lifted.messages("BPC781") == [f"Heat refuses the default of 'p' here: {problem}"]


@pytest.mark.parametrize(
    ("default", "use"),
    [
        ("{type: string}", "{get_param: p}"),
        ("{type: string, default: ingress}", "{get_param: p}"),
        ("{type: json, default: {a: up}}", "{get_param: [p, a]}"),  # a part of it
        ("{type: string, default: up}", "{get_param: [{get_param: p}]}"),  # the name is computed
        ("{type: string, default: up}", "{get_param: OS::stack_name}"),
    ],
)
def test_a_default_that_is_not_judged(default: str, use: str) -> None:
    assert refused(f"{RULE}{{direction: {use}}}", default=default).places("BPC781") == []
