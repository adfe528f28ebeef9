"""The names that inputs, nodes and outputs have in the template, the names that are taken, what is added."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.support.places import value_at
from bpconvert.translators.support.text import fresh


class Names:
    """The names of one template. Those that entries have in the template that the source was made from are preferred;
    Heat refuses a name that both a parameter and a resource have."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self._request = request
        self._words = request.source.words
        self._connections: dict[str, str] = {}
        inputs = {name: self._original("inputs", name) or name for name in topology.inputs}
        inputs = {name: f"OS_{new[4:]}" if new[:4] == "OS::" else new for name, new in inputs.items()}
        self._parameters = _unique(inputs, set())
        parameters = set(self._parameters.values())
        nodes = {name: (self._original("nodes", name) or name).replace("/", "_") for name in topology.nodes}
        nodes = {name: f"{new}_node" if new in parameters else new for name, new in nodes.items()}
        self._resources = _unique(nodes, parameters)
        self._taken = parameters.union(self._resources.values())
        outputs = _unique({name: self._original("outputs", name) or name for name in topology.outputs}, set())
        others = set(outputs.values())
        capabilities = {name: self._original("capabilities", name) or name for name in topology.capabilities}
        capabilities = {name: f"capability_{new}" if new in others else new for name, new in capabilities.items()}
        self._outputs = {("outputs", name): new for name, new in outputs.items()}
        self._outputs |= {("capabilities", name): new for name, new in _unique(capabilities, others).items()}

    def _original(self, section: str, name: str) -> str | None:
        """The name in the template that the source was made from."""
        if self._request.origin is None:
            return None
        node = self.topology.nodes.get(name) if section == "nodes" else None
        if node is not None and len(node.path) > 2:
            return self._connection(self._request.origin, node)
        return self._request.origin.original((self._words.section(section), name))

    def _connection(self, origin: Origin, node: Node) -> str | None:
        """The original name of a resource that is a part of an entry of the source; each name once."""
        name = self._connections.get(node.name)
        kind = self._request.catalogue.kind(node.kind)
        for entry in origin.parts(node.path[:2]) if name is None and kind is not None else ():
            resource = value_at(origin.document.data, entry)
            alike = isinstance(resource, dict) and resource.get("type") in (kind.heat if kind else ())
            others = {*self._connections.values(), *(self.topology.nodes.keys() - {node.name})}
            if alike and entry[-1] not in others:
                name = self._connections[node.name] = str(entry[-1])
                break
        return name

    def resource(self, node: str) -> str:
        """The HOT name of a node."""
        if node not in self._resources:
            return node
        return self._reported("nodes", node, self._resources[node], self.topology.nodes[node].path)

    def parameter(self, input: str) -> str:
        """The HOT name of an input."""
        if input not in self._parameters:
            return input
        return self._reported("inputs", input, self._parameters[input], self.topology.inputs[input].path)

    def output(self, name: str, section: str = "outputs") -> str:
        """The HOT name of an output, or (``section``: ``capabilities``) of a capability."""
        entries = self.topology.outputs if section == "outputs" else self.topology.capabilities
        if (section, name) not in self._outputs:
            return name
        return self._reported(section, name, self._outputs[section, name], entries[name].path)

    def _reported(self, section: str, name: str, new: str, path: Path) -> str:
        """``new``, after a report when that is a name which nobody gave."""
        if new not in (name, self._original(section, name)):
            self._request.reporter.report("BPC604", path, name=name, new=new)
        return new

    def fresh_resource(self, wanted: str) -> str:
        """A resource name nobody has yet; parameters do not have it either, which Heat refuses."""
        name = fresh(wanted.replace("/", "_"), self._taken)
        self._taken.add(name)
        return name

    def fresh_parameter(self, wanted: str) -> str:
        """A parameter name nobody has yet, ``wanted`` or nearly so; those with ``OS::`` are Heat's own."""
        name = fresh(wanted if wanted[:4] != "OS::" else f"OS_{wanted[4:]}", self._taken)
        self._taken.add(name)
        return name

    @cached_property
    def inputs(self) -> dict[str, Input]:
        """Parameter -> the input that became it."""
        return {new: self.topology.inputs[name] for name, new in self._parameters.items()}

    @cached_property
    def nodes(self) -> dict[Value, Node]:
        """Resource -> the node that became it."""
        return {new: self.topology.nodes[name] for name, new in self._resources.items()}


def _unique(wanted: Mapping[str, str], others: Collection[str]) -> dict[str, str]:
    """Entry -> the name that it gets, which no other one and none of ``others`` has. Those that want their own name
    come first."""
    taken = {*others, *(new for name, new in wanted.items() if new == name)}
    names: dict[str, str] = {}
    for name, new in wanted.items():
        names[name] = new if new == name else fresh(new or "unnamed", taken)
        taken.add(names[name])
    return names


class Added:
    """What is added to one template. ``parameters``: name -> HOT data; ``conditions``: name -> condition."""

    def __init__(self, names: Names, request: Request) -> None:
        self._names = names
        self._request = request
        self.parameters: dict[str, dict[str, Any]] = {}
        self.conditions: dict[str, Value] = {}
        #: (input of a nested document, its data) -> the parameter that gives it a value
        self.handed_on: dict[tuple[str, str], str] = {}
        self._secrets: dict[tuple[str, str], str] = {}

    def parameter(self, wanted: str, data: dict[str, Any]) -> str:
        """Add a parameter that the source does not have, named ``wanted`` or nearly so. Returns its name."""
        name = self._names.fresh_parameter(wanted)
        self.parameters[name] = data
        return name

    def condition(self, wanted: str, value: Value) -> str:
        """Add a condition that the source does not have. Returns its name."""
        name = fresh(wanted, {*self._names.topology.conditions, *self.conditions})
        self.conditions[name] = value
        return name

    def secret(self, name: str, path: Path, kind: str = "string") -> str:
        """The hidden parameter that stands for a secret of the manager. ``kind``: ``json`` where parts of it are used
        (as text and in parts: two parameters, because Heat yields either)."""
        parameter = self._secrets.get((name, kind))
        if parameter is None:
            other = any(secret == name for secret, _ in self._secrets)
            description = f"Secret '{name}' of the {self._request.source.title} manager"
            data = {"type": kind, "description": description, "hidden": True}
            parameter = self._secrets[name, kind] = self.parameter(f"{name}_{kind}" if other else name, data)
        self._request.reporter.report("BPC234", path, name=name, what="hidden parameter", parameter=parameter)
        return parameter

    def known_secret(self, name: Value, kind: str) -> str | None:
        """The parameter that stands for a secret already, if there is one."""
        return self._secrets.get((name, kind)) if isinstance(name, str) else None
