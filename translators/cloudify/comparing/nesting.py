"""Components: nodes that are deployments of another blueprint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Input, Node
from bpconvert.translators.cloudify.components import NotHereError, file_of
from bpconvert.translators.comparing.language import Given, Inputs, Nesting, NotNested
from bpconvert.translators.comparing.model import Part, Side
from bpconvert.translators.comparing.references import as_written

_TYPES: Final = ("cloudify.nodes.Component", "cloudify.nodes.ServiceComponent")
_INPUTS: Final = ("resource_config", "deployment", "inputs")
_TIME_LIMIT: Final = ("interfaces", "cloudify.interfaces.lifecycle", "start", "inputs", "timeout")


class BlueprintInputs(Inputs):
    """Inputs; those of nested blueprints get what is handed on as it is."""

    def is_asked(self, declared: Input) -> bool:
        """False for an input that holds values to choose from."""
        return not declared.hidden or declared.default is MISSING


class Components(Nesting):
    """Components."""

    published = ("capabilities", "outputs")

    def is_component(self, node: Node) -> bool:
        """True for a node of one of the two types of components."""
        return is_component(node)

    def file(self, side: Side, node: Node) -> str:
        """The blueprint."""
        try:
            return file_of(node.properties)
        except NotHereError as why:
            raise NotNested(str(why)) from why

    def inputs(self, properties: Mapping[Any, Value]) -> Mapping[Any, Value]:
        """The inputs of the deployment."""
        found = _inside(properties, _INPUTS)
        return found if isinstance(found, dict) else {}

    def given(self, side: Side, part: Part) -> Given:
        """The inputs, and the time limit of the operation that installs the deployment: as written, for it has no
        implementation of its own."""
        node, properties = part.node, part.properties
        limit = _inside(side.document.data, (*node.path, *_TIME_LIMIT))
        places = {name: (*node.path, "properties", *_INPUTS, name) for name in properties}
        return Given(properties, {} if limit is None else {"time limit": limit}, places)

    def written(self, side: Side, node: Node) -> Any:
        """The inputs as they are written."""
        return _inside(as_written(side, node).properties, _INPUTS)


def is_component(node: Node) -> bool:
    """True for a node of one of the two types of components."""
    return node.kind == "stack" or not {node.source_type, *node.ancestry}.isdisjoint(_TYPES)


def _inside(value: Any, steps: tuple[Any, ...]) -> Any:
    """What is at ``steps`` in nested maps; None where there is nothing."""
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value
