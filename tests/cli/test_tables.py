"""Files of values and tables that are something else: what is wrong with them, at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.cli.main import FAILED, main

TEMPLATE = "heat_template_version: 2018-08-31\nparameters: {a: {type: string, default: x}}\n"


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("--params-file", "[1]\n", "1:2: error BPC515 a map is expected"),
        ("--params-file", "parameters: [a]\n", "1:1: error BPC515 'parameters' is no map"),
        ("--params-file", "1: x\n", "1:1: error BPC515 1 is no name"),
        ("--flavors", "a\n", "1:1: error BPC827 not a table: a map of names is expected"),
        ("--flavors", "{small: {cpus: many}}\n", "BPC827 not a table: 'small' is no row"),
    ],
)
def test_what_is_no_table_is_refused(
    option: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "app.yaml").write_text(TEMPLATE)
    given = tmp_path / "given.yaml"
    given.write_text(text)
    command = "hot2tosca" if option == "--flavors" else "hot2cfy"
    assert main([command, str(tmp_path / "app.yaml"), option, str(given)]) == FAILED
    output = capsys.readouterr()
    assert output.out == ""
    assert said in output.err
