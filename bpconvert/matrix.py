"""The data behind docs/functions.md, taken from the tables that the conversion itself uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bpconvert.models import expressions as ex
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.cloudify.functions import WRITERS as DSL_WRITERS
from bpconvert.translators.cloudify.rules import RULES
from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS
from bpconvert.translators.hot.rules import RULES as HOT_RULES

#: HOT function -> what it is read into
EXPRESSIONS: dict[str, type[ex.Expr]] = {
    "get_param": ex.Input, "get_resource": ex.Identity, "get_attr": ex.Attribute, "get_file": ex.File,
    "resource_facade": ex.Facade, "list_join": ex.Join, "str_replace": ex.Replace, "str_replace_strict": ex.Replace,
    "str_replace_vstrict": ex.Replace, "str_split": ex.Split, "digest": ex.Digest, "make_url": ex.Url,
    "map_merge": ex.Merge, "map_replace": ex.MapReplace, "list_concat": ex.ListConcat,
    "list_concat_unique": ex.ListConcat, "filter": ex.Filter, "repeat": ex.Repeat, "yaql": ex.Query,
    "contains": ex.Contains, "if": ex.If, "Fn::Join": ex.Join, "Fn::Split": ex.Split, "Fn::Replace": ex.Replace,
    "Fn::Select": ex.Select, "Fn::ResourceFacade": ex.Facade, "Fn::GetAZs": ex.Foreign,
    "Fn::MemberListToMap": ex.Foreign, "Ref": ex.Identity, "equals": ex.Equals, "not": ex.Not, "and": ex.And,
    "or": ex.Or,
}  # fmt: skip
#: functions that are read away
_ELSEWHERE = {"Fn::Base64": "its argument, which it returns unchanged"}
#: expressions that need a running deployment or the cloud to be computed
_NEVER_COMPUTED = (ex.Input, ex.Identity, ex.Attribute, ex.Facade, ex.Foreign)


@dataclass
class FunctionRow:
    """One line of the matrix: a form of a HOT function and what it becomes."""

    name: str
    form: str
    versions: str
    meaning: str
    said: str
    fidelity: str


def function_rows(context: str) -> Iterator[FunctionRow]:
    """The HOT functions of ``context`` (``value`` or ``condition``) in the order of their table."""
    dates = list(VERSIONS)
    for function in FUNCTIONS:
        if function.context != context:
            continue
        until = f" to {dates[dates.index(function.until) - 1]}" if function.until else ""
        said, fidelity = _said(function.name)
        yield FunctionRow(function.name, function.form, f"{function.since}{until}", function.meaning, said, fidelity)


def _said(name: str) -> tuple[str, str]:
    if name in _ELSEWHERE:
        return _ELSEWHERE[name], "exact"
    expression = EXPRESSIONS[name]
    rule = RULES.get(expression)
    computed = not issubclass(expression, _NEVER_COMPUTED)
    if rule is None:
        return ("computed where its arguments are known", "rewritten") if computed else ("carried", "carried")
    return rule.how + ("; computed where its arguments are known" if computed else ""), str(rule.fidelity)


#: functions of the DSL that share an expression
_DSL_EXPRESSIONS: dict[str, type[ex.Expr]] = {
    **{name: expression for expression, (name, _) in DSL_WRITERS.items()},
    **dict.fromkeys(("get_capability", "get_group_capability", "get_environment_capability"), ex.Capability),
}


@dataclass
class DslRow:
    """One function of the DSL and what it becomes in HOT."""

    name: str
    since: str
    when: str
    meaning: str
    said: str
    fidelity: str


def dsl_rows() -> Iterator[DslRow]:
    """The functions of the DSL in the order of their table."""
    for function in DSL_FUNCTIONS.values():
        rule = HOT_RULES[_DSL_EXPRESSIONS[function.name]]
        yield DslRow(function.name, function.since, function.when, function.meaning, rule.how, str(rule.fidelity))
