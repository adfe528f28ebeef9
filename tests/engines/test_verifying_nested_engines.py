"""``verify`` with the real engines where documents nest others: both engines compute the nested ones as well."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from corpus_cases import CFY, CORPUS, DIRECTIONS, HOT, Language

from bpconvert import convert
from bpconvert.engines.client import Engine
from bpconvert.verification import Verification, verify

pytestmark = pytest.mark.engines

PARENT = """\
heat_template_version: 2018-08-31
resources:
  disk: {type: disk.yaml, properties: {size: '4', labels: [a, b]}}
  user:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: small, metadata: {disk: {get_attr: [disk, title]}}}
"""
DISK = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: number}
  labels: {type: comma_delimited_list}
  kind: {type: string, default: fast}
resources:
  volume:
    type: OS::Cinder::Volume
    properties: {size: {get_param: size}, name: {list_join: ['-', {get_param: labels}]}, description: {get_param: kind}}
outputs:
  title: {value: {str_replace: {template: disk-N, params: {N: {get_param: kind}}}}}
"""


def verified(source: Path, language: Language, folder: Path, engines: Mapping[str, Engine], *edit: str) -> Verification:
    """A document and what it is converted to; ``edit``: a file of the result, a text in it, and another one."""
    back = DIRECTIONS[language]
    result = convert(source, language.dialect, back.dialect, carry=False)
    for path, text in {**result.files, back.document: result.text}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    if edit:
        name, old, new = edit
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))
    return verify(source, folder / back.document, engines=engines, reported=result.diagnostics, draws=1)


@pytest.mark.parametrize("edit", [(), ("disk.yaml", "default: fast", "default: slow")])
def test_nested_values_are_the_engines(tmp_path: Path, engines: Mapping[str, Engine], edit: tuple[str, ...]) -> None:
    source = tmp_path / "app.yaml"
    source.write_text(PARENT)
    (tmp_path / "disk.yaml").write_text(DISK)
    found = verified(source, HOT, tmp_path / "made", engines, *edit)
    assert not found.notes
    expected = {"disk/volume.description", "disk/outputs.title"} if edit else set()
    assert {one.what for one in found.differences} == expected


@pytest.mark.parametrize(
    ("language", "name"),
    [
        (HOT, "nested-template-as-type"), (HOT, "stack-of-a-template"), (HOT, "deep-nesting"),
        (CFY, "component-of-a-file-beside"), (CFY, "scaling-group"), (CFY, "groups-that-wait-for-a-subnet"),
    ],
)  # fmt: skip
def test_differences_of_the_corpus_are_told(
    tmp_path: Path, engines: Mapping[str, Engine], language: Language, name: str
) -> None:
    found = verified(CORPUS / language.folder / name / language.document, language, tmp_path, engines)
    assert found.compared
    assert not [one.what for one in found.differences if not one.codes]
