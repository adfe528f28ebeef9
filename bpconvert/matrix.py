"""The data behind docs/functions.md and docs/types.md, taken from the tables that the conversion itself uses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from bpconvert.models import expressions as ex
from bpconvert.translators.cloudify.functions import FUNCTIONS as DSL_FUNCTIONS
from bpconvert.translators.cloudify.functions import WRITERS as DSL_WRITERS
from bpconvert.translators.cloudify.rules import RULES
from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS
from bpconvert.translators.hot.rules import RULES as HOT_RULES
from bpconvert.translators.types import Kind, Only, PropertyRule, builtin

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


@dataclass
class PropertyRow:
    """One property of a type and where it goes."""

    name: str
    said: str


def kinds() -> list[Kind]:
    """All kinds of the catalogue, by the name of their Heat type."""
    found = (builtin().kind(name) for name in set(builtin().heat_types().values()))
    return sorted((kind for kind in found if kind is not None), key=lambda kind: kind.heat[0])


def property_rows(kind: Kind) -> Iterator[PropertyRow]:
    """The properties of a kind, those inside lists and maps below their own."""
    for old, name in kind.aliases.items():
        yield PropertyRow(old, f"as `{name}`")
    for name, rule in kind.properties.items():
        yield PropertyRow(name, _property(rule))
        for inner, part in rule.each.items():
            yield PropertyRow(f"{name}[].{inner}", _property(part))


def _property(rule: PropertyRule) -> str:
    if rule.carry:
        return f"no counterpart: {rule.carry}"
    parts = []
    if rule.lift:
        parts.append(f"a reference is relationship `{rule.lift.relationship.rsplit('.', 1)[-1]}`")
    if rule.flatten:
        parts.append(f"its keys go into `{rule.flatten}`")
    elif rule.to:
        parts.insert(0, f"`{rule.to}`")
    elif rule.hook:
        parts.append("taken apart")
    if rule.lookup:
        parts.append("an id, Heat also takes a name")
    if rule.default is not None:
        parts.append(f"Heat's default `{rule.default}` is written")
    parts += [text for text in (rule.note, rule.lifted_note) if text]
    return "; ".join(parts)


# -- the way back: from Cloudify to Heat ----------------------------------------------------------------------

#: hook of ``translators/cloudify/runtime.py`` -> what it reads, where that is no attribute of the same name
_ANSWERS = {
    "server_ip": "the first address",
    "floating_address": "the address of the connected floating IP",
    "server_address": "the first address of this version",
    "server_name": "the name",
    "address_of_interface": "the addresses of the interfaces",
    "port_address": "the first address of this version",
    "port_addresses": "the addresses of this version",
}


@dataclass
class BackRow:
    """One thing of a blueprint and what it becomes."""

    name: str
    said: str


def node_types(kind: Kind) -> list[str]:
    """The node types that are read as a kind, in the order of the catalogue."""
    return [name for name, owner in builtin().cloudify_types().items() if owner == kind.kind]


def type_rows() -> Iterator[BackRow]:
    """Every node type of the catalogue and its type in Heat; then those that are not converted."""
    for name, owner in builtin().cloudify_types().items():
        kind = builtin().kind(owner)
        if kind is not None:
            yield BackRow(name, f"[{kind.heat[0]}](#{kind.kind})")
    for name, heat in builtin().heat_names.items():
        yield BackRow(name, f"not converted: a stand-in; Heat has {heat}")


def back_kinds() -> list[Kind]:
    """The kinds that only blueprints have."""
    found = (builtin().kind(name) for name in builtin().back_types().values())
    return [kind for kind in found if kind is not None]


def relationship_rows(kind: Kind) -> Iterator[BackRow]:
    """The relationships of a node of this kind that are more than order."""
    for name, rule in kind.properties.items():
        for key, part in ((None, rule), *rule.each.items()):
            if part.lift is not None:
                place = name if key is None else f"{name}[].{key}"
                short = part.lift.relationship.rsplit(".", 1)[-1]
                yield BackRow(short, f"to {_either(part.lift.targets)}: property `{place}`")
    for split in builtin().splits:
        made = builtin().kind(split.kind)
        if split.source == kind.kind and made is not None:
            yield BackRow(split.relationship, f"to {_either([split.target])}: a resource, {made.heat[0]}")
    for short in sorted(builtin().without_effect):
        if short.startswith(f"{kind.kind}_"):
            yield BackRow(short, "order only")


def _either(names: list[str]) -> str:
    return " or ".join(f"`{name}`" for name in names)


def only_rows(kind: Kind) -> Iterator[BackRow]:
    """The properties of a kind that only Cloudify has."""
    for path, row in {**kind.only, **common_only(kind)}.items():
        ignored = f" ({', '.join(map(_shown, row.ignore))}: nothing to tell)" if row.ignore else ""
        yield BackRow(path, f"{'told' if row.harmless else 'a warning'}: {row.why}{ignored}")


def common_only(kind: Kind) -> dict[str, Only]:
    """Properties that all node types of the OpenStack plugin have and Heat has not."""
    return {} if kind.cloudify is None or kind.cloudify.plain else builtin().only


def _shown(value: object) -> str:
    return f"`{json.dumps(value)}`"


def runtime_rows(kind: Kind) -> Iterator[BackRow]:
    """The runtime properties of a kind that Heat answers, by their names in a blueprint."""
    if kind.cloudify is not None and not kind.cloudify.plain:
        yield BackRow(kind.identity, "`get_resource`")
    rows = {
        runtime: f"attribute `{name}`"
        for name, rule in kind.attributes.items()
        for runtime in (rule.to, *rule.accept)
        if runtime
    }
    rows |= {runtime: _ANSWERS.get(hook, hook.replace("_", " ")) for runtime, hook in kind.answers.items()}
    yield from (BackRow(*row) for row in rows.items() if row[0] != kind.identity)
