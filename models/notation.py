"""Values as plain data without a language: what is kept of them where a document has no words for them.

A map with the only key ``$Join`` is an expression of that class, its value has the fields; ``$$x`` stands for the key
``$x``. Nothing else is changed, so the data of a value without expressions is the value."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import NO_DEFAULT, rows

_MARK: Final = "$"
#: how the types of fields begin -> what they are as data, where that is no expression
_DATA: Final = {"int": int, "bool": bool, "str": str, "tuple": list}
#: what the engines know of a deployment
FACTS: Final = (
    *(f"deployment.{fact}" for fact in ("name", "id", "blueprint", "owner")),
    *("tenant.name", "project.id", "region"),
)
#: what a field may have, where not everything of its type
_CHOICES: Final[dict[tuple[str, str], Collection[Any]]] = {
    ("Replace", "strictness"): range(3),
    ("System", "name"): FACTS,
    ("Consumers", "what"): ("ids", "names", "count"),
    ("Capability", "scope"): ("deployment", "group", "environment"),
}
_ABSENT: Final[dict[str, Any]] = {"$MISSING": {}}


def to_data(value: Value) -> Any:
    """``value`` as data that JSON can write."""
    if value is MISSING:
        return _ABSENT
    if type(value) in ex.SCALARS:
        return value
    if isinstance(value, Expr):
        fields = {name: getattr(value, name) for name in ex.field_names(type(value))}
        return {_MARK + type(value).__name__: {name: to_data(part) for name, part in fields.items()}}
    if isinstance(value, dict):
        return {_marked(key): to_data(part) for key, part in value.items()}
    return [to_data(part) for part in value] if isinstance(value, (list, tuple)) else value


def _marked(key: Any) -> Any:
    return _MARK + key if isinstance(key, str) and key.startswith(_MARK) else key


def from_data(data: Any, path: Path) -> Value:
    """The value that ``data`` is of; its expressions are at ``path``. Raises ValueError where it is of none."""
    if isinstance(data, dict):
        if len(data) == 1:
            ((key, content),) = data.items()
            if isinstance(key, str) and key.startswith(_MARK) and not key.startswith(_MARK * 2):
                return _expression(key[1:], content, path)
        return {
            key[1:] if isinstance(key, str) and key.startswith(_MARK) else key: from_data(part, path)
            for key, part in data.items()
        }
    return [from_data(part, path) for part in data] if isinstance(data, list) else data


def _expression(name: str, content: Any, path: Path) -> Value:
    if name == "MISSING":
        return MISSING
    kind = getattr(ex, name, None)
    if not isinstance(kind, type) or not issubclass(kind, Expr) or kind is Expr or not isinstance(content, dict):
        raise ValueError(f"'{name}' is no function")
    fields_known = {field.name: field for field in rows(kind) if field.name != "path"}
    needed = {
        n for n, field in fields_known.items() if field.default is NO_DEFAULT and field.default_factory is NO_DEFAULT
    }
    if not needed <= content.keys() <= fields_known.keys():
        raise ValueError(f"'{name}' does not have these arguments")
    values = {field: from_data(part, path) for field, part in content.items()}
    for field, part in values.items():
        plain, choices = _DATA.get(str(fields_known[field].type).partition("[")[0]), _CHOICES.get((name, field))
        if (plain is not None and type(part) is not plain) or (choices is not None and part not in choices):
            raise ValueError(f"'{field}' of '{name}' cannot be that")
    tuples = {field for field in values if "tuple" in str(fields_known[field].type)}
    values |= {field: tuple(values[field]) for field in tuples if isinstance(values[field], list)}
    return kind(**values, path=path)
