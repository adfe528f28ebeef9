"""The resources of a HOT template against the schemas of their types (``heat/engine/resource.py``, ``validate``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import MISSING, Condition, Path, Value, is_constant, walk
from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.schemas.values import Misfit, check_properties, guess, text_of
from bpconvert.translators.evaluate import fold
from bpconvert.translators.evaluate.scope import Refused, Scope
from bpconvert.translators.hot.check.combinations import wrong_combinations
from bpconvert.translators.hot.check.environment import Environment, is_file


class ResourceChecks:
    """Checks resources, whose types and properties are as the template has them.

    ``missing``: is given the file of a nested template, and where it is named."""

    def __init__(
        self, topology: Topology, reporter: Reporter, environment: Environment, missing: Callable[[str, Path], None]
    ) -> None:
        self.topology = topology
        self.report = reporter.report
        self.environment = environment
        self.missing = missing
        given = {name: self.default(name) for name in topology.inputs}
        usual = {name: value for name, value in given.items() if value is not MISSING}
        #: what holds whatever is given, and when only defaults are
        self.always = Scope(conditions=topology.conditions)
        self.usually = Scope(inputs=usual, conditions=topology.conditions)

    def default(self, name: str) -> Value:
        """What a parameter is when nothing is given for it but the environments."""
        declared = self.topology.inputs[name]
        value: Value = self.environment.values.get(name, declared.default)
        return value

    def check(self, node: Node) -> None:
        """Report what Heat refuses in a resource."""
        sure = self.exists(node)
        schema = self._schema(node.source_type, (*node.path, "type"), sure)
        if schema is None:
            return
        self.status(schema, (*node.path, "type"), node.source_type)
        if node.external_id is MISSING and not schema.get("any_property") and self._exists(node, self.always):
            self._properties(node, schema, sure)
            self._outdated(node.properties, schema["properties"], (*node.path, "properties"))
        self._policies(node, schema)
        self._member(node, GROUP_MEMBERS.get(node.source_type))

    def exists(self, node: Node) -> bool:
        """False when a condition leaves the resource out, if only defaults are given."""
        return self._exists(node, self.usually)

    def _exists(self, node: Node, scope: Scope) -> bool:
        """False when a condition leaves the resource out."""
        if node.condition is MISSING:
            return True
        try:
            return fold(node.condition, scope) is not False
        except Refused:
            return True

    # -- types --------------------------------------------------------------------------------------------------

    def _schema(self, name: str, path: Path, sure: bool = True) -> dict[str, Any] | None:
        """The schema of a type; an unknown type is reported."""
        found = self.environment.meant(name, path[1])
        schema = schemas.heat_type(found.name)
        if schema is not None or not name:
            return schema
        if found.file is None and is_file(found.name):
            self.missing(found.name, path)
        elif found.file is None and not self._is_known(found.name):
            words = {"name": name, "guess": guess(name, self.environment.names())}
            self.refuse([Misfit("BPC175", path, words, sure)])
        return None

    def _is_known(self, name: str) -> bool:
        """True for a type without a schema that exists all the same."""
        return schemas.alias(name) is not None or "://" in name or name in self.environment.known

    def status(self, schema: dict[str, Any], path: Path, what: str) -> None:
        """Report what is out of date."""
        status = schema.get("status")
        if status:
            since = f" since Heat {schema['since']}" if "since" in schema else ""
            self.report("BPC177", path, what=what, status=status, since=since)

    # -- properties -----------------------------------------------------------------------------------------------

    def _properties(self, node: Node, schema: dict[str, Any], sure: bool) -> None:
        path, older = (*node.path, "properties"), schema.get("replaced_by", {})
        replaced = [new for new, olds in older.items() if any(old in node.properties for old in olds)]
        known: set[tuple[str, Path]] = set()
        for scope in (self.always, self.usually):
            certain = sure and scope is self.always
            values = self._folded(node.properties, scope, path, certain)
            found = list(check_properties(values, schema["properties"], path, node.source_type, replaced))
            self.refuse(
                item if certain else item._replace(sure=False) for item in found if (item.code, item.path) not in known
            )
            known |= {(item.code, item.path) for item in found}
            if scope is self.always:
                for problem in wrong_combinations(node.source_type, values, older):
                    self.refuse([Misfit("BPC182", path, {"problem": problem}, certain)])

    def _folded(self, properties: dict[str, Value], scope: Scope, path: Path, sure: bool) -> dict[str, Value]:
        """The properties as far as they can be computed; a call that Heat refuses to compute is reported."""
        result = {}
        for name, value in properties.items():
            if not is_constant(value):
                try:
                    value = fold(value, scope)
                except Refused as error:
                    place = error.path or (*path, name)
                    if place[:1] == ("resources",) and self._knows_conditions(value):
                        self.refuse([Misfit("BPC220", place, {"problem": str(error)}, sure)])
                if value is MISSING:
                    continue
            result[name] = value
        return result

    def _knows_conditions(self, value: Value) -> bool:
        """False where a condition is not there, which is reported anyway."""
        names = {found.name for found in walk(value) if isinstance(found, Condition)}
        return all(not isinstance(name, str) or name in self.topology.conditions for name in names)

    def _member(self, node: Node, key: str | None) -> None:
        """What a group makes: Heat checks a member when it makes it."""
        member = node.properties.get(key) if key else None
        if not isinstance(member, dict) or not isinstance(member.get("type"), str):
            return
        path = (*node.path, "properties", key)
        schema = self._schema(member["type"], (*path, "type"), sure=False)
        if schema is None:
            return
        self.status(schema, (*path, "type"), member["type"])
        properties = member.get("properties")
        if isinstance(properties, dict) and not schema.get("any_property"):
            place, older = (*path, "properties"), schema.get("replaced_by", {})
            replaced = [new for new, olds in older.items() if any(old in properties for old in olds)]
            values = self._folded(properties, self.usually, place, False)
            found = check_properties(values, schema["properties"], place, member["type"], replaced)
            self.refuse(item._replace(sure=False) for item in found)
            self._outdated(properties, schema["properties"], place)

    def refuse(self, found: Iterable[Misfit]) -> None:
        """Report what is refused, or may be."""
        for item in found:
            if item.sure:
                self.report(item.code, item.path, **item.words)
            else:
                self.report("BPC176", item.path, problem=text_of(item))

    def _outdated(self, values: dict[str, Value], known: dict[str, dict[str, Any]], path: Path) -> None:
        """Report what is given and out of date."""
        for name, value in values.items():
            schema = known.get(name)
            if schema is None:
                continue
            self.status(schema, (*path, name), f"property '{name}'")
            items = value if isinstance(value, list) else [value]
            inner = schema.get("keys") or schema.get("items", {}).get("keys")
            for index, item in enumerate(items) if inner else ():
                if isinstance(item, dict):
                    self._outdated(item, inner, (*path, name, index) if isinstance(value, list) else (*path, name))

    def _policies(self, node: Node, schema: dict[str, Any]) -> None:
        if str(node.extra.get("deletion_policy")).lower() == "snapshot" and schema.get("no_snapshot"):
            self.report("BPC184", (*node.path, "deletion_policy"), type=node.source_type)
        policy = node.extra.get("update_policy")
        if isinstance(policy, dict) and policy:
            known = schema.get("update_policy", {})
            self.refuse(check_properties(policy, known, (*node.path, "update_policy"), node.source_type))
