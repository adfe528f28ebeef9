"""Pairs of parts of two deployments, and where they differ."""

from __future__ import annotations

import email
from collections.abc import Collection, Container, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.comparing.model import DEPLOYMENT, Deployment, Part
from bpconvert.translators.comparing.scripts import KINDS, OPERATION, PUBLISHES
from bpconvert.translators.support.graphs import strong_components

#: what stands for a node that only one document has
EXISTS: Final = "exists"
#: what stands for a node that is not created, because it exists already
EXISTING: Final = "exists already"
#: a value that has a name: nothing is created for it, and what uses it is compared
_HELD: Final = "value"
#: the step between a node and another one that it waits for
WAITS: Final = "waits for"
_MULTIPART: Final = "Content-Type: multipart/mixed"
_PLAIN: Final = "text/plain"
#: the step between a group and the number of its members
MEMBERS: Final = "number of members"
#: how what identifies a part ends (:meth:`~.side.Side.identity`)
_ID: Final = "-id"
#: among so many parts of a kind the most alike is looked for
_MOST: Final = 50


class Found(NamedTuple):
    """Two values at one place: ``steps`` name it (node, property, ...), ``first`` and ``second`` are MISSING where
    there is none."""

    steps: tuple[Any, ...]
    first: Any
    second: Any
    first_path: Path
    second_path: Path

    @property
    def is_equal(self) -> bool:
        """True when they are the same."""
        return same(self.first, self.second)


def compare(first: Deployment, second: Deployment) -> Iterator[Found]:
    """Every pair of values, equal or not."""
    pairs = partners(first, second)
    names = {part.name: other.name for part, other in pairs if part is not None and other is not None}
    for part, other in pairs:
        yield from _parts(part, other)
    both = [(part, other) for part, other in pairs if part is not None and other is not None]
    yield from _waits(both, names, first, second)
    for name in [*first.outputs, *(name for name in second.outputs if name not in first.outputs)]:
        here, there = first.outputs.get(name), second.outputs.get(name)
        yield from values(
            ("outputs", name),
            here.value if here and here.value is not None else MISSING,  # none, and one without a value, are the same
            there.value if there and there.value is not None else MISSING,
            here.path if here else (),
            there.path if there else (),
        )


def _parts(first_part: Part | None, other: Part | None) -> Iterator[Found]:
    """What two parts, or one without a partner, have."""
    if first_part is None or other is None:
        part = first_part or other
        if part is not None and not part.existing and not part.idle and part.node.kind != _HELD:
            if part.only_runs and part.properties and part.kind not in (DEPLOYMENT, OPERATION):
                yield from _alone(part, first_part is not None)
                return
            first, second = (EXISTS, MISSING) if first_part is not None else (MISSING, EXISTS)
            yield Found((part.name,), first, second, first_part.path if first_part else (), other.path if other else ())
        return
    if first_part.kind == other.kind and first_part.existing != other.existing:
        first, second = (EXISTING if part.existing else EXISTS for part in (first_part, other))
        yield Found((first_part.name,), first, second, first_part.path, other.path)
        return
    only_run = (first_part.only_runs and (other.only_runs or other.only_orders)) or (
        first_part.only_orders and other.only_runs
    )
    if _is_derived(first_part, other) or _is_derived(other, first_part) or only_run:
        yield Found((first_part.name,), EXISTS, EXISTS, first_part.path, other.path)
    else:
        yield Found(
            (first_part.name,), _created(first_part, other), _created(other, first_part), first_part.path, other.path
        )
        if first_part.kind != other.kind:
            return
    if first_part.idle or other.idle:
        return
    if first_part.among or other.among:
        counts = [".".join(map(str, part.among)) or MISSING for part in (first_part, other)]
        yield Found((first_part.name, MEMBERS), counts[0], counts[1], first_part.path, other.path)
    for key in [*first_part.properties, *(key for key in other.properties if key not in first_part.properties)]:
        left, right = (part.properties.get(key, part.defaults.get(key, MISSING)) for part in (first_part, other))
        if MISSING in (left, right) and str(key).startswith(PUBLISHES):  # one of the two does not use the output
            continue
        for pair in values((first_part.name, key), left, right, (), ()):
            inside = pair.steps[1:]
            yield pair._replace(first_path=first_part.origin(*inside), second_path=other.origin(*inside))


