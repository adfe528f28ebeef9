"""Any leaf of any source that is changed in the record alone, with a right sum: it comes back where nothing of it is
visible in the document, or with a warning, and otherwise never."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus_cases import CASES, Case
from forging import Record, changed

from bpconvert import Result, SourceError, convert
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.support.places import value_at, without
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

WAYS = [
    (case, via)
    for case in CASES
    for via in DIALECTS
    if via != case.dialect and not case.is_mistake and case.options.carry
]


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else None
    if items is None:
        yield path
        return
    for key, value in items:
        yield from leaves(value, (*path, key))


def forged(text: str, path: tuple[Any, ...]) -> tuple[str, Any]:
    """The text with another value at a place, and that value."""
    data = load(text).data
    owner, old = value_at(data, path[:-1]), value_at(data, path)
    new = not old if isinstance(old, bool) else old + 7340 if isinstance(old, (int, float)) else "evil"
    owner[path[-1]] = new
    return emit(data), new


def plain(text: str, dialect: str) -> str:
    """A result without what it keeps."""
    data = load(text).data
    place = DIALECTS[dialect].keeper().find(data, "")
    return emit(data if place is None else without(data, place))


def converted(case: Case, source: Path, via: str, **more: Any) -> Result | None:
    try:
        return convert(source, case.dialect, via, name=case.origin.document, options=case.options, **more)
    except SourceError:
        return None


@pytest.mark.parametrize(("case", "via"), WAYS, ids=[f"{case.id}-{via}" for case, via in WAYS])
def test_a_forged_leaf_does_not_come_back_unseen(case: Case, via: str, tmp_path: Path) -> None:
    made = converted(case, case.source, via)
    text = case.source.read_text("utf-8", errors="replace")
    places = list(leaves(load(text).data)) if made is not None else []
    if made is None or not places:
        return
    place = random.Random(f"{case.id} {via}").choice(places)
    evil, new = forged(text, place)
    folder = tmp_path / "case"
    shutil.copytree(case.folder, folder)
    (folder / case.origin.document).write_text(evil, "utf-8")
    other = converted(case, folder / case.origin.document, via, carry=False)
    if other is not None and plain(other.text, via) == plain(made.text, via):
        return  # nothing of it is visible

    def change(_: Any, record: Record) -> None:
        record["text"] = evil

    back = convert(changed(made.text, change), via, case.dialect, beside=made.files)
    try:
        is_back = value_at(load(back.text).data, place) == new
    except (LookupError, TypeError):
        is_back = False
    assert not is_back or any(found.severity > "info" for found in back.diagnostics), place
