"""The record of a document in a file beside it, in a folder ``.bpconvert``. The document then keeps where that is."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.translators.provenance.carry import is_inside
from bpconvert.translators.provenance.sidecar import Sidecar
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

#: the folder, and the key of the record that says which file has the rest
FOLDER: Final = ".bpconvert"
FILE: Final = "file"
_HEAD: Final = "# What {name} becomes was made from it; bpconvert needs this file for the way back.\n"

#: yields the text of a file by its path beside the document; None where there is none
Look = Callable[[str], "str | None"]


class Missing(LookupError):
    """There is no file with the record. ``file``: the name that the document has for it."""

    def __init__(self, file: str) -> None:
        super().__init__(f"there is no file '{file}'")
        self.file = file


def put(keeper: Sidecar, data: dict[str, Any], kept: dict[str, str], name: str, is_apart: bool) -> dict[str, str]:
    """Add a record to a document's data, or a reference to the file with the record, which is called as the source, of
    this ``name``. Returns that file: path beside the document -> text."""
    if not is_apart:
        keeper.put(data, kept)
        return {}
    base = posixpath.basename(name)
    file = f"{FOLDER}/{base if is_inside(base) else 'source.yaml'}"
    keeper.put(data, {"source": kept["source"], FILE: file})
    return {file: _HEAD.format(name=posixpath.basename(file)) + emit(kept)}


def read(keeper: Sidecar, data: Any, place: Any, look: Look) -> Mapping[str, str]:
    """The record in the entry at ``place``, or in the file that this names.

    Raises Missing where that file is not there, and ValueError or LookupError where there is no record in it."""
    kept = keeper.read(data, place)
    file = file_of(kept)
    if file is None:
        return kept
    text = look(file)
    if text is None:
        raise Missing(file)
    try:
        found = load(text, file).data
    except SourceError as error:
        raise ValueError(error.diagnostic.message) from None
    if not isinstance(found, dict) or found.get("source") != kept["source"]:
        raise ValueError(f"'{file}' has no record of {kept['source']}")
    return {str(key): str(value) for key, value in found.items()}


def file_of(kept: Mapping[str, Any]) -> str | None:
    """The file that has the record; None for a record that is in the document. Raises ValueError for another file."""
    file = kept.get(FILE)
    if file is None:
        return None
    folder, _, name = str(file).partition("/")
    if folder != FOLDER or "/" in name or not is_inside(name):
        raise ValueError(f"'{file}' is no file of {FOLDER}")
    return str(file)
