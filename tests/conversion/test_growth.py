"""What is twice as large takes twice as much: calls of functions and memory, for every shape that a document can have.

Calls are counted, not seconds: they are the same on every machine."""

from __future__ import annotations

import gc
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from growing import MOST, calls_in, calls_of

from bpconvert import convert, verify

pytestmark = pytest.mark.one_version

#: bytes that the frames of nested calls may take, which are objects of their own before Python 3.11
FRAMES = 1 << 20
HOT = "heat_template_version: 2018-08-31\n"
NET = "resources: {n: {type: OS::Neutron::Net}}\n"
DSL = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
SERVICE = "tosca_definitions_version: tosca_simple_yaml_1_3\n"


def rows(number: int, row: Callable[[int], str]) -> str:
    return "".join(row(index) for index in range(number))


def conditions(size: int) -> str:
    """Each of the one before and a parameter, in a resource."""
    text = f"{HOT}parameters: {{p: {{type: string, default: a}}}}\nconditions:\n"
    text += "  c0: {equals: [{get_param: p}, a]}\n"
    text += rows(size, lambda i: f"  c{i + 1}: {{or: [c{i}, {{equals: [{{get_param: p}}, v{i}]}}]}}\n")
    return text + f"resources: {{n: {{type: OS::Neutron::Net, condition: c{size}}}}}\n"


def choices(size: int) -> str:
    """``if`` in ``if``, in many outputs."""
    text = f"{HOT}parameters: {{p: {{type: string, default: a}}}}\nconditions:\n"
    text += rows(4, lambda i: f"  c{i}: {{equals: [{{get_param: p}}, v{i}]}}\n") + "outputs:\n"
    value = "{if: [c0, a, {if: [c1, b, {if: [c2, c, {if: [c3, d, e]}]}]}]}"
    return text + rows(size, lambda i: f"  o{i}: {{value: {value}}}\n") + NET


def calls(size: int) -> str:
    """Joins in joins of what is known when deploying."""
    value = "{get_param: p}"
    for level in range(size):
        value = f"{{list_join: ['-', [x{level}, {value}]]}}"
    return f"{HOT}parameters: {{p: {{type: string}}}}\noutputs: {{o: {{value: {value}}}}}\n{NET}"


def loops(size: int) -> str:
    """Loops in loops, of which only the inner ones can be unrolled."""
    value = "[{get_param: p}, '%x%']"
    for _ in range(size):
        value = f"{{repeat: {{template: {value}, for_each: {{'%x%': [a, b]}}}}}}"
    return f"{HOT}parameters: {{p: {{type: string}}}}\noutputs: {{o: {{value: {value}}}}}\n{NET}"


def resources(size: int) -> str:
    kind = "OS::Neutron::Net"
    return f"{HOT}resources:\n" + rows(size, lambda i: f"  n{i}: {{type: {kind}, properties: {{name: a{i}}}}}\n")


def chain(size: int) -> str:
    """Each depends on the one before."""
    text = f"{HOT}resources:\n  n0: {{type: OS::Neutron::Net}}\n"
    return text + rows(size, lambda i: f"  n{i + 1}: {{type: OS::Neutron::Net, depends_on: n{i}}}\n")


def star(size: int) -> str:
    """All depend on one."""
    text = f"{HOT}resources:\n  all: {{type: OS::Neutron::Net}}\n"
    return text + rows(size, lambda i: f"  n{i}: {{type: OS::Neutron::Net, depends_on: all}}\n")


def parameters(size: int) -> str:
    text = f"{HOT}parameters:\n"
    pattern = "{allowed_pattern: '[a-z]+'}"
    text += rows(size, lambda i: f"  p{i}: {{type: string, default: a, constraints: [{pattern}]}}\n")
    text += "outputs:\n" + rows(size, lambda i: f"  o{i}: {{value: {{get_param: p{i}}}}}\n")
    return text + NET


def members(size: int) -> str:
    """A group of many."""
    inner = "{type: OS::Neutron::Net, properties: {name: 'n-%index%'}}"
    group = f"{{type: OS::Heat::ResourceGroup, properties: {{count: {size}, resource_def: {inner}}}}}"
    return f"{HOT}resources: {{g: {group}}}\n"


