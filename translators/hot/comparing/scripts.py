"""The scripts of Heat's deployments, as its agent runs them (heat: software_deployment.py; heat-agents: 55-heat-config,
hook-script.py)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node
from bpconvert.translators.comparing import configs
from bpconvert.translators.comparing.filling import REFUSED
from bpconvert.translators.comparing.model import Part, Run, Scripts, Side, as_written
from bpconvert.translators.comparing.scripts import (
    ACTIONS,
    NAMED,
    OPERATIONS,
    OUTPUTS,
    PUBLISHES,
    interpreter,
    known_text,
    used,
)
from bpconvert.translators.evaluate import Refused, fold
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.capabilities import GROUPS
from bpconvert.translators.hot.resource_types import SOFTWARE, TYPED_TOOLS
from bpconvert.translators.passes.software.kinds import DEPLOYMENT, DEPLOYMENT_GROUP, PUBLISHED

_MARK: Final = "\ue001"
_DEPLOYMENTS: Final = (DEPLOYMENT, DEPLOYMENT_GROUP)
#: the kind of a value that is handed on as it is
_TYPED: Final = "typed"


class Deployments(Scripts):
    """Deployments of software configurations."""

    def servers(self, side: Side, node: Node) -> Iterator[Node]:
        """The servers of a deployment, or of a group of deployments."""
        properties = node.properties if isinstance(node.properties, dict) else {}
        definition = properties.get(GROUPS.definition(node.source_type) or "")
        kind = side.catalogue.kind_of(DIALECT, str(definition.get("type"))) if isinstance(definition, dict) else None
        nodes = (side.original or side).topology.nodes
        for expr in ex.walk(properties) if {node.kind, kind.kind if kind else None} & {*_DEPLOYMENTS} else ():
            target = nodes.get(str(expr.node)) if isinstance(expr, ex.Identity) else None
            if target is not None and target.kind == "server":
                yield target

    def runs(self, side: Side, part: Part) -> Iterator[Run]:
        """The scripts of a deployment or a deployment group."""
        return _deployed(side, part) if part.node.kind in _DEPLOYMENTS and not part.existing else iter(())

    def agent(self, side: Side, run: Run, server: Node) -> None:
        """Heat's agent, with SOFTWARE_CONFIG."""
        format = side.value(server.value_of("user_data_format"))
        run.add("agent", format == "SOFTWARE_CONFIG", server.origin("user_data_format"))


def _deployed(side: Side, part: Part) -> Iterator[Run]:
    """The scripts of a deployment or a deployment group."""
    node, properties = part.node, part.properties
    config = _config(side, node)
    text, actions = properties.get("config"), properties.get("actions")
    actions = ["CREATE", "UPDATE"] if actions is None else actions
    servers = _servers(side, part)
    if servers is None or not isinstance(actions, list) or not set(map(str, actions)) <= OPERATIONS.keys():
        return
    if config is not None:
        text = side.value(config.properties.get("config")) if isinstance(config.properties, dict) else REFUSED
    for (name, resource), server in servers.items():
        for action in actions:
            run = _run_of(name, action, actions, node)
            key = "servers" if node.kind == DEPLOYMENT_GROUP else "server"
            run.add("server", server, node.origin(key, resource) if node.kind == DEPLOYMENT_GROUP else node.origin(key))
            run.add("action", action, node.origin("actions"))
            place = node.origin("config") if config is None else config.origin("config")
            run.add("script", _text(text), place)
            run.add("name", properties.get("name"), node.origin("name"))
            no_signal = properties.get("signal_transport") == "NO_SIGNAL"
            run.add("is waited for", not no_signal, node.origin("signal_transport"))
            _configured(side, run, node, config, place)
            _environment(side, run, part, config)
            _derived(side, run, action, resource, server, place)
            yield run


def _run_of(name: str, action: str, actions: list[str], node: Node) -> Run:
    """A run with its name: that of the deployment, or what it is named after."""
    match = NAMED.fullmatch(name)
    if match and actions == [ACTIONS[match[2]]]:
        return Run(match[1], match[2], node.path)
    return Run(name, OPERATIONS[action], node.path)


def _servers(side: Side, part: Part) -> dict[tuple[str, str], Value] | None:
    """(Name of the deployment, of its resource) -> server; None where they are not known."""
    node = part.node
    if node.kind != DEPLOYMENT_GROUP:
        own = node.name.rpartition(".")[2] if node.name not in side.topology.nodes else node.name
        return {(part.name, own): part.properties.get("server")}
    return configs.members(side, node, part.name)


