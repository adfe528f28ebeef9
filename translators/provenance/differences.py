"""Where two values differ: two documents as trees, entry by entry and item by item."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, Final

from bpconvert.models.expressions import MISSING, SCALARS, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.carry import digest

#: pairs of items that are compared to align two lists
_ALIGNED: Final = 250_000


class Difference(NamedTuple):
    """``before`` became ``after`` at ``path``; MISSING where one of the two has nothing there. The index of a new item
    is the one that it has afterwards."""

    path: Path
    before: Any
    after: Any

    @property
    def entry(self) -> Path:
        """The entry of the document that it is in."""
        return self.path[:2] if len(self.path) > 1 and not isinstance(self.path[1], int) else self.path[:1]


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[Difference]:
    """The innermost differences between two values. Items of lists are aligned, so that one that is added or removed
    is a single difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            old, new = before.get(key, MISSING), after.get(key, MISSING)
            if old is MISSING or new is MISSING:
                yield Difference((*path, key), old, new)
            elif type(old) in SCALARS and type(new) in SCALARS:
                if old is not new and not _same(old, new):
                    yield Difference((*path, key), old, new)
            else:
                yield from differences(old, new, (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif not _same(before, after):
        yield Difference(path, before, after)


def without_entries(data: Mapping[str, Any], places: Container[Path]) -> dict[str, Any]:
    """A document's data without the entries at ``places``."""
    return {
        section: {name: entry for name, entry in content.items() if (section, name) not in places}
        if isinstance(content, dict)
        else content
        for section, content in data.items()
    }


def _same(before: Any, after: Any) -> bool:
    if type(before) in SCALARS and type(after) in SCALARS:
        return type(before) is type(after) and bool(before == after or (before != before and after != after))
    return digest(before) == digest(after)


def is_equal(before: Any, after: Any) -> bool:
    """Whether two values are the same at first sight: maps and lists by what is in them, up to the first difference."""
    if isinstance(before, dict) and isinstance(after, dict):
        return len(before) == len(after) and all(key in after and is_equal(before[key], after[key]) for key in before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) == len(after) and all(map(is_equal, before, after))
    return type(before) is type(after) and type(before) in SCALARS and bool(before == after)


def _of_lists(before: list[Any], after: list[Any], path: Path) -> Iterator[Difference]:
    if len(before) == len(after):
        unlike = [index for index, items in enumerate(zip(before, after, strict=True)) if not is_equal(*items)]
        if len(unlike) <= 1:  # no digests: lists in lists would take their square
            for index in unlike:
                yield from differences(before[index], after[index], (*path, index))
            return
    for low, high, start, end in _unlike(list(map(digest, before)), list(map(digest, after))):
        both = min(high - low, end - start)
        for offset in range(both):
            yield from differences(before[low + offset], after[start + offset], (*path, low + offset))
        for index in range(low + both, high):
            yield Difference((*path, index), before[index], MISSING)
        for index in range(start + both, end):
            yield Difference((*path, index), MISSING, after[index])


def _unlike(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Where two lists differ: the first and the last place of each. Long ones are not aligned between the first and the
    last difference, which would take the square of their length, or its cube."""
    if len(before) * len(after) <= _ALIGNED:
        codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        yield from ((low, high, start, end) for tag, low, high, start, end in codes if tag != "equal")
        return
    least = min(len(before), len(after))
    begin = next((place for place in range(least) if before[place] != after[place]), least)
    remaining = least - begin
    same = next((place for place in range(remaining) if before[-1 - place] != after[-1 - place]), remaining)
    yield begin, len(before) - same, begin, len(after) - same


def weight(items: Iterable[Difference]) -> int:
    """How much differs: the number of scalars on both sides."""
    return sum(_scalars(item.before) + _scalars(item.after) for item in items)


def size(items: Iterable[Difference]) -> int:
    """How much differs, as :func:`weight` counts it; of a text its lines, of an edited one those that were edited."""
    return sum(_lines(item.before, item.after) for item in items)


def changed_lines(before: str, after: str) -> int:
    """How many lines of two texts differ, on both sides."""
    old, new = before.split("\n"), after.split("\n")
    begin, least = 0, min(len(old), len(new))
    while begin < least and old[begin] == new[begin]:
        begin += 1
    end = 0
    while end < least - begin and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[begin : len(old) - end], new[begin : len(new) - end]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return sum(high - low + end - start for tag, low, high, start, end in codes if tag != "equal")


def _lines(before: Any, after: Any) -> int:
    if isinstance(before, str) and isinstance(after, str):
        return changed_lines(before, after)
    return _scalars(before) + _scalars(after) + _line_ends(before) + _line_ends(after)


def _line_ends(value: Any) -> int:
    if isinstance(value, (dict, list)):
        return sum(map(_line_ends, value.values() if isinstance(value, dict) else value))
    return value.count("\n") if isinstance(value, str) else 0


def _scalars(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_scalars, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(_scalars, value))
    return 0 if value is MISSING else 1


def at(entries: Collection[Path], items: Iterable[Difference]) -> list[Difference]:
    """The differences that are in one of the ``entries``."""
    return [item for item in items if item.entry in entries]


def differing(before: Any, after: Any) -> set[Path]:
    """The entries of two documents that differ."""
    return {item.entry for item in differences(before, after)}
