"""Requests for a pass that runs alone: two languages that exist nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.files import CannotNest, Files
from bpconvert.models.expressions import Value
from bpconvert.models.topology import NestedInterface, Node, Output, Topology
from bpconvert.options import Options
from bpconvert.translators.dialects import DIALECTS, catalogue
from bpconvert.translators.passes.capabilities import Capabilities, Groups, GroupType, Operations, Runner, Software
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.stand_ins import restore
from bpconvert.yamlio.document import load

SOURCE = Capabilities(
    "Source",
    language="toy",
    document_types=(".toy",),
    group_types=Groups(types={"several": GroupType("of"), "many": GroupType("of", scales=True)}),
)
TARGET = Capabilities(
    "Target",
    groups="scaling",
    software="operations",
    nesting="components",
    programs=Software(
        operations=Operations({"CREATE": ("life", "begin"), "UPDATE": ("life", "change"), "DELETE": ("life", "end")}),
        runner=Runner("run.sh", "file", "text", "outputs", "errors", (), "#!/bin/sh\n"),
    ),
)


class Documents:
    """Opens nested documents: those with an ``a`` in their names are there."""

    def open(self, files: Files, name: str, resource: str) -> NestedInterface:
        if "a" not in name:
            raise CannotNest("BPC610", name=name)
        return NestedInterface(f"made/{name}", "0123abcd")


def request(folder: Path | None = None) -> Request:
    document = load("{}\n", "a.toy")
    reporter = Reporter(document, engines=("Source", "Target"))
    files = Files(folder, opener=Documents())
    return Request(SOURCE, TARGET, catalogue(), document, reporter, Options(), files)


def topology(*nodes: Node, **outputs: Value) -> Topology:
    found = Topology("toy", "1", nodes={node.name: node for node in nodes})
    found.outputs = {name: Output(name, value, path=("outputs", name)) for name, value in outputs.items()}
    return found


def node(name: str, type: str, kind: str | None = None, **properties: Any) -> Node:
    return Node(name, type, kind, properties, path=("nodes", name))


def restored(topology: Topology) -> Topology:
    """The topology on its way to HOT: its stand-ins are resources again."""
    return restore(topology, replace(request(), target=DIALECTS["hot"].capabilities()))


def codes(asked: Request) -> list[str]:
    return [found.code for found in asked.reporter.diagnostics]
