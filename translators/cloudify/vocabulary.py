"""Names of Cloudify's DSL and of the types that a conversion defines in a blueprint."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any, Final

from bpconvert.models.cloudify_rules import OBJECT_TYPES
from bpconvert.models.expressions import Expr, Value
from bpconvert.models.topology import Shown

#: workflows of types.yaml and of the manager
BUILT_IN: Final = frozenset({
    "install", "update", "check_status", "check_drift", "uninstall", "reinstall", "start", "stop", "restart",
    "execute_operation", "heal", "scale", "install_new_agents", "validate_agents", "rollback", "pull", "csys_update",
    "csys_new_deployment_update", "csys_update_deployment", "create_deployment_environment",
    "delete_deployment_environment", "auto_heal_reinstall_node_subgraph", "scale_old", "update_resource",
})  # fmt: skip


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


#: primitive type -> whether it takes a literal; a text takes anything (``utils.parse_simple_type_value``)
_TAKES: Final[dict[str, Callable[[Any], bool]]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "regex": _is_pattern,
    "list": lambda value: isinstance(value, (list, tuple)),
    "dict": lambda value: isinstance(value, dict),
    **{name: lambda value: True for name in ("string", "textarea", *OBJECT_TYPES)},
}


def takes(kind: str, value: Value) -> bool:
    """True when the primitive type ``kind`` accepts a literal (calls are never checked)."""
    return isinstance(value, Expr) or _TAKES[kind](value)


def is_primitive(kind: str | None) -> bool:
    """True for the name of a type that is no data type."""
    return kind in _TAKES


def is_ascii(value: Any) -> bool:
    """True when all texts in ``value`` are ASCII, which is all that the parser takes."""
    if isinstance(value, str):
        return value.isascii()
    if isinstance(value, dict):
        return all(is_ascii(key) and is_ascii(part) for key, part in value.items())
    return all(map(is_ascii, value)) if isinstance(value, list) else True


#: property of a node for what exists already: it is created where it is missing (openstack_plugin/utils.py)
MADE_ANYWAY: Final = "create_if_missing"
#: the import that lets the third generation of the OpenStack plugin run node types of the second
COMPAT: Final = re.compile(r".*cloudify-openstack-plugin.*compat\.yaml")
_STAND_IN: Final = r"bpconvert\.nodes\.(.+)Resource"


def stand_in(title: str) -> tuple[str, Shown]:
    """The type of nodes that stand for resources of another engine, and what they show. ``title``: the engine."""
    word = title.lower()
    return f"bpconvert.nodes.{title}Resource", Shown(word, f"{word}_type", f"{word}_properties")


def shown(types: Iterable[str]) -> Shown | None:
    """What a node of a type, given with its parents, shows of the resource that it stands for; None for no stand-in."""
    return next((stand_in(match[1])[1] for match in (re.fullmatch(_STAND_IN, type) for type in types) if match), None)


def engine(type: str) -> str | None:
    """The engine of the resources that a type of stand-ins is for; None for other types."""
    match = re.fullmatch(_STAND_IN, type)
    return match[1] if match else None


#: the type of a node whose only use is its order
BARRIER_TYPE: Final = "cloudify.nodes.Root"
#: what all node types are derived from
ROOT: Final = BARRIER_TYPE
#: the script that uploads the blueprints of components
UPLOADS: Final = "scripts/bpconvert_blueprint.py"
#: the script that has the numbers of instances from 0 (:mod:`~.cloudify.numbering`)
NUMBERS: Final = "scripts/bpconvert_numbers.py"
#: what types of resources are derived from that a script creates (:mod:`~.cloudify.services`)
SERVICE_BASE: Final = "bpconvert.openstack.Resource"
#: the one of them whose script looks up names
NAME_LOOKUP: Final = "bpconvert.openstack.NameLookup"
#: relationships: mere order, and a node inside of another one
DEPENDS_ON: Final = "cloudify.relationships.depends_on"
CONNECTED_TO: Final = "cloudify.relationships.connected_to"
CONTAINED_IN: Final = "cloudify.relationships.contained_in"
#: Cloudify's evaluation stops at 50 levels (cfy_grammar: plain nesting breaks at 49); the node's own keys count too
DEEPEST: Final = 44
#: names that the DSL keeps for itself: the nodes that they name depend on where they are used
RELATIVE: Final = ("SELF", "SOURCE", "TARGET")


def is_legal(name: str) -> bool:
    """True for a name that the DSL accepts and can refer to: ASCII, no namespace delimiter, not a reserved word."""
    return name.isascii() and "--" not in name and name not in RELATIVE


def legal(name: str) -> str:
    """``name`` itself, or the nearest legal name."""
    if is_legal(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode() or "renamed"
    while "--" in plain:
        plain = plain.replace("--", "-")
    return plain + "_" if plain in RELATIVE else plain
