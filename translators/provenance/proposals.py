"""What in a source may have become a value that was edited: places to put the edit, the likeliest first.

A proposal is no more than that: whether the source then yields what was edited is found out by translating it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from bpconvert.models.expressions import MISSING, SCALARS, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.provenance.differences import Difference, is_equal
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit, Token, scalar, tokens
from bpconvert.translators.provenance.units import in_units
from bpconvert.translators.support.places import maps
from bpconvert.yamlio.document import Document, Map, Seq

#: how sections of types are called: what only one thing was given is not the default of all
_TYPES: Final = "_types"
#: how many places are proposed for one difference
_MOST: Final = 12
#: maps that a new entry may belong into
_MAPS: Final = 3


class Sources(NamedTuple):
    """What is known of where the entries of a document come from. ``of``: entry -> those of the source;
    ``names``: what the source calls something that the document has under another name; ``made``: what the source
    yields; ``foreign``: names of functions that the source may not have."""

    of: Callable[[Path], list[Path]]
    names: Mapping[str, str]
    made: Mapping[str, Any]
    foreign: Collection[str] = ()


class Proposals:
    """The proposals for one document, which was read from a text. ``calls``: names of functions, for the layout."""

    def __init__(self, document: Document, sources: Sources, calls: Any) -> None:
        self.document = document
        self.sources, self.made = sources, sources.made
        self.rewriter = Rewriter(document, calls)
        self.tokens = [token for token in tokens(document) if not str(token.path[0]).endswith(_TYPES)]

    def edits_for(self, difference: Difference) -> list[list[TextEdit]]:
        """The edits of the text that may bring a difference about, each by itself."""
        proposed: list[list[TextEdit]] = []
        for edits in self._all(difference):
            if edits and edits not in proposed:
                proposed.append(edits)
            if len(proposed) >= _MOST:
                break
        return proposed

    def _all(self, difference: Difference) -> Iterator[list[TextEdit]]:
        if type(difference.before) in SCALARS and type(difference.after) in SCALARS:
            yield from self._of_scalar(difference)
            yield from self._of_one_that_became_several(difference)
        yield from self._of_text_beside_another(difference)
        yield from self._of_container(difference)
        yield from self._of_reference(difference)

    # -- scalars --------------------------------------------------------------------------------------------

    def _of_scalar(self, difference: Difference) -> Iterator[list[TextEdit]]:
        own = set(self.sources.of(difference.entry))
        ranked: list[tuple[tuple[Any, ...], Token, Any]] = []
        for number, token in enumerate(self.tokens):
            values = [*adapted(token.value, difference.before, difference.after, self.sources.names)]
            values += [(3, value) for value in in_units(token.value, difference.before, difference.after)]
            for rank, value in values:
                near = 0 if token.path[:2] in own or token.path[:1] in own else 1
                unlike = -_alike(token.path[2:], difference.path[2:])
                ranked.append(((near, rank > 1, unlike, rank, number), token, value))
        for _, token, value in sorted(ranked, key=lambda row: row[0]):
            edit = scalar(self.document, token, value)
            if edit is not None:
                yield [edit]

    def _of_one_that_became_several(self, difference: Difference) -> Iterator[list[TextEdit]]:
        """Where entries of a map have the value of one under another name, they stand in its place, one of them
        edited."""
        if difference.after is MISSING:
            return
        here, key = _at(self.made, difference.path[:-1]), difference.path[-1]
        siblings = (
            {name: value for name, value in here.items() if type(value) in SCALARS} if isinstance(here, dict) else {}
        )
        values = {token.path: token for token in self.tokens}
        for entry in self.sources.of(difference.entry) if key in siblings else ():
            for path, node in containers(self.document, entry):
                for name in [name for name in node if name not in here] if type(node) is Map else ():
                    several = [other for other in siblings if other not in node and _same(siblings[other], node[name])]
                    token = values.get((*path, name))
                    if (
                        key not in several
                        or len(several) == 1
                        or token is None
                        or not _same(node[name], difference.before)
                    ):
                        continue
                    edits = self.rewriter.split((*path, name), token, several, {key: difference.after})
                    if edits:
                        yield edits

    def _of_text_beside_another(self, difference: Difference) -> Iterator[list[TextEdit]]:
        """Where a call that joins texts has one more beside another one, that is longer."""
        *parent, index = difference.path
        added, texts = difference.after, _at(self.made, tuple(parent))
        if difference.before is not MISSING or not isinstance(added, str) or not isinstance(texts, list):
            return
        if not any(step in self.rewriter.calls for step in parent[-2:]):
            return
        for number in (index, index - 1):
            text = texts[number] if 0 <= number < len(texts) else None
            if isinstance(text, str):
                longer = added + text if number == index else text + added
                yield from self._of_scalar(Difference((*parent, number), text, longer))

    # -- entries and items ----------------------------------------------------------------------------------

    def _of_container(self, difference: Difference) -> Iterator[list[TextEdit]]:
        """Where the source has the same key or item, and it was added, exchanged or removed."""
        if has_calls(difference.after, self.sources.foreign):
            return  # what it means stands in the translation of the document
        own = self.sources.of(difference.entry)
        for entry in own:
            for path, node in containers(self.document, entry):
                if type(node) is Map and isinstance(difference.path[-1], str):
                    yield from self._entry(path, node, difference)
                elif type(node) is Seq and isinstance(difference.path[-1], int):
                    yield from self._item(path, node, difference)
        if difference.before is MISSING and isinstance(difference.path[-1], str):
            yield from self._entry_more(own, difference)

    def _entry_more(self, own: list[Path], difference: Difference) -> Iterator[list[TextEdit]]:
        """Where the source has a map with entries that the document has beside the new one: the most alike first."""
        siblings, key = _at(self.made, difference.path[:-1]), difference.path[-1]
        if not isinstance(siblings, dict) or len(difference.path) <= 3:
            return
        ranked: list[tuple[int, int, Path]] = []
        for entry in own:
            for number, (path, node) in enumerate(containers(self.document, entry)):
                if type(node) is Map and len(path) > 3 and key not in node:
                    same = sum(name in siblings and _same(value, siblings[name]) for name, value in node.items())
                    if same:
                        ranked.append((-same, number, path))
        for _, _, path in sorted(ranked)[:_MAPS]:
            edits = self.rewriter.put((*path, self.sources.names.get(key, key)), difference.after)
            if edits:
                yield edits

    def _of_reference(self, difference: Difference) -> Iterator[list[TextEdit]]:
        """Where the source refers to the same in its own words, and something else stands there now."""
        name, calls = _referred(difference.before, self.rewriter.calls), self.rewriter.calls
        if name is None or difference.after is MISSING or has_calls(difference.after, calls):
            return
        names = {name, self.sources.names.get(name, name)}
        own = self.sources.of(difference.entry)
        places = [place for entry in own for place in _references(self.document.data, entry, names, calls)]
        theirs = _references(self.made, difference.entry, {name}, calls)
        if len(theirs) == len(places) and difference.path in theirs:  # in the same order
            places = [places[theirs.index(difference.path)]]
        for place in sorted(places, key=lambda place: -_alike(place, difference.path)):
            edits = self.rewriter.put(place, difference.after)
            if edits:
                yield edits

    def _entry(self, path: Path, node: Map, difference: Difference) -> Iterator[list[TextEdit]]:
        key = difference.path[-1]
        names = {key, self.sources.names.get(key, key)}
        for name in names:
            if name in node and difference.before is not MISSING and _same(node[name], difference.before):
                place = (*path, name)
                edits = (
                    self.rewriter.remove(place)
                    if difference.after is MISSING
                    else self.rewriter.put(place, difference.after)
                )
                if edits:
                    yield edits

    def _item(self, path: Path, node: Seq, difference: Difference) -> Iterator[list[TextEdit]]:
        index = difference.path[-1]
        if difference.after is MISSING:
            for number, value in enumerate(node):
                if _same(value, difference.before):
                    edits = self.rewriter.remove((*path, number))
                    if edits:
                        yield edits
        elif difference.before is MISSING and index <= len(node):
            shaped = difference.after
            if node and type(node[0]) in SCALARS and type(shaped) in SCALARS:
                shaped = self.sources.names.get(shaped, shaped) if isinstance(shaped, str) else shaped
            elif node and not any(isinstance(item, type(shaped)) for item in node):
                return
            edits = self.rewriter.insert((*path, index), shaped)
            if edits:
                yield edits


def has_calls(value: Any, names: Collection[str]) -> bool:
    """Whether there is a call of one of these functions in a value."""
    return any(len(part) == 1 and next(iter(part)) in names for part, _ in maps(value, ()))


def _referred(value: Any, calls: Collection[str]) -> str | None:
    """The name that a call of a function has as its argument, or as the first one; None where it has no name there."""
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in calls:
        return None
    (argument,) = value.values()
    first = argument[0] if isinstance(argument, list) and argument else argument
    return first if isinstance(first, str) else None


def _references(data: Any, entry: Path, names: Collection[str], calls: Collection[str]) -> list[Path]:
    """Where an entry refers to something that has one of these names, in order."""
    return [path for value, path in maps(_at(data, entry), entry) if _referred(value, calls) in names]


def _same(mine: Any, other: Any) -> bool:
    if type(mine) in SCALARS and type(other) in SCALARS:
        return digest(mine) == digest(other) or _text(mine) == _text(other)
    return is_equal(mine, other)


def _at(node: Any, path: Path) -> Any:
    """What is at a place in a document; None where there is nothing."""
    for step in path:
        if not isinstance(node, (dict, list)):
            return None
        try:
            node = node[step]
        except (LookupError, TypeError):
            return None
    return node


def containers(document: Document, entry: Path) -> Iterator[tuple[Path, Any]]:
    """The maps and lists of an entry, with their places."""
    node = _at(document.data, entry)
    waiting: list[tuple[Path, Any]] = [(entry, node)]
    while waiting:
        path, node = waiting.pop(0)
        if type(node) not in (Map, Seq):
            continue
        yield path, node
        waiting += [
            ((*path, step), child) for step, child in (node.items() if type(node) is Map else enumerate(list(node)))
        ]


def _alike(path: Path, other: Path) -> int:
    """How many steps two paths have in common, from their ends; then how many names at all."""
    steps = 0
    for mine, theirs in zip(reversed(path), reversed(other), strict=False):
        if mine != theirs:
            break
        steps += 1
    return 10 * steps + len({step for step in path if isinstance(step, str)} & set(other))


# -- values in other notations ------------------------------------------------------------------------------


def adapted(value: Any, before: Any, after: Any, names: Mapping[str, str]) -> Iterator[tuple[int, Any]]:
    """What becomes of the ``value`` of a source if it is what ``before`` was made of, and that is ``after`` now; each
    with its rank: 0 the value itself, 1 the same in another type, 2 a part of a text, 3 a text that it is a part of."""
    old, new = _text(before), _text(after)
    if old is None or new is None or type(value) not in SCALARS:
        return
    if type(value) is type(before) and value == before:
        if isinstance(after, str) and after in names:
            yield 0, names[after]
        yield 0, after
        return
    text = _text(value)
    if text is None:
        return
    if (len(text) == len(old) and text.lower() == old.lower()) or (
        isinstance(before, str) and names.get(before) == value
    ):
        yield 1, names.get(new, _as_type(new, value))
        if _as_type(new, value) != after:
            yield 1, after
        return
    if isinstance(value, str) and old:
        yield from ((2, edit) for edit in _within(value, old, new))
    if text and len(text) < len(old) and text in old:
        start = old.index(text)
        head, tail = old[:start], old[start + len(text) :]
        if new.startswith(head) and new.endswith(tail) and len(new) > len(head) + len(tail):
            yield 3, _as_type(new[len(head) : len(new) - len(tail)], value)


def _within(text: str, old: str, new: str) -> Iterator[str]:
    """``text`` with ``new`` in place of ``old``: of the whole, else of the lines of it that were changed."""
    places: list[tuple[int, int]] = []
    if old in text:
        pattern = re.compile(rf"(?<![\w.]){re.escape(old)}(?![\w])" if old[:1].isalnum() else re.escape(old))
        places = [match.span() for match in pattern.finditer(text)]
        for begin, end in places[:4]:
            yield text[:begin] + new + text[end:]
        if 1 < len(places) <= 4:
            yield pattern.sub(lambda _: new, text)
    if places or "\n" not in old:
        return
    part, put = _lines(old, new)
    if part.strip() and text.count(part) == 1:
        yield text.replace(part, put)


@lru_cache(maxsize=1)  # each scalar of a source is compared with the same two
def _lines(old: str, new: str) -> tuple[str, str]:
    """The lines of ``old`` that ``new`` has others for, and these."""
    before, after = old.split("\n"), new.split("\n")
    low = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    high = next(
        (n for n, pair in enumerate(zip(reversed(before), reversed(after), strict=False)) if pair[0] != pair[1]), 0
    )
    gone, put = before[low : len(before) - high], after[low : len(after) - high]
    if not gone and low:
        gone, put = before[low - 1 : low], [before[low - 1], *put]
    return "\n".join(gone), "\n".join(put)


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else None


def _as_type(text: str, like: Any) -> Any:
    """``text`` as a value of the type of ``like``, where it is one."""
    if isinstance(like, bool):
        return {"true": True, "false": False}.get(text.lower(), text)
    for kind in (int, float):
        if isinstance(like, kind):
            try:
                return kind(text)
            except ValueError:
                return text
    return text
