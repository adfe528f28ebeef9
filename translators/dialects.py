"""The languages that can be read and written. A new one is one more row and the modules it names."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

from bpconvert.translators.nested import TEMPLATE_ENDINGS
from bpconvert.translators.passes.capabilities import Capabilities


class Dialect(NamedTuple):
    """One language.

    marker: the top-level key by which a document is known; its value is the version.
    reader: ``module:function``, (document, catalogue, reporter, files) -> topology.
    writer: ``module:function``, (topology, request) -> lowered.
    checker: ``module:function``, (document, reporter, files, environments, types); reports what the engine refuses.
    can: ``module:name`` of its :class:`~.passes.capabilities.Capabilities`.
    template: the layout.
    sidecar: the module that keeps and finds the record of the source.
    sections: the names of description, inputs, nodes and outputs.
    published: the section of a nested document that the nesting one can read.
    endings: those of the names of nested documents; () takes any name."""

    name: str
    title: str
    marker: str
    reader: str
    writer: str
    checker: str
    template: str
    sidecar: str
    sections: dict[str, str]
    published: str
    endings: tuple[str, ...] = ()
    can: str = ""

    def capabilities(self) -> Capabilities:
        """What the dialect can express."""
        found: Capabilities = _load(self.can)
        return found

    def read(self) -> Callable[..., Any]:
        """The function that reads a document of this dialect into a topology."""
        found: Callable[..., Any] = _load(self.reader)
        return found

    def write(self) -> Callable[..., Any]:
        """The function that writes a topology in this dialect."""
        found: Callable[..., Any] = _load(self.writer)
        return found

    def check(self) -> Callable[..., None]:
        """The function that checks a document of this dialect."""
        found: Callable[..., None] = _load(self.checker)
        return found

    def keeper(self) -> ModuleType:
        """The module that keeps and finds the record of the source."""
        return import_module(self.sidecar)

    def counterparts(self, other: Dialect) -> dict[str, str]:
        """Section of this dialect -> section of the other one."""
        return {name: other.sections[neutral] for neutral, name in self.sections.items()}


_ROOT: Final = "bpconvert.translators."

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "hot",
            "OpenStack Heat HOT",
            "heat_template_version",
            reader=_ROOT + "hot.read.template:to_topology",
            writer=_ROOT + "hot.write.template:from_topology",
            checker=_ROOT + "checks.heat:check",
            can=_ROOT + "hot.capabilities:CAPABILITIES",
            template="hot.yaml.j2",
            sidecar=_ROOT + "hot.sidecar",
            sections={"description": "description", "inputs": "parameters", "nodes": "resources", "outputs": "outputs"},
            published="outputs",
            endings=TEMPLATE_ENDINGS,
        ),
        Dialect(
            "cloudify",
            "Cloudify DSL",
            "tosca_definitions_version",
            reader=_ROOT + "cloudify.read.blueprint:to_topology",
            writer=_ROOT + "cloudify.write.blueprint:from_topology",
            checker=_ROOT + "checks.blueprint:check",
            can=_ROOT + "cloudify.capabilities:CAPABILITIES",
            template="cloudify.yaml.j2",
            sidecar=_ROOT + "cloudify.sidecar",
            sections={
                "description": "description",
                "inputs": "inputs",
                "nodes": "node_templates",
                "outputs": "outputs",
            },
            published="capabilities",
        ),
    )
}


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
