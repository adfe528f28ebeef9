"""What an engine computes of calls that differ from instance to instance."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.translators.cloudify.comparing.engine import _exchanged

NUMBER = {"get_attribute": ["numbers", "result", {"get_attribute": ["vm", "node_instance_index"]}]}


@pytest.mark.parametrize("call", [NUMBER, {"concat": ["vm-", NUMBER]}, {"get_attribute": ["disk", "ids", NUMBER]}])
def test_the_number_of_an_instance_stays_a_call(call: dict[str, Any]) -> None:
    """An engine without instances writes None for it."""
    raw = {"name": call, "size": {"get_input": "size"}, "names": [call]}
    computed = {"name": "vm-None", "size": 3, "names": [None]}
    assert _exchanged(raw, computed) == {"name": call, "size": 3, "names": [call]}
