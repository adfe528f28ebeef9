"""Interfaces with their operations and notifications, and artifacts (TOSCA 2.0, chapters 11 and 12)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.definitions import PARAMETERS, Checker
from bpconvert.translators.tosca.check.tosca_2_0.forms import is_call
from bpconvert.translators.tosca.check.tosca_2_0.types import Types, definition, refined

#: keys of an interface with what it can do -> what messages call one
STEPS: Final = {"operations": "operation", "notifications": "notification"}


class Interfaces(Checker):
    """Checks interfaces. ``repositories``: the names of those that the file knows."""

    repositories: frozenset[str] = frozenset()

    def interface_type(self, name: str, row: Mapping[Any, Any], path: Path) -> None:
        """Check an interface type, which has no implementations and no mappings (11.1, 11.4)."""
        parent = row.get("derived_from")
        rules = PARAMETERS._replace(short=False)
        self.rows(row.get("inputs"), inputs(self.types, parent), (*path, "inputs"), rules)
        for key, noun in STEPS.items():
            for step, operation in entries(row, key).items():
                place = (*path, key, step)
                implemented = f"the {noun} '{step}' of an interface type has an implementation"
                if isinstance(operation, str):
                    self.problem(place, implemented)
                if not isinstance(operation, dict) or is_call(operation):
                    continue
                if "implementation" in operation:
                    self.problem((*place, "implementation"), implemented)
                old = self._step(parent, key, step)
                for kind in ("inputs", "outputs"):
                    self.rows(operation.get(kind), old[kind], (*place, kind), rules)
                for output, output_row in entries(operation, "outputs").items():
                    if isinstance(output_row, list) or (isinstance(output_row, dict) and "mapping" in output_row):
                        here = (*place, "outputs", output)
                        self.problem(here, "an output of an interface type is mapped to an attribute")

    def _step(self, kind: Any, key: str, step: str) -> dict[str, dict[str, dict[Any, Any]]]:
        """The parameters of an operation of an interface type with those that it inherits."""
        definitions: dict[str, dict[str, dict[Any, Any]]] = {"inputs": {}, "outputs": {}}
        for ancestor in reversed(self.types.ancestry("interface_types", kind)):
            inherited = entries(self.types.get("interface_types", ancestor) or {}, key).get(step)
            for part, rows in definitions.items():
                for name, row in entries(inherited, part).items():
                    rows[name] = refined(rows.get(name, {}), definition(row))
        return definitions

    def interfaces(self, written: Any, inherited: Mapping[str, Mapping[Any, Any]], path: Path, only: str = "") -> None:
        """Check the interface definitions of a type. ``only``: what has those that can be refined, "" for new ones."""
        for name, row in entries({"": written}, "").items():
            place = (*path, name)
            if not isinstance(row, dict) or is_call(row):
                continue
            old = inherited.get(name)
            kind = row.get("type", (old or {}).get("type"))
            if old is None and only:
                self.problem(place, f"{only} has no interface '{name}' that could be refined", "BPC913")
            elif kind is None:
                self.lacking(place, "a new interface definition", "type")
            elif isinstance(kind, str) and self.exists("interface_types", kind, type_place(row, place)):
                self.derived("interface_types", row.get("type"), (old or {}).get("type"), (*place, "type"))
                self._definition(kind, row, place)

    def _definition(self, kind: str, row: Mapping[Any, Any], path: Path) -> None:
        self.rows(row.get("inputs"), inputs(self.types, kind), (*path, "inputs"), PARAMETERS)
        for key in STEPS:
            step_names = steps(self.types, kind, key)
            for step, written in entries(row, key).items():
                place = (*path, key, step)
                self._expect_step(kind, key, step, step_names, place)
                if isinstance(written, dict) and not is_call(written):
                    old = self._step(kind, key, step)
                    for part in ("inputs", "outputs"):
                        self.rows(written.get(part), old[part], (*place, part), PARAMETERS)
                    self.implementation(written.get("implementation"), (*place, "implementation"))

    def _expect_step(self, kind: Any, key: str, step: str, names: set[str], path: Path) -> None:
        if step not in names and self.types.is_known("interface_types", kind):
            self.unknown(f"{STEPS[key]} of {kind}", step, names, path)

    # -- assignments ------------------------------------------------------------------------------------------

    def assigned(self, section: str, owner: str, template: Mapping[Any, Any], path: Path) -> None:
        """Check the interface assignments of a template, whose type ``owner`` is in a section."""
        definitions = self.types.rows(section, owner, "interfaces")
        for name, row in entries(template, "interfaces").items():
            place = (*path, "interfaces", name)
            if name not in definitions:
                self.unknown(f"interface of {owner}", name, definitions, place)
                continue
            kind = definitions[name].get("type")
            if not isinstance(kind, str) or not isinstance(row, dict):
                continue
            rows = {**inputs(self.types, kind), **parameters(definitions[name], "inputs")}
            self.values_of(row.get("inputs"), rows, (*place, "inputs"))
            for key in STEPS:
                steps_known = steps(self.types, kind, key)
                for step, step_row in entries(row, key).items():
                    here = (*place, key, step)
                    self._expect_step(kind, key, step, steps_known, here)
                    if isinstance(step_row, dict) and not is_call(step_row):
                        own = parameters(entries(definitions[name], key).get(step), "inputs")
                        rows = {**self._step(kind, key, step)["inputs"], **own}
                        self.values_of(step_row.get("inputs"), rows, (*here, "inputs"))
                        self.implementation(step_row.get("implementation"), (*here, "implementation"))

    def values_of(self, written: Any, rows: Mapping[str, Mapping[Any, Any]], path: Path) -> None:
        """Check the values of parameters; others may be given as well (11.3, 11.5)."""
        for name, value in entries({"": written}, "").items():
            if "value" in rows.get(name, {}):
                self.report("BPC923", (*path, name), name=name, owner="the definition")
            elif name in rows:
                self.value(name, value, rows[name], (*path, name))

    # -- artifacts --------------------------------------------------------------------------------------------

    def implementation(self, written: Any, path: Path) -> None:
        """Check the artifacts of an implementation."""
        if not isinstance(written, dict) or is_call(written):
            return
        self.artifact(written.get("primary"), (*path, "primary"))
        for index, dependency in enumerate(items(written.get("dependencies"))):
            self.artifact(dependency, (*path, "dependencies", index))

    def artifact(self, written: Any, path: Path, old: Any = None) -> None:
        """Check an artifact definition. ``old``: the one of that name that it replaces: nothing of it is inherited."""
        if not isinstance(written, dict) or is_call(written):
            return
        for key in ("type", "file"):
            if key not in written and isinstance(old, dict) and key in old:
                self.problem(path, f"'{key}' is not inherited from the artifact of the type", "BPC940")
            elif key not in written:
                self.lacking(path, "an artifact definition", key)
        kind, repository = written.get("type"), written.get("repository")
        if isinstance(kind, str) and self.exists("artifact_types", kind, (*path, "type")):
            rows = self.types.rows("artifact_types", kind, "properties")
            properties = {key: value for key, value in entries(written, "properties").items() if key in rows}
            place = (*path, "properties") if "properties" in written else path
            needed = self.types.is_known("artifact_types", kind)
            self.report_mistakes(self.values.assigned(kind, properties, rows, place, needed), place)
        if isinstance(repository, str) and repository not in self.repositories and self.types.complete:
            self.unknown("repository", repository, self.repositories, (*path, "repository"))
        if "checksum" in written and "checksum_algorithm" not in written:
            self.lacking(path, "an artifact with a checksum", "checksum_algorithm")


def type_place(row: Mapping[Any, Any], path: Path) -> Path:
    """The place of the type of what stands at ``path``, which may have it from elsewhere."""
    return (*path, "type") if "type" in row else path


def parameters(written: Any, key: str) -> dict[str, dict[Any, Any]]:
    """The parameters that an interface or an operation defines, in their long form."""
    return {name: definition(row) for name, row in entries(written, key).items() if isinstance(name, str)}


def inputs(types: Types, kind: Any) -> dict[str, dict[Any, Any]]:
    """The inputs of an interface type with those that it inherits."""
    return types.rows("interface_types", kind, "inputs")


def steps(types: Types, kind: Any, key: str) -> set[str]:
    """The names of the operations or notifications of an interface type with those that it inherits."""
    ancestry = types.ancestry("interface_types", kind)
    return {str(step) for ancestor in ancestry for step in entries(types.get("interface_types", ancestor) or {}, key)}
