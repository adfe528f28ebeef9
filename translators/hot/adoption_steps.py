"""The steps of taking over with Heat, as commands of ``openstack``, each with the check after it, and the way back."""

from __future__ import annotations

from bpconvert.translators.support.deploying import Bundle, Question, Step

_STACK = ("openstack", "stack")
_LIST = (*_STACK, "resource", "list", "-n", "5", "-c", "resource_name", "-c", "resource_status")


def taking(bundle: Bundle) -> list[tuple[str, list[Step]]]:
    """The steps with which a stack takes over. ``bundle``: the template to update with."""
    name = Question("the new stack")
    update = (*_STACK, "update", "--existing", "-t", bundle.path, "-e", "parameters.json")
    return [
        (
            "Adopt what exists",
            [
                Step((*_STACK, "adopt", "--wait", "--adopt-file", "adopt.json", name)),
                Step((*_LIST, name), remark="every resource has to be ADOPT_COMPLETE; go no further if one is not"),
            ],
        ),
        (
            "Give the stack its template",
            [
                Step((*update, "--dry-run", name), remark="nothing may be listed as added, deleted or replaced"),
                Step((*update, "--wait", name)),
                Step((*_LIST, name), remark="every resource has to be complete, with the id that it had"),
            ],
        ),
        ("The way back", [Step((*_STACK, "abandon", name), later=True, remark="it deletes nothing; 'delete' would")]),
    ]


def releasing(owned: bool) -> list[tuple[str, list[Step]]]:
    """The steps with which a stack lets go of what another engine has. ``owned``: the other one owns it."""
    name = Question("the old stack")
    show = Step((*_LIST, name), remark="every resource has to be complete, and none in progress")
    remark = "it deletes nothing; keep the file, with which the stack can be adopted again"
    abandon = Step((*_STACK, "abandon", "--output-file", "abandoned.json", name), later=not owned, remark=remark)
    return [("Look at the old stack", [show]), ("Let the old stack go", [abandon])]
