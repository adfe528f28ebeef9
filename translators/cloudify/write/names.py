"""Names of a blueprint: each given once, and those of places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Topology
from bpconvert.translators.cloudify.vocabulary import is_legal, legal
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh


class _Section:
    """The names of one section of the blueprint. ``source``: those that the source's section has; ``given``: those that
    are settled already."""

    def __init__(self, source: Collection[str], settled: Mapping[str, str] | None = None) -> None:
        self._source = frozenset(source)
        self._given: dict[str, str] = dict(settled or {})
        self._taken = {*source, *self._given.values()}

    def name(self, name: str) -> str:
        """The name in the blueprint of what the source calls ``name``; the same at every call."""
        chosen = self._given.get(name)
        if chosen is None:
            chosen = name if name in self._source and is_legal(name) else self.fresh(name)
            self._given[name] = chosen
        return chosen

    def fresh(self, wanted: str) -> str:
        """A legal name like ``wanted`` that nothing else has; from now on it is taken."""
        name = fresh(legal(wanted), self._taken)
        self._taken.add(name)
        self._given[name] = name
        return name


class Names:
    """The names of the nodes, inputs and outputs of a blueprint. Those that the blueprint had of which the source was
    made are preferred; an entry that gets another name than in the source is reported."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self._topology = topology
        self._request = request
        nodes, groups = topology.nodes, topology.groups
        names = [*nodes, *groups, *(group.policy for group in groups.values())]
        self._nodes = _Section(names, self._originals("nodes", nodes))
        self._inputs = _Section(topology.inputs, self._originals("inputs", topology.inputs))
        self._outputs = _Section(topology.outputs, self._originals("outputs", topology.outputs))

    def _originals(self, section: str, names: Iterable[str]) -> dict[str, str]:
        """The names that entries of a section had in the blueprint that the source was made from."""
        origin, called = self._request.origin, self._request.source.words.section(section)
        if origin is None:
            return {}
        originals = ((name, origin.original((called, name))) for name in names)
        return {name: original for name, original in originals if original is not None}

    def node(self, name: str) -> str:
        """The name that node ``name`` has in the blueprint."""
        node = self._topology.nodes.get(name)
        return self.changed(name, self._nodes.name(name), node.path if node else ())

    def input(self, name: str) -> str:
        """The name that input ``name`` has in the blueprint."""
        return self.changed(name, self._inputs.name(name), self._topology.inputs[name].path)

    def output(self, name: str) -> str:
        """The name that output ``name`` has in the blueprint."""
        return self.changed(name, self._outputs.name(name), self._topology.outputs[name].path)

    def fresh_node(self, wanted: str) -> str:
        """A node name nobody has yet."""
        return self._nodes.fresh(wanted)

    def fresh_input(self, wanted: str) -> str:
        """A name of an input that nobody has yet."""
        return self._inputs.fresh(wanted)

    def changed(self, name: str, new: str, path: Path) -> str:
        """``new``, after a report when that is another name."""
        if new != name:
            self._request.reporter.report("BPC604", path, name=name, new=new)
        return new


def path_name(path: Path) -> str:
    """A name for what stands at ``path``: the entry's name and the innermost keys that are names."""
    passed = ("properties", "value", "params", "template")
    names = [step for step in path[1:] if isinstance(step, str) and step not in passed and step.isidentifier()]
    return "_".join(names[:1] + names[1:][-2:]) or "value"
