"""What runs on servers, in one form for both languages: a part for each script and each moment at which it runs.

Heat's agent runs the script of a configuration at the actions of a deployment (heat: software_deployment.py), with the
values as environment variables (heat-agents: 55-heat-config, hook-script.py). Cloudify's script plugin runs the scripts
of a node's operations, with their inputs as variables (script_runner/tasks.py, ``create_process_config``). The part of
a script is called after the node and the operation: ``web.create`` is the operation ``create`` of node ``web``, the
deployment ``web`` at CREATE, and the deployment ``web_create_deploy`` at CREATE."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.models.topology import Node
from bpconvert.translators.comparing import configs
from bpconvert.translators.comparing.model import Deployment, Part, Side
from bpconvert.translators.comparing.scripts import DEPLOYMENT, GROUP, INSTALL, KINDS, NAMED, RANKS, UNINSTALL, Run
from bpconvert.translators.verify.members import SCRIPTS
from bpconvert.translators.verify.scripts_cloudify import host, operated
from bpconvert.translators.verify.scripts_heat import deployed

#: what stands for a software component in a template of Heat
_STAND_IN: Final = {"cloudify_type": SCRIPTS}
#: what a server says of Heat's agent: a server that has one, or Cloudify's, is told by ``agent`` of its scripts
_AGENT: Final = ("user_data_format", "software_config_transport", "deployment_swift_data")


def split(side: Side, found: Deployment) -> None:
    """Put the scripts of a deployment as parts of their own in place of the nodes that run them."""
    servers = {side.identity(node): node for node in side.nodes.values() if node.kind == "server" and side.exists(node)}
    reached = set(_hosts(side))
    for part in list(found.parts.values()):
        runs = list(_runs(side, part))
        if not runs:
            if part.node.kind == GROUP and configs.members(side, part.node, part.name) == {}:
                del found.parts[part.name]  # no deployment at all
            continue
        for run in runs:
            server = servers.get(run.values["server"]) if isinstance(run.values.get("server"), str) else None
            if server is not None:
                _agent(side, run, server)
                reached.add(side.named(server.name))
        _put(found, part, runs)
    for name in reached & found.parts.keys():
        own = found.parts[name].properties
        found.parts[name].properties = {key: value for key, value in own.items() if key not in _AGENT}
    _drop_empty(found)


def _hosts(side: Side) -> Iterator[str]:
    """The servers of deployments and operations, also of groups that are empty at present."""
    topology = (side.original or side).topology
    for node in topology.nodes.values():
        properties = node.properties if isinstance(node.properties, dict) else {}
        definition = properties.get(GROUP_MEMBERS.get(node.source_type, ""))
        language = node.native or topology.dialect
        kind = side.catalogue.kind_of(language, str(definition.get("type"))) if isinstance(definition, dict) else None
        deploys = {node.kind, kind.kind if kind else None} & {"software_deployment", GROUP}
        for expr in ex.walk(properties) if deploys else ():
            target = topology.nodes.get(str(expr.node)) if isinstance(expr, ex.Identity) else None
            if target is not None and target.kind == "server":
                yield side.named(target.name)
        for operation in node.operations if node.source_type == SCRIPTS else ():
            server = host(side, node, operation)
            if server is not None:
                yield side.named(server.name)


def _runs(side: Side, part: Part) -> Iterator[Run]:
    if part.node.kind in ("software_deployment", GROUP) and not part.existing:
        yield from deployed(side, part)
    else:
        for operation in sorted(part.node.operations, key=lambda operation: RANKS.get(operation.name, 0)):
            if operation.implementation:
                yield operated(side, part, operation)


def _put(found: Deployment, part: Part, runs: list[Run]) -> None:
    """Replace or complete a part by what it runs; what waits for the node waits for these."""
    names = {f"{run.name}.{run.operation}": run for run in runs}
    waits = found.waits.get(part.name, set())
    if part.node.kind in ("software_deployment", GROUP):
        del found.parts[part.name]
    before: dict[tuple[str, ...], str] = {}
    for name, run in names.items():
        found.parts[name] = replace(
            part, name=name, kind=run.kind, properties=run.values, path=run.path, origin=_places(run)
        )
        phase = next((phase for phase in (INSTALL, UNINSTALL) if run.operation.rpartition(".")[2] in phase), ())
        chained = part.node.operations and phase in before
        found.waits[name] = waits | ({before[phase]} if chained else set())
        before[phase] = name
    found.waits[part.name] = waits | names.keys()


def _places(run: Run) -> Callable[..., Path]:
    return lambda key, *steps: (*run.places.get(key, run.path), *steps)


def same_node(one: Part, other: Part) -> tuple[str, str] | None:
    """The names of the two nodes whose parts correspond; None where the parts have names that are made."""
    names = str(one.node.name), str(other.node.name)
    if other.node.kind == GROUP or any(map(NAMED.fullmatch, names)):
        return None
    return one.name.rpartition(".")[0] if one.node.kind == GROUP else names[0], names[1]


def _drop_empty(found: Deployment) -> None:
    """A software component without properties is nothing but its scripts."""
    owners = {name.rpartition(".")[0] for name, part in found.parts.items() if part.kind == DEPLOYMENT}
    for name, part in list(found.parts.items()):
        plain = part.node.source_type == SCRIPTS and not part.properties
        if part.kind not in KINDS and (plain or part.properties == _STAND_IN) and name in owners:
            del found.parts[name]


def _agent(side: Side, run: Run, server: Node) -> None:
    """Whether something on the server runs scripts: Heat's agent with SOFTWARE_CONFIG, or the one of Cloudify."""
    if server.external_id is not MISSING or server.external_name is not MISSING:
        return
    if side.topology.dialect == "hot":
        said = side.value(server.properties.get("user_data_format"))
        run.add("agent", said == "SOFTWARE_CONFIG", server.origin("user_data_format"))
        return
    config = side.value(server.declared.get("agent_config"))
    method = config.get("install_method") if isinstance(config, dict) else None
    run.add("agent", method != "none", (*server.path, "properties", "agent_config"))
