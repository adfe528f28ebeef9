"""What Cloudify's DSL can express."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Foreign, Value
from bpconvert.translators.catalogue.schemas import library
from bpconvert.translators.cloudify import calls, functions, vocabulary
from bpconvert.translators.cloudify.calls import DIALECT, GROUP_NAME, TYPED
from bpconvert.translators.cloudify.programs import SOFTWARE
from bpconvert.translators.evaluate import plain
from bpconvert.translators.passes.capabilities import Capabilities, Vocabulary

#: expressions that several functions make, or none by itself
_NAMES: Final[dict[type[Expr], str]] = {
    ex.Capability: "get_capability",
    ex.Replace: "string_replace",
    ex.Join: "concat",
}


#: functions of TOSCA that the DSL does not have: in a blueprint they are data that is meant as a call
_TOSCA: Final = frozenset({"get_artifact", "get_nodes_of_type", "get_operation_output", "token"})


class _CloudifyVocabulary(Vocabulary):
    def legal(self, name: str) -> str:
        return vocabulary.legal(name)

    def called(self, data: Any) -> str | None:
        return calls.called(data)

    def name(self, expr: Expr) -> str:
        writer = functions.WRITERS.get(type(expr))
        return writer[0] if writer else _NAMES.get(type(expr), super().name(expr))

    def written(self, value: Value) -> Any:
        try:
            return functions.write_value(value)
        except (functions.Inexpressible, KeyError, TypeError) as wrong:
            raise ValueError(str(wrong)) from wrong

    def annotated(self, expr: Foreign) -> tuple[Value, str] | None:
        return expr.argument if (expr.dialect, expr.name) == (DIALECT, TYPED) else None

    def obstacle(self, expr: Foreign) -> str:
        by_name = (expr.dialect, expr.name) == (DIALECT, GROUP_NAME)
        return "it is the name of a security group, and Neutron takes only the id here" if by_name else ""

    def inputs_in(self, data: Any) -> Iterator[Any]:
        waiting = [data] if isinstance(data, (dict, list)) else []
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict) and len(part) == 1 and "get_input" in part:
                argument = part["get_input"]
                yield argument[0] if isinstance(argument, list) and argument else argument
            inner = part.values() if isinstance(part, dict) else part
            waiting += [item for item in inner if isinstance(item, (dict, list))][::-1]


WORDS: Final = _CloudifyVocabulary(
    {"version": "tosca_definitions_version", "nodes": "node_templates"},
    {"label": "display_label", "depends_on": "relationships", "operations": "interfaces"},
    "imports",
    frozenset({"properties", "value", "inputs", "interfaces", "default", "resource_config", "kwargs", "args"})
    | functions.FUNCTIONS.keys(),
    functions.FUNCTIONS.keys() | _TOSCA | plain.KEYS | {f"${ex.Query.__name__}"},
    joins={"concat": None},
)


CAPABILITIES: Final = Capabilities(
    "Cloudify",
    references="relationships",
    software="operations",
    groups="scaling",
    nesting="components",
    # cloudify_types: password_secret names the secret after the node
    shared_by_instances={"random_string": "all instances of one node have the same secret"},
    programs=SOFTWARE,
    language=DIALECT,
    defines_types=True,
    has_type=lambda type: type in library("core")["node_types"],
    names_properties=True,
    # dsl_parser/functions.py: GetInput._get_input_attribute
    whole_numbers=True,
    parts_exist=True,
    computes_defaults=True,
    words=WORDS,
    keeps=frozenset({"software nodes", "software properties"}),
    started=vocabulary.BUILT_IN,
)
