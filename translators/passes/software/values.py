"""The environment variables of a script: the same texts that Heat's agent makes of the values.

In Heat every input has a type, ``String`` where the template gives none (heat/engine/software_config_io.py). The agent
writes values of type ``String`` with Python's ``str``, maps and lists of other types as JSON (heat-agents:
55-heat-config, hook-script.py). Cloudify writes maps, lists and booleans as JSON, everything else with ``str``
(script_runner/tasks.py)."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.expressions.kinds import Kinds
from bpconvert.translators.passes.software.configs import Config, known
from bpconvert.translators.passes.work import Work

#: of the variables that the source itself adds, those that are known here
_KNOWN = ("deploy_server_id", "deploy_action", "deploy_resource_name")


def variables(work: Work, node: Node, config: Config, wanted: Value) -> dict[str, Value]:
    """The variables of a deployment: its values over the declared defaults."""
    given = wanted if isinstance(wanted, dict) else {}
    place = node.origin("input_values")
    found: dict[str, Value] = {}
    for index, (name, (kind, default)) in enumerate(config.inputs.items()):
        value, path = default, config.node.origin("inputs", index, "default")
        if name in given:
            value, path = given[name], (*place, name)
        found[name] = _variable(work, kind, value, path)
    for name, value in given.items():
        if name not in found:
            found[name] = _variable(work, "String", value, (*place, name))
    return found


def _variable(work: Work, kind: str, value: Value, path: Path) -> Value:
    """A value such that the script gets the text that Heat's agent would give it."""
    constant = ex.is_constant(value)
    if kind != "String":
        if constant and isinstance(value, (bool, int, float)):
            work.report("BPC739", path, name=path[-1], type=kind)
        return value
    if constant:
        if not isinstance(value, (bool, list, dict)):
            return value
        work.report("BPC724", path, value=f"the text {value}")
        return str(value)
    sort = Kinds(work.topology, work.request.catalogue).of(value)
    if sort in ("text", "number") or work.topology.is_of_stand_in(value):
        return value
    if sort != "any":
        work.report("BPC724", path, value="the text that Python makes of the value")
    return ex.Concat((value,), path=value.path if isinstance(value, ex.Expr) else path)


def derived(work: Work, config: Config, resource: str | None, server: ex.Identity, action: str) -> dict[str, Value]:
    """What the script uses of the variables that Heat itself adds."""
    mentioned = set(_KNOWN if config.is_given else work.request.source.programs.derived.findall(known(work, config)))
    found: dict[str, Value] = {}
    for name, value in (
        ("deploy_server_id", ex.Identity(server.node)),
        ("deploy_action", action),
        ("deploy_resource_name", resource),
    ):
        if name in mentioned and value is not None:
            mentioned.discard(name)
            found[name] = value
    if mentioned:
        work.report("BPC725", config.path, names=", ".join(sorted(mentioned)))
    return found


def has_values(wanted: Value) -> bool:
    """True for input values that are written out, or absent."""
    return wanted is None or wanted is MISSING or isinstance(wanted, dict)