def _alone(part: Part, is_first: bool) -> Iterator[Found]:
    """The properties of a part without a partner; ``is_first``: of the first document."""
    for key, value in part.properties.items():
        place = part.origin(key)
        yield Found((part.name, key), *((value, MISSING, place, ()) if is_first else (MISSING, value, (), place)))


def _is_derived(part: Part, other: Part) -> bool:
    """True where one is of a type that is derived from the other's: no engine makes anything of a type but what it
    adds, which is compared. Not of the type of all nodes: what the type of a plugin does may be unknown."""
    is_software = part.node.kind is None and other.node.kind is None and not part.stand_in and not other.stand_in
    return is_software and other.kind in part.node.ancestry[1:-1]


def _created(part: Part, other: Part) -> str:
    """What a part is, seen from its partner: a stand-in is nothing, unless the partner creates nothing either."""
    if part.idle and other.idle:
        return EXISTS  # nothing for either
    if part.idle and (other.only_runs or (part.only_runs and other.node.kind is None)):
        return other.stand_in or other.kind
    return part.stand_in if part.stand_in and not other.only_runs else part.kind


def values(steps: tuple[Any, ...], first: Any, second: Any, first_path: Path, second_path: Path) -> Iterator[Found]:
    """The innermost pairs of two values."""
    if isinstance(first, dict) and isinstance(second, dict) and (first or second):
        for key in [*first, *(key for key in second if key not in first)]:
            left, right = first.get(key, MISSING), second.get(key, MISSING)
            yield from values((*steps, key), left, right, (*first_path, key), (*second_path, key))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second) and first:
        for index, (left, right) in enumerate(zip(first, second, strict=True)):
            yield from values((*steps, index), left, right, (*first_path, index), (*second_path, index))
    else:
        yield Found(steps, first, second, first_path, second_path)


# -- pairs --------------------------------------------------------------------------------------------------


def partners(first: Deployment, second: Deployment) -> list[tuple[Part | None, Part | None]]:
    """The parts of two deployments that correspond. What is of a node that one of the documents has and leaves out is
    of no other node there."""
    return paired(first.parts, second.parts, first.left_out | second.left_out)


def paired(
    first: Mapping[str, Part], second: Mapping[str, Part], left_out: Collection[str] = ()
) -> list[tuple[Part | None, Part | None]]:
    """Parts of the same name and kind; then of one kind those that are instances of each other or operations of one
    node, then those that have most in common; then those of one name. ``left_out``: the nodes whose parts have no
    partner of another name."""
    left, right = dict(first), dict(second)
    pairs: list[tuple[Part | None, Part | None]] = []

    def take(name: str, other: str) -> None:
        pairs.append((left.pop(name), right.pop(other)))

    for name in first:
        if name in right and right[name].kind == left[name].kind:
            take(name, name)
    candidates = _Candidates({name: part for name, part in right.items() if not {name, part.owner} & {*left_out}})
    both = {*map(_group, first.values())} & {*map(_group, second.values())} - {""}
    for choose in (_of_one_node, _of_near_steps, _are_equal, _may_be):
        for name in [name for name, part in left.items() if not {name, part.owner} & {*left_out}]:
            alike = [other for other in candidates.like(left[name]) if choose(first[name], other)]
            alike = [other for other in alike if not _of_other_groups(first[name], other, both)]
            best = candidates.most_alike(first[name], alike)
            if best is not None:
                candidates.take(best)
                take(name, best.name)
    for name in list(left):
        if name in right:
            take(name, name)
    pairs += [(part, None) for part in left.values()]
    pairs += [(None, part) for part in right.values()]
    order = {name: index for index, name in enumerate(first)}
    return sorted(pairs, key=lambda pair: order.get(pair[0].name, len(order)) if pair[0] else len(order))


