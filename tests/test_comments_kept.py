"""Every comment of a source is in the result, and speaks of the same thing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.yamlio.document import Document, load

ROOT = Path(__file__).resolve().parents[1]
REAL = ROOT.parent / "shared" / "realworld" / "hot"


def texts(document: Document) -> Counter[str]:
    """The comments of a document, blank lines apart."""
    return Counter(
        line.rstrip()
        for comment in document.comments.values()
        for line in (*comment.before, comment.inline or "", *comment.after)
        if line.strip()
    )


def check(source: Path) -> None:
    try:
        result = convert(source, carry=False)
    except SourceError:
        return
    lost = texts(load(source.read_bytes(), str(source))) - texts(load(result.text))
    assert not lost


@pytest.mark.parametrize("source", sorted((ROOT / "corpus/hot").glob("*/hot.yaml")), ids=lambda path: path.parent.name)
def test_of_the_corpus(source: Path) -> None:
    check(source)


def test_of_real_templates() -> None:
    if not REAL.is_dir():
        pytest.skip("the real templates (../shared/realworld) are not beside this checkout")
    for source in sorted({*REAL.rglob("*.yaml"), *REAL.rglob("*.yml")}):
        check(source)


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
