"""Trying mutants: a process that has collected the tests forks for each mutant, and the copy runs the tests.

The tests are run once without a mutant, and each tells which lines of the module it reaches. A mutant is tried with the
tests that reach its statement, until one fails. What ran while the tests were collected (tables, default values) cannot
be exchanged in a process that has collected them: such mutants are tried in a process that starts from the beginning.
"""

from __future__ import annotations

import ast
import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from io import StringIO
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple

import pytest
from mutants import Mutant

#: a mutant has this many times the time that its tests take without it
_SLOWER: Final = 5
#: seconds of processor time that a mutant has more, and seconds by the clock for one that waits
_MORE: Final = 3
_WAITING: Final = 120
_MEMORY: Final = 4 * 1024**3
#: the calls of a function that are watched in each test
_WATCHED: Final = 500
#: the examples of a test that draws them
_EXAMPLES: Final = 30
#: how a try ends; ELSEWHERE: it has to be made in a process that starts from the beginning
SURVIVED: Final = 0
KILLED: Final = 1
ELSEWHERE: Final = 2


class Target(NamedTuple):
    """A module and the tests meant for it."""

    name: str
    path: Path
    tree: ast.Module
    tests: Sequence[str]


class Reached(NamedTuple):
    """What the tests reach. ``early``: lines that run before the first test; ``lines``: of each test; ``seconds``: of
    each test, in the order of their time."""

    early: set[int]
    lines: dict[str, set[int]]
    seconds: dict[str, float]

    def by(self, mutant: Mutant) -> list[str]:
        """The tests that reach the statement of ``mutant``, the quickest first."""
        first, last = mutant.lines
        return [test for test in self.seconds if any(first <= line <= last for line in self.lines[test])]

    def is_early(self, mutant: Mutant) -> bool:
        """True when the statement runs before the first test."""
        return any(mutant.lines[0] <= line <= mutant.lines[1] for line in self.early)


class _Loader(SourceFileLoader):
    """Loads the module with other code than its file has."""

    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        """The other code."""
        return self.code


class _Finder(MetaPathFinder):
    """Finds the module itself, nothing else."""

    def __init__(self, target: Target, code: CodeType) -> None:
        self.target = target
        self.loader = _Loader(target.name, str(target.path))
        self.loader.code = code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module with its loader."""
        if name != self.target.name:
            return None
        return spec_from_file_location(name, self.target.path, loader=self.loader)


class _Collected:
    """A plugin of pytest: with the collected tests it does something else than to run them all. ``name``: that of the
    module, which is there then, also where only the tests import it."""

    def __init__(self, name: str, then: Callable[[pytest.Session], None]) -> None:
        self.name = name
        self.then = then

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Called when the tests have been collected."""
        if session.testsfailed:
            raise session.Interrupted("errors while the tests were collected")
        _with_fewer_examples(session.items)
        import_module(self.name)
        self.then(session)
        return True


