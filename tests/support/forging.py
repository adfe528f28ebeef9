"""Results whose kept source somebody has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.provenance.carry import digest
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

Record = dict[str, Any]


def changed(made: str, change: Callable[[Any, Record], None]) -> str:
    """A result, with its data and its record changed; the sum of the source fits."""
    document = load(made)
    data = json.loads(json.dumps(document.data))
    keeper = next(dialect for dialect in DIALECTS.values() if dialect.recognises(data)).keeper()
    place = keeper.find(data, "")
    assert place is not None
    record = dict(keeper.read(data, place))
    change(data, record)
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
