"""The Heat Orchestration Template language: every section and key, as the engine accepts them.

Rules are those of the engine (its template, parameter, constraint and resource definition classes); each model says
since which ``heat_template_version`` a key exists (``SINCE``), :func:`~.hot_checks.check_version` compares. Functions
inside values are not looked at here."""

from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, ConfigDict, Field

from bpconvert.models import hot_rules as rules
from bpconvert.models.checks import ABSENT, empty_as_null
from bpconvert.models.fields import LATER, FreeMap, Kind, Model, Section

_CONDITION: Final = "the name of a condition, true, false or a condition"
#: whatever is empty (``''``, ``[]``, null) is an empty section
_NONE: Final = BeforeValidator(empty_as_null)


class Constraint(Model):
    """One item of a parameter's ``constraints``. Only its first kind (:func:`~.hot_checks.kind_of`) counts."""

    NOUN = "a constraint"
    SINCE: ClassVar[dict[str, str]] = {"modulo": "2017-02-24"}

    modulo: Any = None
    range: Any = None
    length: Any = None
    allowed_values: Any = None
    allowed_pattern: Any = None
    custom_constraint: Any = None
    description: Any = None


class Parameter(Model):
    """A template parameter. A type that is missing or unknown is repaired to ``''``."""

    NOUN = "a parameter"
    FILLS: ClassVar[dict[str, Any]] = {"type": ABSENT}
    SINCE: ClassVar[dict[str, str]] = {"tags": "2018-03-02"}

    type: Annotated[str, Kind("text", str, check=rules.check_type)]
    label: Any = None
    description: Any = None
    default: Any = None
    hidden: Any = False
    constraints: list[Annotated[Constraint, LATER, BeforeValidator(rules.check_constraint)]] | None = None
    immutable: Any = False
    tags: Annotated[list[Any] | None, Kind("a list", list)] = None
    #: accepted and ignored by every engine
    schema_: Any = Field(default=None, alias="schema")


class ParameterGroup(Model):
    """Parameters that belong together in a user interface; other keys are ignored."""

    NOUN = "a parameter group"
    model_config = ConfigDict(extra="allow")

    label: Any = None
    description: Any = None
    parameters: Annotated[list[Any], Kind("a list", list)]


class Resource(Model):
    """A resource. A type that is missing is repaired to ``''``: the rest of the resource still means something."""

    NOUN = "a resource"
    FILLS: ClassVar[dict[str, Any]] = {"type": ABSENT}
    SINCE: ClassVar[dict[str, str]] = {"condition": "2016-10-14", "external_id": "2016-10-14"}

    type: Annotated[str, Kind("text", str, check=rules.check_not_empty)]
    description: Annotated[str | None, Kind("text", str)] = None
    external_id: Annotated[Any, Kind("text", str, dict)] = None
    condition: Annotated[Any, Kind(_CONDITION, str, bool, dict)] = None
    depends_on: Annotated[str | list[str] | None, Kind("text or a list", str, list, check=rules.check_names)] = None
    properties: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    metadata: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    update_policy: Annotated[dict[str, Any] | None, Kind("a map", dict)] = None
    deletion_policy: Annotated[Any, Kind("text", str, dict, check=rules.check_deletion_policy)] = None


class Output(Model):
    """An output. Unknown keys are ignored by the engine (``model_extra`` has them)."""

    NOUN = "an output"
    SINCE: ClassVar[dict[str, str]] = {"condition": "2016-10-14"}
    model_config = ConfigDict(extra="allow")

    value: Any
    description: Any = None
    condition: Annotated[Any, Kind(_CONDITION, str, bool, dict, type(None))] = None


class Template(Model):
    """A whole template; missing and empty sections are empty maps."""

    NOUN = "a template"
    KEY = "section"
    SINCE: ClassVar[dict[str, str]] = {"conditions": "2016-10-14"}

    heat_template_version: str | None = None
    description: Any = None
    parameter_groups: Annotated[list[Annotated[ParameterGroup, LATER]] | None, _NONE] = None
    parameters: Annotated[Section[Parameter], _NONE] = {}
    conditions: FreeMap = {}
    resources: Annotated[Section[Resource], _NONE] = {}
    outputs: Annotated[Section[Output], _NONE] = {}
