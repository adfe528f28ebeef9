"""The names that inputs, nodes and outputs have in the template, and which names are taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from bpconvert.models.expressions import Path
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
        known = self._connections.get(node.name)
        kind = self._request.catalogue.kind(node.kind)
        for entry in origin.parts(node.path[:2]) if known is None and kind is not None else ():
            resource = value_at(origin.document.data, entry)
            alike = isinstance(resource, dict) and resource.get("type") in (kind.heat if kind else ())
            if alike and entry[-1] not in self._connections.values():
                known = self._connections[node.name] = str(entry[-1])
                break
        return known

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
            self._request.reporter.report("BPC606", path, name=name, new=new)
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

    def input_of(self, parameter: str) -> Input | None:
        """The input that became a parameter."""
        name = self._inputs_of.get(parameter)
        return self.topology.inputs[name] if name is not None else None

    def node_of(self, resource: str) -> Node | None:
        """The node that became a resource."""
        name = self._nodes_of.get(resource)
        return self.topology.nodes[name] if name is not None else None

    @cached_property
    def _inputs_of(self) -> dict[str, str]:
        return {new: name for name, new in self._parameters.items()}

    @cached_property
    def _nodes_of(self) -> dict[str, str]:
        return {new: name for name, new in self._resources.items()}


def _unique(wanted: Mapping[str, str], others: Collection[str]) -> dict[str, str]:
    """Entry -> the name that it gets, which no other one and none of ``others`` has. Those that want their own name
    come first."""
    taken = {*others, *(new for name, new in wanted.items() if new == name)}
    names: dict[str, str] = {}
    for name, new in wanted.items():
        names[name] = new if new == name else fresh(new or "unnamed", taken)
        taken.add(names[name])
    return names