def groups_in_groups(size: int) -> str:
    """Groups as members of a group that another value names: each is written one by one."""
    net = "{type: OS::Neutron::Net}"
    inner = f"{{type: OS::Heat::ResourceGroup, properties: {{count: 3, resource_def: {net}}}}}"
    group = f"{{type: OS::Heat::ResourceGroup, properties: {{count: {size}, resource_def: {inner}}}}}"
    return f"{HOT}resources: {{g: {group}}}\noutputs: {{o: {{value: {{get_resource: g}}}}}}\n"


def nesting(size: int) -> str:
    """Maps in maps."""
    value = "{a: " * size + "b" + "}" * size
    return f"{HOT}outputs: {{o: {{value: {value}}}}}\n{NET}"


def types(size: int) -> str:
    """Each derived from the one before."""
    text = f"{DSL}node_types:\n  t0: {{derived_from: cloudify.nodes.Root, properties: {{p: {{default: 0}}}}}}\n"
    text += rows(size, lambda i: f"  t{i + 1}: {{derived_from: t{i // 2}, properties: {{p{i}: {{default: {i}}}}}}}\n")
    return text + f"node_templates: {{n: {{type: t{size}}}}}\n"


def relationships(size: int) -> str:
    kind = "cloudify.relationships.depends_on"
    text = f"{DSL}node_templates:\n  n0: {{type: cloudify.nodes.Root}}\n"
    row = f"type: {kind}, target"
    return text + rows(size, lambda i: f"  n{i + 1}: {{type: cloudify.nodes.Root, relationships: [{{{row}: n{i}}}]}}\n")


def groups(size: int) -> str:
    text = f"{DSL}node_templates:\n" + rows(size, lambda i: f"  n{i}: {{type: cloudify.nodes.Root}}\n") + "groups:\n"
    text += rows(size, lambda i: f"  g{i}: {{members: [n{i}]}}\n") + "policies:\n"
    kind = "cloudify.policies.scaling"
    two = "{default_instances: 2}"
    return text + rows(size, lambda i: f"  s{i}: {{type: {kind}, targets: [g{i}], properties: {two}}}\n")


def requirements(size: int) -> str:
    """Software of many ranks, each of two that need both of the next one."""
    text = f"{SERVICE}topology_template:\n  node_templates:\n    vm: {{type: tosca.nodes.Compute}}\n"
    kind = "tosca.nodes.SoftwareComponent"

    def row(i: int) -> str:
        both = "".join(f", {{dependency: {side}{i + 1}}}" for side in "ab") if i + 1 < size else ""
        needs = f"[{{host: vm}}{both}]"
        work = "interfaces: {Standard: {create: go.sh}}"
        return "".join(f"    {side}{i}: {{type: {kind}, requirements: {needs}, {work}}}\n" for side in "ab")

    return text + rows(size, row)


def data_types(size: int) -> str:
    """Each has one of the one before."""
    text = f"{SERVICE}data_types:\n  d0: {{derived_from: tosca.datatypes.Root, properties: {{x: {{type: string}}}}}}\n"
    text += rows(
        size, lambda i: f"  d{i + 1}: {{derived_from: tosca.datatypes.Root, properties: {{x: {{type: d{i // 2}}}}}}}\n"
    )
    nodes = "{vm: {type: tosca.nodes.Compute}}"
    return f"{text}topology_template: {{inputs: {{i: {{type: d{size}}}}}, node_templates: {nodes}}}\n"


def several(number: int) -> str:
    return f"{HOT}parameters:\n" + rows(number, lambda i: f"  p{i}: {{type: string, default: a}}\n") + "conditions:\n"


def chain_of_parameters(size: int) -> str:
    """Conditions of the one before and a parameter of its own, each in an output."""
    text = several(size + 1) + "  c0: {equals: [{get_param: p0}, a]}\n"
    operators = ("or", "and")
    row = "  c{0}: {{{1}: [c{2}, {{equals: [{{get_param: p{0}}}, v]}}]}}\n"
    text += rows(size, lambda i: row.format(i + 1, operators[i % 2], i))
    return text + "outputs:\n" + rows(size, lambda i: f"  o{i}: {{value: {{if: [c{i}, x, y]}}}}\n") + NET


