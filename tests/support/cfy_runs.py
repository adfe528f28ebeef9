"""A case of ``corpus/cfy`` with one set of inputs: what to ask the engines, so that both get the same values.

Secrets are the values of the parameters that are named like them. Runtime values are invented alike for both engines:
the id of a resource, the attributes that the catalogue maps by name, and everything that is asked of a stand-in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import yaml
from corpus_cases import Case
from corpus_runs import STACK_ID, STACK_NAME, SYSTEM

from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.calls import called
from bpconvert.yamlio.document import load

STAND_IN: Final = "OS::Heat::None"


@dataclass
class Run:
    """One case with one set of inputs, and what both engines say."""

    case: Case
    number: int
    given: dict[str, Any]
    cloudify: dict[str, Any] = field(default_factory=dict, repr=False)
    heat: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def id(self) -> str:
        return f"{self.case.name}-{self.number}"

    @cached_property
    def source(self) -> dict[str, Any]:
        found: dict[str, Any] = load(self.case.source.read_bytes()).data
        return found

    @cached_property
    def template(self) -> dict[str, Any]:
        path = self.case.target
        return (yaml.safe_load(path.read_bytes()) if path.exists() else None) or {}

    @property
    def has_values(self) -> bool:
        """Both engines computed the values."""
        return not self.case.is_mistake and "outputs" in self.cloudify and bool(self.heat.get("ok"))

    def section(self, name: str) -> dict[str, Any]:
        """A section of the source."""
        return self.source.get(name) or {}

    @cached_property
    def resources(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Node -> name and definition of the resource that it became; one that is named like a parameter is renamed."""
        found = self.template.get("resources") or {}
        pairs = {node: next((n for n in (node, f"{node}_node") if n in found), None) for node in self.nodes()}
        return {node: (name, found[name]) for node, name in pairs.items() if name is not None}

    def nodes(self) -> list[str]:
        """The names of the source's nodes."""
        return [name for name, node in self.section("node_templates").items() if isinstance(node, dict)]

    def kind(self, node: str) -> Kind | None:
        """The kind of the resource that a node became, None for stand-ins and groups."""
        found = self.resources.get(node)
        return builtin().kind_of("hot", str(found[1].get("type"))) if found else None

    @cached_property
    def secrets(self) -> dict[str, Any]:
        """Every secret that the source names."""
        known = self.case.engines.get("cloudify", {}).get("runtime", {}).get("secrets", {})
        names = [first(argument) for name, argument in calls(self.source) if name == "get_secret"]
        return {name: f"SECRET({name})" for name in names if isinstance(name, str)} | known

    @cached_property
    def attributes(self) -> dict[str, dict[str, Any]]:
        """The invented runtime properties of each node, where Heat is given the same."""
        found: dict[str, dict[str, Any]] = {}
        for node, (_, resource) in self.resources.items():
            kind = self.kind(node)
            if kind is not None:
                found[node] = {rule.to: f"{node}.{rule.to}" for rule in kind.attributes.values() if rule.to}
                found[node] |= dict.fromkeys((kind.identity, "id", "external_id"), f"{node}.id")
            elif resource.get("type") == STAND_IN:
                found[node] = {}
        for name, argument in calls(self.source):
            node = first(argument)
            if name != "get_attribute" or not isinstance(node, str) or node not in found or self.kind(node):
                continue
            if argument[1] not in self.properties(node):
                add(found[node], argument[1:], ".".join(map(str, argument)))
        return found

    def properties(self, node: str) -> set[str]:
        """The properties that a node has, also those of types of the source."""
        template = self.section("node_templates")[node]
        found = set(template.get("properties") or {})
        definition = self.section("node_types").get(template.get("type"))
        while definition is not None:
            found |= (definition.get("properties") or {}).keys()
            definition = self.section("node_types").get(definition.get("derived_from"))
        return found

    def heat_resources(self) -> dict[str, Any]:
        """The same values for Heat."""
        result: dict[str, Any] = {}
        for node, values in self.attributes.items():
            name, kind = self.resources[node][0], self.kind(node)
            rules = kind.attributes.items() if kind else ()
            attributes = {heat: values[rule.to] for heat, rule in rules if rule.to} if kind else values
            result[name] = {"id": f"{node}.id", "attributes": attributes}
        return result

    def parameters(self) -> dict[str, Any]:
        """Cloudify's values for the parameters that need one or were given, and the secrets."""
        declared = self.template.get("parameters") or {}
        inputs = {**(self.cloudify.get("inputs") or {}), **self.given}
        wanted = {name for name, schema in declared.items() if name in self.given or schema.get("default") is None}
        values = {name: inputs[name] for name in wanted & inputs.keys() if inputs[name] is not None}
        return {name: self.secrets[name] for name in wanted & self.secrets.keys()} | values


def calls(value: Any) -> Iterator[tuple[str, Any]]:
    """Every call inside of the value: name and argument."""
    if isinstance(value, dict):
        name = called(value)
        if name is not None:
            yield name, value[name]
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from calls(item)


def first(argument: Any) -> Any:
    """The first item of a list, else the argument itself."""
    return argument[0] if isinstance(argument, list) and argument else argument


def add(values: Any, path: list[Any], text: str) -> None:
    """Put ``text`` at the path of nested maps, where nothing is yet and the path is one of keys."""
    if not path or not all(isinstance(step, str) for step in path):
        return
    for step in path[:-1]:
        values = values.setdefault(step, {})
        if not isinstance(values, dict):
            return
    values.setdefault(path[-1], text)


def cloudify_request(run: Run) -> dict[str, Any]:
    """What to ask Cloudify: what is not given is invented, the case has the last word."""
    own = run.case.engines.get("cloudify", {})
    invented = {"sys": SYSTEM} if run.case.is_mistake else {
        "sys": SYSTEM, "secrets": run.secrets, "nodes": run.attributes
    }  # fmt: skip
    return {
        "blueprint": str(run.case.source),
        "inputs": run.given,
        "runtime": {**invented, **own.get("runtime", {})},
        "options": {"synthesize": True, **own.get("options", {})},
    }


def heat_request(run: Run) -> dict[str, Any]:
    """What to ask Heat: unknown types are errors, what is not given is invented, the case has the last word."""
    invented = {} if run.case.is_mistake else {"resources": run.heat_resources()}
    return {
        "template": str(run.case.target),
        "files_root": str(run.case.files),
        "params": {} if run.case.is_mistake else run.parameters(),
        "runtime": {"stack_name": STACK_NAME, "stack_id": STACK_ID, **invented},
        "fake_params": True,
        "fake_attrs": True,
        "strict_types": True,
        **run.case.engines.get("heat", {}),
    }
