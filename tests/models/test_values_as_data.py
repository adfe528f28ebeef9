"""Values that are kept as data: what cannot be one is refused, before anything is written of it."""

from __future__ import annotations

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.notation import FACTS, from_data, to_data
from bpconvert.translators.cloudify.calls import SYSTEM_FACTS
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS


def test_a_call_is_read_as_it_was_written() -> None:
    value = ex.Replace("a", {"a": ex.Input("p")}, 2)
    assert to_data(from_data(to_data(value), ())) == to_data(value)


@pytest.mark.parametrize("strictness", [3, -1, "2", True, None])
def test_a_setting_that_a_call_cannot_have(strictness: object) -> None:
    with pytest.raises(ValueError, match="strictness"):
        from_data({"$Replace": {"template": "a", "params": {}, "strictness": strictness}}, ())


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ({"$System": {"name": "deployment&name"}}, "name"),
        ({"$System": {"name": "owner"}}, "name"),
        ({"$Consumers": {"what": "all"}}, "what"),
        ({"$Capability": {"name": "a", "scope": "everywhere"}}, "scope"),
    ],
)
def test_a_text_that_a_call_cannot_have(call: dict[str, object], field: str) -> None:
    with pytest.raises(ValueError, match=field):
        from_data(call, ())


def test_all_that_a_language_asks_of_a_deployment_is_kept() -> None:
    assert {*FACTS} == {*SYSTEM_FACTS.values(), *PSEUDO_PARAMETERS.values()}
    for fact in FACTS:
        assert from_data(to_data(ex.System(fact)), ()) == ex.System(fact)
