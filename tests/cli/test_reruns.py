"""The command line a second time: edits in results, results that are up to date, and what earlier runs left."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from text_files import edit, write

import bpconvert.batch
from bpconvert.cli.main import FAILED, FINDINGS, OK, main

APP = """\
heat_template_version: 2018-08-31

parameters:
  size:
    type: number
    default: 10

resources:
  # the disk
  disk:
    type: OS::Cinder::Volume
    properties:
      size: {get_param: size}
  web:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      image: cirros
  hello:
    type: OS::Heat::SoftwareConfig
    properties:
      config: |
        #!/bin/sh
        echo hello
  run:
    type: OS::Heat::SoftwareDeployment
    properties:
      server: {get_resource: web}
      config: {get_resource: hello}
"""
NET = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net}\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("in/app.yaml", APP)
    write("in/deep/net.yaml", NET)


def run(*words: str) -> int:
    """Convert the folder again."""
    return main(["hot2cfy", "in", "-o", "out", "-q", *words])


def files() -> dict[str, bytes]:
    """Everything below the folder of the results."""
    return {str(path): path.read_bytes() for path in sorted(Path("out").rglob("*")) if path.is_file()}


def node(name: str) -> Any:
    return yaml.safe_load(Path("out/app.yaml").read_text("utf-8"))["node_templates"][name]


def script() -> str:
    return str(next(Path("out/scripts").iterdir()))


# -- results that are up to date ----------------------------------------------------------------------------


def test_what_is_up_to_date_is_not_written_again() -> None:
    assert run() == OK
    for path in Path("out").rglob("*.yaml"):
        os.utime(path, (1, 1))
    edit("in/deep/net.yaml", "net:", "other:")
    assert run() == OK
    assert Path("out/app.yaml").stat().st_mtime == 1
    assert Path("out/deep/net.yaml").stat().st_mtime != 1


def test_check_is_quiet_on_fresh_results_and_loud_on_stale_ones(capsys: pytest.CaptureFixture[str]) -> None:
    check = ["hot2cfy", "in", "-o", "out", "--check"]
    assert main(check) == FINDINGS
    assert not Path("out").exists()
    assert run() == OK
    capsys.readouterr()
    assert run("--check", "--diff") == OK
    assert capsys.readouterr() == ("", "")
    edit("in/app.yaml", "m1.small", "m1.large")
    before = files()
    assert main(check) == FINDINGS
    assert "in/app.yaml: not up to date: out/app.yaml\n" in capsys.readouterr().err
    assert files() == before


def test_diff_shows_what_would_change_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    edit("in/deep/net.yaml", "net: {type: OS::Neutron::Net}", "net: {type: OS::Neutron::Net, properties: {name: blue}}")
    before = files()
    capsys.readouterr()
    assert run("--diff") == OK
    out = capsys.readouterr().out
    assert out.startswith("--- out/deep/net.yaml\n+++ out/deep/net.yaml\n@@")
    assert "\n+        name: blue\n" in out
    assert files() == before


def test_diff_shows_new_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "in/app.yaml", "-o", "out/a.yaml", "--diff", "-q"]) == OK
    out = capsys.readouterr().out
    assert "--- /dev/null\n+++ out/a.yaml\n@@ -0,0" in out
    assert "+echo hello\n" in out
    assert not Path("out").exists()


@pytest.mark.parametrize("words", [["--check"], ["--diff"], ["--prune", "-o", "-"]])
def test_there_has_to_be_a_place(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "in/app.yaml", *words]) == FAILED
    assert "needs -o PLACE" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["x.yaml", "x.YML", "x.csar"])
def test_several_inputs_go_to_no_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for inputs in (["in"], ["in/app.yaml", "in/deep/net.yaml"]):
        assert main(["hot2tosca", *inputs, "-o", name]) == FAILED
        assert f"-o {name} is the name of a file" in capsys.readouterr().err
        assert not Path(name).exists()


# -- edits --------------------------------------------------------------------------------------------------


def test_edits_survive(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    edit("out/app.yaml", "flavor: m1.small", "flavor: m1.huge  # for the sale")
    edit("out/app.yaml", "  run:\n", "  # by hand\n  mine:\n    type: cloudify.nodes.Root\n\n  run:\n")
    write(script(), Path(script()).read_text() + "echo more\n")
    edited = files()
    assert run() == OK
    assert files() == edited
    edit("in/app.yaml", "default: 10", "default: 20")
    edit("in/app.yaml", "image: cirros", "image: debian")
    assert main(["hot2cfy", "in", "-o", "out", "-v"]) == OK
    err = capsys.readouterr().err
    assert "info BPC640 'node_templates.web' was edited" in err
    assert "info BPC640 'node_templates.mine' was edited" in err
    assert "edits kept in 1 result" in err
    assert (node("web")["properties"]["flavor"], node("web")["properties"]["image"]) == ("m1.huge", "debian")
    assert node("mine") == {"type": "cloudify.nodes.Root"}
    text = Path("out/app.yaml").read_text()
    assert "m1.huge  # for the sale\n" in text
    assert "  # by hand\n  mine:\n" in text
    assert "    default: 20\n" in text
    assert Path(script()).read_text().endswith("echo hello\necho more\n")
    assert run("--check") == OK
    assert main(["cfy2hot", "out/app.yaml", "-o", "back.yaml"]) == OK
    back = Path("back.yaml").read_text()
    assert "flavor: m1.huge" in back
    assert "image: debian" in back
    assert "default: 20" in back


def test_what_was_deleted_stays_deleted() -> None:
    assert run() == OK
    made = Path("out/app.yaml").read_text()
    start = made.index("  # the disk\n")
    write("out/app.yaml", made[:start] + made[made.index("  web:\n", start) :])
    edit("in/app.yaml", "m1.small", "m1.large")
    assert run() == OK
    kept = Path("out/app.yaml").read_text()
    assert "flavor: m1.large" in kept
    assert "the disk" not in kept[: kept.index("bpconvert:")]
    assert run("--check") == OK


def test_an_edit_that_the_source_changes_too_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    edit("out/app.yaml", "flavor: m1.small", "flavor: m1.huge")
    edit("in/app.yaml", "flavor: m1.small", "flavor: m1.large")
    before = files()
    for words in ((), ("--check",)):
        capsys.readouterr()
        assert run(*words) == FAILED
        err = capsys.readouterr().err
        assert "error BPC641 'node_templates.web.properties.flavor' was edited after" in err
        assert "in/app.yaml: error: not written: --force would overwrite what is at out/app.yaml:39:7\n" in err
        assert files() == before
    assert run("--force") == OK
    assert node("web")["properties"]["flavor"] == "m1.large"


def test_an_edit_that_makes_a_file_no_text_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    Path(script()).write_bytes(b"#!/bin/sh\necho gr\xfc\xdf\n")
    before = files()
    assert run() == FAILED
    assert f"error BPC641 '{Path(script()).relative_to('out')}' was edited after" in capsys.readouterr().err
    assert files() == before
    assert run("--force") == OK
    assert Path(script()).read_text() == "#!/bin/sh\necho hello\n"


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    assert run() == OK
    edit("out/app.yaml", "flavor: m1.small", "flavor: m1.large")
    edit("in/app.yaml", "flavor: m1.small", "flavor: m1.large")
    assert run() == OK
    assert node("web")["properties"]["flavor"] == "m1.large"


def test_an_edited_entry_that_the_source_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    edit("out/app.yaml", "  # the disk\n  disk:\n    type: cloudify", "  disk:\n    type: my.cloudify")
    edit("in/app.yaml", APP[APP.index("  # the disk") : APP.index("  web:")], "")
    assert run() == FAILED
    assert "BPC641 'node_templates.disk' was edited" in capsys.readouterr().err


def test_an_added_entry_whose_input_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    mine = "  mine:\n    type: cloudify.nodes.Root\n    properties: {a: {get_input: size}}\n\n"
    edit("out/app.yaml", "  web:\n", mine + "  web:\n")
    write("in/app.yaml", APP.replace("size:", "space:", 1).replace("get_param: size", "get_param: space"))
    assert run() == FAILED
    assert "BPC641 'node_templates.mine' was edited" in capsys.readouterr().err


def test_a_comment_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    edit("out/app.yaml", "flavor: m1.small", "flavor: m1.small  # ask Ann first")
    edit("in/app.yaml", "flavor: m1.small", "flavor: m1.large")
    before = files()
    assert run() == FAILED
    assert "error BPC644 the comment '# ask Ann first'" in capsys.readouterr().err
    assert files() == before


def test_values_in_the_file_of_inputs_survive() -> None:
    write("in/app.yaml", APP.replace("default: 10", "default: 10\n    hidden: true"))
    keyed = "  key: {type: OS::Nova::KeyPair, properties: {name: k, save_private_key: true}}\n"
    write("in/app.yaml", APP + keyed)
    assert run() == OK
    script_text = Path(script()).read_text()
    edit("in/app.yaml", "echo hello", "echo goodbye")
    assert run() == OK
    assert [path.read_text() for path in Path("out/scripts").iterdir()] != [script_text]


def test_edits_of_nested_documents_survive() -> None:
    write("in/inner.yaml", NET.replace("net: {type: OS::Neutron::Net}", "net:\n    type: OS::Neutron::Net\n"))
    write("in/outer.yaml", "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml}\n")
    assert run() == OK
    edit("out/inner.yaml", "    type: cloudify.nodes.openstack.Network\n", "    type: my.Network\n")
    write("in/inner.yaml", Path("in/inner.yaml").read_text() + "  more: {type: OS::Neutron::Net}\n")
    assert run() == OK
    made = yaml.safe_load(Path("out/inner.yaml").read_text())["node_templates"]
    assert [one["type"] for one in made.values()] == ["my.Network", "cloudify.nodes.openstack.Network"]
    outer = yaml.safe_load(Path("out/outer.yaml").read_text())
    assert outer["node_templates"]["inner"]["properties"]["resource_config"]["blueprint"]["main_file_name"]


def test_what_came_back_meets_an_edited_source() -> None:
    """The blueprint and the template that it was made of were edited, each elsewhere."""
    assert run() == OK
    edit("out/app.yaml", "flavor: m1.small", "flavor: m1.huge")
    edit("in/app.yaml", "image: cirros", "image: debian  # newer")
    assert main(["cfy2hot", "out/app.yaml", "-o", "in/app.yaml", "-q"]) == OK
    both = APP.replace("flavor: m1.small", "flavor: m1.huge").replace("image: cirros", "image: debian  # newer")
    assert Path("in/app.yaml").read_text() == both


def test_a_file_that_is_no_result_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    write("out/app.yaml", "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates: {}\n")
    write("out/scripts/heat_script.sh", "mine")
    before = files()
    assert run() == FAILED
    assert "out/app.yaml:1:1: error BPC642 this file differs from the new result" in capsys.readouterr().err
    assert files()["out/app.yaml"] == before["out/app.yaml"]
    assert run("--force") == OK
    assert run("--check") == OK


def test_a_result_without_a_record_that_is_the_same() -> None:
    assert run("--no-carry") == OK
    assert run("--no-carry") == OK
    edit("out/app.yaml", "m1.small", "m1.huge")
    assert run("--no-carry") == FAILED


def test_edits_in_an_archive_survive() -> None:
    words = ["hot2tosca", "in/app.yaml", "-o", "app.csar", "-q"]
    assert main(words) == OK
    before = Path("app.csar").read_bytes()
    os.utime("app.csar", (1, 1))
    assert main(words) == OK
    assert Path("app.csar").stat().st_mtime == 1
    edit("in/app.yaml", "m1.small", "m1.large")
    assert main(words) == OK
    assert Path("app.csar").read_bytes() != before


@pytest.mark.parametrize("command", ["hot2cfy", "hot2tosca"])
def test_killed_and_started_again_yields_the_same(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [command, "in", "-o", "out", "-q"]
    write("in/inner.yaml", NET)
    write("in/outer.yaml", "heat_template_version: 2018-08-31\nresources:\n  inner: {type: inner.yaml}\n")
    assert main(words) == OK
    first = files()
    edit("in/app.yaml", "echo hello", "echo goodbye")
    edit("in/app.yaml", "m1.small", "m1.large")
    edit("in/inner.yaml", "net:", "renamed:")
    assert main(words) == OK
    expected = files()
    whole = bpconvert.batch.write_atomically
    for left in range(1, 10):
        for place, data in first.items():
            Path(place).write_bytes(data)
        for place in expected.keys() - first.keys():
            Path(place).unlink()
        allowed = iter(range(left))

        def killed(target: Path, data: bytes, mode: int, allowed: Iterator[int] = allowed) -> None:
            if next(allowed, None) is None:
                raise KeyboardInterrupt
            whole(target, data, mode)

        monkeypatch.setattr(bpconvert.batch, "write_atomically", killed)
        code = main(words)
        monkeypatch.setattr(bpconvert.batch, "write_atomically", whole)
        assert main(words) == OK
        assert files() == expected
        if code == OK:
            return
    raise AssertionError("it was killed every time")


# -- leftovers ----------------------------------------------------------------------------------------------


def test_results_without_a_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    write("out/own.yaml", "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates: {}\n")
    Path("in/deep/net.yaml").unlink()
    before = files()
    capsys.readouterr()
    assert main(["hot2cfy", "in", "-o", "out", "-v"]) == OK
    source = Path("in/deep/net.yaml").resolve()
    message = f"out/deep/net.yaml:1:1: warning BPC643 the source of this result is gone: there is no {source}\n"
    assert message in capsys.readouterr().err
    assert run("--check") == FINDINGS
    assert run("--check", "--prune") == FINDINGS
    assert files() == before
    assert main(["hot2cfy", "in", "-o", "out", "--prune"]) == OK
    assert "out/deep/net.yaml: removed\n" in capsys.readouterr().err
    assert not Path("out/deep").exists()
    assert files() == {name: data for name, data in before.items() if "deep" not in name}
    assert run("--check") == OK


def test_an_edited_result_without_a_source_is_not_removed(capsys: pytest.CaptureFixture[str]) -> None:
    write("in/a.yaml", NET)
    write("in/b.yaml", NET)
    assert run() == OK
    edit("out/a.yaml", "node_templates:\n", "node_templates:  # ours\n")
    edit("out/b.yaml", "openstack.Network", "openstack.Port")
    for name in ("a", "b"):
        Path(f"in/{name}.yaml").unlink()
    capsys.readouterr()
    assert main(["hot2cfy", "in", "-o", "out", "--prune", "-v"]) == OK
    assert capsys.readouterr().err.count("warning BPC646 the source of this result is gone") == 2
    assert run("--prune", "--force") == OK
    assert not Path("out/a.yaml").exists()
    assert not Path("out/b.yaml").exists()


def test_files_that_no_result_uses_any_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == OK
    old = script()
    edit("in/app.yaml", "echo hello", "echo goodbye")
    before = Path("in/app.yaml").read_text()
    assert main(["hot2cfy", "in", "-o", "out", "-v"]) == OK
    assert f"{old}:1:1: warning BPC645 this file was generated for in/app.yaml" in capsys.readouterr().err
    edit("in/app.yaml", "echo goodbye", "echo again")
    assert run("--prune") == OK
    names = [path.name for path in Path("out/scripts").iterdir()]
    assert len(names) == 2
    assert Path(old).name in names
    assert before != Path("in/app.yaml").read_text()


def test_two_folders_with_results_in_one() -> None:
    """What another run put there is no leftover where its source would be outside of the inputs."""
    write("other/x.yaml", NET)
    assert main(["hot2cfy", "in", "other", "-o", "out", "-q"]) == OK
    assert sorted(path.name for path in Path("out").iterdir()) == ["in", "other"]
    Path("other/x.yaml").rename("other/y.yaml")
    assert main(["hot2cfy", "in", "in/app.yaml", "-o", "out/in", "-q", "--check"]) == OK
