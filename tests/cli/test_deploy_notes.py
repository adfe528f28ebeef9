"""``--deploy-notes``: the script runs, with a client that writes down what it is called with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from text_files import write

from bpconvert.cli.main import FAILED, OK, main
from bpconvert.deploy_notes import as_page, as_script
from bpconvert.translators.support.deploying import Question, Step

SERVER = "  web: {type: OS::Nova::Server, properties: {flavor: m1.small, image: cirros, networks: [{network: n}]}}\n"
APP = f"""\
heat_template_version: 2018-08-31
parameters: {{key: {{type: string}}}}
resources:
{SERVER}  inner: {{type: lib/inner.yaml}}
"""
INNER = f"heat_template_version: 2018-08-31\nresources:\n  deepest: {{type: deepest.yaml}}\n{SERVER}"
DEEPEST = f"heat_template_version: 2018-08-31\nresources:\n{SERVER}"
CLIENT = '#!/bin/sh\nfor word in "$@"; do printf \'<%s>\' "$word"; done >> "$CALLS"; echo >> "$CALLS"\n'


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("in/app.yaml", APP)
    write("in/lib/inner.yaml", INNER)
    write("in/lib/deepest.yaml", DEEPEST)
    write("in/other/app.yaml", DEEPEST)
    write("prod.yaml", "parameters: {key: k}\n")


def calls(script: str, values: dict[str, str]) -> list[list[str]]:
    """What the client is called with."""
    write("bin/cfy", CLIENT)
    Path("bin/cfy").chmod(0o755)
    asked = {line.split("{")[1].split(":")[0] for line in Path(script).read_text().splitlines() if line[:3] == ': "'}
    environment = dict.fromkeys(asked, "x") | values
    path = f"{Path('bin').resolve()}:{os.environ['PATH']}"
    run = {**environment, "PATH": path, "CALLS": str(Path("calls").resolve())}
    subprocess.run([str(Path(script).resolve())], check=True, env=run, cwd="/")
    return [line.strip("<>").split("><") for line in Path("calls").read_text().splitlines()]


def test_the_script_creates_secrets_and_uploads_components_first() -> None:
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--stage", "prod.yaml", "--deploy-notes", "notes/deploy.sh"]) == OK
    made = calls("notes/deploy.sh", {"SECRET_openstack_password": 'it\'s "$HOME"'})
    secrets = {call[2]: call[4] for call in made if call[0] == "secrets"}
    assert secrets["openstack_password"] == 'it\'s "$HOME"'
    assert len(secrets) == 7
    uploads = [call[2:] for call in made if call[0] == "blueprints"]
    assert [name.partition("-")[0] for _, name, _ in uploads] == ["deepest", "inner", "app", "other"]
    assert [file for *_, file in uploads] == [
        "../out/lib/deepest.yaml", "../out/lib/inner.yaml", "../out/app.yaml", "../out/other/app.yaml",
    ]  # fmt: skip
    assert [name for _, name, _ in uploads][2:] == ["app", "other-app"]
    text = Path("notes/deploy.sh").read_text()
    assert "# cfy deployments create app-prod -b app -i ../out/app.prod.inputs.yaml\n" in text
    assert "# cfy deployments create other-app -b other-app\n" in text  # it has no inputs
    assert made == [call for call in made if call[0] != "deployments"]


def test_a_script_without_values_stops_before_anything_is_done() -> None:
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--deploy-notes", "deploy.sh"]) == OK
    found = subprocess.run(["/bin/sh", "deploy.sh"], env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "the value of openstack_auth_url" in found.stderr


def test_what_is_still_to_be_given_is_named() -> None:
    assert main(["hot2cfy", "in", "-o", "out", "-q", "--deploy-notes", "deploy.md"]) == OK
    page = Path("deploy.md").read_text()
    assert "app needs further inputs: key:\n" in page
    assert "    cfy secrets create openstack_password --secret-string 'VALUE OF openstack_password'\n" in page
    assert page.index("deepest.yaml") < page.index("inner.yaml") < page.index("out/app.yaml")


def test_secrets_that_were_added_by_hand_are_named() -> None:
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/app.yaml", "-q"]) == OK
    text = Path("out/app.yaml").read_text().replace("flavor: m1.small", "flavor: {get_secret: our_flavor}", 1)
    write("out/app.yaml", text)
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/app.yaml", "-q", "--deploy-notes", "deploy.sh"]) == OK
    assert 'cfy secrets create our_flavor --secret-string "$SECRET_our_flavor"' in Path("deploy.sh").read_text()


def test_hostile_names_do_nothing() -> None:
    name = "a'; touch pwned; '\n$(touch pwned)`touch pwned`\"}"
    words = ("cfy", "secrets", "create", name, Question(name), Question(name.replace("'", "_")))
    groups = [(name.partition("\n")[0], [Step(words, remark=name), Step(words, later=True)])]
    write("deploy.sh", as_script(groups))
    Path("deploy.sh").chmod(0o755)
    made = calls("deploy.sh", {})
    assert [len(call) for call in made] == [5]
    assert not Path("pwned").exists()
    assert "\n$(" not in as_page(groups)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["hot2tosca", "--deploy-notes", "deploy.sh", "-o", "out"],
            "the steps for TOSCA service templates are not known",
        ),
        (["hot2cfy", "--deploy-notes", "deploy.sh", "-o", "-"], "needs -o PLACE"),
        (["hot2cfy", "--deploy-notes", "deploy.txt", "-o", "out"], "the ending chooses the format: .sh, .md"),
        (["hot2cfy", "--deploy-notes", "link.sh", "-o", "out.yaml"], "is a source or a result"),
    ],
)
def test_wrong_usage(words: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("link.sh").symlink_to("in/app.yaml")
    assert main([words[0], "in/app.yaml", *words[1:]]) == FAILED
    assert problem in capsys.readouterr().err