def condition_of_a_chain(size: int) -> str:
    """The last condition of a chain, in one resource."""
    text = chain_of_parameters(size).partition("outputs:")[0]
    return f"{text}resources: {{n: {{type: OS::Neutron::Net, condition: c{size}}}}}\n"


def either(size: int) -> str:
    """Conditions that have the one before and its opposite."""
    text = several(size + 1) + "  c0: {equals: [{get_param: p0}, a]}\n"
    row = "  c{0}: {{or: [{{and: [c{1}, {2}]}}, {{and: [{{not: c{1}}}, {{not: {2}}}]}}]}}\n"
    text += rows(size, lambda i: row.format(i + 1, i, f"{{equals: [{{get_param: p{i + 1}}}, v]}}"))
    return text + "outputs:\n" + rows(size, lambda i: f"  o{i}: {{value: {{if: [c{i}, x, y]}}}}\n") + NET


def choices_in_choices(size: int) -> str:
    """``if`` in ``if``, each by a condition of a chain."""
    value = "z"
    for level in range(size):
        value = f"{{if: [c{level + 1}, x{level}, {value}]}}"
    return f"{chain_of_parameters(size).partition('outputs:')[0]}outputs: {{o: {{value: {value}}}}}\n{NET}"


def choices_in_calls(size: int) -> str:
    """``if`` in ``list_join`` in ``if``."""
    value = "z"
    for level in range(size):
        value = f"{{if: [c{level + 1}, {{list_join: ['-', [{{get_param: p0}}, {value}]]}}, y{level}]}}"
    return f"{chain_of_parameters(size).partition('outputs:')[0]}outputs: {{o: {{value: {value}}}}}\n{NET}"


#: shapes whose results, there and back, are compared in size, which calls do not show
TEXTS = [chain_of_parameters, condition_of_a_chain, either, choices_in_choices, choices_in_calls]

#: shape, its size, source and target; conditions are written in another form from about 100 on
def mixed(size: int) -> str:
    """Lists in maps in lists, around a map that no type fits."""
    value = "{1: a, x: b}"
    for _ in range(size):
        value = f"[{{k: {value}}}]"
    return f"{HOT}resources: {{v: {{type: OS::Heat::Value, properties: {{value: {value}}}}}}}\n"


def negations(size: int) -> str:
    """Conditions that each deny the one before; an output chooses by the last."""
    text = f"{HOT}parameters: {{p: {{type: string, default: a}}}}\nconditions:\n"
    text += "  c0: {equals: [{get_param: p}, a]}\n"
    row = "  c{0}: {{not: {{or: [c{1}, {{equals: [{{get_param: p}}, v]}}]}}}}\n"
    text += rows(size, lambda i: row.format(i + 1, i))
    return f"{text}outputs: {{o: {{value: {{if: [c{size}, x, y]}}}}}}\n{NET}"


def negations_of_nothing(size: int) -> str:
    """The same, of a condition that nobody can compute."""
    return negations(size).replace("c1: {not: {or: [c0,", "c1: {or: {or: [c0,")


def queries(size: int) -> str:
    """Queries of yaql that are computed, each of a list."""
    query = "$.data.where($ > 2).select($ * 2).sum()"
    row = "  o{}: {{value: {{yaql: {{expression: '{}', data: [1, 2, 3, 4, 5]}}}}}}\n"
    return f"{HOT}outputs:\n" + rows(size, lambda i: row.format(i, query)) + NET


def query_of_many(size: int) -> str:
    """One query of yaql, which does one thing for each item."""
    query = f"range({size}).select($ + 1).where($ > 2).orderBy($).sum()"
    return f"{HOT}outputs: {{o: {{value: {{yaql: {{expression: '{query}', data: {{}}}}}}}}}}\n{NET}"


