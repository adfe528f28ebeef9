"""References of TOSCA, drawn at random: keywords, requirements, capabilities and steps into values of many kinds. What
each one means is walked here, by sections 4.1, 4.4.2 and 4.5.1 of the Simple Profile 1.3.

    machine <-host- base <-host- first -peer-> second (its port)
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

VERSION: Final = "tosca_simple_yaml_1_3"
SECOND: Final = "tosca_2_0"
Draw = random.Random
#: texts that are something else without quotes, or that a language has a use for
TEXTS: Final = (
    "", "0", "0123", "1e3", "true", "no", "null", "~", "it's", '"q"', "{{}}", "{{ x }}", "$x", "${a}", "%s", "üß€",
    "a\nb", " a ", "- x", "# c", "a: b", "1:30", "2020-01-01", "SELF", "[]", "{get_input: x}", "\\n", "a" * 130,
    "1.0", "-0",
)  # fmt: skip
KEYS: Final = ("k", "0", "true", "a b", "ü", "$k", "it's", "x.y")
#: place of a value -> what it may begin with; where the relationship stands, SELF is that
STARTS: Final = {
    "output": ("first", "second", "base"),
    "property": ("SELF", "SELF", "HOST", "HOST", "first", "second", "base"),
    "relationship": ("SELF", "SOURCE", "SOURCE", "TARGET", "TARGET", "base"),
}
_HERE: Final = {
    "output": {}, "property": {"SELF": "first"},
    "relationship": {"SELF": "peering", "SOURCE": "first", "TARGET": "second"},
}  # fmt: skip
_HOSTS: Final = {"first": ("base", "machine"), "base": ("machine",)}
_THROUGH: Final = ("REQUIREMENT", "TARGET", "FULFILLED")
#: node, requirement -> the node that fulfils it, and its capability
_REQUIREMENTS: Final = {
    ("first", "peer"): ("second", "port"), ("first", "host"): ("base", "host"), ("base", "host"): ("machine", "host"),
}  # fmt: skip
#: kind of a value -> its definition
SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "text": {"type": "string"}, "number": {"type": "integer"}, "flag": {"type": "boolean"}, "ratio": {"type": "float"},
    "items": {"type": "list", "entry_schema": {"type": "string"}},
    "rows": {"type": "list", "entry_schema": {"type": "own.Leaf"}},
    "tree": {"type": "map", "entry_schema": {"type": "own.Leaf"}},
    "leaf": {"type": "own.Leaf"},
}  # fmt: skip
_LEAF: Final = ("text", "number", "flag", "items")


class Reference(NamedTuple):
    """Where it begins, a word with the name of a requirement or capability, what is asked for, and steps into that. The
    words: ``CAPABILITY``; ``REQUIREMENT`` in 1.3; in 2.0 ``TARGET`` for the node that fulfils the requirement and
    ``FULFILLED`` for its capability."""

    start: str
    through: tuple[str, str] | None
    name: str
    steps: tuple[Any, ...]

    def written(self, function: str, version: str = VERSION) -> Any:
        """The call."""
        if version != SECOND:
            return {function: [self.start, *(self.through or ())[1:], self.name, *self.steps]}
        start = ["SELF", self.start] if self.start in ("SOURCE", "TARGET") else [self.start]
        word, name = self.through or ("", "")
        ends = {"TARGET": "TARGET", "FULFILLED": "CAPABILITY"}
        through = ["RELATIONSHIP", name, ends[word]] if word in ends else [word, name] if word else []
        return {f"${function}": [*start, *through, self.name, *escaped(list(self.steps))]}


def escaped(data: Any) -> Any:
    """Data as 2.0 writes it: what would be a call begins with another ``$``."""
    if isinstance(data, dict):
        return {escaped(key): escaped(item) for key, item in data.items()}
    if isinstance(data, list):
        return [escaped(item) for item in data]
    return f"${data}" if isinstance(data, str) and data.startswith("$") else data


def value(draw: Draw, kind: str) -> Any:
    """A value of a kind."""
    if kind == "text":
        return draw.choice(TEXTS)
    if kind == "number":
        return draw.choice([0, 0, -1, 7, 10**12])
    if kind == "flag":
        return draw.random() < 0.4
    if kind == "ratio":
        return draw.choice([0.0, 0.5, -1.25, 3.0, 0.0625])
    if kind == "items":
        return [draw.choice(TEXTS) for _ in range(draw.randint(0, 3))]
    if kind == "rows":
        return [value(draw, "leaf") for _ in range(draw.randint(0, 2))]
    if kind == "tree":
        return {key: value(draw, "leaf") for key in draw.sample(KEYS, draw.randint(0, 3))}
    return {name: value(draw, name) for name in _LEAF}


class Topology:
    """Nodes with values; ``attributes``: kinds that are attributes too, under names of their own."""

    def __init__(self, draw: Draw) -> None:
        def row(*kinds: str) -> dict[str, Any]:
            return {kind: value(draw, kind) for kind in kinds}

        self.nodes: dict[str, dict[str, Any]] = {
            "first": row(*SCHEMAS), "second": row(*SCHEMAS), "base": row("text", "items", "leaf"), "machine": {},
            "peering": row("text", "number", "items"),
        }  # fmt: skip
        self.capabilities: dict[str, dict[str, dict[str, Any]]] = {
            "first": {"port": row("text", "number", "leaf")}, "second": {"port": row("number", "tree")},
            "base": {"host": row("number", "items")}, "peering": {},
            "machine": {"os": {"distribution": draw.choice(["debian", "no", "0123", "it's"])}, "host": {"num_cpus": 4}},
        }  # fmt: skip
        self.attributes: dict[str, dict[str, Any]] = {
            name: {f"at_{kind}": value(draw, kind) for kind in SCHEMAS} for name in ("base", "first", "second")
        }

    def meant(self, place: str, asked: Reference, attributes: bool = False) -> Any:
        """The value; LookupError for none."""
        found = self._walked(place, asked, attributes)
        for step in asked.steps:
            if isinstance(found, (list, dict)) and isinstance(step, int) == isinstance(found, list):
                found = found[step]
            else:
                raise LookupError(step)
        return found

    def _walked(self, place: str, asked: Reference, attributes: bool) -> Any:
        node = _HERE[place].get(asked.start, asked.start)
        for one in _HOSTS[_HERE[place]["SELF"]] if node == "HOST" else (node,):
            held = self.nodes[one]
            if attributes:
                held = {**held, **self.attributes.get(one, {})}
            if asked.through is None and asked.name in held:
                return held[asked.name]
            kind, name = asked.through or ("", "")
            if kind == "CAPABILITY" and asked.name in self.capabilities[one].get(name, {}):
                return self.capabilities[one][name][asked.name]
            if kind in _THROUGH and (one, name) in _REQUIREMENTS:
                target, capability = _REQUIREMENTS[one, name]
                inside = {} if kind == "TARGET" else self.capabilities[target][capability]
                if asked.name in inside or kind == "FULFILLED":
                    return inside[asked.name]
                held = self.nodes[target]
                return ({**held, **self.attributes.get(target, {})} if attributes else held)[asked.name]
        raise LookupError(asked.name)

    def has(self, node: str, asked: Reference) -> bool:
        """Whether a node has what is asked for, without going through a requirement."""
        kind, name = asked.through or ("", "")
        rows = self.capabilities[node].get(name, {}) if kind else {**self.nodes[node], **self.attributes.get(node, {})}
        return kind not in _THROUGH and asked.name in rows

    def drawn(self, draw: Draw, place: str, attributes: bool = False, version: str = VERSION) -> Reference:
        """A reference that has a value."""
        words = ["TARGET", "FULFILLED"] if version == SECOND else ["REQUIREMENT"]
        while True:
            through = draw.choice([
                None, None, ("CAPABILITY", draw.choice(["port", "host", "os"])),
                (draw.choice(words), draw.choice(["peer", "host"])),
            ])  # fmt: skip
            names = [*SCHEMAS, "distribution", "num_cpus", *(f"at_{kind}" for kind in SCHEMAS if attributes)]
            asked = Reference(draw.choice(STARTS[place]), through, draw.choice(names), ())
            try:
                found = self.meant(place, asked, attributes)
            except LookupError:
                continue
            return asked._replace(steps=tuple(_steps(draw, found)))


def _steps(draw: Draw, found: Any) -> Iterator[Any]:
    while isinstance(found, (list, dict)) and found and draw.random() < 0.7:
        step = draw.choice(list(found)) if isinstance(found, dict) else draw.randrange(len(found))
        yield step
        found = found[step]


def schema(found: Any) -> dict[str, Any]:
    """The definition of a value that has been drawn."""
    if isinstance(found, dict):
        return SCHEMAS["leaf" if found.keys() == set(_LEAF) else "tree"]
    if isinstance(found, list):
        return SCHEMAS["rows" if found and isinstance(found[0], dict) else "items"]
    return SCHEMAS[{bool: "flag", int: "number", float: "ratio", str: "text"}[type(found)]]


class Asked(NamedTuple):
    """A call in its place, and what it yields."""

    place: str
    call: Any
    meant: Any


def document(topology: Topology, asked: list[Asked], version: str = VERSION, software: bool = False) -> str:
    """A service template that asks: ``v0`` and so on are outputs, properties of ``first`` and of the relationship. With
    ``software`` the last two are inputs of their operations."""
    rows: dict[str, dict[str, Any]] = {place: {} for place in STARTS}
    for number, one in enumerate(asked):
        rows[one.place][f"v{number}"] = one
    calls = {place: {name: one.call for name, one in row.items()} for place, row in rows.items()}
    asks = {place: {name: {**schema(one.meant), "required": False} for name, one in row.items()}
            for place, row in rows.items()}  # fmt: skip
    data = escaped if version == SECOND else lambda data: data
    templates = data(_nodes(topology))
    peering: dict[str, Any] = {"type": "own.To", "properties": data(topology.nodes["peering"])}
    if software:
        templates["first"]["interfaces"] = _operation("Standard", "create", calls["property"])
        peering["interfaces"] = _operation("Configure", "pre_configure_source", calls["relationship"])
    else:
        templates["first"]["properties"] = templates["first"]["properties"] | calls["property"]
        peering["properties"] |= calls["relationship"]
    made = {
        "tosca_definitions_version": version,
        **_types({} if software else asks["property"], {} if software else asks["relationship"], software),
        "service_template" if version == SECOND else "topology_template": {
            "node_templates": templates,
            "relationship_templates": {"peering": peering},
            "outputs": {name: {"value": call} for name, call in calls["output"].items()},
        },
    }
    return json.dumps(made, ensure_ascii=False, indent=1)  # all texts in quotes: engines differ in what else is one


def _operation(interface: str, operation: str, inputs: dict[str, Any]) -> dict[str, Any]:
    return {interface: {"operations": {operation: {"implementation": f"{operation}.sh", "inputs": inputs}}}}


def _nodes(topology: Topology) -> dict[str, Any]:
    types = {"machine": "tosca.nodes.Compute", "base": "own.Base", "first": "own.First", "second": "own.App"}
    found: dict[str, Any] = {}
    for name, type_ in types.items():
        held = {key: {"properties": row} for key, row in topology.capabilities[name].items()}
        found[name] = {"type": type_, "properties": topology.nodes[name], "capabilities": held}
        if name in topology.attributes:
            found[name]["attributes"] = topology.attributes[name]
    del found["machine"]["properties"]
    found["base"]["requirements"] = [{"host": "machine"}]
    found["first"]["requirements"] = [{"host": "base"}, {"peer": {"node": "second", "relationship": "peering"}}]
    return found


def _types(of_first: dict[str, Any], of_relation: dict[str, Any], software: bool) -> dict[str, Any]:
    def given(*kinds: str) -> dict[str, Any]:
        return {kind: {**SCHEMAS[kind], "required": False} for kind in kinds}

    attributes = {f"at_{kind}": SCHEMAS[kind] for kind in SCHEMAS}
    software_type = "tosca.nodes.SoftwareComponent"
    hosted = {"capability": "own.Place", "node": "own.Base", "relationship": "tosca.relationships.HostedOn"}
    peer = {"capability": "own.Port", "node": "own.App", "relationship": "own.To", "occurrences": [0, 1]}
    return {
        "data_types": {"own.Leaf": {"derived_from": "tosca.datatypes.Root", "properties": given(*_LEAF)}},
        "capability_types": {
            "own.Port": {"derived_from": "tosca.capabilities.Root",
                         "properties": given("text", "number", "tree", "leaf")},
            "own.Place": {"derived_from": "tosca.capabilities.Container", "properties": given("number", "items")},
        },
        "relationship_types": {
            "own.To": {"derived_from": "tosca.relationships.Root", "valid_target_types": ["own.Port"],
                       "properties": given("text", "number", "items") | of_relation},
        },
        "node_types": {
            "own.Base": {"derived_from": software_type, "properties": given("text", "items", "leaf"),
                         "attributes": attributes, "capabilities": {"host": {"type": "own.Place"}}},
            "own.App": {
                "derived_from": "tosca.nodes.Root",
                "properties": given(*SCHEMAS),
                "attributes": attributes,
                "capabilities": {"port": {"type": "own.Port"}},
            },
            "own.First": {"derived_from": "own.App", "properties": of_first,
                          "requirements": [{"host": hosted}, {"peer": peer}]},
        },
    }  # fmt: skip
