"""What a language knows of its documents that only pictures need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpconvert.models.light import NamedTuple


class Drawn(NamedTuple):
    """What a picture shows of a document as it is written. ``links``: node -> target and type of all that connects it
    to others; ``groups``: name -> members."""

    links: Mapping[str, Sequence[tuple[str, str]]]
    groups: Mapping[str, Sequence[str]]
