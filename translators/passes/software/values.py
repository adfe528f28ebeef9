"""The environment variables of a script: the same texts that Heat's agent makes of the values.

Heat says a type of every input, ``String`` where the template says none (heat/engine/software_config_io.py). The agent
writes values of type ``String`` with Python's ``str``, maps and lists of other types as JSON (heat-agents:
55-heat-config, hook-script.py). Cloudify writes maps, lists and booleans as JSON, everything else with ``str``
(script_runner/tasks.py)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.passes.software.configs import Config, known

if TYPE_CHECKING:
    from bpconvert.models.topology import Node
    from bpconvert.translators.cloudify.write.nodes import Nodes
    from bpconvert.translators.passes.software.deployments import Plan

#: variables that Heat itself adds (heat: software_deployment.py, DERIVED_CONFIG_INPUTS)
DERIVED = re.compile(
    r"\bdeploy_(?:server_id|action|signal_id|stack_id|resource_name|auth_url|username|password|project_id|user_id"
    r"|signal_verb|signal_transport|queue_id|region_name)\b"
)
#: those of them that Cloudify knows
_KNOWN = ("deploy_server_id", "deploy_action", "deploy_resource_name")
#: inputs of Cloudify's runner itself
_RESERVED = frozenset({"ctx", "process", "script_path", "script_source", "ssl_cert_content"})


def variables(nodes: Nodes, node: Node, config: Config, wanted: Value) -> dict[str, Value]:
    """The variables of a deployment: its values over the declared defaults."""
    given = wanted if isinstance(wanted, dict) else {}
    place = (*node.path, "properties", "input_values")
    found: dict[str, Value] = {}
    for index, (name, (kind, default)) in enumerate(config.inputs.items()):
        value, path = default, (*config.node.path, "properties", "inputs", index, "default")
        if name in given:
            value, path = given[name], (*place, name)
        found[name] = _variable(nodes, kind, value, path)
    for name, value in given.items():
        if name not in found:
            found[name] = _variable(nodes, "String", value, (*place, name))
    return found


def _variable(nodes: Nodes, kind: str, value: Value, path: Path) -> Value:
    """A value such that the script gets the text that Heat's agent would give it."""
    report = nodes.context.reporter.report
    constant = ex.is_constant(value)
    if kind != "String":
        if constant and isinstance(value, (bool, int, float)):
            report("BPC739", path, name=path[-1], type=kind)
        return value
    if constant:
        if not isinstance(value, (bool, list, dict)):
            return value
        report("BPC724", path, value=f"the text {value}")
        return str(value)
    sort = nodes.rewriter.kind(value)
    if sort in ("text", "number") or nodes.rewriter.yields_nothing(value):
        return value
    if sort != "any":
        report("BPC724", path, value="the text that Python makes of the value")
    return ex.Concat((value,), path=value.path if isinstance(value, ex.Expr) else path)


def derived(nodes: Nodes, plan: Plan, server: ex.Identity, action: str) -> dict[str, Value]:
    """What the script uses of the variables that Heat itself adds."""
    config = plan.config
    mentioned = set(_KNOWN if config.is_given else DERIVED.findall(known(nodes, config)))
    found: dict[str, Value] = {}
    for name, value in (
        ("deploy_server_id", ex.Identity(server.node)),
        ("deploy_action", action),
        ("deploy_resource_name", plan.resource),
    ):
        if name in mentioned and value is not None:
            mentioned.discard(name)
            found[name] = value
    if mentioned:
        nodes.context.reporter.report("BPC725", config.path, names=", ".join(sorted(mentioned)))
    return found


def inputs(found: dict[str, Value], eval_python: bool) -> dict[str, Value]:
    """``found`` as inputs of an operation. ``eval_python``: the script is a Python file, which Cloudify would run
    inside the agent, without variables."""
    result = {name: value for name, value in found.items() if name not in _RESERVED}
    apart = {name: value for name, value in found.items() if name in _RESERVED}
    process: dict[str, Value] = {}
    if eval_python:
        process["eval_python"] = False
    if apart:
        process["env"] = apart
    return {**result, "process": process} if process else result


def has_values(wanted: Value) -> bool:
    """True for input values that are written out, or absent."""
    return wanted is None or wanted is MISSING or isinstance(wanted, dict)
