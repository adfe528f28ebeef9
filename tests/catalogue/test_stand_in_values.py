"""Nothing of a stand-in is lost: whatever its properties are, they come back."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from stand_in_source import DSL, HEAT, blueprint, nested, properties, template

from bpconvert.api import convert

_OFTEN = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def there_and_back(text: str, source: str, target: str, carry: bool) -> str:
    return convert(convert(text, source, target, carry=carry).text, target, source, carry=carry).text


@given(properties(DSL))
@_OFTEN
def test_a_stand_in_of_heat_comes_back(found: dict[str, Any]) -> None:
    text = template(found)
    assert there_and_back(text, "hot", "cloudify", carry=True) == text
    again = yaml.safe_load(there_and_back(text, "hot", "cloudify", carry=False))
    assert again["resources"]["odd"]["type"] == "My::Type"
    assert again["resources"]["odd"]["properties"] == found


@given(properties(HEAT))
@_OFTEN
def test_a_stand_in_of_cloudify_comes_back(found: dict[str, Any]) -> None:
    text = blueprint(found)
    assert there_and_back(text, "cloudify", "hot", carry=True) == text
    again = yaml.safe_load(there_and_back(text, "cloudify", "hot", carry=False))  # the blueprint's own type is gone
    shown = again["node_templates"]["odd"]["properties"]["heat_properties"]
    assert shown["cloudify_type"] == "my.Type"
    assert shown["properties"] == found


@pytest.mark.parametrize("depth", [10, 48, 60, 90])
def test_deep_data_comes_back(depth: int) -> None:
    found = {"config": nested(depth, {"get_input": "x"})}
    for carry in (True, False):
        again = yaml.safe_load(there_and_back(template(found), "hot", "cloudify", carry))
        assert again["resources"]["odd"]["properties"] == found
