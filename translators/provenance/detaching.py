"""What refers to a value of a source that was edited, where the edited document still has the value that it had.

A conversion writes the value of a reference where the target has none of that kind. Whoever edits the value edits it in
one place; what refers to it in the source gets the value that it had, so that the source yields the edited document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import SCALARS, Path
from bpconvert.translators.provenance.differences import differences
from bpconvert.translators.provenance.proposals import containers
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit
from bpconvert.translators.support.places import exists, value_at
from bpconvert.yamlio.document import Document, Map

_SELF: Final = "SELF"
#: what calls name a node by its part in a relationship, or as themselves
_PLACES: Final = frozenset({_SELF, "SOURCE", "TARGET", "HOST", "ORCHESTRATOR"})
#: steps of a path that lead to an entry, and to no value of it
_SHORTEST: Final = 2


def detached(
    before: Document, after: Document, entries: Iterable[Path], calls: Collection[str]
) -> tuple[list[TextEdit], list[Path]]:
    """The edits of the text of ``after``, in which values or parts of them are others than ``before``, and their
    places: calls in these ``entries`` that refer to one become what it was. ``calls``: names of functions."""
    changed: dict[Any, list[Path]] = {}
    for difference in differences(before.data, after.data):
        for end in range(len(difference.path), _SHORTEST, -1):
            place = difference.path[:end]
            if exists(before.data, place):
                changed.setdefault(place[-1], []).append(place)
    rewriter, edits, places = Rewriter(after, calls), list[TextEdit](), list[Path]()
    for entry in entries if changed else ():
        for path, node in containers(after, entry):
            whole = _referred(node, changed, calls, after, entry) if type(node) is Map else None
            if whole is None:
                continue
            old = value_at(before.data, whole)
            more = rewriter.put(path, old) if _is_in(whole, entry) or _means_the_same(old) else None
            if more:
                edits += more
                places.append(path)
    return edits, places


def _referred(
    node: Map, changed: Mapping[Any, list[Path]], calls: Collection[str], after: Document, entry: Path
) -> Path | None:
    """The place that a call in ``entry`` refers to, where something was changed there; None for any other map.
    ``changed``: the last step of a place -> the places that end with it."""
    if len(node) != 1 or next(iter(node)) not in calls:
        return None
    steps = list(_steps(next(iter(node.values()))))
    for whole in changed.get(steps[-1], ()) if steps else ():
        if steps[0] in whole or (steps[0] in _PLACES and (_is_in(whole, entry) or _leads_out(steps, after, entry))):
            return whole
    return None


def _is_in(place: Path, entry: Path) -> bool:
    return place[: len(entry)] == entry


def _leads_out(steps: list[Any], after: Document, entry: Path) -> bool:
    """Whether these arguments may name another entry than their own: ``SELF`` does by a requirement, the next step
    (TOSCA Simple Profile 1.3, 4.4.2), which is none of the names that its own entry has values for."""
    if steps[0] != _SELF:
        return True
    own = value_at(after.data, entry)
    parts = own.values() if isinstance(own, dict) else ()
    return len(steps) > _SHORTEST and not any(isinstance(part, dict) and steps[1] in part for part in parts)


def _means_the_same(value: Any) -> bool:
    """Whether a value means in any entry what it means in its own: it names no entry by its part."""
    if isinstance(value, dict):
        return all(map(_means_the_same, value.values()))
    return all(map(_means_the_same, value)) if isinstance(value, list) else value not in _PLACES


def _steps(arguments: Any) -> Iterator[Any]:
    """The arguments of a call that are no calls themselves."""
    for step in arguments if isinstance(arguments, list) else [arguments]:
        if type(step) in SCALARS:
            yield step
