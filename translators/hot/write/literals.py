"""Do the literals of the written template fit the properties of Heat's resource types?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.catalogue.schemas.constraints import is_local
from bpconvert.translators.catalogue.schemas.values import check_value, text_of
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.draft import Draft

#: type of a property -> of the parameter that asks for it
_PARAMETERS: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


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
            whole = {**data, "constraints": rules} if rules else data
            parameter = context.added.parameter(f"{draft.name}_{name}", whole)
            context.reporter.report("BPC786", source, parameter=parameter, **words)
            draft.properties[name] = ex.Input(parameter, path=source)


def _ordered(rule: dict[str, Any]) -> dict[str, Any]:
    """A constraint with its lower bound first."""
    return {
        kind: dict(sorted(bounds.items(), reverse=True)) if isinstance(bounds, dict) else bounds
        for kind, bounds in rule.items()
    }
