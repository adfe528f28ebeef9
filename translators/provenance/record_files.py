"""The record of a document in a file, in a folder ``.bpconvert`` beside it, or beside the outermost document or the
folder of all results. The document then keeps what the file is called."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.carry import digest, is_inside
from bpconvert.translators.provenance.sidecar import Sidecar
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

#: the folder, and the keys in the document for the file with the record and for the digest of that file
FOLDER: Final = ".bpconvert"
FILE: Final = "file"
DIGEST: Final = "digest"
_HEAD: Final = "# What {name} becomes was made from it; bpconvert needs this file for the way back.\n"

#: yields the text of a file by its path beside the document; None where there is none
Look = Callable[[str], "str | None"]


class Missing(LookupError):
    """There is no file with the record. ``file``: the name that the document has for it."""

    def __init__(self, file: str) -> None:
        super().__init__(f"there is no file '{file}'")
        self.file = file


class Kept(NamedTuple):
    """A record, and the path from the document of the file that it is in; None for the document itself."""

    record: Mapping[str, str]
    file: str | None = None


def put(keeper: Sidecar, data: dict[str, Any], kept: dict[str, str], name: str, base: str) -> dict[str, str]:
    """Add to a document's data a reference to a file with the record, which is called as the source, of this ``name``.
    ``base``: the path of the document's folder from that of the outermost document. Returns that file: path from the
    document -> text."""
    own = posixpath.basename(name)
    file = f"{FOLDER}/{own if is_inside(own) else 'source.yaml'}"
    text = _HEAD.format(name=posixpath.basename(file)) + emit(kept)
    keeper.put(data, {"source": kept["source"], FILE: file, DIGEST: digest(text)})
    return {places(file, folders_of(base))[-1]: text}


def folders_of(path: str) -> list[str]:
    """The names in the path of a folder."""
    return [name for name in path.split("/") if name not in ("", ".")]


def places(file: str, folders: Sequence[str]) -> list[str]:
    """Where the record may be that a document names as ``file``, as paths from the document: beside the document, or
    beside a folder around it, there below the path to the document. ``folders``: those that the document is in,
    outermost first."""
    inner = [folders[len(folders) - up :] for up in range(len(folders) + 1)]
    return [posixpath.join(*[".."] * len(below), FOLDER, *below, posixpath.basename(file)) for below in inner]


def read(keeper: Sidecar, data: Any, place: Any, look: Look, folders: Sequence[str] = ()) -> Kept:
    """The record in the entry at ``place``, or in the file that this names. ``folders``: see :func:`places`. Of several
    files the one that was written with the document counts, else the nearest one.

    Raises Missing where there is no such file, and ValueError or LookupError where there is no record in it."""
    kept = keeper.read(data, place)
    file = file_of(kept)
    if file is None:
        return Kept(kept)
    texts = {place: text for place in places(file, folders) if (text := look(place)) is not None}
    if not texts:
        raise Missing(file)
    nearest = next(iter(texts))
    chosen = next((place for place, text in texts.items() if digest(text) == kept.get(DIGEST)), nearest)
    return Kept(_record(texts[chosen], chosen, kept), chosen)


def _record(text: str, file: str, kept: Mapping[str, str]) -> Mapping[str, str]:
    """The record in a file. Raises ValueError."""
    try:
        data = load(text, file).data
    except SourceError as error:
        raise ValueError(error.diagnostic.message) from None
    if not isinstance(data, dict) or data.get("source") != kept["source"]:
        raise ValueError(f"'{file}' has no record of {kept['source']}")
    return {str(key): str(value) for key, value in data.items()}


def file_of(kept: Mapping[str, Any]) -> str | None:
    """The file that has the record; None for a record that is in the document. Raises ValueError for another file."""
    file = kept.get(FILE)
    if file is None:
        return None
    folder, _, name = str(file).partition("/")
    if folder != FOLDER or "/" in name or not is_inside(name):
        raise ValueError(f"'{file}' is no file of {FOLDER}")
    return str(file)