SHAPES: list[tuple[Callable[[int], str], int, str, str]] = [
    *(
        (shape, 120 if shape is conditions else 60, "hot", target)
        for shape in (conditions, choices, resources, chain, star, parameters, members)
        for target in ("cloudify", "tosca")
    ),
    (groups_in_groups, 40, "hot", "cloudify"),
    *((shape, 60, "hot", target) for shape in (negations, negations_of_nothing) for target in ("cloudify", "tosca")),
    *((shape, 20, "hot", target) for shape in (queries, query_of_many) for target in ("cloudify", "tosca")),
    *((shape, 20, "hot", target) for shape in (calls, loops, nesting, mixed) for target in ("cloudify", "tosca")),
    *((shape, 60, "cloudify", target) for shape in (types, relationships, groups) for target in ("hot", "tosca")),
    *((shape, 30, "tosca", target) for shape in (requirements, data_types) for target in ("hot", "cloudify")),
]


def memory_of(text: str, source: str, target: str) -> int:
    """The most memory that a conversion holds at a time.

    Garbage goes soon, which in the tests it does not: collections are frequent, and what the tests hold is no part of
    them (Python collects the oldest generation only where what is new is a quarter of it).
    """
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.set_threshold(700, 10, 10)
    tracemalloc.start()
    try:
        convert(text, source, target)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.set_threshold(*thresholds)


@pytest.mark.parametrize(
    ("shape", "size", "source", "target"), SHAPES, ids=[f"{one.__name__}-{target}" for one, _, _, target in SHAPES]
)
def test_twice_the_size_takes_twice_as_much(
    shape: Callable[[int], str], size: int, source: str, target: str
) -> None:
    convert(shape(2), source, target)  # what is read once, is
    small, large = (calls_of(shape(one), source, target) for one in (size, 2 * size))
    assert large <= MOST * small, f"{large / small:.2f} times as many calls"
    small, large = (memory_of(shape(one), source, target) for one in (size, 2 * size))
    assert large <= max(MOST * small, FRAMES), f"{large / small:.2f} times as much memory"


def test_verifying_twice_as_many_members_takes_twice_as_much() -> None:
    """Members of groups in groups, which have other names in each language."""

    def count(size: int) -> int:
        text = groups_in_groups(size)
        made = convert(text, "hot", "cloudify").text
        return calls_in(lambda: verify(text, made))

    count(2)
    assert count(40) <= MOST * count(20)


@pytest.mark.parametrize("attribute", ["networks, {get_param: net}, 0", "addresses, {get_attr: [s0, name]}, 0, addr"])
def test_verifying_twice_as_many_addresses_takes_twice_as_much(attribute: str) -> None:
    """Each of a server, on a network whose name is computed."""

    def count(size: int) -> int:
        properties = "{image: i, flavor: f, networks: [{network: {get_param: net}}]}"
        text = "\n".join([
            "heat_template_version: 2018-08-31\nparameters: {net: {type: string}}\nresources:",
            *(f"  s{number}: {{type: OS::Nova::Server, properties: {properties}}}" for number in range(size)),
            "outputs:",
            *(f"  o{number}: {{value: {{get_attr: [s{number}, {attribute}]}}}}" for number in range(size)),
        ])  # fmt: skip
        return calls_in(lambda: verify(text, text, draws=1))

    count(2)
    assert count(40) <= MOST * count(20)


def test_an_edit_in_twice_as_many_calls_takes_twice_as_much() -> None:
    """Calls in each other, of which the innermost was edited."""

    def joined(size: int) -> str:
        return "{get_input: p}" if size == 1 else f"{{concat: [{', '.join([joined(size // 2)] * 2)}]}}"

    def count(size: int) -> int:
        inputs = "inputs: {p: {default: a}, q: {default: b}}"
        text = convert(f"{DSL}{inputs}\noutputs: {{o: {{value: {joined(size)}}}}}\n", "cloudify", "tosca").text
        place = text.index("get_input: p", text.index("\n  outputs:"))
        return calls_in(lambda: convert(f"{text[:place]}get_input: q{text[place + 12:]}", "tosca", "cloudify"))

    count(2)
    assert count(256) <= MOST * count(128)


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
@pytest.mark.parametrize("shape", TEXTS)
def test_results_are_as_long_as_their_source(shape: Callable[[int], str], target: str) -> None:
    """There, and on the way back without the kept source."""

    def lengths(size: int) -> tuple[int, int]:
        made = convert(shape(size), "hot", target, carry=False).text
        return len(made), len(convert(made, target, "hot", carry=False).text)

    for small, large in zip(lengths(24), lengths(48), strict=True):
        assert large <= 3 * small
        assert large <= 16 * len(shape(48))


