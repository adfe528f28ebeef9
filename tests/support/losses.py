"""What the tests of silent loss share: the parts of a document, and where their words are found again."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from checkout import CORPUS, REALWORLD

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Diagnostic, SourceError

#: the real templates
WORDS = re.compile(r"[A-Za-z0-9]{3,}")


def sources(folder: str, document: str) -> list[Path]:
    """The sources of the corpus, and the real ones that are there."""
    corpus = sorted((CORPUS / folder).glob(f"*/{document}"))
    real = REALWORLD / folder
    if not real.is_dir():
        return corpus
    manifest = json.loads((real / "manifest.json").read_text())
    return corpus + [real / f["path"] for f in manifest["files"] if f["role"] == "primary"]


def parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any, bool]]:
    """Every key and scalar with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key), key, True
            yield from parts(item, (*path, key))
    elif isinstance(value, (list, tuple, set)):
        for index, item in enumerate(value):
            yield from parts(item, (*path, index))
    elif value is not None:
        yield path, value, False


def texts(document: Any) -> Iterator[str]:
    """Every key and scalar as a text; one that is JSON also as what it says."""
    for _, value, is_key in parts(document):
        if isinstance(value, str):
            yield value
            if not is_key and value.startswith('"') and value.endswith('"'):
                with contextlib.suppress(ValueError):
                    yield str(json.loads(value))
        else:
            yield str(value)


class Haystack:
    """All the texts in which the parts of a source are looked for."""

    def __init__(self, found: Iterable[str]) -> None:
        self.text = "\n".join(found)
        self.words = set(WORDS.findall(self.text))

    def has(self, value: Any) -> bool:
        """True if the value, or each word of a text, occurs."""
        if isinstance(value, bool) or not isinstance(value, str):
            return any(text in self.text for text in (str(value), str(value).lower()))
        return all(word in self.words or word in self.text for word in WORDS.findall(value))


def own(result: Result, source: Path) -> list[Diagnostic]:
    """The findings about the source itself, not about what it nests."""
    return [found for found in result.diagnostics if found.span.file == str(source)]


def documents(source: Path, result: Result) -> Iterator[tuple[Path, Result]]:
    """The source and each document that it nests, with what that became: its own document, and the files that are not
    nested documents themselves (scripts, members of groups). One that is used as it is loses nothing."""
    files = {name: text for name, text in result.files.items() if name not in result.nested}
    yield source, Result(result.text, result.diagnostics, files)
    for target, place in result.nested.items():
        nested = source.parent / place
        if result.files[target].encode() != nested.read_bytes():
            yield nested, Result(result.files[target], result.diagnostics, files)


def converted(found: Iterable[Path], source: str, target: str) -> Iterator[tuple[Path, Result]]:
    """The documents that can be read, and what is nested in them, each with what it becomes."""
    for one in found:
        with contextlib.suppress(SourceError):
            yield from documents(one, convert(one, source, target, carry=False))


def unneeded(module: dict[str, Any], tables: Iterable[str], checked: Iterable[tuple[Path, Result]]) -> Iterator[str]:
    """The entries of tables of a test (``module``: its globals, with ``Check``) without which nothing would be missing.
    One is tried only where the source has its word, or the result its diagnostic."""
    known = [(one, found, one.read_text("utf-8", "replace")) for one, found in checked]

    def is_needed(entry: Any) -> bool:
        return any(
            module["Check"](one, found).missing()
            for one, found, text in known
            if all(str(word) in text for word in (entry if isinstance(entry, tuple) else [entry]))
            or any(entry == diagnostic.code for diagnostic in found.diagnostics)
        )

    for name in tables:
        table = module[name]
        for entry in table:
            kept = [one for one in table if one != entry]
            module[name] = {one: table[one] for one in kept} if isinstance(table, dict) else type(table)(kept)
            if not is_needed(entry):
                yield f"{name}: {entry}"
        module[name] = table


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def shown(path: tuple[Any, ...], value: Any) -> str:
    """A loss, as messages show it."""
    return f"{'.'.join(map(str, path))}: {str(value)[:60]!r}"
