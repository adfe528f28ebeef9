"""``tools/mutate`` on a small module: what is killed and what survives is counted right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the command forks and limits processor time")

MODULE = '''"""A module."""
from functools import cached_property

LIMIT = 10


def is_large(number: int, least: int = 3) -> bool:
    """True for a large number."""
    return number > least


def until(end: int) -> list[int]:
    found = []
    while len(found) < end:
        found.append(1)
    return found


class Box:
    def __init__(self, content):
        self.content = content

    @cached_property
    def size(self):
        return len(self.content) + 1

    def never(self):
        return "a"


SIZES = {Box("").size}
'''
TESTS = """
from toy import LIMIT, SIZES, Box, is_large, until


def test_numbers():
    assert is_large(5) and not is_large(1)
    assert until(2) == [1, 1]


def test_tables():
    assert SIZES == {1}
    assert LIMIT > 5


def test_box():
    assert Box("ab").size == 3
"""


CACHED = """
from functools import cache


@cache
def names() -> list[str]:
    return ["a", "b"]
"""


def mutate(folder: Path, *words: str, tests: str = TESTS, module: str = MODULE) -> subprocess.CompletedProcess[str]:
    (folder / "toy.py").write_text(module)
    (folder / "test_toy.py").write_text(tests)
    command = [sys.executable, str(ROOT / "tools/mutate"), "toy.py", "--tests", "test_toy.py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_survivors_are_told_and_counted(tmp_path: Path) -> None:
    done = mutate(tmp_path, "--jobs", "2", "--min", "69")
    assert done.stdout.splitlines() == [
        "toy.py:4: LIMIT = 10 -> LIMIT = 11",
        "toy.py:7: is_large: least=3 -> least=4",
        "toy.py:9: is_large: return number > least -> return number >= least",
        "toy.py:28: Box.never: return 'a' -> return None",
        "toy.py:28: Box.never: return 'a' -> return 'XXa'",
        "toy.py: 11 of 16 killed, 68.8 %",
    ]
    assert (done.returncode, done.stderr) == (1, "")


def test_what_is_cached_is_reached_by_each_test(tmp_path: Path) -> None:
    head = "from toy import names\n"
    tests = f"{head}def test_any(): assert names()\ndef test_all(): assert names() == ['a', 'b']\n"
    done = mutate(tmp_path, tests=tests, module=CACHED)
    assert done.stdout == "toy.py: 3 of 3 killed, 100.0 %\n"


def test_a_sample(tmp_path: Path) -> None:
    done = mutate(tmp_path, "--sample", "1", "--seed", "1")
    assert done.stdout == "toy.py: 1 of 1 killed, 100.0 %; 15 not drawn\n"
    assert done.returncode == 0


def test_tests_have_to_pass_without_a_mutant(tmp_path: Path) -> None:
    done = mutate(tmp_path, tests="def test_it():\n    assert False\n")
    assert (done.returncode, done.stderr) == (1, "toy.py: these fail without a mutant: test_toy.py::test_it\n")


def test_a_list_of_mutants(tmp_path: Path) -> None:
    found = mutate(tmp_path, "--list").stdout.splitlines()
    assert len(found) == 16
    assert "toy.py:14: until: len(found) < end -> False" in found
