"""The fixed rules of the Cloudify DSL: versions, type names, constraint operators, and checks of single values.

The checks raise :func:`~bpconvert.models.checks.wrong`; the rules are those of the parser's elements and constraints.
"""

import re
from typing import Any, Final

from bpconvert.models.checks import describe, each_must, must, wrong

PREFIX: Final = "cloudify_dsl_"
VERSIONS: Final = ("1_0", "1_1", "1_2", "1_3", "1_4", "1_5")

PRIMITIVE_TYPES: Final = ("string", "integer", "float", "boolean", "list", "dict", "regex", "textarea")
#: types whose values are things the manager knows, and the version that brought them
OBJECT_TYPES: Final[dict[str, str]] = {
    "blueprint_id": "1_4", "deployment_id": "1_4", "capability_value": "1_4", "scaling_group": "1_4", "node_id": "1_4",
    "node_type": "1_4", "node_instance": "1_4", "secret_key": "1_4", "operation_name": "1_5",
}  # fmt: skip
#: functions that not every version has
FUNCTIONS_SINCE: Final[dict[str, str]] = {"concat": "1_1", "merge": "1_3"}

_NUMBER_OPERATORS: Final = (
    "equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal", "length", "min_length", "max_length",
)  # fmt: skip
CONSTRAINT_OPERATORS: Final = (
    *_NUMBER_OPERATORS, "in_range", "valid_values", "pattern", "filter_id", "labels", "tenants", "name_pattern",
    "deployment_id",
)  # fmt: skip


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_constraint(item: Any) -> None:
    operators = [key for key in item if key != "error_message"]
    if not operators:
        raise wrong("does not say what is allowed")
    for operator in operators:
        if operator not in CONSTRAINT_OPERATORS:
            raise wrong("has the unknown operator {name}", name=repr(operator))
        argument = item[operator]
        if isinstance(argument, dict):  # a function: known when the deployment is created
            continue
        if operator in _NUMBER_OPERATORS and not is_number(argument):
            raise wrong("needs a number for '{name}', not {found}", name=operator, found=describe(argument))
        if operator == "in_range" and not (
            isinstance(argument, list) and len(argument) == 2 and all(map(is_number, argument))
        ):
            raise wrong("needs two numbers for 'in_range'")
        if operator in ("valid_values", "labels", "tenants") and not isinstance(argument, list):
            raise wrong("needs a list for '{name}', not {found}", name=operator, found=describe(argument))
        if operator == "pattern":
            check_pattern(argument)


def check_pattern(argument: Any) -> None:
    if not isinstance(argument, str):
        raise wrong("needs a text for 'pattern', not {found}", found=describe(argument))
    try:
        re.compile(argument)
    except re.error as error:
        raise wrong("has a 'pattern' that is no regular expression: {why}", why=str(error)) from None


_are_names: Final = each_must(lambda item: isinstance(item, str), "must be names, not {found}")


def check_members(value: Any) -> None:
    if not value:
        raise wrong("must name one node or more")
    _are_names(value)


#: of a number; a function is known when the deployment is created
check_not_negative: Final = must(lambda value: isinstance(value, dict) or value >= 0, "must not be negative")
check_retries: Final = must(lambda value: value >= -1, "must be -1 (without end) or more")
check_executor: Final = must(
    ("central_deployment_agent", "host_agent").__contains__,
    "must be central_deployment_agent or host_agent, not {found}",
)
check_max_instances: Final = must(
    lambda value: value in ("UNBOUNDED", -1) or isinstance(value, dict) or (isinstance(value, int) and value >= 1),
    "must be 1 or more, or UNBOUNDED",
)
check_node_type: Final = must(bool, "is empty")
check_value: Final = must(lambda value: value is not None, "must not be null")
check_imports: Final = each_must(
    lambda item: isinstance(item, str) or (isinstance(item, dict) and len(item) == 1),
    "must be texts, or maps of one text to properties, not {found}",
)
check_active: Final = each_must(("all", "partial", "none").__contains__, "must be all, partial or none, not {found}")
check_texts: Final = each_must(lambda item: isinstance(item, str), "must be texts, not {found}")


def check_label_values(value: Any) -> None:
    for item in value:
        if not isinstance(item, (str, dict)):
            raise wrong("must be texts or functions, not {found}", found=describe(item))
        if isinstance(item, dict) and "get_attribute" in item:
            raise wrong("cannot be a runtime attribute")
