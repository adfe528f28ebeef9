"""Properties of resources that are null.

Heat reads one as its default, and where it has none as the empty value of its type (heat/engine/properties.py,
``Property.get_value``): a port whose ``security_groups`` are null has none, not the default group, and
``port_security_enabled: null`` is false. An empty text is mostly the same as none for Heat's clients."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.passes.expressions.choices import each_outcome
from bpconvert.translators.support.findings import Reports

#: type of a property -> its empty value
_EMPTY: Final[dict[str, Callable[[], Value]]] = {"boolean": bool, "list": list}
#: texts of which an empty one is not the same as none (heat: neutron/subnet.py, ``_normalize_gateway_ip``)
_TEXTS: Final = frozenset({"gateway_ip"})


def filled(heat_type_name: str, properties: Value, path: Path, findings: Reports) -> Value:
    """``properties`` (at ``path``) of a resource with what Heat makes of those that are null, or null in a case of a
    choice; BPC509 reports each."""
    schema = heat_type(heat_type_name)
    if schema is None or not isinstance(properties, dict):
        return properties
    result: dict[Any, Value] = {}
    for name, value in properties.items():
        row = schema["properties"].get(name, {})
        empty = str if name in _TEXTS else _EMPTY.get(row.get("type", ""))
        default = row.get("default")
        if default is not None:  # what is null as a whole is written as the default where it has to be
            empty = partial(deepcopy, default) if isinstance(value, ex.If) and default != "" else None
        if empty is None or row.get("required"):
            result[name] = value
            continue
        result[name] = each_outcome(value, partial(_instead_of_null, empty))
        if result[name] is not value:
            findings.report("BPC509", (*path, name), value=empty())
    return result


def _instead_of_null(empty: Callable[[], Value], value: Value) -> Value:
    return empty() if value is None else value
