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

from bpconvert.diagnostics import Fidelity, Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.expressions import joins
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Rule, Unsupported
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
        properties = _value(row.get("with", {}), (*path, "with"))
        node = Node(name, row["is"], kind.kind if kind else None, properties, path=path)
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


class ToyRewriter(ExpressionRewriter):
    """Rewrites values until the toy has calls for them: a join takes texts only."""

    def as_text(self, value: Value, path: Path) -> Value:
        found = super().as_text(value, path)
        if self.kind(found) != "text":
            raise Unsupported("a join takes texts only")
        return found


def _same(rewriter: ToyRewriter, expr: ex.Expr) -> Value:
    if getattr(expr, "keys", ()) or not all(isinstance(getattr(expr, one), str) for one in _ARGUMENTS[type(expr)]):
        raise Unsupported("a part of a value is taken, or its name is computed")
    return expr


def _join(rewriter: ToyRewriter, expr: ex.Join) -> Value:
    if not all(isinstance(items, list) for items in expr.lists):
        raise Unsupported("the list is only known when deploying")
    items = [rewriter.as_text(item, expr.path) for items in expr.lists for item in items]
    return ex.Join(rewriter.argument(expr.delimiter, expr.path), (items,), path=expr.path)


def _concat(rewriter: ToyRewriter, expr: ex.Concat) -> Value:
    return rewriter.text([rewriter.as_text(item, expr.path) for item in expr.items], expr.path)


_ARGUMENTS: Final[Mapping[type[ex.Expr], tuple[str, ...]]] = {
    ex.Input: ("name",), ex.Identity: ("node",), ex.Attribute: ("node", "name"),
}  # fmt: skip
RULES: Final[Mapping[type[ex.Expr], Rule]] = {
    **{kind: Rule(Fidelity.EXACT, "itself", _same) for kind in _ARGUMENTS},
    ex.Join: Rule(Fidelity.EXACT, "`join`", _join),
    ex.Concat: Rule(Fidelity.REWRITTEN, "`join` without a delimiter", _concat),
    ex.Replace: Rule(Fidelity.REWRITTEN, "`join` of the template's pieces", joins.replace),
}


def write(topology: Topology, request: Request) -> Lowered:
    """A document, from what the toy can express; everything else is reported and left out."""
    rewriter, found = ToyRewriter(topology, request, RULES), Lowered({NAME: 1, "inputs": {}})
    for name, awaited in request.source.waits(topology):  # what the source's engine orders by itself
        if awaited not in topology.nodes[name].awaited:
            topology.nodes[name].wait_for(awaited)
    for output in topology.capabilities.values():
        request.reporter.report("BPC202", output.path, reason="only outputs are published")
    for section in ("nodes", "outputs", "inputs"):  # values that are asked for become inputs
        for name, entry in getattr(topology, section).items():
            try:
                written = _WRITE[section](entry, rewriter)
            except NotInToy as why:
                request.reporter.report("BPC202", entry.path, reason=str(why))
                continue
            found.data.setdefault(section, {})[name] = written
            found.made.setdefault(entry.path, []).append((section, name))
            found.names.setdefault(section, {})[name] = name
    found.data = {name: section for name, section in found.data.items() if section}
    return found


def _input(declared: Input, rewriter: ToyRewriter) -> dict[str, Any]:
    _only(declared, "name", "type", "default", "path", "description")
    default = {} if declared.default is MISSING else {"default": _plain(declared.default)}
    return {"type": declared.type, **default}


def _node(node: Node, rewriter: ToyRewriter) -> dict[str, Any]:
    _only(node, "name", "source_type", "kind", "properties", "aliases", "relationships", "ancestry", "origins",
          "declared", "path", "native")  # fmt: skip
    if node.kind not in _KINDS and node.native != NAME:
        raise NotInToy(f"type {node.source_type}")
    found: dict[str, Any] = {"is": node.kind or node.source_type}
    if node.properties:
        found["with"] = _plain(rewriter.value(node.properties, node.origin()))
    return {**found, "after": node.awaited} if node.awaited else found


def _output(output: Output, rewriter: ToyRewriter) -> Any:
    _only(output, "name", "value", "description", "path")
    return _plain(rewriter.value(output.value, output.path, inert="output"))


_WRITE: Final[Mapping[str, Any]] = {"inputs": _input, "nodes": _node, "outputs": _output}


def _only(entry: Any, *known: str) -> None:
    """Refuse an entry of the neutral form that has more than these fields."""
    blank = type(entry)(*[""] * sum(one.default is one.default_factory for one in fields(entry)))
    for one in fields(entry):
        if one.name not in known and getattr(entry, one.name) != getattr(blank, one.name):
            raise NotInToy(f"{one.name} of {entry.name}")


def _plain(value: Value) -> Any:
    """A rewritten value with the toy's calls."""
    if isinstance(value, ex.Input):
        return {"input": value.name}
    if isinstance(value, ex.Identity):
        return {"id": value.node}
    if isinstance(value, ex.Attribute):
        return {"attribute": [value.node, value.name]}
    if isinstance(value, ex.Join):
        return {"join": [value.delimiter, _plain(value.lists[0])]}
    if isinstance(value, ex.Expr) or value is None:
        raise NotInToy(type(value).__name__)
    if isinstance(value, dict):
        if len(value) == 1 and value.keys() <= {"input", "id", "attribute", "join"}:
            raise NotInToy("a map that would be a call")
        return {key: _plain(item) for key, item in value.items()}
    return [*map(_plain, value)] if isinstance(value, (list, tuple)) else value


TOY: Final = Dialect(NAME, "Toy", NAME, read, write, _LAYOUT, can=Capabilities("Toy", language=NAME))
