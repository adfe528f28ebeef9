"""The kinds of nodes that are software, the steps of a node's life at which deployments run, and what runs files."""

from __future__ import annotations

from typing import Final

#: kinds that are texts
CONFIGS: Final = ("software_config", "multipart_mime")
DEPLOYMENT: Final = "software_deployment"
DEPLOYMENT_GROUP: Final = "software_deployment_group"
ALL: Final = frozenset({*CONFIGS, DEPLOYMENT, DEPLOYMENT_GROUP})
#: kinds of nodes that programs run on
MACHINES: Final = frozenset({"server", "compute"})
#: kinds of software, of which each is a component
COMPONENT: Final = "component"
ROLES: Final = (COMPONENT, "web_server", "database_server", "database", "application", "runtime")
#: attributes that every deployment publishes besides its declared outputs
PUBLISHED: Final = ("deploy_stdout", "deploy_stderr", "deploy_status_code")
#: attribute of a deployment group -> of its members
MEMBERS_ATTRIBUTES: Final = {f"{name}s": name for name in PUBLISHED}
#: Steps of installing and removing. The deployments wait for each other in this order: what is last made is first
#: deleted, so the steps of removing stand in reverse.
INSTALL: Final = (
    "precreate", "create", "preconfigure", "configure", "postconfigure", "start", "poststart", "establish",
)  # fmt: skip
UNINSTALL: Final = ("postdelete", "delete", "unlink", "stop", "prestop")
RANKS: Final = {name: rank for rank, name in enumerate((*INSTALL, *UNINSTALL))}
#: what an engine sets when it starts a script: the words after its name, the folder that it starts in, and what runs it
ARGUMENTS: Final = "args"
FOLDER: Final = "cwd"
PROGRAM: Final = "command_prefix"
STARTS: Final = (ARGUMENTS, FOLDER, PROGRAM)
#: the interpreter of Windows' scripts, as commands and artifacts name it
POWERSHELL: Final = "powershell"


def is_for_powershell(file: str) -> bool:
    """True for a file that PowerShell runs, by its name: script_runner/tasks.py, and Simple Profile 1.3, 5.4 (the
    extension of an artifact tells its processor)."""
    return file.lower().endswith(".ps1")
