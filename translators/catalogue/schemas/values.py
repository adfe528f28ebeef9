"""Values against Heat's property schemas, coerced as the engine does (``heat/engine/properties.py``).

What an expression yields is known when deploying only; the parts of a value around it are looked at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.checks import describe
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.catalogue.schemas.constraints import broken
from bpconvert.translators.support.constraints import to_number

#: what null becomes where there is no default
_EMPTY: Final[dict[str, Any]] = {"string": "", "integer": 0, "number": 0, "boolean": False, "map": {}, "list": []}
_WORDS: Final = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
                 "map": "a map", "list": "a list"}  # fmt: skip


class Misfit(NamedTuple):
    """What Heat refuses. ``words`` fill the message of ``code``; ``sure``: False where it depends on a parameter or a
    condition."""

    code: str
    path: Path
    words: dict[str, Any]
    sure: bool = True


def check_properties(
    values: dict[str, Value], schemas: dict[str, dict[str, Any]], path: Path, owner: str, replaced: Collection[str] = ()
) -> Iterator[Misfit]:
    """What Heat refuses in a map of properties at ``path``: unknown names, values, and what is missing.

    ``replaced``: properties that an older one gives (``replaced_by`` of the schema)."""
    for name, value in values.items():
        schema = schemas.get(name) if isinstance(name, str) else None
        if schema is None:
            from bpconvert.diagnostics.suggest import guess

            yield Misfit("BPC170", (*path, name), {"owner": owner, "name": name, "guess": guess(name, schemas)})
        elif schema.get("unimplemented"):
            yield Misfit("BPC183", (*path, name), {"owner": owner, "name": name})
        else:
            yield from check_value(value, schema, (*path, name), name)
    for name, schema in schemas.items():
        if schema.get("required") and name not in values and name not in replaced and "default" not in schema:
            yield Misfit("BPC173", path, {"owner": owner, "name": name})


def check_value(value: Value, schema: dict[str, Any], path: Path, name: str) -> Iterator[Misfit]:
    """What Heat refuses in the value of property ``name`` at ``path``."""
    if isinstance(value, Expr):
        yield from _expression(value, schema, path, name)
        return
    kind = schema["type"]
    if kind == "any":
        return
    if value is None:
        value = schema.get("default") or _EMPTY[kind]
    try:
        coerced = _COERCE[kind](value)
    except (TypeError, ValueError, OverflowError):
        if not (schema.get("allow_conversion") and isinstance(value, (str, list))):
            yield Misfit("BPC171", path, {"name": name, "wanted": _WORDS[kind], "found": describe(value)})
        return
    if kind == "map" and "keys" in schema:
        yield from check_properties(coerced, schema["keys"], path, f"'{name}'")
    elif kind == "list" and "items" in schema:
        for index, item in enumerate(coerced):
            yield from check_value(item, schema["items"], (*path, index), name)
    yield from _constraints(coerced, schema, path, name)


def as_read(value: Value, schema: dict[str, Any]) -> Value:
    """A value as Heat reads it (``Property.get_value`` of heat/engine/properties.py), as far as it is a literal: null
    is the default or empty, a number or boolean is a text where a text is wanted."""
    kind = schema["type"]
    if isinstance(value, Expr) or kind == "any":
        return value
    if value is None:
        return schema.get("default") or _EMPTY[kind]
    if kind == "map" and "keys" in schema and isinstance(value, dict):
        keys = schema["keys"]
        return {name: as_read(part, keys[name]) if name in keys else part for name, part in value.items()}
    if kind == "list" and "items" in schema and isinstance(value, (list, tuple)):
        return [as_read(item, schema["items"]) for item in value]
    return str(value) if kind == "string" and isinstance(value, (bool, int)) else value


def _constraints(value: Any, schema: dict[str, Any], path: Path, name: str) -> Iterator[Misfit]:
    rules = schema.get("constraints", ())
    if not rules or (isinstance(value, list) and any(isinstance(item, Expr) for item in value)):
        return
    for rule in rules:
        try:
            problem = broken(rule, value, schema["type"])
        except (TypeError, ValueError):  # of an item, which has been reported
            continue
        if problem is not None:
            yield Misfit("BPC172", path, {"name": name, "problem": problem})
            return


def _expression(value: Expr, schema: dict[str, Any], path: Path, name: str) -> Iterator[Misfit]:
    if isinstance(value, ex.If):
        for branch in (value.then, value.otherwise):
            if branch is not MISSING:
                yield from (misfit._replace(sure=False) for misfit in check_value(branch, schema, path, name))
    elif isinstance(value, ex.Attribute):  # null when Heat validates
        for key in (key for key, inner in schema.get("keys", {}).items() if inner.get("required")):
            yield Misfit("BPC173", path, {"owner": f"'{name}'", "name": key})
    elif value.YIELDS == "text" and schema["type"] in ("map", "list") and not schema.get("allow_conversion"):
        yield Misfit("BPC171", path, {"name": name, "wanted": _WORDS[schema["type"]], "found": "a text"})


def text_of(misfit: Misfit) -> str:
    """A misfit in words."""
    from bpconvert.diagnostics.codes import CODES

    return CODES[misfit.code].texts(misfit.words)[0]


def _boolean(value: Any) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise TypeError
    return value


def _only(*types: type) -> Callable[[Any], Any]:
    def checked(value: Any) -> Any:
        if not isinstance(value, types):
            raise TypeError
        return value

    return checked


_COERCE: Final[dict[str, Callable[[Any], Any]]] = {
    "string": lambda value: str(_only(str, bool, int)(value)),
    "integer": int,
    "number": to_number,
    "boolean": _boolean,
    "map": _only(dict),
    "list": lambda value: list(_only(list, tuple)(value)),
}
