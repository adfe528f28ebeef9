"""Substitution mappings and workflows of a service template (TOSCA 2.0, chapters 13 and 15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, inside, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import PARAMETERS
from bpconvert.translators.tosca.check.tosca_2_0.derivation import Derivation
from bpconvert.translators.tosca.check.tosca_2_0.forms import UNBOUNDED, is_call, is_count
from bpconvert.translators.tosca.check.tosca_2_0.functions import name_of
from bpconvert.translators.tosca.check.tosca_2_0.interfaces import inputs, parameters, steps
from bpconvert.translators.tosca.check.tosca_2_0.types import NOUNS, definition, is_needed, pairs, refined


class Mappings(Derivation):
    """Checks substitution mappings and workflows. ``template``: the service template."""

    template: Mapping[str, Any]

    # -- substitution -----------------------------------------------------------------------------------------

    def check_mappings(self, data: Mapping[str, Any], path: Path) -> None:
        """Check that everything mapped is there, on both sides."""
        kind = data.get("node_type")
        self.calls.condition(data.get("substitution_filter"), (*path, "substitution_filter"))
        if not isinstance(kind, str) or not self.exists("node_types", kind, (*path, "node_type")):
            return
        is_known = self.types.is_known("node_types", kind) and self.types.complete
        self._properties(kind, data, path, is_known)
        for name, output in entries(data, "attributes").items():
            self._expect("output", output, entries(self.template, "outputs"), (*path, "attributes", name))
        rows = self.types.rows("node_types", kind, "capabilities")
        for name, mapping in entries(data, "capabilities").items():
            place = (*path, "capabilities", name)
            if name not in rows and is_known:
                self.unknown(f"capability of {kind}", name, rows, place)
            self._pair(mapping, "capabilities", place)
        self._mapped_requirements(kind, data, path, is_known)
        rows = self.types.rows("node_types", kind, "interfaces")
        for name, operations in entries(data, "interfaces").items():
            place = (*path, "interfaces", name)
            if name not in rows and is_known:
                self.unknown(f"interface of {kind}", name, rows, place)
                continue
            interface_type = rows.get(name, {}).get("type")
            for operation, workflow in operations.items() if isinstance(operations, dict) else ():
                here = (*place, operation)
                if is_known:
                    declared = steps(self.types, interface_type, "operations")
                    self._expect_step(interface_type, "operations", operation, declared, here)
                self._expect("workflow", workflow, entries(self.template, "workflows"), here)

    def _expect(self, what: str, name: Any, names: Mapping[Any, Any], path: Path) -> None:
        if isinstance(name, str) and not is_call(name) and name not in names:
            self.unknown(what, name, names, path)

    def _properties(self, kind: str, data: Mapping[str, Any], path: Path, is_known: bool) -> None:
        """Properties are mapped to inputs of their type, and every input that needs a value is mapped (15.2)."""
        rows = self.types.rows("node_types", kind, "properties")
        declared = entries(self.template, "inputs")
        for name, mapping in entries(data, "properties").items():
            place = (*path, "properties", name)
            source = mapping[0] if isinstance(mapping, list) and len(mapping) == 1 else mapping
            if isinstance(name, str) and name not in rows and is_known:
                self.unknown(f"property of {kind}", name, rows, place)
            self._expect("input", source, declared, place)
            row, taken = rows.get(name), declared.get(source) if isinstance(source, str) else None
            wanted = definition(taken).get("type") if taken is not None else None
            if row is not None and not self.types.is_of("data_types", row.get("type"), wanted):
                problem = f"'{name}' is of {row.get('type')}, and the input '{source}' of {wanted}"
                self.problem(place, problem, "BPC942")
        values = entries(data, "properties").values()
        mapped = [mapping[0] if isinstance(mapping, list) and mapping else mapping for mapping in values]
        for name, row in declared.items():
            if is_needed(definition(row)) and name not in mapped:
                self.problem(path, f"the input '{name}' needs a value, and no property is mapped to it", "BPC943")

    def _pair(self, mapping: Any, part: str, path: Path) -> None:
        """A node template, and the name of one of its capabilities or requirements."""
        nodes = entries(self.template, "node_templates")
        if not isinstance(mapping, list) or len(mapping) != 2 or not all(isinstance(item, str) for item in mapping):
            self.report("BPC902", path, what="a mapping", wanted="a list of a node and a name", found="something else")
            return
        node, name = mapping
        self._expect("node", node, nodes, path)
        kind = inside(nodes, (node, "type"))
        if isinstance(kind, str) and self.types.is_known("node_types", kind):
            names = self.types.rows("node_types", kind, part)
            if name not in names and self.types.complete:
                self.unknown(f"{NOUNS[part]} of {kind}", name, names, path)

    def _mapped_requirements(self, kind: str, data: Mapping[str, Any], path: Path, is_known: bool) -> None:
        rows = self.types.rows("node_types", kind, "requirements")
        ended: set[Any] = set()
        numbers: dict[Any, int] = {}
        for index, item in enumerate(items(data.get("requirements"))):
            for key, mapping in item.items() if isinstance(item, dict) else ():
                place = (*path, "requirements", index, key)
                name, count = (key[0], key[1]) if isinstance(key, tuple) and len(key) == 2 else (key, 1)
                if name not in rows and is_known:
                    self.unknown(f"requirement of {kind}", name, rows, place)
                if not is_count(count) and count != UNBOUNDED:
                    wanted = "a whole number or UNBOUNDED"
                    self.report("BPC902", place, what="the count of a mapping", wanted=wanted, found=str(count))
                if name in ended:
                    self.problem(place, f"'{name}' is mapped after all of it is mapped (UNBOUNDED)", "BPC943")
                ended |= {name} if count == UNBOUNDED else set()
                numbers[name] = numbers.get(name, 0) + (count if is_count(count) else 0)
                parts = items(mapping)
                several = any(isinstance(part, list) for part in parts)
                several = several and all(isinstance(part, (list, str)) for part in parts)
                for target in parts if several else [mapping]:
                    self._mapped(target, place)
        for name, number in numbers.items():
            limits = rows.get(name, {}).get("count_range")
            most: Any = limits[1] if isinstance(limits, list) and len(limits) == 2 else UNBOUNDED
            if is_count(most) and number > most:
                problem = f"'{name}' is mapped {number} times, and there are {most} at most"
                self.problem((*path, "requirements"), problem, "BPC943")

    def _mapped(self, target: Any, path: Path) -> None:
        """One target of a requirement: a node that is selected, or a requirement of a node that has no target."""
        nodes = entries(self.template, "node_templates")
        if isinstance(target, str):
            self._expect("node", target, nodes, path)
            row = nodes.get(target)
            if isinstance(row, dict) and "select" not in items(row.get("directives")):
                self.problem(path, f"'{target}' has no directive 'select'", "BPC943")
            return
        self._pair(target, "requirements", path)
        first = target[0] if isinstance(target, list) and target else None
        for item in items(inside(nodes, (first, "requirements"))) if isinstance(first, str) else ():
            for name, selection in pairs(item):
                node = selection.get("node") if isinstance(selection, dict) else selection
                if name == target[-1] and isinstance(node, str) and node in nodes:
                    problem = f"the requirement '{name}' of '{target[0]}' has a target already"
                    self.problem(path, problem, "BPC943")

    # -- workflows --------------------------------------------------------------------------------------------

    def check_workflows(self, path: Path) -> None:
        """Check the workflows of the template (13.2)."""
        workflows = entries(self.template, "workflows")
        for name, row in workflows.items():
            place = (*path, name)
            if not isinstance(row, dict) or is_call(row):
                continue
            self.rows(row.get("inputs"), {}, (*place, "inputs"), PARAMETERS)
            self.calls.condition(row.get("precondition"), (*place, "precondition"))
            if "steps" in row and "implementation" in row:
                self.problem((*place, "implementation"), "a workflow has either steps or an implementation")
            self.implementation(row.get("implementation"), (*place, "implementation"))
            taken = parameters(row, "inputs")
            for step, step_row in entries(row, "steps").items():
                if isinstance(step_row, dict):
                    self._step_of(step_row, entries(row, "steps"), (*place, "steps", step), taken)

    def _step_of(
        self, row: Mapping[Any, Any], siblings: Mapping[Any, Any], path: Path, taken: Mapping[str, Any]
    ) -> None:
        nodes = entries(self.template, "node_templates")
        target = row.get("target")
        self._expect("node or group", target, {**nodes, **entries(self.template, "groups")}, (*path, "target"))
        for key in ("on_success", "on_failure"):
            for index, name in enumerate(items(row.get(key))):
                self._expect("step", name, siblings, (*path, key, index))
        node = nodes.get(target) if isinstance(target, str) else None
        kind, relation = inside(node, ("type",)), row.get("target_relationship")
        if isinstance(kind, str) and isinstance(relation, str) and self.types.is_known("node_types", kind):
            requirements = self.types.rows("node_types", kind, "requirements")
            if relation not in requirements:
                self.unknown(f"requirement of {kind}", relation, requirements, (*path, "target_relationship"))
        node = None if "target_relationship" in row else node
        self.activities(row.get("activities"), (*path, "activities"), taken, node)

    def activities(self, written: Any, path: Path, taken: Mapping[str, Any], node: Any) -> None:
        """Check activities. ``taken``: the inputs of their workflow; ``node``: the template that they are about."""
        workflows = entries(self.template, "workflows")
        for index, item in enumerate(items(written)):
            place = (*path, index)
            if not isinstance(item, dict):
                continue
            if len(item) != 1:
                keys = f"one with {len(item)}"
                self.report("BPC902", place, what="an activity", wanted="a map with one key", found=keys)
                continue
            ((key, call),) = item.items()
            if key == "inline":
                called = call.get("workflow") if isinstance(call, dict) else call
                self._expect("workflow", called, workflows, (*place, key))
                wanted = parameters(workflows.get(called), "inputs") if isinstance(called, str) else {}
                self._inputs(wanted, call, (*place, key), taken)
            elif key == "call_operation" and isinstance(node, dict):
                self._operation(call, node, (*place, key), taken)

    def _operation(self, call: Any, node: Mapping[Any, Any], path: Path, taken: Mapping[str, Any]) -> None:
        """A call of an operation: it is there, and its inputs have values of their types (13.2.3.3)."""
        called = call.get("operation") if isinstance(call, dict) else call
        kind = node.get("type")
        if not isinstance(called, str) or not isinstance(kind, str) or not self.types.is_known("node_types", kind):
            return
        name, _, operation = called.rpartition(".")
        rows = self.types.rows("node_types", kind, "interfaces")
        if name not in rows:
            self.unknown(f"interface of {kind}", name or called, rows, path)
            return
        interface_type = rows[name].get("type")
        names = steps(self.types, interface_type, "operations")
        self._expect_step(interface_type, "operations", operation, names, path)
        if operation not in names or not self.types.is_known("interface_types", interface_type):
            return
        wanted = {**inputs(self.types, interface_type)}
        of_type = self._step(interface_type, "operations", operation)["inputs"]
        own = [rows[name], entries(rows[name], "operations").get(operation)]
        for more in (of_type, *(parameters(assignment, "inputs") for assignment in own)):
            for key, row in more.items():
                wanted[key] = refined(wanted.get(key, {}), row)
        assigned = entries(node, "interfaces").get(name)
        for assignment in (assigned, entries(assigned, "operations").get(operation)):
            for key in entries(assignment, "inputs"):
                wanted[key] = {**wanted.get(key, {}), "required": False}
        self._inputs(wanted, call, path, taken)

    def _inputs(self, wanted: Mapping[str, Mapping[Any, Any]], call: Any, path: Path, taken: Mapping[str, Any]) -> None:
        """The values of the inputs of what is called: of their types, and those that are needed are there."""
        values = entries(call, "inputs")
        for key, value in values.items():
            place = (*path, "inputs", key)
            row = wanted.get(key)
            if row is None:
                self.unknown("input", key, wanted, place)
                continue
            source = self._taken(value, taken)
            if source is None:
                self.value(key, value, row, place)
                continue
            if not self.types.is_of("data_types", source.get("type"), row.get("type")):
                problem = f"'{key}' is of {row.get('type')}, and it is given one of {source.get('type')}"
                self.problem(place, problem, "BPC942")
            if is_needed(row) and source.get("required") is False:
                self.problem(place, f"'{key}' is required, and what it is given may not be there", "BPC942")
        for key, row in wanted.items():
            if key not in values and is_needed(row):
                self.report("BPC173", path, owner="the call", name=key)

    def _taken(self, value: Any, taken: Mapping[str, Any]) -> Mapping[Any, Any] | None:
        """The definition of the input that a value is; None for another value."""
        if not is_call(value):
            return None
        name, argument = name_of(value)
        first = argument[0] if isinstance(argument, list) and len(argument) == 1 else argument
        if name != "get_input" or not isinstance(first, str):
            return None
        row = taken.get(first)
        return definition(row) if row is not None else None
