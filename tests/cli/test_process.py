"""Results on disk, and the command as a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bpconvert
from bpconvert.batch import describe, write_atomically
from bpconvert.cli.main import CLOSED_PIPE

HOT = "heat_template_version: 2021-04-16\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BPCONVERT_DEBUG", raising=False)


# -- writing ------------------------------------------------------------------------------------------------


def test_write_keeps_mode_and_link() -> None:
    real = Path("real.yaml")
    real.write_text("old")
    real.chmod(0o640)
    Path("link.yaml").symlink_to(real)
    write_atomically(Path("link.yaml"), "new")
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new", 0o640)
    assert Path("link.yaml").is_symlink()
    assert sorted(p.name for p in Path().iterdir()) == ["link.yaml", "real.yaml"]


def test_failed_write_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.yaml").write_text("old")

    def refuse(source: Any, target: Any) -> None:
        raise PermissionError(13, "Permission denied", str(source), None, str(target))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError) as caught:
        write_atomically(Path("out.yaml"), "new")
    assert describe(caught.value) == "Permission denied: out.yaml"
    assert [(p.name, p.read_text()) for p in Path().iterdir()] == [("out.yaml", "old")]


def test_device_is_written_to() -> None:
    write_atomically(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()


# -- the process --------------------------------------------------------------------------------------------


@pytest.fixture
def run() -> Iterator[Callable[..., subprocess.CompletedProcess[bytes]]]:
    """Run a Python snippet or the command in a process of its own."""

    def start(*words: str, **choices: Any) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, *words], capture_output=True, timeout=60, **choices)

    return start


def test_process(run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    done = run("-m", "bpconvert", "--version")
    assert (done.returncode, done.stdout) == (0, f"bpconvert {bpconvert.__version__}{os.linesep}".encode())
    done = run("-m", "bpconvert", "hot2cfy", "none.yaml")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """A checkout that is not installed."""
    for name in ("bpconvert", "models", "translators", "templates"):
        shutil.copytree(root / name, tmp_path / "checkout" / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "checkout"


def test_a_checkout_runs_without_being_installed(
    run: Callable[..., subprocess.CompletedProcess[bytes]], root: Path, checkout: Path
) -> None:
    source = root / "corpus/hot/server-on-network/hot.yaml"
    done = run("-m", "bpconvert", "hot2cfy", str(source), "--no-carry", cwd=checkout)
    assert done.returncode == 0, done.stderr
    assert b"\ntosca_definitions_version: cloudify_dsl_" in done.stdout
    code = "from bpconvert import models, templates; print(models.__file__, templates.__file__)"
    done = run("-c", code, cwd=checkout)
    assert done.stdout.split() == [os.fsencode(checkout / name / "__init__.py") for name in ("models", "templates")]


def test_a_package_that_is_missing_is_named(
    run: Callable[..., subprocess.CompletedProcess[bytes]], tmp_path: Path
) -> None:
    (tmp_path / "t.yaml").write_text("heat_template_version: 2021-04-16\nresources: 3\n")  # pydantic words errors
    code = "import sys; sys.modules['pydantic'] = None; import bpconvert.__main__ as process; process.run()"
    done = run("-c", code, "hot2cfy", "t.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert b"the package 'pydantic' is not installed (in a checkout: pip install .)" in done.stderr


#: what the converter cannot do without, and help can
HEAVY = (
    "pydantic", "jinja2", "ruamel", "yaml", "dataclasses", "json", "pathlib", "bpconvert.api", "bpconvert.diagnostics",
    "bpconvert.files", "bpconvert.models.expressions",
)  # fmt: skip


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["hot2cfy", "--help"], ["check", "--help"]])
def test_help_needs_no_converter(run: Callable[..., subprocess.CompletedProcess[bytes]], words: list[str]) -> None:
    code = (
        f"import sys; heavy = {set(HEAVY)!r}; [sys.modules.pop(name, None) for name in heavy]\n"  # of other packages
        f"from bpconvert.cli.main import main; main({words!r})\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run("-c", code).stdout.splitlines()[-1] == b"[]"


#: modules that a plain conversion has no use for, by the beginning of their names
IDLE = (
    "pydantic", "pydantic_core", "jinja2", "deepdiff", "dataclasses", "inspect",
    "yaml", "yaql", "difflib", "zipfile", "tarfile", "urllib.request", "subprocess", "asyncio", "email",
    "bpconvert.archives", "bpconvert.baseline", "bpconvert.checking", "bpconvert.deploy_notes", "bpconvert.engines",
    "bpconvert.evaluation", "bpconvert.leftovers", "bpconvert.reports", "bpconvert.reruns", "bpconvert.roundtrips",
    "bpconvert.verification", "bpconvert.translators.comparing", "bpconvert.translators.verify",
    "bpconvert.translators.catalogue.user_types", "bpconvert.translators.provenance.merging",
)  # fmt: skip
#: command -> what belongs to the language that it has nothing to do with
OTHERS = {"hot2cfy": "tosca", "hot2tosca": "cloudify"}


@pytest.mark.parametrize("command", OTHERS)
def test_a_conversion_imports_what_it_uses(
    run: Callable[..., subprocess.CompletedProcess[bytes]], command: str
) -> None:
    Path("t.yaml").write_text(HOT + "resources:\n  net:\n    type: OS::Neutron::Net\n")
    code = (
        "import os, sys; from bpconvert.__main__ import _defer_package_metadata; _defer_package_metadata()\n"
        "os.environ['PYDANTIC_DISABLE_PLUGINS'] = '__all__'\n"
        "import ruamel.yaml, uuid; known = set(sys.modules)\n"  # what these load is not ours
        "from bpconvert.cli.main import main\n"
        f"assert main([{command!r}, 't.yaml', '-o', 'result.yaml']) == 0\n"
        "print(*sorted(set(sys.modules) - known))"
    )
    loaded = run("-c", code).stdout.decode().splitlines()[-1].split()
    other = OTHERS[command]
    idle = (*IDLE, f"bpconvert.models.{other}", f"bpconvert.translators.{other}.write")
    assert [name for name in loaded if any(name == one or name.startswith(f"{one}.") for one in idle)] == []
    assert len([name for name in loaded if name.startswith("bpconvert.")]) < 200


def test_metadata_is_still_there_for_others(run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    code = (
        "import bpconvert.__main__ as process\n"
        "process._defer_package_metadata()\n"
        "from importlib.metadata import entry_points\n"
        "import sys; assert 'importlib.metadata._meta' not in sys.modules\n"
        "from importlib.metadata import version\n"
        "assert version('bpconvert') == __import__('bpconvert').__version__\n"
        "assert [e.value for e in entry_points(group='console_scripts', name='bpconvert')]\n"
        "import importlib.metadata\n"
        "assert importlib.metadata.distribution('bpconvert')\n"
    )
    done = run("-c", code)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error on Windows")
def test_closed_pipe(run: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    code = "import sys; from bpconvert.__main__ import run; sys.argv[1:] = ['explain']; run()"
    done = subprocess.run([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (CLOSED_PIPE, b"")


# -- streams and names that are not as usual ----------------------------------------------------------------


def closed(*streams: int) -> Callable[[], None]:
    """What a process does before it starts: it closes these streams."""

    def close() -> None:
        for stream in streams:
            os.close(stream)

    return close


@pytest.mark.parametrize(("streams", "code"), [((1,), 2), ((2,), 0), ((1, 2), 2), ((0, 1, 2), 2)])
def test_closed_streams(streams: tuple[int, ...], code: int) -> None:
    Path("t.yaml").write_text(HOT)
    command = [sys.executable, "-m", "bpconvert", "hot2cfy", "t.yaml"]
    done = subprocess.run(command, capture_output=True, preexec_fn=closed(*streams))
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)
    assert (b"node_templates" in done.stdout or b"tosca_definitions" in done.stdout) is (code == 0)
    if streams == (1,):
        assert done.stderr == b"bpconvert: error: cannot write: standard output is closed\n"


def test_the_report_of_a_file_whose_name_is_no_text() -> None:
    os.mkdir("in")
    with open(b"in/\xff.yaml", "w") as stream:
        stream.write(HOT)
    command = [sys.executable, "-m", "bpconvert", "hot2cfy", "in", "-o", "out", "--report", "found.json"]
    assert subprocess.run(command).returncode == 0
    assert "\\udcff.yaml" in Path("found.json").read_text("utf-8")


def test_the_name_of_a_file_does_not_steer_the_terminal() -> None:
    Path("a\x1b[31mred.yaml").write_text(HOT + "resources: {n: {type: Foo}}\n")
    command = [sys.executable, "-m", "bpconvert", "hot2cfy", "a\x1b[31mred.yaml"]
    done = subprocess.run(command, capture_output=True)
    assert b"BPC787" in done.stderr
    assert b"\x1b" not in done.stderr
