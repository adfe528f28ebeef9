"""The service template: node and relationship templates with what their types define, groups, policies, and what
functions refer to (TOSCA 2.0, chapters 6.9, 7, 8, 10.3 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import dropwhile
from typing import Any, Final

from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, inside, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import PARAMETERS
from bpconvert.translators.tosca.check.tosca_2_0.forms import UNBOUNDED, is_call, is_count
from bpconvert.translators.tosca.check.tosca_2_0.functions import calls, name_of
from bpconvert.translators.tosca.check.tosca_2_0.interfaces import type_place
from bpconvert.translators.tosca.check.tosca_2_0.mappings import Mappings
from bpconvert.translators.tosca.check.tosca_2_0.types import NOUNS, pairs, refined, schema
from bpconvert.translators.tosca.check.tosca_2_0.values import is_number, split_scalar

#: functions whose argument is a path to something of a node or a relationship
_PATHS: Final = ("get_property", "get_attribute")
_SELF: Final = "SELF"
#: words that began a path in earlier versions; 2.0 has them behind SELF (10.3)
_RELATIVE: Final = ("SOURCE", "TARGET", "HOST", "RELATIONSHIP", "CAPABILITY")
#: sections of a template that have parameters
_SECTIONS: Final = (
    "node_templates", "relationship_templates", "groups", "policies", "outputs", "substitution_mappings",
)  # fmt: skip


class Templates(Mappings):
    """Checks a service template."""

    def check_template(self, data: Mapping[str, Any], path: Path) -> None:
        """Check a service template, which is at ``path`` of the file."""
        self.template = data
        for key in ("inputs", "outputs"):
            self.rows(data.get(key), {}, (*path, key), PARAMETERS)
        for name, row in entries(data, "node_templates").items():
            if isinstance(row, dict) and not is_call(row):
                self._node(str(name), row, (*path, "node_templates", name))
        for name, row in entries(data, "relationship_templates").items():
            if isinstance(row, dict) and not is_call(row):
                place = (*path, "relationship_templates", name)
                full, kind = self._typed("relationship", row, place)
                self._relationship_values(kind, full, place)
        self._groups((*path, "groups"))
        self._policies((*path, "policies"))
        self._mentions(path)
        self.check_workflows((*path, "workflows"))
        if isinstance(data.get("substitution_mappings"), dict):
            self.check_mappings(data["substitution_mappings"], (*path, "substitution_mappings"))

    # -- templates --------------------------------------------------------------------------------------------

    def _copied(self, section: str, row: Mapping[Any, Any], path: Path) -> Mapping[Any, Any]:
        """A template with what it copies of another one, which copies nothing itself."""
        name = row.get("copy")
        if not isinstance(name, str):
            return row
        rows = entries(self.template, section)
        source = rows.get(name)
        if name not in rows:
            self.unknown("template", name, rows, (*path, "copy"))
        elif isinstance(source, dict) and "copy" in source:
            self.problem((*path, "copy"), f"'{name}' is a copy itself")
        return {**source, **row} if isinstance(source, dict) else row

    def _typed(self, noun: str, row: Mapping[Any, Any], path: Path) -> tuple[Mapping[Any, Any], str]:
        """A node or relationship template with what it copies, and its type; "" for none that exists."""
        full = self._copied(f"{noun}_templates", row, path)
        kind = full.get("type")
        if kind is None:
            self.lacking(path, f"a {noun} template", "type")
        if isinstance(kind, str) and self.exists(f"{noun}_types", kind, type_place(row, path)):
            return full, kind
        return full, ""

    def _node(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        full, kind = self._typed("node", row, path)
        if not kind:
            return
        artifacts = self.types.rows("node_types", kind, "artifacts")
        for key, artifact in entries(row, "artifacts").items():
            self.artifact(artifact, (*path, "artifacts", key), artifacts.get(key))
        self.calls.condition(row.get("node_filter"), (*path, "node_filter"))
        if not self.types.is_known("node_types", kind):
            return
        selected = "select" in items(full.get("directives"))
        self.values_of_type("node_types", kind, full, path, needed=not selected)
        self._capabilities(kind, full, path, needed=not selected)
        self._requirements(name, kind, full, path)
        self.assigned("node_types", kind, full, path)

    def values_of_type(self, section: str, kind: str, row: Mapping[Any, Any], path: Path, needed: bool = True) -> None:
        """Check the properties and attributes that a template gives of what its type defines."""
        rows = self.types.rows(section, kind, "properties")
        properties = row.get("properties")
        if not is_call(properties):
            place = (*path, "properties") if "properties" in row else path
            self.report_mistakes(self.values.assigned(kind, entries(row, "properties"), rows, place, needed), place)
        attributes = {**rows, **self.types.rows(section, kind, "attributes")}
        self._attributes(kind, row, attributes, path, self.types.complete)

    def _attributes(self, kind: str, row: Any, rows: Mapping[str, Any], path: Path, complete: bool) -> None:
        """Check the attributes that a template or a capability gives; ``complete``: there are no others."""
        for name, value in entries(row, "attributes").items():
            place = (*path, "attributes", name)
            if name in rows:
                self.value(name, value, rows[name], place)
            elif complete:
                self.unknown(f"attribute of {kind}", name, rows, place)

    def _capabilities(self, kind: str, row: Mapping[Any, Any], path: Path, needed: bool) -> None:
        capabilities = self.types.rows("node_types", kind, "capabilities")
        assignments = entries(row, "capabilities")
        for name in assignments:
            if name not in capabilities:
                self.unknown(f"capability of {kind}", name, capabilities, (*path, "capabilities", name))
        for name, defined in capabilities.items():
            capability_type = defined.get("type")
            if not isinstance(capability_type, str) or not self.types.is_known("capability_types", capability_type):
                continue
            properties, attributes = (self._refined(defined, key) for key in ("properties", "attributes"))
            assignment = assignments.get(name)
            assigned = entries(assignment, "properties")
            place = (*path, "capabilities", name) if name in assignments else path
            place = (*place, "properties") if assigned else place
            self.report_mistakes(self.values.assigned(capability_type, assigned, properties, place, needed), place)
            attributes = {**properties, **attributes}
            self._attributes(capability_type, assignment, attributes, (*path, "capabilities", name), complete=True)

    def _refined(self, defined: Mapping[Any, Any], key: str) -> dict[str, dict[Any, Any]]:
        """The properties or attributes of a capability as a node type defines it."""
        rows = self.types.rows("capability_types", defined.get("type"), key)
        for name, row in entries(defined, key).items():
            rows[name] = refined(rows.get(name, {}), row if isinstance(row, dict) else {"value": row})
        return rows

    def _relationship_values(self, kind: str, row: Mapping[Any, Any], path: Path) -> None:
        if self.types.is_known("relationship_types", kind):
            self.values_of_type("relationship_types", kind, row, path)
            self.assigned("relationship_types", kind, row, path)

    # -- requirements -----------------------------------------------------------------------------------------

    def _requirements(self, name: str, kind: str, row: Mapping[Any, Any], path: Path) -> None:
        requirements = self.types.rows("node_types", kind, "requirements")
        numbers: dict[str, list[tuple[Any, bool]]] = {}
        for index, item in enumerate(items(row.get("requirements"))):
            for key, written in pairs(item):
                place = (*path, "requirements", index, key)
                if key not in requirements:
                    self.unknown(f"requirement of {kind}", key, requirements, place)
                    continue
                assignment = written if isinstance(written, dict) and not is_call(written) else {"node": written}
                self._requirement_assignment(requirements[key], assignment, place, written is assignment)
                numbers.setdefault(key, []).append((assignment.get("count", 1), assignment.get("optional") is True))
        for key, counted in numbers.items():
            self._count(key, requirements[key].get("count_range"), counted, (*path, "requirements"))

    def _count(self, name: str, limits: Any, counted: list[tuple[Any, bool]], path: Path) -> None:
        """The counts of all assignments, and those of all that are not optional, are within the range (8.5.4)."""
        if not isinstance(limits, list) or len(limits) != 2 or not all(is_count(count) for count, _ in counted):
            return
        least, most = limits
        total = sum(count for count, _ in counted)
        needed = sum(count for count, optional in counted if not optional)
        if (is_count(least) and needed < least) or (most != UNBOUNDED and is_count(most) and total > most):
            number = total if total == needed else f"{needed} to {total}"
            self.report("BPC941", path, name=name, number=number, range=f"{least} to {most}")

    def _requirement_assignment(
        self, defined: Mapping[Any, Any], row: Mapping[Any, Any], path: Path, long: bool
    ) -> None:
        node, capability = row.get("node"), row.get("capability")
        target = node[0] if isinstance(node, list) and node else node
        place = (*path, "node") if long else path
        kind = self._target(target, place) if isinstance(target, str) and not is_call(target) else None
        wanted = defined.get("node")
        if kind is not None and not self.types.is_of("node_types", kind, wanted):
            self.problem(place, f"'{target}' is of {kind}, and the requirement asks for {wanted}", "BPC942")
        elif kind is not None:
            self._fulfils(defined, kind, str(target), capability, place)
        self._given_relationship(defined, row, path)
        self.calls.condition(row.get("node_filter"), (*path, "node_filter"))
        for name, value in entries(row, "allocation").items():
            if not is_call(value) and not is_number(value) and split_scalar(value) is None:
                wanted = "a number or a scalar"
                here = (*path, "allocation", name)
                self.report("BPC902", here, what=f"'{name}'", wanted=wanted, found=describe(value))

    def _target(self, name: str, path: Path) -> Any:
        """The type of the node template or the node type of that name; None where it is not known."""
        templates = entries(self.template, "node_templates")
        if name in templates:
            copied = inside(templates, (name, "copy"))
            copy = entries(templates, copied) if isinstance(copied, str) else {}
            return {**copy, **entries(templates, name)}.get("type")
        if self.types.get("node_types", name) is not None:
            return name
        if not self.types.exists("node_types", name):
            names = [*templates, *entries(self.types.data, "node_types")]
            self.unknown("node or node type", name, names, path)
        return None

    def _fulfils(self, defined: Mapping[Any, Any], kind: Any, target: str, capability: Any, path: Path) -> None:
        """The target has a capability of the type that the requirement asks for."""
        if not self.types.is_known("node_types", kind):
            return
        capabilities = self.types.rows("node_types", kind, "capabilities")
        wanted = defined.get("capability")
        if not isinstance(wanted, str) or wanted in capabilities or self.types.get("capability_types", wanted) is None:
            return
        fitting = {
            name for name, row in capabilities.items() if self.types.is_of("capability_types", row.get("type"), wanted)
        }
        if isinstance(capability, str) and capability in capabilities and capability not in fitting:
            self.problem(path, f"the capability '{capability}' of '{target}' is no {wanted}", "BPC942")
        elif not fitting:
            self.problem(path, f"'{target}' has no capability of type {wanted}", "BPC942")
        elif not self.types.exists("capability_types", capability) and capability not in fitting:
            self.unknown(f"capability of {kind}", capability, capabilities, path)

    def _given_relationship(self, defined: Mapping[Any, Any], row: Mapping[Any, Any], path: Path) -> None:
        relationship = row.get("relationship")
        wanted = schema(defined.get("relationship")).get("type")
        place = (*path, "relationship")
        if isinstance(relationship, str) and not is_call(relationship):
            templates = entries(self.template, "relationship_templates")
            if self.types.get("relationship_types", relationship) is not None:
                self._derived_relationship(relationship, wanted, place)
            elif isinstance(templates.get(relationship), dict):
                self._derived_relationship(templates[relationship].get("type"), wanted, place)
            elif not self.types.exists("relationship_types", relationship):
                names = [*templates, *entries(self.types.data, "relationship_types")]
                self.unknown("relationship type or template", relationship, names, place)
            return
        kind = relationship.get("type", wanted) if isinstance(relationship, dict) else None
        if not isinstance(kind, str) or not isinstance(relationship, dict) or is_call(relationship):
            return
        if "type" in relationship and not self.exists("relationship_types", kind, (*place, "type")):
            return
        self._derived_relationship(kind, wanted, (*place, "type"))
        self._relationship_values(kind, relationship, place)

    def _derived_relationship(self, kind: Any, wanted: Any, path: Path) -> None:
        if not self.types.is_of("relationship_types", kind, wanted):
            self.problem(path, f"'{kind}' is not derived from {wanted}, which the requirement asks for", "BPC942")

    # -- groups and policies ----------------------------------------------------------------------------------

    def _groups(self, path: Path) -> None:
        for name, row in entries(self.template, "groups").items():
            self._group("group", "members", row, (*path, name))

    def _policies(self, path: Path) -> None:
        seen: set[Any] = set()
        for index, item in enumerate(items(self.template.get("policies"))):
            for name, row in pairs(item):
                place = (*path, index, name)
                if name in seen:
                    self.report("BPC906", place, what="policy", name=name)
                seen.add(name)
                if self._group("policy", "targets", row, place):
                    for trigger, trigger_row in entries(row, "triggers").items():
                        if isinstance(trigger_row, dict):
                            here = (*place, "triggers", trigger)
                            self.calls.condition(trigger_row.get("condition"), (*here, "condition"))
                            self.activities(trigger_row.get("action"), (*here, "action"), {}, None)

    def _group(self, noun: str, key: str, row: Any, path: Path) -> bool:
        """Check a group or a policy with its members, which have the ``key``; False for one whose type is not there."""
        section, kind = f"{noun}_types", inside(row, ("type",))
        if not isinstance(kind, str) or not self.exists(section, kind, (*path, "type")):
            return False
        if self.types.is_known(section, kind):
            self.values_of_type(section, kind, row, path)
        allowed = self.types.value(section, kind, key)
        groups = entries(self.template, "groups")
        members = {**entries(self.template, "node_templates"), **groups}
        for index, name in enumerate(items(row.get(key))):
            place = (*path, key, index)
            self._expect("node or group", name, members, place)
            member = inside(members, (name, "type")) if isinstance(name, str) else None
            if member is None or not isinstance(allowed, list):
                continue
            where = "group_types" if name in groups else "node_types"
            if not any(self.types.is_of(where, member, other) for other in allowed):
                problem = f"'{name}' is of {member}, and none of {', '.join(map(str, allowed))}"
                self.problem(place, problem, "BPC942")
        return True

    # -- what functions name ----------------------------------------------------------------------------------

    def _mentions(self, path: Path) -> None:
        """Report calls that name an input or a node that is not there."""
        inputs = entries(self.template, "inputs")
        for section in _SECTIONS:
            for call, place in calls(self.template.get(section), (*path, section)):
                name, argument = name_of(call)
                if name == "get_input":
                    first = argument[0] if isinstance(argument, list) and argument else argument
                    self._expect("input", first, inputs, place)
                elif name in _PATHS and isinstance(argument, list):
                    is_own = len(place) > 2 and place[1] == "node_templates"
                    is_own = is_own and "node_filter" not in place and "relationship" not in place
                    self._follow(name, argument, str(place[2]) if is_own else "", place)

    def _follow(self, function: str, steps: list[Any], owner: str, path: Path) -> None:
        """Follow a path through the topology as far as it is known (10.3)."""
        nodes = entries(self.template, "node_templates")
        first = steps[0] if steps else None
        if first in _RELATIVE:
            self.problem(path, f"a path begins with a node or SELF, not with '{first}'", "BPC940")
            return
        starts = {_SELF, *nodes, *entries(self.template, "relationship_templates")}
        if isinstance(first, str) and not is_call(first) and first not in starts:
            self.unknown("node", first, nodes, path)
            return
        name = owner if first == _SELF else first
        kind = inside(nodes, (name, "type")) if isinstance(name, str) else None
        further = [*dropwhile(lambda step: not isinstance(step, str), steps[1:])]  # an index of the node
        if not isinstance(kind, str) or not further or not self.types.is_known("node_types", kind):
            return
        if is_call(further[0]) or further[0] == "ALL":
            return
        where = {"RELATIONSHIP": "requirements", "CAPABILITY": "capabilities"}.get(further[0])
        if where:
            members = self.types.rows("node_types", kind, where)
            if len(further) > 1 and isinstance(further[1], str) and further[1] not in members:
                self.unknown(f"{NOUNS[where]} of {kind}", further[1], members, path)
            return
        rows = self.types.rows("node_types", kind, "properties")
        if function == "get_attribute":
            rows = {**rows, **self.types.rows("node_types", kind, "attributes")}
        if further[0] not in rows and self.types.complete:
            self.unknown(f"{function.removeprefix('get_')} of {kind}", further[0], rows, path)
