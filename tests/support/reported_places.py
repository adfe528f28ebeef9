"""Findings at chosen places of a document, and the differences that they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bpconvert import convert
from bpconvert.diagnostics import Diagnostic, Fidelity, Reporter
from bpconvert.diagnostics.codes import CODES
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

#: codes of something that is not as it was; those that count by their message are left out
_CODES = [name for name in sorted(CODES) if CODES[name].fidelity >= Fidelity.REWRITTEN and name[:5] != "BPC60"]


def finding(file: Path, place: tuple[Any, ...], code: str = "BPC301") -> Diagnostic:
    """A finding at a place of the document in ``file``."""
    reporter = Reporter(load(file.read_text("utf-8"), str(file)))
    return reporter.build("BPC301", place, name="a", type="b")._replace(code=code)


def result_of(file: Path, source: str, target: str, changes: Mapping[str, str]) -> str:
    """What the document in ``file`` becomes, changed by hand."""
    text = convert(file, source, target, carry=False).text
    for old, new in changes.items():
        assert old in text, text
        text = text.replace(old, new, 1)
    return text


def naming(file: Path, result: str, places: Iterable[tuple[Any, ...]]) -> dict[str, set[tuple[Any, ...]]]:
    """Each difference, with those of the places at which a finding names it."""
    codes = dict(zip(places, _CODES, strict=False))
    findings = [finding(file, place, code) for place, code in codes.items()]
    differences = verify(file, result, reported=findings).differences
    return {one.what: {place for place, code in codes.items() if code in one.codes} for one in differences}


def places_of(data: Any, start: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    inner = [place for key, value in items for place in places_of(value, (*start, key))]
    return [start, *inner] if start else inner
