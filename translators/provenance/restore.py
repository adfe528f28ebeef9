"""A document that was edited after it had been generated, back in the language that it came from.

The origin stays as it was, text and all, but for the entries whose translation was edited. Of these only what the edit
changed is exchanged, where the origin has it as the translation has it; else the whole entry is translated anew."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile
from typing import Any, Final

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import Origin, digest, fresh_entries, needed
from bpconvert.translators.provenance.grafting import loosely
from bpconvert.translators.provenance.sidecar import Sidecar
from bpconvert.translators.support.places import entries, exists, texts, value_at
from bpconvert.translators.support.text import NOT_CONVERTED

#: sections of what is said about several entries
_TOGETHER: Final = ("groups", "policies")
#: what a document has from what an earlier conversion kept in it
_KEPT: Final = "BPC670"


class Patch(NamedTuple):
    """What changes in the origin. ``new``: place -> value, of entries that are there or not; ``dropped``: places of
    entries that are there; ``grafted``: the new ones that are the origin's but for the change; ``data``: the result;
    ``followed``: the new ones that nobody edited, with the names in them that lead nowhere now; ``loose``: those of the
    ``grafted`` that the origin has something else in than what was changed."""

    new: dict[Path, Any]
    dropped: set[Path]
    grafted: set[Path]
    data: dict[str, Any]
    followed: dict[Path, list[str]]
    loose: frozenset[Path] = frozenset()

    def put(self, path: Path, value: Any) -> None:
        """Exchange one more entry of the origin."""
        self.new[path] = value
        if len(path) == 1:
            self.data[path[0]] = value
        else:
            self.data[path[0]] = {**self.data[path[0]], path[1]: value}


def patch(origin: Origin, lowered: Lowered, previous: Lowered, is_loose: bool = False, inputs: str = "inputs") -> Patch:
    """What the changes of the made document mean for its ``origin``. ``lowered``: the new translation of the whole made
    document; ``previous``: the same before it was changed, as far as that is known; ``is_loose``: a change is put into
    an entry that has something else there as well; ``inputs``: how their section is called."""
    old, before = origin.document.data, previous.data
    reformed, gone = _reformed(origin, lowered, previous)
    fresh = fresh_entries(origin, lowered.data, lowered.made) | reformed | _unclaimed(origin, lowered, before)
    new: dict[Path, Any] = {}
    grafted: set[Path] = set()
    loose: set[Path] = set()
    same: set[Path] = set()
    for path in _in_order(lowered.data, fresh):
        value = value_at(lowered.data, path)
        is_same = exists(before, path) and exists(old, path) and digest(value_at(before, path)) == digest(value)
        if is_same and not any(place in origin.unlike for place in origin.made.get(path, ())):
            same.add(path)
            continue
        graft = None if is_same else _grafted(old, before, value, path)
        if graft is None and is_loose and not is_same and len(path) > 1 and exists(old, path) and exists(before, path):
            graft = loosely(value_at(old, path), value_at(before, path), value)
            loose |= {path} if graft is not None else set()
        new[path] = value if graft is None else graft
        if graft is not None:
            grafted.add(path)
    for path in _spare(origin, lowered, before, {path for path in new.keys() - grafted if path[0] != inputs}):
        del new[path]
    kept = fresh | {entry for entry in origin.made if origin.owner(entry) in grafted | same}
    dropped = {entry for entry in origin.made if origin.is_touched(entry) and entry not in kept} | gone
    names = _names(origin, lowered, new)
    new = {path: _renamed(value, names) for path, value in new.items()} if names else new
    new |= needed(origin, lowered.data, new.values())
    return Patch(new, dropped, grafted, with_changes(old, new, dropped, lowered.data), {}, frozenset(loose))


def _spare(origin: Origin, lowered: Lowered, before: Mapping[str, Any], own: Collection[Path]) -> set[Path]:
    """Of the entries that are translated anew as a whole (``own``), those that were in the translation of what was
    there before as well, and that the origin has another form for: where nothing of that gives way, it stays."""
    if origin.unlike:
        return set()  # the origin means something else: what it lacks is no other form
    spare = {path for path in own if not exists(origin.document.data, path) and exists(before, path)}
    spare = {path for path in spare if digest(value_at(before, path)) == digest(value_at(lowered.data, path))}
    for entry, places in lowered.made.items():
        others = [place for place in places if place not in spare]
        if not spare.isdisjoint(places) and any(place in own for place in (*others, *origin.sources(entry))):
            spare.difference_update(places)
    return spare


def _names(origin: Origin, lowered: Lowered, new: Mapping[Path, Any]) -> dict[str, str]:
    """What is an entry of its own when the document is translated anew, and was made of one that the origin has and
    that nobody edited -> the name of that."""
    names: dict[str, str] = {}
    for entry, places in lowered.made.items():
        sources = origin.sources(entry)
        if entry in origin.changes.present or len(sources) != 1 or not exists(origin.document.data, sources[0]):
            continue
        if sources[0] in places:
            continue  # the others are what it needs beside itself
        for place in places:
            is_entry = len(place) == len(sources[0]) == 2 and place[0] == sources[0][0]
            if is_entry and place not in new and not exists(origin.document.data, place):
                names[str(place[1])] = str(sources[0][1])
    return names


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """``value`` with other names in place of these; what a list has twice then is in it once."""
    if isinstance(value, dict):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        items = [_renamed(item, names) for item in value]
        return items if digest(items) == digest(value) else list({digest(item): item for item in items}.values())
    return names.get(value, value) if isinstance(value, str) else value


def _reformed(origin: Origin, lowered: Lowered, previous: Lowered) -> tuple[set[Path], set[Path]]:
    """The entries that have another form because of what others are now: those that are there, and those of the origin
    that are not any more."""
    if not previous.data:
        return set(), set()
    places = lowered.forms.keys() | previous.forms.keys()
    unlike = {place for place in places if lowered.forms.get(place) != previous.forms.get(place)}
    there = {place for place in unlike if exists(lowered.data, place)}
    return there, {place for place in unlike - there if exists(origin.document.data, place)}


def _unclaimed(origin: Origin, lowered: Lowered, before: Mapping[str, Any]) -> set[Path]:
    """The entries that come along with new ones (the group of a node that is scaled): of no entry by themselves, and
    neither in the origin nor in the translation of what was there before."""
    if not before or not origin.changes.present:
        return set()
    claimed = {place for places in lowered.made.values() for place in places}
    sections = [name for name, content in lowered.data.items() if isinstance(content, dict)]
    every = {(section, name) for section in sections if section in _TOGETHER for name in lowered.data[section]}
    return {path for path in every - claimed if not exists(before, path) and not exists(origin.document.data, path)}


def follow_up(
    change: Patch, origin: Origin, lowered: Lowered, keeper: Sidecar, marker: str, is_sound: bool = False
) -> None:
    """Change what follows from the other changes: references to what is gone, its groups, and the version (at
    ``marker``). ``lowered``: the new translation of the whole document; ``is_sound``: that refers to nothing that it
    does not have."""
    _follow(change, origin, lowered, keeper, is_sound)
    own = {path: value for path, value in change.new.items() if path not in change.grafted}
    changes = keeper.consequences(change.data, change.dropped) | keeper.joined(own, origin.document.data)
    for path, value in changes.items():
        change.put(path, value)
    before = str(origin.document.data.get(marker))
    version = keeper.version(before, change.new)
    if change.new and version != before:
        change.put((marker,), version)


def unresolved(change: Patch, origin: Origin, keeper: Sidecar) -> list[tuple[Path, str]]:
    """Where the result names an entry that it does not have, and the name; without those that the origin had."""
    return sorted(keeper.unresolved(change.data) - keeper.unresolved(origin.document.data), key=str)


def takes_away(change: Patch, origin: Origin, nowhere: Iterable[tuple[Path, str]]) -> bool:
    """Whether a name that leads ``nowhere`` is that of an entry of the origin whose translation nobody deleted."""
    names = {name for _, name in nowhere}
    gone = [entry for entry in change.dropped if entry[-1] in names]
    deleted = origin.changes.deleted
    return any(
        not any(place in deleted or place[:1] in deleted for place in origin.made.get(entry, ())) for entry in gone
    )


def _follow(change: Patch, origin: Origin, lowered: Lowered, keeper: Sidecar, is_sound: bool) -> None:
    """Exchange what names an entry that is gone for what stands there in the new translation (``lowered``), where that
    names new entries (the members of a group that came apart, in place of the group) or has a value in place of the
    reference, and only what there is."""
    nowhere: dict[Path, list[str]] = {}
    for place, name in unresolved(change, origin, keeper):
        nowhere.setdefault(place[:2], []).append(name)
    replaced = {
        place: value_at(lowered.data, place) for place in _in_order(lowered.data, nowhere.keys() - change.new.keys())
    }
    names = _names(origin, lowered, {**change.new, **replaced})
    there = {path[-1] for path in change.new if path not in change.grafted}
    replaced = {place: _renamed(value, names) for place, value in replaced.items()}
    replaced = {
        place: value
        for place, value in replaced.items()
        if there & set(texts(value))
        or (is_sound and _is_plain(value, nowhere[place], needed(origin, lowered.data, [value])))
    }
    replaced |= needed(origin, lowered.data, replaced.values())
    left = {place[:2] for place, _ in keeper.unresolved(with_changes(change.data, replaced, set(), lowered.data))}
    more = {place: value for place, value in replaced.items() if place not in left and place not in change.new}
    changed = with_changes(change.data, more, set(), lowered.data)
    change.data.clear()
    change.data.update(changed)
    change.new.update(more)
    change.followed.update({place: nowhere[place] for place in more if place in nowhere})


def _is_plain(value: Any, gone: Collection[str], more: Collection[Path]) -> bool:
    """Whether a value is converted, and names none of what is ``gone``, in a text either, nor needs ``more``."""
    unlike = "|".join([*map(re.escape, gone), re.escape(NOT_CONVERTED)])
    return bool(value) and not more and not any(re.search(rf"(?<!\w)({unlike})(?!\w)", text) for text in texts(value))


def with_changes(old: Mapping[str, Any], new: Mapping[Path, Any], dropped: set[Path], order: Mapping[str, Any]) -> Any:
    """The origin's data with the changes. ``order``: has the sections in conventional order."""
    data: dict[str, Any] = {}
    for section, content in old.items():
        if (section,) in dropped:
            continue
        data[section] = content
        if isinstance(content, dict) and content:
            kept = {name: item for name, item in content.items() if (section, name) not in dropped}
            data[section] = kept
    for path, value in new.items():
        if path[0] not in data:
            data = inserted(data, path[0], {}, order)
        if len(path) == 1:
            data[path[0]] = value
        else:
            data[path[0]] = {**entries(data, path[0]), path[1]: value}
    return {name: content for name, content in data.items() if content or not old.get(name)}


