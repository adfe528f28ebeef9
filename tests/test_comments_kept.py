"""Every comment of a source is in the result, and speaks of the same thing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from corpus_cases import CASES, Case

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import Document, load

ROOT = Path(__file__).resolve().parents[1]
REAL = ROOT.parent / "shared" / "realworld"


def texts(document: Document) -> Counter[str]:
    """The comments of a document, blank lines apart."""
    return Counter(
        line.rstrip()
        for comment in document.comments.values()
        for line in (*comment.before, comment.inline or "", *comment.after)
        if line.strip()
    )


def lost(source: Path, dialect: str, target: str) -> Counter[str]:
    """The comments that are not in the result; the record of the source, which has them all, is left out."""
    try:
        result = convert(source, dialect, target, carry=False)
    except SourceError:
        return Counter()
    return texts(load(source.read_bytes(), str(source))) - texts(load(result.text))


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_of_the_corpus(case: Case) -> None:
    assert not lost(case.source, case.dialect, case.target_dialect)


def test_of_real_templates() -> None:
    if not REAL.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    for source in sorted({*(REAL / "hot").rglob("*.yaml"), *(REAL / "hot").rglob("*.yml")}):
        assert not lost(source, "hot", "cloudify"), source


def test_of_real_blueprints() -> None:
    if not REAL.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    manifest = json.loads((REAL / "cfy" / "manifest.json").read_text())
    for source in [REAL / "cfy" / row["path"] for row in manifest["files"] if row["role"] == "primary"]:
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
