"""Scripts that publish with ``ctx`` do the same where there is no such command."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bpconvert.translators.cloudify.publishing import bare, published, unpublished
from bpconvert.translators.hot.resource_types import SOFTWARE as HEAT
from bpconvert.translators.passes.capabilities import Published
from bpconvert.translators.tosca.programs import SOFTWARE as TOSCA

TEXT = """#!/bin/sh
# ctx logs, asks and publishes
ctx logger info "it has $# arguments"
PORT=$(ctx node properties port)
if true; then ctx instance runtime-properties 'url' "http://web:$PORT/a b"; fi
ctx instance runtime_properties ready @true && AGAIN=`ctx instance runtime-properties url`
ctx instance runtime_properties again "$AGAIN"
echo "$(ctx instance runtime-properties before)"
"""


def asked(script: Published, what: str) -> tuple[str, ...]:
    """The names of what a script asks for."""
    return tuple(row.name for row in script.asks if row.what == what)


@pytest.mark.parametrize("publish", [HEAT.publish, TOSCA.publish], ids=["heat", "tosca"])
def test_script_publishes_what_it_did(tmp_path: Path, publish: str) -> None:
    made = published("a.sh", TEXT, publish)
    assert made is not None
    assert made.sets == ("url", "ready", "again")
    assert (asked(made, "value"), asked(made, "property")) == (("url", "before"), ("port",))
    assert bare(made.text) == TEXT
    script = tmp_path / "script"
    script.write_text(made.text)
    script.chmod(0o700)
    variables = {"heat_outputs_path": str(tmp_path / "out"), "ctx_node_port": "80", "ctx_instance_before": "b"}
    done = subprocess.run(
        [script], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin", **variables}
    )
    outputs = {path.suffix[1:]: path.read_text() for path in tmp_path.glob("out.*")}
    assert outputs == {"url": "http://web:80/a b", "ready": "true", "again": "http://web:80/a b"}
    assert (done.stdout, done.stderr) == ("b\n", "it has 0 arguments\n")


def test_orchestrators_that_take_variables_get_them(tmp_path: Path) -> None:
    made = published("a.sh", "#!/bin/bash\nctx instance runtime-properties a x\n", TOSCA.publish)
    assert made is not None
    done = subprocess.run(["bash", "-c", made.text + "env"], capture_output=True, text=True, check=True)
    assert "a=x" in done.stdout.splitlines()


SIDES = """#!/bin/sh
END=$(ctx target node properties port)/$(ctx target instance runtime-properties id)
ctx source instance runtime_properties url "$(ctx target instance host_ip):$END"
echo "$(ctx source instance runtime_properties url) of $(ctx source node name) at $(ctx source instance host-ip)"
echo "$(ctx source instance runtime_properties before) $(ctx source node properties a)"
"""


def test_a_script_of_a_relationship_knows_both_sides(tmp_path: Path) -> None:
    made = published("a.sh", SIDES, HEAT.publish)
    assert made is not None
    assert (made.sets, made.sides) == (("url",), {"source", "target"})
    variables = {row.variable: f"{row.side}-{row.what}{row.name}" for row in made.asks if row.name != "url"}
    env = {"PATH": "/usr/bin:/bin", "heat_outputs_path": str(tmp_path / "out"), **variables}
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, env=env)
    url = "target-address:target-propertyport/target-valueid"
    lines = [f"{url} of source-name at source-address", "source-valuebefore source-propertya"]
    assert (done.stdout.splitlines(), (tmp_path / "out.url").read_text()) == (lines, url)
    back = unpublished("a.sh", made.text)
    assert back is not None
    assert (back.text, back.asks) == (SIDES, made.asks)


def test_a_node_knows_its_name_and_its_machine() -> None:
    made = published("a.sh", "#!/bin/sh\necho `ctx node name` $(ctx instance host_ip)\n", HEAT.publish)
    assert made is not None
    assert {row.variable for row in made.asks} == {"ctx_name", "ctx_host_ip"}
    env = {"PATH": "/usr/bin:/bin", "ctx_name": "app", "ctx_host_ip": "192.0.2.1"}
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, env=env)
    assert done.stdout == "app 192.0.2.1\n"


@pytest.mark.parametrize(("command", "answer"), [("node name", "app"), ("instance host_ip", "192.0.2.1")])
def test_each_of_these_is_known_alone(command: str, answer: str) -> None:
    made = published("a.sh", f"#!/bin/sh\nctx {command}\n", HEAT.publish)
    assert made is not None
    env = {"PATH": "/usr/bin:/bin", "ctx_name": "app", "ctx_host_ip": "192.0.2.1"}
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, env=env)
    assert done.stdout == f"{answer}\n"


def test_an_instance_and_a_deployment_have_ids(tmp_path: Path) -> None:
    """That of an instance is made of the node's name and the machine's id, so that it is the same in every script."""
    made = published("a.sh", "#!/bin/sh\necho $(ctx instance id) of $(ctx deployment id)\n", HEAT.publish)
    assert made is not None
    assert {row.variable: row.what for row in made.asks} == {"ctx_name": "name", "ctx_deployment_id": "deployment"}
    (tmp_path / "cut").write_text("#!/bin/sh\necho 0123ab of $3\n")
    (tmp_path / "cut").chmod(0o700)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "ctx_name": "app", "ctx_deployment_id": "d"}
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, env=env)
    assert done.stdout == "app_0123ab of /etc/machine-id of d\n"
    back = unpublished("a.sh", made.text)
    assert back is not None
    assert back.asks == made.asks


def test_an_execution_has_an_id_and_can_be_ended() -> None:
    text = "#!/bin/sh\n[ $(ctx execution-id) = $(ctx execution_id) ] || ctx abort-operation 'not the same'\n"
    made = published("a.sh", f"{text}false || ctx abort-operation no  more\necho never\n", HEAT.publish)
    assert made is not None
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no more\n")


@pytest.mark.parametrize(
    "target", ["two", '"$PWD/two"', """'@{"target_path": "two"}'""", """'@{"target_path":"two"}' && true"""]
)
def test_a_file_goes_where_it_shall(tmp_path: Path, target: str) -> None:
    made = published("a.sh", f"#!/bin/sh\nset -e\nctx download-resource b {target}\n", HEAT.publish, FILES.get)
    assert made is not None
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (tmp_path / "two").read_text() == FILES["b"]
    assert done.stdout.endswith("two\n")


@pytest.mark.parametrize(
    "command",
    [
        "ctx download-resource none /b",
        "ctx download-resource $NAME",
        "ctx download-resource-and-render a.conf",
        "ctx target instance runtime_properties a b",
        "ctx source instance runtime_properties a b\nctx node properties c",
        "ctx source instance id",
        "echo $(ctx abort-operation no)",
        "ls | while read f; do\nctx abort-operation $f\ndone",
        "ctx download-resource b '@{\"variables\": {}}'",
        "ctx download-resource b @$json",
        "ctx instance runtime-properties a.b c",
        "ctx instance runtime-properties $NAME c",
        "ctx node properties a b",
        "ctx instance relationships",
        "ctx deployment name",
        "sudo ctx instance runtime-properties a b",
        "sh -c 'ctx logger info a'",
        "ctx -j instance runtime-properties a b",
        'ctx instance runtime-properties "$name" b',
        "ctx instance runtime-properties a @{}",
        "ctx instance runtime-properties a '@[1, 2]'",
        'ctx instance runtime-properties a "@$json"',
        "cat <<END >later.sh\nctx instance runtime-properties a b\nEND",
        "cat <<'END' >later.sh\necho $(ctx node properties a)\nEND",
        "cat <<-END\n\techo ctx\n\tEND",
        "<<'END' cat\nctx node properties a\nEND",
        "(ctx instance runtime-properties a b)",
        "(\nctx instance runtime-properties a b\n)",
        "ls | ctx instance runtime-properties a b",
        "ls | while read f; do\nctx instance runtime-properties a $f\ndone",
        "x=`ctx instance runtime-properties a b`",
    ],
)
def test_other_uses_have_no_such_form(command: str) -> None:
    assert published("a.sh", f"#!/bin/sh\n{command}\n", HEAT.publish) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("cat <<END >a.conf\nport=1\nEND\nctx node properties a\n", ("a",)),
        ("cat <<END >a.conf\nport=$(ctx node properties a)\nof=`ctx node properties b`\nEND\n", ("a", "b")),
        ("cat <<END >a.conf\nport=$( ctx node properties a )\nEND\n", ("a",)),
        ("cat <<-'END' >a\n\ta\n\tEND\nctx node properties a\ncat <<B\nB\n", ("a",)),
        ("grep a <<< text\nctx node properties a\n", ("a",)),
        ("ls | while read f; do\necho $f\ndone\nctx node properties a\n", ("a",)),
    ],
)
def test_texts_in_a_script_are_no_obstacle(text: str, names: tuple[str, ...]) -> None:
    """The shell runs a command in a text whose delimiter is not quoted."""
    made = published("a.sh", f"#!/bin/sh\n{text}", HEAT.publish)
    assert made is not None
    assert asked(made, "property") == names


FILES = {"conf/a.conf": "port=1\n$HOME `x`\n", "b": "no end", "c": "END_OF_FILE\n'\n", "large": "x" * 40_000}


def test_files_of_the_blueprint_are_in_the_script(tmp_path: Path) -> None:
    text = """#!/bin/sh
