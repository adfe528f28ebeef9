"""``bpconvert roundtrip``: what it prints, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.cli.main import main

SAME = "heat_template_version: 2013-05-23\nresources:\n  net: {type: OS::Neutron::Net}   # one\n"
BLUEPRINT = "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates:\n  a: {type: cloudify.nodes.Root}\n"
#: the placeholders' names are not in a blueprint
LOSSY = """\
heat_template_version: 2013-05-23
parameters:
  a: {type: string}
outputs:
  o:
    value:
      str_replace:
        template: <<a>>
        params: {<<a>>: {get_param: a}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"same": SAME, "lossy": LOSSY, "blueprint": BLUEPRINT, "other": "a: 1\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return tmp_path


def test_identical(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", str(folder / "same.yaml")]) == 0
    assert capsys.readouterr().out == f"{folder / 'same.yaml'}: identical\n"


def test_differences_are_printed_and_end_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", "--no-carry", str(folder / "lossy.yaml")]) == 1
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.endswith("lossy.yaml: different")
    assert any(line.startswith("  ['outputs']['o']['value']") for line in rest)


def test_a_folder_with_templates_of_both_languages(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", str(folder)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 3
    assert printed.err == "bpconvert: 3 templates: 3 identical, 0 same content, 0 different, 0 failed\n"


def test_quiet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", "-q", str(folder)]) == 0
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_read_ends_with_2_and_stops_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.yaml").write_text("heat_template_version: [\n")
    assert main(["roundtrip", str(folder)]) == 2
    printed = capsys.readouterr()
    assert "broken.yaml:" in printed.err
    assert "BPC101" in printed.err
    assert len(printed.out.splitlines()) == 3


def test_no_template(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roundtrip", str(folder / "other.yaml")]) == 2
    assert "BPC131" in capsys.readouterr().err
    assert main(["roundtrip", str(folder / "missing.yaml")]) == 2
    assert "missing.yaml" in capsys.readouterr().err