class _Watch:
    """Notes the lines of one file that run, for the first calls of each function: to watch is slow."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.lines: set[int] = set()
        self.calls: Counter[CodeType] = Counter()

    def __enter__(self) -> set[int]:
        self.lines = set()
        self.calls.clear()
        sys.settrace(self._called)
        return self.lines

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != self.path:
            return None
        self.calls[frame.f_code] += 1
        return self._line if self.calls[frame.f_code] <= _WATCHED else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        self.lines.add(frame.f_lineno)
        return self._line


def compiled(target: Target) -> CodeType:
    """The code of the tree as it is now."""
    ast.fix_missing_locations(target.tree)
    return compile(target.tree, str(target.path), "exec", dont_inherit=True)


def reached(target: Target) -> Reached:
    """Run the tests without a mutant. Raises RuntimeError where one fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _quiet(partial(_reach, target, writing))
    os.close(writing)
    with open(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    found = json.loads(answer or '{"failed": ["pytest"]}')
    if found.get("failed"):
        raise RuntimeError(f"these fail without a mutant: {', '.join(found['failed'])}")
    seconds = dict(sorted(found["seconds"].items(), key=lambda item: item[1]))
    return Reached(set(found["early"]), {test: set(lines) for test, lines in found["lines"].items()}, seconds)


def _reach(target: Target, pipe: int) -> int:
    watch = _Watch(target.path)
    found: dict[str, Any] = {"lines": {}, "seconds": {}, "failed": []}

    def run(session: pytest.Session) -> None:
        sys.settrace(None)
        found["early"] = sorted(watch.lines)
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            begin, failed = time.process_time(), session.testsfailed
            _forget(target.name)
            with watch as lines:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            found["seconds"][item.nodeid] = time.process_time() - begin
            found["lines"][item.nodeid] = sorted(lines)
            if session.testsfailed > failed:
                found["failed"].append(item.nodeid)

    with watch:
        code = _pytest(target, compiled(target), target.tests, run)
    if code in (0, 1) and "early" in found:
        with open(pipe, "w", encoding="utf-8") as out:
            out.write(json.dumps(found))
    return 0


def _forget(name: str) -> None:
    """Empty the caches of a module, so that a test reaches all that it would reach alone."""
    for function in vars(sys.modules[name]).values() if name in sys.modules else ():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def _pytest(target: Target, code: CodeType, tests: Sequence[str], then: Callable[[pytest.Session], None]) -> int:
    sys.meta_path.insert(0, _Finder(target, code))
    plain = ["--assert=plain", "--tb=no", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:xdist"]
    return pytest.main([*plain, *tests], plugins=[_Collected(target.name, then)])


def prepare() -> None:
    """Load pytest with its plugins, once for all copies of this process."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        pytest.main(["--version"])


def _quiet(action: Callable[[], int]) -> None:
    """End the process with what ``action`` yields, without a word."""
    code = KILLED
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        code = action()
    finally:
        os._exit(code)


def _with_fewer_examples(items: Sequence[pytest.Item]) -> None:
    """Let Hypothesis draw a few examples, the same each time, and look for no simpler ones: a mutant takes a second."""
    for item in items:
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            from hypothesis import Phase, settings

            name = "_hypothesis_internal_use_settings"
            phases = [Phase.explicit, Phase.generate]
            known = getattr(test, name)
            few = settings(known, max_examples=_EXAMPLES, phases=phases, database=None, derandomize=True, deadline=None)
            setattr(getattr(test, "__func__", test), name, few)


# -- trying -------------------------------------------------------------------------------------------------


def tried(target: Target, found: Sequence[Mutant], known: Reached, jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant of ``found`` and whether a test fails with it."""
    answers: dict[int, int] = {}
    numbers = [number for number, mutant in enumerate(found) if not known.is_early(mutant)]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        loop = partial(_try_all, target, [(number, found[number]) for number in numbers], known, jobs, writing)
        _quiet(lambda: _pytest(target, compiled(target), target.tests, loop))
    os.close(writing)
    with open(reading, encoding="ascii") as pipe:
        for line in pipe:
            number, answer = map(int, line.split())
            answers[number] = answer
            if answer != ELSEWHERE:
                yield found[number], answer == KILLED
    os.waitpid(child, 0)
    others = [number for number in range(len(found)) if answers.get(number, ELSEWHERE) == ELSEWHERE]
    tasks = {number: partial(_try_afresh, target, found[number], known) for number in others}
    limits = {number: _limit(known, known.by(found[number]) or list(known.seconds)) for number in others}
    for number, answer in _forked(tasks, limits, jobs):
        yield found[number], answer != SURVIVED


def _limit(known: Reached, tests: Sequence[str]) -> int:
    return int(_SLOWER * sum(known.seconds[test] for test in tests)) + _MORE


def _forked(tasks: Mapping[int, Callable[[], int]], limits: Mapping[int, int], jobs: int) -> Iterator[tuple[int, int]]:
    """Run each task in a copy of this process, some at a time; its number and what it yields."""
    running: dict[int, int] = {}
    waiting = list(tasks)
    while waiting or running:
        while waiting and len(running) < jobs:
            number = waiting.pop(0)
            child = os.fork()
            if not child:
                _quiet(partial(_limited, tasks[number], limits[number]))
            running[child] = number
        child, status = os.wait()
        if child in running:
            yield running.pop(child), os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else KILLED


def _limited(task: Callable[[], int], seconds: int) -> int:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_WAITING + _SLOWER * seconds)
    return task()


def _try_all(
    target: Target, found: Sequence[tuple[int, Mutant]], known: Reached, jobs: int, pipe: int, session: pytest.Session
) -> None:
    """Try the mutants one after the other with the collected tests; write the answers to ``pipe``."""
    tasks, limits = {}, {}
    items = {item.nodeid: item for item in session.items}
    for number, mutant in found:
        tests = known.by(mutant)
        tasks[number] = partial(_try_here, target, mutant, session, [items[test] for test in tests])
        limits[number] = _limit(known, tests)
    for number, answer in _forked(tasks, limits, jobs):
        os.write(pipe, b"%d %d\n" % (number, answer))


def _try_here(target: Target, mutant: Mutant, session: pytest.Session, items: Sequence[pytest.Item]) -> int:
    if not items:
        return SURVIVED
    before = compiled(target)
    mutant.slot.put(mutant.new)
    if not _exchanged(sys.modules[target.name], mutant.scope, before, compiled(target)):
        return ELSEWHERE
    return _fails(session, items)


def _try_afresh(target: Target, mutant: Mutant, known: Reached) -> int:
    tests = known.by(mutant) if not known.is_early(mutant) else list(known.seconds)
    files = sorted({test.split("::")[0] for test in tests})
    answer = [KILLED]

    def run(session: pytest.Session) -> None:
        items = {item.nodeid: item for item in session.items}
        answer[0] = _fails(session, [items[test] for test in tests if test in items])

    mutant.slot.put(mutant.new)
    _pytest(target, compiled(target), files, run)
    return answer[0]


def _fails(session: pytest.Session, items: Sequence[pytest.Item]) -> int:
    """Run the tests until one fails."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return KILLED
    return SURVIVED


def _exchanged(module: Any, scope: Sequence[str], before: CodeType, after: CodeType) -> bool:
    """Give the function ``scope`` of ``module`` its code of ``after``; False where that cannot be done."""
    holder, old, new = module, before, after
    for name in scope:
        holder = vars(holder).get(name)
        pairs = zip(_codes(old, name), _codes(new, name), strict=True)
        old, new = next(((one, two) for one, two in pairs if one != two), (old, new))
    if old == new or holder is None:
        return False
    for function in _functions(holder):
        if function.__code__ == old:
            function.__code__ = new
            return True
    return False


def _codes(code: CodeType, name: str) -> list[CodeType]:
    return [part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name]


def _functions(holder: Any) -> Iterator[FunctionType]:
    """The functions behind properties, class methods, caches and other decorators."""
    if isinstance(holder, FunctionType):
        yield holder
    for name in ("fget", "fset", "func", "__func__", "__wrapped__"):
        inner = getattr(holder, name, None)
        if inner is not None and inner is not holder:
            yield from _functions(inner)