set -e
cp "$(ctx download-resource conf/a.conf)" one
FILE=$(ctx download_resource "b" two)
ctx download-resource 'c' $PWD/three && echo "$FILE"
"""
    made = published("a.sh", text, HEAT.publish, FILES.get)
    assert made is not None
    assert made.resources == ("conf/a.conf", "b", "c")
    assert bare(made.text) == text
    done = subprocess.run(["sh", "-c", made.text], capture_output=True, text=True, check=True, cwd=tmp_path)
    written = [(tmp_path / name).read_text() for name in ("one", "two", "three")]
    assert written == [FILES["conf/a.conf"], FILES["b"], FILES["c"]]
    assert done.stdout == f"{tmp_path}/three\ntwo\n"


@pytest.mark.parametrize("name", ["large", "empty", "script"])
def test_large_files_and_what_looks_like_the_function_are_not(name: str) -> None:
    files = {**FILES, "empty": "", "script": "# -- end of ctx\n"}
    assert published("a.sh", f"#!/bin/sh\nctx download-resource {name}\n", HEAT.publish, files.get) is None


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_files_of_a_script_have_a_limit_together(more: int, fits: bool) -> None:
    text = "#!/bin/sh\nctx download-resource a >one\nctx download-resource b >two\n"
    files = {"a": "x" * 32_000, "b": "x" * (768 + more)}
    assert (published("a.sh", text, HEAT.publish, files.get) is not None) is fits


@pytest.mark.parametrize("name", ["a.py", "a.rb", "a.ps1"])
def test_only_scripts_of_a_shell_get_its_line(name: str) -> None:
    assert published(name, "echo a\n", HEAT.publish) is None
    made = published("a.sh", "echo a\n", HEAT.publish)
    assert made is not None
    assert (made.text, made.code) == ("#!/bin/sh\necho a\n", "BPC433")


def test_only_what_the_shell_runs_is_a_command() -> None:
    """Comments are none, wherever they stand."""
    text = "#!/bin/sh\n    # ctx instance id\nctx node properties a\n# ctx\n"
    made = published("a.sh", text, HEAT.publish)
    assert made is not None
    assert (asked(made, "property"), made.code) == (("a",), "BPC431")
    assert made.text.endswith(text.partition("\n")[2])


def test_the_command_stands_where_its_function_was() -> None:
    made = published("a.sh", TEXT, HEAT.publish)
    assert made is not None
    back = unpublished("a.sh", made.text)
    assert back is not None
    assert (back.text, back.code) == (TEXT, "BPC959")
    assert (back.sets, back.asks) == (made.sets, made.asks)
    assert unpublished("a.sh", TEXT) is None
    assert unpublished("a.sh", f"{made.text}ctx instance index\n") is None


def test_script_without_the_command_stays() -> None:
    assert published("a.sh", "#!/bin/sh\n# no ctx here\necho a\n", HEAT.publish) is None
    assert published("a.py", "#!/usr/bin/env python3\nctx.logger.info('a')\n", HEAT.publish) is None


@pytest.mark.parametrize("line", ["/usr/bin/perl", "/usr/bin/tclsh", "/usr/bin/env ruby"])
def test_the_command_of_another_interpreter_is_none_of_ours(line: str) -> None:
    assert published("a.sh", f"#!{line}\nctx node properties a\n", HEAT.publish) is None
