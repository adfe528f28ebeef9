"""How a language runs programs on machines: what its package knows of its own types, operations and tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Operation, Script


class Runner(NamedTuple):
    """A program of ours that runs another one as a deployment does: its path in the bundle, and its own variables: the
    other program as a file or as text, the names of outputs to publish, and of those that mean failure (with spaces
    between). ``always``: outputs that are published anyway; ``program``: its text."""

    path: str
    file: str
    text: str
    outputs: str
    errors: str
    always: tuple[str, ...]
    program: str = ""


_NO_RUNNER: Final = Runner("", "", "", "", "", ())


def _no_script(operation: Operation) -> Script | None:
    return None


def _no_variables(operation: Operation) -> dict[str, Value] | None:
    return None


def _no_tool(text: str) -> str:
    return ""


def _properties(node: Node) -> Path:
    return node.path


def _plain(variables: dict[str, Value], is_python: bool) -> dict[str, Value]:
    return variables


@dataclass(frozen=True, eq=False, repr=False)
class Operations:
    """How a language writes the operations that run scripts.

    names: action (``CREATE``, ``UPDATE``, ``DELETE``, ``SUSPEND``, ``RESUME``) -> its interface and operation.
    files: the names of files that an operation can run.
    inputs: the variables of a script, and whether that is a Python file -> inputs of the operation.
    once: what an operation has that is not tried again."""

    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    files: re.Pattern[str] = re.compile(".+")
    inputs: Callable[[dict[str, Value], bool], dict[str, Value]] = _plain
    once: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Software:
    """What a language has. A language with deployments has ``config`` and ``deployment``: the types of what says
    what to run, and of what runs it; ``derived``: the names of the variables that it adds; ``ungrouped``: groups of
    configurations that are any texts.

    A language with operations has ``component``: a type of nodes that do nothing but run their operations;
    ``steps``: interface and name of an operation -> the step of installing or removing a node at which it runs
    (``create``, ``start``, ``establish``, ``delete``, ...); ``script``: the program that an operation runs, None
    where that is none; ``variables``: those of an operation that runs its implementation once, as a deployment
    does, None for others; ``tool``: what a program uses that only this language has, "" for nothing; ``agent``: the
    place where a machine says whether it has an agent; ``runner``: see :class:`Runner`; ``operations``: how operations
    are written."""

    config: str = ""
    deployment: str = ""
    derived: re.Pattern[str] = re.compile(r"(?!)")
    ungrouped: tuple[str, ...] = ()
    component: str = ""
    steps: Mapping[tuple[str, str], str] = field(default_factory=dict)
    script: Callable[[Operation], Script | None] = _no_script
    variables: Callable[[Operation], dict[str, Value] | None] = _no_variables
    tool: Callable[[str], str] = _no_tool
    agent: Callable[[Node], Path] = _properties
    runner: Runner = _NO_RUNNER
    operations: Operations = field(default_factory=Operations)

    def step(self, operation: Operation) -> str:
        """The step at which an operation runs; "" for none that this is known of."""
        return self.steps.get((operation.interface, operation.name), "")
