"""The programs that operations of TOSCA run.

An operation runs a script or an artifact on the machine that its node is hosted on (Simple Profile 1.3, 3.6.17 and
5.8.4); what a file needs to be run follows from its name, as heat-translator has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Operation, Script
from bpconvert.translators.passes.capabilities import Operations, Over, Published, Runs, Software
from bpconvert.translators.passes.software.kinds import COMPONENT
from bpconvert.translators.passes.software.playbooks import INSTALLS, installed_roles

STANDARD: Final = "Standard"
CONFIGURE: Final = "Configure"
#: our interface, for what 1.3 has no operation for: opera refuses others in the standard's
REMOVAL: Final = "Removal"
#: short name of an interface -> its full name
FULL_NAMES: Final = {
    STANDARD: "tosca.interfaces.node.lifecycle.Standard",
    CONFIGURE: "tosca.interfaces.relationship.Configure",
    REMOVAL: "bpconvert.interfaces.Removal",
}
#: the names that interfaces have in service templates
_STANDARD: Final = (STANDARD, FULL_NAMES[STANDARD], "tosca:Standard")
_CONFIGURE: Final = (CONFIGURE, FULL_NAMES[CONFIGURE], "tosca:Configure", REMOVAL)
#: operations of nodes, which are the steps of the same name (5.8.4)
NODE_STEPS: Final = ("create", "configure", "start", "stop", "delete")
#: operations of relationships -> the step, and the side that they run on (5.8.5)
RELATIONSHIP_STEPS: Final = {
    "pre_configure_source": ("preconfigure", "source"),
    "pre_configure_target": ("preconfigure", "target"),
    "post_configure_source": ("postconfigure", "source"),
    "post_configure_target": ("postconfigure", "target"),
    "add_target": ("establish", "source"),
    "add_source": ("establish", "target"),
    "remove_target": ("unlink", "source"),
    "remove_source": ("unlink", "target"),
}
#: our interfaces -> their operations
OWN_OPERATIONS: Final = {REMOVAL: ("remove_source",)}
#: software -> the type that its nodes are of
ROLES: Final = {
    COMPONENT: "tosca.nodes.SoftwareComponent",
    "web_server": "tosca.nodes.WebServer",
    "database_server": "tosca.nodes.DBMS",
    "database": "tosca.nodes.Database",
    "application": "tosca.nodes.WebApplication",
    "runtime": "tosca.nodes.Container.Runtime",
}
#: our type of relationships between what is connected: ConnectsTo leads to endpoints only
CONNECTED: Final = "bpconvert.relationships.Connected"
#: how the types begin that are defined for software
OWN_TYPE: Final = "bpconvert.nodes."
#: end of a file's name -> the program that runs it (heat-translator: hot_resource.py)
_TOOLS: Final = {".yaml": "ansible", ".yml": "ansible", ".ansible": "ansible", ".pp": "puppet"}
#: how the names of scripts end that a shell runs
_SHELLS: Final = (".sh", ".bash")
#: how the names of playbooks end
PLAYBOOKS: Final = tuple(end for end, tool in _TOOLS.items() if tool == "ansible")
#: a file: an artifact's name has neither an ending nor a folder
_FILE: Final = re.compile(r"[^\n ]*[./][^\n ]*")
#: key of an operation for the artifacts of its node, which are beside its playbook
ARTIFACTS: Final = "artifacts"
#: key of an implementation for the files that it needs; keys of it, and of an operation, that say how it is run
NEEDS: Final = "dependencies"
HOST: Final = "operation_host"
_SETTINGS: Final = ("timeout", HOST)
#: where an operation runs that runs beside the engine, though a machine hosts its node
ORCHESTRATOR: Final = "ORCHESTRATOR"
#: what operations of relationships that install are called in names, after heat-translator
_CONNECT: Final = "connect"

#: the type of the artifacts that are roles of Ansible (heat-translator's)
ROLE_ARTIFACT: Final = "tosca.artifacts.AnsibleGalaxy.role"


def side(operation: str) -> str:
    """The side of its relationship that an operation runs on."""
    return RELATIONSHIP_STEPS.get(operation, ("", "target" if operation.endswith("_target") else "source"))[1]


def is_file(place: Any) -> bool:
    """True for what is the place of a file."""
    return isinstance(place, str) and _FILE.fullmatch(place) is not None


def script(operation: Operation) -> Script | None:
    """What an operation runs; None for what is no file."""
    place = operation.implementation
    if operation.name == INSTALLS:
        return Script(None, place, installs=installed_roles(place))
    if not is_file(place):
        return None
    tool = next((tool for end, tool in _TOOLS.items() if place.lower().endswith(end)), "")
    inputs: dict[str, tuple[Value, Path]] = {
        str(name): (value, ("inputs", name)) for name, value in operation.inputs.items()
    }
    central = operation.extra.get(HOST) == ORCHESTRATOR
    settings: list[Path] = [
        ("implementation", key) for key in _SETTINGS if operation.extra.get(key) and not (central and key == HOST)
    ]
    files = operation.extra.get(NEEDS)
    needs = tuple(map(str, files if isinstance(files, list) else [files])) if files else ()
    needs += tuple(file for file in operation.extra.get(ARTIFACTS, ()) if file not in needs and file != place)
    return Script(place, "", inputs, settings, central, tool=tool, needs=(needs, ("implementation", NEEDS)))


def _why_not(operation: Operation) -> str:
    if script(operation) is not None:
        return ""
    return f"its implementation {operation.implementation[:60]!r} is no file that a machine can run"


def _label(operation: Operation) -> str:
    return _CONNECT if operation.target is not None else operation.name


def _over() -> Runs:
    from bpconvert.translators.tosca import playbooks  # few conversions need it

    return playbooks.runs()


def _is_over(operation: Operation) -> Over | None:
    from bpconvert.translators.tosca import playbooks  # as above

    return playbooks.over(operation)


_WRITTEN: Final = Operations(
    central={HOST: ORCHESTRATOR},
    over=_over,
    own={step: (STANDARD, step) for step in NODE_STEPS},
    between={
        place: (REMOVAL if name in OWN_OPERATIONS[REMOVAL] else CONFIGURE, name)
        for name, place in RELATIONSHIP_STEPS.items()
    },
)

#: the user that opera runs playbooks as, where its environment names no other (executors/ansible, ``_get_inventory``)
_USER: Final = "centos"
#: what orchestrators take for an output of a script: a variable that it exports (Simple Profile 1.3, 3.6.15), and what
#: is left where Heat's agent looks for it, which heat-translator's results are run by
_PUBLISH: Final = """\
            export "$3=$ctx_value"
            if [ -n "${heat_outputs_path-}" ]; then printf '%s' "$ctx_value" >"$heat_outputs_path.$3"; fi"""


def _run_by_shell(file: str, text: str, publish: str, read: Callable[[str], str | None]) -> Published | None:
    """A shell script that does not name what runs it, with the line that does; None for others."""
    if text.startswith("#!") or not file.lower().endswith(_SHELLS):
        return None
    return Published(f"#!/bin/sh\n{text}", code="BPC433")


SOFTWARE: Final = Software(
    component=ROLES[COMPONENT],
    steps={
        (STANDARD, INSTALLS): "precreate",
        **{(interface, step): step for interface in _STANDARD for step in NODE_STEPS},
        **{(interface, name): row[0] for interface in _CONFIGURE for name, row in RELATIONSHIP_STEPS.items()},
    },
    script=script,
    why_not=_why_not,
    over=_is_over,
    operations=_WRITTEN,
    roles=ROLES,
    label=_label,
    publish=_PUBLISH,
    published=_run_by_shell,
    user=_USER,
)


def is_known(interface: Any) -> bool:
    """True for a name of the two interfaces that engines run."""
    return interface in (*_STANDARD, *_CONFIGURE)
