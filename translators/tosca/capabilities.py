"""What TOSCA can express."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.passes.capabilities import Capabilities, Vocabulary
from bpconvert.translators.tosca import DIALECT, functions, versions
from bpconvert.translators.tosca.programs import SOFTWARE
from bpconvert.translators.tosca.vocabulary import COLUMN, node_type

_NAMES: Final[dict[type[Expr], str]] = {ex.Replace: "concat", ex.AttributeList: "get_attribute"}
_POLICIES: Final[Path] = ("policies",)


class _ToscaVocabulary(Vocabulary):
    def entry(self, path: Path) -> Path:
        """A list of policies is one entry."""
        return path[:1] if path[:1] == _POLICIES and len(path) > 2 else super().entry(path)

    def called(self, data: Any) -> str | None:
        return functions.called(data)

    def name(self, expr: Expr) -> str:
        writer = functions.WRITERS.get(type(expr))
        return writer[0] if writer else _NAMES.get(type(expr), super().name(expr))

    def obstacle(self, expr: ex.Foreign) -> str:
        of_2_0 = expr.dialect == DIALECT and expr.name.startswith(versions.version(versions.VERSION_2_0).prefix)
        if of_2_0:
            return f"only a TOSCA orchestrator computes '{expr.name}'"
        is_property = (expr.dialect, expr.name) == (DIALECT, "get_property")
        return "the property has no value in the service template" if is_property else ""

    def written(self, value: Value) -> Any:
        return functions.write_value(value)

    def inputs_in(self, data: Any) -> Iterator[Any]:
        return functions.inputs_of(functions.calls_in(data))


WORDS: Final = _ToscaVocabulary(
    {"version": "tosca_definitions_version", "nodes": "node_templates"},
    {"depends_on": "requirements", "operations": "interfaces"},
    "imports",
    frozenset({"properties", "value", "inputs", "interfaces", "default", "operations"}) | functions.FUNCTIONS.keys(),
    functions.FUNCTIONS.keys() | {versions.version(versions.VERSION_2_0).prefix + name for name in functions.FUNCTIONS},
    connecting="relationship_templates",
    joins={
        prefix + name: place
        for prefix in ("", versions.version(versions.VERSION_2_0).prefix)
        for name, place in (("concat", None), ("join", -1))
    },
)


#: engine of whose resources the types are named -> its language
_NAMED: Final = {"heat": COLUMN}


def _borrows(engine: str, type: str) -> str:
    """A node can be of each type of an engine that has a name here."""
    return _NAMED.get(engine, "") if node_type(type) is not None else ""


CAPABILITIES: Final = Capabilities(
    "TOSCA",
    references="relationships",
    programs=SOFTWARE,
    nesting="types",
    language=DIALECT,
    defines_types=True,
    has_type=lambda type: type in normative()["node_types"],
    describes=True,
    names_properties=True,
    words=WORDS,
    keeps=frozenset({"addresses of machines"}),
    playbooks_only=frozenset({"opera"}),
    borrows=_borrows,
)
