"""Names: those that the DSL accepts, each given once, and those of places."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bpconvert.models.expressions import Path
from bpconvert.translators.cloudify.vocabulary import is_legal, legal
from bpconvert.translators.support.text import fresh


class Names:
    """The names of one section of the blueprint. ``source``: those that the source's section has; ``given``: those that
    are settled already."""

    def __init__(self, source: Collection[str], given: Mapping[str, str] | None = None) -> None:
        self._source = frozenset(source)
        self._given: dict[str, str] = dict(given or {})
        self._taken = {*source, *self._given.values()}

    def of(self, name: str) -> str:
        """The name in the blueprint of what the source calls ``name``; the same at every call."""
        known = self._given.get(name)
        if known is None:
            known = name if name in self._source and is_legal(name) else self.fresh(name)
            self._given[name] = known
        return known

    def fresh(self, wanted: str) -> str:
        """A legal name like ``wanted`` that nothing else has; from now on it is taken."""
        name = fresh(legal(wanted), self._taken)
        self._taken.add(name)
        self._given[name] = name
        return name


def path_name(path: Path) -> str:
    """A name for what stands at ``path``: the entry's name and the innermost keys that are names."""
    names = [
        str(p)
        for p in path[1:]
        if isinstance(p, str) and p not in ("properties", "value", "params", "template") and p.isidentifier()
    ]
    return "_".join(names[:1] + names[1:][-2:]) or "value"
