"""Node properties as the 2.x OpenStack plugin names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models.expressions import Value

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.context import Context
    from bpconvert.translators.cloudify.nodes import Draft

#: runtime property of 3.x -> of 2.x
RUNTIME_PROPERTIES = {"id": "external_id", "name": "external_name"}


def properties(context: Context, draft: Draft, written: dict[str, Any]) -> dict[str, Any]:
    """The 2.x form of a v3 node's properties: settings in the type's own wrapper key, ``resource_id`` for an existing
    resource, ``openstack_config`` for the credentials."""
    names = draft.kind.cloudify.v2 if draft.kind is not None and draft.kind.cloudify is not None else None
    if names is None:
        return written
    result: dict[str, Any] = {}
    for key, value in written.items():
        if key == "client_config":
            result["openstack_config"] = value
        elif key == "resource_config":
            settings: dict[str, Value] = {**value, **value.get("kwargs", {})}
            settings.pop("kwargs", None)
            if written.get("use_external_resource") and "id" in settings:
                result["resource_id"] = settings.pop("id")
            if settings:
                result[names.wrapper] = {names.rename.get(name, name): setting for name, setting in settings.items()}
        else:
            result[{"security_group_rules": "rules"}.get(key, key)] = value
    return result
