"""Every input ends soon: what would go on for long, or fill the memory, is refused or left as it is."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bpconvert.api import Result, convert
from bpconvert.diagnostics import SourceError

HOT = "heat_template_version: 2018-08-31\n"
OUTPUT = HOT + "outputs: {{o: {{value: {value}}}}}\nresources: {{n: {{type: OS::Neutron::Net}}}}\n"
#: far more than any of these takes, on a slow machine
SECONDS = 10


@pytest.fixture(autouse=True)
def _soon() -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < SECONDS


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


def test_patterns_that_try_everything() -> None:
    text, pattern = "a" * 40 + "b", "(a+)+$"
    hot = f"parameters: {{p: {{type: string, default: {text}, constraints: [{{allowed_pattern: {pattern}}}]}}}}\n"
    assert "BPC504" not in codes(convert(OUTPUT.format(value="{get_param: p}") + hot))
    inputs = f"inputs: {{p: {{type: string, default: {text}, constraints: [{{pattern: {pattern}}}]}}}}\n"
    blueprint = "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates: {n: {type: cloudify.nodes.Root}}\n"
    assert "BPC522" not in codes(convert(blueprint + inputs, "cloudify", "hot"))


def test_a_chain_of_conditions() -> None:
    inputs = "".join(f"  p{number}: {{type: string, default: a}}\n" for number in range(10))
    chain = "  c0: {equals: [{get_param: p0}, x]}\n"
    for number in range(1, 10):
        one = f"{{equals: [{{get_param: p{number}}}, x]}}"
        chain += f"  c{number}: {{{'or' if number % 2 else 'and'}: [c{number - 1}, {one}]}}\n"
    value = "{if: [c9, a, b]}"
    made = convert(f"{OUTPUT.format(value=value)}parameters:\n{inputs}conditions:\n{chain}")
    assert len(made.text) < 50_000
