"""Do literals fit the properties of Heat's resource types? Both ways: in the template that is read, and in the one that
is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value, is_constant
from bpconvert.models.topology import Input
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.catalogue.schemas.constraints import is_local
from bpconvert.translators.catalogue.schemas.values import check_value, text_of

if TYPE_CHECKING:
    from bpconvert.translators.hot.write.context import Context
    from bpconvert.translators.hot.write.resources import Draft

#: what is reported of a value; what is missing or unknown, the conversion reports itself
_OF_VALUES: Final = ("BPC171", "BPC172")
#: type of a property -> of the parameter that asks for it
_PARAMETERS: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


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


def fit_result(context: Context, drafts: Iterable[Draft]) -> None:
    """Ask for the literals that Heat refuses in the resources of a template that is written."""
    for draft in drafts:
        schema = None if draft.stand_in or draft.external_id is not MISSING else heat_type(draft.type)
        if schema is None or schema.get("any_property"):
            continue
        places = {target: source for source, target in draft.moves}
        for name, value in draft.properties.items():
            known = schema["properties"].get(name)
            refused = [] if known is None else [f for f in check_value(value, known, draft.place(name), name) if f.sure]
            if not refused:
                continue
            path = refused[0].path
            source = next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), draft.node.path)
            words = {"name": draft.name, "problem": text_of(refused[0])}
            data = {"type": _PARAMETERS.get(known["type"], "json"), "description": f"{name} of {draft.name}"}
            rules = [_ordered(rule) for rule in known.get("constraints", ()) if is_local(rule)]
            parameter = context.add_parameter(f"{draft.name}_{name}", {**data, "constraints": rules} if rules else data)
            context.reporter.report("BPC786", source, parameter=parameter, **words)
            draft.properties[name] = ex.Input(parameter, path=source)


def _ordered(rule: dict[str, Any]) -> dict[str, Any]:
    """A constraint with its lower bound first."""
    return {
        kind: dict(sorted(said.items(), reverse=True)) if isinstance(said, dict) else said
        for kind, said in rule.items()
    }