@pytest.mark.parametrize("item", ["'%x%'", "{get_param: p}"])
@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_loops_in_loops(item: str, target: str) -> None:
    """Twelve loops over four items in each other are four to the twelfth copies."""
    value = item
    for _ in range(12):
        value = f"{{repeat: {{template: {value}, for_each: {{'%x%': [a, b, c, d]}}}}}}"
    text = f"{HOT}parameters: {{p: {{type: string}}}}\noutputs: {{o: {{value: {value}}}}}\n{NET}"
    made = convert(text, "hot", target, carry=False).text
    assert len(made) < 400_000
    assert len(convert(made, target, "hot", carry=False).text) < 400_000


def test_conditions_that_ask_for_two_others_each() -> None:
    """Two chains that name each other: each way through them would be two to the eighteenth."""
    text = several(40) + "  a0: {equals: [{get_param: p0}, a]}\n  b0: {equals: [{get_param: p1}, a]}\n"
    first = "  a{0}: {{or: [{{and: [a{1}, {{equals: [{{get_param: p{2}}}, x]}}]}}, b{1}]}}\n"
    second = "  b{0}: {{and: [{{or: [b{1}, {{equals: [{{get_param: p{2}}}, x]}}]}}, a{1}]}}\n"
    text += rows(18, lambda i: first.format(i + 1, i, 2 * i + 2) + second.format(i + 1, i, 2 * i + 3))
    text += "outputs:\n" + rows(19, lambda i: f"  o{i}: {{value: {{if: [a{i}, x, y]}}}}\n") + NET
    convert(text, "hot", "cloudify")
    assert calls_of(text, "hot", "cloudify") < 2_000_000


def test_twice_as_many_imports_take_twice_as_much(tmp_path: Path) -> None:
    def count(number: int) -> int:
        for index in range(number):
            following = f"imports: [f{index + 1}.yaml]\n" if index + 1 < number else ""
            text = f"tosca_definitions_version: cloudify_dsl_1_3\n{following}"
            text += f"node_types: {{t{index}: {{derived_from: cloudify.nodes.Root}}}}\n"
            (tmp_path / f"f{index}.yaml").write_text(text)
        main = tmp_path / "main.yaml"
        main.write_text(f"{DSL.replace('types.yaml]', 'types.yaml, f0.yaml]')}node_templates: {{n: {{type: t0}}}}\n")
        return calls_of(main, "cloudify", "hot")

    count(2)
    assert count(60) <= MOST * count(30)


def test_patterns_of_twice_the_length_take_twice_as_much() -> None:
    def text(size: int) -> str:
        pattern = "(" + "|".join(f"a{index}" for index in range(size)) + ")+"
        value = "".join(f"a{index}" for index in range(4))
        constraint = f"{{allowed_pattern: '{pattern}'}}"
        return f"{HOT}parameters: {{p: {{type: string, default: {value}, constraints: [{constraint}]}}}}\n{NET}"

    convert(text(2), "hot", "cloudify")
    assert calls_of(text(80), "hot", "cloudify") <= MOST * calls_of(text(40), "hot", "cloudify")


def test_archives_of_twice_as_many_files_take_twice_as_much(tmp_path: Path) -> None:
    def archive(size: int) -> Path:
        kind = "tosca.nodes.SoftwareComponent"
        row = "    n{0}: {{type: {1}, requirements: [host: vm], interfaces: {{Standard: {{create: {0}.sh}}}}}}\n"
        text = f"{SERVICE}topology_template:\n  node_templates:\n    vm: {{type: tosca.nodes.Compute}}\n"
        place = tmp_path / f"{size}.csar"
        with zipfile.ZipFile(place, "w") as made:
            made.writestr("s.yaml", text + rows(size, lambda i: row.format(i, kind)))
            for index in range(size):
                made.writestr(f"{index}.sh", "#!/bin/sh\n")
        return place

    convert(archive(2), "tosca", "hot")
    assert calls_of(archive(60), "tosca", "hot") <= MOST * calls_of(archive(30), "tosca", "hot")
