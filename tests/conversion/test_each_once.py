"""What a conversion does once: counted, as this is the same on every machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bpconvert import conversion, convert, surroundings
from bpconvert.nested import Nested
from bpconvert.translators.cloudify.read import blueprint
from bpconvert.translators.dialects import load
from bpconvert.translators.hot.read import template
from bpconvert.translators.tosca.read import service
from bpconvert.yamlio import comments
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


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_the_result_of_a_nested_document_is_not_read_again(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has just been written is as it will be read."""
    outer = "heat_template_version: 2018-08-31\nresources: {part: {type: inner.yaml, properties: {size: large}}}\n"
    beside = {"inner.yaml": f"# top\n{HOT}"}
    convert(outer, "hot", target, name="outer.yaml", beside=beside)  # what the package has in files of its own
    results: list[Nested] = []
    monkeypatch.setattr(conversion, "Nested", lambda *words: results.append(Nested(*words)) or results[-1])
    counts: Counter[str] = Counter()
    counted(counts, documents, "scan", monkeypatch)
    convert(outer, "hot", target, name="outer.yaml", beside=beside)
    assert counts == {"scan": 2}
    assert [result.data for result in results] == [load(result.text).data for result in results]
    assert len(results) == 1


def test_only_entries_around_comments_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()
    counted(counts, comments, "Spot", monkeypatch)
    parts = "".join(f"part{number}:\n  a: {{b: 1, c: [1, 2]}}\n  d: 2\n" for number in range(100))
    notes = documents.load(f"{parts}last:\n  a: 1\n  # here\n  b: 2\n").comments
    assert {path: comment.before for path, comment in notes.items()} == {("last", "b"): ("# here",)}
    assert counts["Spot"] == 1 + 101 + 2


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
