"""The way back of an edited document of 1,000 resources takes at most 2.5 times a conversion.

Calls are counted, not seconds: they are the same on every machine."""

from __future__ import annotations

from typing import Any

import pytest
from growing import calls_of

from bpconvert import convert
from bpconvert.translation import Way
from bpconvert.translators.provenance.carry import digest
from bpconvert.yamlio.document import Document

#: of documents on the way back of one edit: what it was and is in both languages, and what is tried
MOST_TRANSLATIONS = 6
PAIRS = range(500)
TEMPLATE = "heat_template_version: 2018-08-31\nresources:\n" + "".join(
    f"  n{n}: {{type: OS::Neutron::Net}}\n"
    f"  s{n}:\n    type: OS::Neutron::Subnet\n    properties:\n"
    f"      network: {{get_resource: n{n}}}\n      cidr: 10.0.0.0/24\n"
    for n in PAIRS
)
BLUEPRINT = (
    "tosca_definitions_version: cloudify_dsl_1_3\n"
    "imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']\nnode_templates:\n"
) + "".join(
    f"  n{n}: {{type: cloudify.nodes.openstack.Network}}\n"
    f"  s{n}:\n    type: cloudify.nodes.openstack.Subnet\n"
    f"    properties: {{resource_config: {{cidr: 10.0.0.0/24}}}}\n"
    f"    relationships: [{{type: cloudify.relationships.contained_in, target: n{n}}}]\n"
    for n in PAIRS
)


@pytest.mark.parametrize(
    ("source", "dialect", "via"),
    [(TEMPLATE, "hot", "cloudify"), (TEMPLATE, "hot", "tosca"), (BLUEPRINT, "cloudify", "hot")],
)
def test_an_edited_value(source: str, dialect: str, via: str) -> None:
    made = convert(source.encode(), dialect, via).text
    place = made.index("10.0.0.0/24", len(made) // 8)
    edited = (made[:place] + made[place:].replace("10.0.0.0/24", "10.1.0.0/24", 1)).encode()
    assert convert(edited, via, dialect).text.count("10.1.0.0/24") == 1
    assert calls_of(edited, via, dialect) <= 2.5 * calls_of(source.encode(), dialect, via)


@pytest.mark.parametrize(
    ("source", "dialect", "via", "key"),
    [(TEMPLATE, "hot", "cloudify", "resource_config"), (BLUEPRINT, "cloudify", "hot", "cidr")],
)
def test_an_edit_without_a_way_back_translates_no_document_twice(
    source: str, dialect: str, via: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that no property becomes: what is tried for it is tried once."""
    made = convert(source.encode(), dialect, via).text
    place = made.index(f" {key}:", len(made) // 8)
    edited = (made[:place] + made[place:].replace(f" {key}:", " other:", 1)).encode()
    translated: list[str] = []
    translate = Way.translate

    def counted(way: Way, document: Document, *given: Any, **named: Any) -> Any:
        translated.append(digest([way.source.name, document.data]))
        return translate(way, document, *given, **named)

    monkeypatch.setattr(Way, "translate", counted)
    convert(edited, via, dialect)
    assert len(translated) == len(set(translated))
    assert len(translated) <= MOST_TRANSLATIONS
