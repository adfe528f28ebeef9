"""Values that the DSL cannot compute: a node whose script computes one when it is created, and keeps it as a runtime
property that everything else refers to. The script is the evaluator's own code, and the call stands among its inputs as
plain data (:mod:`bpconvert.translators.evaluate.plain`)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.notation import from_data
from bpconvert.translators import evaluate
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.evaluate import plain
from bpconvert.translators.passes.expressions.kinds import RESULT

#: the kind of the nodes, and the runtime property: ``get_attribute`` would give a property of that name for null
KIND: Final = named_values.KIND
PROPERTY: Final = RESULT
INTERFACE: Final = "cloudify.interfaces.lifecycle"
OPERATION: Final = "create"
#: where the script is in the bundle
PATH: Final = "scripts/bpconvert_value.py"
#: its own inputs: the call, and whether anything is deployed with the value
CALL: Final = "call"
NEEDED: Final = "needed"
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


def program() -> str:
    """The text of the script."""
    return files(evaluate).joinpath("plain.py").read_text(encoding="utf-8") + _MAIN


def is_program(text: str | None) -> bool:
    """True where ``text`` is that of the script, now or in an earlier version; for None, where nobody knows it."""
    return text in (None, program()) or hashlib.sha256(str(text).encode()).hexdigest() in EARLIER


def expression(inputs: Mapping[str, Value], path: Path) -> Value:
    """The call that the ``inputs`` of the operation have, with their values in it; MISSING where that is none."""
    call = inputs.get(CALL)
    try:
        found = from_data(json.loads(call) if isinstance(call, str) else call, path)
    except (ValueError, TypeError, RecursionError):
        return MISSING
    taken = [expr.name for expr in ex.walk(found) if isinstance(expr, ex.Input)]
    known = [name for name in taken if isinstance(name, str) and name in inputs and name not in RESERVED]
    if not isinstance(found, Expr) or len(known) < len(taken):
        return MISSING
    try:
        return ex.transform(found, lambda expr: _filled(expr, inputs))
    except (ValueError, evaluate.Refused):
        return MISSING


def _filled(expr: Expr, inputs: Mapping[str, Value]) -> Value:
    if not isinstance(expr, ex.Input):
        return expr
    value = inputs[str(expr.name)]
    if not expr.keys:
        return value
    if isinstance(value, ex.Input):
        return ex.Input(value.name, (*value.keys, *expr.keys), path=value.path)
    keys = [evaluate.fold(key, evaluate.Scope()) for key in expr.keys]
    if not ex.is_constant([value, *keys]):
        raise ValueError("a part is taken of what is no input")
    return plain.walk_leniently(value, keys, "", True)  # as the script does


def input_name(leaf: Expr) -> str:
    """A name for the input that a value is given by."""
    if isinstance(leaf, ex.Input):
        words = [leaf.name]
    elif isinstance(leaf, ex.Identity):
        words = [leaf.node, "id"]
    else:
        steps = (getattr(leaf, name, None) for name in ("node", "name"))
        words = [*steps, *getattr(leaf, "keys", ())]
    found = re.sub(r"(?a)\W+", "_", "_".join(str(word) for word in words if isinstance(word, (str, int))))
    return found.strip("_") or "given"
