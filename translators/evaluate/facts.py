"""What is known of a deployment when the value of a document is computed, and what a language's evaluator is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple, dataclass, field


class NotComputed(Exception):
    """The engine may compute the value, but it cannot be computed here: the code of a diagnostic, the place of the
    call, and what completes the message."""

    def __init__(self, code: str, path: Path, **words: str) -> None:
        super().__init__(code)
        self.code, self.path, self.words = code, path, words


class NotGiven(NotComputed):
    """Something that the engine may know is needed, but was not given."""

    def __init__(self, problem: str, path: Path) -> None:
        super().__init__("BPC226", path, problem=problem)


@dataclass(frozen=True, eq=False, repr=False)
class Facts:
    """What is known: see :func:`bpconvert.evaluate`."""

    version: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    resources: Mapping[str, Any] = field(default_factory=dict)
    secrets: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, Any] = field(default_factory=dict)
    system: Mapping[str, Any] = field(default_factory=dict)
    parent: Mapping[str, Any] | None = None
    here: Mapping[str, str] = field(default_factory=dict)
    capabilities: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    group_capabilities: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    environment_capabilities: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, list[Any]] = field(default_factory=dict)
    consumers: Mapping[str, list[str]] | None = None


class Evaluator(NamedTuple):
    """How a language's engine computes values. ``compute``: the value that it computes of plain data with calls in it;
    raises :class:`~.scope.Refused` where the engine refuses, and :class:`NotComputed`. ``refused``: the code of what it
    refuses."""

    compute: Callable[[Any, Facts], Any]
    refused: str
