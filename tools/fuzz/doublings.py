"""Small documents of which each level has the one before more than once: what takes twice as long with every level,
or has twice as much in it, does so here first."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

#: bytes of the largest document
LARGEST: Final = 10_000

_HOT: Final = "heat_template_version: 2018-08-31\n"
_CFY: Final = "tosca_definitions_version: cloudify_dsl_1_4\nimports: [cloudify/types/types.yaml]\n"
_TOSCA: Final = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
_NET: Final = "resources: {n: {type: OS::Neutron::Net}}\n"
_SLOW: Final = ("(a|aa)+$", "(a+)+b", "a*a*a*a*b", "([a-z]*)*1", "(?:a?){30}a{30}", "^(a|b|ab)*c$")

#: what is put into itself in a query of yaql: a form, and what stands inside
_QUERIES: Final = (
    ("range(190).select({})", "$"), ("range(190).select({}).sum()", "$ + 1"),
    ("range(190).where({}).len() > 1", "$ > 1"),
    ("range(190).selectMany({})", "[1, 2, 3]"), ("range(13).join({}, true, $1)", "range(13)"),
    ("range(190).zip({})", "range(190)"), ("range(190).accumulate({}).len()", "$1 + $2"),
    ("range(190).aggregate({})", "$1 + $2"), ("range(190).toDict($, {})", "$"), ("range(190).groupBy({})", "$"),
    ("range(190).orderBy({}).first()", "-$"), ("range(190).any({})", "false"), ("let(a => {}) -> [$a, $a, $a]", "[1]"),
    ("def(f, {}) -> f() + f()", "1"), ("({}) * 9", "'ab'"), ("({}) * 9", "[1]"),
    ("{}.replace('a', 'aaaaaaaa')", "'aaaa'"),
    ("regex('(a|aa)+$').replace({}, 'aaaa')", "'aaaa!'"), ("({}) =~ 'a*a*b'", "'a' * 900"), ("{} * {}", "9999999999"),
    ("range(190).distinct().select({})", "$"), ("switch({} => 1, true => 2)", "false"), ("{{a => {}, b => {}}}", "1"),
    ("generate(0, $ < 190, {}).len()", "$ + 1"), ("range(190).cycle().take(190).select({})", "$"),
)  # fmt: skip
#: what is put around a value of a template, a blueprint, a service template; ``P``: an input that it has
_HOT_AROUND: Final = (
    lambda v: {"str_replace": {"template": v, "params": {"a": "aaaaaaaaaa"}}},
    lambda v: {"str_replace": {"template": "aaaa", "params": {"a": v}}},
    lambda v: {"str_replace_vstrict": {"template": v, "params": {"a": v}}},
    lambda v: {"list_join": ["", [v, v]]},
    lambda v: {"list_join": [v, ["a", "b", "c", {"get_param": "p"}]]},
    lambda v: {"repeat": {"template": v, "for_each": {"%x%": ["a", "b", "c", "d"]}}},
    lambda v: {"repeat": {"template": v, "for_each": {"%x%": ["a", "b"], "%y%": ["c", "d"]}, "permutations": True}},
    lambda v: {"str_split": ["a", v]},
    lambda v: {"if": ["c", v, v]},
    lambda v: {"map_merge": [{"a": v}, {"b": v}]},
    lambda v: {"map_replace": [{"a": v}, {"values": {"a": "aaaa"}}]},
    lambda v: {"list_concat": [[v], [v, v]]},
    lambda v: {"list_concat_unique": [[v], [v]]},
    lambda v: {"filter": [["a"], [v, v]]},
    lambda v: {"digest": ["md5", {"list_join": ["", [v, v]]}]},
    lambda v: {"contains": [v, [v, v]]},
    lambda v: {"make_url": {"scheme": "http", "host": v, "path": v}},
    lambda v: {"yaql": {"expression": "[$.data, $.data, $.data]", "data": v}},
)
_CFY_AROUND: Final = (
    lambda v: {"concat": [v, v]},
    lambda v: {"merge": [{"a": v}, {"b": v}]},
    lambda v: {"string_replace": [v, "a", "aaaaaaaaaa"]},
    lambda v: {"string_replace": ["aaaa", "a", v]},
    lambda v: {"string_split": [v, "a"]},
    lambda v: {"string_split": [{"concat": [v, ",", v]}, ",", 0]},
    lambda v: {"string_lower": {"concat": [v, v]}},
    lambda v: [v, v],
    lambda v: {"a": v, "b": v},
)
_TOSCA_AROUND: Final = (
    lambda v: {"concat": [v, v]},
    lambda v: {"join": [[v, v], "-"]},
    lambda v: {"token": [{"concat": [v, ",", v]}, ",", 0]},
    lambda v: [v, v],
    lambda v: {"a": v, "b": v},
)
#: a condition from the one before; ``{e}``: a comparison of its own
_CONDITIONS: Final = (
    "{{or: [{c}, {{and: [{c}, {e}]}}]}}", "{{or: [{c}, {{not: {c}}}, {{and: [{c}, {c}]}}]}}",
    "{{or: [{{and: [{c}, {e}]}}, {{and: [{{not: {c}}}, {{not: {e}}}]}}]}}", "{{and: [{c}, {{or: [{e}, {c}]}}]}}",
    "{{not: {{or: [{c}, {e}]}}}}", "{{equals: [{{if: [{c}, a, {{get_param: p}}]}}, {{if: [{c}, b, a]}}]}}",
)  # fmt: skip


def shape(language: str | None, draw: random.Random) -> bytes:
    """A document of a language that has many of one thing in each other, or one after the other."""
    rows = _SHAPES.get(str(language), _SHAPES["hot"])
    made = ""
    for levels in (draw.choice([2, 5, 9, 14, 20, 40, 80]), 12, 6, 3):
        made = draw.choice(rows)(draw, levels)
        if len(made) <= LARGEST:
            break
    return made.encode()


def _nested(around: Any, value: Any, levels: int, draw: random.Random, *, mixed: bool) -> str:
    """A value with much around it, as JSON; as deep as there is room."""
    chosen, made = draw.choice(around), json.dumps(value)
    for _ in range(levels):
        larger = json.dumps((draw.choice(around) if mixed else chosen)(json.loads(made)))
        if len(larger) > LARGEST - 600:
            break
        made = larger
    return made


def _values(head: str, around: Any, value: Any, form: str) -> Callable[[random.Random, int], str]:
    def made(draw: random.Random, levels: int) -> str:
        inner = draw.choice(["a", value])
        return head + form.format(value=_nested(around, inner, levels, draw, mixed=draw.random() < 0.4))

    return made


def _queries(draw: random.Random, levels: int) -> str:
    form, query = draw.choice(_QUERIES)
    for _ in range(levels):
        if len(query) * form.count("{}") > LARGEST // 2:
            break
        query = form.replace("{{", "{").replace("}}", "}").replace("{}", query)
        if draw.random() < 0.3:
            form, _unused = draw.choice(_QUERIES)
    value = json.dumps({"yaql": {"expression": query, "data": draw.choice([{}, "a" * 900, list(range(150))])}})
    return f"{_HOT}outputs: {{o: {{value: {value}}}}}\n{_NET}"


def _chain(draw: random.Random, levels: int) -> str:
    forms = draw.sample(_CONDITIONS, draw.choice([1, 1, 2]))
    several = draw.random() < 0.5
    names = [f"p{n}" for n in range(levels + 1)] if several else ["p"]
    text = f"{_HOT}parameters:\n  p: {{type: string, default: a}}\n"
    text += "".join(f"  {name}: {{type: string, default: a}}\n" for name in names if name != "p")
    text += "conditions:\n  c0: {equals: [{get_param: p}, a]}\n"
    for n in range(1, levels + 1):
        own = f"{{equals: [{{get_param: {names[n] if several else 'p'}}}, v{n}]}}"
        text += f"  c{n}: {draw.choice(forms).format(c=f'c{n - 1}', e=own)}\n"
    where = draw.choice(
        [
            f"resources: {{n: {{type: OS::Neutron::Net, condition: c{levels}}}}}\n",
            f"outputs: {{o: {{value: {{if: [c{levels}, x, y]}}}}}}\n{_NET}",
            "outputs:\n" + "".join(f"  o{n}: {{value: {{if: [c{n}, x, y]}}}}\n" for n in range(levels + 1)) + _NET,
        ]
    )
    return text + where


def _groups(draw: random.Random, levels: int) -> str:
    value = draw.choice(["{type: OS::Neutron::Net}", "{type: OS::Neutron::Net, properties: {name: 'n-%index%'}}"])
    for _ in range(min(levels, 20)):
        kind = draw.choice(["OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup"])
        many = "count: 10, resource_def" if kind.endswith("ResourceGroup") else "min_size: 2, max_size: 9, resource"
        value = f"{{type: {kind}, properties: {{{many}: {value}}}}}"
    return f"{_HOT}resources: {{g: {value}}}\noutputs: {{o: {{value: {{get_attr: [g, refs]}}}}}}\n"


def _slow(draw: random.Random) -> tuple[str, str]:
    return draw.choice(_SLOW), "a" * draw.choice([40, 200]) + draw.choice(["!", "b", ""])


def _hot_patterns(draw: random.Random, levels: int) -> str:
    pattern, text = _slow(draw)
    row = f"{{type: string, default: '{text}', constraints: [{{allowed_pattern: '{pattern}'}}]}}"
    return f"{_HOT}parameters:\n" + "".join(f"  p{n}: {row}\n" for n in range(levels)) + _NET


def _dsl_patterns(draw: random.Random, levels: int) -> str:
    pattern, text = _slow(draw)
    row = f"{{type: string, default: '{text}', constraints: [{{pattern: '{pattern}'}}]}}"
    return (
        f"{_CFY}inputs:\n"
        + "".join(f"  p{n}: {row}\n" for n in range(levels))
        + ("node_templates: {n: {type: cloudify.nodes.Root}}\n")
    )


def _tosca_patterns(draw: random.Random, levels: int) -> str:
    pattern, text = _slow(draw)
    row = f"{{type: string, default: '{text}', constraints: [{{pattern: '{pattern}'}}]}}"
    return (
        f"{_TOSCA}topology_template:\n  inputs:\n"
        + "".join(f"    p{n}: {row}\n" for n in range(levels))
        + ("  node_templates: {n: {type: tosca.nodes.Compute}}\n")
    )


def _doubled(draw: random.Random, levels: int) -> str:
    """Properties, or inputs by default, that each have the one before twice."""
    if draw.random() < 0.5:
        rows = "".join(
            f"  p{n}: {{default: {{concat: [{{get_input: p{n - 1}}}, {{get_input: p{n - 1}}}]}}}}\n"
            for n in range(1, levels + 1)
        )
        return f"{_CFY}inputs:\n  p0: {{default: x}}\n{rows}node_templates: {{n: {{type: cloudify.nodes.Root}}}}\n" + (
            f"outputs: {{o: {{value: {{get_input: p{levels}}}}}}}\n"
        )
    names = ", ".join(f"p{n}: {{default: ''}}" for n in range(levels + 1))
    call = "{{get_property: [n, p{}]}}".format
    rows = ", ".join(f"p{n}: {{concat: [{call(n - 1)}, {call(n - 1)}]}}" for n in range(1, levels + 1))
    return (
        f"{_CFY}node_types: {{t: {{derived_from: cloudify.nodes.Root, properties: {{{names}}}}}}}\n"
        f"node_templates: {{n: {{type: t, properties: {{p0: x, {rows}}}}}}}\n"
        f"outputs: {{o: {{value: {call(levels)}}}}}\n"
    )


def _data_types(head: str, root: str, rest: str) -> Callable[[random.Random, int], str]:
    def made(draw: random.Random, levels: int) -> str:
        rows = "".join(
            f"  d{n}: {{{root}properties: {{a: {{type: d{n + 1}}}, b: {{type: d{n + 1}}}}}}}\n" for n in range(levels)
        )
        last = f"  d{levels}: {{{root}properties: {{x: {{type: string, default: y}}}}}}\n"
        return f"{head}data_types:\n{rows}{last}{rest}"

    return made


def _relationships(draw: random.Random, levels: int) -> str:
    """Ranks of two nodes that each need both of the next one; the last one maybe those of the first."""
    around = draw.random() < 0.5
    kind = draw.choice(["depends_on", "contained_in", "connected_to"])
    text = f"{_CFY}node_templates:\n"
    for n in range(levels):
        needs = [f"{side}{(n + 1) % levels}" for side in "ab"] if around or n + 1 < levels else []
        rows = ", ".join(f"{{type: cloudify.relationships.{kind}, target: {one}}}" for one in needs)
        text += "".join(f"  {side}{n}: {{type: cloudify.nodes.Root, relationships: [{rows}]}}\n" for side in "ab")
    return text


def _ranks(draw: random.Random, levels: int) -> str:
    around, word = draw.random() < 0.5, draw.choice(["dependency", "host"])
    text = f"{_TOSCA}topology_template:\n  node_templates:\n    vm: {{type: tosca.nodes.Compute}}\n"
    for n in range(levels):
        needs = [f"{side}{(n + 1) % levels}" for side in "ab"] if around or n + 1 < levels else []
        rows = ", ".join(["{host: vm}", *(f"{{{word}: {one}}}" for one in needs)])
        text += "".join(
            f"    {side}{n}: {{type: tosca.nodes.SoftwareComponent, requirements: [{rows}]}}\n" for side in "ab"
        )
    return text


def _depends(draw: random.Random, levels: int) -> str:
    around, text = draw.random() < 0.3, f"{_HOT}resources:\n"
    kind = draw.choice(["OS::Neutron::Net", "OS::Heat::Value", "OS::Heat::SoftwareConfig"])
    for n in range(levels):
        needs = [f"{side}{(n + 1) % levels}" for side in "ab"] if around or n + 1 < levels else []
        text += "".join(f"  {side}{n}: {{type: {kind}, depends_on: [{', '.join(needs)}]}}\n" for side in "ab")
    return text


_VALUE: Final = "outputs: {{o: {{value: {value}}}}}\n"
_HOT_REST: Final = (
    "parameters: {{p: {{type: string, default: a}}}}\nconditions: {{c: {{equals: [{{get_param: p}}, a]}}}}\n"
    f"{_VALUE}resources: {{{{n: {{{{type: OS::Neutron::Net}}}}}}}}\n"
)
_SHAPES: Final[dict[str, tuple[Callable[[random.Random, int], str], ...]]] = {
    "hot": (
        *[_values(_HOT, _HOT_AROUND, {"get_param": "p"}, _HOT_REST)] * 3, *[_queries] * 3, *[_chain] * 2,
        _groups, _hot_patterns, _depends,
    ),
    "cloudify": (
        *[_values(_CFY, _CFY_AROUND, {"get_input": "p"}, "inputs: {{p: {{default: a}}}}\n" + _VALUE
                  + "node_templates: {{n: {{type: cloudify.nodes.Root}}}}\n")] * 2,
        _dsl_patterns, _doubled, _relationships,
        _data_types(_CFY, "", "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {p: {type: d0}}}}\n"
                    "node_templates: {n: {type: t}}\n"),
    ),
    "tosca": (
        *[_values(_TOSCA, _TOSCA_AROUND, {"get_input": "p"}, "topology_template:\n  inputs: {{p: {{type: string, "
                  "default: a}}}}\n  " + _VALUE + "  node_templates: {{n: {{type: tosca.nodes.Compute}}}}\n")] * 2,
        _tosca_patterns, _ranks,
        _data_types(_TOSCA, "derived_from: tosca.datatypes.Root, ",
                    "topology_template: {inputs: {i: {type: d0}}, node_templates: {n: {type: tosca.nodes.Compute}}}\n"),
    ),
}  # fmt: skip
