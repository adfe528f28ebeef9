"""What the target cannot say travels in its metadata: the source's own text, and a digest of what it became.

The way back restores an entry word for word while its digest still fits; an edited one is translated.
"""

from __future__ import annotations

import hashlib
import json
from collections import ChainMap
from collections.abc import Container, Iterable, Mapping
from typing import Any

from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.models.expressions import Path
from bpconvert.translators.places import exists
from bpconvert.translators.text import ascii_text, fresh
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.emit import emit


def digest(fragment: Any) -> str:
    """A short digest of a generated fragment's data; layout and the order of keys do not count."""
    return hashlib.sha256(json.dumps(_keyed(fragment), sort_keys=True, default=str).encode()).hexdigest()[:16]


def _keyed(value: Any) -> Any:
    """``value`` with keys that sort together: a key that is no text says what it is."""
    if isinstance(value, dict):
        named = ((key if isinstance(key, str) else f"{type(key).__name__} {key}", item) for key, item in value.items())
        return {key: _keyed(item) for key, item in named}
    if isinstance(value, list):
        return [_keyed(item) for item in value]
    return value


def fragments(
    dialect: str,
    document: Document,
    made: Mapping[Path, Any],
    diagnostics: Iterable[Diagnostic],
    whole_sections: Iterable[str],
) -> dict[str, Any]:
    """The carried part of ``document``: ``{section: {entry: {digest, <dialect>: text}}}``.

    An entry is carried when it became nothing of its own (``made`` is None), or when a diagnostic says that it is not
    exact; ``whole_sections`` (those that the target does not have) are carried whole where the source has them."""
    inexact = {d.path[:2] if len(d.path) > 1 else d.path for d in diagnostics if d.fidelity >= Fidelity.REWRITTEN}
    carried: dict[str, Any] = {}
    data = document.data
    for path in made.keys() | inexact:
        if len(path) == 2 and path[0] not in whole_sections and exists(data, path):
            carried.setdefault(path[0], {})
    for section in carried:
        for name in data[section]:
            path = (section, name)
            fragment = made.get(path)
            if path in inexact or (path in made and fragment is None):
                entry = {"digest": digest(fragment)} if fragment is not None else {}
                key = _ascii_key(name, ChainMap(data[section], carried[section]))
                original = {} if key == name else {"name_json": json.dumps(name)}
                carried[section][key] = {**original, **entry, **_text(dialect, document, path)}
    whole = [name for name in whole_sections if name in data]
    whole += [path[0] for path in inexact if len(path) == 1 and path[0] in data and path[0] not in whole]
    for section in whole:
        carried[section] = _text(dialect, document, (section,))
    result: dict[str, Any] = {}
    for section in data:
        if carried.get(section):
            result[_ascii_key(section, ChainMap(data, result))] = carried[section]
    return result


def _ascii_key(name: Any, taken: Container[Any]) -> Any:
    """``name`` in ASCII, which is all that a blueprint takes; not one of ``taken`` then."""
    return fresh(ascii_text(name), taken) if isinstance(name, str) and not name.isascii() else name


def _text(dialect: str, document: Document, path: Path) -> dict[str, str]:
    """The entry's own text, or its data written anew where the text cannot stand alone."""
    text = document.source(path)
    if text is None:
        value: Any = document.data
        for step in path:
            value = value[step]
        text = emit({path[-1]: value})
    if text.isascii():
        return {dialect: text if text.endswith("\n") else text + "\n"}
    return {f"{dialect}_json": json.dumps(text)}
