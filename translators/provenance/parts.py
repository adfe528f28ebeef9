"""The parts of a record as texts: YAML with one entry on a line. Texts, because a map may be searched for calls of
functions.

Earlier versions wrote JSON, which is read too. It is still written for what is not ASCII, where a language takes
nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Path
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit


def written(value: Mapping[Any, Any]) -> str:
    """A map as a part."""
    return emit(value)


def written_words(names: Sequence[str]) -> str:
    """Words as a part."""
    return " ".join(names)


def written_digests(digests: Mapping[Path, str]) -> str:
    """The digests of entries as a part: by section and name, or by section alone."""
    return emit(_by_section(digests))


def written_places(places_made: Mapping[Path, Sequence[Path]]) -> str:
    """The places that entries became, as a part: by section and name, ``section.name`` for each place."""
    return emit(_by_section({entry: [_place_text(place) for place in places] for entry, places in places_made.items()}))


def in_ascii(kept: Mapping[str, str]) -> dict[str, str]:
    """A record in ASCII: the source as ``escaped``, other parts as JSON."""
    record = dict(kept)
    for key, text in kept.items():
        if text.isascii():
            continue
        if key == "text":
            del record[key]
            record["escaped"] = text.replace("\\", "\\\\").encode("ascii", "backslashreplace").decode()
        elif key == "digests":
            record[key] = json.dumps([[*path, value] for path, value in digests(kept).items()])
        elif key == "made":
            record[key] = json.dumps([[entry, places] for entry, places in places_of(kept).items()])
        else:
            record[key] = json.dumps(_data(text))
    return record


def source_text(kept: Mapping[str, str]) -> str:
    """The source that a record has. Raises LookupError where there is none, ValueError where it is damaged."""
    return str(kept["text"] if "text" in kept else kept["escaped"].encode("ascii").decode("unicode_escape"))


def map_of(kept: Mapping[str, str], key: str) -> dict[str, Any]:
    """A part that is a map, {} where there is none. Raises ValueError where it is damaged."""
    data = _data(kept.get(key, "{}"))
    if not isinstance(data, dict):
        raise ValueError(f"'{key}' is no map")
    return dict(data)


def words_of(kept: Mapping[str, str], key: str) -> set[str]:
    """The words of a part. Raises ValueError where it is damaged."""
    text = kept.get(key, "")
    return {str(name) for name in (json.loads(text) if text.startswith("[") else text.split())}


def digests(kept: Mapping[str, str]) -> dict[Path, str]:
    """The digest of each entry. Raises LookupError, TypeError or ValueError where the part is missing or damaged."""
    data = _data(kept["digests"])
    if isinstance(data, dict):
        return {path: str(value) for path, value in _entries(data).items()}
    return {_place(path): str(value) for *path, value in data}


def places_of(kept: Mapping[str, str]) -> dict[Path, list[Path]]:
    """The places that entries became. Raises TypeError or ValueError where the part is damaged."""
    data = _data(kept.get("made", "{}"))
    pairs = _entries(data).items() if isinstance(data, dict) else data
    return {tuple(entry): [_place(place) for place in places] for entry, places in pairs}


def _data(text: str) -> Any:
    """What a part says: JSON where it begins like that, else YAML."""
    if text.startswith(("[", "{")):
        return json.loads(text)
    try:
        return load(text).data
    except SourceError as error:
        raise ValueError(error.diagnostic.message) from None


def _by_section(values: Mapping[Path, Any]) -> dict[Any, Any]:
    sections: dict[Any, Any] = {}
    for path, value in values.items():
        if len(path) == 1:
            sections[path[0]] = value
        else:
            sections.setdefault(path[0], {})[path[1]] = value
    return sections


def _entries(sections: Mapping[Any, Any]) -> dict[Path, Any]:
    """The reverse of :func:`_by_section`."""
    entries_found: dict[Path, Any] = {}
    for section, content in sections.items():
        if isinstance(content, dict):
            entries_found |= {(section, name): value for name, value in content.items()}
        else:
            entries_found[section,] = content
    return entries_found


def _place_text(place: Path) -> Any:
    """``section`` or ``section.name``; a list where this is not what would be read."""
    if all(isinstance(step, str) for step in place):
        text = ".".join(place)
        if _place(text) == place:
            return text
    return list(place)


def _place(steps: Any) -> Path:
    if isinstance(steps, str):
        section, dot, name = steps.partition(".")
        return (section, name) if dot else (section,)
    if not isinstance(steps, list) or len(steps) not in (1, 2):
        raise ValueError("an entry has another form")
    return tuple(steps)
