"""Generated from ``models/cloudify_declarations.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import checks
from bpconvert.models import cloudify_rules as rules
from bpconvert.models.plain import Plain, before, flag, kind, mapping, model, optional, sequence, text

_0: Final = optional(text)
_1: Final = optional(flag)


class PropertyDefinition(Plain):
    """What a property of a type may be."""

    SOURCE = "bpconvert.models.cloudify_declarations:PropertyDefinition"
    NOUN = "a property"
    SINCE = {"required": "1_2"}
    NULLABLE = True
    CHECKS = {"type": _0, "description": _0, "default": None, "required": _1}
    DEFAULTS = {"type": None, "description": None, "default": None, "required": None}

    type: str | None
    description: str | None
    default: Any
    required: bool | None


_2: Final = optional(sequence(kind(dict, check=rules.check_constraint)))


class Parameter(PropertyDefinition):
    """A property with constraints: an operation's or a workflow's parameter."""

    SOURCE = "bpconvert.models.cloudify_declarations:Parameter"
    NOUN = "a parameter"
    SINCE = {"required": "1_2", "item_type": "1_4"}
    CHECKS = {"type": _0, "description": _0, "default": None, "required": _1, "item_type": _0, "constraints": _2}
    DEFAULTS = {
        "type": None,
        "description": None,
        "default": None,
        "required": None,
        "item_type": None,
        "constraints": None,
    }

    item_type: str | None
    constraints: list[dict[str, Any]] | None


class Display(Plain):
    """How an input form shows the field."""

    SOURCE = "bpconvert.models.cloudify_declarations:Display"
    NOUN = "a display"
    NULLABLE = True
    CHECKS = {"rows": optional(kind(int))}
    DEFAULTS = {"rows": None}

    rows: int | None


class Input(Parameter):
    """A deployment input."""

    SOURCE = "bpconvert.models.cloudify_declarations:Input"
    NOUN = "an input"
    SINCE = {"required": "1_2", "item_type": "1_4", "display_label": "1_3", "hidden": "1_3"}
    CHECKS = {
        "type": _0,
        "description": _0,
        "default": None,
        "required": _1,
        "item_type": _0,
        "constraints": _2,
        "display_label": _0,
        "hidden": _1,
        "display": optional(model(Display)),
    }
    DEFAULTS = {
        "type": None,
        "description": None,
        "default": None,
        "required": None,
        "item_type": None,
        "constraints": None,
        "display_label": None,
        "hidden": None,
        "display": None,
    }

    display_label: str | None
    hidden: bool | None
    display: Display | None


_3: Final = optional(kind(str, check=rules.check_executor))
_4: Final = optional(kind(int, check=rules.check_retries))
_5: Final = optional(kind(int, float, check=rules.check_not_negative))


class Operation(Plain):
    """What a node or relationship does at a point of its life; a bare text is the implementation."""

    SOURCE = "bpconvert.models.cloudify_declarations:Operation"
    NOUN = "an operation"
    SINCE = {"max_retries": "1_1", "retry_interval": "1_1"}
    SHORT = "implementation"
    NULLABLE = True
    CHECKS = {
        "implementation": _0,
        "executor": _3,
        "inputs": optional(kind(dict)),
        "max_retries": _4,
        "retry_interval": _5,
        "timeout": _5,
        "timeout_recoverable": _1,
    }
    DEFAULTS = {
        "implementation": None,
        "executor": None,
        "inputs": None,
        "max_retries": None,
        "retry_interval": None,
        "timeout": None,
        "timeout_recoverable": None,
    }

    implementation: str | None
    executor: str | None
    inputs: dict[str, Any] | None
    max_retries: int | None
    retry_interval: Any | None
    timeout: Any | None
    timeout_recoverable: bool | None


class TypeOperation(Operation):
    """An operation as a type defines it: its inputs are declarations."""

    SOURCE = "bpconvert.models.cloudify_declarations:TypeOperation"
    CHECKS = {
        "implementation": _0,
        "executor": _3,
        "inputs": optional(before(checks.null_as_map, mapping(model(Input)))),
        "max_retries": _4,
        "retry_interval": _5,
        "timeout": _5,
        "timeout_recoverable": _1,
    }
    DEFAULTS = {
        "implementation": None,
        "executor": None,
        "inputs": None,
        "max_retries": None,
        "retry_interval": None,
        "timeout": None,
        "timeout_recoverable": None,
    }

    inputs: dict[str, Input] | None
