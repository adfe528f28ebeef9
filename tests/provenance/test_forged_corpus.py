"""Any leaf, key or entry of any source that is changed in the record alone, with a right sum: it comes back where
nothing of it is visible in the document, or with a warning that names the place, and otherwise never."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from corpus_cases import CASES, Case
from forging import FORGERIES, forged, places_of, with_text

from bpconvert import Result, SourceError, convert
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.support.places import without
from bpconvert.yamlio.document import load

pytestmark = pytest.mark.one_version

WAYS = [
    (case, via)
    for case in CASES
    for via in DIALECTS
    if via != case.dialect and not case.is_mistake and case.options.carry
]
#: what the record names as options that are not kept: mostly none, and a word that is none
UNKEPT = ["", "", "", "zz", "params", "types", "environments types", "limits"]
#: of so many forgeries that are visible, that many may come back: the document by itself would be farther from what
#: stands there than the kept source is, which is reported
DRAWN, MOST = 120, 3


class Forgery(NamedTuple):
    """A record that was changed. ``kind`` and ``place``: how and where; ``unkept``: the options that it names;
    ``is_apart``: it is in a file."""

    case: Case
    via: str
    kind: str
    place: tuple[Any, ...]
    unkept: str
    is_apart: bool


class Outcome(NamedTuple):
    """What a forgery yields. ``is_visible``: the document has something else than it; ``is_back``: what comes back
    becomes what the forgery becomes; ``codes``: of warnings and errors."""

    is_visible: bool
    is_back: bool
    codes: set[str]


def plain(text: str, dialect: str) -> Any:
    """A result without what it keeps."""
    data = load(text).data
    place = DIALECTS[dialect].keeper().find(data, "")
    return data if place is None else without(data, place)


def converted(case: Case, source: Path, via: str, **more: Any) -> Result | None:
    try:
        given = case.options.orchestrator if via == case.result.dialect else None
        options = case.options._replace(orchestrator=given)
        return convert(source, case.dialect, via, name=case.origin.document, options=options, **more)
    except SourceError:
        return None


def outcome(forgery: Forgery, folder: Path) -> Outcome | None:
    """What comes of a forgery; None where there is nothing to forge. ``folder``: for the files of the case."""
    case, via = forgery.case, forgery.via
    made = converted(case, case.source, via, carry_file=forgery.is_apart)
    if made is None:
        return None
    evil = forged(case.source.read_text("utf-8", errors="replace"), forgery.kind, forgery.place)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(case.folder, folder)
    place = folder / case.origin.document

    def becomes(text: str) -> Any:
        place.write_text(text, "utf-8")
        other = converted(case, place, via, carry=False)
        return None if other is None else plain(other.text, via)

    wanted = becomes(evil)
    is_visible = wanted != plain(made.text, via)
    text, files = with_text(made, via, evil, forgery.unkept)
    try:
        back = convert(text, via, case.dialect, beside=files)
    except SourceError:
        return Outcome(is_visible, False, {"BPC624"})
    codes = {found.code for found in back.diagnostics if found.severity > "info"}
    return Outcome(is_visible, becomes(back.text) == wanted is not None, codes)


def drawn(case: Case, via: str, draw: random.Random) -> Forgery | None:
    kind = draw.choice(FORGERIES)
    places = list(places_of(load(case.source.read_text("utf-8", errors="replace")).data, kind))
    if not places:
        return None
    return Forgery(case, via, kind, draw.choice(places), draw.choice(UNKEPT), draw.random() < 0.3)


@pytest.mark.parametrize(("case", "via"), WAYS, ids=[f"{case.id}-{via}" for case, via in WAYS])
def test_what_is_forged_does_not_come_back_unseen(case: Case, via: str, tmp_path: Path) -> None:
    forgery = drawn(case, via, random.Random(f"{case.id} {via}"))
    found = None if forgery is None else outcome(forgery, tmp_path / "case")
    if found is None or not found.is_visible or not found.is_back:
        return
    assert found.codes & {"BPC662", "BPC663", "BPC660"}, forgery
    assert forgery is not None
    assert forgery.unkept in {"", "zz"} or "BPC663" in found.codes, forgery


def _forgeries(seed: str) -> Iterator[Forgery]:
    draw = random.Random(seed)
    while True:
        forgery = drawn(*draw.choice(WAYS), draw)
        if forgery is not None:
            yield forgery._replace(unkept="")


def test_hardly_anything_comes_back_for_what_stands_there(tmp_path: Path) -> None:
    """Many forgeries with a visible difference, of which the record counts where the document by itself would be
    farther from what stands there."""
    visible, back = 0, []
    for forgery in _forgeries("many"):
        found = outcome(forgery, tmp_path / "case")
        if found is not None and found.is_visible:
            visible += 1
            back += [(forgery, found.codes)] if found.is_back else []
        if visible == DRAWN:
            break
    assert len(back) <= MOST, back
    for forgery, codes in back:
        # without the files that say what types are, which a case was converted with, nothing can be compared
        options = forgery.case.options
        assert ("BPC663" if options.types or options.environments else "BPC662") in codes, forgery


def test_a_changed_record_is_what_it_is_taken_for(tmp_path: Path) -> None:
    """The forgeries of this file are read: without a change the record counts, apart or not."""
    case = next(one for one in CASES if one.id == "hot-two-tiers" or one.dialect == "hot")
    source = case.source.read_text("utf-8")
    for is_apart in (False, True):
        made = converted(case, case.source, "tosca", carry_file=is_apart)
        assert made is not None
        text, files = with_text(made, "tosca", source, "")
        assert convert(text, "tosca", "hot", beside=files).text == source
