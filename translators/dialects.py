"""The languages that can be read and written. A new one is one more row and the modules it names."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Dialect(NamedTuple):
    """``marker`` is the top-level key by which a document is known; ``reader`` and ``writer`` are
    ``module:function``."""

    name: str
    title: str
    marker: str
    reader: str | None = None
    writer: str | None = None

    def lift(self) -> Callable[..., Any]:
        """The function that reads a document of this dialect into a topology."""
        return _load(self.reader, f"{self.title} cannot be read yet")

    def write(self) -> Callable[..., Any]:
        """The function that writes a topology in this dialect."""
        return _load(self.writer, f"{self.title} cannot be written yet")


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("hot", "OpenStack Heat HOT", "heat_template_version", reader="bpconvert.translators.hot.lift:lift"),
        Dialect(
            "cloudify", "Cloudify DSL", "tosca_definitions_version", writer="bpconvert.translators.cloudify.write:write"
        ),
    )
}


def _load(place: str | None, missing: str) -> Callable[..., Any]:
    if place is None:
        raise ValueError(missing)
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function
