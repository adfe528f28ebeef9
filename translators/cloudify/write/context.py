"""What the parts of the writer share."""

from __future__ import annotations

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Topology
from bpconvert.translators.cloudify.write.inputs import InputKinds, Inputs
from bpconvert.translators.cloudify.write.names import Names
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh


class Context:
    """The topology that is written, what is asked for, and the names and inputs of the blueprint. ``kinds``: what
    values are known to be."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request
        self.catalogue = request.catalogue
        self.reporter = request.reporter
        self.options = request.options
        self.files = request.files
        #: the blueprint is for the plugin's second generation
        self.generation2 = request.options.plugin == "v2"
        self.names = Names(topology, request)
        self.inputs = Inputs(topology, request, self.names)
        #: output that is a text about its value -> the value
        self.shown: dict[str, Value] = {}
        self.kinds = InputKinds(topology, request, self.inputs)
        #: node type of the blueprint's own -> what it is derived from
        self._own_types: dict[str, str] = {}

    def own_type(self, wished: str, parent: str) -> str:
        """The name of a node type that is derived from ``parent``: ``wished``, or nearly so."""
        name = wished
        while self._own_types.setdefault(name, parent) != parent:
            name = fresh(wished, self._own_types)
        return name
