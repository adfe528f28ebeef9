"""The values of Heat's engine for a template."""

from __future__ import annotations

from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.hot_versions import nearest_version
from bpconvert.translators.comparing.filling import REFUSED_TEXT, as_data, insert, is_plain
from bpconvert.translators.comparing.model import Engine, Side
from bpconvert.translators.hot.capabilities import GROUPS
from bpconvert.translators.hot.functions import Reader, functions_of


class HeatEngine(Engine):
    """Heat."""

    name = "heat"

    def request(self, side: Side) -> dict[str, Any]:
        """Parameters, what is known of the resources, and facts of the stack."""
        world, topology = side.world, side.topology
        attributes: dict[str, dict[str, Any]] = {name: {} for name in topology.nodes}
        reader = Reader(nearest_version(topology.version), declared=topology.inputs, names=topology.nodes)
        asked = [reader.value(side.document.data.get(section)) for section in ("resources", "outputs")]
        attributes_asked = [side.computed(expr) for expr in ex.walk(asked) if isinstance(expr, ex.Attribute)]
        wanted = [
            expr
            for expr in attributes_asked
            if expr is not None and expr.node in attributes and expr.name is not MISSING
        ]
        for expr in sorted(wanted, key=lambda expr: len(expr.keys)):
            value = side.value(expr)
            if is_plain(value) and value is not None:
                grouped = side.topology.nodes[expr.node].source_type in GROUPS.types  # a path goes into each member
                steps = (".".join(map(str, (expr.name, *expr.keys))),) if grouped else (expr.name, *expr.keys)
                insert(attributes[expr.node], steps, value)
        identities = {name: side.identity(node) for name, node in topology.nodes.items()}
        ids = {name: identity if isinstance(identity, str) else f"{name}-id" for name, identity in identities.items()}
        return {
            "parameters": {n: value for n, value in world.inputs.items() if n in topology.inputs and is_plain(value)},
            "resources": {name: {"id": ids[name], "attributes": values} for name, values in attributes.items()},
            "system": {
                "stack_name": world.fact("deployment.name"),
                "stack_id": world.fact("deployment.id"),
                "project_id": world.fact("project.id"),
            },
        }

    def fill(self, data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
        """The resources and outputs that exist, with their values."""
        names = functions_of(nearest_version(side.topology.version))

        def call(value: dict[str, Any]) -> str | None:
            return next((name for name in value if len(value) == 1 and name in names), None)

        data.pop("conditions", None)
        resources = data.get("resources") or {}
        data["resources"] = {}
        for name, computed in answer["resources"].items():
            properties = as_data(computed["properties"], call)
            resource = data["resources"][name] = {**resources[name], "properties": properties}
            resource.pop("condition", None)
            resource.pop("depends_on", None)
            if "metadata" in resource:
                resource["metadata"] = as_data(computed["metadata"], call)
        refused = {row["where"][1] for row in answer.get("errors") or () if row["where"][:1] == ["outputs"]}
        for name, output in (data.get("outputs") or {}).items():
            output.pop("condition", None)
            output_value = answer["outputs"].get(name)
            output["value"] = REFUSED_TEXT if output_value is None and name in refused else as_data(output_value, call)
        return data

    def waits(self, answer: dict[str, Any]) -> dict[str, set[str]]:
        """What each resource waits for, once ids are known: before, Heat takes two unknown ids for the same."""
        return {name: set(computed["needs"]) for name, computed in answer["resources"].items()}
