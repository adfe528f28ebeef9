"""What a conversion does once: counted, as this is the same on every machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert, surroundings
from bpconvert.translators.cloudify.read import blueprint
from bpconvert.translators.hot.read import template
from bpconvert.translators.tosca.read import service
from bpconvert.yamlio import document as documents

HOT = """\
heat_template_version: 2018-08-31
parameters: {size: {type: string, default: small}}
resources:
  net: {type: OS::Neutron::Net}
  server:
    type: OS::Nova::Server
    properties: {flavor: {get_param: size}, image: i, networks: [{network: {get_resource: net}}]}
outputs: {address: {value: {get_attr: [server, first_address]}}}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  server: {type: cloudify.nodes.openstack.Server, properties: {flavor: f, image: i}}
outputs: {o: {value: {get_attribute: [server, ip]}}}
"""
SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    server: {type: tosca.nodes.Compute, capabilities: {host: {properties: {num_cpus: 1}}}}
  outputs: {o: {value: {get_attribute: [server, private_address]}}}
"""
WAYS = [
    ("hot", "cloudify", HOT), ("hot", "tosca", HOT), ("cloudify", "hot", BLUEPRINT), ("cloudify", "tosca", BLUEPRINT),
    ("tosca", "hot", SERVICE), ("tosca", "cloudify", SERVICE),
]  # fmt: skip


def counted(counts: Counter[str], owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., Any] = getattr(owner, name)

    def call(*words: Any, **choices: Any) -> Any:
        counts[name] += 1
        return real(*words, **choices)

    monkeypatch.setattr(owner, name, call)


@pytest.mark.parametrize(("source", "target", "text"), WAYS)
def test_a_document_is_scanned_and_read_once(
    source: str, target: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for the typos in it, which a check of the source's language knows, and for the result."""
    convert(text, source, target)  # what the package has in files of its own is read now
    counts: Counter[str] = Counter()
    counted(counts, documents, "scan", monkeypatch)
    for reader in (template, blueprint, service):
        counted(counts, reader, "validate", monkeypatch)
    for typo in (text, text.replace("image:", "imagee:").replace("num_cpus", "num_cpu")):
        counts.clear()
        convert(typo, source, target)
        assert counts == {"scan": 1, "validate": 1}


def test_the_folders_around_a_document_are_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many files in however many folders it names."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    names = [f"../{folder}/{file}.sh" for folder in "xyz" for file in "12"]
    for name in names:
        place = tmp_path / "a" / "b" / name
        place.parent.mkdir(exist_ok=True)
        place.write_text("true\n")
    items = ", ".join(f"{{get_file: {name}}}" for name in names)
    document = tmp_path / "a" / "b" / "inner.yaml"
    document.write_text(
        f"{HOT}  files: {{value: [{items}]}}\n".replace("outputs: {", "outputs:\n  ").replace("]}}}", "]}}")
    )
    read: list[Path] = []
    real = surroundings._names
    monkeypatch.setattr(surroundings, "_names", lambda file, of: read.append(file) or real(file, of))
    for number in range(3):
        (tmp_path / "a" / f"{number}.yaml").write_text(f"# {number}\n")
    convert(document, "hot", "cloudify")
    assert sorted(file.name for file in read if file.parent == tmp_path / "a") == ["0.yaml", "1.yaml", "2.yaml"]
    assert len(read) == len(set(read))
