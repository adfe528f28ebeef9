"""Results whose kept source somebody has changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from bpconvert import Result
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.support.places import value_at
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

Record = dict[str, Any]
#: another value, another key, one entry less, and one more
FORGERIES: Final = ("value", "key", "less", "more")
#: what is put in
EVIL: Final = "evil7340"


def changed(made: str, change: Callable[[Any, Record], None]) -> str:
    """A result, with its data and its record changed; the sum of the source fits."""
    document = load(made)
    data = json.loads(json.dumps(document.data))
    keeper = next(dialect for dialect in DIALECTS.values() if dialect.recognises(data)).keeper()
    place = keeper.find(data, "")
    assert place is not None
    record = dict(keeper.read(data, place))
    change(data, record)
    if "text" in record:
        record["sum"] = digest(record["text"])
    owner = data[place[0]]
    if isinstance(owner[place[1]], str):
        owner[place[1]] = json.dumps(record)
    elif "metadata" in owner[place[1]]:
        owner[place[1]]["metadata"]["bpconvert"] = record
    else:
        owner[place[1]] = record
    return emit(data)


def text(old: str, new: str) -> Callable[[Any, Record], None]:
    """Another text in the kept source."""

    def change(_: Any, record: Record) -> None:
        assert old in record["text"]
        record["text"] = record["text"].replace(old, new)

    return change


def with_text(made: Result, via: str, text: str, unkept: str) -> tuple[str, dict[str, str]]:
    """A result in the language ``via``, and the files beside it, whose record has another text with a right sum;
    ``unkept``: the options that it names."""
    files = dict(made.files)

    def change(_: Any, record: Record) -> None:
        apart = dict(load(files[record["file"]]).data) if "file" in record else None
        kept = record if apart is None else apart
        kept.pop("escaped", None)
        kept.update(text=text, sum=digest(text), **({"unkept": unkept} if unkept else {}))
        if apart is not None:
            files[record["file"]] = json.dumps(apart)
            record.update({"sum": digest(files[record["file"]])} if "sum" in record else {})

    return changed(made.text, change), files


def places_of(data: Any, kind: str, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places in plain data where a forgery of a kind can be: leaves, keys, or entries of any depth."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        is_leaf = not isinstance(value, (dict, list))
        if (kind != "value" or is_leaf) and (kind != "key" or isinstance(data, dict)):
            yield (*path, key)
        yield from places_of(value, kind, (*path, key))


def forged(text: str, kind: str, place: tuple[Any, ...]) -> str:
    """The text with a forgery of a kind at a place."""
    data = load(text).data
    owner, old, key = value_at(data, place[:-1]), value_at(data, place), place[-1]
    if kind == "value":
        owner[key] = not old if isinstance(old, bool) else old + 7340 if isinstance(old, (int, float)) else EVIL
    elif kind == "key":
        entries = [(EVIL if one == key else one, value) for one, value in owner.items()]
        owner.clear()
        owner.update(entries)
    elif kind == "less":
        del owner[key]
    elif isinstance(owner, dict):
        owner[EVIL] = old
    else:
        owner.insert(key, old)
    return emit(data)
