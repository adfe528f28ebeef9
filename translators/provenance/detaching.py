"""What refers to a value of a source that was edited, where the edited document still has the value that it had.

A conversion writes the value of a reference where the target has none of that kind. Whoever edits the value edits it in
one place; what refers to it in the source gets the value that it had, so that the source yields the edited document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

from bpconvert.models.expressions import MISSING, SCALARS, Path
from bpconvert.translators.provenance.differences import differences
from bpconvert.translators.provenance.proposals import containers
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit
from bpconvert.translators.support.places import value_at
from bpconvert.yamlio.document import Document, Map

#: what calls name a node by its part in a relationship, or as themselves
_PLACES: Final = frozenset({"SELF", "SOURCE", "TARGET", "HOST", "ORCHESTRATOR"})


def detached(
    before: Document, after: Document, entries: Iterable[Path], calls: Collection[str]
) -> tuple[list[TextEdit], list[Path]]:
    """The edits of the text of ``after``, in which one value is another than ``before``, and their places: calls in
    these ``entries`` that refer to it become what it was. ``calls``: names of functions."""
    changed = list(differences(before.data, after.data))
    if len(changed) != 1 or type(changed[0].before) not in SCALARS or changed[0].after is MISSING:
        return [], []
    rewriter, edits, places = Rewriter(after, calls), list[TextEdit](), list[Path]()
    for entry in entries:
        for path, node in containers(after, entry):
            whole = _referred(node, changed[0].path, calls) if type(node) is Map else None
            more = rewriter.put(path, value_at(before.data, whole)) if whole is not None else None
            if more:
                edits += more
                places.append(path)
    return edits, places


def _referred(node: Map, changed: Path, calls: Collection[str]) -> Path | None:
    """The place that a call refers to, where what was changed is there; None for any other map."""
    if len(node) != 1 or next(iter(node)) not in calls:
        return None
    steps = list(_steps(next(iter(node.values()))))
    if not steps or not (steps[0] in _PLACES or steps[0] in changed):
        return None
    return next((changed[:end] for end in range(len(changed), 2, -1) if changed[end - 1] == steps[-1]), None)


def _steps(arguments: Any) -> Iterator[Any]:
    """The arguments of a call that are no calls themselves."""
    for one in arguments if isinstance(arguments, list) else [arguments]:
        if type(one) in SCALARS:
            yield one
