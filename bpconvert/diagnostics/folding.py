"""Findings that belong together: the same one at several places, and those that follow from another one.

Nothing is taken away: each finding is in exactly one group. A text shows the first of a group and how many more there
are; a report for machines has all of them, each with its cause."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from bpconvert.diagnostics import Cause, Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple

#: the types of a plugin that are not known
_PLUGIN = "BPC141"
#: findings of files, and of what is kept of sources, are no part of a node
_FILES: Final = "BPC6"
#: steps of the path to an entry of a section
_ENTRY: Final = 2
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


def fold(findings: Sequence[Diagnostic]) -> list[Group]:
    """The groups, in the order of their first findings. A finding that occurs twice is one."""
    once: dict[Any, Diagnostic] = {}
    for item in findings:
        once.setdefault((item.code, item.severity, item.span, item.message), item)
    keys = {(item.code, *item.span): _likeness(item) for item in once.values() if item.cause is None}
    heads: dict[Any, list[Diagnostic]] = {}
    following: dict[Any, list[Diagnostic]] = {}
    for item in once.values():
        cause = keys.get(item.cause) if item.cause is not None else None
        (heads if cause is None else following).setdefault(cause or _likeness(item), []).append(item)
    return [Group(members[0], tuple(members[1:]), tuple(following.get(key, ()))) for key, members in heads.items()]


def linked(findings: Sequence[Diagnostic], unread: Mapping[str, Collection[str]] | None = None) -> list[Diagnostic]:
    """The findings, each with its ``cause`` among them. What is a warning of a part of a stand-in, or of a document of
    which nothing is created, is an info: whoever sees to the whole sees to that. Not one that asks for a value, or is
    the reason why nothing is created, and none of files and kept sources. So is a warning that the same step settles
    as an earlier one: in an entry, what asks for the same input, or follows from the same stand-in. ``unread``:
    file -> the nodes in it whose types an import may define that could not be read."""
    causes = _Causes(findings, unread or {})
    firsts: dict[tuple[Any, ...], Diagnostic] = {}
    return [_with_step(_with_cause(item, causes.cause_of(item), causes.is_inside(item)), firsts) for item in findings]


def _with_step(item: Diagnostic, firsts: dict[tuple[Any, ...], Diagnostic]) -> Diagnostic:
    keys: list[tuple[Any, ...]] = [(item.document, item.step)] if item.step else []
    if item.asks or item.follows:
        keys.append((item.document, item.path[:_ENTRY], item.asks, item.follows))
    if item.severity != Severity.WARNING or not keys:
        return item
    first = next((firsts[key] for key in keys if key in firsts), item)
    for key in keys:
        firsts.setdefault(key, first)
    if first is item:
        return item
    return item._replace(cause=item.cause or first.cause or _reference(first), severity=Severity.INFO)


def _with_cause(item: Diagnostic, cause: Diagnostic | None, is_inside: bool) -> Diagnostic:
    if cause is None:
        return item
    is_part = is_inside or (_causes(cause) == "node" and _is_of(cause, item))
    is_reason = _causes(item) in ("type", "types") or item.code.startswith(_FILES)
    is_info = is_part and item.severity == Severity.WARNING and not (is_reason or item.asks)
    is_settled = _causes(cause) == "type" and (bool(item.asks) or _causes(item) == "node")  # by the file
    is_info = is_info or (is_settled and item.severity == Severity.WARNING)
    return item._replace(cause=_reference(cause), severity=Severity.INFO if is_info else item.severity)


def _causes(item: Diagnostic) -> str:
    """What follows from a finding, as its code says."""
    return _causes_of(item.code)


@cache
def _causes_of(code: str) -> str:
    return CODES[code].causes if code in CODES else ""


def _reference(item: Diagnostic) -> Cause:
    return Cause(item.code, *item.span)


def _likeness(item: Diagnostic) -> tuple[Any, ...]:
    """What is the same in findings of one group: all but the place, and the names of what it is about."""
    return (item.span.file, item.code, item.severity, _NAMES.sub("''", item.message), _NAMES.sub("''", item.hint))


def names(item: Diagnostic) -> str:
    """The names in the message of a finding."""
    return ", ".join(dict.fromkeys(_NAMES.findall(item.message)))


class _Causes:
    """The findings that others follow from: a document of which nothing is created, nodes that are stand-ins, and what
    could not be read of which nodes are. ``unread``: see :func:`linked`."""

    def __init__(self, findings: Iterable[Diagnostic], unread: Mapping[str, Collection[str]]) -> None:
        self._documents: dict[str, Diagnostic] = {}
        self._nodes: dict[str, dict[str, Diagnostic]] = {}
        #: file -> node -> the finding about the file that is its type
        self._types: dict[str, dict[str, Diagnostic]] = {}
        #: file -> a value that is asked for where a file that is part of it could not be read -> the finding about it
        self._values: dict[str, dict[Path, Diagnostic]] = {}
        #: file -> the first import that could not be read
        self._imports: dict[str, Diagnostic] = {}
        self._unread = dict(unread)
        for item in findings:
            role, file = _causes(item), item.document
            if role == "document":
                self._documents.setdefault(file, item)
            elif role == "node" and item.path:
                self._nodes.setdefault(file, {}).setdefault(str(item.path[-1]), item)
            elif role == "type" and len(item.path) > 2 and item.path[-1] == "type":
                self._types.setdefault(file, {}).setdefault(str(item.path[-2]), item)
            elif role == "type":
                values = self._values.setdefault(file, {})
                values.update((item.path[:size], item) for size in range(_ENTRY + 1, len(item.path) + 1))
            elif role == "types":
                self._imports.setdefault(file, item)
            elif item.code == _PLUGIN:  # its types may be the ones, and it is no warning
                self._unread.pop(file, None)
        self._heads = {id(node) for nodes in self._nodes.values() for node in nodes.values()}
        self._files = {id(item) for types in self._types.values() for item in types.values()}

    def cause_of(self, item: Diagnostic) -> Diagnostic | None:
        """The cause of a finding; None where it stands for itself. An error does: it has to be corrected anyway."""
        file = item.document
        if id(item) in self._files or item in self._imports.values():
            return None
        if item.asks and item.path in self._values.get(file, {}):
            return self._values[file][item.path]
        node = self._node(item)
        name = "" if node is None else str(node.path[-1])
        reason = self._types.get(file, {}).get(name)
        if reason is None and name in self._unread.get(file, ()):
            reason = self._imports.get(file)
        if reason is not None and (node is not item or item.severity <= reason.severity):
            return reason
        document = self._documents.get(file)
        if document is not None:
            return None if item is document or item.severity == Severity.ERROR else document
        return None if node is item else node

    def is_inside(self, item: Diagnostic) -> bool:
        """Whether a finding is of a document of which nothing is created, and not the verdict itself."""
        return self._documents.get(item.document, item) is not item

    def _node(self, item: Diagnostic) -> Diagnostic | None:
        """The stand-in that a finding follows from, or is about; None for none."""
        nodes = self._nodes.get(item.document, {})
        if not nodes:
            return None
        if id(item) in self._heads:
            return item
        stand_in = nodes.get(item.follows)
        if stand_in is not None or item.severity == Severity.ERROR:
            return stand_in
        return next((nodes[str(step)] for step in item.path[:3] if _is_of(nodes.get(str(step)), item)), None)


def _is_of(cause: Diagnostic | None, item: Diagnostic) -> bool:
    """Whether a finding is about the node of ``cause``, or a part of it."""
    return cause is not None and item.path[: len(cause.path)] == cause.path
