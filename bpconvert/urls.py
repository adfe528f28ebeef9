"""URLs that documents name: the checkouts that they are read from, and where their files lie beside a result."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from bpconvert.models.light import NamedTuple

#: what the name of a file beside a result does not have
_UNSAFE: Final = r"(?a)[^\w.@+,=~ -]"


def is_url(name: str) -> bool:
    """True for the name of something on the network."""
    try:
        return "://" in name and urlsplit(name).scheme not in ("", "file")
    except ValueError:
        return False


def sibling(document: str, name: str) -> str:
    """The file ``name`` beside ``document``, each a path or URL."""
    if is_url(document) or is_url(name):
        return urljoin(document, name)
    return posixpath.normpath(posixpath.join(posixpath.dirname(document), name))


def place_of(url: str) -> str:
    """The path of a URL's file beside a result: its host and path, without query, in letters that every system has."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    steps = [host or "_", *posixpath.normpath(f"/{unquote(parts.path)}").split("/")]
    return "/".join(re.sub(_UNSAFE, "_", f"_{step}" if step.startswith(".") else step) for step in steps if step)


class Mapped(NamedTuple):
    """The file of a URL. ``folder``: the checkout, ``path``: from there."""

    folder: Path
    path: str

    @property
    def file(self) -> Path:
        """Where it is."""
        return self.folder / self.path


class Maps:
    """Which URLs are read from which checkouts: pairs of how URLs begin and a folder. The longest beginning counts."""

    def __init__(self, pairs: Iterable[tuple[str, str | PathLike[str]]] = ()) -> None:
        folders = [(_steps(url), Path(folder)) for url, folder in pairs]
        self._known = sorted(folders, key=lambda row: -len(row[0]))

    def find(self, url: str) -> Mapped | None:
        """The file of ``url``; None where no checkout has it."""
        try:
            steps = _steps(url) if self._known else ()
        except ValueError:
            return None
        for start, folder in self._known:
            if steps[: len(start)] == start:
                return Mapped(folder, "/".join(steps[len(start) :]))
        return None


def _steps(url: str) -> tuple[str, ...]:
    """The parts of a URL that count: scheme, host, and the steps of its path. Raises ValueError."""
    parts = urlsplit(url)
    return (parts.scheme, parts.netloc.lower(), *(step for step in unquote(parts.path).split("/") if step))


def wrong_maps(pairs: Iterable[tuple[str, str | PathLike[str]]]) -> str | None:
    """What is wrong with pairs for :class:`Maps`, None if nothing is."""
    for url, folder in pairs:
        if not is_url(url):
            return f"{str(url)!r} is no URL (https://host/folder)"
        if set("?#") & set(url):
            return f"{url}: a URL without '?' and '#' is expected"
        if not Path(folder).is_dir():
            return f"no directory {str(folder)!r}"
    return None
