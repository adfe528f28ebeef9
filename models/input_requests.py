"""What inputs ask for."""

from __future__ import annotations

from collections.abc import Mapping

from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple


class InputRequest(NamedTuple):
    """What an input asks for, where that is the name of something by what it has. ``what``: ``flavor``, with ``cpus``,
    ``ram`` and ``disk`` (both in GiB, as inputs give sizes), or ``image``, with ``architecture``, ``type``,
    ``distribution``, ``version``; None where that is not known; ``node``: what it is for; ``words``: the request as
    messages show it."""

    what: str
    wanted: Mapping[str, Value] | None
    node: str
    words: str
