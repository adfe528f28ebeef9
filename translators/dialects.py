"""The languages that can be read and written. A new one is one more row and the modules it names."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NamedTuple

from bpconvert.translators.nested import TEMPLATE_ENDINGS


class Dialect(NamedTuple):
    """``marker``: the top-level key by which a document is known, its value is the version. ``reader`` and ``writer``:
    ``module:function``, (document, catalogue, reporter, files) -> topology and (topology, document, catalogue,
    reporter, options, files, origin) -> lowered. ``checker``: (document, reporter, files, environments, types), reports
    what the engine refuses. ``template``: the layout. ``sidecar``: the module that keeps and finds the record of the
    source. ``sections``: the names of description, inputs, nodes and outputs. ``published``: the section of a nested
    document that the nesting one can read. ``endings``: those of the names of nested documents; () takes any name."""

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

    def lift(self) -> Callable[..., Any]:
        """The function that reads a document of this dialect into a topology."""
        return _load(self.reader)

    def lower(self) -> Callable[..., Any]:
        """The function that lowers a topology to this dialect."""
        return _load(self.writer)

    def check(self) -> Callable[..., None]:
        """The function that checks a document of this dialect."""
        return _load(self.checker)

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
            reader=_ROOT + "hot.read.template:lift",
            writer=_ROOT + "hot.write.template:lower",
            checker=_ROOT + "checks.heat:check",
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
            reader=_ROOT + "cloudify.read.blueprint:lift",
            writer=_ROOT + "cloudify.write.blueprint:lower",
            checker=_ROOT + "checks.blueprint:check",
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


def _load(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
