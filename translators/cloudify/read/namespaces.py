"""Namespaces of imports (``ns--file.yaml``): names of the imported file get a prefix, and so do references to them.

What is prefixed is what the parser prefixes (``framework/parser.py``): targets of ``get_input``, ``get_property`` and
``get_attribute``, not those of other functions, nor computed ones; never the names of Cloudify's own types. Names in
``implementation`` stay, as plugins and scripts are not converted.
"""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.cloudify_rules import OBJECT_TYPES, PRIMITIVE_TYPES
from bpconvert.translators.toscalike.namespaces import Rule, each_item, each_value, fields, unchanged

DELIMITER: Final = "--"
#: types with this prefix are Cloudify's: they are in no namespace, and imports may define them anew
BUILTIN: Final = "cloudify."
_RELATIVE: Final = ("SELF", "SOURCE", "TARGET")


def namespaced(section: str, value: Any, namespace: str) -> Any:
    """A section of a file that is imported with ``namespace``."""
    if not isinstance(value, dict):
        return value
    rewrite = _ENTRIES.get(section, unchanged)
    return {_named(name, namespace): rewrite(entry, namespace) for name, entry in value.items()}


def _named(name: Any, namespace: str) -> Any:
    if not isinstance(name, str) or name.startswith(BUILTIN):
        return name
    return f"{namespace}{DELIMITER}{name}"


def _typed(name: Any, namespace: str) -> Any:
    builtin = isinstance(name, str) and (name in PRIMITIVE_TYPES or name in OBJECT_TYPES)
    return name if builtin else _named(name, namespace)


def _calls(value: Any, namespace: str) -> Any:
    """``value`` with the targets of its calls in the namespace."""
    if isinstance(value, list):
        return [_calls(item, namespace) for item in value]
    if isinstance(value, dict):
        return {key: _target(key, _calls(item, namespace), namespace) for key, item in value.items()}
    return value


def _target(key: Any, argument: Any, namespace: str) -> Any:
    if key == "get_input" and isinstance(argument, str):
        return f"{namespace}{DELIMITER}{argument}"
    if key in ("get_input", "get_property", "get_attribute") and isinstance(argument, list) and argument:
        first = argument[0]
        if isinstance(first, str) and (key == "get_input" or first not in _RELATIVE):
            return [f"{namespace}{DELIMITER}{first}", *argument[1:]]
    return argument


def _default(value: Any, namespace: str) -> Any:
    """A default. In one that is a list the parser rewrites nothing."""
    return _calls(value, namespace) if isinstance(value, dict) else value


def _published(value: Any, namespace: str) -> Any:
    """The value of an output. A plain text gets the prefix too: the parser takes it for a name."""
    return _typed(value, namespace) if isinstance(value, str) else _default(value, namespace)


_DEFINITION: Final = fields(type=_typed, item_type=_typed, default=_default, constraints=_calls)
_TYPE: Final = fields(
    derived_from=_typed,
    properties=each_value(_DEFINITION),
    interfaces=_calls,
    source_interfaces=_calls,
    target_interfaces=_calls,
)
_RELATIONSHIP: Final = fields(
    type=_typed, target=_named, properties=_calls, source_interfaces=_calls, target_interfaces=_calls
)
_OUTPUT: Final = fields(value=_published)
#: section -> the rewriting of one of its entries; of the other sections only the names are of interest
_ENTRIES: Final[dict[str, Rule]] = {
    "inputs": _DEFINITION,
    "outputs": _OUTPUT,
    "capabilities": _OUTPUT,
    "node_templates": fields(
        type=_typed,
        properties=_calls,
        interfaces=_calls,
        capabilities=_calls,
        relationships=each_item(_RELATIONSHIP),
    ),
    "node_types": _TYPE,
    "relationships": _TYPE,
    "data_types": _TYPE,
    "groups": fields(members=each_item(_named)),
    "policies": fields(targets=each_item(_named), properties=_calls),
}
