"""What is twice as large takes twice as much: calls of functions and memory, for every shape that a document can have.

Calls are counted, not seconds: they are the same on every machine."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from bpconvert import convert

#: how much more a document of twice the size may take: what is done once per document counts for less
MOST = 2.3
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


#: shape, its size, source and target; conditions are written in another form from about 100 on
def mixed(size: int) -> str:
    """Lists in maps in lists, around a map that no type fits."""
    value = "{1: a, x: b}"
    for _ in range(size):
        value = f"[{{k: {value}}}]"
    return f"{HOT}resources: {{v: {{type: OS::Heat::Value, properties: {{value: {value}}}}}}}\n"


SHAPES: list[tuple[Callable[[int], str], int, str, str]] = [
    *(
        (shape, 120 if shape is conditions else 60, "hot", target)
        for shape in (conditions, choices, resources, chain, star, parameters, members)
        for target in ("cloudify", "tosca")
    ),
    *((shape, 20, "hot", target) for shape in (calls, nesting, mixed) for target in ("cloudify", "tosca")),
    *((shape, 60, "cloudify", target) for shape in (types, relationships, groups) for target in ("hot", "tosca")),
    *((shape, 30, "tosca", target) for shape in (requirements, data_types) for target in ("hot", "cloudify")),
]


def calls_of(text: str | Path, source: str, target: str) -> int:
    """How many functions a conversion calls."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        convert(text, source, target)
    finally:
        sys.setprofile(None)
    return count


def memory_of(text: str, source: str, target: str) -> int:
    """The most memory that a conversion holds at a time; garbage goes soon, which in the tests it does not."""
    thresholds = gc.get_threshold()
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
