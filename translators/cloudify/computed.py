"""Values that the DSL cannot compute: a node whose script computes one when it is created, and keeps it as a runtime
property that everything else refers to. The script is the evaluator's own code, and the call stands among its inputs as
plain data (:mod:`bpconvert.translators.evaluate.plain`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.toscalike import computing

#: the kind of the nodes, and the runtime property
KIND: Final = computing.KIND
PROPERTY: Final = computing.PROPERTY
INTERFACE: Final = "cloudify.interfaces.lifecycle"
OPERATION: Final = "create"
#: where the script is in the bundle
PATH: Final = "scripts/bpconvert_value.py"
#: its own inputs: the call, and whether anything is deployed with the value
CALL: Final = computing.CALL
NEEDED: Final = computing.NEEDED
#: names that an input for a value does not get: those, and those of the script plugin
RESERVED: Final = frozenset({CALL, NEEDED, "ctx", "process", "script_path", "script_source", "ssl_cert_content"})
#: how the operation is run: beside the manager, and not again where the value is refused
SETTINGS: Final[dict[str, Any]] = {"executor": "central_deployment_agent", "max_retries": 0}

#: digests of what the script was in results of earlier versions, which computes the same
EARLIER: Final = frozenset({"228b56ab5702c005a95614894b663de5d1b41885970f24b13758d6cffbf071d0"})

_MAIN: Final = """

if __name__ == "__main__":
    from cloudify import ctx
    from cloudify.exceptions import NonRecoverableError
    from cloudify.state import ctx_parameters

    given = dict(ctx_parameters)
    written = given["call"]
    try:
        value = computed(json.loads(written) if isinstance(written, str) else written, given)
    except Exception as wrong:
        if given.get("needed", True):
            raise NonRecoverableError("the value cannot be computed: {}".format(wrong))
        ctx.logger.warning("the value cannot be computed: %s", wrong)
        value = None
    ctx.instance.runtime_properties["result"] = value
"""


def program(*, has_queries: bool = False) -> str:
    """The text of the script."""
    return computing.evaluator(has_queries=has_queries) + _MAIN


def is_program(text: str | None) -> bool:
    """True where ``text`` is that of the script, now or in an earlier version; for None, where nobody knows it."""
    return (
        text in (None, program(), program(has_queries=True))
        or hashlib.sha256(str(text).encode()).hexdigest() in EARLIER
    )


def expression(inputs: Mapping[str, Value], path: Path) -> Value:
    """The call or text that the ``inputs`` of the operation have, with their values in it; MISSING without one."""
    return computing.expression(inputs, path, RESERVED, data=True)
