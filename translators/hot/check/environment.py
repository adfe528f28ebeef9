"""What a template is checked with: Heat environment files, and the types that are known."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bpconvert.translators.catalogue.schemas import heat_type, heat_types
from bpconvert.translators.hot import environment
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.yamlio.document import load


class Environment:
    """``values`` of parameters, and what types stand for. ``known``: types of which only the name is known."""

    def __init__(self, files: Iterable[str] = (), known: Iterable[str] = ()) -> None:
        """``files``: environment files, of which later ones win.

        Raises OSError and :class:`~bpconvert.diagnostics.SourceError` when one cannot be read."""
        names = list(files)
        self.values: dict[str, Any] = {}
        self.known = set(known)
        self.registry = environment.read(names)[0] if names else environment.Environment({})
        for section in ("parameter_defaults", "parameters"):
            for name in names:
                data = load(Path(name).read_bytes(), name).data
                given = data.get(section) if isinstance(data, dict) else None
                self.values.update(given if isinstance(given, dict) else {})

    def meant(self, name: str, resource: str = "") -> environment.Found:
        """What a type stands for at a resource: a type, or the file of a template."""
        return self.registry.resolve(name, resource)

    def schema(self, name: str, resource: str = "") -> dict[str, Any] | None:
        """The schema of what a type stands for at a resource; None where it is not known."""
        return heat_type(self.meant(name, resource).name)

    def names(self) -> list[str]:
        """All names of types that a template can use."""
        own = [path[-1] for path in self.registry.entries if not path[-1].endswith("*")]
        return [*heat_types(), *sorted(self.known), *own]


def is_file(name: str) -> bool:
    """True for what is the name of a template, not of a type (``heat/engine/environment.py``)."""
    return name.endswith(TEMPLATE_ENDINGS)
