"""What runs on servers, in one form for all languages: a part for each script and each moment at which it runs.

Heat's agent runs the script of a configuration at the actions of a deployment (heat: software_deployment.py), with the
values as environment variables (heat-agents: 55-heat-config, hook-script.py). Cloudify's script plugin runs the scripts
of a node's operations, with their inputs as variables (script_runner/tasks.py, ``create_process_config``). The part of
a script is called after the node and the operation: ``web.create`` is the operation ``create`` of node ``web``, the
deployment ``web`` at CREATE, and the deployment ``web_create_deploy`` at CREATE."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.light import replace
from bpconvert.models.topology import Node
from bpconvert.translators.comparing import configs
from bpconvert.translators.comparing.model import DEPLOYMENT, Deployment, Part, Run, Scripts, Side
from bpconvert.translators.comparing.scripts import KINDS, NAMED, OPERATION
from bpconvert.translators.passes.software.kinds import DEPLOYMENT_GROUP, INSTALL, MACHINES, UNINSTALL
from bpconvert.translators.verify.side import represented

#: the properties of a server for an agent: whether it has one, is compared with its scripts (``agent``)
_AGENT: Final = ("user_data_format", "software_config_transport", "deployment_swift_data")
#: the number of an instance: all of a node that exists are the same
_INSTANCE: Final = re.compile(r"\.\d+$")
#: the properties of what runs that are the text of a script
_TEXTS: Final = frozenset(("script", "implementation"))


def split(side: Side, deployment: Deployment) -> None:
    """Put the scripts of a deployment as parts of their own in place of the nodes that run them."""
    machines = [node for node in side.nodes.values() if node.kind == "server" and side.exists(node)]
    servers = {name: node for node in machines if isinstance(name := side.identity(node), str)}
    #: the servers that scripts run on, also those of groups that are empty at present
    reached = {
        side.name_of(server.name)
        for node in (side.original or side).topology.nodes.values()
        for server in _scripts(side, node).servers(side, node)
    }
    for part in list(deployment.parts.values()):
        runs = list(_scripts(side, part.node).runs(side, part))
        if not runs:
            if part.node.kind == DEPLOYMENT_GROUP and configs.members(side, part.node, part.name) == {}:
                del deployment.parts[part.name]  # no deployment at all
            continue
        for run in runs:
            server = servers.get(run.values["server"]) if isinstance(run.values.get("server"), str) else None
            if server is not None:
                if server.external_id is MISSING and server.external_name is MISSING and not run.is_remote:
                    _scripts(side, part.node).agent(side, run, server)
                reached.add(side.name_of(server.name))
        _put(deployment, part, runs)
    deployment.reached = reached
    unify(deployment, deployment)
    _drop_empty(side, deployment)


def _scripts(side: Side, node: Node) -> Scripts:
    """What runs the scripts of a node: operations, whatever the node is, are run by the engine of their document."""
    return (side.language if node.operations else side.language_of(node)).scripts


def unify(first: Deployment, second: Deployment) -> None:
    """Leave out of servers what says whether they have an agent, where scripts run on them in one of the two; and of
    scripts whether their server has one, where only one of the two knows the server; and software that runs nothing,
    where the other one has none of the name."""
    for deployment, other in ((first, second), (second, first)):
        for name in (first.reached | second.reached) & deployment.parts.keys():
            deployment.parts[name].properties = deployment.parts[name].without(*_AGENT)
        for name, part in deployment.parts.items():
            if part.kind in KINDS and name in other.parts and "agent" not in other.parts[name].properties:
                part.properties = part.without("agent")
        for name in deployment.bare & deployment.parts.keys() - other.parts.keys():
            del deployment.parts[name]
        for name in deployment.empty & deployment.parts.keys() & other.bare - other.parts.keys():
            del deployment.parts[name]


def bring(first: Deployment, second: Deployment, sides: tuple[Side, Side]) -> None:
    """Take out of the scripts of the first document what stands for commands that the engine of the second one has,
    where the second one has them without it."""
    if sides[0].language is sides[1].language:
        return
    plain = sides[1].language.scripts.plain
    for name in first.parts.keys() & second.parts.keys():
        part, other = first.parts[name].properties, second.parts[name].properties
        for key in _TEXTS & part.keys() & other.keys():
            text = part[key]
            if isinstance(text, str) and text != other[key] and plain(text) == other[key]:
                part[key] = other[key]


def _put(deployment: Deployment, part: Part, runs: list[Run]) -> None:
    """Replace or complete a part by what it runs; what waits for the node waits for these."""
    names = dict(zip(_names(runs), runs, strict=True))
    waits = deployment.waits.get(part.name, set())
    if part.node.kind in ("software_deployment", DEPLOYMENT_GROUP):
        del deployment.parts[part.name]
    before: dict[tuple[str, ...], tuple[str, set[str], set[str]]] = {}
    for name, run in names.items():
        deployment.parts[name] = replace(
            part,
            name=name,
            kind=run.kind,
            properties=run.values,
            path=run.path,
            origin=_places(run),
            owner=run.name,
        )
        step = run.step or run.operation.rpartition(".")[2]
        phase = next((phase for phase in (INSTALL, UNINSTALL) if step in phase), ())
        base, own, awaited = before.get(phase, ("", set(), set()))
        if base == f"{run.name}.{run.operation}":  # both ends of a relationship at once
            own.add(name)
        else:
            awaited = own if part.node.operations else set()
            before[phase] = f"{run.name}.{run.operation}", {name}, awaited
        deployment.waits[name] = waits | awaited
    if part.node.kind not in MACHINES:
        deployment.waits[part.name] = waits | names.keys()
        return
    for name, others in deployment.waits.items():  # a machine is there before its own programs run on it
        if name in names:
            deployment.waits[name] = others | {part.name}
        elif part.name in others:
            deployment.waits[name] = others | names.keys()


def _names(runs: list[Run]) -> list[str]:
    """What the parts of some scripts are called. Those that both ends of a relationship run at the same step are
    numbered by what they are: languages order them in other ways."""
    bases = [f"{run.name}.{run.operation}" for run in runs]
    names = [*bases]
    for base in {base for base in bases if bases.count(base) > 1}:
        rows = [index for index, other in enumerate(bases) if other == base]
        rows.sort(key=lambda index: (str(runs[index].values.get("script")), repr(runs[index].values)))
        for number, index in enumerate(rows[1:], 2):
            names[index] = f"{base}.{number}"
    return names


def _places(run: Run) -> Callable[..., Path]:
    return lambda key, *steps: (*run.places.get(key, run.path), *steps)


def same_nodes(pairs: Iterable[tuple[Part, Part]]) -> dict[str, str]:
    """Node of the second document -> the one of the first that it corresponds to, where that has another name. A
    machine and what runs on it may be one node in the first document and two in the second: its name is the machine's.
    """
    rows = [(part.kind in KINDS, names) for part, other in pairs if (names := _same_node(part, other))]
    machines = {own: there for of_script, (own, there) in rows if not of_script}
    corresponding = [(own, there) for _, (own, there) in rows if machines.get(own, there) == there]
    return {there: own for own, there in corresponding if own != there}


def _same_node(part: Part, other: Part) -> tuple[str, str] | None:
    """The names of the two nodes whose parts correspond; None where the parts are scripts with names that are made,
    or operations that have only been left over."""
    if part.kind not in KINDS:
        return _INSTANCE.sub("", part.name) if part.existing else part.name, other.node.name
    if part.kind == OPERATION and part.properties != other.properties:
        return None
    names = str(part.node.name), str(other.node.name)
    if other.node.kind == DEPLOYMENT_GROUP or any(map(NAMED.fullmatch, names)):
        return None
    if part.kind == DEPLOYMENT and part.node.kind != DEPLOYMENT_GROUP and part.owner != names[0]:
        return None  # it is one of a relationship of that node
    return part.name.rpartition(".")[0] if part.node.kind == DEPLOYMENT_GROUP else names[0], names[1]


def _drop_empty(side: Side, deployment: Deployment) -> None:
    """What is nothing but its scripts is these."""
    scripts = {name: part for name, part in deployment.parts.items() if part.kind == DEPLOYMENT}
    owners = {name.rpartition(".")[0] for name in scripts} | {
        side.name_of(script.node.name) for script in scripts.values()
    }
    for name, part in list(deployment.parts.items()):
        if part.kind not in KINDS:
            meant = represented(part.node, side.catalogue, side.language_of(part.node).nodes)
            properties = part.properties if meant is part.node else meant.properties
            if meant.kind is None and not properties:
                deployment.empty.add(name)
            if side.language_of(meant).scripts.is_bare(meant, properties):
                deployment.bare.add(name)
                if name in owners:
                    del deployment.parts[name]
