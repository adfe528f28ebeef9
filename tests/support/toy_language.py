"""A toy language: nodes of the catalogue's kinds, inputs, references and a join, in a YAML form of its own.

toy: 1
inputs: {size: {type: string, default: m1}}
nodes:
  net: {is: net}
  web: {is: server, with: {flavor: {input: size}, name: {join: ["-", [web, {input: size}]]}}, after: [net]}
outputs: {id: {id: web}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.dialects import Dialect
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.request import Request
from bpconvert.yamlio.document import Document

NAME: Final = "toy"
#: the kinds that it has
_KINDS: Final = frozenset({
    "flavor", "floating_ip", "image", "keypair", "net", "port", "router", "router_interface", "security_group",
    "server", "subnet", "volume", "volume_attachment",
})  # fmt: skip
_LAYOUT: Final = "{% for name in data %}\n{{ entry(name, data[name]) }}\n{% endfor %}\n"


# -- reading ------------------------------------------------------------------------------------------------


def read(document: Document, catalogue: Catalogue, reporter: Reporter, files: Files) -> Topology:
    """The neutral form of a document."""
    data = document.data
    topology = Topology(NAME, str(data[NAME]))
    for name, row in data.get("inputs", {}).items():
        default = row.get("default", MISSING)
        topology.inputs[name] = Input(name, row.get("type"), default, path=("inputs", name))
    for name, row in data.get("nodes", {}).items():
        path = ("nodes", name)
        kind = catalogue.kind(row["is"])
        node = Node(name, row["is"], kind.kind if kind else None, _value(row.get("with", {}), path), path=path)
        node.origins[()] = (*path, "with")
        node.wait_for(*row.get("after", ()), path=(*path, "after"))
        topology.nodes[name] = node
    for name, row in data.get("outputs", {}).items():
        topology.outputs[name] = Output(name, _value(row, ("outputs", name)), path=("outputs", name))
    return topology


def _value(data: Any, path: Path) -> Value:
    if isinstance(data, dict) and len(data) == 1:
        ((name, argument),) = data.items()
        if name == "input":
            return ex.Input(argument, path=path)
        if name == "id":
            return ex.Identity(argument, path=path)
        if name == "attribute":
            return ex.Attribute(*argument, path=path)
        if name == "join":
            return ex.Join(argument[0], (_value(argument[1], path),), path=path)
    if isinstance(data, dict):
        return {key: _value(item, (*path, key)) for key, item in data.items()}
    return [_value(item, (*path, index)) for index, item in enumerate(data)] if isinstance(data, list) else data


# -- writing ------------------------------------------------------------------------------------------------


class NotInToy(Exception):
    """Something that the toy has no words for."""


def write(topology: Topology, request: Request) -> Lowered:
    """A document, from what the toy can express; everything else is reported and left out."""
    lowered = Lowered({NAME: 1})
    for name, awaited in request.source.waits(topology, {}):  # what the source's engine orders by itself
        if awaited not in topology.nodes[name].awaited:
            topology.nodes[name].wait_for(awaited)
    for output in topology.capabilities.values():
        request.reporter.report("BPC202", output.path, reason="only outputs are published")
    for section in ("inputs", "nodes", "outputs"):
        for name, entry in getattr(topology, section).items():
            try:
                written = _WRITE[section](entry, topology.inputs)
            except NotInToy as why:
                request.reporter.report("BPC202", entry.path, reason=str(why))
                continue
            lowered.data.setdefault(section, {})[name] = written
            lowered.made[entry.path] = [(section, name)]
            lowered.names.setdefault(section, {})[name] = name
    return lowered


def _input(declared: Input, inputs: Mapping[str, Input]) -> dict[str, Any]:
    _only(declared, "name", "type", "default", "path", "description")
    default = {} if declared.default is MISSING else {"default": _plain(declared.default, inputs)}
    return {"type": declared.type, **default}


def _node(node: Node, inputs: Mapping[str, Input]) -> dict[str, Any]:
    _only(node, "name", "source_type", "kind", "properties", "aliases", "relationships", "ancestry", "origins",
          "declared", "path")  # fmt: skip
    if node.kind not in _KINDS:
        raise NotInToy(f"type {node.source_type}")
    found: dict[str, Any] = {"is": node.kind}
    if node.properties:
        found["with"] = _plain(node.properties, inputs)
    return {**found, "after": node.awaited} if node.awaited else found


def _output(output: Output, inputs: Mapping[str, Input]) -> Any:
    _only(output, "name", "value", "description", "path")
    return _plain(output.value, inputs)


_WRITE: Final[Mapping[str, Any]] = {"inputs": _input, "nodes": _node, "outputs": _output}


def _only(entry: Any, *known: str) -> None:
    """Refuse an entry of the neutral form that has more than these fields."""
    blank = type(entry)(*[""] * sum(one.default is one.default_factory for one in fields(entry)))
    for one in fields(entry):
        if one.name not in known and getattr(entry, one.name) != getattr(blank, one.name):
            raise NotInToy(f"{one.name} of {entry.name}")


def _plain(value: Value, inputs: Mapping[str, Input]) -> Any:
    """A value with the toy's calls."""
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        return {"input": value.name}
    if isinstance(value, ex.Identity) and isinstance(value.node, str):
        return {"id": value.node}
    if isinstance(value, ex.Attribute) and not value.keys and isinstance(value.name, str):
        return {"attribute": [value.node, value.name]}
    if isinstance(value, ex.Join) and len(value.lists) == 1 and isinstance(value.lists[0], list):
        return {"join": [value.delimiter, _plain(value.lists[0], inputs)]}
    if isinstance(value, ex.Concat) and all(_is_text(item, inputs) for item in value.items):
        return {"join": ["", _plain(list(value.items), inputs)]}
    if isinstance(value, ex.Expr):
        raise NotInToy(type(value).__name__)
    if isinstance(value, dict):
        if len(value) == 1 and value.keys() <= {"input", "id", "attribute", "join"}:
            raise NotInToy("a map that would be a call")
        return {key: _plain(item, inputs) for key, item in value.items()}
    return [_plain(item, inputs) for item in value] if isinstance(value, (list, tuple)) else value


def _is_text(value: Value, inputs: Mapping[str, Input]) -> bool:
    declared = inputs.get(str(value.name)) if isinstance(value, ex.Input) else None
    return isinstance(value, str) or (declared is not None and declared.type == "string")


TOY: Final = Dialect(NAME, "Toy", NAME, read, write, _LAYOUT, can=Capabilities("Toy"))
