"""Do the values of the written nodes fit their types? What the parser would refuse is converted where the same value
can be written, and reported where not (``dsl_parser.utils.parse_value``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from bpconvert.models.checks import describe
from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import is_primitive, takes
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter

#: libraries by what the names of their types begin with; the first one that has a type counts. Those of plugin 2.x get
#: their shape later
_LIBRARIES: Final = (
    (("cloudify.nodes.openstack.", "cloudify.types.openstack."), "openstack"),
    (("cloudify.nodes.", "cloudify.datatypes."), "core"),
    (("cloudify.",), "utilities"),
)
Row = dict[str, Any]


def fit(context: Context, rewriter: DslRewriter, drafts: Iterable[NodeDraft]) -> None:
    """Convert and check the properties of the nodes whose types are known. A value that does not fit is asked for."""
    for draft in drafts:
        rows = _properties("node_types", draft.type)
        if not rows:
            continue
        for misfit in list(_fitted(draft.properties, rows, ("properties",))):
            path = misfit.path
            source = draft.source(path)
            if misfit.made is not None:
                context.reporter.report("BPC509", source, value=misfit.made)
                misfit.holder[path[-1]] = misfit.made
            elif misfit.holder is not None:
                reason = f"Cloudify refuses it: {misfit.problem}"
                misfit.holder[path[-1]] = rewriter.replacement(misfit.holder[path[-1]], source, reason)
            else:
                context.reporter.report("BPC782", source, name=draft.name, problem=misfit.problem)


class _Misfit(NamedTuple):
    """What does not fit. ``holder``: the map that it is in (None: there is nothing to exchange); ``made``: the same
    value in a type that fits."""

    path: Path
    problem: str
    holder: Any = None
    made: Any = None


def _fitted(values: dict[str, Any], rows: dict[str, Row], path: Path) -> Iterator[_Misfit]:
    """What does not fit in a map of properties at ``path``."""
    for name, value in values.items():
        row = rows.get(name)
        place = (*path, name)
        if row is None:
            yield _Misfit(place, f"there is no property '{name}'")
            continue
        kind = row.get("type")
        if kind is None or value is None or isinstance(value, Expr):
            continue
        if not is_primitive(kind):
            yield from _nested(values, kind, place)
        elif not takes(kind, value):
            converted = _CONVERT[kind](value) if kind in _CONVERT else value
            problem = f"'{name}' must be of type {kind}, not {describe(value)}"
            yield _Misfit(place, problem, values, converted if takes(kind, converted) else None)
    if not values.get("use_external_resource"):
        for name, row in rows.items():
            if row.get("required") is not False and "default" not in row and name not in values and _is_needed(row):
                yield _Misfit(path, f"the required property '{name}' is missing")


def _nested(holder: dict[str, Any], kind: str, path: Path) -> Iterator[_Misfit]:
    value, rows = holder[path[-1]], _properties("data_types", kind)
    if rows and isinstance(value, dict):
        yield from _fitted(value, rows, path)
    elif rows:
        yield _Misfit(path, f"'{path[-1]}' must be a map, not {describe(value)}", holder)


def _is_needed(row: Row) -> bool:
    """False for a property of a data type that needs nothing itself: the parser completes it."""
    kind = row.get("type")
    if kind is None or is_primitive(kind):
        return True
    return any(
        inner.get("required") is not False and "default" not in inner and _is_needed(inner)
        for inner in _properties("data_types", kind).values()
    )


def has_default_name(node_type: str) -> bool:
    """True for a type of which the plugin makes a name up where the settings have an empty one: one that is not there
    stays so (openstack_plugin/utils.py, get_resource_name)."""
    kind = _properties("node_types", node_type).get("resource_config", {}).get("type")
    return kind is not None and _properties("data_types", kind).get("name", {}).get("default") == ""


@lru_cache(maxsize=128)
def _properties(section: str, name: str) -> dict[str, Row]:
    """The properties of a type and its parents; {} where one of them is not known."""
    library = next((library for starts, library in _LIBRARIES if name.startswith(starts)), "")
    row = schemas.library(library).get(section, {}).get(name) if library else None
    if row is None:
        return {}
    own: dict[str, Row] = row.get("properties", {})
    parent = row.get("derived_from")
    return {**_properties(section, parent), **own} if parent else own


# -- the same value in another type -------------------------------------------------------------------------


def _integer(value: Any) -> Any:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return value
    return value if isinstance(value, bool) or (isinstance(value, float) and number != value) else number


def _float(value: Any) -> Any:
    try:
        return value if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return value


def boolean(value: Any) -> Any:
    """``value``, or the boolean that a text says."""
    return {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value


_CONVERT: Final[dict[str, Callable[[Any], Any]]] = {"integer": _integer, "float": _float, "boolean": boolean}


def typed(kind: str | None, value: Value) -> Value:
    """A literal as the plugin's schema wants it; Heat coerces the same texts (heat/engine/properties.py)."""
    if kind == "string":
        return str(value) if isinstance(value, (bool, int)) else value
    convert = _LENIENT.get(kind or "")
    if convert is None or isinstance(value, (Expr, dict, list, bool)):
        return value
    try:
        return convert(value)
    except (TypeError, ValueError, OverflowError):
        return value


_LENIENT: Final[dict[str, Callable[[Any], Any]]] = {"integer": int, "boolean": boolean}
