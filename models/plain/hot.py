"""Generated from ``models/hot.py`` (``python tools/generate``): see :mod:`.plain`."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import checks
from bpconvert.models import hot_rules as rules
from bpconvert.models.plain import REQUIRED, Plain, before, kind, mapping, model, optional, sequence, text


class Constraint(Plain):
    """One item of a parameter's ``constraints``. Only its first kind (:func:`~.hot_checks.kind_of`) counts."""

    SOURCE = "bpconvert.models.hot:Constraint"
    NOUN = "a constraint"
    SINCE = {"modulo": "2017-02-24"}
    CHECKS = {
        "modulo": None,
        "range": None,
        "length": None,
        "allowed_values": None,
        "allowed_pattern": None,
        "custom_constraint": None,
        "description": None,
    }
    DEFAULTS = {
        "modulo": None,
        "range": None,
        "length": None,
        "allowed_values": None,
        "allowed_pattern": None,
        "custom_constraint": None,
        "description": None,
    }

    modulo: Any
    range: Any
    length: Any
    allowed_values: Any
    allowed_pattern: Any
    custom_constraint: Any
    description: Any


_0: Final = kind(list)


class Parameter(Plain):
    """A template parameter. A type that is missing or unknown is repaired to ``''``."""

    SOURCE = "bpconvert.models.hot:Parameter"
    NOUN = "a parameter"
    SINCE = {"tags": "2018-03-02"}
    CHECKS = {
        "type": kind(str, check=rules.check_type),
        "label": None,
        "description": None,
        "default": None,
        "hidden": None,
        "constraints": optional(sequence(before(rules.check_constraint, model(Constraint)))),
        "immutable": None,
        "tags": _0,
        "schema": None,
    }
    DEFAULTS = {
        "type": REQUIRED,
        "label": None,
        "description": None,
        "default": None,
        "hidden": False,
        "constraints": None,
        "immutable": False,
        "tags": None,
        "schema_": None,
    }
    NEEDED = ("type",)
    FIELDS = {"schema": "schema_"}

    type: str
    label: Any
    description: Any
    default: Any
    hidden: Any
    constraints: list[Constraint] | None
    immutable: Any
    tags: list[Any] | None
    schema_: Any


class ParameterGroup(Plain):
    """Parameters that belong together in a user interface; other keys are ignored."""

    SOURCE = "bpconvert.models.hot:ParameterGroup"
    NOUN = "a parameter group"
    OPEN = True
    CHECKS = {"label": None, "description": None, "parameters": _0}
    DEFAULTS = {"label": None, "description": None, "parameters": REQUIRED}
    NEEDED = ("parameters",)

    label: Any
    description: Any
    parameters: list[Any]


_1: Final = kind(dict)


class Resource(Plain):
    """A resource. A type that is missing is repaired to ``''``: the rest of the resource still means something."""

    SOURCE = "bpconvert.models.hot:Resource"
    NOUN = "a resource"
    SINCE = {"condition": "2016-10-14", "external_id": "2016-10-14"}
    CHECKS = {
        "type": kind(str, check=rules.check_not_empty),
        "description": kind(str),
        "external_id": kind(str, dict),
        "condition": kind(str, bool, dict),
        "depends_on": kind(str, list, check=rules.check_names),
        "properties": _1,
        "metadata": _1,
        "update_policy": _1,
        "deletion_policy": kind(str, dict, check=rules.check_deletion_policy),
    }
    DEFAULTS = {
        "type": REQUIRED,
        "description": None,
        "external_id": None,
        "condition": None,
        "depends_on": None,
        "properties": None,
        "metadata": None,
        "update_policy": None,
        "deletion_policy": None,
    }
    NEEDED = ("type",)

    type: str
    description: str | None
    external_id: Any
    condition: Any
    depends_on: str | list[str] | None
    properties: dict[str, Any] | None
    metadata: dict[str, Any] | None
    update_policy: dict[str, Any] | None
    deletion_policy: Any


class Output(Plain):
    """An output. Unknown keys are ignored by the engine (``model_extra`` has them)."""

    SOURCE = "bpconvert.models.hot:Output"
    NOUN = "an output"
    SINCE = {"condition": "2016-10-14"}
    OPEN = True
    CHECKS = {"value": None, "description": None, "condition": kind(str, bool, dict, type(None))}
    DEFAULTS = {"value": REQUIRED, "description": None, "condition": None}
    NEEDED = ("value",)

    value: Any
    description: Any
    condition: Any


class Template(Plain):
    """A whole template; missing and empty sections are empty maps."""

    SOURCE = "bpconvert.models.hot:Template"
    KEY = "section"
    SINCE = {"conditions": "2016-10-14"}
    CHECKS = {
        "heat_template_version": optional(text),
        "description": None,
        "parameter_groups": before(checks.empty_as_null, optional(sequence(model(ParameterGroup)))),
        "parameters": before(checks.empty_as_null, before(checks.null_as_map, mapping(model(Parameter)))),
        "conditions": _1,
        "resources": before(checks.empty_as_null, before(checks.null_as_map, mapping(model(Resource)))),
        "outputs": before(checks.empty_as_null, before(checks.null_as_map, mapping(model(Output)))),
    }
    DEFAULTS = {
        "heat_template_version": None,
        "description": None,
        "parameter_groups": None,
        "parameters": None,
        "conditions": None,
        "resources": None,
        "outputs": None,
    }
    MAPS = ("parameters", "conditions", "resources", "outputs")

    heat_template_version: str | None
    description: Any
    parameter_groups: list[ParameterGroup] | None
    parameters: dict[str, Parameter]
    conditions: dict[str, Any]
    resources: dict[str, Resource]
    outputs: dict[str, Output]
