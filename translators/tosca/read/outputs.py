"""Attributes that outputs of operations are the values of (Simple Profile 1.3, 3.6.15).

Operations of nodes and of relationships set attributes of nodes, of their capabilities and of relationships. The last
one that runs when all is deployed counts; until an operation has run, an attribute has its default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from typing import Final

from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Operation
from bpconvert.translators.passes.software.playbooks import published
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.programs import PLAYBOOKS, is_known
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement

#: operations that run when a node is deployed, in their order (5.8.4, 5.8.5)
_ORDER: Final[Mapping[str, int]] = {
    "create": 0, "pre_configure_source": 1, "pre_configure_target": 1, "configure": 2, "post_configure_source": 3,
    "post_configure_target": 3, "start": 4, "add_target": 5, "add_source": 5,
}  # fmt: skip


class Setter(NamedTuple):
    """An output of an operation. ``owner``: the node that the operation belongs to, or its relationship does."""

    owner: str
    operation: Operation
    output: str

    @property
    def order(self) -> float:
        """When its operation runs among those of its node."""
        return order(self.operation)


def order(operation: Operation) -> float:
    """When an operation runs among those of its node; those that deploying does not run come last."""
    return _ORDER.get(operation.name, inf)


#: node or relationship template, then the steps to the attribute -> what sets it, the first that runs first
Setters = dict[tuple[str, ...], list[Setter]]


def setters(
    raw: Mapping[str, RawNode], text: Callable[[str], str | None], host: Callable[[RawNode, str], str]
) -> Setters:
    """What sets attributes when a topology is deployed. ``text``: the file of an operation -> its text, None where that
    is not known; ``host``: a node and an attribute -> the node that hosts it and has that, "" for none."""
    setters_by_attribute: Setters = {}
    for node in raw.values():
        for operation in node.operations:
            outputs = entries(operation.extra, "outputs").values()
            on_host = [row[1] for row in outputs if isinstance(row, list) and len(row) > 1 and row[0] == "HOST"]
            names = {"SELF": node.name, **({"HOST": host(node, str(on_host[0]))} if on_host else {})}
            _add(setters_by_attribute, node, operation, names, text)
        for requirement in node.requirements:
            names = {"SOURCE": node.name, "TARGET": requirement.target or "", "SELF": relationship(requirement)}
            for operation in requirement.operations:
                _add(setters_by_attribute, node, operation, names, text)
    for rows in setters_by_attribute.values():
        rows.sort(key=lambda setter: setter.order)
    return setters_by_attribute


def relationship(requirement: RawRequirement) -> str:
    """What a relationship is called: by its template, else by its place, at which instances of a node have theirs."""
    return requirement.template or repr((requirement.source, requirement.path))


def _add(
    setters_found: Setters,
    node: RawNode,
    operation: Operation,
    names: Mapping[str, str],
    text: Callable[[str], str | None],
) -> None:
    if operation.name not in _ORDER or not is_known(operation.interface):
        return
    outputs = dict(entries(operation.extra, "outputs"))
    artifact = node.artifacts.get(operation.implementation)
    file = artifact.file if artifact is not None else operation.implementation
    if isinstance(file, str) and file.lower().endswith(PLAYBOOKS):
        # what is not mapped sets the attribute of its name (opera: instance/base.py, ``run_operation``)
        outputs = {name: ["SELF", name] for name in published(text(file))} | outputs
    for output, target in outputs.items():
        if isinstance(target, list) and len(target) > 1 and all(isinstance(step, str) for step in target):
            name, *steps = target
            if names.get(name, name):
                setters_found.setdefault((names.get(name, name), *steps), []).append(
                    Setter(node.name, operation, str(output))
                )


def steps_of(name: Value, keys: Iterable[Value]) -> Iterator[tuple[str, ...]]:
    """What an attribute with keys may be set as: the whole, and what its last keys lead into."""
    steps = (name, *keys)
    for length in range(len(steps), 0, -1):
        if all(isinstance(step, str) for step in steps[:length]):
            yield tuple(str(step) for step in steps[:length])
