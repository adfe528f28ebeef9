"""Values against the types of properties: Simple Profile 1.3, 3.3 and 3.6.

Refused is what no engine takes: tosca-parser makes numbers and booleans of texts and texts of anything, so only what
cannot be made one is an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.checks import describe
from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.patterns import TooLongError, matches_whole
from bpconvert.translators.tosca.coded import LIST
from bpconvert.translators.tosca.read.types import DATA, Types


class Mistake(NamedTuple):
    """A value that is refused: a code at a place below the value, and what it says."""

    code: str
    path: Path
    texts: Mapping[str, Any]


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and bool(re.fullmatch(r"\s*[-+]?\d+\s*", value)))


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _with_unit(units: str) -> Callable[[Any], bool]:
    pattern = re.compile(rf"\s*-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*({units})\s*", re.IGNORECASE)
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


_BOOLEANS: Final = ("true", "false", "yes", "no", "on", "off")
_VERSION: Final = re.compile(r"\d+(\.\d+)*([.-][\w-]+)*")
#: type -> whether a value is one, and what it is called
PRIMITIVES: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "string": (lambda value: not isinstance(value, (list, dict)), "a text"),
    "integer": (_is_whole, "a whole number"),
    "float": (_is_number, "a number"),
    "number": (_is_number, "a number"),
    "boolean": (lambda value: isinstance(value, bool) or str(value).lower() in _BOOLEANS, "true or false"),
    "timestamp": (lambda value: not isinstance(value, (list, dict, bool, int)), "a time"),
    "version": (
        lambda value: not isinstance(value, (list, dict, bool)) and bool(_VERSION.fullmatch(str(value))), "a version",
    ),
    "range": (lambda value: isinstance(value, list) and len(value) == 2, "a list of two limits"),
    "list": (lambda value: isinstance(value, list), "a list"),
    "map": (lambda value: isinstance(value, dict), "a map"),
    "scalar-unit.size": (_with_unit("B|[kMGT]i?B"), "a size such as '4 GB'"),
    "scalar-unit.time": (_with_unit("d|h|m|s|ms|us|ns"), "a time such as '5 m'"),
    "scalar-unit.frequency": (_with_unit("[kMG]?Hz"), "a frequency such as '2.4 GHz'"),
    "scalar-unit.bitrate": (_with_unit("[KMGT]?i?bps"), "a rate such as '10 Mbps'"),
}  # fmt: skip


class Values:
    """Checks values. ``types``: those of the document."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def check(self, name: str, value: Value, row: Mapping[str, Any]) -> Iterator[Mistake]:
        """What is wrong with the value of the property ``name`` that is defined by ``row``. What is computed is not
        looked at; null is absent."""
        if isinstance(value, Expr) or value is None:
            return
        kind = row.get("type")
        primitive = self._primitive(kind) if isinstance(kind, str) else None
        if primitive is not None:
            fits, wanted = PRIMITIVES[primitive]
            if not fits(value):
                yield Mistake("BPC171", (), {"name": name, "wanted": wanted, "found": describe(value)})
                return
            yield from self._entries(name, value, row.get("entry_schema"))
        elif isinstance(kind, str):
            yield from self.record(name, kind, value)
        own = self.types.ancestry(DATA, kind) if isinstance(kind, str) and kind not in PRIMITIVES else []
        rows = [row, *((self.types.definition(DATA, type_name) or {}) for type_name in own)]
        for problem in (text for definition in rows for text in broken(value, definition.get("constraints"))):
            yield Mistake("BPC172", (), {"name": name, "problem": problem})

    def _entries(self, name: str, value: Value, schema: Any) -> Iterator[Mistake]:
        row = {"type": schema} if isinstance(schema, str) else schema
        if not isinstance(row, dict) or not isinstance(value, (list, dict)):
            return
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            for mistake in self.check(f"{name}.{step}", item, row):
                yield mistake._replace(path=(step, *mistake.path))

    def _primitive(self, kind: str) -> str | None:
        """The primitive that a type is, or is derived from."""
        if kind in PRIMITIVES:
            return kind
        return next((ancestor for ancestor in self.types.ancestry(DATA, kind) if ancestor in PRIMITIVES), None)

    def record(self, name: str, kind: str, value: Value) -> Iterator[Mistake]:
        """What is wrong with a value of a data type with properties."""
        full = self.types.normal(DATA, kind)
        if not self.types.is_known(DATA, full):
            return
        rows = self.types.properties(DATA, full)
        if isinstance(value, list) and LIST in self.types.ancestry(DATA, full):  # the reader has put it together
            value = {str(number): item for number, item in enumerate(value)}
        if not isinstance(value, dict):
            if rows:
                yield Mistake("BPC171", (), {"name": name, "wanted": f"a map of {full}", "found": describe(value)})
            return
        yield from self.properties(full, value, {key: row for key, (row, _) in rows.items()})

    def properties(self, owner: str, values: Mapping[Any, Value], rows: Mapping[str, Any]) -> Iterator[Mistake]:
        """What is wrong with a map of values of the properties that ``rows`` define."""
        if self.types.is_partial(owner):
            return
        for key, value in values.items():
            row = rows.get(key)
            if row is None and rows:
                yield Mistake("BPC170", (key,), {"owner": owner, "name": key, "guess": guess(str(key), rows)})
            elif row is not None:
                for mistake in self.check(str(key), value, row):
                    yield mistake._replace(path=(key, *mistake.path))
        for key, row in rows.items():
            if key not in values and row.get("required", True) is not False and "default" not in row:
                yield Mistake("BPC173", (), {"owner": owner, "name": key})


def _matches(pattern: str, value: str) -> bool:
    try:
        return matches_whole(pattern, value)
    except TooLongError:  # engines may not end either
        return True


#: constraint -> whether a value meets it, and how it is called; of what cannot be compared nothing is known
_CONSTRAINTS: Final[dict[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "equal": (lambda value, limit: value == limit, "must be {}"),
    "greater_than": (lambda value, limit: value > limit, "must be greater than {}"),
    "greater_or_equal": (lambda value, limit: value >= limit, "must be at least {}"),
    "less_than": (lambda value, limit: value < limit, "must be less than {}"),
    "less_or_equal": (lambda value, limit: value <= limit, "must be at most {}"),
    "in_range": (
        lambda value, limit: (
            (limit[0] == "UNBOUNDED" or value >= limit[0]) and (limit[1] == "UNBOUNDED" or value <= limit[1])
        ),
        "must be in the range {}",
    ),
    "valid_values": (
        lambda value, limit: all(item in limit for item in (value if isinstance(value, list) else [value])),
        "must be one of {}",
    ),
    "length": (lambda value, limit: len(value) == limit, "must have the length {}"),
    "min_length": (lambda value, limit: len(value) >= limit, "must be at least {} long"),
    "max_length": (lambda value, limit: len(value) <= limit, "must be at most {} long"),
    "pattern": (lambda value, limit: _matches(limit, value), "must match {}"),
}


def broken(value: Value, rows: Any) -> Iterator[str]:
    """The constraints that a value breaks, in words."""
    for row in rows if isinstance(rows, list) else ():
        for operator, limit in row.items() if isinstance(row, dict) else ():
            constraint = _CONSTRAINTS.get(operator)
            try:
                if constraint is not None and not constraint[0](value, limit):
                    yield constraint[1].format(limit)
            except (TypeError, ValueError, LookupError, re.error):
                continue
