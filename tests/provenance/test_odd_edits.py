"""Edits of odd documents: what no proposal fits ends soon, and without an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.translators.provenance.putback import _MOST as MOST
from bpconvert.translators.provenance.putback import PutBack

DEVICES = """\
heat_template_version: 2015-10-15
resources:
  volume: {type: OS::Cinder::Volume, properties: {size: 1}}
  server:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      networks: [{network: 11111111-2222-3333-4444-555555555555}]
      block_device_mapping_v2:
        - {volume_id: {get_resource: volume}, swap_size: 512}
"""


def test_one_of_several_that_a_value_became_is_removed() -> None:
    """There is no place for that in the source."""
    made = convert(DEVICES, "hot", "cloudify").text
    lines = [line for line in made.split("\n") if "volume_size: 512" not in line]
    back = convert("\n".join(lines), "cloudify", "hot")
    assert isinstance(back.document, dict)


def test_comparing_what_is_known_counts_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text of many equal parts has as many proposals, which become the same. Each result is compared once, however
    many parts of it differ."""
    text = "{get_input: p}"
    for _ in range(7):
        text = f"{{concat: [{text}, {text}]}}"
    source = f"""\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
inputs: {{p: {{default: a}}}}
outputs: {{o: {{value: {text}}}}}
node_templates: {{n: {{type: cloudify.nodes.Root}}}}
"""
    compared, entries = [], []
    accept, is_alike = PutBack._translate, PutBack._is_alike
    monkeypatch.setattr(PutBack, "_translate", lambda *given: compared.append(1) or accept(*given))
    monkeypatch.setattr(PutBack, "_is_alike", lambda *given: entries.append(given[-1]) or is_alike(*given))
    made = convert(source, "cloudify", "tosca").text
    assert made.count("get_input: p") >= 128
    convert(made.replace("get_input: p", "get_attribute: [n, p]", 100), "tosca", "cloudify")
    assert 0 < len(compared) <= 2 * MOST
    assert 0 < len(entries) <= len({*entries}) * (len(compared) + 2)


def test_an_entry_stays_where_it_would_become_a_stand_in(tmp_path: Path) -> None:
    """The edited file is not there: nothing is known of what would be nested."""
    source = """\
heat_template_version: 2018-08-31
resources:
  inner: {type: inner.yaml, properties: {size: 3}}
  net: {type: OS::Neutron::Net, properties: {name: {get_attr: [inner, name]}}}
"""
    inner = """\
heat_template_version: 2018-08-31
parameters: {size: {type: number}}
resources: {volume: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}
outputs: {name: {value: {get_attr: [volume, status]}}}
"""
    (tmp_path / "hot.yaml").write_text(source)
    (tmp_path / "inner.yaml").write_text(inner)
    made = convert(tmp_path / "hot.yaml", "hot", "cloudify")
    made.write(tmp_path / "there" / "blueprint.yaml")
    place = tmp_path / "there" / "blueprint.yaml"
    text = place.read_text()
    assert "main_file_name: inner.yaml" in text
    place.write_text(text.replace("main_file_name: inner.yaml", "main_file_name: other.yaml", 1))
    back = convert(place, "cloudify", "hot")
    assert back.text == source
    assert {one.code for one in back.diagnostics if one.severity.name != "INFO"} == {"BPC622"}
