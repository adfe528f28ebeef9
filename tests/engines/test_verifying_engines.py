"""``verify`` with the real engines: its verdict on a sample of the corpus, which is the own evaluator's as well."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from corpus_cases import CFY, CORPUS, DIRECTIONS, HOT, Language

from bpconvert import Result, convert
from bpconvert.engines.client import Engine
from bpconvert.verification import Verification, verify

pytestmark = pytest.mark.engines

#: cases whose documents mean the same
SAME = {
    HOT: [
        "anchors-and-merge-keys", "condition-on-output", "condition-on-resource", "condition-separator-in-values",
        "conditional-network", "depends-on-forms", "entries-on-a-condition", "floating-ip-network-forms",
        "if-with-and-or-not", "mistake-undeclared-parameter", "quoted-scalars-stay-text",
    ],
    CFY: [
        "choices-of-visible-inputs", "concat", "data-that-heat-would-call", "floating-ip-all-properties",
        "get-attribute", "get-input", "get-property", "hidden-input-with-branches", "merge",
        "multi-line-texts", "outputs-of-every-kind", "scaling-of-a-node", "server-on-network", "string-find",
        "string-replace", "string-split", "volumes", "yaml-scalars",
    ],
}  # fmt: skip
#: cases with differences: place -> the codes that tell them
TOLD = {
    HOT: {
        "get-attr-computed": {"outputs.named": ("BPC202",)},
        "get-param-path": {"outputs.letter": ("BPC202",)},
        "list-concat": {"outputs.unique_parameter": ("BPC202", "BPC509")},
        "list-join-maps-as-json": {"outputs.parameter": ("BPC202", "BPC223", "BPC501")},
        "make-url": {"outputs.secret": ("BPC202",)},
        "map-merge": dict.fromkeys(("server.metadata.b", "server.metadata.c"), ("BPC501", "BPC702")),
        "map-replace": {"outputs.keys_only": ("BPC202", "BPC501")},
    },
    CFY: {
        "concat-structures": {"outputs.input_list": ("BPC232",)},
        "get-attributes-of-all-instances": {"outputs.by_instance": ("BPC232",), "outputs.nested": ("BPC232",)},
        "get-secret": {"outputs.user": ("BPC232",), "web.metadata.token": ("BPC230", "BPC233")},
    },
}


def verified(language: Language, name: str, folder: Path, engines: Mapping[str, Engine] | bool) -> Verification:
    """A case and what it is converted to."""
    source, result = CORPUS / language.folder / name / language.document, converted(language, name)
    target = folder / DIRECTIONS[language].document
    for path, text in {**result.files, target.name: result.text}.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for beside in source.parent.iterdir():
        if beside.is_dir() and beside.name != "files" and not (folder / beside.name).exists():
            shutil.copytree(beside, folder / beside.name)
    return verify(source, target, reported=result.diagnostics, engines=engines, draws=3)


def converted(language: Language, name: str) -> Result:
    source = CORPUS / language.folder / name / language.document
    return convert(source, language.dialect, DIRECTIONS[language].dialect, carry=False)


def rows(cases: Mapping[Language, object]) -> list[object]:
    found = [(language, name) for language, names in cases.items() for name in names]  # type: ignore[attr-defined]
    return [pytest.param(*row, id=f"{row[0].folder}-{row[1]}") for row in found]


@pytest.mark.parametrize(("language", "name"), rows(SAME))
def test_the_same(language: Language, name: str, tmp_path: Path, engines: Mapping[str, Engine]) -> None:
    for computed_by in (engines, False):
        found = verified(language, name, tmp_path, computed_by)
        assert not [(one.what, one.first, one.second) for one in found.differences]
        assert found.compared > 0


@pytest.mark.parametrize(("language", "name"), rows(TOLD))
def test_told(language: Language, name: str, tmp_path: Path, engines: Mapping[str, Engine]) -> None:
    for computed_by in (engines, False):
        found = verified(language, name, tmp_path, computed_by)
        assert {one.what: one.codes for one in found.differences} == TOLD[language][name]
        assert found.reported + found.reworded == found.compared - found.equal > 0


CHANGES = [
    (HOT, "condition-on-resource", "default_instances: ", "default_instances: 1 #"),
    (HOT, "map-merge", "merge: ", "concat: "),
    (CFY, "string-replace", "value: ", "value: x #"),
    (CFY, "get-property", "value: ", "value: x #"),
    (CFY, "outputs-of-every-kind", "value: ", "value: x #"),
]


@pytest.mark.parametrize(("language", "name", "old", "new"), CHANGES)
def test_a_changed_result_is_found(
    language: Language, name: str, old: str, new: str, tmp_path: Path, engines: Mapping[str, Engine]
) -> None:
    result = converted(language, name)
    assert old in result.text
    target = tmp_path / DIRECTIONS[language].document
    target.write_text(result.text.replace(old, new, 1), "utf-8")
    found = verify(CORPUS / language.folder / name / language.document, target, engines=engines, draws=3)
    assert found.differences or (found.notes and not found.compared)
