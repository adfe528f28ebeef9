"""Do the literals of a template fit the properties of Heat's resource types?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value, is_constant
from bpconvert.models.topology import Input
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.catalogue.schemas.values import check_value, text_of

#: what is reported of a value; what is missing or unknown, the conversion reports itself
_OF_VALUES: Final = ("BPC171", "BPC172")


def report_source(
    heat_type_name: str, properties: Value, path: Path, inputs: Mapping[str, Input], reporter: Reporter
) -> None:
    """Report the literals, and the defaults of parameters, that Heat refuses in a resource of a template."""
    schema = heat_type(heat_type_name)
    if schema is None or not isinstance(properties, dict):
        return
    for name, value in properties.items():
        known = schema["properties"].get(name)
        if known is None:
            continue
        place = (*path, name)
        for found in check_value(value, known, place, name):
            if found.code in _OF_VALUES and found.sure:
                reporter.report("BPC780", found.path, problem=text_of(found))
        if not is_constant(value):
            _report_defaults(value, known, place, inputs, reporter)


def _report_defaults(
    value: Value, schema: dict[str, Any], path: Path, inputs: Mapping[str, Input], reporter: Reporter
) -> None:
    """The same for parameters that are the whole value, or an item or entry of it."""
    if isinstance(value, ex.Input):
        declared = inputs.get(value.name) if isinstance(value.name, str) and not value.keys else None
        if declared is not None and declared.default is not MISSING:
            for found in check_value(declared.default, schema, path, str(path[-1])):
                if found.code in _OF_VALUES:
                    words = {"name": value.name, "problem": text_of(found)}
                    reporter.report("BPC781", value.path or path, **words)
    elif isinstance(value, dict):
        for name, inner in schema.get("keys", {}).items():
            if name in value:
                _report_defaults(value[name], inner, (*path, name), inputs, reporter)
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            _report_defaults(item, schema["items"], (*path, index), inputs, reporter)
