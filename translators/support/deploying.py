"""What has to be done with results before they can be deployed, in no language of a terminal or page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from bpconvert.models.light import NamedTuple


class Bundle(NamedTuple):
    """A result. ``path``: its file; ``data``: its document; ``nested``: the documents that it nests, by their files;
    ``inputs``: stage ("" for none) -> the file with its inputs and what that has."""

    path: str
    data: Any
    nested: Mapping[str, Any]
    inputs: Mapping[str, tuple[str, Mapping[str, Any]]]


class Question(NamedTuple):
    """A word of a command that the user has to give: the value of what is called ``name``."""

    name: str


class Step(NamedTuple):
    """One command. ``words``: the program and its arguments; ``later``: it is for the user to decide when; ``remark``:
    what to know about it."""

    words: tuple[str | Question, ...] = ()
    later: bool = False
    remark: str = ""


#: results -> (what a group of steps does, the steps), in their order
Steps: TypeAlias = Callable[[Sequence[Bundle]], list[tuple[str, list[Step]]]]
