"""Nested templates: resources whose type is a file, and stacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Input, Node
from bpconvert.translators.comparing.filling import is_plain
from bpconvert.translators.comparing.model import Given, Inputs, Nesting, NotNested, Part, Side, as_written
from bpconvert.translators.evaluate.parameters import given_to_nested
from bpconvert.translators.hot.capabilities import GROUPS
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.translators.passes.nesting import STACKS

#: how an attribute of a CloudFormation stack begins that is an output
OUTPUT: Final = "Outputs."
#: kind -> the property with the values that are handed on
_GIVEN: Final = {"stack": "parameters", "cfn_stack": "Parameters"}
#: kind -> the time limit, in minutes
_LIMITS: Final = {"stack": "timeout", "cfn_stack": "TimeoutInMinutes"}
#: what the definition of a group's member is in
_DEFINITIONS: Final = (*(group.definition for group in GROUPS.types.values()), "properties")


class TemplateInputs(Inputs):
    """Parameters."""

    def taken(self, declared: Input, value: Value) -> Value:
        """Heat makes a value what the nested parameter's type is (heat: template_resource.py, ``child_params``)."""
        if declared.type is None or not is_plain(value):
            return value
        try:
            return given_to_nested(declared.type, value)
        except (ValueError, TypeError):
            return value


class Templates(Nesting):
    """Nested templates and stacks."""

    published = ("outputs",)
    prefix = OUTPUT

    def is_component(self, node: Node) -> bool:
        """True for a stack and for a resource whose type is a template."""
        return node.kind in STACKS or (node.kind is None and node.source_type.endswith(TEMPLATE_ENDINGS))

    def file(self, side: Side, node: Node) -> str:
        """The template."""
        if node.kind not in STACKS:
            return node.source_type
        written: Any = as_written(side, node).properties
        while isinstance(written, dict) and STACKS[node.kind] not in written:  # of a member of a group
            written = next((written[step] for step in _DEFINITIONS if step in written), None)
        written = written.get(STACKS[node.kind]) if isinstance(written, dict) else None
        name = written.name if isinstance(written, ex.File) else written
        if not isinstance(name, str) or (node.kind == "stack" and not isinstance(written, ex.File)):
            raise NotNested("its template is not a file", written if isinstance(written, str) else None)
        return name

    def inputs(self, properties: Mapping[Any, Value]) -> Mapping[Any, Value]:
        """All properties: a null for a nested parameter is the empty value of its type (heat/engine/properties.py)."""
        return properties

    def handed_over(self, side: Side, part: Part) -> Given:
        """The parameters, and the time limit of a stack in seconds."""
        node, properties = part.node, part.properties
        if node.kind not in STACKS:
            return Given(properties, {}, {})
        key, limit = _GIVEN[node.kind], _LIMITS[node.kind]
        inputs = properties.get(key)
        inputs = {n: v for n, v in inputs.items() if v is not None} if isinstance(inputs, dict) else {}
        places = {name: node.origin(key, name) for name in inputs}
        settings = {n: v for n, v in properties.items() if v is not None and n not in (key, STACKS[node.kind], limit)}
        if properties.get(limit) is not None:
            settings["time limit"] = _seconds(properties[limit])
            places["time limit"] = node.origin(limit)
        return Given(inputs, settings, places)

    def written(self, side: Side, node: Node) -> Any:
        """The parameters as they are written."""
        properties: Any = as_written(side, node).properties
        if node.kind in STACKS:
            return properties.get(_GIVEN[node.kind]) if isinstance(properties, dict) else None
        return properties


def _seconds(minutes: Value) -> Value:
    try:
        return int(minutes) * 60
    except (TypeError, ValueError):
        return minutes
