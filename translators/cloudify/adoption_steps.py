"""The steps of taking over with Cloudify, as commands of ``cfy``, each with the check after it, and the way back."""

from __future__ import annotations

from bpconvert.translators.cloudify.deploying import steps
from bpconvert.translators.support.deploying import Bundle, Question, Step


def taking(bundle: Bundle) -> list[tuple[str, list[Step]]]:
    """The steps with which a deployment refers to what exists. ``bundle``: its blueprint."""
    name = Question("the deployment")
    check = Step(
        ("cfy", "node-instances", "list", "--json", "-d", name),
        remark="each has to be started, with the id that it had as 'id' of its runtime properties",
    )
    back = [
        Step(("cfy", "executions", "start", "uninstall", "-d", name), later=True, remark="it deletes nothing"),
        Step(("cfy", "deployments", "delete", name), later=True),
    ]
    return [*steps([bundle]), ("Check", [check]), ("The way back", back)]


def releasing(owned: bool) -> list[tuple[str, list[Step]]]:
    """The steps with which a deployment lets go of what another engine has. ``owned``: the other one owns it."""
    name = Question("the old deployment")
    show = Step(("cfy", "node-instances", "list", "--json", "-d", name), remark="each has to be started")
    forget = Step(("cfy", "deployments", "delete", "--force", name), remark="it deletes nothing; do not uninstall it")
    return [("Look at the old deployment", [show]), ("Let the old deployment go", [forget])]