def _group(part: Part) -> str:
    """The group of a member that is called after it; "" for what is none, or has no type and is a part of a node."""
    group, _, number = part.name.rpartition(".")
    return group if number.isdecimal() and part.node.source_type else ""


def _of_other_groups(part: Part, other: Part, groups: Container[str]) -> bool:
    """True where a member of one of ``groups``, which both documents have, is none of that group in the other one. What
    does nothing but connect two nodes is the same where it connects the same."""
    own, there = _group(part), _group(other)
    ids = [*part.properties.values()]
    if own != there and len(ids) > 1 and all(isinstance(id, str) and id.endswith(_ID) for id in ids):
        return not same(part.properties, other.properties)
    return own != there and (own in groups or there in groups)


class _Candidates:
    """The parts of a document that are still free, for one of the other document."""

    def __init__(self, free: Mapping[str, Part]) -> None:
        self._kinds: dict[str, dict[str, Part]] = {}
        self._equal: dict[tuple[str, str], dict[str, Part]] = {}
        #: properties, as texts -> how many values they have in common
        self._common: dict[tuple[str, str], int] = {}
        #: part -> its kind and its properties as a text
        self._keys: dict[Part, tuple[str, str]] = {}
        for name, part in free.items():
            self._kinds.setdefault(part.kind, {})[name] = part
            self._equal.setdefault(self._key(part), {})[name] = part

    def take(self, part: Part) -> None:
        """A part has its partner."""
        del self._kinds[part.kind][part.name]
        del self._equal[self._key(part)][part.name]

    def like(self, part: Part) -> list[Part]:
        """Those of its kind; of many the equal ones, else the first ones."""
        candidates = self._kinds.get(part.kind, {})
        if len(candidates) > _MOST:
            candidates = self._equal.get(self._key(part), candidates)
        return list(islice(filter(partial(_may_be, part), candidates.values()), _MOST))

    def most_alike(self, part: Part, others: list[Part]) -> Part | None:
        """The first one of those that have most values in common with a part, and of these the longest beginning of
        its name; None for none."""
        return max(others, key=partial(self._likeness, part)) if len(others) > 1 else next(iter(others), None)

    def _likeness(self, part: Part, other: Part) -> tuple[int, int]:
        both = self._key(part)[1], self._key(other)[1]
        common = self._common.get(both)
        if common is None:
            common = self._common[both] = _in_common(part, other)
        begins = next((i for i, (a, b) in enumerate(zip(part.name, other.name, strict=False)) if a != b), 1000)
        return common, begins

    def _key(self, part: Part) -> tuple[str, str]:
        key = self._keys.get(part)
        if key is None:
            key = self._keys[part] = part.kind, repr(part.properties)
        return key


def _may_be(part: Part, other: Part) -> bool:
    """False for scripts of different servers or actions under different names, which are different scripts, for
    different operations of different nodes, and for different resources that exist already: what uses one names its
    id."""
    if part.existing and other.existing:
        return same(part.properties, other.properties)
    if part.kind == OPERATION and part.owner != other.owner:
        return part.properties == other.properties
    keys = ("server", "action") if part.kind == DEPLOYMENT else ()
    return all(same(part.properties.get(key), other.properties.get(key)) for key in keys)


def _are_equal(part: Part, other: Part) -> bool:
    """True for what may be the same under different names, and has all values in common."""
    return _may_be(part, other) and same(part.properties, other.properties)


def _of_one_node(part: Part, other: Part) -> bool:
    """True for a node and an instance of it, and for an operation of a node in two languages."""
    if part.kind == OPERATION:
        own, there = (part.name.rsplit(".", 1)[-1] for part in (part, other))
        return own == there and part.owner == other.owner
    return part.name.startswith(f"{other.name}.") or other.name.startswith(f"{part.name}.")


