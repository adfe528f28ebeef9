"""The data behind docs/functions.md, taken from the tables that the conversion itself uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from corpus_examples import PSEUDO, Example, examples, expressions_in, fidelity

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.cloudify.functions import WRITERS as DSL_WRITERS
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS
from bpconvert.translators.hot.write.rules import RULES as HOT_RULES
from bpconvert.translators.tosca.functions import FUNCTIONS as TOSCA_FUNCTIONS
from bpconvert.translators.tosca.functions import WRITERS as TOSCA_WRITERS
from bpconvert.translators.tosca.write.rewriter import RULES as TOSCA_RULES

#: functions that are read away
_ELSEWHERE = {"Fn::Base64": "its argument, which it returns unchanged"}


class FunctionRow(NamedTuple):
    """A form of a HOT function and the versions that have it."""

    name: str
    form: str
    versions: str
    meaning: str


class MatrixRow(NamedTuple):
    """One line of the matrix: a function, what it becomes at best, in TOSCA as well, and a cell for each form; "" where
    there is none."""

    name: str
    result: str
    in_tosca: str
    cells: list[str]


#: the columns of each table: forms of a call
VALUE_FORMS: Final = ("directly", "in other words", "computed", "nearly", "by a node", "asked for", "as text")
CONDITION_FORMS: Final = (*VALUE_FORMS, "always")
DSL_FORMS: Final = ("directly", "in other words", "computed", "nearly", "asked for", "as data", "as text")


#: findings of calls, and of resources with a condition, that a rule rewrites
_BY_RULE: Final = frozenset({"BPC223", "BPC402"})


class Cells:
    """The cells of the matrix for the cases in one folder of the corpus; each links to a case that shows it."""

    def __init__(self, root: Path, folder: str) -> None:
        self.folder = folder
        self.found = examples(root, folder)
        #: function -> what its calls are read into
        self.expressions = expressions_in(root) if folder == "hot" else {}

    def row(self, function: str, context: str, forms: Sequence[str]) -> list[str]:
        """A cell for each form; "" where no call has it."""
        own = [one for one in self.found if (one.function, one.context) == (function, context)]
        return [self._cell([one for one in own if one.form == form], form) for form in forms]

    def are_rewritten(self, function: str, context: str) -> bool:
        """True if a case shows a call that a rule writes in other words, not only one that is computed."""
        own = [one for one in self.found if (one.function, one.context) == (function, context)]
        return any(one.form == "nearly" or one.code in _BY_RULE for one in own)

    def _cell(self, found: list[Example], form: str) -> str:
        if not found:
            return ""
        if form != "nearly":
            best = _best(found)
            return self._link(fidelity(form, best.code), best)
        codes = sorted({str(one.code) for one in found})
        links = [self._link(code, _best([one for one in found if one.code == code])) for code in codes]
        return f"{fidelity(form, codes[0])}: {', '.join(links)}"

    def _link(self, text: str, example: Example) -> str:
        return f"[{text}](../corpus/{self.folder}/{example.case})"


def _best(found: list[Example]) -> Example:
    """The one of a case that is named for the function, else of the smallest that shows nothing else."""
    named = [one for one in found if one.case.startswith(one.function.lower().replace("_", "-"))]
    plain = [one for one in found if not one.case.startswith("option-")]
    return min(named, key=lambda one: len(one.case)) if named else (plain or found)[0]


def pseudo_cells(cells: Cells) -> dict[str, str]:
    """Pseudo parameter -> the link that shows what becomes of it."""
    rows = {name: cells.row(name, "value", ("directly", "nearly")) for name in PSEUDO}
    return {name: next(filter(None, row), "") for name, row in rows.items()}


def function_rows() -> Iterator[FunctionRow]:
    """The forms of the HOT functions, those of conditions too, in the order of their table."""
    dates = list(VERSIONS)
    for function in FUNCTIONS:
        until = f" to {dates[dates.index(function.until) - 1]}" if function.until else ""
        meaning = f"in conditions: {function.meaning}" if function.context == "condition" else function.meaning
        yield FunctionRow(function.name, function.form, f"{function.since}{until}", meaning)


def hot_rows(cells: Cells, context: str) -> Iterator[MatrixRow]:
    """The HOT functions of ``context`` (``value`` or ``condition``) and what they become in a blueprint."""
    forms = CONDITION_FORMS if context == "condition" else VALUE_FORMS
    for name in dict.fromkeys(function.name for function in FUNCTIONS if function.context == context):
        row = cells.row(name, context, forms)
        rule = RULES.get(cells.expressions.get(name, ex.Expr))
        cell = dict(zip(forms, row, strict=True))
        is_rewritten = rule is not None and (rule.fidelity is Fidelity.EXACT or cells.are_rewritten(name, context))
        known = "its result, as far as that is known" if cell["computed"] else "no counterpart"
        result = _ELSEWHERE.get(name) or (rule.how if rule and is_rewritten else known)
        yield MatrixRow(name, result, _ELSEWHERE.get(name) or in_tosca(cells.expressions.get(name), context), row)


def in_tosca(expression: type[ex.Expr] | None, context: str = "value") -> str:
    """What a call that is read into such an expression is in a service template."""
    if context == "condition":
        return "kept in the metadata"
    rule = TOSCA_RULES.get(expression or ex.Expr)
    return "its result, as far as that is known" if rule is None else rule.how


#: functions of the DSL that share an expression
_DSL_EXPRESSIONS: dict[str, type[ex.Expr]] = {
    **{name: expression for expression, (name, _) in DSL_WRITERS.items()},
    **dict.fromkeys(("get_capability", "get_group_capability", "get_environment_capability"), ex.Capability),
}


class DslRow(NamedTuple):
    """One function of the DSL: when there is one, when it is evaluated, what it means."""

    name: str
    since: str
    when: str
    meaning: str


def dsl_functions() -> Iterator[DslRow]:
    """The functions of the DSL in the order of their table."""
    for function in DSL_FUNCTIONS.values():
        yield DslRow(function.name, function.since, function.when, function.meaning)


def dsl_rows(cells: Cells) -> Iterator[MatrixRow]:
    """The functions of the DSL and what they become in HOT."""
    for name in DSL_FUNCTIONS:
        expression = _DSL_EXPRESSIONS[name]
        yield MatrixRow(name, HOT_RULES[expression].how, in_tosca(expression), cells.row(name, "value", DSL_FORMS))


class ToscaRow(NamedTuple):
    """One function of TOSCA: since when there is one, its argument, what it means, and what it becomes."""

    name: str
    since: str
    form: str
    meaning: str
    in_hot: str
    in_a_blueprint: str


#: functions that are read into what depends on their arguments
_READ_AWAY: Final = {
    "get_operation_output": ("an attribute of the deployment of the operation", "an attribute of the node"),
    "get_artifact": ("the text of the file", "the text of the file"),
    "get_nodes_of_type": ("no counterpart", "no counterpart"),
    "get_property": ("the property's value", "the property's value"),
    "token": ("`str_split` of a value known when deploying", "`string_split` of a value known when deploying"),
}


def tosca_rows() -> Iterator[ToscaRow]:
    """The functions of TOSCA and what they become."""
    expressions = {name: expression for expression, (name, _) in TOSCA_WRITERS.items()}
    for function in TOSCA_FUNCTIONS.values():
        expression = expressions.get(function.name, ex.Expr)
        both = _READ_AWAY.get(function.name) or (HOT_RULES[expression].how, RULES[expression].how)
        yield ToscaRow(function.name, function.since, function.form, function.meaning, *both)
