"""The way back of an edited document of 1,000 resources takes at most 2.5 times a conversion.

Calls are counted, not seconds: they are the same on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from growing import calls_of

from bpconvert import convert
from bpconvert.translation import Way
from bpconvert.translators.dialects import load
from bpconvert.translators.provenance.carry import digest
from bpconvert.yamlio.document import Document

pytestmark = pytest.mark.one_version

#: of whole documents on the way back of one edit: what it was made from, without the edit and with it
MOST_TRANSLATIONS = 2
PAIRS = range(500)
Path = tuple[str, str]


def _part(text: str) -> str:
    """The same with a fifth of the resources."""
    return text[: text.index("  n100:")]


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


def test_a_removed_entry() -> None:
    made = load(convert(TEMPLATE.encode(), "hot", "cloudify").text)
    edited = _entry_removed(made, ("node_templates", "s20")).encode()
    assert convert(edited, "cloudify", "hot").text.count("\n  s20:\n") == 0
    assert calls_of(edited, "cloudify", "hot") <= 2.5 * calls_of(TEMPLATE.encode(), "hot", "cloudify")


SERVICE = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n" + "".join(
    f"    n{n}: {{type: tosca.nodes.network.Network, properties: {{cidr: 10.0.0.0/24}}}}\n"
    f"    p{n}:\n      type: tosca.nodes.network.Port\n      requirements: [{{link: n{n}}}, {{binding: w{n}}}]\n"
    f"    w{n}:\n      type: tosca.nodes.Compute\n"
    f"      capabilities: {{host: {{properties: {{num_cpus: 2, mem_size: 4 GB}}}}}}\n"
    f"    s{n}:\n      type: tosca.nodes.SoftwareComponent\n      properties: {{component_version: 1.5}}\n"
    f"      requirements: [{{host: w{n}}}]\n"
    for n in range(50)
)
WAYS = [
    (text, dialect, via)
    for text, dialect in ((_part(TEMPLATE), "hot"), (_part(BLUEPRINT), "cloudify"), (SERVICE, "tosca"))
    for via in ("hot", "cloudify", "tosca")
    if via != dialect
]


def _entry_added(made: Document, path: Path) -> str:
    begin, end, _ = made.span(path) or (0, 0, 0)
    lines = made.text[begin:end].replace(f"{path[1]}:", "added:", 1)
    return made.text[:end] + lines + made.text[end:]


def _entry_removed(made: Document, path: Path) -> str:
    begin, end, _ = made.span(path) or (0, 0, 0)
    return made.text[:begin] + made.text[end:]


def _renamed(made: Document, path: Path) -> str:
    begin, _, _ = made.span(path) or (0, 0, 0)
    return made.text[:begin] + made.text[begin:].replace(f"{path[1]}:", "renamed:", 1)


def _key_nobody_knows(made: Document, path: Path) -> str:
    place = made.text.index("10.0.0.0/24", len(made.text) // 4)
    begin = made.text.rindex(" ", 0, place - 1) + 1
    return f"{made.text[:begin]}other{made.text[made.text.index(':', begin) :]}"


@pytest.mark.parametrize(("source", "dialect", "via"), WAYS)
@pytest.mark.parametrize("edit", [_entry_added, _entry_removed, _renamed, _key_nobody_knows])
def test_an_edit_translates_the_whole_document_twice(
    edit: Callable[[Document, Path], str], source: str, dialect: str, via: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the edit and with it: what the edit means is found out in a part."""
    made = load(convert(source.encode(), dialect, via).text)
    section = "resources" if via == "hot" else "node_templates"
    edited = edit(made, (section, "s20")).encode()
    translated: list[str] = []
    translate = Way.translate

    def counted(way: Way, document: Document, *given: Any, **named: Any) -> Any:
        if 2 * len(document.text) > len(source):
            translated.append(digest([way.source.name, document.data]))
        return translate(way, document, *given, **named)

    monkeypatch.setattr(Way, "translate", counted)
    convert(edited, via, dialect)
    assert len(translated) == len(set(translated))
    assert len(translated) <= MOST_TRANSLATIONS
