"""Wait conditions, which a stack of their own has."""

from __future__ import annotations

import pytest

from bpconvert.api import convert
from bpconvert.verification import verify


@pytest.mark.parametrize("timeout", ["8.5", "'30'", "30"])
def test_heat_takes_the_time_as_it_is(timeout: str) -> None:
    """It is a number, which may be a fraction (heat: wait_condition.py)."""
    source = (
        "heat_template_version: 2018-08-31\nresources:\n  h: {type: OS::Heat::WaitConditionHandle}\n"
        f"  w: {{type: OS::Heat::WaitCondition, properties: {{handle: {{get_resource: h}}, timeout: {timeout}}}}}\n"
    )
    result = convert(source, "hot", "cloudify", carry=False)
    assert "BPC509" not in {row.code for row in result.diagnostics}
    assert not verify(source, result.text).differences
