"""Several processes convert a tree: what comes out is the same, and an end at any time leaves nothing half done."""

from __future__ import annotations

import os
import pty
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from checkout import ROOT

from bpconvert import batch, convert_tree
from bpconvert.cli.main import main
from bpconvert.workers import Ahead, can_copy

pytestmark = pytest.mark.skipif(not can_copy(), reason="the system cannot copy a process")

HEAD = "heat_template_version: 2018-08-31\n"
NET = "resources:\n  net{0}: {{type: OS::Neutron::Net, properties: {{name: n{0}}}}}\n"


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """30 documents: one that is refused, one that is no YAML, and some that another one nests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BPCONVERT_DEBUG", raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    source = tmp_path / "in"
    (source / "parts").mkdir(parents=True)
    for number in range(24):
        (source / f"t{number:02}.yaml").write_text(HEAD + NET.format(number))
    (source / "bad.yaml").write_text(HEAD + "resources: {n: {type: OS::Neutron::Net, odd: 1}}\n")
    (source / "broken.yaml").write_text(HEAD + "resources: [\n")
    for name in ("a", "b"):
        (source / "parts" / f"{name}.yaml").write_text(HEAD + NET.format(name))
    (source / "whole.yaml").write_text(HEAD + "resources: {a: {type: parts/a.yaml}, b: {type: parts/b.yaml}}\n")
    for case in ("whole-application", "block-scalars"):
        for place in (ROOT / "corpus" / "hot" / case).glob("hot.yaml"):
            (source / f"{case}.yaml").write_bytes(place.read_bytes())
    return tmp_path


def files_of(folder: str) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def run(jobs: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, dict[str, str], str, str]:
    """Exit code, results, report and messages of a conversion, as if its folder was called ``out``."""
    place = f"out{jobs}"
    code = main(["hot2cfy", "in", "-o", place, "--jobs", jobs, "--report", f"report{jobs}.json", "-v"])
    report, messages = Path(f"report{jobs}.json").read_text(), capfd.readouterr().err
    return code, files_of(place), report.replace(place, "out"), messages.replace(f"report{jobs}.json", "R")


def test_results_findings_order_and_exit_code_are_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    alone = run("1", capfd)
    assert alone[0] == 2
    assert len(alone[1]) > 26
    assert "BPC120" in alone[3]
    for jobs in ("2", "5", "64"):
        assert run(jobs, capfd) == alone


def test_the_library_has_the_same() -> None:
    found = [convert_tree("in", f"out{jobs}", jobs=jobs) for jobs in (1, 3)]
    assert files_of("out1") == files_of("out3")
    rows = [
        [(f.source, [d.as_dict() for d in f.diagnostics], f.error, f.nested_in, f.fidelity) for f in one.files]
        for one in found
    ]
    assert rows[0] == rows[1]


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bpconvert.workers.cores", lambda: 6)
    assert [batch.processes_for(count) for count in (1, 19, 20, 300)] == [1, 1, 6, 6]
    assert [batch.processes_for(count, 4) for count in (1, 3, 300)] == [1, 3, 4]
    assert main(["hot2cfy", "in", "-o", "out", "--jobs", "0"]) == 2


@pytest.mark.parametrize("how", [lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL)])
def test_a_process_that_ends_is_an_error_of_its_document(how: object) -> None:
    jobs = [batch.Job(f"{number}.yaml", None, None) for number in range(12)]
    assert callable(how)

    def convert(job: batch.Job) -> str:
        if job.name in ("4.yaml", "5.yaml", "9.yaml"):
            how()
        return job.name

    workers: Ahead[batch.Job, str] = Ahead(jobs, convert, 2)
    found = []
    for number, job in enumerate(jobs):
        try:
            assert workers.take(number) == job.name
        except batch.DocumentError as error:
            found.append((job.name, error.diagnostic.code, error.diagnostic.span.file))
            if len(found) == 2:
                break  # both have ended: the caller would be next
    workers.end()
    assert found == [("4.yaml", "BPC609", "4.yaml"), ("5.yaml", "BPC609", "5.yaml")]


def test_errors_are_those_of_the_document() -> None:
    class Odd(Exception):
        def __init__(self, text: str, more: int) -> None:
            super().__init__(text)
            self.more = more

    def convert(job: batch.Job) -> str:
        raise Odd(job.name, 1) if job.name != "b" else FileNotFoundError(2, "No such file", "x.yaml")

    workers: Ahead[batch.Job, str] = Ahead([batch.Job(name, None, None) for name in "abcd"], convert, 2)
    try:
        texts = []
        for number in range(4):
            with pytest.raises(Exception) as caught:  # noqa: PT011  # what is left of an error that cannot be copied
                workers.take(number)
            texts.append(batch.in_one_line(caught.value))
    finally:
        workers.end()
    assert texts == ["Odd: a", "FileNotFoundError: [Errno 2] No such file: 'x.yaml'", "Odd: c", "Odd: d"]


def started(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bpconvert", "hot2cfy", "in", "-o", "out", "--jobs", "2", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def members(session: int) -> list[int]:
    """The processes of a session that run."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = place.read_text()
        except OSError:
            continue
        state, _, _, owner = text.rpartition(")")[2].split()[:4]
        if int(owner) == session and state not in "ZX":
            found.append(int(place.parent.name))
    return found


