"""The documents and other files of the corpus that cases are made of."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from changes import LARGEST

from bpconvert.diagnostics import BpconvertError
from bpconvert.translators.dialects import DIALECTS, load, recognised

CORPUS: Final = Path(__file__).resolve().parents[2] / "corpus"


@cache
def documents() -> list[Path]:
    """The documents of all languages."""
    markers = tuple(dialect.marker.encode() for dialect in DIALECTS.values())
    return [place for place in _yaml() if any(marker in place.read_bytes() for marker in markers)]


@cache
def mappings() -> list[Path]:
    """The mappings of types."""
    return [place for place in _yaml() if b"\nkind:" in place.read_bytes() or place.name == "types.yaml"]


@cache
def environments() -> list[Path]:
    """The environments of Heat."""
    return [place for place in _yaml() if b"resource_registry" in place.read_bytes()]


@cache
def data_of(place: Path) -> Any:
    """The plain data of a file; None where it is no YAML."""
    with suppress(BpconvertError):
        return load(place.read_bytes()).data
    return None


@cache
def language_of(place: Path) -> str | None:
    """The name of the language that a file is written in."""
    found = recognised(data_of(place))
    return None if found is None else found.name


def names_in(place: Path) -> list[str]:
    """The names of the parameters or inputs that a document declares."""
    data, source = data_of(place), language_of(place)
    if source is None:
        return []
    found = data.get(DIALECTS[source].section("inputs"))
    return [name for name in found if isinstance(name, str)] if isinstance(found, dict) else []


@cache
def files_around(place: Path) -> dict[str, bytes]:
    """The files of a document's folder, by their paths relative to it, without what is expected of its case."""
    found: dict[str, bytes] = {}
    for file in sorted(place.parent.rglob("*")):
        name = file.relative_to(place.parent).as_posix()
        if file.is_file() and file != place and not name.startswith("files/") and file.suffix not in (".json", ".txt"):
            data = file.read_bytes()
            if sum(map(len, found.values())) + len(data) < LARGEST // 2:
                found[name] = data
    return found


@cache
def _yaml() -> list[Path]:
    found = sorted(place for ending in ("yaml", "yml") for place in CORPUS.rglob(f"*.{ending}"))
    return [place for place in found if place.stat().st_size < LARGEST]
