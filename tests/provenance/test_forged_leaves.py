"""A kept source that was changed, with a right sum: nothing in it that differs visibly from the document comes back."""

from __future__ import annotations

from typing import Any

import pytest
from forging import Record, changed, text

from bpconvert import Result, convert
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.support.places import without
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}
resources:
  net: {type: OS::Neutron::Net, properties: {name: mine}}
  web:
    type: OS::Nova::Server
    properties: {image: good, flavor: {get_param: size}, networks: [{network: {get_resource: net}}], user_data: hello}
  disk: {type: OS::Cinder::Volume, properties: {size: 10}}
outputs:
  o: {value: {get_attr: [web, first_address]}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  app:
    type: cloudify.nodes.Root
    properties: {}
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: https://good/x.yml, inputs: {A: one}}
"""


def forged(source: str, dialect: str, via: str, old: str, new: str, unkept: str = "") -> tuple[Result, str]:
    """What comes back where ``old`` is ``new`` in the kept source alone; its text without what it keeps."""

    def change(data: Any, record: Record) -> None:
        text(old, new)(data, record)
        if unkept:
            record["unkept"] = unkept

    made = changed(convert(source.encode(), dialect, via).text, change)
    back = convert(made.encode(), via, dialect)
    data = load(back.text).data
    keeper = DIALECTS[dialect].keeper()
    place = keeper.find(data, "")
    return back, emit(data if place is None else without(data, place))


@pytest.mark.parametrize("unkept", ["", "zz", "types", "params", "environments types"])
@pytest.mark.parametrize("via", ["cloudify", "tosca"])
@pytest.mark.parametrize("leaf", ["image: good", "name: mine", "size: 10", "default: small", "user_data: hello"])
def test_a_leaf(leaf: str, via: str, unkept: str) -> None:
    key, _, value = leaf.partition(": ")
    new = "66" if value.isdigit() else "evil"
    back, plain = forged(TEMPLATE, "hot", via, leaf, f"{key}: {new}", unkept)
    assert any(found.severity > "info" for found in back.diagnostics)
    if "types" in unkept:  # what a mapping would make of it is not known here
        assert "BPC663" in {found.code for found in back.diagnostics}
    elif leaf != "default: small" or unkept != "params":
        assert f"{key}: {new}" not in plain


def test_an_unknown_word_is_a_damaged_record() -> None:
    back, _ = forged(TEMPLATE, "hot", "cloudify", "image: good", "image: evil", "zz")
    assert "BPC624" in [found.code for found in back.diagnostics]


@pytest.mark.parametrize("record", [{"source": "hot", "text": TEMPLATE}, {}, [], 1, None, True, "", "{}", "[]"])
def test_a_record_in_a_service_template_that_is_none(record: Any) -> None:
    data = load(convert(TEMPLATE.encode(), "hot", "tosca").text).data
    data["metadata"]["bpconvert"] = record
    back = convert(emit(data).encode(), "tosca", "hot")
    assert "BPC624" in [found.code for found in back.diagnostics]
    assert "image: good" in back.text


@pytest.mark.parametrize(("old", "new"), [("https://good/x.yml", "https://evil/x.yml"), ("A: one", "A: evil")])
@pytest.mark.parametrize("via", ["hot", "tosca"])
def test_operations(old: str, new: str, via: str) -> None:
    made = convert(BLUEPRINT.encode(), "cloudify", via, carry=False).text
    back, plain = forged(BLUEPRINT, "cloudify", via, old, new)
    if old.split(": ")[-1] in made:
        assert new not in plain
        assert any(found.severity > "info" for found in back.diagnostics)
