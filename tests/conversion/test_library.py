"""The library as programs use it: its errors, its words in an order, its keyword arguments."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import pytest

import bpconvert
from bpconvert import BpconvertError, Fidelity, Options, Severity, UsageError, convert, convert_tree
from bpconvert.options import Choices

TEMPLATE = "heat_template_version: 2018-08-31\nresources:\n  x: {type: OS::Heat::RandomString}\n"


def test_severities_compare_with_their_names() -> None:
    assert Severity.WARNING == "warning"
    assert Severity.WARNING > "info"
    assert Severity.ERROR >= Severity.WARNING
    assert not Severity.ERROR < "warning"
    assert max(Severity.WARNING, Severity.ERROR, Severity.INFO) is Severity.ERROR
    assert {Severity.ERROR: 1}["error"] == 1
    assert f"{Fidelity.CARRIED}" == "carried" == str(Fidelity("carried"))
    assert sorted(["carried", Fidelity.EXACT], key=Fidelity)[0] == "exact"
    with pytest.raises(ValueError, match="loud"):
        assert Severity.ERROR > "loud"


def test_the_source_is_recognised() -> None:
    blueprint = convert(TEMPLATE).text
    assert blueprint.startswith("tosca_definitions_version: cloudify_dsl")
    assert convert(blueprint, target="hot").text == TEMPLATE


def test_every_option_is_a_keyword_argument() -> None:
    assert get_type_hints(Choices) == get_type_hints(Options)


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda: convert(TEMPLATE, plugn="v2"), "unknown option 'plugn'; did you mean 'plugin'\\?"),
        (lambda: convert(TEMPLATE, plugin="v4"), "plugin: 'v4' is unknown"),
        (lambda: convert(TEMPLATE, target="cfy"), "unknown dialect"),
        (lambda: convert(TEMPLATE, "hot", "hot"), "nothing to convert"),
        (lambda: bpconvert.evaluate(1, dialect="heat", version="rocky"), "unknown dialect 'heat'"),
        (lambda: bpconvert.convert("a: 1\n"), "neither a Heat template nor .*: there is no"),
        (lambda: bpconvert.convert("a: [\n"), "expected"),
    ],
)
def test_all_errors_have_one_root(call: object, problem: str) -> None:
    assert callable(call)
    with pytest.raises(BpconvertError, match=problem) as caught:
        call()
    assert isinstance(caught.value, UsageError) is not bool(caught.value.diagnostics)


def test_findings_have_the_names_of_the_report() -> None:
    (finding, *_) = bpconvert.check("heat_template_version: 2018-08-31\nresources:\n  x: {type: OS::Nova::Servr}\n")
    for name, value in finding.as_dict().items():
        assert (list(finding.path) if name == "path" else getattr(finding, name)) == value


def test_a_directory_is_converted(tmp_path: Path) -> None:
    folder = tmp_path / "templates"
    (folder / "old").mkdir(parents=True)
    for name in ("a.yaml", "old/b.yaml"):
        (folder / name).write_text(TEMPLATE)
    (folder / "broken.yaml").write_text("heat_template_version: 2018-08-31\nresources: [\n")
    (folder / "notes.yaml").write_text("- no template\n")
    planned = convert_tree(folder, tmp_path / "out", write="nothing")
    assert not (tmp_path / "out").exists()
    tree = convert_tree(folder, tmp_path / "out", exclude=["old/"])
    assert [file.source for file in planned.files] != [file.source for file in tree.files]
    assert tree.skipped == 1
    (broken,) = tree.failed
    assert (broken.error and broken.error.kind, broken.target) == ("source", None)
    (good,) = (file for file in tree.files if file.error is None)
    assert good.target == str(tmp_path / "out" / "a.yaml")
    assert good.changed == [good.target]
    assert Path(good.target).read_text() == convert(folder / "a.yaml").text
    again = convert_tree([folder / "a.yaml", folder / "old"], tmp_path / "out", write="nothing")
    assert [file.changed == [] for file in again.files] == [True, False]
    with pytest.raises(UsageError, match="no templates in"):
        convert_tree(folder, tmp_path / "out", source="tosca")
    with pytest.raises(UsageError, match="unknown option"):
        convert_tree(folder, tmp_path / "out", plugn="v2")


def test_a_result_is_written_with_its_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "inner.yaml").write_text(TEMPLATE)
    outer = tmp_path / "in" / "app.yaml"
    outer.write_text("heat_template_version: 2018-08-31\nresources:\n  x: {type: inner.yaml}\n")
    result = convert(outer)
    files = ["app.yaml", "scripts/bpconvert_blueprint.py", "inner.yaml"]
    assert sorted(result.write(tmp_path / "out")) == sorted(tmp_path / "out" / name for name in files)
    assert (tmp_path / "out" / "app.yaml").read_text() == result.text
    assert result.write(tmp_path / "out" / "app.yaml")
    (tmp_path / "out" / "inner.yaml").write_text("edited: true\n")
    with pytest.raises(UsageError, match=r"inner.yaml is there already"):
        result.write(tmp_path / "out")
    result.write(tmp_path / "out", force=True)
    assert (tmp_path / "out" / "inner.yaml").read_text() == result.files["inner.yaml"]
    with pytest.raises(UsageError, match="is there already"):
        result.write(tmp_path / "in", force=True)
    with pytest.raises(UsageError, match="give the name of a file"):
        convert(TEMPLATE).write(tmp_path)
    assert outer.read_text().endswith("{type: inner.yaml}\n")
