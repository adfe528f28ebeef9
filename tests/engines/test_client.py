"""Asking an engine: starting, breaking, starting again. The runner is a stand-in, so no engine is needed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from checkout import ROOT

from bpconvert.engines import client
from bpconvert.engines.client import ENGINES, PYTHON, Engine, EngineFailed, EngineMissing

RUNNER = """
import json, os, sys, time
asked = 0
print("started", file=sys.stderr)
for line in sys.stdin:
    request, asked = json.loads(line), asked + 1
    order = request.get("order")
    if order == "die":
        print("it hurts", file=sys.stderr)
        print("  ", file=sys.stderr)
        os._exit(7)
    if order == "die once" and not os.path.exists(request["mark"]):
        open(request["mark"], "w").close()
        os._exit(7)
    if order == "sleep":
        time.sleep(60)
    if order == "shout":
        sys.stderr.write("x" * 1_000_000)
    print("no answer" if order == "babble" else json.dumps({"asked": asked, "said": request.get("say")}), flush=True)
"""


@pytest.fixture
def engine_of(tmp_path: Path) -> Iterator[Callable[[str], Engine]]:
    """An engine whose runner is the given script."""
    made: list[Engine] = []

    def make(script: str) -> Engine:
        path = tmp_path / "runner.py"
        path.write_text(script, encoding="utf-8")
        made.append(Engine("heat", runner=path))
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def engine(engine_of: Callable[[str], Engine]) -> Engine:
    return engine_of(RUNNER)


def test_one_process_answers_all(engine: Engine) -> None:
    with engine:
        assert engine.ask({"say": "ä\n\u2028"}) == {"asked": 1, "said": "ä\n\u2028"}
        assert engine.ask({}) == {"asked": 2, "said": None}
    assert engine.ask({})["asked"] == 1, "started again after it was closed"


def test_nothing_starts_before_it_is_asked(engine_of: Callable[[str], Engine], tmp_path: Path) -> None:
    with engine_of(f"open({str(tmp_path / 'started')!r}, 'w')"):
        time.sleep(0.2)
    assert not (tmp_path / "started").exists()


def test_much_on_standard_error_blocks_nothing(engine: Engine) -> None:
    assert engine.ask({"order": "shout"})["asked"] == 1


def test_a_request_that_breaks_the_engine(engine: Engine) -> None:
    assert engine.ask({})["asked"] == 1
    assert engine.ask({"order": "die"}) == {"error": "the process of OpenStack Heat ended with 7: it hurts"}
    assert engine.ask({})["asked"] == 1


def test_a_broken_process_is_asked_once_more(engine: Engine, tmp_path: Path) -> None:
    assert engine.ask({})["asked"] == 1
    assert engine.ask({"order": "die once", "mark": str(tmp_path / "mark")})["asked"] == 1


def test_what_is_no_answer(engine: Engine) -> None:
    assert "no answer" in engine.ask({"order": "babble"})["error"]
    assert engine.ask({})["asked"] == 1


def test_no_answer_in_time(engine: Engine) -> None:
    assert engine.ask({})["asked"] == 1
    engine.limit = 0.3
    assert engine.ask({"order": "sleep"}) == {"error": "OpenStack Heat did not answer in time"}
    engine.limit = 30
    assert engine.ask({})["asked"] == 1


def test_closing_ends_the_process(engine: Engine) -> None:
    engine.ask({})
    process = engine._process
    assert process is not None
    engine.close()
    assert process.poll() is not None
    engine.close()


def test_a_runner_that_does_not_start(engine_of: Callable[[str], Engine]) -> None:
    with pytest.raises(EngineFailed, match="ended with 1: ZeroDivisionError: division by zero"):
        engine_of("1 / 0").ask({})


def test_a_python_that_does_not_start(tmp_path: Path) -> None:
    for engine in (Engine("heat", python=str(tmp_path / "absent")), Engine("cloudify", python=str(tmp_path))):
        with pytest.raises(EngineFailed, match="cannot be started"):
            engine.ask({})


def test_a_runner_that_misses_a_module(engine_of: Callable[[str], Engine]) -> None:
    script = """print('{"error": "No module named oslo_config", "missing": "oslo_config"}', flush=True)"""
    with pytest.raises(EngineMissing, match="No module named oslo_config") as raised:
        engine_of(script).ask({})
    assert f"run {sys.executable} -m pip install {ENGINES['heat'].requirements}" in str(raised.value)


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_that_is_not_installed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's own packages are named: a checkout has no package of bpconvert that pip finds by its name."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "bare")], check=True)
    bare = tmp_path / "bare" / ("Scripts" if os.name == "nt" else "bin") / "python"
    monkeypatch.setenv(PYTHON, str(bare))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heat" / "engine").mkdir(parents=True)
    (tmp_path / "dsl_parser").mkdir()
    with Engine(name) as engine, pytest.raises(EngineMissing) as raised:
        engine.ask({})
    assert f"run {bare} -m pip install {ENGINES[name].requirements}" in str(raised.value)
    assert isinstance(raised.value, ImportError)


def test_the_engine_of_this_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PYTHON, raising=False)
    monkeypatch.setattr(client, "_has", lambda python, module: False)
    with pytest.raises(EngineMissing, match=re.escape(f"{sys.executable} -m pip install 'cloudify-common[")):
        Engine("cloudify").ask({})


def test_requirements_are_those_of_the_extra() -> None:
    text = ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8")
    for package in ENGINES.values():
        assert all(f'"{one}' in text for one in shlex.split(package.requirements))


def test_runners_are_beside_the_client() -> None:
    for name in ENGINES:
        assert Engine(name, python=sys.executable).runner.is_file()
