"""What the parts of the writer share."""

from __future__ import annotations

from dataclasses import dataclass, field

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.topology import Topology
from bpconvert.options import Options
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.write.inputs import InputKinds, Inputs
from bpconvert.translators.cloudify.write.names import Names
from bpconvert.translators.passes.request import Request


@dataclass(eq=False, repr=False)
class Context:
    """The topology that is written, what is asked for, and the names and inputs of the blueprint. ``kinds``: what
    values are known to be."""

    topology: Topology
    request: Request
    names: Names = field(init=False)
    inputs: Inputs = field(init=False)
    kinds: InputKinds = field(init=False)

    def __post_init__(self) -> None:
        self.names = Names(self.topology, self.request)
        self.inputs = Inputs(self.topology, self.request, self.names)
        self.kinds = InputKinds(self.topology, self.request, self.inputs)

    @property
    def catalogue(self) -> Catalogue:
        """The kinds of resources."""
        return self.request.catalogue

    @property
    def reporter(self) -> Reporter:
        """What takes the diagnostics."""
        return self.request.reporter

    @property
    def options(self) -> Options:
        """What the user asked for."""
        return self.request.options

    @property
    def files(self) -> Files:
        """The files beside the source."""
        return self.request.files

    @property
    def generation2(self) -> bool:
        """True where the blueprint is for the plugin's second generation."""
        return self.request.options.plugin == "v2"
