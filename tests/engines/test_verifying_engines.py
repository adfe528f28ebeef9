"""``verify`` with the real engines: no difference in the corpus is silent."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from corpus_cases import CFY, CORPUS, DIRECTIONS, HOT, Language, cases_of

from bpconvert import Result, convert
from bpconvert.engines.client import Engine
from bpconvert.options import Options
from bpconvert.verification import Verification, verify
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.engines

#: the cases that an engine can have values for
CASES = [
    pytest.param(language, case.name, id=case.id)
    for language in DIRECTIONS
    for case in cases_of(language)
    if not case.is_mistake and case.options == Options() and case.outcome.text is not None
]


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


@pytest.mark.parametrize(("language", "name"), CASES)
def test_every_difference_is_reported(
    language: Language, name: str, tmp_path: Path, engines: Mapping[str, Engine]
) -> None:
    """Where the result means something else a finding of the conversion is at the very place. (The same is asked of the
    own evaluator in ``tests/corpus``.)"""
    data = load((CORPUS / language.folder / name / language.document).read_bytes()).data
    means_something = any(data.get(section) for section in ("resources", "node_templates", "outputs"))
    found = verified(language, name, tmp_path, engines)
    assert [(one.what, one.first, one.second) for one in found.differences if not one.codes] == []
    assert found.reported + found.reworded == found.compared - found.equal
    assert bool(found.compared or found.notes) is means_something


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