def _in_order(data: Mapping[str, Any], paths: set[Path]) -> list[Path]:
    ordered: list[Path] = []
    for section, content in data.items():
        if (section,) in paths:
            ordered.append((section,))
        elif isinstance(content, dict):
            ordered += [(section, name) for name in content if (section, name) in paths]
    return ordered


def inserted(data: dict[str, Any], section: str, content: Any, order: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with a new section, behind those that conventionally stand before it."""
    before = set(takewhile(lambda name: name != section, order))
    place = max((number for number, name in enumerate(data, 1) if name in before), default=0)
    items = list(data.items())
    return dict([*items[:place], (section, content), *items[place:]])


class Unlike(Exception):
    """The origin does not have a changed part as the translation has it."""


def _grafted(old: Any, before: Any, after: Any, path: Path) -> Any:
    """The origin's entry with the change alone, where what changed stands there as in the translation; else None."""
    if not exists(old, path) or not exists(before, path):
        return None
    try:
        return graft(value_at(old, path), value_at(before, path), after)
    except Unlike:
        return None


def graft(original: Any, before: Any, after: Any) -> Any:
    """``original`` with what differs between ``before`` and ``after``. Raises Unlike where ``original`` has neither."""
    if digest(before) == digest(after):
        return original
    if isinstance(original, dict) and isinstance(before, dict) and isinstance(after, dict):
        return _graft_map(original, before, after)
    lists = [value for value in (original, before, after) if isinstance(value, list)]
    if len(lists) == 3 and len({len(value) for value in lists}) == 1:
        return [graft(*items) for items in zip(original, before, after, strict=True)]
    if digest(original) not in (digest(before), digest(after)):
        raise Unlike
    return after


def _graft_map(original: dict[Any, Any], before: dict[Any, Any], after: dict[Any, Any]) -> dict[Any, Any]:
    result = dict(original)
    for key in before.keys() - after.keys():
        if key not in original or digest(original[key]) != digest(before[key]):
            raise Unlike
        del result[key]
    for key, value in after.items():
        if key in before:
            if digest(before[key]) != digest(value):
                if key not in original:
                    raise Unlike
                result[key] = graft(original[key], before[key], value)
        elif key in original and digest(original[key]) != digest(value):
            raise Unlike
        else:
            result[key] = value
    return result


def report(origin: Origin, change: Patch, lowered: Lowered, findings: Iterable[Diagnostic], reporter: Reporter) -> None:
    """Report what was translated anew, keep what the translation ``findings`` in it, and name edits without effect."""
    changes = origin.changes
    alike: list[str] = []
    for place in sorted(changes.deleted, key=str):
        name = ".".join(map(str, place))
        gone = any(entry in change.dropped or entry in change.new for entry in origin.sources(place))
        if place not in origin.unlike:
            reporter.report("BPC621" if gone else "BPC622", place[:1], name=name)
        elif gone:
            reporter.report("BPC661", place[:1], name=name)
        else:
            alike.append(name)
    for place in sorted(changes.present, key=str):
        name = ".".join(map(str, place))
        sources = origin.sources(place)
        became = any(entry in change.new for entry in (*lowered.made.get(place, ()), *sources))
        became = became or any(entry in change.dropped for entry in sources)
        if place in origin.unlike:
            if became:
                reporter.report("BPC660", place, name=name)
            else:
                alike.append(name)
            continue
        if place in changes.along:
            continue
        code = "BPC620" if place in changes.edited else "BPC623"
        reporter.report(code if became else "BPC622", place, name=name)
    if alike:
        reporter.report("BPC662", origin.place, names=", ".join(alike))
    for entry, names in change.followed.items():
        place = next((place for place, entries in lowered.made.items() if entry in entries), entry)
        without = ", ".join(f"'{name}'" for name in dict.fromkeys(names))
        reporter.report("BPC689", place, name=".".join(map(str, entry)), gone=without)
    for diagnostic in findings:
        places = {*lowered.made.get(diagnostic.path[:2], ())} & change.new.keys()
        if diagnostic.code == _KEPT and places and places <= change.grafted:
            continue  # the source has that itself
        if diagnostic.path[:2] in changes.present or diagnostic.path[:1] in changes.present:
            reporter.record(diagnostic)
