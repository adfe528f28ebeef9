"""Options from ``.bpconvert.toml`` and ``pyproject.toml``."""

from __future__ import annotations

import json
import os
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
        ("trust-config = true\n", "'trust-config' is an option of the command line only"),
        ('output = "x"\n', "'output' is an option of the command line only"),
        ("x = \n", ".bpconvert.toml:1:5: error BPC632 not TOML"),
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


#: options that name files, in a file of options -> what names a file outside of its folder
OUTSIDE = {
    "params-file": 'params-file = ["{}"]',
    "environment": 'environment = "{}"',
    "types": 'types = "{}"',
    "stage": 'stage = "prod={}"',
    "flavors": 'flavors = "{}"',
    "images": 'images = "{}"',
    "baseline": 'baseline = "{}"',
    "map": 'map = "https://example.com={}"',
    "templates": 'templates = "{}"',
}


@pytest.mark.parametrize("written", list(OUTSIDE.values()), ids=OUTSIDE)
@pytest.mark.parametrize("how", ["up", "whole", "link"])
def test_nothing_outside_of_its_folder_is_read(written: str, how: str, capsys: pytest.CaptureFixture[str]) -> None:
    key = written.partition(" ")[0]
    secret = Path("secret")
    if key in ("map", "templates"):
        secret.mkdir()
    else:
        secret.write_text("s3cr3t: {}: [\n")
    Path("in/link").symlink_to(Path("../secret"))
    name = {"up": "../secret", "whole": str(secret.resolve()), "link": "link"}[how]
    configure(written.format(name) + "\n", "in/.bpconvert.toml")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "--trust-config"]) == FAILED
    err = capsys.readouterr().err
    assert f"in/.bpconvert.toml:1:1: error BPC632 '{key}' names a " in err.replace(f"{Path.cwd()}/", "")
    assert f"outside of the folder of this file, as only --{key} may" in err
    assert "s3cr3t" not in err
    assert not Path("out.yaml").exists()


def test_values_of_a_file_beside_the_configuration_are_used() -> None:
    configure('params-file = "more/prod.yaml"\nassume-defaults = true\n', "in/.bpconvert.toml")
    Path("in/more").mkdir()
    Path("in/more/prod.yaml").write_text("size: 7\n")
    Path("in/app.yaml").write_text(
        "heat_template_version: 2018-08-31\nparameters: {size: {type: number}}\n"
        "resources: {v: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}\n"
    )
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "--no-carry"]) == OK
    assert "size: 7" in Path("out.yaml").read_text()


def test_what_is_no_file_is_not_read(capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("in/pipe")
    configure('params-file = "pipe"\n', "in/.bpconvert.toml")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml"]) == FAILED
    assert "BPC632 'params-file' names what is no file" in capsys.readouterr().err


def test_a_configuration_that_is_a_link_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("credentials").write_text("aws_secret s3cr3t\n")
    Path("in/.bpconvert.toml").symlink_to("../credentials")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml"]) == FAILED
    err = capsys.readouterr().err
    assert "BPC632 .bpconvert.toml is a link that leads out of its folder; --config may name it" in err
    assert "s3cr3t" not in err
    Path("credentials").write_text('ignore = ["BPC300"]\n')
    assert "BPC300" not in codes("--config", "in/.bpconvert.toml")


def test_templates_need_trust(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in/looks").mkdir()
    layout = "# ours\n{% for name, value in data.items() %}{{ entry(name, value) }}\n{% endfor %}"
    Path("in/looks/cloudify.yaml.j2").write_text(layout)
    configure('templates = "looks"\n', "in/.bpconvert.toml")
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml"]) == FAILED
    problem = "BPC632 'templates' of a configuration is used with --trust-config only: they are programs"
    assert problem in capsys.readouterr().err
    assert not Path("out.yaml").exists()
    assert main(["hot2cfy", "in/app.yaml", "-o", "out.yaml", "--trust-config"]) == OK
    assert Path("out.yaml").read_text().startswith("# ours\n")


@pytest.mark.parametrize(
    ("command", "text", "is_used"),
    [
        ("hot2cfy", 'limit = "copies=20001"', False),
        ("hot2cfy", 'limit = ["copies=10", "fields=20001"]', False),
        ("hot2cfy", 'limit = ["copies=10", "fields=20000"]', True),
        ("verify", "draws = 6", False),
        ("verify", "draws = 5", True),
        ("verify", "limit = 1000", True),
        ("verify", "limit = 0", True),
    ],
)
def test_what_takes_longer_needs_trust(
    command: str, text: str, is_used: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(f"[{command}]\n{text}\n")
    words = ["in/app.yaml", "in/app.yaml"] if command == "verify" else ["in/app.yaml", "-o", "out.yaml"]
    key = text.partition(" ")[0]
    assert (main([command, *words]) == OK) is is_used
    problem = f"BPC632 '{key}' of a configuration is used with --trust-config only"
    assert (problem in capsys.readouterr().err) is not is_used
    assert main([command, *words, "--trust-config"]) == OK


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
