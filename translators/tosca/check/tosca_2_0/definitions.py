"""Definitions of properties, attributes, parameters and schemas, and what a refinement of one may change (TOSCA 2.0,
9.3 to 9.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.forms import Report, is_call
from bpconvert.translators.tosca.check.tosca_2_0.functions import COMPARED, Calls, name_of
from bpconvert.translators.tosca.check.tosca_2_0.grammar import BUILT_IN, FORMER_TYPES, TYPES
from bpconvert.translators.tosca.check.tosca_2_0.types import Types, definition, refined, schema
from bpconvert.translators.tosca.check.tosca_2_0.values import Values

#: how a condition calls the value that it is about
_VALUE: Final[tuple[Any, ...]] = ("$value", {"$value": []})


class Rules(NamedTuple):
    """What definitions of a kind may be. ``typed``: a new one needs a type; ``new``: there can be new ones, else the
    text says of what they are; ``short``: a new one may be a value alone."""

    noun: str
    typed: bool = True
    new: str = ""
    short: bool = False


PROPERTIES: Final = Rules("property")
ATTRIBUTES: Final = Rules("attribute")
PARAMETERS: Final = Rules("parameter", typed=False, short=True)


class Checker:
    """What all checks share: the types, the values, and where findings go."""

    def __init__(self, types: Types, values: Values, calls: Calls, report: Report) -> None:
        self.types = types
        self.values = values
        self.calls = calls
        self.report = report

    def problem(self, path: Path, problem: str, code: str = "BPC907") -> None:
        """Report that a rule is broken: one of the grammar, or that which ``code`` is about."""
        self.report(code, path, problem=problem)

    def lacking(self, path: Path, what: str, name: str) -> None:
        """Report a key that is not there."""
        self.report("BPC901", path, what=what, name=name)

    def unknown(self, what: str, name: Any, names: Collection[Any], path: Path) -> None:
        """Report a name that is none of ``names``."""
        self.report("BPC933", path, what=what, name=name, guess=guess(str(name), names))

    def value(self, name: Any, value: Any, row: Mapping[Any, Any], path: Path) -> None:
        """Check the value at ``path`` of what ``row`` defines."""
        self.report_mistakes(self.values.check(str(name), value, row, path), path)

    def exists(self, section: str, name: Any, path: Path) -> bool:
        """Report a type that does not exist; False for one."""
        if section == "data_types" and name in FORMER_TYPES and self.types.get(section, name) is None:
            self.problem(path, f"'{name}' is no type of 2.0, and nothing defines it", "BPC940")
            return True
        if self.types.exists(section, name):
            return True
        names = [*entries(self.types.data, section), *(BUILT_IN if section == "data_types" else ())]
        self.report("BPC910", path, kind=TYPES[section], name=name, guess=guess(str(name), names))
        return False

    def derived(self, section: str, name: Any, other: Any, path: Path) -> None:
        """Report a type that is neither ``other`` nor derived from it."""
        if name is not None and other is not None and not self.types.is_of(section, name, other):
            self.report("BPC913", path, problem=f"'{name}' is not derived from '{other}', which it refines")

    def restricted(self, sections: Sequence[str], names: Any, old: Any, path: Path) -> None:
        """Report names of types that do not exist, and those that widen the list that they refine. ``sections``: where
        the types are; what is in none of them is missed in the last one."""
        for index, name in enumerate(items(names)):
            section = next((other for other in sections if self.types.get(other, name) is not None), sections[-1])
            if not isinstance(name, str) or not self.exists(section, name, (*path, index)):
                continue
            if isinstance(old, list) and not any(self.types.is_of(section, name, allowed) for allowed in old):
                shown = ", ".join(map(str, old))
                self.problem((*path, index), f"'{name}' is none of {shown}, nor derived from one", "BPC913")

    # -- definitions ------------------------------------------------------------------------------------------

    def rows(self, definitions: Any, inherited: Mapping[str, Mapping[Any, Any]], path: Path, rules: Rules) -> None:
        """Check the definitions of a map. ``inherited``: those that they refine."""
        if not isinstance(definitions, dict) or is_call(definitions):
            return
        for name, row in definitions.items():
            if isinstance(name, str):
                self.row(name, row, inherited.get(name), (*path, name), rules)

    def row(self, name: str, written: Any, old: Mapping[Any, Any] | None, path: Path, rules: Rules) -> None:
        """Check one definition; ``old``: what it refines."""
        row = definition(written)
        is_short = row is not written
        if old is None:
            if rules.new:
                self.report("BPC913", path, problem=f"{rules.new} has no {rules.noun} '{name}' that could be refined")
                return
            if (rules.typed and "type" not in row) or (is_short and not rules.short):
                self.lacking(path, f"a new {rules.noun}", "type")
        else:
            self._refinement(name, row, old, path, rules)
        inner = path if is_short else (*path, "type")
        kind = row.get("type")
        if isinstance(kind, str) and self.exists("data_types", kind, inner) and kind == "scalar":
            self.report("BPC914", inner, name=name)
        full = refined(old or {}, row)
        if "value" in full and "mapping" in full:
            self.problem((*path, "mapping"), f"'{name}' has either a value or a mapping")
        self.schemas(full, row, path)
        self.clause(row, full.get("type"), path)
        for key in ("default", "value"):
            place = path if is_short else (*path, key)
            if key in row and not (row[key] is None and key == "value" and is_short):
                self.value(name, row[key], full, place)
        if row.get("required") is False and "default" in row:
            self.report("BPC940", (*path, "default"), problem="a default of what is not required is never used")

    def report_mistakes(self, mistakes: Iterable[Any], path: Path) -> None:
        """Report what is wrong with a value."""
        for mistake in mistakes:
            self.report(mistake.code, (*path, *mistake.path), **mistake.texts)

    def _refinement(self, name: str, row: Mapping[Any, Any], old: Mapping[Any, Any], path: Path, rules: Rules) -> None:
        if "value" in old and row and {**old, **row} != dict(old):
            self.report("BPC913", path, problem=f"'{name}' has a fixed value, which cannot be refined")
        if "mapping" in old and "mapping" in row and row["mapping"] != old["mapping"]:
            self.report("BPC913", path, problem=f"'{name}' is mapped already, which cannot be refined")
        if row.get("required") is False and old.get("required", True) is True and rules is not ATTRIBUTES:
            self.problem((*path, "required"), f"'{name}' is required, which cannot be undone", "BPC913")
        self.schema_refinement(row, old, path)

    def schema_refinement(self, row: Mapping[Any, Any], old: Mapping[Any, Any], path: Path) -> None:
        """Check what a schema, or a definition, makes of the types of the one that it refines."""
        self.derived("data_types", row.get("type"), old.get("type"), (*path, "type") if "type" in row else path)
        for key in ("key_schema", "entry_schema"):
            if key in row and old.get(key) is not None:
                self.schema_refinement(schema(row[key]), schema(old[key]), (*path, key))

    # -- schemas and conditions -------------------------------------------------------------------------------

    def schemas(self, full: Mapping[Any, Any], row: Mapping[Any, Any], path: Path) -> None:
        """Check the schemas of a definition: lists and maps have one for entries, maps one for keys, nothing else has
        any. ``full``: with what it inherits; ``row``: as written."""
        kind = full.get("type")
        base = self.types.base(kind) if isinstance(kind, str) else ""
        if base in ("list", "map") and "entry_schema" not in self.types.collection(full):
            self.report("BPC901", path, what=f"a {base}", name="entry_schema")
        for key, fitting in (("entry_schema", ("list", "map")), ("key_schema", ("map",))):
            if key not in row:
                continue
            if isinstance(kind, str) and base not in fitting and self.types.is_known("data_types", kind):
                self.problem((*path, key), f"'{key}' is of {' and '.join(fitting)} only, not of '{kind}'")
            self.schema(row[key], (*path, key), key == "key_schema", full.get(key))

    def schema(self, written: Any, path: Path, of_keys: bool = False, inherited: Any = None) -> None:
        """Check a schema; ``inherited``: with what it refines."""
        row = schema(written)
        if not isinstance(written, (dict, str)):
            return
        kind = row.get("type", schema(inherited).get("type"))
        place = (*path, "type") if isinstance(written, dict) and "type" in written else path
        if kind is None:
            self.report("BPC901", path, what="a schema", name="type")
        elif isinstance(kind, str) and self.exists("data_types", kind, place):
            if kind == "scalar":
                self.report("BPC914", place, name=kind)
            if of_keys and self.types.is_known("data_types", kind) and self.types.base(kind) != "string":
                self.problem(place, f"keys are texts: '{kind}' is not derived from string")
        self.schemas(refined(schema(inherited), row), row, path)
        self.clause(row, kind, path)

    def clause(self, row: Mapping[Any, Any], kind: Any, path: Path) -> None:
        """Check the condition of a definition of a type: what ``$value`` is compared with is of that type as well."""
        clause = row.get("validation")
        place = (*path, "validation")
        self.calls.condition(clause, place)
        if isinstance(kind, str) and self.types.base(kind):
            self._operands(clause, kind, place)

    def _operands(self, clause: Any, kind: str, path: Path) -> None:
        if not isinstance(clause, dict) or not is_call(clause):
            return
        name, operands = name_of(clause)
        place = (*path, next(iter(clause)))
        if not isinstance(operands, list):
            return
        compared: list[tuple[Path, Any]] = []
        if name in ("and", "or", "not", "xor"):
            for index, item in enumerate(operands):
                self._operands(item, kind, (*place, index))
        elif name in COMPARED and len(operands) == 2:
            sides = [(operands[0], operands[1], 1), (operands[1], operands[0], 0)]
            compared = [((i,), item) for other, item, i in sides if other in _VALUE and not is_call(item)]
        elif name == "valid_values" and len(operands) == 2 and operands[0] in _VALUE:
            compared = [((1, index), item) for index, item in enumerate(items(operands[1]))]
        for steps, item in compared:
            row = {"type": _plain(kind, self.types)}
            mistakes = self.values.check("what '$value' is compared with", item, row, ())
            self.report_mistakes(mistakes, (*place, *steps))


def _plain(kind: str, types: Types) -> str:
    """The type whose values a value of ``kind`` compares with: without the conditions of derived types."""
    base = types.base(kind)
    return kind if base in ("scalar", "list", "map") else base
