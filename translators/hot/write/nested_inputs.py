"""Nested templates in HOT: what the converted file asks for beyond what its source did."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.draft import Draft


def hand_on(context: Context, draft: Draft) -> None:
    """Ask for the values that the nested template needs and nothing gives it. The same secret is asked for once."""
    nested = draft.node.nested
    if nested is None:
        return
    for name, data in nested.needed.items():
        key = (str(name) if data.get("hidden") else f"{draft.name} {name}", repr(data))
        known = context.added.handed_on.get(key)
        if known is None:
            secret = data.get("hidden") and context.added.parameters.get(name) == data
            wanted = name if data.get("hidden") else f"{draft.name}_{name}"
            known = context.added.handed_on[key] = name if secret else context.added.parameter(wanted, dict(data))
        draft.properties[name] = ex.Input(known)
        context.reporter.report("BPC766", draft.node.path, file=nested.file, name=name, input=known)
