"""How blueprints write the operations that run scripts: their interfaces, and what they can run."""

from __future__ import annotations

import re
from typing import Final

from bpconvert.models.expressions import Value
from bpconvert.translators.passes.programs import Operations

LIFECYCLE: Final = "cloudify.interfaces.lifecycle"
FREEZE: Final = "cloudify.interfaces.freeze"
#: inputs of the script plugin itself
_RESERVED: Final = frozenset({"ctx", "process", "script_path", "script_source", "ssl_cert_content"})


def _inputs(variables: dict[str, Value], is_python: bool) -> dict[str, Value]:
    """``variables`` as inputs of an operation. Cloudify would run a Python file inside the agent, without variables."""
    result = {name: value for name, value in variables.items() if name not in _RESERVED}
    apart = {name: value for name, value in variables.items() if name in _RESERVED}
    process: dict[str, Value] = {}
    if is_python:
        process["eval_python"] = False
    if apart:
        process["env"] = apart
    return {**result, "process": process} if process else result


OPERATIONS: Final = Operations(
    names={
        "CREATE": (LIFECYCLE, "create"),
        "UPDATE": (LIFECYCLE, "update"),
        "DELETE": (LIFECYCLE, "delete"),
        "SUSPEND": (FREEZE, "suspend"),
        "RESUME": (FREEZE, "resume"),
    },
    # paths that the DSL takes for files, the shell for one word, and nobody for the function of a plugin
    files=re.compile(
        r"(?!(script|agent|cfy_extensions|fabric|openstack|openstack_plugin)\.)[\w+@-][\w.+@-]*(/[\w+@-][\w.+@-]*)*",
        re.ASCII,
    ),
    inputs=_inputs,
    once={"max_retries": 0},
)
