"""Every comment of a source is in the result, and speaks of the same thing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from checkout import REALWORLD
from corpus_cases import CASES, Case
from losses import documents

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import Document, load


def texts(document: Document) -> Counter[str]:
    """The comments of a document, blank lines apart."""
    return Counter(
        line.rstrip()
        for comment in document.comments.values()
        for line in (*comment.before, comment.inline or "", *comment.after)
        if line.strip()
    )


def lost(source: Path, dialect: str, target: str) -> Counter[str]:
    """The comments that are not in the result, also those of nested documents in theirs; the record of the source,
    which has them all, is left out. What is scaled together is a file of its own."""
    try:
        result = convert(source, dialect, target, carry=False)
    except SourceError:
        return Counter()
    found: Counter[str] = Counter()
    for one, became in documents(source, result):
        members = [text for text in became.files.values() if text.startswith("heat_template_version:")]
        kept = sum((texts(load(text)) for text in (became.text, *members)), Counter[str]())
        found += texts(load(one.read_bytes(), str(one))) - kept
    return found


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_of_the_corpus(case: Case) -> None:
    assert not lost(case.source, case.dialect, case.target_dialect)


def test_of_real_templates() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    for source in sorted({*(REALWORLD / "hot").rglob("*.yaml"), *(REALWORLD / "hot").rglob("*.yml")}):
        assert not lost(source, "hot", "cloudify"), source


def test_of_real_blueprints() -> None:
    if not REALWORLD.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    manifest = json.loads((REALWORLD / "cfy" / "manifest.json").read_text())
    for source in [REALWORLD / "cfy" / row["path"] for row in manifest["files"] if row["role"] == "primary"]:
        assert not lost(source, "cloudify", "hot"), source


def test_a_comment_stays_with_its_property() -> None:
    result = convert(
        "heat_template_version: 2016-10-14\n"
        "resources:\n"
        "  # the disk\n"
        "  disk:\n"
        "    type: OS::Cinder::Volume\n"
        "    properties:\n"
        "      # in gigabytes\n"
        "      size: 10  # enough\n"
    )
    comments = load(result.text).comments
    disk = ("node_templates", "disk")
    assert comments[disk].before == ("# the disk",)
    size = comments[(*disk, "properties", "resource_config", "size")]
    assert (size.before, size.inline) == (("# in gigabytes",), "# enough")


def test_a_comment_stays_with_its_setting() -> None:
    result = convert(
        "tosca_definitions_version: cloudify_dsl_1_3\n"
        "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
        "node_templates:\n"
        "  # the disk\n"
        "  disk:\n"
        "    type: cloudify.nodes.openstack.Volume\n"
        "    properties:\n"
        "      resource_config:\n"
        "        # in gigabytes\n"
        "        size: 10  # enough\n",
        "cloudify",
        "hot",
    )
    comments = load(result.text).comments
    disk = ("resources", "disk")
    assert comments[disk].before == ("# the disk",)
    size = comments[(*disk, "properties", "size")]
    assert (size.before, size.inline) == (("# in gigabytes",), "# enough")


@pytest.mark.parametrize(
    ("target", "above", "names"),
    [
        ("cloudify", (), ("inputs", "node_templates", "outputs")),
        ("tosca", ("topology_template",), ("inputs", "node_templates", "outputs")),
    ],
)
def test_a_comment_stays_with_its_section(target: str, above: tuple[str, ...], names: tuple[str, ...]) -> None:
    source = (
        "heat_template_version: 2016-10-14\n"
        "# what is asked for\n"
        "parameters: {size: {type: number}}\n"
        "# what is made\n"
        "resources: {disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}\n"
        "# what is shown\n"
        "outputs: {o: {value: {get_param: size}}}\n"
    )
    comments = load(convert(source, "hot", target, carry=False).text).comments
    found = [comments[(*above, name)].before for name in names]
    assert found == [("# what is asked for",), ("# what is made",), ("# what is shown",)]


def test_a_comment_in_what_is_nested_stays_there(tmp_path: Path) -> None:
    disk = "  # inside\n  disk: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
    nested = f"heat_template_version: 2018-08-31\nresources:\n{disk}"
    (tmp_path / "disk.yaml").write_text(nested)
    source = tmp_path / "hot.yaml"
    source.write_text(
        "heat_template_version: 2018-08-31\nresources:\n  # outside\n  store: {type: disk.yaml}\n"
        "  # the text\n  config:\n    type: OS::Heat::SoftwareConfig\n    properties:\n      # as it is\n"
        "      config: |\n        #!/bin/sh\n        # in the script\n        true\n"
        "  run:\n    type: OS::Heat::SoftwareDeployment\n"
        "    properties: {config: {get_resource: config}, server: {get_resource: vm}}\n"
        "  vm:\n    type: OS::Nova::Server\n"
        "    properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}\n"
    )
    result = convert(source, carry=False)
    assert not lost(source, "hot", "cloudify")
    assert list(texts(load(result.files["disk.yaml"]))) == ["# inside"]
    assert set(texts(load(result.text))) == {"# outside", "# the text", "# as it is"}
    assert any("# in the script" in text for text in result.files.values())
