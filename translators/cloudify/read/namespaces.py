"""Namespaces of imports (``ns--file.yaml``): names of the imported file get a prefix, and so do references to them.

What is prefixed is what the parser prefixes (``framework/parser.py``): targets of ``get_input``, ``get_property`` and
``get_attribute``, not those of other functions, nor computed ones; never the names of Cloudify's own types. Names in
``implementation`` stay, as plugins and scripts are not converted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.cloudify_rules import OBJECT_TYPES, PRIMITIVE_TYPES

DELIMITER: Final = "--"
#: types with this prefix are Cloudify's: they are in no namespace, and imports may define them anew
BUILTIN: Final = "cloudify."
_RELATIVE: Final = ("SELF", "SOURCE", "TARGET")


def namespaced(section: str, value: Any, namespace: str) -> Any:
    """A section of a file that is imported with ``namespace``."""
    if not isinstance(value, dict):
        return value
    rewrite = _ENTRIES.get(section, _unchanged)
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


def _unchanged(value: Any, namespace: str) -> Any:
    return value


def _map(rewrite: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """The rewriting of a map's values."""
    return lambda value, ns: {k: rewrite(v, ns) for k, v in value.items()} if isinstance(value, dict) else value


def _list(rewrite: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """The rewriting of a list's items."""
    return lambda value, ns: [rewrite(item, ns) for item in value] if isinstance(value, list) else value


def _fields(**rules: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """The rewriting of an object whose keys have rules of their own."""

    def rewrite(value: Any, namespace: str) -> Any:
        if not isinstance(value, dict):
            return value
        return {key: rules.get(key, _unchanged)(item, namespace) for key, item in value.items()}

    return rewrite


def _default(value: Any, namespace: str) -> Any:
    """A default. In one that is a list the parser rewrites nothing."""
    return _calls(value, namespace) if isinstance(value, dict) else value


def _published(value: Any, namespace: str) -> Any:
    """The value of an output. A plain text gets the prefix too: the parser takes it for a name."""
    return _typed(value, namespace) if isinstance(value, str) else _default(value, namespace)


_DEFINITION: Final = _fields(type=_typed, item_type=_typed, default=_default, constraints=_calls)
_TYPE: Final = _fields(
    derived_from=_typed,
    properties=_map(_DEFINITION),
    interfaces=_calls,
    source_interfaces=_calls,
    target_interfaces=_calls,
)
_RELATIONSHIP: Final = _fields(
    type=_typed, target=_named, properties=_calls, source_interfaces=_calls, target_interfaces=_calls
)
_OUTPUT: Final = _fields(value=_published)
#: section -> the rewriting of one of its entries; of the other sections only the names are of interest
_ENTRIES: Final[dict[str, Callable[[Any, str], Any]]] = {
    "inputs": _DEFINITION,
    "outputs": _OUTPUT,
    "capabilities": _OUTPUT,
    "node_templates": _fields(
        type=_typed,
        properties=_calls,
        interfaces=_calls,
        capabilities=_calls,
        relationships=_list(_RELATIONSHIP),
    ),
    "node_types": _TYPE,
    "relationships": _TYPE,
    "data_types": _TYPE,
    "groups": _fields(members=_list(_named)),
    "policies": _fields(targets=_list(_named), properties=_calls),
}
