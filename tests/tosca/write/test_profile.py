"""The profile: the same definitions as in results without it, and read as what it stands for."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml
from corpus_cases import TOSCA, Case, cases_of_tosca

from bpconvert import UsageError
from bpconvert.api import convert
from bpconvert.checking import check
from bpconvert.translators.catalogue.schemas import heat_types
from bpconvert.translators.tosca.profile import NAME, attribute_definition, definitions, text
from bpconvert.translators.tosca.vocabulary import heat_name

CASES = [case for case in cases_of_tosca() if case.result == TOSCA and not case.is_mistake]
HOT = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: x}}\n"


def test_it_has_every_resource_type() -> None:
    assert {heat_name(type) for type in definitions()} == set(heat_types())
    assert yaml.safe_load(text())["node_types"] == definitions()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_result_imports_what_it_would_define(case: Case) -> None:
    options = case.options._replace(carry=False)
    inline, imported = (
        convert(case.source, case.dialect, "tosca", options=options._replace(profile=profile))
        for profile in (False, True)
    )
    if "imports" not in imported.document:
        assert imported.text == inline.text
        return
    mine, own = inline.document["node_types"], imported.document.get("node_types", {})
    assert imported.files[NAME] == text()
    assert imported.files.keys() == {*inline.files, NAME}
    assert all(imported.files[name] == made for name, made in inline.files.items() if name not in inline.nested)
    for type, definition in mine.items():
        if type in own:
            assert definition == own[type]
            continue
        known = definitions()[type]
        assert definition["derived_from"] == known["derived_from"]
        assert definition["metadata"] == known["metadata"]
        assert definition.get("properties", {}).items() <= known.get("properties", {}).items()
        for name, one in definition.get("attributes", {}).items():
            assert known["attributes"][name] in (one, attribute_definition(True))
    assert {key: part for key, part in imported.document.items() if key not in ("imports", "node_types")} == {
        key: part for key, part in inline.document.items() if key != "node_types"
    }


def test_it_is_read_from_the_names_where_it_is_not_there(tmp_path: Path) -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    before = copy.deepcopy(definitions())
    there = convert(made, "tosca", "hot", carry=False, beside={NAME: text()})
    missing = convert(made, "tosca", "hot", carry=False)
    assert there.text == missing.text
    assert [one.code for one in there.diagnostics] == []
    assert [one.code for one in missing.diagnostics] == ["BPC882"]
    assert definitions() == before
    (tmp_path / NAME).write_text(text(), "utf-8")
    (tmp_path / "app.yaml").write_text(made, "utf-8")
    assert check(tmp_path / "app.yaml") == []


def test_a_result_does_not_keep_it() -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    kept = convert(made, "tosca", "hot", beside={NAME: text()}).text
    assert len(kept) < 2000
    back = convert(kept, "hot", "tosca")
    assert back.text == made


def test_an_edited_one_is_read_as_any_import() -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    edited = text().replace("{heat_name: 'OS::Neutron::Net'}", "{heat_name: 'OS::Neutron::Net', a: b}")
    assert edited != text()
    found = convert(made, "tosca", "hot", beside={NAME: edited})
    assert [one.code for one in found.diagnostics] == ["BPC140"]
    assert "a: b" in found.text
    assert convert(found.text, "hot", "tosca").text == made


def test_a_result_is_not_written_in_its_place(tmp_path: Path) -> None:
    result = convert(HOT, "hot", "tosca", profile=True)
    with pytest.raises(UsageError, match="has the name of the result"):
        result.write(tmp_path / NAME)
    assert list(tmp_path.iterdir()) == []
