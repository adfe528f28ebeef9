"""Definitions of types, and what a derived type may change of its parent (TOSCA 2.0, 6.4.2 and the rules of each kind
of type)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import ATTRIBUTES, PROPERTIES
from bpconvert.translators.tosca.check.tosca_2_0.forms import is_call
from bpconvert.translators.tosca.check.tosca_2_0.grammar import BUILT_IN, SCALAR_KEYS, TYPES
from bpconvert.translators.tosca.check.tosca_2_0.interfaces import Interfaces
from bpconvert.translators.tosca.check.tosca_2_0.types import definition, pairs, refined, requirement, schema
from bpconvert.translators.tosca.check.tosca_2_0.values import is_number

#: keys of types that restrict what they go together with -> the sections of the types that they name
RESTRICTING: Final = {
    "valid_source_node_types": ("node_types",), "valid_target_node_types": ("node_types",),
    "valid_capability_types": ("capability_types",), "valid_relationship_types": ("relationship_types",),
    "members": ("node_types",),
}  # fmt: skip


class Derivation(Interfaces):
    """Checks the types that a file defines."""

    def check(self, data: Mapping[str, Any]) -> None:
        """Check every type of the file."""
        own: dict[str, Callable[[str, Mapping[Any, Any], Path], None]] = {
            "data_types": self._data_type, "node_types": self._node_type, "policy_types": self._policy_type,
            "interface_types": self.interface_type,
        }  # fmt: skip
        for section in TYPES:
            for name, row in entries(data, section).items():
                if isinstance(name, str) and isinstance(row, dict) and not is_call(row):
                    self._type(section, name, row)
                    more = own.get(section)
                    if more is not None:
                        more(name, row, (section, name))

    def _type(self, section: str, name: str, row: Mapping[Any, Any]) -> None:
        path: Path = (section, name)
        parent = row.get("derived_from")
        exists = isinstance(parent, str) and self.exists(section, parent, (*path, "derived_from"))
        if exists and name in self.types.ancestry(section, parent):
            self.report("BPC911", (*path, "derived_from"), name=name)
            return
        for key, rules in (("properties", PROPERTIES), ("attributes", ATTRIBUTES)):
            if key in row:
                self.rows(row[key], self.types.rows(section, parent, key), (*path, key), rules)
        for key, sections in RESTRICTING.items():
            self.restricted(sections, row.get(key), self.types.value(section, parent, key), (*path, key))
        if "interfaces" in row:
            old = self.types.rows(section, parent, "interfaces")
            self.interfaces(row["interfaces"], old, (*path, "interfaces"))

    # -- data types -------------------------------------------------------------------------------------------

    def _data_type(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        if name in BUILT_IN:
            self.report("BPC912", path, name=name)
            return
        base = self.types.base(name)
        if "derived_from" not in row and not row.get("properties"):
            self.problem(path, f"the data type '{name}' has neither a parent nor properties")
        if "properties" in row and base:
            self.problem((*path, "properties"), f"'{name}' is derived from '{base}', which has no properties")
        elif isinstance(row.get("properties"), dict) and not row["properties"]:
            self.problem((*path, "properties"), "a data type with 'properties' has one or more of them")
        parent = row.get("derived_from")
        old = {key: self.types.value("data_types", parent, key) for key in ("key_schema", "entry_schema")}
        inherited = {key: value for key, value in old.items() if value is not None}
        full = {**refined(inherited, row), "type": base or name}
        if base in ("list", "map") or "entry_schema" in row or "key_schema" in row:
            self.schemas(full, {key: row[key] for key in old if key in row}, path)
            self.schema_refinement(row, inherited, path)
        self.clause(row, name, path)
        if base == "scalar":
            self._scalar(name, row, path)
        else:
            for key in SCALAR_KEYS:
                if key in row and self.types.is_known("data_types", name):
                    self.report("BPC900", (*path, key), what="a data type that is no scalar", name=key, guess="")

    def _scalar(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        """A scalar type (9.1.2.2)."""
        parent = row.get("derived_from")
        is_first = parent == "scalar"
        kind = row.get("data_type", "float" if is_first else self.types.value("data_types", parent, "data_type"))
        kind = kind if isinstance(kind, str) else "float"
        if not is_first and "data_type" in row:
            self.problem((*path, "data_type"), "the data type of a scalar cannot be changed", "BPC913")
        elif (
            "data_type" in row and self.exists("data_types", kind, (*path, "data_type"))
            and self.types.is_known("data_types", kind) and self.types.base(kind) not in ("integer", "float")
        ):  # fmt: skip
            self.problem((*path, "data_type"), f"the number of a scalar is an integer or a float, not '{kind}'")
            return
        for key in ("units", "prefixes"):
            for unit, multiplier in entries(row, key).items():
                place = (*path, key, unit)
                if not is_number(multiplier):
                    self.report("BPC902", place, what=f"'{unit}'", wanted="a number", found=describe(multiplier))
                else:
                    self.value(unit, multiplier, {"type": kind}, place)
                if any(char.isspace() for char in str(unit)):
                    self.problem(place, f"there is a space in the unit '{unit}'")
        self._units(name, row, path, is_first)

    def _units(self, name: str, row: Mapping[Any, Any], path: Path, is_first: bool) -> None:
        units = entries(row, "units")
        if is_first and not units:
            self.lacking(path, "a scalar type", "units")
            return
        ones = [unit for unit, multiplier in units.items() if multiplier == 1]
        if is_first and not ones:
            self.problem((*path, "units"), "one of the units has the multiplier 1")
        if is_first and len(ones) > 1 and "canonical_unit" not in row:
            self.lacking(path, "a scalar type with several units of the multiplier 1", "canonical_unit")
        if "canonical_unit" in row and not is_first:
            self.problem((*path, "canonical_unit"), "the canonical unit of a scalar cannot be changed", "BPC913")
        elif "canonical_unit" in row and str(row["canonical_unit"]) not in self.values.scalar(name).units:
            self.problem((*path, "canonical_unit"), f"'{row['canonical_unit']}' is none of the units")
        if is_first and "prefixes" in row and len(units) != 1:  # the specification's own example 70 has two
            self.problem((*path, "prefixes"), "prefixes are of one unit, whose multiplier is 1", "BPC940")

    # -- node types -------------------------------------------------------------------------------------------

    def _node_type(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        parent = row.get("derived_from")
        for key, written in entries(row, "capabilities").items():
            if isinstance(key, str):
                old = self.types.rows("node_types", parent, "capabilities").get(key)
                self._capability(schema(written), old, (*path, "capabilities", key))
        seen: set[Any] = set()
        for index, item in enumerate(items(row.get("requirements"))):
            for key, written in pairs(item):
                place = (*path, "requirements", index, key)
                if key in seen:
                    self.report("BPC906", place, what="requirement", name=key)
                seen.add(key)
                old = self.types.rows("node_types", parent, "requirements").get(key)
                self._requirement(written, old, place)
        for key, written in entries(row, "artifacts").items():
            old = self.types.rows("node_types", parent, "artifacts").get(key)
            self.artifact(written, (*path, "artifacts", key), old)

    def _capability(self, row: Mapping[Any, Any], old: Mapping[Any, Any] | None, path: Path) -> None:
        if "type" not in row and old is None:
            self.lacking(path, "a new capability definition", "type")
            return
        kind = row.get("type", (old or {}).get("type"))
        place = (*path, "type") if "type" in row and len(row) > 1 else path
        if not isinstance(kind, str) or not self.exists("capability_types", kind, place):
            return
        self.derived("capability_types", row.get("type"), (old or {}).get("type"), place)
        self.parts("capability_types", kind, row, path)
        for key in ("valid_source_node_types", "valid_relationship_types"):
            allowed = self.types.value("capability_types", kind, key)
            self.restricted(RESTRICTING[key], row.get(key), allowed, (*path, key))

    def _requirement(self, written: Any, old: Mapping[Any, Any] | None, path: Path) -> None:
        row = requirement(written)
        if old is None and isinstance(written, dict):
            for key in ("capability", "relationship"):
                if key not in row:
                    self.lacking(path, "a new requirement definition", key)
        full = {**(old or {}), **row}
        node, capability = row.get("node"), row.get("capability")
        if isinstance(node, str) and self.exists("node_types", node, (*path, "node")):
            self.derived("node_types", node, (old or {}).get("node"), (*path, "node"))
        if isinstance(capability, str):
            place = (*path, "capability") if isinstance(written, dict) else path
            node_name = full.get("node")
            symbolic = isinstance(node_name, str) and (
                capability in self.types.rows("node_types", node_name, "capabilities")
                or not self.types.is_known("node_types", node_name)
            )
            before = (old or {}).get("capability")
            exists = symbolic or self.exists("capability_types", capability, place)
            if not symbolic and exists and self.types.get("capability_types", before) is not None:
                self.derived("capability_types", capability, before, place)
        self._relationship(row.get("relationship"), (old or {}).get("relationship"), (*path, "relationship"))
        self.calls.condition(row.get("node_filter"), (*path, "node_filter"))
        self._range(row.get("count_range"), (old or {}).get("count_range"), (*path, "count_range"))

    def _relationship(self, written: Any, old: Any, path: Path) -> None:
        row = schema(written)
        if written is None or is_call(written) or not isinstance(written, (dict, str)):
            return
        kind = row.get("type", schema(old).get("type"))
        place = (*path, "type") if isinstance(written, dict) else path
        if kind is None:
            self.lacking(path, "a relationship definition", "type")
        elif isinstance(kind, str) and self.exists("relationship_types", kind, place):
            self.derived("relationship_types", row.get("type"), schema(old).get("type"), place)
            self.parts("relationship_types", kind, row, path)
            if "interfaces" in row:
                inherited = self.types.rows("relationship_types", kind, "interfaces")
                self.interfaces(row["interfaces"], inherited, (*path, "interfaces"), f"'{kind}'")

    def parts(self, section: str, kind: str, row: Mapping[Any, Any], path: Path) -> None:
        """Check refinements of the properties and the attributes of a type, of which none can be new."""
        if not self.types.is_known(section, kind):
            return
        for key, rules in (("properties", PROPERTIES), ("attributes", ATTRIBUTES)):
            if key in row:
                self.rows(row[key], self.types.rows(section, kind, key), (*path, key), rules._replace(new=f"'{kind}'"))

    def _range(self, written: Any, old: Any, path: Path) -> None:
        if not (isinstance(written, list) and isinstance(old, list) and len(written) == len(old) == 2):
            return
        (low, high), (least, most) = [
            [float("inf") if bound == "UNBOUNDED" else bound for bound in row] for row in (written, old)
        ]
        if all(is_number(bound) for bound in (low, high, least, most)) and (low < least or high > most):
            self.problem(path, f"{written} is not within {old}, which it refines", "BPC913")

    # -- policies ---------------------------------------------------------------------------------------------

    def _policy_type(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        parent = row.get("derived_from")
        old = self.types.value("policy_types", parent, "targets")
        self.restricted(("group_types", "node_types"), row.get("targets"), old, (*path, "targets"))
        triggers = self.types.rows("policy_types", parent, "triggers")
        for trigger, trigger_row in entries(row, "triggers").items():
            if trigger in triggers and definition(trigger_row) != triggers[trigger]:
                problem = f"the trigger '{trigger}' is inherited, and cannot be changed"
                self.problem((*path, "triggers", trigger), problem, "BPC913")