#: what Python prints, and ends with 1, where it is interrupted before it runs a line of anybody's
STARTING = (b"Fatal Python error: init_", b"Could not import runpy module")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_ended_at_any_time(number: signal.Signals, capfd: pytest.CaptureFixture[str]) -> None:
    """No half-written result, no process that is left, and an exit code that says so."""
    assert main(["hot2cfy", "in", "-o", "whole", "--jobs", "1"]) == 2
    whole = files_of("whole")
    draw = random.Random(int(number))
    ended = set()
    for _ in range(7):
        process = started()
        time.sleep(draw.uniform(0.05, 0.7))
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        _, messages = process.communicate(timeout=60)
        if not any(text in messages for text in STARTING):
            ended.add(process.returncode)
        for _ in range(600):
            if not members(process.pid):
                break
            time.sleep(0.05)
        assert members(process.pid) == []
        found = files_of("out") if Path("out").exists() else {}
        drafts = {name for name in found if ".bpconvert-" in name}
        assert not drafts or (number != signal.SIGINT and not hasattr(os, "O_TMPFILE"))
        assert {name: text for name, text in found.items() if name not in drafts}.items() <= whole.items()
    assert ended <= {130, -number, 2} - ({130} if number != signal.SIGINT else set())  # -2: before there is a command
    process = started()
    process.communicate(timeout=60)
    assert (process.returncode, files_of("out")) == (2, whole)  # drafts of processes that were killed are gone, too


def on_terminal(*words: str, **environment: str) -> str:
    """What the command prints on a terminal."""
    own, other = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "TERM")}
    command = [sys.executable, "-m", "bpconvert", "hot2cfy", "in", "-o", "out", *words]
    process = subprocess.Popen(command, stderr=other, stdout=other, env={**kept, "TERM": "xterm", **environment})
    os.close(other)
    parts = []
    while True:
        try:
            part = os.read(own, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    process.wait(timeout=60)
    os.close(own)
    return b"".join(parts).decode()


def test_progress_is_for_terminals() -> None:
    text = on_terminal("--jobs", "2", "--color", "never")
    assert re.search(r"\r0 of \d+ done: in/\S+\x1b\[K", text)
    assert text.rstrip().endswith("not shown (-v shows them)") or "converted" in text
    assert "\x1b[K\n" not in text
    for words, environment in ((["-q"], {}), ([], {"CI": "true"}), ([], {"TERM": "dumb"})):
        assert " done: " not in on_terminal(*words, **environment)
    done = started()
    assert b" done: " not in done.communicate(timeout=60)[1]
