"""Options from ``.bpconvert.toml`` and ``pyproject.toml``."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bpconvert.cli.main import FAILED, FINDINGS, OK, main

#: an unknown type (BPC300) and what it gives to an output (BPC305)
SOURCE = """\
heat_template_version: 2018-08-31
resources:
  other: {type: Acme::Thing}
  net: {type: OS::Neutron::Net}
outputs:
  name: {value: {get_attr: [other, name]}}
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    Path("in/app.yaml").write_text(SOURCE)


def configure(text: str, name: str = ".bpconvert.toml") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def codes(*words: str) -> set[str]:
    """The codes of the findings of a conversion."""
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "--report", "r.json", *words]) in (OK, FINDINGS)
    return {item["code"] for item in json.loads(Path("r.json").read_text())["files"][0]["diagnostics"]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".bpconvert.toml", 'ignore = ["BPC300"]\n'),
        (".bpconvert.toml", 'ignore = "BPC300"\n'),
        (".bpconvert.toml", '[hot2cfy]\nignore = ["BPC300"]\n'),
        ("pyproject.toml", '[tool.bpconvert]\nignore = ["BPC300"]\n'),
        ("pyproject.toml", '[tool.bpconvert.hot2cfy]\nignore = ["BPC300"]\n'),
        ("in/.bpconvert.toml", 'ignore = ["BPC300"]\n'),
    ],
)
def test_where_options_are_read(name: str, text: str) -> None:
    assert "BPC300" in codes()
    configure(text, name)
    assert "BPC300" not in codes()
    assert "BPC305" in codes()


def test_the_nearest_configuration_counts() -> None:
    configure('ignore = ["BPC300"]\n')
    configure('ignore = ["BPC305"]\n', "in/.bpconvert.toml")
    configure("[tool.other]\n", "in/pyproject.toml")
    assert codes() & {"BPC300", "BPC305"} == {"BPC300"}


def test_a_pyproject_without_the_table_is_passed_over() -> None:
    configure('ignore = ["BPC300"]\n')
    configure("this is no TOML", "in/pyproject.toml")
    assert "BPC300" not in codes()


def test_the_command_line_wins() -> None:
    configure('ignore = ["BPC300"]\nfail-on = "warning"\nstatistics = true\n')
    assert codes("--ignore", "BPC305") & {"BPC300", "BPC305"} == {"BPC300"}
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml"]) == FINDINGS
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "--fail-on", "never"]) == OK


def test_a_table_of_a_command_wins_over_the_rest() -> None:
    configure('ignore = ["BPC300"]\n[hot2cfy]\nignore = ["BPC305"]\n[check]\nfail-on = "info"\n')
    assert codes() & {"BPC300", "BPC305"} == {"BPC300"}


def test_a_configuration_that_is_named_and_none_at_all() -> None:
    configure('ignore = ["BPC300"]\n')
    configure('ignore = ["BPC305"]\n', "other.toml")
    assert codes("--config", "other.toml") & {"BPC300", "BPC305"} == {"BPC300"}
    assert codes("--isolated") >= {"BPC300", "BPC305"}


def test_files_and_patterns_are_relative_to_the_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    configure('exclude = ["in/old"]\nbaseline = "known.json"\n')
    Path("in/old").mkdir()
    Path("in/old/a.yaml").write_text(SOURCE)
    assert main(["hot2cfy", "in/app.yaml", "-o", "x.yaml", "--write-baseline", "known.json", "--isolated"]) == OK
    monkeypatch.chdir("in")
    assert main(["hot2cfy", ".", "-o", "../out", "--strict"]) == OK
    assert sorted(path.name for path in Path("../out").rglob("*.yaml")) == ["app.yaml"]


def test_options_of_other_commands_are_let_pass() -> None:
    configure('draws = 3\nclient-config = "inline"\n')
    assert main(["check", "in/app.yaml", "--fail-on", "never"]) == OK


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('\nignroe = ["BPC300"]\n', ":2:1: error BPC632 there is no option 'ignroe'; did you mean 'ignore'?"),
        ("[hot2cfy]\nignroe = 1\n", ".bpconvert.toml:2:1: error BPC632 there is no option 'ignroe'"),
        ("[hot2cyf]\nignore = 1\n", ":1:2: error BPC632 there is no option 'hot2cyf'; did you mean 'hot2cfy'?"),
        ("[hot2cfy]\ndraws = 1\n", ".bpconvert.toml:2:1: error BPC632 there is no option 'draws'"),
        ('ignore = ["BCP300"]\n', "'ignore': there is no code 'BCP300'; did you mean 'BPC300'?"),
        ('fail-on = "errors"\n', "'fail-on' is one of info, warning, error, never"),
        ("strict = 1\n", "'strict' is true or false"),
        ("ignore = [1.5, {}]\n", "there is no code '1.5'"),
        ("baseline = [1]\n", "'baseline' is a text"),
        ("allow-outside = true\n", "'allow-outside' is an option of the command line only"),
        ('output = "x"\n', "'output' is an option of the command line only"),
        ("x = \n", ".bpconvert.toml:1:5: error BPC632 this is no TOML"),
        ("\xff", "error BPC632"),
    ],
)  # fmt: skip
def test_what_is_wrong(text: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure("")
    Path(".bpconvert.toml").write_bytes(text.encode("latin-1"))
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml"]) == FAILED
    err = capsys.readouterr().err
    assert problem in err
    assert "Traceback" not in err
    assert not Path("out.yaml").exists()


def test_a_configuration_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "in/app.yaml", "--config", "none.toml"]) == FAILED
    problem = "cannot read the configuration: No such file or directory: none.toml"
    assert capsys.readouterr().err == f"bpconvert: error: {problem}\n"


def test_toml_is_loaded_where_there_is_a_configuration_only() -> None:
    code = (
        "import sys; from bpconvert.cli.main import main; main(['hot2cfy', 'in/app.yaml', '-o', 'out.yaml'])\n"
        "print([name for name in ('tomllib', 'tomli', 'bpconvert.baseline') if name in sys.modules])"
    )
    configure("[tool.other]\n", "pyproject.toml")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_example_of_the_page_is_one(root: Path) -> None:
    page = (root / "docs/howto/configuration.md").read_text("utf-8")
    [example] = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    shutil.copy(root / "tests/docs/workshop/site-types.yaml", ".")
    assert main(["check", "in/app.yaml", "--write-baseline", "known.json"]) == OK
    configure(example)
    assert main(["check", "in"]) == OK
    assert main(["hot2cfy", "in", "-o", "out"]) == OK
    assert "metadata:" not in Path("out/app.yaml").read_text()