def _config(side: Side, node: Node) -> Node | None:
    """The configuration of a deployment; None where only its id is known."""
    written, original = as_written(side, node), side.original or side
    if not isinstance(written.properties, dict):
        return None
    wanted = written.properties.get("config")
    if written.kind not in _DEPLOYMENTS:  # a group of deployments
        candidates = [expr for expr in ex.walk(written.properties) if isinstance(expr, ex.Identity)]
        wanted = next((e for e in candidates if _is_config(original, e.node)), None)
    marks = {name: _MARK + name for name in original.topology.nodes if _is_config(original, name)}
    try:
        folded = fold(wanted, replace(original.scope, identities=marks, decided={}, open={}, busy=set()))
    except (Refused, RecursionError):
        return None
    name = folded[1:] if isinstance(folded, str) and folded.startswith(_MARK) else None
    return side.topology.nodes.get(name) if name is not None else None


def _is_config(side: Side, name: Any) -> bool:
    node = side.topology.nodes.get(name) if isinstance(name, str) else None
    return node is not None and node.kind == "software_config"


def _configured(side: Side, run: Run, node: Node, config: Node | None, place: Path) -> None:
    """The tool that runs a script, and which of its outputs are kept or mean failure."""
    properties = side.value(config.properties) if config is not None else {}
    properties = properties if isinstance(properties, dict) else {}
    group = properties.get("group")
    if group is None:
        group = "script" if config is None else "Heat::Ungrouped"
    run.add("tool", group, place if config is None else config.origin("group"))
    if group in ("script", "Heat::Ungrouped"):  # which the agent does not run, and other engines run as a script
        interpreter(run, None, place)
    if group != "script" and config is not None:
        run.add("options", properties.get("options"), config.origin("options"))
    declared = {entry["name"]: entry for entry in _entries(properties, "outputs")}
    asked = used(side, node)
    for name in sorted(asked):
        run.add(f"{PUBLISHES}{name}", name in declared or name in PUBLISHED, place)
    for index, (name, entry) in enumerate(declared.items()):
        if str(entry.get("error_output")).lower() == "true":
            where = config.origin("outputs", index, "error_output") if config is not None else place
            run.add(f"outputs.{name}.means failure", True, where)


def _entries(properties: Mapping[str, Value], name: str) -> list[dict[str, Any]]:
    entries = properties.get(name)
    rows = entries if isinstance(entries, list) else []
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("name"), str)]


def _environment(side: Side, run: Run, part: Part, config: Node | None) -> None:
    """The variables: what the deployment gives over the declared defaults."""
    values = part.properties.get("input_values") or {}
    properties = side.value(config.properties) if config is not None else {}
    if not isinstance(values, dict):
        run.add("environment", values, part.node.origin("input_values"))
        return
    kinds: dict[str, str] = {}
    is_typed = isinstance(properties, dict) and properties.get("group") in TYPED_TOOLS
    plain = _TYPED if is_typed else "String"
    for index, entry in enumerate(_entries(properties if isinstance(properties, dict) else {}, "inputs")):
        name = entry["name"]
        kinds[name] = entry.get("type") or plain
        if name not in values and config is not None:
            place = config.origin("inputs", index, "default")
            run.add(f"environment.{name}", _agents_text(entry.get("default"), kinds[name]), place)
    for name, value in values.items():
        place = part.node.origin("input_values", name)
        run.add(f"environment.{name}", _agents_text(value, kinds.get(name, plain)), place)


def _agents_text(value: Value, kind: str) -> Value:
    """The text that Heat's agent makes of a value."""
    structured = kind != "String" and isinstance(value, (dict, list, bool) if kind == _TYPED else (dict, list))
    return known_text(value, json.dumps if structured else str)


def _derived(side: Side, run: Run, action: str, resource: str, server: Value, place: Path) -> None:
    """The variables that Heat adds, as far as the script has their names in it."""
    text = run.values.get("script")
    own = {"deploy_action": action, "deploy_resource_name": resource, "deploy_server_id": server}
    for name in sorted(set(re.findall(SOFTWARE.derived, text))) if isinstance(text, str) else ():
        run.add(f"environment.{name}", own.get(name, side.world.fact(name)), place)
    if isinstance(text, str) and OUTPUTS in text and run.values.get("tool") == "script":
        run.add(f"environment.{OUTPUTS}", True, place)


def _text(value: Value) -> Value:
    """A script's text; the name of a file that is not there."""
    if isinstance(value, ex.File) and isinstance(value.name, str):
        return value.name
    return known_text(value, lambda text: text if isinstance(text, (str, dict)) else "" if text is None else str(text))
