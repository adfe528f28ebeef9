"""Findings that belong together: the same one at several places, and those that follow from another one.

Nothing is taken away: each finding is in exactly one group. A text shows the first of a group and how many more there
are; a report for machines has all of them, each with its cause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from bpconvert.diagnostics import Cause, Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES

#: the names in a message, which differ where the rest is the same
_NAMES = re.compile(r"'[^']*'")


class Group(NamedTuple):
    """Findings that are one for a reader. ``also``: the same finding at other places; ``follows``: those that would not
    be there without it."""

    first: Diagnostic
    also: tuple[Diagnostic, ...] = ()
    follows: tuple[Diagnostic, ...] = ()

    @property
    def all(self) -> tuple[Diagnostic, ...]:
        """Every finding of the group."""
        return (self.first, *self.also, *self.follows)


def fold(found: Sequence[Diagnostic]) -> list[Group]:
    """The groups, in the order of their first findings. A finding that occurs twice is one."""
    once: dict[Any, Diagnostic] = {}
    for item in found:
        once.setdefault((item.code, item.severity, item.span, item.message), item)
    keys = {(item.code, *item.span): _likeness(item) for item in once.values() if item.cause is None}
    heads: dict[Any, list[Diagnostic]] = {}
    following: dict[Any, list[Diagnostic]] = {}
    for item in once.values():
        cause = keys.get(item.cause) if item.cause is not None else None
        (heads if cause is None else following).setdefault(cause or _likeness(item), []).append(item)
    return [Group(one[0], tuple(one[1:]), tuple(following.get(key, ()))) for key, one in heads.items()]


def linked(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings, each with its ``cause`` among them."""
    causes = _Causes(found)
    return [item if (cause := causes.of(item)) is None else item._replace(cause=_reference(cause)) for item in found]


def _reference(item: Diagnostic) -> Cause:
    return Cause(item.code, *item.span)


def _likeness(item: Diagnostic) -> tuple[Any, ...]:
    """What is the same in findings of one group: all but the place, and the names of what it is about."""
    return (item.span.file, item.code, item.severity, _NAMES.sub("''", item.message), _NAMES.sub("''", item.hint))


def names(item: Diagnostic) -> str:
    """The names in the message of a finding."""
    return ", ".join(dict.fromkeys(_NAMES.findall(item.message)))


class _Causes:
    """The findings that others follow from: a document of which nothing is created, and nodes that are stand-ins."""

    def __init__(self, found: Iterable[Diagnostic]) -> None:
        self._documents: dict[str, Diagnostic] = {}
        self._nodes: dict[str, dict[str, Diagnostic]] = {}
        for item in found:
            role = CODES[item.code].causes if item.code in CODES else ""
            if role == "document":
                self._documents.setdefault(item.span.file, item)
            elif role == "node" and item.path:
                self._nodes.setdefault(item.span.file, {}).setdefault(str(item.path[-1]), item)

    def of(self, item: Diagnostic) -> Diagnostic | None:
        """The cause of a finding; None where it stands for itself. An error does: it has to be corrected anyway."""
        document = self._documents.get(item.span.file)
        if document is not None:
            return None if item is document or item.severity == Severity.ERROR else document
        nodes = self._nodes.get(item.span.file, {})
        if not nodes or any(item is node for node in nodes.values()):
            return None
        named = nodes.get(item.follows)
        if named is not None or item.severity == Severity.ERROR:
            return named
        return next((nodes[str(step)] for step in item.path[:3] if _is_of(nodes.get(str(step)), item)), None)


def _is_of(cause: Diagnostic | None, item: Diagnostic) -> bool:
    """Whether a finding is about the node of ``cause``, or a part of it."""
    return cause is not None and item.path[: len(cause.path)] == cause.path
