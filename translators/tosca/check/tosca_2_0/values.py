"""Values against their data types (TOSCA 2.0, chapter 9). No value is made one of another type, but a whole number is
a float where one is wanted (9.1.1.3)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.tosca.check.tosca_2_0.forms import is_call, is_version
from bpconvert.translators.tosca.check.tosca_2_0.functions import holds
from bpconvert.translators.tosca.check.tosca_2_0.types import Types, clauses, is_needed
from bpconvert.translators.tosca.functions_2_0 import PREFIX
from bpconvert.yamlio.scalars import resolve_core

_TIME: Final = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
    r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"
)
_LARGEST: Final = 2**63


class Mistake(NamedTuple):
    """What is wrong with a value: a code at a place below the value, and the texts of its message."""

    code: str
    path: Path
    texts: Mapping[str, Any]


def _is_bytes(value: Any) -> bool:
    try:
        return isinstance(value, str) and base64.b64decode("".join(value.split()), validate=True) is not None
    except (binascii.Error, ValueError):
        return False


def is_integer(value: Any) -> bool:
    """True for a whole number of 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST


def is_number(value: Any) -> bool:
    """True for a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


#: built-in type -> whether a value is of it, and what it is called
_BUILT_IN: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "string": (lambda value: isinstance(value, str), "a text"),
    "integer": (is_integer, "a whole number of 64 bits"),
    "float": (is_number, "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "bytes": (_is_bytes, "a text in Base64"),
    "nil": (lambda value: value is None, "null"),
    "timestamp": (
        lambda value: isinstance(value, str) and bool(_TIME.fullmatch(value)),
        "a time as RFC 3339 has it, such as '2025-01-31T12:00:00Z'",
    ),
    "version": (is_version, "a version, as a text"),
    "list": (lambda value: isinstance(value, list), "a list"),
    "map": (lambda value: isinstance(value, dict), "a map"),
}


class Scalar(NamedTuple):
    """A scalar type: the type of its number, and how many of the canonical unit each unit is."""

    data_type: str
    units: Mapping[str, float]


class Values:
    """Checks values. ``spelled``: (path) -> how the plain scalar there is written, "" for anything else."""

    def __init__(self, types: Types, spelled: Callable[[Path], str]) -> None:
        self.types = types
        self.spelled = spelled

    def check(self, name: str, value: Any, row: Mapping[Any, Any], at: Path) -> Iterator[Mistake]:
        """What is wrong with the value of ``name`` that ``row`` defines, which stands ``at`` a place of the file. What
        a call yields is not known."""
        if is_call(value):
            return
        kind = row.get("type")
        base = self.types.base(kind)
        if base == "scalar":
            yield from self._scalar(name, value, kind)
        elif base:
            fits, wanted = _BUILT_IN[base]
            misspelled = base == "boolean" and self.spelled(at) not in ("", "true", "false")
            if not fits(value) or misspelled:
                description = f"'{self.spelled(at)}'" if misspelled else describe(value)
                yield Mistake("BPC171", (), {"name": name, "wanted": wanted, "found": description})
                return
            if base in ("list", "map"):
                yield from self._entries(name, value, row, at)
        elif self.types.get("data_types", kind) is not None and self.types.is_known("data_types", kind):
            yield from self._record(name, value, kind, at)
        yield from self.broken(name, value, row)

    def broken(self, name: str, value: Any, row: Mapping[Any, Any]) -> Iterator[Mistake]:
        """The conditions of a definition and of its type that do not hold for a value."""
        kind = row.get("type")
        rows = [
            self.types.get("data_types", ancestor) or {}
            for ancestor in reversed(self.types.ancestry("data_types", kind))
        ]
        for clause in [clause for definition in (*rows, row) for clause in clauses(definition)]:
            if holds(clause, value, self.comparable(kind)) is False:
                yield Mistake("BPC924", (), {"name": name, "clause": _shown(clause)})

    def comparable(self, kind: Any) -> Callable[[Any], Any]:
        """What makes of a value of a type what compares as the value does: the number of canonical units."""
        if self.types.base(kind) != "scalar":
            return lambda value: value

        def convert(value: Any) -> Any:
            parts = split_scalar(value)
            units = self.scalar(kind).units
            return parts[0] * units[parts[1]] if parts and parts[1] in units else value

        return convert

    def _entries(self, name: str, value: Any, row: Mapping[Any, Any], at: Path) -> Iterator[Mistake]:
        schemas = self.types.collection(row)
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(value, dict):
                key = step[1:] if isinstance(step, str) and step.startswith(PREFIX * 2) else step
                wanted = schemas.get("key_schema", {"type": "string"})
                for mistake in self.check(f"key {step} of {name}", key, wanted, ()):
                    yield mistake._replace(path=(step, *mistake.path))
            for mistake in self.check(f"{name}.{step}", item, schemas.get("entry_schema", {}), (*at, step)):
                yield mistake._replace(path=(step, *mistake.path))

    def _record(self, name: str, value: Any, kind: Any, at: Path) -> Iterator[Mistake]:
        if not isinstance(value, dict):
            yield Mistake("BPC171", (), {"name": name, "wanted": f"a map of {kind}", "found": describe(value)})
            return
        yield from self.assigned(kind, value, self.types.rows("data_types", kind, "properties"), at)

    def assigned(
        self, owner: str, values: Mapping[Any, Any], rows: Mapping[str, Any], at: Path, needed: bool = True
    ) -> Iterator[Mistake]:
        """What is wrong with values of properties that ``rows`` define: also which are ``needed``."""
        for key, value in values.items():
            row = rows.get(key)
            if row is None:
                if self.types.complete:
                    yield Mistake("BPC170", (key,), {"owner": owner, "name": key, "guess": guess(str(key), rows)})
            elif "value" in row:
                yield Mistake("BPC923", (key,), {"name": key, "owner": owner})
            else:
                for mistake in self.check(str(key), value, row, (*at, key)):
                    yield mistake._replace(path=(key, *mistake.path))
        for key, row in rows.items():
            if needed and key not in values and is_needed(row):
                yield Mistake("BPC173", (), {"owner": owner, "name": key})

    # -- scalars ----------------------------------------------------------------------------------------------

    def scalar(self, kind: Any) -> Scalar:
        """A scalar type with all its units (9.1.2.2)."""
        units: dict[str, float] = {}
        prefixes: dict[str, float] = {}
        for ancestor in reversed(self.types.ancestry("data_types", kind)):
            row = self.types.get("data_types", ancestor) or {}
            for table, key in ((units, "units"), (prefixes, "prefixes")):
                numbers = row.get(key)
                if isinstance(numbers, dict):
                    table.update({str(k): v for k, v in numbers.items() if is_number(v)})
        number_type = self.types.value("data_types", kind, "data_type")
        factors = {pre + unit: p * u for pre, p in (prefixes or {"": 1}).items() for unit, u in units.items()}
        return Scalar(number_type if isinstance(number_type, str) else "float", factors)

    def _scalar(self, name: str, value: Any, kind: Any) -> Iterator[Mistake]:
        parts = split_scalar(value)
        scalar = self.scalar(kind)
        if parts is None:
            wanted = f"a number, a space and a unit ({', '.join(list(scalar.units)[:6])})"
            yield Mistake("BPC171", (), {"name": name, "wanted": wanted, "found": describe(value)})
        elif parts[1] not in scalar.units:
            problem = f"has no unit '{parts[1]}'{guess(parts[1], scalar.units)}"
            yield Mistake("BPC925", (), {"name": name, "kind": kind, "problem": problem})
        else:
            yield from self.check(name, parts[0], {"type": scalar.data_type}, ())


def split_scalar(value: Any) -> tuple[float, str] | None:
    """The number and the unit of a scalar; None for what is none: both are there, with a space between them."""
    if not isinstance(value, str):
        return None
    number, _, unit = value.strip().partition(" ")
    amount = resolve_core(number)
    return (amount, unit.strip()) if unit.strip() and is_number(amount) else None


def _shown(clause: Any) -> str:
    """A condition as it is written, in one line."""
    if isinstance(clause, dict):
        return "{" + ", ".join(f"{key}: {_shown(value)}" for key, value in clause.items()) + "}"
    if isinstance(clause, list):
        return "[" + ", ".join(map(_shown, clause)) + "]"
    return str(clause).lower() if isinstance(clause, bool) else "null" if clause is None else str(clause)
