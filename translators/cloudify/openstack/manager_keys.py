"""Keys that the utilities plugin makes on the manager (cloudify_ssh_key/operations.py, ``create``): Nova makes them.

The plugin keeps the public key as a runtime property unless ``store_public_key_material`` is false, the private key
only where ``store_private_key_material`` is true, and both as secrets of the manager unless it is configured not to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, Written

if TYPE_CHECKING:
    from bpconvert.translators.support.findings import Reports
    from bpconvert.translators.toscalike.node_templates import RawNode

#: what such a node is until it is known which resource makes its key
KIND: Final = "manager_key"
TYPES: Final = ("cloudify.nodes.keys.RSAKey", "cloudify.keys.nodes.RSAKey")
#: runtime property -> the attribute of a key pair, the input of the operation that says whether it is kept, by default
_KEPT: Final = {
    "public_key_export": ("public_key", "store_public_key_material", True),
    "private_key_export": ("private_key", "store_private_key_material", False),
}
#: such inputs; what they say is in the attributes
STORED: Final = frozenset(row[1] for row in _KEPT.values())
_NAME: Final = "key_name"


def settings(raw: RawNode) -> dict[str, Value]:
    """The settings of the key, as far as they are written out."""
    written = raw.declared.get(CONFIG)
    return written if isinstance(written, dict) else {}


def yielded(properties: Mapping[str, Any]) -> dict[str, str]:
    """The attributes of a key pair that the runtime properties of a key have, but those that are secret."""
    public = properties.get("public_key_export")
    return {"public_key": str(public)} if public else {}


def uses_secrets(raw: RawNode) -> bool:
    """False where the key is sure not to be kept as secrets."""
    return bool(settings(raw).get("use_secret_store") or raw.declared.get("use_secret_store", True))


def normalise(written: Written) -> None:
    """The name of the key is that of the key pair."""
    for entry in written.take(f"{CONFIG}.{_NAME}")[:1]:
        if entry.value not in (None, ""):
            written.entries[f"{CONFIG}.name"] = entry


def attribute(raw: RawNode, expr: ex.Attribute, reporter: Reports) -> Value:
    """What a runtime property of the key is of the key pair; null for what the plugin does not keep."""
    if expr.name == "secret_key_name" and settings(raw).get(_NAME) not in (None, "") and uses_secrets(raw):
        return ex.Property(raw.name, CONFIG, (_NAME, *expr.keys), path=expr.path)
    if expr.name not in _KEPT or expr.keys:
        return expr
    name, setting, flag = _KEPT[expr.name]
    value = ex.Attribute(raw.name, name, path=expr.path)
    kept: Value = flag
    for operation in raw.operations:
        if operation.name == "create":
            kept = operation.inputs.get(setting, flag)
    if isinstance(kept, ex.Expr):
        return ex.If(kept, value, None, path=expr.path)
    if kept in (False, None, "", 0):
        reporter.report("BPC328", expr.path, name=expr.name, node=raw.name, setting=setting)
        return None
    return value


def secrets(raw: RawNode) -> list[tuple[tuple[Value, ...], str]]:
    """The names of the secrets that the plugin keeps the key as, in parts, and the attributes that they are."""
    name = settings(raw).get(_NAME)
    if name in (None, "", MISSING) or not uses_secrets(raw):
        return []
    return [(parts_of(raw, ex.Concat((name, f"_{which}"))), f"{which}_key") for which in ("private", "public")]


def parts_of(raw: RawNode, name: Value) -> tuple[Value, ...]:
    """A name in parts, in each of which the name of the key is what it is."""
    parts: list[Value] = []
    for part in name.items if isinstance(name, ex.Concat) else (name,):
        is_name = part == ex.Property(raw.name, CONFIG, (_NAME,))
        inner = (part,) if not isinstance(part, ex.Concat) and not is_name else None
        for text_part in inner or parts_of(raw, settings(raw).get(_NAME) if is_name else part):
            if isinstance(text_part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += text_part
            else:
                parts.append(text_part)
    return tuple(parts)
