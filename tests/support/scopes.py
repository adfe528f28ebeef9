"""What the evaluation tests share: a scope that knows some things, and expressions that it does not know."""

from __future__ import annotations

import json
from typing import Any

from bpconvert.models.expressions import Attribute, Condition, Equals, Identity, Input, Not
from bpconvert.models.hot_versions import LATEST
from bpconvert.translators.evaluate import Scope
from bpconvert.translators.hot.functions import Reader

INPUTS: dict[str, Any] = {
    "text": "abcab", "number": 3, "yes": True, "no": False, "list": ["a", "b", "c"],
    "json": {"a": 1, "b": {"c": [1, None]}}, "null": None, "name": "c_true",
}  # fmt: skip
CONDITIONS = {
    "c_true": True, "c_false": False, "c_input": Input("unknown"), "c_text": Input("text"),
    "c_loop": Not(Condition("c_loop2")), "c_loop2": Not(Condition("c_loop")), "c_equal": Equals(Input("number"), 3),
}  # fmt: skip
#: expressions that no scope here knows
IP = Attribute("server", "ip")
ID = Identity("server")
SOME = Input("unknown")


def scope(**options: Any) -> Scope:
    """A scope that knows INPUTS and CONDITIONS."""
    return Scope(**{"inputs": INPUTS, "declared": {*INPUTS, "unknown"}, "conditions": CONDITIONS, **options})


def hot(raw: Any) -> Any:
    """A raw HOT value, read."""
    reader = Reader(LATEST, declared=INPUTS)
    value = reader.value(raw)
    assert not reader.problems
    return value


def same(found: Any, expected: Any) -> bool:
    """Equal, and of the same types all through."""
    return found == expected and json.dumps(found, default=repr) == json.dumps(expected, default=repr)
