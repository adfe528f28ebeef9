"""The script that runs scripts as the script hook of Heat's agent does: it is really run, with a ``ctx`` that writes
down what it is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bpconvert.translators.cloudify.runner import SCRIPT

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no sh")

#: parses its arguments as cloudify/proxy/client.py does; the files of the blueprint are in $BUNDLE
CTX = f"""#!{sys.executable}
import argparse, json, os, shutil
parser = argparse.ArgumentParser()
parser.add_argument("--json-arg-prefix", default="@")
parser.add_argument("args", nargs="*")
given = parser.parse_args()
args = [json.loads(a[1:]) if a.startswith(given.json_arg_prefix) else a for a in given.args]
if args[0] == "download-resource":
    shutil.copy(os.path.join(os.environ["BUNDLE"], args[1]), args[2])
else:
    assert args[:2] == ["instance", "runtime-properties"] and len(args) == 4, args
    kept = os.environ["KEPT"]
    found = json.load(open(kept)) if os.path.exists(kept) else {{}}
    found[args[2]] = args[3]
    json.dump(found, open(kept, "w"))
"""


class Ran:
    """One run: the exit code, what it wrote, and the runtime properties."""

    def __init__(self, done: subprocess.CompletedProcess[str], kept: Path) -> None:
        self.code, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        self.kept: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ctx").write_text(CTX)
    (programs / "ctx").chmod(0o755)
    (tmp_path / "runner.sh").write_text(SCRIPT)
    (tmp_path / "runner.sh").chmod(0o755)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def run(bundle: Path, **inputs: str) -> Ran:
    """Run the script as script_runner/tasks.py does: the inputs are environment variables."""
    kept = bundle / "kept.json"
    own = {"BUNDLE": str(bundle), "KEPT": str(kept), "TMPDIR": str(bundle / "tmp")}
    path = {"PATH": f"{bundle / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [str(bundle / "runner.sh")], env={**os.environ, **own, **path, **inputs}, capture_output=True, text=True
    )
    assert list((bundle / "tmp").iterdir()) == []  # nothing is left behind
    return Ran(done, kept)


def test_a_text_is_run_as_it_is(bundle: Path) -> None:
    text = "#!/bin/sh\nprintf '%s|' \"$who\" 'a b' \"\\\\ % $0\"\n# no newline at the end"
    ran = run(bundle, heat_script_text=text, who="it's \"me\"\nand you")
    assert ran.stdout.startswith("it's \"me\"\nand you|a b|\\ % ")
    assert (ran.code, ran.stderr, ran.kept) == (0, "", {})


def test_the_interpreter_is_the_one_of_the_text(bundle: Path) -> None:
    text = f"#!{sys.executable}\nimport os\nprint(os.environ['who'], [n for n in os.environ if 'heat_script' in n])\n"
    ran = run(bundle, heat_script_text=text, who="you", heat_script_outputs="x", heat_script_errors="y")
    assert ran.stdout == "you []\n"


def test_a_text_without_an_interpreter_is_for_sh(bundle: Path) -> None:
    assert run(bundle, heat_script_text="echo $((1 + 1))\n").stdout == "2\n"


def test_a_file_of_the_bundle_is_run(bundle: Path) -> None:
    (bundle / "scripts").mkdir()
    (bundle / "scripts" / "a.sh").write_text("#!/bin/sh\necho from $where\n")
    assert run(bundle, heat_script_file="scripts/a.sh", where="file").stdout == "from file\n"


def test_outputs_are_kept_exactly(bundle: Path) -> None:
    text = (
        '#!/bin/sh\nprintf \'@{"a": 1}\\n\\n\' > "$heat_outputs_path.one"\nprintf -- \'-x\' > $heat_outputs_path.two\n'
        ": > $heat_outputs_path.empty\necho no > $heat_outputs_path.unused\necho out; echo err >&2\n"
    )
    names = "one two empty none deploy_stdout deploy_stderr deploy_status_code"
    ran = run(bundle, heat_script_text=text, heat_script_outputs=names)
    assert ran.kept == {
        "one": '@{"a": 1}\n\n', "two": "-x", "empty": "",
        "deploy_stdout": "out\n", "deploy_stderr": "err\n", "deploy_status_code": 0,
    }  # fmt: skip
    assert (ran.code, ran.stdout, ran.stderr) == (0, "out\n", "err\n")


@pytest.mark.parametrize("code", [1, 3, 127])
def test_a_failure_is_that_of_the_script_and_what_it_wrote_is_kept(bundle: Path, code: int) -> None:
    text = f"#!/bin/sh\necho half > $heat_outputs_path.result\nexit {code}\n"
    ran = run(bundle, heat_script_text=text, heat_script_outputs="result deploy_status_code")
    assert (ran.code, ran.kept) == (code, {"result": "half\n", "deploy_status_code": code})


def test_an_error_output_is_a_failure(bundle: Path) -> None:
    text = "#!/bin/sh\n[ -z $problem ] || echo $problem > $heat_outputs_path.failure\n"
    assert run(bundle, heat_script_text=text, heat_script_errors="failure", problem="").code == 0
    ran = run(bundle, heat_script_text=text, heat_script_errors="failure", problem="disk")
    assert ran.code == 1
    assert "disk" in ran.stderr


def test_of_a_long_output_the_end_is_kept(bundle: Path) -> None:
    text = "#!/bin/sh\ni=0; while [ $i -lt 12000 ]; do echo 0123456789abc; i=$((i+1)); done; echo end\n"
    ran = run(bundle, heat_script_text=text, heat_script_outputs="deploy_stdout")
    assert len(ran.kept["deploy_stdout"]) == 100_000
    assert ran.kept["deploy_stdout"].endswith("abc\nend\n")
    assert len(ran.stdout) == 12000 * 14 + 4


def test_a_file_that_is_not_there_is_a_failure(bundle: Path) -> None:
    assert run(bundle, heat_script_file="scripts/none.sh").code == 1


def test_a_ctx_that_fails_is_a_failure(bundle: Path) -> None:
    (bundle / "bin" / "ctx").write_text("#!/bin/sh\nexit 2\n")
    text = "#!/bin/sh\ntrue\n"
    assert run(bundle, heat_script_text=text).code == 0
    assert run(bundle, heat_script_text=text, heat_script_outputs="deploy_stdout").code == 1
