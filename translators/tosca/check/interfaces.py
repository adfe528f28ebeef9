"""Which operations the interfaces of a node type have (Simple Profile 1.3, 3.7.5 and 3.8.5)."""

from __future__ import annotations

from typing import Any

from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.interfaces import NO_OPERATIONS, assigned
from bpconvert.translators.tosca.read.types import INTERFACE, NODE, Types


def operations(types: Types, node_type: str, interface: str) -> set[str] | None:
    """The operations of an interface of a node type; None where that is not known."""
    operation_names: set[str] = set()
    kinds: set[str] = set()
    for ancestor in types.ancestry(NODE, node_type):
        row = entries(types.definition(NODE, ancestor), "interfaces").get(interface)
        if isinstance(row, str):
            kinds.add(row)
        elif isinstance(row, dict):
            operation_names |= {name for name, _ in assigned(row)}
            kinds |= {row["type"]} if isinstance(row.get("type"), str) else set()
    for kind in kinds:
        for name in types.ancestry(INTERFACE, kind):
            definition = types.definition(INTERFACE, name)
            if definition is None:
                return None
            of_standard = definition is normative().get(INTERFACE, {}).get(name)
            operation_names |= _standard(definition) if of_standard else {name for name, _ in assigned(definition)}
    return operation_names if kinds else None


def _standard(definition: Any) -> set[str]:
    """The operations of an interface type of the standard, whose definitions have their names."""
    operations = definition.get("operations", definition) if isinstance(definition, dict) else definition
    return {str(name) for name in operations if name not in NO_OPERATIONS}
