"""Policies as written: their calls read, completed with the defaults of their types, groups as their members."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.plain import tosca
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import POLICY, Types
from bpconvert.translators.tosca.template_metadata import NODE_KEY


@dataclass(eq=False, repr=False)
class Policy:
    """A policy as written, its calls read, with the defaults of its types. ``targets``: nodes, those of groups as
    well; ``ancestry``: its type, the type's parent, ..."""

    name: str
    ancestry: list[str]
    properties: dict[str, Value]
    targets: list[str]
    path: Path
    triggers: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Policy({self.name!r})"


class PolicyReader:
    """Reads the policies of a service template. ``used``: the groups that are targets."""

    def __init__(self, template: tosca.ServiceTemplate, types: Types, reading: Reading) -> None:
        self.template = template
        self.types = types
        self.reading = reading
        self.used: set[str] = set()

    def policies(self) -> list[Policy]:
        written, policies_read = self.template.policies, []
        rows: list[tuple[Path, Any]] = []
        if isinstance(written, dict):
            rows = [(("policies", name), (name, row)) for name, row in written.items()]
        for index, entry in enumerate(written if isinstance(written, list) else ()):
            if isinstance(entry, dict):
                rows += [(("policies", index, name), (name, row)) for name, row in entry.items()]
        for path, (name, row) in rows:
            if isinstance(row, dict) and isinstance(row.get("type"), str):
                policies_read.append(self._policy(str(name), row, path))
            else:
                self.reading.findings.report("BPC120", path, problem=f"policy '{name}' has no type")
        return policies_read

    def _policy(self, name: str, row: dict[str, Any], path: Path) -> Policy:
        ancestry = self.types.ancestry(POLICY, row["type"])
        properties = {
            key: self.reading.value(definition["default"], (*place, "default"))
            for key, (definition, place) in self.types.properties(POLICY, ancestry[0]).items()
            if "default" in definition
        }
        kept = entries(self.reading.kept_in(row.get("metadata"), NODE_KEY, path), "properties")
        properties |= self.reading.values(row.get("properties"), (*path, "properties"), kept)
        properties = {key: value for key, value in properties.items() if value is not None}
        targets = row.get("targets") or properties.pop("targets", None)
        triggers = row.get("triggers")
        policy = Policy(name, ancestry, properties, [], path, triggers if isinstance(triggers, dict) else {})
        for target in targets if isinstance(targets, list) else ():
            group = self.template.groups.get(target) if isinstance(target, str) else None
            if group is not None:
                self.used.add(target)
            members = [target] if group is None else [*(group.members or ()), *(group.targets or ())]
            policy.targets += [member for member in members if isinstance(member, str) and member not in policy.targets]
        return policy
