"""Environment files that were not named, but found where documents are."""

from __future__ import annotations

from typing import NamedTuple


class Nearby(NamedTuple):
    """What was found for one document, or for all of a directory.

    ``files``: the environment files; ``top``: the folder that they, and all that they map, are to be in; ``home``: the
    folder of the document that they are near to; ``takes``: what they say about types counts (else it is only said
    that they would); ``outside``: it counts as well where it leads out of ``top``."""

    files: tuple[str, ...]
    top: str
    home: str = ""
    takes: bool = True
    outside: bool = False
