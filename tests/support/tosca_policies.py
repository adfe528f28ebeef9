"""What policies of a service template ask for, computed here from the specification, and whether a result has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from bpconvert import Result

#: policies that keep machines together or apart -> what a group of servers calls that
STRATEGIES = {"AntiAffinity": "anti-affinity", "Affinity": "affinity"}
Path = tuple[Any, ...]


def templates(made: Result) -> list[tuple[str, str]]:
    """The nested documents of a result, by name."""
    return [(name, text) for name, text in made.files.items() if isinstance(text, str) and name.endswith(".yaml")]


def policies(data: Any) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """Place, last word of the type, and the policy."""
    for index, entry in enumerate(data.get("policies") or ()):
        for name, row in entry.items() if isinstance(entry, dict) else ():
            if isinstance(row, dict):
                yield ("policies", index, name), str(row.get("type")).rpartition(".")[2], row


def targets(data: Any, policy: dict[str, Any]) -> list[str]:
    """The node templates that a policy is for."""
    groups, found = data.get("groups") or {}, []
    for name in policy.get("targets") or ():
        found += groups[name].get("members") or [] if name in groups else [name]
    return [one for one in found if one in data["node_templates"]]


# -- numbers of machines ----------------------------------------------------------------------------------------


def aspects(data: Any) -> dict[str, tuple[Path, dict[str, Any]]]:
    """Scaling aspect -> its place and definition (ETSI SOL001, ``tosca.policies.nfv.ScalingAspects``)."""
    return {
        name: ((*place, "properties", "aspects", name), aspect)
        for place, kind, row in policies(data)
        if kind == "ScalingAspects"
        for name, aspect in row["properties"]["aspects"].items()
    }


def sizes(data: Any) -> dict[str, dict[str, tuple[int, int]]]:
    """Scaling aspect -> machine -> how many there are at least and at most: the initial number, and with all steps. One
    step delta is that of every level."""
    first = {
        name: row["properties"]["initial_delta"]["number_of_instances"]
        for _, kind, row in policies(data)
        if kind == "VduInitialDelta"
        for name in targets(data, row)
    }
    known, found = aspects(data), {}
    for _, kind, row in policies(data):
        aspect = row["properties"].get("aspect") if kind == "VduScalingAspectDeltas" else None
        if aspect not in known:
            continue
        levels, steps = known[aspect][1].get("max_scale_level", 0), known[aspect][1].get("step_deltas") or []
        named = steps * levels if len(steps) == 1 else steps[:levels]
        deltas = row["properties"]["deltas"]
        more = [deltas[name]["number_of_instances"] for name in named if name in deltas]
        for name in targets(data, row) if len(more) == levels else ():
            least = first.get(name, 0)
            found.setdefault(aspect, {})[name] = (least, least + sum(more))
    return found


def groups(made: Result) -> dict[str, tuple[Any, Any]]:
    """Machine of a result -> how many there are of it at least and at most."""
    found, document = {}, made.document
    for name, row in (document.get("resources") or {}).items():
        if row["type"] == "OS::Heat::AutoScalingGroup":
            file = row["properties"]["resource"]["type"]
            members = yaml.safe_load(made.files[file])["resources"] if file in made.files else [name]
            found |= dict.fromkeys(members, (row["properties"]["min_size"], row["properties"]["max_size"]))
    for row in (document.get("policies") or {}).values():
        if row["type"] == "cloudify.policies.scaling":
            for group in row["targets"]:
                numbers = (row["properties"].get("min_instances"), row["properties"].get("max_instances"))
                found |= dict.fromkeys(document["groups"][group]["members"], numbers)
    return found


def scaled(data: Any, made: Result) -> Iterator[Path]:
    """The places of the numbers in aspects whose machines have the numbers that the aspects ask for."""
    have = groups(made)
    for aspect, machines in sizes(data).items():
        if all(numbers == have.get(name) for name, numbers in machines.items()):
            yield from ((*aspects(data)[aspect][0], key) for key in ("max_scale_level", "step_deltas"))


# -- machines together and apart --------------------------------------------------------------------------------


def placed(data: Any, document: Any) -> Iterator[Path]:
    """The places in policies whose machines are in a group of servers that keeps them so."""
    nodes = document.get("resources") or document.get("node_templates") or {}
    for place, kind, row in policies(data):
        given = row.get("properties") or {}
        wanted = next((word for name, word in STRATEGIES.items() if name in kind), given.get("policy"))
        wanted = f"soft-{wanted}" if given.get("strict") is False else wanted
        group = nodes.get(place[-1], {}).get("properties", {})
        group = group.get("resource_config", group)
        if wanted is None or group.get("policies") != [wanted]:
            continue
        if all(_names(nodes.get(name), place[-1]) for name in targets(data, row) if name in nodes):
            yield from ((*place, key) for key in ("properties", "targets"))


def _names(value: Any, name: str) -> bool:
    """True where a node refers to another one."""
    if isinstance(value, dict):
        return any(_names(item, name) for item in value.values())
    return any(_names(item, name) for item in value) if isinstance(value, list) else value == name
