"""A fault at any write: a result is there with all its files or as it was before, nothing else is left, and the exit
code and the report say so."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bpconvert import writing
from bpconvert.cli.main import main

pytestmark = pytest.mark.one_version

_HEAD = "heat_template_version: 2018-08-31\n"
_NODE = "{{type: OS::Nova::Server, properties: {{flavor: {0}, image: i, user_data: {{get_file: run.sh}}}}}}"
#: what writes to the disk
_CALLS = ("open", "fsync", "replace", "link", "mkdir")
#: the files of each result
_BUNDLES = (("a.yaml", "run.sh"), ("sub/b.yaml", "sub/in.yaml", "sub/run.sh"))


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(writing, "_tidied", set())
    return tmp_path


def write_sources(word: str) -> None:
    Path("in/sub").mkdir(parents=True, exist_ok=True)
    for folder in ("in", "in/sub"):
        Path(folder, "run.sh").write_text(f"echo {word}\n")
    Path("in/a.yaml").write_text(f"{_HEAD}resources: {{s: {_NODE.format(word)}}}\n")
    Path("in/sub/b.yaml").write_text(f"{_HEAD}resources: {{n: {{type: in.yaml}}}}\n")
    Path("in/sub/in.yaml").write_text(f"{_HEAD}resources: {{s: {_NODE.format(word)}}}\n")


def run(*more: str) -> int:
    return main(["hot2cfy", "in", "-o", "out", "--files", "copy", "--report", "r.json", "-q", *more])


def contents(folder: str = "out") -> dict[str, str]:
    found = (place for place in Path(folder).rglob("*") if place.is_file())
    return {place.relative_to(folder).as_posix(): place.read_text() for place in found}


@pytest.fixture(params=[False, True], ids=["new", "again"])
def before(request: pytest.FixtureRequest) -> dict[str, str]:
    """What is there before the run that fails; the sources are others than those that it came from."""
    write_sources("one")
    if request.param:
        assert run() == 0
    found = contents() if request.param else {}
    Path("r.json").unlink(missing_ok=True)
    write_sources("two")
    return found


@pytest.fixture
def after(before: dict[str, str]) -> dict[str, str]:
    """What is there after a run without a fault."""
    assert main(["hot2cfy", "in", "-o", "whole", "--files", "copy", "-q"]) == 0
    return contents("whole")


class Fault:
    """Raises at a call with a number. ``calls``: how many there were."""

    def __init__(self, number: int, code: int) -> None:
        self.number, self.code, self.calls = number, code, 0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*words: Any, **choices: Any) -> Any:
            self.calls += 1
            if self.calls == self.number:
                raise OSError(self.code, os.strerror(self.code))
            return function(*words, **choices)

        return call


def faults(before: dict[str, str], monkeypatch: pytest.MonkeyPatch, code: int) -> Iterator[Fault]:
    """One fault after the other, until there are no more calls; each time all is as it was ``before``."""
    for number in range(1, 100):
        reset(before)
        Path("r.json").unlink(missing_ok=True)
        fault = Fault(number, code)
        with monkeypatch.context() as patched:
            for name in _CALLS:
                patched.setattr(os, name, fault.around(getattr(os, name)))
            yield fault
        if fault.calls < number:
            return
    pytest.fail("there is no end of calls")


def reset(before: dict[str, str]) -> None:
    for place in sorted(Path("out").rglob("*"), reverse=True):
        place.rmdir() if place.is_dir() else place.unlink()
    for name, text in before.items():
        Path("out", name).parent.mkdir(parents=True, exist_ok=True)
        Path("out", name).write_text(text)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_fault_at_every_write(
    before: dict[str, str], after: dict[str, str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = 0
    for fault in faults(before, monkeypatch, code):
        ended = run()
        found = contents()
        assert found.keys() <= before.keys() | after.keys(), "something is left"
        for bundle in _BUNDLES:
            states = [{name: place.get(name) for name in bundle} for place in (before, after)]
            assert {name: found.get(name) for name in bundle} in states, "old and new files are mixed"
        if Path("r.json").exists():
            files = json.loads(Path("r.json").read_text())["files"]
            failing = [file for file in files if file["error"]]
            assert (ended == 2) is bool(failing)
            assert all(file["error"]["kind"] == "file" and file["target"] is None for file in failing)
        else:
            assert ended == 2
        if found != after:
            assert ended == 2
        failed += ended == 2
        assert not fault.calls < fault.number or (ended, found) == (0, after)
    assert failed > 15


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no signals to kill with here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_kill_at_every_write(before: dict[str, str], after: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Kill(Fault):
        def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
            def call(*words: Any, **choices: Any) -> Any:
                self.calls += 1
                if self.calls == self.number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*words, **choices)

            return call

    for number in range(1, 100):
        reset(before)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            kill = Kill(number, 0)
            for name in _CALLS:
                setattr(os, name, kill.around(getattr(os, name)))
            os._exit(run())
        _, status = os.waitpid(child, 0)
        for name, text in contents().items():
            if not Path(name).name.startswith(".bpconvert-"):
                assert text in (before.get(name), after.get(name)), "half a file"
        monkeypatch.setattr(writing, "_tidied", set())
        assert run("--force") == 0
        assert contents() == after
        if not os.WIFSIGNALED(status):
            assert (os.WEXITSTATUS(status), number > 15) == (0, True)
            return
    pytest.fail("there is no end of calls")


def _has_unnamed() -> bool:
    found = writing._unnamed(Path.cwd(), 0o600)
    if found is not None:
        os.close(found)
    return found is not None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no signals to kill with here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_draft_stays(before: dict[str, str], after: dict[str, str], number: signal.Signals) -> None:
    """Whenever the process is ended; one that nothing can hold up may be between the two calls that replace a file."""
    if not _has_unnamed():
        pytest.skip("this disk has no files without a name")
    for at in range(1, 100):
        reset(before)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            calls = 0

            def around(function: Callable[..., Any], name: str, at: int = at) -> Callable[..., Any]:
                def call(*words: Any, **choices: Any) -> Any:
                    nonlocal calls
                    calls += 1
                    if calls == at and (number == signal.SIGTERM or name != "replace"):
                        os.kill(os.getpid(), number)
                    return function(*words, **choices)

                return call

            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for name in _CALLS:
                setattr(os, name, around(getattr(os, name), name))
            os._exit(run())
        _, status = os.waitpid(child, 0)
        assert contents().keys() <= before.keys() | after.keys(), "a draft"
        if number == signal.SIGTERM:
            states = [{name: found.get(name) for name in _BUNDLES[0]} for found in (contents(), before, after)]
            assert states[0] in states[1:], "a part of the files"
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == number
        elif at > 30:
            assert os.WEXITSTATUS(status) == 0
            return
    pytest.fail("there is no end of calls")


def test_an_interrupt_while_files_take_their_places(
    before: dict[str, str], after: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put, calls = writing._Step.put, []

    def interrupted(step: writing._Step) -> None:
        calls.append(step)
        if len(calls) == 2:
            raise KeyboardInterrupt
        put(step)

    monkeypatch.setattr(writing._Step, "put", interrupted)
    assert run() == 130
    found = contents()
    assert found.keys() <= before.keys() | after.keys()
    assert {name: found.get(name) for name in _BUNDLES[0]} == {name: before.get(name) for name in _BUNDLES[0]}


@pytest.mark.parametrize("here", ["", f"{writing._here()}-", "0123abcd-"])
def test_drafts_of_processes_that_run_stay(here: str) -> None:
    write_sources("one")
    Path("out").mkdir()
    mine = Path("out", f".bpconvert-{here}{os.getppid()}-00000000")
    mine.write_text("")
    os.utime(mine, (0, 0))
    run()
    assert mine.exists()


@pytest.mark.skipif(os.name != "posix", reason="which processes run is not known")
@pytest.mark.parametrize("is_there", [False, True])
def test_drafts_of_processes_that_have_ended_go(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the results are up to date already. What may be of another machine, or of a thread, goes when it is
    old."""
    write_sources("one")
    Path("out").mkdir()
    if is_there:
        run()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    gone = Path("out", f".bpconvert-{writing._here()}-{ended.pid}-00000000")
    young = [
        Path("out", f".bpconvert-{ended.pid}-00000001"),
        Path("out", f".bpconvert-0123abcd-{ended.pid}-00000002"),
        Path("out", f".bpconvert-{writing._here()}-{os.getpid()}-00000003"),
    ]
    for place in (gone, *young):
        place.write_text("")
    monkeypatch.setattr(writing, "_tidied", set())
    run()
    assert not gone.exists()
    assert [place.exists() for place in young] == [True] * 3
    for place in young:
        os.utime(place, (0, 0))
    monkeypatch.setattr(writing, "_tidied", set())
    run()
    assert [place.exists() for place in young] == [False] * 3
