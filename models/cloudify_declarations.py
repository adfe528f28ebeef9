"""What a blueprint declares in many places: properties, parameters and inputs, operations.

Part of :mod:`bpconvert.models.cloudify`, below it and :mod:`bpconvert.models.cloudify_definitions`."""

from typing import Annotated, Any, ClassVar

from bpconvert.models import cloudify_rules as rules
from bpconvert.models.fields import LATER, FreeMap, Kind, Model, Named, Section, Whole

_Duration = Annotated[Any, Kind("a number", int, float, check=rules.check_not_negative)]
Executor = Annotated[str, Kind("text", str, check=rules.check_executor)]
Constraint = Annotated[dict[str, Any], Kind("a map", dict, check=rules.check_constraint)]


class PropertyDefinition(Model):
    """What a property of a type may be."""

    NOUN = "a property"
    NULLABLE = True
    SINCE: ClassVar[dict[str, str]] = {"required": "1_2"}

    type: str | None = None
    description: str | None = None
    default: Any = None
    required: bool | None = None


class Parameter(PropertyDefinition):
    """A property with constraints: an operation's or a workflow's parameter."""

    NOUN = "a parameter"
    SINCE: ClassVar[dict[str, str]] = {"required": "1_2", "item_type": "1_4"}

    item_type: str | None = None
    constraints: list[Constraint] | None = None


class Display(Model):
    """How an input form shows the field."""

    NOUN = "a display"
    NULLABLE = True

    rows: Whole | None = None


class Input(Parameter):
    """A deployment input."""

    NOUN = "an input"
    SINCE: ClassVar[dict[str, str]] = {"required": "1_2", "item_type": "1_4", "display_label": "1_3", "hidden": "1_3"}

    display_label: str | None = None
    hidden: bool | None = None
    display: Annotated[Display, LATER] | None = None


class Operation(Model):
    """What a node or relationship does at a point of its life; a bare text is the implementation."""

    NOUN = "an operation"
    NULLABLE = True
    SHORT = "implementation"
    SINCE: ClassVar[dict[str, str]] = {"max_retries": "1_1", "retry_interval": "1_1"}

    implementation: str | None = None
    executor: Executor | None = None
    inputs: FreeMap | None = None
    max_retries: Annotated[int, Kind("a whole number", int, check=rules.check_retries)] | None = None
    retry_interval: _Duration | None = None
    timeout: _Duration | None = None
    timeout_recoverable: bool | None = None


class TypeOperation(Operation):
    """An operation as a type defines it: its inputs are declarations."""

    inputs: Section[Input] | None = None


TypeInterfaces = Named[Section[TypeOperation]]
