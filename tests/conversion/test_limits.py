"""Every input ends soon: what would go on for long, or fill the memory, is refused or left as it is."""

from __future__ import annotations

import json
import os
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from machine_pace import within

from bpconvert.api import Result, convert
from bpconvert.checking import check
from bpconvert.cli.main import main
from bpconvert.diagnostics import SourceError
from bpconvert.verification import verify

HOT = "heat_template_version: 2018-08-31\n"
OUTPUT = HOT + "outputs: {{o: {{value: {value}}}}}\nresources: {{n: {{type: OS::Neutron::Net}}}}\n"
#: far more than any of these takes, on a slow machine
SECONDS = 10


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    with within(SECONDS, time.monotonic):
        yield


def codes(made: Result) -> list[str]:
    return [found.code for found in made.diagnostics]


def test_brackets_in_brackets() -> None:
    with pytest.raises(SourceError) as refused:
        convert(OUTPUT.format(value="[" * 100_000 + "]" * 100_000))
    assert (refused.value.diagnostic.code, refused.value.diagnostic.message) == ("BPC101", "nested too deeply")


def test_a_text_that_grows_beyond_all_bounds() -> None:
    long = f"{{str_replace: {{template: '{'a' * 10_000}', params: {{a: '{'b' * 10_000}'}}}}}}"
    made = convert(OUTPUT.format(value=long))
    assert codes(made) == ["BPC202"]
    assert len(made.text) < 100_000


@pytest.mark.parametrize(
    ("call", "levels"),
    [
        ("{{str_replace: {{template: {}, params: {{a: aaaaaaaaaa}}}}}}", 8),
        ("{{str_replace: {{template: aaaaaaaaaa, params: {{a: {}}}}}}}", 8),
        ("{{list_join: [{}, [a, a, a, a, a, a, a, a, a, a]]}}", 12),
        ("{{repeat: {{template: {}, for_each: {{'%x%': [a, b, c, d, e, f, g, h, i, j]}}}}}}", 8),
    ],
)
def test_calls_in_calls_that_each_yield_ten_times_as_much(call: str, levels: int) -> None:
    value, small = "a", "a"
    for level in range(levels):
        value = call.format(value)
        small = value if level == 1 else small
    assert len(convert(OUTPUT.format(value=value)).text) < 2_000_000
    assert codes(convert(OUTPUT.format(value=small))) == ["BPC222"]
    assert codes(convert(OUTPUT.format(value=small), limits={"growth": 5})) != ["BPC222"]