def _of_near_steps(part: Part, other: Part) -> bool:
    """True for operations of one node at a step and right before or after it: a language may have one of the two."""
    steps = {row.name.rsplit(".", 1)[-1].removeprefix("pre").removeprefix("post") for row in (part, other)}
    return part.kind in KINDS and part.owner == other.owner and len(steps) == 1


def _in_common(part: Part, other: Part) -> int:
    """How many values two parts have in common."""
    mine, theirs = part.properties, other.properties
    return sum(pair.is_equal for key in mine for pair in values((), mine[key], theirs.get(key), (), ()))


# -- order --------------------------------------------------------------------------------------------------


def _waits(
    pairs: list[tuple[Part, Part]],
    names: Mapping[str, str],
    first: Deployment,
    second: Deployment,
) -> Iterator[Found]:
    """For each pair, the other nodes that it waits for in the first document: in the second one it has to wait for them
    at once or in the end. And the circles that only one of them has. What exists already neither waits nor is waited
    for, but what waits for it waits for what it would wait for."""
    circles = _in_circles(first.waits), _in_circles(second.waits)
    waiting = {*second.waits, *second.besides}
    whole = {name: second.waits.get(name, set()) | second.besides.get(name, set()) for name in waiting}
    existing = {part.name for part, other in pairs if part.existing and other.existing}
    ends = names.keys() - existing
    for part, other in pairs:
        here = set() if part.name in existing else _reached(part.name, first.waits, ends)
        there: set[str] | None = None
        for name in sorted(here - {part.name}):
            waits = names[name] in whole.get(other.name, ())
            if not waits:
                there = _reached(other.name, whole) if there is None else there
                waits = names[name] in there
            yield Found((part.name, WAITS, name), True, waits, part.path, other.path)
        inside = part.name in circles[0], other.name in circles[1]
        if any(inside):
            yield Found((part.name, WAITS, part.name), *inside, part.path, other.path)


def _reached(start: str, edges: Mapping[str, set[str]], ends: Container[str] | None = None) -> set[str]:
    """Everything that ``start`` waits for; with ``ends`` only those, and not what one of them waits for."""
    reached: set[str] = set()
    open_ends = [start]
    while open_ends:
        for name in edges.get(open_ends.pop(), ()):
            if name not in reached:
                reached.add(name)
                if ends is None or name not in ends:
                    open_ends.append(name)
    return {name for name in reached if ends is None or name in ends}


def _in_circles(edges: Mapping[str, set[str]]) -> set[str]:
    """The nodes that wait for others which wait for them."""
    others = {name: (targets & edges.keys()) - {name} for name, targets in edges.items()}
    return {name for members in strong_components(others) for name in members}


# -- values -------------------------------------------------------------------------------------------------


def same(first: Any, second: Any) -> bool:
    """Equal in value and kind: 1 is neither true nor '1'."""
    if first is MISSING or second is MISSING:
        return first is second
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, str) and isinstance(second, str) and first != second:
        return (first.startswith(_MULTIPART) or second.startswith(_MULTIPART)) and _message(first) == _message(second)
    if isinstance(first, ex.Expr) or isinstance(second, ex.Expr):
        return bool(first == second)
    return bool(first == second) and isinstance(first, str) == isinstance(second, str)


def _message(text: str) -> list[tuple[str, str | None, Any]]:
    """The parts of a multipart text: their types, file names and contents. What divides them is arbitrary. A plain text
    is its only part (cloud-init: user_data.py, which finds out what such a part is by how it begins)."""
    if not text.startswith(_MULTIPART):
        return [(_PLAIN, None, text.encode("utf-8", "surrogatepass"))]
    whole = email.message_from_bytes(text.encode("utf-8", "surrogatepass"))
    parts = [part for part in whole.walk() if not part.is_multipart()]
    return [(part.get_content_type(), part.get_filename(), part.get_payload(decode=True)) for part in parts]
