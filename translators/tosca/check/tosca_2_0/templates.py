"""The service template: node and relationship templates with what their types define, groups, policies, and what
functions refer to (TOSCA 2.0, chapters 6.9, 7, 8, 10.3 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.diagnostics.suggest import guess
from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import PARAMETERS
from bpconvert.translators.tosca.check.tosca_2_0.forms import UNBOUNDED, is_call, is_count
from bpconvert.translators.tosca.check.tosca_2_0.functions import calls, name_of
from bpconvert.translators.tosca.check.tosca_2_0.mappings import Mappings
from bpconvert.translators.tosca.check.tosca_2_0.types import pairs, refined, schema
from bpconvert.translators.tosca.check.tosca_2_0.values import is_number, split_scalar

#: functions whose argument is a path to something of a node or a relationship
_PATHS: Final = ("get_property", "get_attribute")
_SELF: Final = "SELF"
#: words that began a path in earlier versions; 2.0 has them behind SELF (10.3)
_RELATIVE: Final = ("SOURCE", "TARGET", "HOST", "RELATIONSHIP", "CAPABILITY")
#: sections of a template that have parameters
_SECTIONS: Final = (
    "node_templates",
    "relationship_templates",
    "groups",
    "policies",
    "outputs",
    "substitution_mappings",
)


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
                self._relationship_template(row, (*path, "relationship_templates", name))
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
            self.report("BPC933", (*path, "copy"), what="template", name=name, guess=guess(name, rows))
        elif isinstance(source, dict) and "copy" in source:
            self.problem((*path, "copy"), f"'{name}' is a copy itself")
        return {**source, **row} if isinstance(source, dict) else row

    def _node(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        full = self._copied("node_templates", row, path)
        kind = full.get("type")
        if kind is None:
            self.report("BPC901", path, what="a node template", name="type")
            return
        if not isinstance(kind, str) or not self.exists("node_types", kind, (*path, "type") if "type" in row else path):
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
        self.assigned(
            full.get("interfaces"), self.types.rows("node_types", kind, "interfaces"), (*path, "interfaces"), kind
        )

    def values_of_type(self, section: str, kind: str, row: Mapping[Any, Any], path: Path, needed: bool = True) -> None:
        """Check the properties and attributes that a template gives of what its type defines."""
        rows = self.types.rows(section, kind, "properties")
        properties = row.get("properties")
        if not is_call(properties):
            place = (*path, "properties") if "properties" in row else path
            self.report_mistakes(self.values.assigned(kind, entries(row, "properties"), rows, place, needed), place)
        attributes = {**rows, **self.types.rows(section, kind, "attributes")}
        for name, value in entries(row, "attributes").items():
            place = (*path, "attributes", name)
            if name not in attributes and self.types.complete:
                self.report("BPC933", place, what=f"attribute of {kind}", name=name, guess=guess(str(name), attributes))
            elif name in attributes:
                self.report_mistakes(self.values.check(str(name), value, attributes[name], place), place)

    def _capabilities(self, kind: str, row: Mapping[Any, Any], path: Path, needed: bool) -> None:
        capabilities = self.types.rows("node_types", kind, "capabilities")
        assignments = entries(row, "capabilities")
        for name in assignments:
            if name not in capabilities:
                place = (*path, "capabilities", name)
                self.report(
                    "BPC933", place, what=f"capability of {kind}", name=name, guess=guess(str(name), capabilities)
                )
        for name, defined in capabilities.items():
            capability_type = defined.get("type")
            if not isinstance(capability_type, str) or not self.types.is_known("capability_types", capability_type):
                continue
            rows = self.capability_rows(defined)
            assignment = assignments.get(name)
            assigned = entries(assignment, "properties")
            place = (*path, "capabilities", name) if name in assignments else path
            place = (*place, "properties") if assigned else place
            self.report_mistakes(
                self.values.assigned(capability_type, assigned, rows["properties"], place, needed), place
            )
            attributes = {**rows["properties"], **rows["attributes"]}
            for attribute, value in entries(assignment, "attributes").items():
                here = (*path, "capabilities", name, "attributes", attribute)
                if attribute not in attributes:
                    what = f"attribute of {capability_type}"
                    self.report("BPC933", here, what=what, name=attribute, guess=guess(str(attribute), attributes))
                else:
                    self.report_mistakes(self.values.check(str(attribute), value, attributes[attribute], here), here)

    def capability_rows(self, defined: Mapping[Any, Any]) -> dict[str, dict[str, dict[Any, Any]]]:
        """The properties and attributes of a capability as a node type defines it."""
        rows_by_key = {}
        for key in ("properties", "attributes"):
            rows = self.types.rows("capability_types", defined.get("type"), key)
            for name, row in entries(defined, key).items():
                rows[name] = refined(rows.get(name, {}), row if isinstance(row, dict) else {"value": row})
            rows_by_key[key] = rows
        return rows_by_key

    def _relationship_template(self, row: Mapping[Any, Any], path: Path) -> None:
        full = self._copied("relationship_templates", row, path)
        kind = full.get("type")
        if kind is None:
            self.report("BPC901", path, what="a relationship template", name="type")
        elif (
            isinstance(kind, str)
            and self.exists("relationship_types", kind, (*path, "type") if "type" in row else path)
            and self.types.is_known("relationship_types", kind)
        ):
            self.values_of_type("relationship_types", kind, full, path)
            interfaces = self.types.rows("relationship_types", kind, "interfaces")
            self.assigned(full.get("interfaces"), interfaces, (*path, "interfaces"), kind)

    # -- requirements -----------------------------------------------------------------------------------------

    def _requirements(self, name: str, kind: str, row: Mapping[Any, Any], path: Path) -> None:
        requirements = self.types.rows("node_types", kind, "requirements")
        numbers: dict[str, list[tuple[Any, bool]]] = {}
        for index, item in enumerate(items(row.get("requirements"))):
            for key, written in pairs(item):
                place = (*path, "requirements", index, key)
                if key not in requirements:
                    self.report(
                        "BPC933", place, what=f"requirement of {kind}", name=key, guess=guess(str(key), requirements)
                    )
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
            self.report(
                "BPC941",
                path,
                name=name,
                number=total if total == needed else f"{needed} to {total}",
                range=f"{least} to {most}",
            )

    def _requirement_assignment(
        self, defined: Mapping[Any, Any], row: Mapping[Any, Any], path: Path, long: bool
    ) -> None:
        node, capability = row.get("node"), row.get("capability")
        target = node[0] if isinstance(node, list) and node else node
        place = (*path, "node") if long else path
        kind = self._target(target, place) if isinstance(target, str) and not is_call(target) else None
        wanted = defined.get("node")
        if kind is not None and not self.types.is_of("node_types", kind, wanted):
            self.report("BPC942", place, problem=f"'{target}' is of {kind}, and the requirement asks for {wanted}")
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
            row = templates[name]
            copied = row.get("copy") if isinstance(row, dict) else None
            source = templates.get(copied) if isinstance(copied, str) else None
            return next(
                (
                    source_row["type"]
                    for source_row in (row, source)
                    if isinstance(source_row, dict) and "type" in source_row
                ),
                None,
            )
        if self.types.get("node_types", name) is not None:
            return name
        if not self.types.exists("node_types", name):
            names = [*templates, *entries(self.types.data, "node_types")]
            self.report("BPC933", path, what="node or node type", name=name, guess=guess(name, names))
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
            self.report("BPC942", path, problem=f"the capability '{capability}' of '{target}' is no {wanted}")
        elif not fitting:
            self.report("BPC942", path, problem=f"'{target}' has no capability of type {wanted}")
        elif (
            isinstance(capability, str)
            and capability not in capabilities
            and not self.types.exists("capability_types", capability)
        ):
            self.report(
                "BPC933", path, what=f"capability of {kind}", name=capability, guess=guess(capability, capabilities)
            )

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
                self.report(
                    "BPC933",
                    place,
                    what="relationship type or template",
                    name=relationship,
                    guess=guess(relationship, names),
                )
            return
        kind = relationship.get("type", wanted) if isinstance(relationship, dict) else None
        if not isinstance(kind, str) or not isinstance(relationship, dict) or is_call(relationship):
            return
        if "type" in relationship and not self.exists("relationship_types", kind, (*place, "type")):
            return
        self._derived_relationship(kind, wanted, (*place, "type"))
        if self.types.is_known("relationship_types", kind):
            self.values_of_type("relationship_types", kind, relationship, place)
            known_interfaces = self.types.rows("relationship_types", kind, "interfaces")
            self.assigned(relationship.get("interfaces"), known_interfaces, (*place, "interfaces"), kind)

    def _derived_relationship(self, kind: Any, wanted: Any, path: Path) -> None:
        if not self.types.is_of("relationship_types", kind, wanted):
            self.report(
                "BPC942", path, problem=f"'{kind}' is not derived from {wanted}, which the requirement asks for"
            )

    # -- groups and policies ----------------------------------------------------------------------------------

    def _groups(self, path: Path) -> None:
        nodes, groups = entries(self.template, "node_templates"), entries(self.template, "groups")
        for name, row in groups.items():
            kind, place = (row.get("type") if isinstance(row, dict) else None), (*path, name)
            if not isinstance(kind, str) or not self.exists("group_types", kind, (*place, "type")):
                continue
            if self.types.is_known("group_types", kind):
                self.values_of_type("group_types", kind, row, place)
            allowed = self.types.value("group_types", kind, "members")
            self._members(row.get("members"), {**nodes, **groups}, allowed, (*place, "members"))

    def _policies(self, path: Path) -> None:
        members = {**entries(self.template, "node_templates"), **entries(self.template, "groups")}
        seen: set[Any] = set()
        for index, item in enumerate(items(self.template.get("policies"))):
            for name, row in pairs(item):
                place = (*path, index, name)
                if name in seen:
                    self.report("BPC906", place, what="policy", name=name)
                seen.add(name)
                kind = row.get("type") if isinstance(row, dict) else None
                if not isinstance(kind, str) or not self.exists("policy_types", kind, (*place, "type")):
                    continue
                if self.types.is_known("policy_types", kind):
                    self.values_of_type("policy_types", kind, row, place)
                self._members(
                    row.get("targets"), members, self.types.value("policy_types", kind, "targets"), (*place, "targets")
                )
                for trigger, trigger_row in entries(row, "triggers").items():
                    if isinstance(trigger_row, dict):
                        here = (*place, "triggers", trigger)
                        self.calls.condition(trigger_row.get("condition"), (*here, "condition"))
                        self.activities(trigger_row.get("action"), (*here, "action"), {}, None)

    def _members(self, names: Any, members: Mapping[Any, Any], allowed: Any, path: Path) -> None:
        for index, name in enumerate(items(names)):
            if not isinstance(name, str):
                continue
            if name not in members:
                self.report("BPC933", (*path, index), what="node or group", name=name, guess=guess(name, members))
                continue
            kind = members[name].get("type") if isinstance(members[name], dict) else None
            in_groups = name in entries(self.template, "groups")
            section = "group_types" if in_groups else "node_types"
            if (
                isinstance(allowed, list)
                and kind is not None
                and not any(self.types.is_of(section, kind, allowed_type) for allowed_type in allowed)
            ):
                self.report(
                    "BPC942",
                    (*path, index),
                    problem=f"'{name}' is of {kind}, and none of {', '.join(map(str, allowed))}",
                )

    # -- what functions name ----------------------------------------------------------------------------------

    def _mentions(self, path: Path) -> None:
        """Report calls that name an input or a node that is not there."""
        inputs = entries(self.template, "inputs")
        for section in _SECTIONS:
            for call, place in calls(self.template.get(section), (*path, section)):
                name, argument = name_of(call)
                if name == "get_input":
                    first = argument[0] if isinstance(argument, list) and argument else argument
                    if isinstance(first, str) and not is_call(first) and first not in inputs:
                        self.report("BPC933", place, what="input", name=first, guess=guess(first, inputs))
                elif name in _PATHS and isinstance(argument, list):
                    owner = (
                        place[2]
                        if len(place) > 2 and place[1] == "node_templates" and "node_filter" not in place
                        else ""
                    )
                    self._follow(name, argument, "" if "relationship" in place else str(owner), place)

    def _follow(self, function: str, steps: list[Any], owner: str, path: Path) -> None:
        """Follow a path through the topology as far as it is known (10.3)."""
        nodes = entries(self.template, "node_templates")
        first = steps[0] if steps else None
        if first in _RELATIVE:
            self.report("BPC940", path, problem=f"a path begins with a node or SELF, not with '{first}'")
            return
        starts = {_SELF, *nodes, *entries(self.template, "relationship_templates")}
        if isinstance(first, str) and not is_call(first) and first not in starts:
            self.report("BPC933", path, what="node", name=first, guess=guess(first, nodes))
            return
        name = owner if first == _SELF else first
        node = nodes.get(name) if isinstance(name, str) else None
        kind = node.get("type") if isinstance(node, dict) else None
        further = steps[1:]
        while further and not isinstance(further[0], str):  # an index of the node
            further = further[1:]
        if (
            not isinstance(kind, str)
            or not further
            or not self.types.is_known("node_types", kind)
            or is_call(further[0])
        ):
            return
        where = {"RELATIONSHIP": "requirements", "CAPABILITY": "capabilities"}.get(further[0])
        if further[0] == "ALL":
            return
        if where:
            members = self.types.rows("node_types", kind, where)
            if len(further) > 1 and isinstance(further[1], str) and further[1] not in members:
                self.report(
                    "BPC933",
                    path,
                    what=f"{where[:-1].replace('ie', 'y')} of {kind}",
                    name=further[1],
                    guess=guess(further[1], members),
                )
            return
        rows = self.types.rows("node_types", kind, "properties")
        if function == "get_attribute":
            rows = {**rows, **self.types.rows("node_types", kind, "attributes")}
        if further[0] not in rows and self.types.complete:
            what = function.removeprefix("get_")
            self.report("BPC933", path, what=f"{what} of {kind}", name=further[0], guess=guess(further[0], rows))
