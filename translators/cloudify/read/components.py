"""Components whose blueprint is a file beside this one: nested templates (cloudify_types: component)."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.files import CannotNest, Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import NestedInterface, Node
from bpconvert.translators.cloudify.components import NotHereError, file_of
from bpconvert.translators.cloudify.openstack.operations import is_own
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.read.imports import REASONS
from bpconvert.translators.toscalike.node_templates import RawNode

KIND: Final = "stack"
_PROPERTIES: Final = ("properties", "resource_config")
_INPUTS: Final = (*_PROPERTIES, "deployment", "inputs")
#: why a file cannot be read
_REASONS: Final = REASONS | {"BPC611": "it is not below the blueprint's folder", "BPC612": "it is not UTF-8 text"}
#: setting -> why nothing is reported
_IDLE: Final = {
    "id": "nested stacks get names by themselves",
    "auto_inc_suffix": "nested stacks get names by themselves",
    "logs": "the events of a nested stack are kept anyway",
    "labels": "stacks have no labels",
}


def find(state: ReadNodes, files: Files | None) -> dict[str, NestedInterface]:
    """The components whose blueprint is converted. All others are nodes of no known kind."""
    components: dict[str, NestedInterface] = {}
    for name, raw in state.raw.items():
        if state.kind_of(name) != KIND:
            continue
        path = (*raw.path, *_PROPERTIES)
        try:
            file = file_of(raw.properties)
            if files is None:
                raise NotHereError("there are no files beside this one")
            components[name] = files.nested(file)
        except NotHereError as why:
            state.report("BPC774", path, name=name, why=str(why))
        except CannotNest as problem:
            reason = _REASONS.get(problem.code)
            if reason is None:
                state.report(problem.code, path, **problem.texts)
            else:
                state.report("BPC774", path, name=name, why=f"'{problem.texts['name']}': {reason}")
        if name not in components:
            del state.kinds[name]
    return components


def read(state: ReadNodes, node: Node, raw: RawNode, properties: dict[str, Value]) -> None:
    """Make the node a resource whose type is the template."""
    nested = state.components[node.name]
    report = state.reporter.report
    report("BPC775", (*raw.path, *_PROPERTIES, "blueprint"), name=node.name, file=nested.file)
    node.kind, node.source_type, node.nested = KIND, nested.file, nested
    config: Any = properties["resource_config"]
    inputs = config.get("deployment", {}).get("inputs") or {}
    node.properties = {}
    for name, value in inputs.items():
        place = (*raw.path, *_INPUTS, name)
        if name not in nested.inputs:
            report("BPC776", place, name=name, file=nested.file)
        elif value is not None and name in nested.names:
            new = nested.names[name]
            node.properties[new] = _fitting(state, nested, new, value, place)
            node.origins[new,] = place
    for name in nested.inputs:
        if nested.is_required(name) and inputs.get(name) is None:
            report("BPC764", raw.path, name=name, file=nested.file)
    _report_rest(state, raw, properties)
    node.operations = [operation for operation in node.operations if not is_own(operation)]


def _fitting(state: ReadNodes, nested: NestedInterface, name: str, value: Value, place: Path) -> Value:
    """A value for a parameter; Heat joins a list of texts with commas and splits it again."""
    items = value if nested.types.get(name) == "comma_delimited_list" and isinstance(value, list) else []
    if any(not isinstance(item, (str, ex.Expr)) or (isinstance(item, str) and "," in item) for item in items):
        state.report("BPC767", place, name=name, file=nested.file, problem="only texts without commas are taken here")
    return value


def _report_rest(state: ReadNodes, raw: RawNode, properties: dict[str, Value]) -> None:
    """Report what has no equivalent in the nested document."""
    report = state.reporter.report
    config: Any = properties["resource_config"]
    path = (*raw.path, *_PROPERTIES)
    for key, value in config.get("deployment", {}).items():
        if key in _IDLE and value not in (None, False, []):
            report("BPC769", (*path, "deployment", key), name=key, why=_IDLE[key])
    blueprint = config["blueprint"]
    if blueprint.get("labels"):
        report("BPC769", (*path, "blueprint", "labels"), name="labels", why=_IDLE["labels"])
    if config.get("executions_start_args"):
        why = "a nested stack is created in its own way"
        report("BPC769", (*path, "executions_start_args"), name="executions_start_args", why=why)
    for key in ("plugins", "secrets"):
        if properties.get(key):
            why = "there is no manager to upload them to"
            report("BPC352", (*raw.path, "properties", key), name=key, type=raw.type, why=why)
