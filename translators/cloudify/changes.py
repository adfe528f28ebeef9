"""Changes of the number of a group's members as workflows: each calls what the workflow ``scale`` calls, with the name
of the group and the number to add as defaults of its parameters (types.yaml; ``scale_entity`` in
cloudify/plugins/workflows.py of cloudify-common 7, which takes further parameters and ignores them)."""

from __future__ import annotations

from typing import Any, Final, TypeGuard

from bpconvert.models.scaling import Change

#: what the workflow ``scale`` calls
MAPPING: Final = "default_workflows.cloudify.plugins.workflows.scale_entity"
#: its parameters: what is scaled, by how many, and whether the machine of a node is meant, which no group has
ENTITY: Final = "scalable_entity_name"
DELTA: Final = "delta"
COMPUTE: Final = "scale_compute"
#: what else a change says -> what it is for readers
SETTINGS: Final = {"cooldown": "seconds between two changes, for which Cloudify does not wait"}


def workflow(change: Change, group: str) -> dict[str, Any]:
    """The workflow of a change of ``group``."""
    parameters: dict[str, Any] = {
        ENTITY: {"type": "string", "default": group},
        DELTA: {"type": "integer", "default": change.by},
        COMPUTE: {"type": "boolean", "default": False},
    }
    for name, value in change.settings.items():
        parameters[name] = {"description": SETTINGS[name], "type": "integer", "default": value}
    return {"mapping": MAPPING, "parameters": parameters}


def change(workflow: Any) -> tuple[str, int, dict[str, int]] | None:
    """What a workflow scales, by how many, and what else it says; None for one that does more than that."""
    parameters = workflow.get("parameters") if isinstance(workflow, dict) else None
    if not isinstance(parameters, dict) or workflow.get("mapping") != MAPPING:
        return None
    if not parameters.keys() <= {ENTITY, DELTA, COMPUTE, *SETTINGS}:
        return None
    defaults = {key: row.get("default") if isinstance(row, dict) else None for key, row in parameters.items()}
    entity, delta = defaults.pop(ENTITY, None), defaults.pop(DELTA, None)
    if not isinstance(entity, str) or not _is_whole(delta) or not delta or defaults.pop(COMPUTE, False) is not False:
        return None
    settings = {name: value for name, value in defaults.items() if _is_whole(value)}
    return (entity, delta, settings) if len(settings) == len(defaults) else None


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