def test_a_query_without_an_end() -> None:
    assert codes(convert(OUTPUT.format(value="{yaql: {expression: '[1].cycle().len()', data: {}}}"))) == ["BPC202"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_file_that_is_none(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "t.yaml").write_text(OUTPUT.format(value="{get_file: pipe}"))
    assert codes(convert(tmp_path / "t.yaml")) == ["BPC202", "BPC610"]


def test_a_chain_of_nested_templates(tmp_path: Path) -> None:
    for number in range(100):
        inner = f"{number + 1}.yaml" if number < 99 else "OS::Neutron::Net"
        (tmp_path / f"{number}.yaml").write_text(f"{HOT}resources: {{n: {{type: {inner}}}}}\n")
    made = convert(tmp_path / "0.yaml")
    assert codes(made).count("BPC788") == 1
    assert len(made.nested) == 50


@pytest.mark.parametrize("names", [("a",), ("a", "b")])
def test_imports_that_lead_back_under_one_more_namespace(tmp_path: Path, names: tuple[str, ...]) -> None:
    for number, name in enumerate(names):
        following = names[(number + 1) % len(names)]
        text = f"tosca_definitions_version: cloudify_dsl_1_3\nimports: [x--{following}.yaml]\n"
        (tmp_path / f"{name}.yaml").write_text(text + "node_templates: {n: {type: cloudify.nodes.Root}}\n")
    made = convert(tmp_path / "a.yaml", "cloudify", "hot")
    (found,) = (found for found in made.diagnostics if found.code == "BPC121")
    assert "imports itself under one more namespace" in found.message


@pytest.mark.parametrize(
    ("version", "entry", "root", "rest"),
    [
        (
            "cloudify_dsl_1_4",
            "  - {name}--f{next}.yaml\n",
            "cloudify.nodes.Root",
            "node_templates: {{n: {{type: {root}}}}}\n",
        ),
        (
            "tosca_simple_yaml_1_3",
            "  - {{file: f{next}.yaml, namespace_prefix: {name}}}\n",
            "tosca.nodes.Root",
            "topology_template: {{node_templates: {{n: {{type: {root}}}}}}}\n",
        ),
    ],
)
def test_imports_that_double_in_every_file(tmp_path: Path, version: str, entry: str, root: str, rest: str) -> None:
    """Each file imports the next one under two names: 40 files are 2 to the 40th imports."""
    head = f"tosca_definitions_version: {version}\n"
    for number in range(40):
        rows = "".join(entry.format(name=name, next=number + 1) for name in "xy") if number < 39 else "  []\n"
        text = f"{head}imports:\n{rows}node_types: {{t{number}: {{derived_from: {root}}}}}\n"
        (tmp_path / f"f{number}.yaml").write_text(text, "utf-8")
    main = tmp_path / "main.yaml"
    main.write_text(f"{head}imports: [f0.yaml]\n{rest.format(root=root)}", "utf-8")
    found = [one.message for one in convert(main, None, "hot").diagnostics if one.code == "BPC142"]
    assert found == ["'f9.yaml' is not read: it is beyond the limit (--limit imports=1000)"]


def test_imports_of_many_megabytes(tmp_path: Path) -> None:
    head = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
    for number in range(3):
        types = "".join(f"  t{number}.x{one}: {{derived_from: tosca.nodes.Root}}\n" for one in range(15_000))
        (tmp_path / f"f{number}.yaml").write_text(f"{head}node_types:\n{types}", "utf-8")
    main = tmp_path / "main.yaml"
    main.write_text(head + "imports: [f0.yaml, f1.yaml, f2.yaml]\ntopology_template: {}\n", "utf-8")
    found = [one.message for one in convert(main, None, "hot").diagnostics if one.code == "BPC142"]
    assert found == ["'f2.yaml' is not read: it is beyond the limit (--limit imported=1500000)"]
    assert "BPC142" not in codes(convert(main, None, "hot", limits={"imported": 5_000_000}))


def test_conditions_of_each_other(tmp_path: Path) -> None:
    """Thirty conditions that name the one before three times, and twelve that do so twice with a comparison."""
    rows = "".join(
        f"  c{n}: {{or: [c{n - 1}, {{not: c{n - 1}}}, {{and: [c{n - 1}, c{n - 1}]}}]}}\n" for n in range(1, 30)
    )
    text = f"{HOT}parameters: {{p: {{type: boolean}}}}\nconditions:\n  c0: {{get_param: p}}\n{rows}"
    text += "resources: {n: {type: OS::Neutron::Net, condition: c29}}\n"
    for target in ("cloudify", "tosca"):
        assert len(convert(text, "hot", target, carry=False).text) < 4 * len(text)
    source = tmp_path / "app.yaml"
    source.write_text(text, "utf-8")
    assert main(["check", str(source)]) == 0


def test_ranks_of_software_that_depend_on_both_of_the_next() -> None:
    rows = "".join(
        f"    {name}{rank}:\n      type: tosca.nodes.SoftwareComponent\n      requirements:\n        - host: vm\n"
        + "".join(f"        - dependency: {other}{(rank + 1) % 18}\n" for other in "ab")
        for rank in range(18)
        for name in "ab"
    )
    text = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
    text += "    vm: {type: tosca.nodes.Compute}\n" + rows
    for target in ("hot", "cloudify"):
        assert len(convert(text, "tosca", target, carry=False).text) < 4 * len(text)


def test_patterns_that_try_everything() -> None:
    text, pattern = "a" * 40 + "b", "(a+)+$"
    hot = f"parameters: {{p: {{type: string, default: {text}, constraints: [{{allowed_pattern: {pattern}}}]}}}}\n"
    assert "BPC504" in codes(convert(OUTPUT.format(value="{get_param: p}") + hot))
    assert "BPC504" not in codes(convert(OUTPUT.format(value="{get_param: p}") + hot, limits={"steps": 10}))
    inputs = f"inputs: {{p: {{type: string, default: {text}, constraints: [{{pattern: {pattern}}}]}}}}\n"
    blueprint = "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates: {n: {type: cloudify.nodes.Root}}\n"
    assert "BPC522" in codes(convert(blueprint + inputs, "cloudify", "hot"))
    assert "BPC522" not in codes(convert(blueprint + inputs, "cloudify", "hot", limits={"steps": 10}))


def test_a_chain_of_conditions() -> None:
    inputs = "".join(f"  p{number}: {{type: string, default: a}}\n" for number in range(10))
    chain = "  c0: {equals: [{get_param: p0}, x]}\n"
    for number in range(1, 10):
        one = f"{{equals: [{{get_param: p{number}}}, x]}}"
        chain += f"  c{number}: {{{'or' if number % 2 else 'and'}: [c{number - 1}, {one}]}}\n"
    value = "{if: [c9, a, b]}"
    made = convert(f"{OUTPUT.format(value=value)}parameters:\n{inputs}conditions:\n{chain}")
    assert len(made.text) < 50_000


@pytest.mark.parametrize("depth", [100, 1500])
def test_a_long_chain_of_conditions_is_no_deep_recursion(depth: int) -> None:
    rows = "".join(
        f"  c{n}: {{or: [c{n + 1}, {{and: [c{n + 1}, {{equals: [{{get_param: p}}, v{n}]}}]}}]}}\n" for n in range(depth)
    )
    text = f"{HOT}parameters: {{p: {{type: string}}}}\nconditions:\n{rows}"
    text += f"  c{depth}: {{equals: [{{get_param: p}}, x]}}\n"
    text += "resources: {n: {type: OS::Neutron::Net, condition: c0}}\n"
    assert not [found for found in check(text) if str(found.severity) == "error"]
    if depth == 100:
        assert len(convert(text, "hot", "cloudify", carry=False).text) < 4 * len(text)


@pytest.mark.parametrize(
    "query",
    [
        'regex("(a|aa)+$").matches($.data)',
        '$.data =~ "(a|aa)+$"',
        '$.data.matches("(a|aa)+$")',
        'regex("(a|" + "aa)+$").search($.data)',
        "pow(9, pow(9, 9))",
        "range(150).select(range(150).select(range(150).select($ + 1).sum()).sum()).sum()",
    ],
)
def test_queries_that_never_end(query: str) -> None:
    pytest.importorskip("yaql")
    value = f"{{yaql: {{expression: {json.dumps(query)}, data: '{'a' * 40}!'}}}}"
    assert "BPC202" in codes(convert(OUTPUT.format(value=value)))


def test_queries_that_end_are_computed() -> None:
    pytest.importorskip("yaql")
    for query in ('regex("b+").matches("abb")', '"abb" =~ "^a"', "'a,b'.split(',')", "range(50).select($ * $).sum()"):
        value = f"{{yaql: {{expression: {json.dumps(query)}, data: x}}}}"
        assert codes(convert(OUTPUT.format(value=value))) == ["BPC222"]


# -- what doubles with each level -----------------------------------------------------------------------------


def doubled(levels: int) -> str:
    """A blueprint with a node whose properties each have the one before it twice."""
    names = ", ".join(f"p{number}: {{default: ''}}" for number in range(levels + 1))
    lines = [
        f"p{number}: {{concat: [{{get_property: [n, p{number - 1}]}}, {{get_property: [n, p{number - 1}]}}]}}"
        for number in range(1, levels + 1)
    ]
    return (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
        f"node_types: {{t: {{derived_from: cloudify.nodes.Root, properties: {{{names}}}}}}}\n"
        f"node_templates: {{n: {{type: t, properties: {{p0: x, {', '.join(lines)}}}}}}}\n"
        f"outputs: {{o: {{value: {{get_property: [n, p{levels}]}}}}}}\n"
    )


def nested_types(levels: int) -> str:
    """A blueprint with data types that each have two fields of the next one."""
    two = [
        f"d{number}: {{properties: {{a: {{type: d{number + 1}}}, b: {{type: d{number + 1}}}}}}}"
        for number in range(levels)
    ]
    last = f"d{levels}: {{properties: {{x: {{type: string, default: y}}}}}}"
    return (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
        f"data_types: {{{', '.join([*two, last])}}}\n"
        "node_types: {t: {derived_from: cloudify.nodes.Root, properties: {p: {type: d0}}}}\n"
        "node_templates: {n: {type: t}}\n"
    )


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_properties_that_have_others_twice(target: str) -> None:
    made = convert(doubled(30), "cloudify", target)
    assert len(made.text) < 100_000
    assert any("more than 1000 properties are copied" in found.message for found in made.diagnostics)
    few = convert(doubled(5), "cloudify", target)
    assert "x" * 32 in few.text
    fewer = convert(doubled(5), "cloudify", target, limits={"copies": 10})
    assert "x" * 32 not in fewer.text
    assert any("more than 10 properties are copied" in found.message for found in fewer.diagnostics)


@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_data_types_with_two_fields_of_the_next_one(target: str) -> None:
    made = convert(nested_types(30), "cloudify", target)
    (found,) = (found for found in made.diagnostics if "fields" in found.message)
    assert (found.code, found.severity) == ("BPC121", "error")
    assert "BPC121" not in codes(convert(nested_types(3), "cloudify", target))
    assert "BPC121" in codes(convert(nested_types(3), "cloudify", target, limits={"fields": 3}))


def doubled_inputs(levels: int) -> str:
    """A blueprint whose inputs by default each have the one before it twice."""
    call = "{{get_input: p{}}}".format
    rows = "".join(f"  p{n}: {{default: {{concat: [{call(n - 1)}, {call(n - 1)}]}}}}\n" for n in range(1, levels))
    return (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
        f"inputs:\n  p0: {{default: x}}\n{rows}"
        "node_templates: {n: {type: cloudify.nodes.Root}}\n"
        f"outputs: {{o: {{value: {{get_input: p{levels - 1}}}}}}}\n"
    )


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_groups_of_groups(target: str) -> None:
    """Eight groups of ten in each other are ten to the eighth members."""
    start, end = "{type: OS::Heat::ResourceGroup, properties: {count: 10, resource_def: ", "}}"
    text = f"{HOT}resources: {{g: {start * 8}{{type: OS::Neutron::Net}}{end * 8}}}\n"
    assert len(convert(text, "hot", target).text) < 1_000_000


def tables_of_tables(levels: int) -> str:
    """A blueprint with hidden inputs that choose twice from the one before."""
    inputs = "  p: {default: a}\n  h0: {hidden: true, default: [x, y]}\n"
    for n in range(1, levels):
        index = "{{string_find: [{{concat: ['|', {{get_input: p}}, '|']}}, '|{}|']}}".format
        rows = ", ".join(f"{{get_input: [h{n - 1}, {index(one)}]}}" for one in ("a", f"b{n}"))
        inputs += f"  h{n}: {{hidden: true, default: [{rows}]}}\n"
    return (
        f"tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\ninputs:\n{inputs}"
        "node_templates: {n: {type: cloudify.nodes.Root}}\n"
        f"outputs: {{o: {{value: {{get_input: [h{levels - 1}, {index('z')}]}}}}}}\n"
    )


@pytest.mark.parametrize("levels", [5, 10, 20])
@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_tables_of_tables_do_not_double(levels: int, target: str) -> None:
    source = tables_of_tables(levels)
    made = convert(source, "cloudify", target)
    assert len(made.text) < 500_000
    assert convert(made.text, target, "cloudify").text == source


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_texts_that_have_a_call_ever_more_times(target: str) -> None:
    value = "{get_param: p}"
    for level in range(30):
        inner = f"{{list_join: ['', [{value}, {{get_param: p}}]]}}"
        value = inner if level % 2 else f"{{str_replace: {{template: aa, params: {{a: {value}}}}}}}"
    text = f"{HOT}parameters: {{p: {{type: string, default: abcdefgh}}}}\noutputs: {{o: {{value: {value}}}}}\n"
    text += "resources: {n: {type: OS::Neutron::Net}}\n"
    assert len(convert(text, "hot", target).text) < 1_000_000


@pytest.mark.parametrize("target", ["hot", "tosca"])
@pytest.mark.parametrize("source", [doubled(30), doubled_inputs(30)], ids=["properties", "inputs"])
def test_what_doubles_is_converted_and_compared_soon(source: str, target: str) -> None:
    made = convert(source, "cloudify", target)
    assert len(made.text) < 100_000
    assert convert(made.text, target, "cloudify").text == source
    compared = verify(source.encode(), made.text.encode(), draws=1)
    assert compared.differences is not None


@pytest.mark.parametrize(("call", "code"), [("get_property", "BPC819"), ("get_attribute", "BPC240")])
def test_requirements_that_lead_back_in_two_ways(call: str, code: str) -> None:
    topology = f"""{{
      node_templates: {{a: {{type: tosca.nodes.Root, requirements: [r: a, r: a]}}}},
      outputs: {{o: {{value: {{{call}: [a, {"r, " * 60}c]}}}}}}}}"""
    made = convert(f"tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {topology}\n", "tosca", "hot")
    assert code in codes(made)


@pytest.mark.parametrize("limits", [{"nothing": 1}, {"copies": 0}, {"copies": True}])
def test_limits_that_are_none(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="limits"):
        convert(doubled(1), "cloudify", "hot", limits=limits)


def test_limits_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.yaml").write_text(doubled(5))
    words = ["cfy2hot", str(tmp_path / "b.yaml"), "-o", str(tmp_path / "h.yaml"), "-v"]
    assert main([*words, "--limit", "copies=10"]) == 0
    assert "more than 10 properties are copied" in capsys.readouterr().err
    assert main([*words, "--limit", "copies"]) == 2
    assert main([*words, "--limit", "none=1"]) == 2
    assert "choose from copies, growth, imports, imported, fields, steps" in capsys.readouterr().err


def test_an_archive_that_holds_much_in_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpconvert.archives.READ", 1000)
    version = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
    nodes = "host: {type: tosca.nodes.Compute}"
    for one in range(4):
        what = f"requirements: [host: host], interfaces: {{Standard: {{create: {one}.sh}}}}"
        nodes += f", n{one}: {{type: tosca.nodes.SoftwareComponent, {what}}}"
    with zipfile.ZipFile(tmp_path / "a.csar", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("s.yaml", f"{version}topology_template: {{node_templates: {{{nodes}}}}}\n")
        for one in range(4):
            made.writestr(f"{one}.sh", "#!/bin/sh\n" + "#" * 400)
    with pytest.raises(SourceError) as refused:
        convert(tmp_path / "a.csar", "tosca", "hot")
    assert refused.value.diagnostic.code == "BPC855"


# -- numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize(
    "digits",
    ["0x" + "f" * 3600, "1" + ":59" * 3000, "1" + ":59" * 300_000, "9" * 5000, "0" + "7" * 6000, "0b" + "1" * 20_000],
)
def test_numbers_that_nobody_can_write(digits: str, sign: str) -> None:
    with pytest.raises(SourceError) as refused:
        convert(OUTPUT.format(value=sign + digits))
    assert refused.value.diagnostic.code == "BPC106"
    assert "more than 4300 digits" in refused.value.diagnostic.message


def test_numbers_that_are_just_short_enough() -> None:
    for digits in ("0x" + "f" * 3500, "1" + ":59" * 2000, "9" * 4300):
        assert convert(OUTPUT.format(value=digits)).text


def test_a_fraction_to_the_base_of_60_that_is_too_large() -> None:
    with pytest.raises(SourceError) as refused:
        convert(OUTPUT.format(value="1" + ":59" * 3000 + ".5"))
    assert refused.value.diagnostic.code == "BPC106"


LONG = "9" * 5000


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("hot", f"{HOT}parameters: {{p: {{type: number, default: '{LONG}'}}}}\n"),
        ("hot", f"{HOT}parameters: {{p: {{type: json, default: '[{LONG}]'}}}}\n"),
        ("hot", f"{HOT}parameters: {{p: {{type: comma_delimited_list, default: '{LONG}'}}}}\n"),
        ("hot", f"{HOT}resources: {{r: {{type: 'OS::Cinder::Volume', properties: {{size: '{LONG}'}}}}}}\n"),
        ("hot", f"{HOT}resources: {{r: {{type: 'OS::Heat::ResourceGroup', properties: {{count: '{LONG}', "
         "resource_def: {type: 'OS::Neutron::Net'}}}}\n"),
        ("hot", f"{HOT}outputs: {{o: {{value: {{str_split: [',', 'a,b', '{LONG}']}}}}}}\n"),
        ("hot", f"{HOT}outputs: {{o: {{value: {{yaql: {{expression: '{LONG} + 1', data: {{}}}}}}}}}}\n"),
        ("cloudify", f"tosca_definitions_version: cloudify_dsl_1_3\n"
         f"inputs: {{p: {{type: integer, default: '{LONG}'}}}}\n"
         "node_templates: {n: {type: cloudify.nodes.Root}}\n"),
        ("tosca", "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template: {node_templates: {n: {type: "
         f"tosca.nodes.Compute, capabilities: {{host: {{properties: {{num_cpus: '{LONG}', mem_size: {LONG[:4000]} GB, "
         f"disk_size: '{LONG} GB'}}}}}}}}}}, inputs: {{p: {{type: integer, default: '{LONG}'}}, r: {{type: range, "
         f"default: [1, '{LONG}']}}, f: {{type: float, default: '{LONG}'}}}}}}\n"),
    ],
)  # fmt: skip
def test_texts_of_numbers_that_nobody_can_write(source: str, text: str) -> None:
    for target in {"hot", "cloudify", "tosca"} - {source}:
        assert convert(text, source, target).text


def test_queries_that_verify_computes() -> None:
    """Each draw has the limits of a conversion: 150 to the third power steps are too many."""
    query = "range(150).select(range(150).select(range(150).sum()).sum()).sum()"
    text = f"heat_template_version: rocky\noutputs:\n  a:\n    value: {{yaql: {{expression: '{query}', data: {{}}}}}}\n"
    assert verify(text, text, draws=1).is_same
